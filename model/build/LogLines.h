// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/AnsiText.h"

#include <QByteArray>
#include <QHash>

#include <deque>

namespace tmx {

struct LogLine {
    QString text;        ///< without its end; tabs are blanks up to the next column of 8
    QList<AnsiRun> runs; ///< from the line's start; text before the first run has the default style
};

/// The lines of a log as a terminal shows them: escape sequences become styles, a carriage return starts the line
/// again. Text is kept as UTF-8 in blocks and styles only where there are any, so a line costs its bytes and 4 more.
/// When it grows past its limit, the oldest block goes. A line keeps its number for ever: numbers run from firstLine()
/// up to, not including, endLine().
class LogLines
{
public:
    static constexpr qsizetype defaultLimit = 256 * 1024 * 1024;

    explicit LogLines(qsizetype byteLimit = defaultLimit);

    void append(QStringView text);
    void clear();

    [[nodiscard]] qsizetype firstLine() const { return m_first; }
    [[nodiscard]] qsizetype endLine() const { return m_closed + (m_open.isEmpty() ? 0 : 1); }
    [[nodiscard]] qsizetype lineCount() const { return endLine() - m_first; }
    [[nodiscard]] bool isEmpty() const { return lineCount() == 0; }
    [[nodiscard]] qsizetype longestLine() const { return m_longest; } ///< in QChars, of all lines since clear()

    [[nodiscard]] LogLine line(qsizetype number) const;
    [[nodiscard]] QString text(qsizetype number) const;
    [[nodiscard]] bool isLineEnded(qsizetype number) const { return number < m_closed; } ///< false: more may come to it

private:
    struct Block {
        qsizetype first = 0;
        QByteArray text;
        QList<quint32> ends;                   ///< of each line, in `text`
        QHash<qsizetype, QList<AnsiRun>> runs; ///< by place in the block
    };

    void appendPlain(QStringView text);
    void appendRun(const AnsiStyle &style);
    void endLineHere();
    [[nodiscard]] const Block &blockOf(qsizetype number) const;
    [[nodiscard]] QByteArrayView bytes(const Block &block, qsizetype place) const;

    AnsiParser m_parser;
    AnsiStyle m_style;
    std::deque<Block> m_blocks;
    QString m_open; ///< the line that has no end yet
    QList<AnsiRun> m_openRuns;
    bool m_returned = false; ///< a carriage return came: the next character begins the line again
    qsizetype m_limit;
    qsizetype m_bytes = 0;
    qsizetype m_first = 0;
    qsizetype m_closed = 0; ///< number of the open line
    qsizetype m_longest = 0;
};

} // namespace tmx
