// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/history/BuildHistory.h"
#include "model/job/Queue.h"
#include "model/outcome/BuildState.h"

#include <functional>

namespace tmx {

/// The recipes of a branch, as builds know them.
struct BuiltBranch {
    struct Recipe {
        QString variant;
        QString package;
        QStringList files; ///< paths of the recipe and of what it imports
    };
    QString repository; ///< canonical path of the working tree
    QString workTree;
    QString branch;
    bool checkedOut = false;
    QList<Recipe> recipes;
    /// For Job::buildsOneOf(): identifies builds of the recipe with this index. Asked only if there are builds to
    /// compare.
    std::function<QStringList(qsizetype)> identities;
};

/// Known builds of a repository besides this account's jobs.
struct OtherBuilds {
    QList<Publication> publications;       ///< of this account and of others, the newest first
    QList<BuildRecord> elsewhere;          ///< attempts of others, the newest first
    QHash<QString, QString> verified = {}; ///< "passed" or "failed" by job of this account
};

/// What the history of this account knows: publications from a repository (empty: from any), verified jobs. For
/// workers.
OtherBuilds historyOf(const QString &repository);

/// State of each variant of a branch according to its jobs, and to what other branches built of the same recipe: Built
/// if this recipe was, Stale if only another one was, whether or not that result still exists. Without a job, according
/// to the result that an earlier build left in the working tree. A recipe that was published and has not changed since
/// is Published, even if its result is gone. One that was not built here, but was built by others with the same text,
/// is Elsewhere; if they only failed, FailedElsewhere. For workers: checks that results still exist. `byLinks`: set to
/// true if such a result was looked at, whose date is compared with those of the recipe's files.
QHash<QString, BuildState> buildStates(const BuiltBranch &branch, const QList<JobRecord> &jobs,
                                       const OtherBuilds &other = {}, bool *byLinks = nullptr);

} // namespace tmx
