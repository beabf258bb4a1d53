// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/GitProgram.h"
#include "model/repository/Journal.h"

namespace tmx {

/// A linked work tree of the program's own with a detached HEAD, in which the git program makes a commit for a branch
/// that is not checked out: hooks need files. It lies in $XDG_STATE_HOME/torch-matrix/work-trees and is removed with
/// this, or by the next start after a kill.
class TemporaryWorkTree
{
public:
    TemporaryWorkTree(const OpenRepository &repository, const Journal &journal);
    ~TemporaryWorkTree();
    Q_DISABLE_COPY_MOVE(TemporaryWorkTree)

    /// Checks `commit` out there; then index and files become those of `tree`. Runs no hooks.
    Result<void> make(const GitProgram &git, const QString &what, const QString &commit, const QString &tree);
    [[nodiscard]] QString folder() const;

    static void removeLeftOver(const OpenRepository &repository, const Journal &journal);

private:
    const OpenRepository &m_repository;
    const Journal &m_journal;
    QString m_name;
};

} // namespace tmx
