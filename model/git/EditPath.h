// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QString>

namespace tmx {

/// Checks a path to write, stage or commit: ".flox/pkgs/<name>.nix" or ".flox/pkgs/<name>/default.nix", or
/// torch-matrix.toml; no leading dash or dot, no "..", no control characters, at most 200 bytes per name.
Result<void> checkRecipePath(const QString &path);

/// Checks a path that our commits may change: one of checkRecipePath(), a Nix file in another folder, which recipes
/// import, a Markdown file, the pipeline of a CI host, or one of Flox's environment and .gitignore.
Result<void> checkEditPath(const QString &path);

} // namespace tmx
