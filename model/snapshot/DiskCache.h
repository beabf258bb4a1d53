// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>

#include <atomic>
#include <memory>
#include <optional>

namespace tmx {

/// Results kept on disk between runs of the program. A key identifies everything that a result was made from, so
/// entries never become stale, and the folder can be deleted at any time. Written atomically, checked on reading,
/// limited in size: the least recently used entries are removed first. Every failure (a read-only home, a full disk, a
/// damaged file) counts as a miss. Safe for concurrent processes and threads. Copies share the folder.
class DiskCache
{
public:
    static constexpr qint64 defaultMaxBytes = 64 * 1024 * 1024;

    explicit DiskCache(QString folder, qint64 maxBytes = defaultMaxBytes);
    /// `$XDG_CACHE_HOME/torch-matrix/NAME`.
    static DiskCache forUser(const QString &name);

    [[nodiscard]] std::optional<QByteArray> find(const QByteArray &key) const;
    void insert(const QByteArray &key, const QByteArray &value) const;

    [[nodiscard]] const QString &folder() const { return m_folder; }

private:
    [[nodiscard]] QString pathOf(const QByteArray &key) const;
    void makeRoomFor(qint64 bytes) const;

    QString m_folder;
    qint64 m_maxBytes;
    std::shared_ptr<std::atomic<qint64>> m_unlisted; ///< bytes written since the folder was listed
};

/// Identifies this build of the program and the user's own catalog and templates: what a result depends on besides the
/// repository.
QByteArray programFingerprint();

} // namespace tmx
