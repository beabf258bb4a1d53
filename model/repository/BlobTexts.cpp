// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/BlobTexts.h"

namespace tmx {

std::optional<BlobTexts::Blob> BlobTexts::find(const QString &id)
{
    const QMutexLocker lock(&m_mutex);
    const auto it = m_blobs.find(id);
    if (it == m_blobs.end())
        return std::nullopt;
    it->round = m_round;
    return it->blob;
}

void BlobTexts::insert(const QString &id, const Blob &blob)
{
    const QMutexLocker lock(&m_mutex);
    m_blobs.insert(id, {blob, m_round});
}

void BlobTexts::endRound()
{
    const QMutexLocker lock(&m_mutex);
    m_blobs.removeIf([this](const auto &entry) { return entry.value().round + 1 < m_round; });
    ++m_round;
}

qsizetype BlobTexts::size() const
{
    const QMutexLocker lock(&m_mutex);
    return m_blobs.size();
}

} // namespace tmx
