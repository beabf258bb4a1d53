// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/ChangeSet.h"
#include "model/repository/CommitRules.h"
#include "model/repository/GitProgram.h"
#include "model/repository/IndexUpdate.h"
#include "model/repository/RecipePath.h"
#include "model/repository/SavedTexts.h"

#include <vector>

namespace tmx {

/// Repository::apply(): looks at the files, stores what a commit needs, prepares everything in the journal, takes git's
/// locks, looks once more, decides, and carries out. `until` and the place say which of files, index and branch take
/// part.
class Transaction
{
public:
    Transaction(const OpenRepository &repository, const ChangeSet &changes, const WorkHooks &hooks);

    Result<Applied> run();

private:
    enum class Place {
        Here,      ///< the branch is checked out in this work tree
        Elsewhere, ///< it is not checked out anywhere
        New,       ///< it is to be made
    };
    /// One path of the change. A rename is two.
    struct Edit {
        QString path;
        std::optional<QByteArray> before;
        std::optional<QByteArray> after;
        std::optional<QByteArray> uncommitted;
    };
    /// What the work tree has at the path of an edit.
    struct OnDisk {
        std::optional<QByteArray> bytes;
        mode_t mode = 0;
    };
    /// Whether the file needs no writing to become `text`.
    static bool staysWith(const Edit &edit, const OnDisk &disk, const std::optional<QByteArray> &text);

    Result<void> readChange();
    Result<void> checkPlace() const;
    Result<bool> attempt();
    Result<void> lookAtWorkTree();
    Result<void> lookAtBranch();
    [[nodiscard]] Result<DiskFile> asExpected(const Edit &edit) const;
    Result<void> makeTree();
    [[nodiscard]] ChangeSet inCommit() const;
    Result<void> beginCommit();
    Result<git_oid> makeCommit();
    Result<void> layDown();
    Result<bool> lockAll(const IndexUpdate &index);
    Result<void> save();
    Result<bool> carryOut(IndexUpdate &index);
    bool takenBack();
    Result<bool> commitInWorkTree(IndexUpdate &index);
    Result<void> saveHooksTexts();
    Result<git_oid> commitInTemporaryWorkTree();
    Result<void> moveBranchByGit();
    Result<void> writeMessage() const;
    void log() const;
    [[nodiscard]] Applied applied() const;

    [[nodiscard]] bool writesIndex() const { return m_place == Place::Here && m_until != ChangeSet::Until::WorkTree; }
    /// Whether what is written is to be undone without a commit.
    [[nodiscard]] bool notesWritten() const
    {
        return m_until != ChangeSet::Until::Commit && !m_branch.isEmpty() && !m_parent.isEmpty();
    }
    [[nodiscard]] Error refused(const QString &why, const QString &remedy = {}) const;
    [[nodiscard]] Error moved(const QString &now) const;
    [[nodiscard]] QString branchRef() const { return QLatin1String("refs/heads/") + m_branch; }

    const OpenRepository &m_repository;
    const ChangeSet &m_changes;
    GitProgram m_git;
    QString m_what;
    Place m_place = Place::Here;
    ChangeSet::Until m_until;
    QString m_branch;
    QString m_parent; ///< commit that the branch is at; empty: none
    QList<Edit> m_edits;
    std::optional<Journal> m_journal;
    CommitSteps m_steps;
    Identity m_identity;
    QByteArray m_message;

    // Of one attempt.
    QString m_operation;
    GitTree m_parentTree;
    QList<FileChange> m_fileChanges; ///< of tree and index, in the order of m_edits
    QList<SavedText> m_lost;         ///< texts that nothing would hold afterwards
    QList<SavedText> m_written;      ///< texts before and after, where no commit is to hold them
    QString m_noted;                 ///< commit that holds those
    QList<OnDisk> m_onDisk;          ///< in the order of m_edits
    bool m_changesFiles = false;
    bool m_changesTree = false; ///< a commit is made
    git_oid m_tree{};
    git_oid m_commit{};
    JournalPlan m_plan;
    std::vector<HeldLock> m_locks;
    QByteArray m_output;
};

} // namespace tmx
