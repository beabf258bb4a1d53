// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QCache>
#include <QMutex>

#include <optional>

namespace tmx {

/// A cache by key. If the total cost exceeds the limit, the least recently used values are dropped. Thread-safe.
template <class Key, class Value>
class RecentValues
{
public:
    explicit RecentValues(qsizetype maxCost)
        : m_values(maxCost)
    {
    }

    [[nodiscard]] std::optional<Value> find(const Key &key)
    {
        const QMutexLocker lock(&m_mutex);
        const Value *value = m_values.object(key);
        return value ? std::optional(*value) : std::nullopt;
    }
    void insert(const Key &key, const Value &value, qsizetype cost = 1)
    {
        const QMutexLocker lock(&m_mutex);
        m_values.insert(key, new Value(value), cost);
    }
    [[nodiscard]] qsizetype size() const
    {
        const QMutexLocker lock(&m_mutex);
        return m_values.size();
    }

private:
    mutable QMutex m_mutex;
    QCache<Key, Value> m_values;
};

} // namespace tmx
