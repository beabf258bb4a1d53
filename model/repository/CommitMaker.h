// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/CommitRules.h"
#include "model/repository/GitValues.h"
#include "model/repository/IndexUpdate.h"

namespace tmx {

/// What a commit on the checked-out branch and one on any other branch have in common: message, identity, tree, commit
/// object, and the branch's lock.
class CommitMaker
{
public:
    /// `expectedTip` is the commit that the branch is expected at; empty: none.
    CommitMaker(const OpenRepository &repository, const QString &expectedTip);

    /// Message, identity, hooks and signing. Error: one of them forbids the commit.
    Result<void> begin(const QString &message);
    /// The expected commit's tree with the changes. Notes in each change whether that tree knew the path. Error:
    /// nothing would change.
    Result<git_oid> makeTree(QList<FileChange> &changes, const QString &branch) const;
    Result<git_oid> makeCommit(const git_oid &tree) const;
    /// Writes the file that the locks of a ref link to.
    Result<void> writeRefFile(const Journal &journal, const git_oid &commit) const;
    Result<HeldLock> lockBranch(const Journal &journal, const QString &branch) const;
    void log(const QString &branch, const git_oid &commit, bool checkedOut) const;

    /// The branch that HEAD names, if it still is at the expected commit (and is `branch`, if that is given).
    Result<QString> checkHead(const QString &branch = {}) const;
    /// Error: the branch moved, or is checked out in a work tree, where index and files would no longer fit it.
    Result<void> checkOtherBranch(const QString &branch) const;
    /// Error: git does not allow the name, or a branch stands in its way.
    Result<void> checkNewBranch(const QString &name) const;
    Result<HeldLock> lockNewBranch(const Journal &journal, const QString &name) const;

    [[nodiscard]] CommitResult result(const git_oid &commit, const QString &branch) const;
    [[nodiscard]] const QString &what() const { return m_what; }
    [[nodiscard]] const QString &expectedTip() const { return m_expected; }
    [[nodiscard]] const Identity &identity() const { return m_identity; }
    [[nodiscard]] QString subject() const;
    [[nodiscard]] Error refused(const QString &why, const QString &remedy = {}) const;
    [[nodiscard]] Error moved(const QString &branch, const QString &now) const;

private:
    [[nodiscard]] QString branchFile(const QString &branch) const;

    const OpenRepository &m_repository;
    const QString m_expected;
    const QString m_what;
    QByteArray m_message;
    Identity m_identity;
};

} // namespace tmx
