// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QByteArray>
#include <QList>

namespace tmx {

/// Files of a person's in which the program writes between two marker lines, and nowhere else.

/// A line of the text: [from, to) with its line end, [from, end) without.
struct TextLine {
    qsizetype from = 0;
    qsizetype end = 0;
    qsizetype to = 0;
    bool code = false; ///< in a fenced code block of Markdown, its fences included
};
QList<TextLine> linesOf(const QByteArray &text, bool markdown);
QByteArray lineEndOf(const QByteArray &text, const TextLine &line); ///< that of the line, else "\n"

/// How the markers of a kind of file look.
struct MarkedForm {
    bool (*isBegin)(const QByteArray &line); ///< of a line without blanks around it
    QByteArrayView begin;                    ///< as a person is told
    QByteArrayView end;
    bool markdown = false; ///< markers in a code block mean nothing
};

struct Markers {
    QList<TextLine> begins;
    QList<TextLine> ends;
    int inCode = 0; ///< line of the first one in a code block; 0: none
};
Markers markersOf(const QByteArray &text, const MarkedForm &form);

/// `text` with `part` between its markers, in the line ends of the marker's line; every byte outside of them stays.
/// Error: no markers, one alone, several, or the end before the beginning; `refused` with why and remedy.
Result<QByteArray> withMarkedPart(const QByteArray &text, const QByteArray &part, const MarkedForm &form,
                                  const Error &refused);

} // namespace tmx
