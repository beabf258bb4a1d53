// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/git/CommitReader.h"

#include <QList>
#include <QString>

namespace tmx {

class Repository;
struct OpenedRepository;

/// A step of this program that can be undone.
struct UndoStep {
    enum class Way {
        Commit, ///< a new commit
        Back,   ///< the commit is taken away: nothing else has it
        Forth,  ///< the commit, which was taken away, comes back
    };
    QString commit; ///< the argument for UndoRequest: a commit, or one with saved texts
    QString branch;
    QString name;          ///< subject of the user's commit; for an undo or redo, of the original commit
    bool texts = false;    ///< it made no commit; only files of the working tree change
    Way way = Way::Commit; ///< found out for the next step only
    bool operator==(const UndoStep &) const = default;
};

/// The steps that can be undone and redone; the next one is last.
struct UndoSteps {
    QList<UndoStep> undo;
    QList<UndoStep> redo;
    bool operator==(const UndoSteps &) const = default;
};

/// Reads the steps from what the repository stores about this program's commits (Repository::operations), so that they
/// survive a restart. An undo takes the last commit away, which a redo brings back, or is a commit that reverts another
/// one, which a redo reverts; any other commit clears the redo list. Uncommitted texts that were replaced or removed
/// without a commit (Repository::savedCommits) are a step if the branch has not moved and a text can be restored; the
/// last 10 of these are checked, and they have no redo. Files written without a commit (Repository::writtenFiles) on
/// the checked-out branch are a step if nothing else replaced them; files that the user has changed since stay a step,
/// and undoing it reports that. Commits that are no longer in their branch are left out; the last 100 are checked. For
/// workers. Errors: as Repository::open.
Result<UndoSteps> undoSteps(const QString &path);
/// The same of a repository that is open.
Result<UndoSteps> stepsOf(const OpenedRepository &opened);

/// A commit of a branch.
struct BranchCommit {
    QString commit;
    CommitInfo info;
    bool undoable = false; ///< this program made it
};

/// The newest commits of a branch, at a merge along the first parent. For workers. Errors: as Repository::open; no such
/// branch.
Result<QList<BranchCommit>> commitsOf(const QString &path, const QString &branch, qsizetype most);

/// Whether the program took the commit away last. In the branch it may be again all the same, by git.
bool isTakenAway(const QList<AppliedOperation> &operations, const QString &commit);
/// The paths that a commit changed; empty also if that cannot be read.
QStringList pathsOf(const Repository &repository, const QString &commit);
/// Subject of what undoes `commit` without a commit.
QString undoSubject(const QString &commit);
/// The message of the commit that undoes `commit`, whose subject is given: in git's words, so that CommitInfo::reverts
/// knows it.
QString revertMessage(const QString &subject, const QString &commit);
/// Whether a commit undoes that one. Earlier versions of the program wrote undoSubject().
bool isUndoOf(const CommitInfo &info, const QString &commit);

} // namespace tmx
