// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/repository/GitValues.h"

#include <QStringView>

#include <sys/stat.h>

namespace tmx {

inline constexpr QLatin1StringView recipeFolder{".flox/pkgs"};
/// The pipelines that a CI host reads, each in the one place where it looks.
inline constexpr QLatin1StringView githubFile{".github/workflows/torch-matrix.yml"};
inline constexpr QLatin1StringView gitlabFile{".gitlab-ci.yml"};
/// A recipe of flox is a few KiB of text; beyond this it is something else and is not read.
inline constexpr qint64 maxRecipeBytes = qint64(1024) * 1024;

/// Whether the name of an entry of .flox/pkgs says that it is a recipe: ends in .nix, no dot file.
bool isRecipeName(QStringView name);

/// A path that may be written, staged or committed: ".flox/pkgs/<name>.nix" or ".flox/pkgs/<name>/default.nix", or
/// torch-matrix.toml; no leading dash or dot, no "..", no control characters, at most 200 bytes a name.
Result<void> checkRecipePath(const QString &path);

/// A path that a commit of ours may touch: one of checkRecipePath(), the file of the settings, a Markdown file at
/// the root, the pipeline of a CI host, or one of Flox's environment and .gitignore.
Result<void> checkEditPath(const QString &path);

/// Refuses where a folder on the way from `workTree` to `path` is a link (git would not follow it, and it may leave the
/// repository) or a repository of its own, such as a submodule (its files are not this repository's).
Result<void> checkNoLinkOnTheWay(const QString &workTree, const QString &path);

/// Why nothing is read from or written to a folder that is a submodule or another repository.
Error isRepository(const QString &folder);

/// What lies at a path of the work tree. Never follows a link, never waits (a pipe called x.nix is no recipe).
struct DiskFile {
    bool present = false;
    FileTrouble trouble = FileTrouble::None;
    QByteArray bytes;   ///< when trouble is None or NotText
    struct stat info{}; ///< taken before the bytes were read
};
DiskFile readDiskFile(const QString &workTree, const QString &path);

/// NUL bytes and what is not UTF-8 are no recipe.
bool isText(const QByteArray &bytes);

} // namespace tmx
