// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/Operations.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonObject>

#include <functional>

namespace tmx {

class DiskCache;

/// What `list --json` says of one branch: its line, its counts, and every variant with its state, its facts and what
/// the audit finds. The fields are in the man page.
QJsonObject branchJson(const BranchSnapshot &snapshot, const QHash<QString, BuildState> &builds);

/// The document of `list --json`, and what was wrong on the way.
struct BranchListing {
    QByteArray document;        ///< UTF-8
    QList<UnreadBranch> unread; ///< they are not among the document's branches, but its errors
    bool lineErrors = false;    ///< the file of a branch's line cannot be read
};

/// `list --json` of branches of the repository that holds `path`: all local ones, with `remotes` the remote-tracking
/// ones too. Several at a time; what `cache` knows (made from the same recipes, by the same program) is not read again.
/// The catalog is loaded when something is not known. Errors: as Repository::open; a broken catalog; where no branch
/// can be read, why not the first.
Result<BranchListing> listBranches(const std::function<Result<std::shared_ptr<const Catalog>>()> &loadCatalog,
                                   const QString &path, bool remotes, const DiskCache &cache);

/// As the documents of `list` and `pick` tell it: {"branch", "error"}.
QJsonArray toJson(const QList<UnreadBranch> &unread);

} // namespace tmx
