// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>

#include <optional>

namespace tmx {

/// Answers kept on disk between starts of the program, each under a key that names all it was made from; nothing in it
/// is ever stale, and the folder may be deleted at any time. Written atomically, checked when read, bounded: the
/// longest unused go first. Every failure (a read-only home, a full disk, a damaged file) is a miss. Safe among
/// processes and threads.
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
    void makeRoom() const;

    QString m_folder;
    qint64 m_maxBytes;
};

/// Names this build of the program and the user's own catalog and templates: what an answer depends on besides the
/// repository.
QByteArray programFingerprint();

} // namespace tmx
