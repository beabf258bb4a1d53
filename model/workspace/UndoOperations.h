// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/repository/GitValues.h"

namespace tmx {

/// What takes back what this program did: one more commit, which gives the files of another the texts that they had
/// before it, and the texts that were not committed back into the work tree, where nothing newer is in their place. For
/// workers and verbs.
struct UndoReading {
    QString repository;
    QString branch;
    QString tip;    ///< that the branch is expected at
    QString commit; ///< that is undone; empty: there was nothing to commit, only files of the work tree were touched
    bool isTip = false;             ///< nothing came after it
    QList<CommittedChange> changes; ///< of the commit
    QString saved; ///< ref of the texts that it replaced or removed and that no commit held; empty: there were none
    QList<FileEdit> texts; ///< those of them that can be put back, as they are to be once `changes` are undone
    QStringList kept;      ///< "REF:PATH" of those that cannot: a newer text is there, or the index alone held them
};
/// `commit`: any revision, or the ref of saved texts; empty: what was done last on `branch` (empty: what is checked
/// out), its last commit or, since that, a plan that had nothing to commit and can be taken back. Errors: a merge, a
/// commit that is not in the branch.
Result<UndoReading> readUndo(const QString &path, const QString &branch = {}, const QString &commit = {});

struct UndoResult : CommitResult {
    QStringList restored; ///< paths of the texts that are in the work tree again
};
/// Of what could not be put back `saved` and `kept` say where it is. Error: one of the commit's files was changed
/// since, in a commit or in the work tree; nothing is done then. Or there is nothing that could be done.
Result<UndoResult> applyUndo(const UndoReading &reading, const QString &message = {});

} // namespace tmx
