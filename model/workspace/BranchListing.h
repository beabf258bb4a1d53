// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/VariantFilter.h"
#include "model/workspace/RepositoryReading.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonObject>

#include <functional>

namespace tmx {

class DiskCache;

/// All facts that the recipe states, by id.
QJsonObject toJson(const RecipeFacts &facts);
QJsonArray toJson(const QList<Finding> &findings);

/// The JSON of `list --json` for one branch: its settings, its counts, and every variant with its state, its facts and
/// its findings. The man page describes the fields.
QJsonObject branchJson(const BranchSnapshot &snapshot, const QHash<QString, BuildState> &builds,
                       const VariantFilter &filter = {});

/// The document of `list --all-branches --json`, and the problems found.
struct BranchListing {
    QByteArray document;        ///< UTF-8; each branch is one line
    QList<UnreadBranch> unread; ///< listed in the document's errors, not in its branches
    bool lineErrors = false;    ///< the settings file of a branch cannot be read
};

/// Lists all local branches of the repository that contains `path`; `remotes` adds the remote-tracking ones. Reads
/// several branches at a time. If the same program listed a branch before with the same recipes, its JSON comes from
/// `cache`; the catalog is loaded only if a branch is not cached. For workers. Errors: as branchesOf(); a broken
/// catalog; if no branch can be read, the first branch's error.
Result<BranchListing> listBranches(const std::function<Result<std::shared_ptr<const Catalog>>()> &loadCatalog,
                                   const QString &path, bool remotes, const DiskCache &cache);

/// In the format of the documents of `list` and `pick`: {"branch", "error"}.
QJsonArray toJson(const QList<UnreadBranch> &unread);

} // namespace tmx
