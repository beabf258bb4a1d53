// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/CommitRules.h"
#include "model/git/DiskFile.h"
#include "model/git/FileChanges.h"
#include "model/git/GitProgram.h"
#include "model/git/IndexUpdate.h"
#include "model/git/SavedTexts.h"

#include <vector>

namespace tmx {

/// Implements Repository::apply(): checks the files, stores the objects of a commit, prepares everything in the
/// journal, takes git's locks, checks again, decides, and carries out. `until` and the place determine which of files,
/// index and branch take part.
class Transaction
{
public:
    Transaction(const OpenRepository &repository, const FileChanges &changes, const WorkHooks &hooks);

    Result<Applied> run();
    Result<void> check(); ///< without writing anything

private:
    enum class Place {
        Here,      ///< the branch is checked out in this working tree
        Elsewhere, ///< it is not checked out anywhere
        New,       ///< it will be created
    };
    /// One path of the change. A rename has two.
    struct Edit {
        QString path;
        std::optional<QByteArray> before;
        std::optional<QByteArray> after;
        std::optional<QByteArray> uncommitted;
    };
    /// The file on disk at the path of an edit.
    struct OnDisk {
        std::optional<QByteArray> bytes;
        mode_t mode = 0;
    };
    /// Whether the file needs no write to become `text`.
    static bool staysWith(const Edit &edit, const OnDisk &disk, const std::optional<QByteArray> &text);

    Result<void> begin();
    Result<void> readChange();
    Result<void> checkPlace() const;
    Result<bool> attempt();
    Result<void> lookAtWorkTree();
    Result<void> storeWritten(const QString &name, const std::optional<QByteArray> &text);
    Result<void> lookAtBranch();
    [[nodiscard]] Result<DiskFile> asExpected(const Edit &edit) const;
    Result<void> makeTree();
    [[nodiscard]] bool canMove() const;
    [[nodiscard]] FileChanges inCommit() const;
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
    void keepIndex() const;
    Result<void> moveBranchByGit();
    Result<void> writeMessage() const;
    void log() const;
    [[nodiscard]] Applied applied() const;

    [[nodiscard]] bool writesIndex() const
    {
        return m_place == Place::Here && (m_until == FileChanges::Until::Commit || !m_indexChanges.isEmpty());
    }
    /// Whether a write without a commit must be recorded for undo.
    [[nodiscard]] bool notesWritten() const
    {
        return m_until != FileChanges::Until::Commit && !m_branch.isEmpty() && !m_parent.isEmpty();
    }
    [[nodiscard]] Error refused(const QString &why, const QString &remedy = {}) const;
    [[nodiscard]] Error moved(const QString &now) const;
    [[nodiscard]] QString branchRef() const { return QLatin1String("refs/heads/") + m_branch; }

    const OpenRepository &m_repository;
    const FileChanges &m_changes;
    GitProgram m_git;
    QString m_what;
    Place m_place = Place::Here;
    FileChanges::Until m_until;
    QString m_branch;
    QString m_parent; ///< commit of the branch; empty if there is none
    QList<Edit> m_edits;
    std::optional<Journal> m_journal;
    CommitSteps m_steps;
    Identity m_identity;
    QByteArray m_message;

    // State of one attempt.
    QString m_operation;
    GitTree m_parentTree;
    QList<FileChange> m_fileChanges;  ///< in the order of m_edits
    QList<FileChange> m_indexChanges; ///< those of them that the index gets
    QList<SavedText> m_lost;          ///< texts that would be lost otherwise
    QList<SavedText> m_written;       ///< texts before and after, if no commit will contain them
    QString m_noted;                  ///< the commit that contains those
    QList<OnDisk> m_onDisk;           ///< in the order of m_edits
    bool m_changesFiles = false;
    bool m_changesTree = false; ///< a commit is created
    bool m_moves = false;       ///< that commit exists, see FileChanges::movesTo
    git_oid m_tree{};
    git_oid m_commit{};
    JournalPlan m_plan;
    std::vector<HeldLock> m_locks;
    QByteArray m_output;
};

} // namespace tmx
