// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/GitProgram.h"
#include "model/git/Journal.h"

namespace tmx {

/// A temporary linked working tree with a detached HEAD, in which the git program commits for a branch that is not
/// checked out, because hooks need files. It is created in $XDG_STATE_HOME/torch-matrix/work-trees and removed by the
/// destructor or, after a kill, by the next start.
class TemporaryWorkTree
{
public:
    TemporaryWorkTree(const OpenRepository &repository, const Journal &journal);
    ~TemporaryWorkTree();
    Q_DISABLE_COPY_MOVE(TemporaryWorkTree)

    /// Checks out `commit`, then sets index and files to those of `tree`. Runs no hooks.
    Result<void> make(const GitProgram &git, const QString &what, const QString &commit, const QString &tree);
    [[nodiscard]] QString folder() const;

    static void removeLeftOver(const OpenRepository &repository, const Journal &journal);

private:
    const OpenRepository &m_repository;
    const Journal &m_journal;
    QString m_name;
};

} // namespace tmx
