// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QByteArray>
#include <QList>

namespace tmx {

/// The user's files in which the program writes between two marker lines only.

/// A line of the text: [from, to) with its newline, [from, end) without.
struct TextLine {
    qsizetype from = 0;
    qsizetype end = 0;
    qsizetype to = 0;
    bool code = false; ///< in a fenced code block of Markdown, including its fences
};
QList<TextLine> linesOf(const QByteArray &text, bool markdown);
QByteArray lineEndOf(const QByteArray &text, const TextLine &line); ///< the line's newline, else "
                                                                    ///< "

/// How markers look in a kind of file.
struct MarkedForm {
    bool (*isBegin)(const QByteArray &line); ///< for a line without surrounding blanks
    QByteArrayView begin;                    ///< as shown to the user
    QByteArrayView end;
    bool markdown = false; ///< markers in code blocks are ignored
};

struct Markers {
    QList<TextLine> begins;
    QList<TextLine> ends;
    int inCode = 0; ///< line of the first marker in a code block; 0: none
};
Markers markersOf(const QByteArray &text, const MarkedForm &form);

/// `text` with `part` between its markers, with the newline style of the marker's line; all other bytes stay. Error: no
/// markers, only one, several, or the end before the beginning; made by `refused` with reason and remedy.
Result<QByteArray> withMarkedPart(const QByteArray &text, const QByteArray &part, const MarkedForm &form,
                                  const Error &refused);

} // namespace tmx
