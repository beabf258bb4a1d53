// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>

#include <memory>
#include <optional>

namespace tmx {

/// Many small answers, each under a key that names all it was made from, kept in one file between starts of the
/// program. Those that were asked for last stay when there are too many. A file that is damaged, or of another version
/// of the program or of the user's catalog, is as none. Thread-safe.
class KeptAnswers
{
public:
    static constexpr qsizetype defaultMaxBytes = 16 * 1024 * 1024; ///< of some 4,000 recipes

    /// `folder`: of a DiskCache; empty: they are kept while the program runs. `maxBytes` bounds what is kept.
    explicit KeptAnswers(const QString &folder, qsizetype maxBytes = defaultMaxBytes);
    ~KeptAnswers(); ///< saves
    KeptAnswers(const KeptAnswers &) = delete;
    KeptAnswers &operator=(const KeptAnswers &) = delete;

    /// The file is read when the first answer is asked for.
    [[nodiscard]] std::optional<QByteArray> find(const QByteArray &key);
    void insert(const QByteArray &key, const QByteArray &value);
    /// Writes the file where there are at least that many new answers. Two programs at once: the last one's stay.
    void save(qsizetype atLeast = 1);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
