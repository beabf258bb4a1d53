// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/log/LogIndex.h"

#include <QCache>
#include <QObject>
#include <QTimer>

#include <memory>

namespace tmx {

/// The log of a build, in a file that may grow or be compressed (openLog()). A worker indexes it; visible lines are
/// read on demand. Lines keep their numbers, which run from firstLine() up to, but not including, endLine().
class LogFile : public QObject
{
    Q_OBJECT
public:
    explicit LogFile(QObject *parent = nullptr);

    void open(const QString &path); ///< empty: none. grew() reports its lines
    [[nodiscard]] QString path() const { return m_path; }
    [[nodiscard]] bool isUpToDate() const { return !m_working; } ///< everything found by the last check is indexed
    void hideBefore(qsizetype line);                             ///< makes this line firstLine()

    [[nodiscard]] const LogIndex &index() const { return m_index; }
    [[nodiscard]] qsizetype firstLine() const { return std::min(m_first, m_index.lineCount()); }
    [[nodiscard]] qsizetype endLine() const { return m_index.lineCount(); }
    [[nodiscard]] qsizetype lineCount() const { return endLine() - firstLine(); }
    [[nodiscard]] bool isEmpty() const { return lineCount() == 0; }
    [[nodiscard]] bool isLineEnded(qsizetype number) const { return m_index.isLineEnded(number); }
    /// Reads a block of at most 512 KiB from disk, unless it is cached.
    [[nodiscard]] LogLine line(qsizetype number) const;
    [[nodiscard]] QString text(qsizetype number) const { return line(number).text; }
    [[nodiscard]] qsizetype lineAt(qint64 offset) const; ///< number of the line that contains this byte of the file

Q_SIGNALS:
    void grew();
    void restarted(); ///< another file, or none: line numbers are no longer valid

private:
    void look();
    void readMore();
    void take(const LogIndex &index);

    QString m_path;
    LogIndex m_index;
    mutable std::unique_ptr<LogReader> m_reader;
    mutable QCache<qsizetype, QList<LogLine>> m_blocks; ///< by number
    QTimer m_timer;
    qsizetype m_first = 0;
    int m_generation = 0;
    qint64 m_piece = 0; ///< bytes to index before the next grew()
    int m_quietLooks = 0;
    bool m_working = false;
};

} // namespace tmx
