// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/CommitRules.h"
#include "model/repository/GitValues.h"
#include "model/repository/Journal.h"

namespace tmx {

/// A text that is about to be replaced, removed or written.
struct SavedText {
    QString path; ///< in the saved tree: the file's own, below "staged/" for what only the index held
    git_oid blob{};
    uint32_t mode = GIT_FILEMODE_BLOB;
};

/// What texts are saved for.
struct SavedOccasion {
    QString operation; ///< id
    QString tip;       ///< commit of the branch; empty: none
    QString branch;
    QString subject;    ///< of what replaces the texts
    bool alone = false; ///< it makes no commit, see SavedCommit::alone
};

/// Id of a new operation on a branch: "20260131-235959-1a2b3c4d/BRANCH", the time in UTC. The branch makes the ref's
/// name say where the commit was made.
QString newOperation(const QString &branch);
/// Name of the ref that holds the texts that an operation saved.
QString savedRef(const QString &operation);
QString operationRef(const QString &operation);

/// Saves the texts in a commit on top of the branch's, under savedRef(). The ref appears in one step. Error: disk full,
/// read-only.
Result<void> saveTexts(const OpenRepository &repository, const Journal &journal, const SavedOccasion &occasion,
                       const Identity &identity, const QList<SavedText> &texts);

/// Notes what is about to be written without a commit, see WrittenFiles: `texts` have paths below "before/" and
/// "after/". Gives the commit that holds them.
Result<QString> noteWritten(const OpenRepository &repository, const Journal &journal, const SavedOccasion &occasion,
                            bool index, const Identity &identity, const QList<SavedText> &texts);

/// Gives a file of the journal the name of a ref below refs/torch-matrix/. Error: read-only, a link on the way.
Result<void> publishOwnRef(const OpenRepository &repository, const Journal &journal, const QString &file,
                           const QString &ref, const QString &what);

/// Repository::savedCommits.
Result<QList<SavedCommit>> savedCommits(const OpenRepository &repository);
/// Repository::writtenFiles.
Result<QList<WrittenFiles>> writtenFiles(const OpenRepository &repository);
/// Repository::operations.
Result<QList<AppliedOperation>> operations(const OpenRepository &repository);

} // namespace tmx
