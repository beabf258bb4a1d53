// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/CommitRules.h"
#include "model/git/GitValues.h"
#include "model/git/Journal.h"

namespace tmx {

/// A text that is about to be replaced, removed or written.
struct SavedText {
    QString path; ///< path in the saved tree: the file's own; below "staged/" for texts that were only in the index
    git_oid blob{};
    uint32_t mode = GIT_FILEMODE_BLOB;
};

/// Why texts are saved.
struct SavedOccasion {
    QString operation; ///< id
    QString tip;       ///< commit of the branch; empty if there is none
    QString branch;
    QString subject;    ///< subject of the change that replaces the texts
    bool alone = false; ///< that change makes no commit, see SavedCommit::alone
};

/// Id of a new operation on a branch: "20260131-235959.123-1a2b3c4d/BRANCH", with the time in UTC. The branch in the
/// ref's name says where the commit was made.
QString newOperation(const QString &branch);
/// Name of the ref for the texts that an operation saved.
QString savedRef(const QString &operation);
QString operationRef(const QString &operation);

/// Saves the texts in a commit on top of the branch's commit, under savedRef(). The ref is created atomically. Error:
/// disk full, read-only.
Result<void> saveTexts(const OpenRepository &repository, const Journal &journal, const SavedOccasion &occasion,
                       const Identity &identity, const QList<SavedText> &texts);

/// Records what is about to be written without a commit, see WrittenFiles: `texts` have paths below "before/" and
/// "after/". Returns the commit that has them.
Result<QString> noteWritten(const OpenRepository &repository, const Journal &journal, const SavedOccasion &occasion,
                            bool index, const Identity &identity, const QList<SavedText> &texts);

/// Renames a file of the journal to a ref below refs/torch-matrix/. Error: read-only, a link in the path.
Result<void> publishOwnRef(const OpenRepository &repository, const Journal &journal, const QString &file,
                           const QString &ref, const QString &what);

/// See Repository::savedCommits.
Result<QList<SavedCommit>> savedCommits(const OpenRepository &repository);
/// See Repository::writtenFiles.
Result<QList<WrittenFiles>> writtenFiles(const OpenRepository &repository);
/// See Repository::operations.
Result<QList<AppliedOperation>> operations(const OpenRepository &repository);

} // namespace tmx
