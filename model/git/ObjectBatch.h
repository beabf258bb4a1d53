// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/Journal.h"

namespace tmx {

/// The objects of a commit with many files. Writing each object to its own file and syncing it to disk makes such a
/// commit slow; here they are collected in memory and written as one pack. While one exists, objects written through
/// the repository's handle are invisible to others; what write() has not written is lost with it. A commit of few files
/// is written as git does.
class ObjectBatch
{
public:
    /// `files`: number of files that the commit changes.
    ObjectBatch(const OpenRepository &repository, const Journal &journal, qsizetype files);
    ~ObjectBatch();
    Q_DISABLE_COPY_MOVE(ObjectBatch)

    /// Writes all collected objects durably; afterwards the handle writes as usual. Call it before anything refers to
    /// the commit.
    Result<void> write(const QString &what);

    /// Completes a pack that a killed process moved only partly into the object database.
    static void recover(const OpenRepository &repository, const Journal &journal);

private:
    void end();

    git_repository *m_repository;
    const Journal &m_journal;
    QString m_place;
    GitOdb m_usual; ///< set while it collects
    git_odb_backend *m_memory = nullptr;
};

} // namespace tmx
