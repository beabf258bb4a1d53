// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QStringView>

/// What the values of the catalog's files and of torch-matrix.toml look like: whole values, as QRegularExpression reads
/// them.
namespace tmx::pattern {

inline constexpr QStringView version = uR"((0|[1-9]\d*)\.(0|[1-9]\d*))"; ///< "12.8"
inline constexpr QStringView release = uR"((0|[1-9]\d*)(\.\d+)*)";       ///< "2.9.1"
inline constexpr QStringView optionalRelease = uR"(((0|[1-9]\d*)(\.\d+)*)?)";
inline constexpr QStringView attribute = u"[A-Za-z_][A-Za-z0-9_'-]*"; ///< a name in nixpkgs
inline constexpr QStringView sourceHash = u"sha256-[A-Za-z0-9+/]{43}=";

} // namespace tmx::pattern
