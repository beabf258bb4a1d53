// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Tr.h"

#include <QStringView>

/// Patterns of values in the catalog's files and in torch-matrix.toml: they match whole values, in QRegularExpression's
/// syntax.
namespace tmx::pattern {

inline constexpr QStringView version = uR"((0|[1-9]\d*)\.(0|[1-9]\d*))"; ///< "12.8"
/// "2.9.1"; also "22Jul2025" and "0-unstable-2025-08-01", as nixpkgs has them.
inline constexpr QStringView release = uR"((0|[1-9]\d*)(\.\d+)*([A-Za-z+_-][A-Za-z0-9.+_-]*)?)";
inline constexpr QStringView optionalRelease = uR"(((0|[1-9]\d*)(\.\d+)*([A-Za-z+_-][A-Za-z0-9.+_-]*)?)?)";
inline constexpr QStringView attribute = u"[A-Za-z_][A-Za-z0-9_'-]*"; ///< a name in nixpkgs
inline constexpr QStringView sourceHash = u"sha256-[A-Za-z0-9+/]{43}=";
inline constexpr QStringView optionalSourceHash = u"(sha256-[A-Za-z0-9+/]{43}=)?";
inline constexpr QStringView optionalRevision = u"((?!0{40})[0-9a-f]{40})?"; ///< a git commit; 40 zeros are no commit
inline constexpr QStringView python = uR"(python3\d{1,2}|none)";             // none: packages without Python
inline constexpr QStringView family = u"[a-z][a-z0-9_+-]*";                  // with version and pairing
/// In a notation that Nix accepts: 256 bits in base 16, 32 or 64, or the form of a sourceHash.
inline constexpr QStringView optionalTarballHash =
    u"((sha256-|(sha256:)?)[A-Za-z0-9+/]{43}=|(sha256:)?([0-9a-f]{64}|[0-9a-df-np-sv-z]{52}))?";

/// Description of a pattern, to follow "but": "a version such as 2.9.1"; empty if there is none.
inline QString inWords(QStringView pattern)
{
    if (pattern == version)
        return Tr::tr("a version such as 12.8");
    if (pattern == release || pattern == optionalRelease)
        return Tr::tr("a version such as 2.9.1");
    if (pattern == sourceHash || pattern == optionalSourceHash || pattern == optionalTarballHash)
        return Tr::tr("a hash such as sha256-RKiZLHBCneMtZKRgTEuW1K7+Jpi+tx11BMXuS1jC1xQ=");
    if (pattern == optionalRevision)
        return Tr::tr("a commit in full, 40 digits of 0-9 and a-f");
    return pattern == python ? Tr::tr("a Python such as python313") : QString();
}

} // namespace tmx::pattern
