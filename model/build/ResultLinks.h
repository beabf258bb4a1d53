// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/BuildState.h"

#include <QStringList>

namespace tmx {

/// What earlier builds left in a work tree. flox leaves `result-<package>`, a link into the Nix store, beside `.flox`
/// Built when it is there, Stale when the recipe file was written after it, else None.
/// `recipe`: its path relative to the work tree. Looks at the file system: for workers.
BuildState builtBefore(const QString &workTree, const QString &package, const QString &recipe);

/// One result of a build: the name that the engine gave its link, and the absolute path that the link holds.
struct BuildResult {
    QString name;   ///< "result-<package>", "result-<package>-dev"
    QString target; ///< "/nix/store/..."
    bool operator==(const BuildResult &) const = default;
};

/// The links that a build of `package` left in `folder`, that of the package first; not the one to the log. Empty:
/// there is no result. `alone`: nothing else was built in that folder, so every link there is of this build.
QList<BuildResult> resultsIn(const QString &folder, const QString &package, bool alone);

/// Where the program keeps the results of a branch: a folder below the state folder.
QString resultsFolder(const QString &state, const QString &repository, const QString &branch);

/// Makes a link, or replaces one, in one step. False: something else than a link has the name, or the folder cannot be
/// written.
bool makeLink(const QString &path, const QString &target);

} // namespace tmx
