// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>

namespace tmx {

/// Makes text that may come from a repository safe to print: everything that a terminal would interpret, or that would
/// make it show something else than the text, is escaped. These are control characters other than tab and newline
/// (`\x1b`), the C1 controls (`\u009b`), bidirectional controls (`\u202e`), line and paragraph separators, and invalid
/// UTF-8 (`\xff`). A carriage return before a newline stays. All other bytes stay.
QByteArray terminalText(const QByteArray &text);

/// The same for a JSON document: with `\u001b`, so that a parser gets the characters back.
QByteArray terminalJson(const QByteArray &document);

/// A name as part of a line: a newline in it is escaped as well.
QString inOneLine(QString name);

/// As terminalText() for a program's output that arrives in pieces: carriage returns stay, and colours (SGR sequences)
/// stay or are removed.
class TerminalStream
{
public:
    enum class Colours { Stay, LeaveOut };
    explicit TerminalStream(Colours colours = Colours::Stay)
        : m_colours(colours)
    {
    }

    /// The part that can be printed now. An incomplete sequence or character is kept until the next piece.
    QByteArray add(const QByteArray &piece);
    QByteArray end(); ///< the remaining text

private:
    Colours m_colours;
    QByteArray m_rest;
};

/// The word in POSIX shell syntax: in single quotes if needed.
[[nodiscard]] QString shellWord(const QString &word);

} // namespace tmx
