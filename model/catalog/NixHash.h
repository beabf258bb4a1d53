// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArrayList>
#include <QString>

namespace tmx {

/// A SHA-256 ("sha256-" and base 64) as Nix writes it: so, as 64 hexadecimal digits, as 52 digits to the base of 32.
/// Empty: it is none. Source: the manual of Nix, "nix hash convert".
QByteArrayList notationsOf(const QString &hash);

/// Whether two texts are the same SHA-256, in whichever notations; the same text is.
bool sameHash(const QString &a, const QString &b);

} // namespace tmx
