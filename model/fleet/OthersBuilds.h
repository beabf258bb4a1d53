// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/job/BuildStates.h"
#include "model/job/SharedBuildLines.h"

namespace tmx {

/// This account's builds of a repository, with all that ended.
struct OwnBuilds {
    QString workTree; ///< repository path as in the history
    QList<BuildRecord> records;
    QList<Publication> publications;
};
/// Errors: those of Repository::open() and of the history of builds. For workers.
Result<OwnBuilds> ownBuilds(const QString &path);

/// What others built and published, as far as it was fetched, without this account's own builds. Errors: those of
/// readRefLines(). For workers.
Result<SharedBuildLines> readOthersBuilds(const QString &workTree);
/// The same; empty if it cannot be read.
SharedBuildLines othersBuilds(const QString &workTree);

/// Sorts the attempts by their end.
QList<BuildRecord> newestFirst(QList<BuildRecord> records);

/// Known builds of a repository besides this account's jobs. For workers.
OtherBuilds otherBuildsOf(const QString &repository);
/// Changes whenever refs/torch-matrix/builds does.
QString othersStamp(const QString &workTree);

} // namespace tmx
