// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QList>
#include <QString>

namespace tmx {

/// Something that this program did, and that can be taken back.
struct UndoStep {
    QString commit; ///< what UndoRequest names: a commit, or one that holds saved texts
    QString branch;
    QString name;       ///< subject of the commit that a person made; of an undo and a redo that of the first one
    bool texts = false; ///< it made no commit; files of the working tree alone change
    bool operator==(const UndoStep &) const = default;
};

/// What can be undone and redone, the next one last.
struct UndoSteps {
    QList<UndoStep> undo;
    QList<UndoStep> redo;
    bool operator==(const UndoSteps &) const = default;
};

/// Reads them from what the repository keeps of this program's commits (Repository::operations), so that they outlive
/// the program: an undo is a commit that takes back another one, a redo one that takes back an undo, and any other
/// commit clears what could be redone. What replaced or removed uncommitted texts without a commit
/// (Repository::savedCommits) is a step between them, as long as the branch is where it was and a text can be put back;
/// the last 10 of these are looked at. So is what was written without a commit, such as the texts of such a step
/// (Repository::writtenFiles) on the branch that is checked out, as long as nothing else took its place: files that
/// somebody has changed since stay a step, and undoing it says so. Commits that are no longer in their branch are left
/// out; the last 100 are looked at. For workers. Errors: as Repository::open.
Result<UndoSteps> undoSteps(const QString &path);

/// Subject of the commit that takes `commit` back.
QString undoSubject(const QString &commit);

} // namespace tmx
