// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/outcome/BuildState.h"

#include <QStringList>

namespace tmx {

/// The result of an earlier build in a working tree. flox creates `result-<package>`, a link into the Nix store, next
/// to `.flox`. Built if it exists, Stale if the recipe file was written later, else None. `recipe`: its path relative
/// to the working tree. Accesses the file system: for workers.
BuildState builtBefore(const QString &workTree, const QString &package, const QStringList &files);

/// One result of a build: the engine's name for the link, and the absolute path that it points to.
struct BuildResult {
    QString name;   ///< "result-<package>", "result-<package>-dev"
    QString target; ///< "/nix/store/..."
    bool operator==(const BuildResult &) const = default;
};

/// The links that a build of `package` created in `folder`, the package's first, without the one to the log. Empty if
/// there is no result. `alone`: nothing else was built in that folder, so all links in it belong to this build.
QList<BuildResult> resultsIn(const QString &folder, const QString &package, bool alone);

/// Folder below the state folder for the results of a branch.
QString resultsFolder(const QString &state, const QString &repository, const QString &branch);

/// Creates or replaces a link atomically. Returns false if the name is taken by something else than a link, or if the
/// folder cannot be written.
bool makeLink(const QString &path, const QString &target);

} // namespace tmx
