// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"

#include <QByteArray>
#include <QList>

#include <utility>

namespace tmx {

/// The files besides recipes that a repository needs so that Flox can build it, like those of `flox init`:
/// .flox/env.json, .flox/env/manifest.toml and a .gitignore for the result links. The environment installs only git,
/// because a Nix expression has its own inputs. On activation a hook lists the variants that this machine can run: it
/// compares CPU flags from /proc/cpuinfo and compute capabilities from nvidia-smi with the catalog. Paths are relative
/// to the root; `name` is the environment's name.
QList<std::pair<QString, QByteArray>> environmentFiles(const Catalog &catalog, const Settings &settings,
                                                       const QString &name);

} // namespace tmx
