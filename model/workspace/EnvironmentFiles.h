// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"

#include <QByteArray>
#include <QList>

#include <utility>

namespace tmx {

/// What a repository needs besides its recipes so that Flox builds them, as `flox init` writes it: .flox/env.json,
/// .flox/env/manifest.toml and a .gitignore for the links to results. The environment installs git alone, since a Nix
/// expression brings its own inputs. On activation a hook lists the variants that this machine can run: CPU flags from
/// /proc/cpuinfo, compute capabilities from nvidia-smi, both by the catalog. Paths are relative to the root; `name` is
/// the environment's.
QList<std::pair<QString, QByteArray>> environmentFiles(const Catalog &catalog, const Settings &settings,
                                                       const QString &name);

} // namespace tmx
