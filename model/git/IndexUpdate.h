// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/Journal.h"

namespace tmx {

/// The change of one path in tree and index.
struct FileChange {
    QString path;
    bool gone = false; ///< removed; no effect if the index does not have it
    git_oid id{};      ///< id of its blob
    uint32_t mode = GIT_FILEMODE_BLOB;
    struct stat info{}; ///< stat of the file that has this text, so that git need not compare it; zero: git compares
};

/// Applies a change to an index.
Result<void> applyChange(git_index *index, const FileChange &change);

/// The index of the working tree with some paths changed, prepared in the journal.
class IndexUpdate
{
public:
    IndexUpdate(const OpenRepository &repository, const Journal &journal, const QString &what);

    /// Reads the index and writes the changed one into the journal, as `index`. Error: it is unreadable, or one of the
    /// paths has a conflict.
    Result<void> prepare(const QList<FileChange> &changes);
    /// The same with time stamps for the files that now have their change's text, so that git need not compare them
    /// again.
    Result<void> prepareWithStat(QList<FileChange> changes);
    /// Writes an index for a commit of only these changes, as `commit-index`: the tree of `parent` (nullptr: none) with
    /// the changes.
    Result<void> prepareCommit(const git_tree *parent, const QList<FileChange> &changes);

    /// Whether the working tree's index is still the one that was read. The caller must hold index.lock. Error: it is
    /// unreadable.
    [[nodiscard]] Result<bool> isUnchanged() const;
    [[nodiscard]] bool hasConflicts() const { return m_hasConflicts; }
    /// Whether the prepared index differs from the one that was read.
    [[nodiscard]] bool changes() const { return m_changes; }

private:
    Result<GitIndex> copyOfReal(const QString &name);

    const OpenRepository &m_repository;
    const Journal &m_journal;
    QString m_what;
    QByteArray m_read; ///< content of the index file when it was read
    bool m_hasConflicts = false;
    bool m_changes = false;
};

/// Waits until a further change of the file would show in its time stamp.
void letTheClockTick(const OpenRepository &repository, const QString &path);

} // namespace tmx
