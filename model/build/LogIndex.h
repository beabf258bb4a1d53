// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/AnsiText.h"

#include <QByteArray>
#include <QIODevice>
#include <QList>

#include <memory>

namespace tmx {

struct LogLine {
    QString text;        ///< without its end; tabs are blanks up to the next column of 8
    QList<AnsiRun> runs; ///< from the line's start; text before the first run has the default style
};

/// Where the lines of a log begin, as a terminal shows them: of a line that carriage returns begin again only the last
/// state is one, and a line without end becomes several. Reads bytes as they come; keeps a place for every 256 lines or
/// 64 KiB, so that an index of 10 million lines takes under 1 MB. A value, cheap to copy.
class LogIndex
{
public:
    static constexpr qsizetype longestLine = 64 * 1024; ///< bytes; after them the next line begins

    struct Block {
        qint64 offset = 0;  ///< of its first line, or of the last state of that line
        qsizetype line = 0; ///< number of its first line
    };

    void read(QByteArrayView bytes);
    /// Takes over the index of the bytes that follow, which begin a line.
    void append(const LogIndex &next);

    [[nodiscard]] qint64 size() const { return m_size; } ///< bytes read
    [[nodiscard]] qsizetype lineCount() const { return m_line + (m_size > m_start ? 1 : 0); }
    [[nodiscard]] bool isLineEnded(qsizetype number) const { return number < m_line; } ///< false: more may come to it
    [[nodiscard]] qsizetype longestSeen() const; ///< bytes of the longest line, escape sequences included

    [[nodiscard]] qsizetype blockCount() const { return m_blocks.size(); }
    [[nodiscard]] const Block &block(qsizetype number) const { return m_blocks.at(number); }
    [[nodiscard]] qsizetype linesIn(qsizetype block) const;
    [[nodiscard]] qint64 endOf(qsizetype block) const; ///< in bytes
    [[nodiscard]] qsizetype blockOfLine(qsizetype line) const;
    [[nodiscard]] qsizetype blockOfOffset(qint64 offset) const;

private:
    void beginBlock(qint64 offset);

    QList<Block> m_blocks{Block()};
    qint64 m_size = 0;
    qint64 m_start = 0;   ///< where what is shown of the open line begins
    qsizetype m_line = 0; ///< number of the open line
    qsizetype m_longest = 0;
    bool m_returned = false; ///< carriage returns came: the next byte begins the line again, unless it ends it
};

/// Reads lines of a log, plain or compressed, by its index, a block at a time. Keeps the file open. Errors: what cannot
/// be read is blank.
class LogReader
{
public:
    explicit LogReader(const QString &path);

    [[nodiscard]] QByteArray bytes(const LogIndex &index, qsizetype block);
    /// As many as linesIn() says.
    [[nodiscard]] QList<LogLine> lines(const LogIndex &index, qsizetype block);
    /// Number of the line that holds a byte of the file.
    [[nodiscard]] qsizetype lineAt(const LogIndex &index, qint64 offset);

private:
    [[nodiscard]] AnsiParser parserAt(qint64 offset);

    std::unique_ptr<QIODevice> m_file; ///< null: there is none
};

/// Reads at most `most` bytes more of the log; the index of what is there. Where the file has become shorter it is
/// another one: its index begins anew.
[[nodiscard]] LogIndex indexMore(const QString &path, LogIndex index, qint64 most);

} // namespace tmx
