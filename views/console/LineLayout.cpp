// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/console/LineLayout.h"

#include "model/log/NinjaProgress.h"
#include "model/outcome/OutcomeReader.h"
#include "views/console/AnsiColors.h"

#include <algorithm>
#include <cmath>

namespace tmx {

namespace {

constexpr qsizetype longLine = 1000;

bool isAscii(QStringView text)
{
    return std::all_of(text.begin(), text.end(), [](QChar c) { return c.unicode() < 0x80; });
}

} // namespace

LineLayout::LineLayout(const LogLine &line, const QFont &font, qreal cell, qreal left, qreal right, qsizetype hidden)
    : m_line(line)
    , m_cell(cell)
    , m_hidden(hidden)
    , m_last(line.text.size())
{
    if (line.text.size() > longLine && isAscii(line.text)) {
        m_fixed = true;
        m_first = std::clamp<qsizetype>(hidden + qsizetype(left / cell) - 1, 0, m_last);
        m_last = std::clamp<qsizetype>(hidden + qsizetype(right / cell) + 2, m_first, m_last);
    }
    m_layout.setFont(font);
    m_layout.setText(line.text.sliced(m_first, m_last - m_first));
    QTextOption option;
    option.setWrapMode(QTextOption::NoWrap);
    option.setTextDirection(Qt::LeftToRight);
    m_layout.setTextOption(option);
}

void LineLayout::layOut()
{
    if (m_layout.lineCount() > 0)
        return;
    m_layout.setFormats(m_formats);
    m_layout.beginLayout();
    QTextLine line = m_layout.createLine();
    if (line.isValid()) {
        line.setLineWidth(1e7);
        line.setPosition({0, 0});
    }
    m_layout.endLayout();
}

void LineLayout::addFormat(qsizetype from, qsizetype to, const QTextCharFormat &format,
                           QList<QTextLayout::FormatRange> &formats) const
{
    from = std::clamp(from, m_first, m_last);
    to = std::clamp(to, m_first, m_last);
    if (from < to)
        formats.append({int(from - m_first), int(to - from), format});
}

void LineLayout::setColors(const AnsiColors &colors)
{
    const QList<AnsiRun> &runs = m_line.runs;
    const bool plain =
        std::none_of(runs.begin(), runs.end(), [](const AnsiRun &run) { return !(run.style == AnsiStyle()); });
    QTextCharFormat format;
    format.setForeground(plain && saysError(m_line.text) ? colors.error : colors.text);
    addFormat(0, runs.isEmpty() ? length() : runs.constFirst().start, format, m_formats);
    for (qsizetype i = 0; i < runs.size(); ++i)
        addFormat(runs.at(i).start, i + 1 < runs.size() ? runs.at(i + 1).start : length(),
                  colors.format(runs.at(i).style), m_formats);
    if (const QStringView derivation = derivationPrefix(m_line.text); !derivation.isEmpty()) {
        format.setForeground(colors.prefix);
        addFormat(0, derivation.size() + 1, format, m_over);
    }
}

void LineLayout::addSelection(qsizetype from, qsizetype to, const QColor &text)
{
    QTextCharFormat format;
    format.setForeground(text);
    format.setBackground(Qt::transparent); // Whatever background a style sets.
    addFormat(from, to, format, m_over);
}

void LineLayout::draw(QPainter &painter, const QPointF &origin)
{
    layOut();
    m_layout.draw(&painter, origin + QPointF(qreal(m_first) * m_cell - widthTo(m_hidden), 0), m_over);
}

qreal LineLayout::columnToX(qsizetype column)
{
    return std::max(0.0, widthTo(column) - widthTo(m_hidden));
}

qreal LineLayout::widthTo(qsizetype column)
{
    if (m_fixed)
        return qreal(column) * m_cell;
    layOut();
    return m_layout.lineAt(0).cursorToX(int(column));
}

qsizetype LineLayout::xToColumn(qreal x)
{
    if (m_fixed)
        return std::clamp<qsizetype>(m_hidden + qsizetype(std::lround(x / m_cell)), 0, length());
    layOut();
    return m_layout.lineAt(0).xToCursor(x + widthTo(m_hidden));
}

} // namespace tmx
