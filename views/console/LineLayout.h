// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/log/LogIndex.h"

#include <QTextLayout>

namespace tmx {

class AnsiColors;

/// One line of a log, laid out for painting or hit-testing. A long line (the command of a failed step has thousands of
/// characters) is laid out for its visible part only, if the fixed-width font can tell which part that is.
class LineLayout
{
public:
    /// `left` and `right`: the visible part, in pixels from the line's start. `cell`: the width of a character.
    /// `hidden`: columns at the line's start that are not shown; positions in pixels begin after them.
    LineLayout(const LogLine &line, const QFont &font, qreal cell, qreal left, qreal right, qsizetype hidden = 0);

    void setColors(const AnsiColors &colors); ///< ANSI styles, the muted derivation, errors
    void addSelection(qsizetype from, qsizetype to,
                      const QColor &text);               ///< the caller paints its background over the line's height
    void draw(QPainter &painter, const QPointF &origin); ///< `origin`: the line's start

    [[nodiscard]] qreal columnToX(qsizetype column); ///< 0 for a hidden column
    [[nodiscard]] qsizetype xToColumn(qreal x);
    [[nodiscard]] qsizetype length() const { return m_line.text.size(); }

private:
    void addFormat(qsizetype from, qsizetype to, const QTextCharFormat &format,
                   QList<QTextLayout::FormatRange> &formats) const;
    void layOut();
    [[nodiscard]] qreal widthTo(qsizetype column); ///< with what is hidden

    const LogLine &m_line;
    QTextLayout m_layout;
    QList<QTextLayout::FormatRange> m_formats;
    QList<QTextLayout::FormatRange> m_over; ///< the derivation and the selection, over the styles
    qreal m_cell;
    qsizetype m_hidden;
    qsizetype m_first = 0; ///< the first column that is laid out
    qsizetype m_last = 0;
    bool m_fixed = false; ///< every column is one cell wide
};

} // namespace tmx
