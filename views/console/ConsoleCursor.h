// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <compare>
#include <utility>

namespace tmx {

class LogFile;
class LogFolds;

struct LogPosition {
    qsizetype line = 0;   ///< line number in the LogFile
    qsizetype column = 0; ///< in QChars, 0 to the line's length
    auto operator<=>(const LogPosition &) const = default;
};

/// A caret in a log, and the selection between it and its anchor. Hidden lines drop out of the selection.
class ConsoleCursor
{
public:
    enum class Move { Left, Right, WordLeft, WordRight, Up, Down, PageUp, PageDown, LineStart, LineEnd, Start, End };

    ConsoleCursor(const LogFile &log, const LogFolds &folds)
        : m_log(&log)
        , m_folds(&folds)
    {
    }

    void move(Move move, bool select, qsizetype pageLines);
    void moveTo(LogPosition position, bool select);
    void select(LogPosition from, LogPosition to); ///< moves the caret to `to`
    void selectAll();
    void selectWordAt(LogPosition position); ///< a run of letters, digits and characters of paths and names
    void selectLine(qsizetype line);

    [[nodiscard]] LogPosition position() const { return clipped(m_position); }
    [[nodiscard]] bool hasSelection() const { return position() != clipped(m_anchor); }
    [[nodiscard]] std::pair<LogPosition, LogPosition> selection() const; ///< from, to
    /// The selected text; at most its first 32 million characters.
    [[nodiscard]] QString selectedText() const;

private:
    [[nodiscard]] LogPosition clipped(LogPosition position) const;
    [[nodiscard]] LogPosition moved(Move move, qsizetype pageLines);

    const LogFile *m_log;
    const LogFolds *m_folds; ///< the caret moves from row to row
    LogPosition m_anchor;
    LogPosition m_position;
    qsizetype m_wishedColumn = 0; ///< kept while moving over shorter lines
};

} // namespace tmx
