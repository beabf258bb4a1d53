// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/recipe/Edits.h"

namespace tmx {

/// Offsets at which a Nix file has that revision, version or hash, not as a part of a longer one. Leaves out comments,
/// names of attributes, and what versions are compared with.
QList<quint32> placesOfValue(const QByteArray &text, const QByteArray &value);

/// The text of `hash` or `sha256` in the innermost set around a byte, as an edit that removes it; of length 0 if that
/// set has none. Beside a version it is the hash of that version's source.
Edit hashAround(const QByteArray &text, quint32 offset);

} // namespace tmx
