// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/base/WorkHooks.h"
#include "model/catalog/Facts.h"

namespace tmx {

/// Sources as `nix flake prefetch` takes them.
QString nixpkgsSource(const QString &revision);
/// The source of a family at a version, with its submodules if it needs them (as hashCommand()); empty if the catalog
/// does not know it.
QString sourceOf(const Family &family, const QString &version);

/// The SRI hash of a source, as fetchTarball and fetchFromGitHub take it: Nix fetches it to its store. `hooks.progress`
/// gets MiB. Blocks: for workers. Errors: there is no Nix, Nix's own sentence, stoppedError().
Result<QString> fetchHash(const QString &source, const WorkHooks &hooks = {});

} // namespace tmx
