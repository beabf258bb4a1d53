// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/ChangeSet.h"
#include "model/git/Repository.h"

namespace tmx {

class Preparation;

/// Undoes what this program did.
struct UndoRequest {
    QString branch;
    QString commit;    ///< any revision, or the ref of saved texts; empty: the last step
    bool redo = false; ///< the last step that was undone, instead of `commit`
    bool operator==(const UndoRequest &) const = default;
};

/// Undoes a commit of this program: its files get their texts from before, and texts that were never committed are
/// restored in the working tree, unless they were changed since. The last commit of a branch is taken away if nothing
/// else has it (FileChanges::movesTo); one that was taken away comes back. Errors: a merge; a commit that is not in the
/// branch; nothing is left to restore.
Result<QList<ChangeSet>> undone(const OpenedRepository &opened, const UndoRequest &request);
Result<QList<ChangeSet>> prepared(const Preparation &preparation, const UndoRequest &request);

} // namespace tmx
