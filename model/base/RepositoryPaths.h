// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QStringView>

/// Where a build repository keeps what this program reads and writes.
namespace tmx {

inline constexpr QLatin1StringView recipeFolder{".flox/pkgs"};
/// The file at the root of a branch with its settings; the manual page documents its keys.
inline constexpr QLatin1StringView settingsFileName{"torch-matrix.toml"};
/// The pipeline files of CI hosts, each at the only place where the host reads it.
inline constexpr QLatin1StringView githubFile{".github/workflows/torch-matrix.yml"};
inline constexpr QLatin1StringView gitlabFile{".gitlab-ci.yml"};

/// Whether a name in .flox/pkgs is that of a recipe: it ends in .nix and is not hidden.
inline bool isRecipeName(QStringView name)
{
    return name.size() > 4 && name.endsWith(u".nix") && !name.startsWith(u'.');
}

} // namespace tmx
