// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/build/BuildState.h"
#include "model/repository/BranchSnapshot.h"

#include <QHash>
#include <QJsonObject>

#include <functional>

namespace tmx {

class DiskCache;

/// What `list --json` says of one branch: its line, its counts, and every variant with its state, its facts and what the audit finds.
/// The fields are in the man page.
QJsonObject branchJson(const BranchSnapshot &snapshot, const QHash<QString, BuildState> &builds);

/// `list --json` of branches of the repository that holds `path`: all local ones, with `remotes` the remote-tracking ones too. Several at
/// a time; what `cache` knows (made from the same recipes, by the same program) is not read again. The document's text, UTF-8.
/// The catalog is loaded when something is not known. Errors: as Repository::open; a branch that cannot be read; a broken catalog.
Result<QByteArray> listBranches(const std::function<Result<std::shared_ptr<const Catalog>>()> &loadCatalog, const QString &path,
                                bool remotes, const DiskCache &cache);

/// The document of some branches.
QByteArray listingOf(const QString &repository, const QList<QByteArray> &branches);

} // namespace tmx
