// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>

namespace tmx {

/// Text that may come from a repository, made safe to print: what a terminal would obey, or what would make it show
/// something else than is written, becomes readable text. That are control characters other than tab and line end
/// (`\x1b`), the C1 controls (`\u009b`), bidirectional controls (`\u202e`), line and paragraph separators, and bytes
/// that are no UTF-8 (`\xff`). A carriage return stays before a line end. Everything else keeps its bytes.
QByteArray terminalText(const QByteArray &text);

/// The same for a JSON document: `\u001b`, so that a reader gets the characters back.
QByteArray terminalJson(const QByteArray &document);

/// The same for what a program prints, piece by piece: carriage returns stay, and its colours (SGR sequences) stay or
/// are left out.
class TerminalStream
{
public:
    enum class Colours { Stay, LeaveOut };
    explicit TerminalStream(Colours colours = Colours::Stay)
        : m_colours(colours)
    {
    }

    /// What can be printed of it now: a sequence or character that is not whole yet is kept until the next piece.
    QByteArray add(const QByteArray &piece);
    QByteArray end(); ///< what is left

private:
    Colours m_colours;
    QByteArray m_rest;
};

/// The word as a POSIX shell reads it back: in single quotes, where it needs them.
[[nodiscard]] QString shellWord(const QString &word);

} // namespace tmx
