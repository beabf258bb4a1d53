// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/build/BuildState.h"
#include "model/change/Change.h"
#include "model/change/Generate.h"
#include "model/repository/GitValues.h"
#include "model/snapshot/SnapshotReader.h"

#include <QHash>
#include <QStringList>

#include <memory>

namespace tmx {

/// What is known of a repository and one of its branches after reading it once.
struct Reading {
    RepositoryInfo info;
    std::shared_ptr<const BranchSnapshot> snapshot;
    QHash<QString, BuildState>
        builds;             ///< of variants that an earlier build left a result of; the checked-out branch's alone
    QStringList watchPaths; ///< what to watch to learn that this reading is old
};

/// What generate, commit or stage did.
struct WriteReport {
    QString branch;
    QStringList written;   ///< names whose recipe was written, or committed
    QStringList unchanged; ///< names whose file already held that text
    QString commit;        ///< empty when nothing was committed
    QString subject;       ///< of the commit
    QString saved = {}; ///< ref that keeps the text which was replaced and which no commit held; empty: there was none
    QStringList kept = {}; ///< "REF:PATH" of each such text, where that is known
    bool operator==(const WriteReport &) const = default;
};

WriteReport reportOf(const CommitResult &commit, const QStringList &written = {});

/// The long actions on a repository, as functions of values: the window runs them in workers, the verbs call them. Each
/// opens its own libgit2 handle. Never call them on the window's thread.

/// Reads `branch` (empty: what is checked out) of the repository that holds `path`.
/// Errors: those of SnapshotReader::read.
Result<Reading> readRepository(const SnapshotReader &reader, const QString &path, const QString &branch = {},
                               const WorkHooks &hooks = {});

/// What earlier builds left, by variant. Results lie in the work tree, so they are the checked-out branch's; of another
/// there are none.
QHash<QString, BuildState> buildsOf(const BranchSnapshot &snapshot);

/// Writes the recipes that are missing and, on the checked-out branch, adds them to the index. All are rendered before
/// the first is written. A file that is there with another text is an error and nothing is written: a person's text is
/// never overwritten unseen. With `commitMessage` they are committed as well. A branch that is not checked out has no
/// work tree: there the recipes go straight into a commit, whose message is `commitMessage` or the usual one.
Result<WriteReport> generateRecipes(const std::shared_ptr<const Catalog> &catalog, const QString &path,
                                    const QString &branch, const QStringList &names,
                                    const std::optional<QString> &commitMessage = {});

/// Commits the recipe files of `names` as they are on disk, those files alone. `seenHead` is the commit that the user
/// saw.
Result<WriteReport> commitRecipes(const std::shared_ptr<const Catalog> &catalog, const QString &path,
                                  const QStringList &names, const QString &message, const QString &seenHead);

/// Adds the recipe files of `names` to the index: flox sees tracked files alone.
Result<void> stageRecipes(const std::shared_ptr<const Catalog> &catalog, const QString &path, const QStringList &names);

/// The edits as one change, applied.
Result<CommitResult> applyEdits(const QString &path, ChangeSet changes, const QList<FileEdit> &edits);

} // namespace tmx
