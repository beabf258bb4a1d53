// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Settings.h"
#include "model/git/FileChanges.h"

namespace tmx {

/// A nixpkgs that recipes fetch no longer.
struct ReplacedPin {
    QString from;
    QString to; ///< empty: none
    int recipes = 0;
    bool operator==(const ReplacedPin &) const = default;
};

/// A prepared change to one branch. All functions in model/change return it, the user reviews it and chooses files, and
/// Repository::apply applies it. A plain value.
struct ChangeSet : FileChanges {
    std::optional<Settings> settings; ///< the new settings of the branch, if the change sets them
    QStringList dropped;              ///< packages that the branch loses; the files' reasons say why
    QStringList customised;  ///< of a branch that is derived from: packages that cannot be changed in place and build
                             ///< something else than their template's text
    QList<ReplacedPin> pins; ///< of the recipes that are there already; most recipes first
    QStringList outdated;    ///< for a new branch: unchanged files that mention what the change replaced
    bool operator==(const ChangeSet &) const = default;
};

} // namespace tmx
