// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArrayList>
#include <QString>

namespace tmx {

/// A SHA-256 in any notation of Nix, in all of them: "sha256-" and base 64, 64 hexadecimal digits, 52 digits to the
/// base of 32. The latter two may have "sha256:" before them, as fetchTarball prints them. Empty: it is none. Source:
/// the manual of Nix, "nix hash convert".
QByteArrayList notationsOf(const QString &hash);

/// Whether two texts are the same SHA-256, in whichever notations; the same text is.
bool sameHash(const QString &a, const QString &b);

} // namespace tmx
