// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/log/AnsiText.h"

#include <QByteArray>
#include <QIODevice>
#include <QList>

#include <memory>

namespace tmx {

struct LogLine {
    QString text;        ///< without the newline; tabs are expanded to the next column of 8
    QList<AnsiRun> runs; ///< positions in the line; text before the first run has the default style
};

/// Start offsets of a log's lines as a terminal would show them: if carriage returns restart a line, only its last
/// state counts, and a very long line is split into several. Reads bytes as they arrive. Stores a position for every
/// 256 lines or 64 KiB, so that an index of 10 million lines takes less than 1 MB. A value type, cheap to copy.
class LogIndex
{
public:
    static constexpr qsizetype longestLine = 64 * 1024; ///< in bytes; longer lines are split

    struct Block {
        qint64 offset = 0;  ///< of its first line, or of that line's last state
        qsizetype line = 0; ///< number of its first line
    };

    void read(QByteArrayView bytes);
    /// Takes over the index of the bytes that follow, which begin a line.
    void append(const LogIndex &next);

    [[nodiscard]] qint64 size() const { return m_size; } ///< bytes read
    [[nodiscard]] qsizetype lineCount() const { return m_line + (m_size > m_start ? 1 : 0); }
    [[nodiscard]] bool isLineEnded(qsizetype number) const { return number < m_line; } ///< false: it may still grow
    [[nodiscard]] qsizetype longestSeen() const; ///< bytes of the longest line, with escape sequences

    [[nodiscard]] qsizetype blockCount() const { return m_blocks.size(); }
    [[nodiscard]] const Block &block(qsizetype number) const { return m_blocks.at(number); }
    [[nodiscard]] qsizetype linesIn(qsizetype block) const;
    [[nodiscard]] qint64 endOf(qsizetype block) const; ///< byte offset
    [[nodiscard]] qsizetype blockOfLine(qsizetype line) const;
    [[nodiscard]] qsizetype blockOfOffset(qint64 offset) const;
    /// Offset where the line ends, as if the lines of a block were equally long.
    [[nodiscard]] qint64 aboutEndOf(qsizetype line) const;

private:
    void beginBlock(qint64 offset);

    QList<Block> m_blocks{Block()};
    qint64 m_size = 0;
    qint64 m_start = 0;   ///< start of the displayed part of the open line
    qsizetype m_line = 0; ///< number of the open line
    qsizetype m_longest = 0;
    bool m_returned = false; ///< after carriage returns: the next byte restarts the line, unless it is a newline
};

/// Reads lines of a log, plain or compressed, with its index, one block at a time. Keeps the file open. Parts that
/// cannot be read are blank.
class LogReader
{
public:
    explicit LogReader(const QString &path);

    [[nodiscard]] QByteArray bytes(const LogIndex &index, qsizetype block);
    /// As many lines as linesIn() returns.
    [[nodiscard]] QList<LogLine> lines(const LogIndex &index, qsizetype block);
    /// Number of the line that contains this byte of the file.
    [[nodiscard]] qsizetype lineAt(const LogIndex &index, qint64 offset);

private:
    [[nodiscard]] AnsiParser parserAt(qint64 offset);

    std::unique_ptr<QIODevice> m_file; ///< null if there is none
};

/// Reads at most `most` more bytes of the log and returns the extended index. If the file has become shorter, it is a
/// different one: the index starts over.
[[nodiscard]] LogIndex indexMore(const QString &path, LogIndex index, qint64 most);

} // namespace tmx
