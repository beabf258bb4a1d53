// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/SnapshotCache.h"

namespace tmx {

namespace {

QString keyOf(const QString &branch, const QString &recipes)
{
    return recipes + branch;
}

} // namespace

std::shared_ptr<const BranchSnapshot> SnapshotCache::find(const std::shared_ptr<const Catalog> &catalog,
                                                          const QString &branch, const QString &recipes)
{
    const QMutexLocker lock(&m_mutex);
    // By owner, not by address: a new catalog may live where an old one did.
    if (m_catalog.owner_before(catalog) || catalog.owner_before(m_catalog))
        return nullptr;
    const auto it = m_snapshots.find(keyOf(branch, recipes));
    if (it == m_snapshots.end())
        return nullptr;
    it->round = m_round;
    return it->snapshot;
}

void SnapshotCache::insert(const std::shared_ptr<const Catalog> &catalog, const QString &branch, const QString &recipes,
                           std::shared_ptr<const BranchSnapshot> snapshot)
{
    const QMutexLocker lock(&m_mutex);
    if (m_catalog.owner_before(catalog) || catalog.owner_before(m_catalog)) {
        m_snapshots.clear();
        m_catalog = catalog;
    }
    m_snapshots.insert(keyOf(branch, recipes), {std::move(snapshot), m_round});
}

void SnapshotCache::endRound()
{
    texts.endRound();
    const QMutexLocker lock(&m_mutex);
    m_snapshots.removeIf([this](const auto &entry) { return entry.value().round + 1 < m_round; });
    ++m_round;
}

} // namespace tmx
