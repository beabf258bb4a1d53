// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArrayList>
#include <QString>

namespace tmx {

/// All notations of a SHA-256 that is in any of Nix's notations: "sha256-" and base 64, 64 hexadecimal digits, 52
/// base-32 digits. The latter two may be prefixed with "sha256:", as printed by fetchTarball. Empty if invalid. Source:
/// Nix manual, "nix hash convert".
QByteArrayList notationsOf(const QString &hash);

/// Whether Nix reads it as a hash: of MD5, SHA-1, SHA-256 or SHA-512, as "sha256-" and base 64, or in hexadecimal or
/// base-32 digits with or without "sha256:".
bool isHash(const QString &text);

/// Whether two texts are the same SHA-256 in any notations, or equal texts.
bool sameHash(const QString &a, const QString &b);

} // namespace tmx
