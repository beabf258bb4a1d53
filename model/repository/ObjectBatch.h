// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/Journal.h"

namespace tmx {

/// The objects of a commit of many files. Each object in a file of its own, and each brought to the disk for good, is
/// what makes such a commit slow; these are gathered in memory and written as one pack. While one lives, what is
/// written through the repository's handle is in nobody else's sight; what write() has not written is gone with it. A
/// commit of few files is written as git does it.
class ObjectBatch
{
public:
    /// `files` is how many the commit changes.
    ObjectBatch(const OpenRepository &repository, const Journal &journal, qsizetype files);
    ~ObjectBatch();
    Q_DISABLE_COPY_MOVE(ObjectBatch)

    /// Writes all that was gathered, durably; from here on the handle writes as usual. To be called before anything
    /// names the commit.
    Result<void> write(const QString &what);

    /// Completes a pack of which a killed process had moved a part into the object database.
    static void recover(const OpenRepository &repository, const Journal &journal);

private:
    void end();

    git_repository *m_repository;
    const Journal &m_journal;
    QString m_place;
    GitOdb m_usual; ///< set while it gathers
    git_odb_backend *m_memory = nullptr;
};

} // namespace tmx
