// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/Journal.h"

#include <QByteArray>
#include <QList>
#include <QStringList>

#include <sys/stat.h>

namespace tmx {

/// What becomes of one path: the blob that its file gave (already in the object database), or gone.
struct FileChange {
    QString path;
    bool gone = false;
    git_oid id{};
    uint32_t mode = 0;
    struct stat info{};     ///< of the file, taken before it was read
    bool inHead = false;    ///< for the commit of a gone file: the index may have forgotten it already
    bool untracked = false; ///< for the removal of a file that neither HEAD nor index need know
};

/// Reads the files, applies the attributes and stores the blobs. Error: not a recipe's path, unreadable, no text,
/// foreign filter.
Result<QList<FileChange>> storeFiles(const OpenRepository &repository, const QStringList &paths, const QString &what);

/// A change of the index for some paths alone: prepared in the journal, put in place by one rename.
class IndexUpdate
{
public:
    IndexUpdate(const OpenRepository &repository, const Journal &journal, const QString &what);

    /// Reads the index and writes the changed copy into the journal. Error: unreadable, one of the paths in conflict, a
    /// gone path that neither the index nor HEAD knows.
    Result<void> prepare(const QList<FileChange> &changes);
    /// Takes index.lock. False: the index is another than the one that was read; prepare again.
    Result<bool> lock();
    /// The index is the prepared one from here on; the journal keeps its second name until the journal ends.
    Result<void> publish();
    [[nodiscard]] bool hasConflicts() const { return m_hasConflicts; }

private:
    Result<void> apply(git_index *index, const QList<FileChange> &changes) const;

    const OpenRepository &m_repository;
    const Journal &m_journal;
    QString m_what;
    QByteArray m_read; ///< the index file as it was
    bool m_hasConflicts = false;
    HeldLock m_lock;
};

/// Those of the changes whose file holds exactly their blob now, with the time stamps that it has: so that git need not
/// compare them again.
QList<FileChange> withStat(const OpenRepository &repository, const QList<FileChange> &changes);

bool usesExecutableBit(const OpenRepository &repository);

/// Puts a change into an index, with the file's time stamps or without (an index that is to become a tree).
Result<void> applyChange(git_index *index, const FileChange &change, bool withStat);

/// Repository::stage.
Result<void> stageFiles(const OpenRepository &repository, const QStringList &paths);

} // namespace tmx
