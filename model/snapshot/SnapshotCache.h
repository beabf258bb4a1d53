// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/BlobTexts.h"
#include "model/snapshot/BranchSnapshot.h"

namespace tmx {

/// What was read of a repository's branches, kept between readings: texts by blob id, snapshots by what they were made
/// from. Thread-safe.
class SnapshotCache
{
public:
    BlobTexts texts;

    /// `recipes` is CommitReader::recipesId. Null when it is not known.
    [[nodiscard]] std::shared_ptr<const BranchSnapshot> find(const std::shared_ptr<const Catalog> &catalog,
                                                             const QString &branch, const QString &recipes);
    void insert(const std::shared_ptr<const Catalog> &catalog, const QString &branch, const QString &recipes,
                std::shared_ptr<const BranchSnapshot> snapshot);
    /// A reading of all branches is over: forgets what neither it nor the one before asked for.
    void endRound();

private:
    struct Kept {
        std::shared_ptr<const BranchSnapshot> snapshot;
        quint64 round = 0;
    };
    QMutex m_mutex;
    std::weak_ptr<const Catalog> m_catalog; ///< that the snapshots were made with
    QHash<QString, Kept> m_snapshots;
    quint64 m_round = 0;
};

} // namespace tmx
