// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>

#include <memory>
#include <optional>

namespace tmx {

/// Many small results, kept in one file between runs of the program. A key identifies everything that a result was made
/// from. If there are too many, the most recently used are kept. A file that is damaged, or from another version of the
/// program or of the user's catalog, is ignored. Thread-safe.
class CacheFile
{
public:
    static constexpr qsizetype defaultMaxBytes = 16 * 1024 * 1024; ///< compressed; of some 4,000 recipes

    /// `folder`: of a DiskCache; empty: results are kept only in memory. `maxBytes` limits what is kept.
    explicit CacheFile(const QString &folder, qsizetype maxBytes = defaultMaxBytes);
    ~CacheFile(); ///< saves
    CacheFile(const CacheFile &) = delete;
    CacheFile &operator=(const CacheFile &) = delete;

    /// Reads the file on the first call.
    [[nodiscard]] std::optional<QByteArray> find(const QByteArray &key);
    void insert(const QByteArray &key, const QByteArray &value);
    /// Writes the file if there are at least that many new results, and, with more than 1, if they are a quarter of
    /// all. If two programs write it, the last one wins.
    void save(qsizetype atLeast = 1);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
