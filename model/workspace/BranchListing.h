// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/Reading.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonObject>

#include <functional>

namespace tmx {

class DiskCache;

/// Each fact that the recipe states, by its id.
QJsonObject toJson(const RecipeFacts &facts);
QJsonArray toJson(const QList<Finding> &findings);

/// What `list --json` says of one branch: its settings, its counts, and every variant with its state, its facts and
/// what the audit finds. The fields are in the man page.
QJsonObject branchJson(const BranchSnapshot &snapshot, const QHash<QString, BuildState> &builds);

/// The document of `list --all-branches --json`, and what was wrong on the way.
struct BranchListing {
    QByteArray document;        ///< UTF-8; each branch is one line
    QList<UnreadBranch> unread; ///< they are not among the document's branches, but its errors
    bool lineErrors = false;    ///< the settings file of a branch cannot be read
};

/// Lists all local branches of the repository that holds `path`, with `remotes` the remote-tracking ones too. Several
/// at a time. A branch that the same program listed before, with the same recipes, comes from `cache`; the catalog is
/// loaded only when another one is left. For workers. Errors: as branchesOf(); a broken catalog; where no branch can be
/// read, why not the first.
Result<BranchListing> listBranches(const std::function<Result<std::shared_ptr<const Catalog>>()> &loadCatalog,
                                   const QString &path, bool remotes, const DiskCache &cache);

/// As the documents of `list` and `pick` tell it: {"branch", "error"}.
QJsonArray toJson(const QList<UnreadBranch> &unread);

} // namespace tmx
