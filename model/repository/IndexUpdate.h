// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/Journal.h"

namespace tmx {

/// What becomes of one path in tree and index.
struct FileChange {
    QString path;
    bool gone = false; ///< removed; where the index does not know it, nothing
    git_oid id{};      ///< of its blob
    uint32_t mode = GIT_FILEMODE_BLOB;
    struct stat info{}; ///< of the file that holds this text, so that git need not compare it; zero: git compares
};

/// Puts a change into an index.
Result<void> applyChange(git_index *index, const FileChange &change);

/// The index of the work tree with some paths changed, prepared in the journal.
class IndexUpdate
{
public:
    IndexUpdate(const OpenRepository &repository, const Journal &journal, const QString &what);

    /// Reads the index and writes the changed one into the journal, as `index`. Error: unreadable, one of the paths in
    /// conflict.
    Result<void> prepare(const QList<FileChange> &changes);
    /// The same with time stamps, for the files that hold their change's text now: git need not compare them again.
    Result<void> prepareWithStat(QList<FileChange> changes);
    /// Writes an index for a commit of the changes alone, as `commit-index`: the tree of `parent` (nullptr: none) with
    /// the changes.
    Result<void> prepareCommit(const git_tree *parent, const QList<FileChange> &changes);

    /// Whether the work tree's index still is the one that was read. Ask with index.lock held. Error: unreadable.
    [[nodiscard]] Result<bool> isUnchanged() const;
    [[nodiscard]] bool hasConflicts() const { return m_hasConflicts; }
    /// Whether the prepared index has other entries than the one that was read.
    [[nodiscard]] bool changes() const { return m_changes; }

private:
    Result<GitIndex> copyOfReal(const QString &name);

    const OpenRepository &m_repository;
    const Journal &m_journal;
    QString m_what;
    QByteArray m_read; ///< the index file as it was
    bool m_hasConflicts = false;
    bool m_changes = false;
};

/// Waits until a change of the file that comes now would show in its time stamp.
void letTheClockTick(const OpenRepository &repository, const QString &path);

} // namespace tmx
