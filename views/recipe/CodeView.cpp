// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/recipe/CodeView.h"

#include "views/theme/Theme.h"
#include "views/widgets/Tips.h"

#include <QHelpEvent>
#include <QPainter>
#include <QTextBlock>
#include <QToolTip>

namespace tmx {

namespace {
constexpr int codePadding = 10;
constexpr int fewestDigits = 3; // the text does not move between recipes of 99 and 100 lines
constexpr int signSide = 12;    // of a finding's sign; reserved in recipes without findings too
} // namespace

CodeView::CodeView(QWidget *parent)
    : CodeArea(parent)
{
    updateGutter();
}

void CodeView::setCode(const QByteArray &text)
{
    if (text == m_code)
        return;
    m_code = text;
    QString lines = QString::fromUtf8(text);
    if (lines.endsWith(QLatin1Char('\n')))
        lines.chop(1);
    setLines(lines);
    startHighlighting();
}

int CodeView::gutterWidth() const
{
    const int digits = std::max(fewestDigits, int(QString::number(blockCount()).size()));
    return 2 * codePadding + signSide + digits * fontMetrics().horizontalAdvance(QLatin1Char('9'));
}

void CodeView::paintGutter(QPainter &painter, int line, const QRect &rect) const
{
    const bool current = line == textCursor().blockNumber();
    if (current)
        painter.fillRect(rect, colors().currentLine);
    painter.setPen(current ? colors().text : colors().gutterText);
    painter.drawText(rect.adjusted(0, 0, -codePadding, 0), Qt::AlignRight | Qt::AlignTop, QString::number(line + 1));
    const auto here = m_places.values(line);
    if (here.isEmpty())
        return;
    const auto gravest = std::max_element(here.cbegin(), here.cend(), [](const Place &a, const Place &b) {
        return a.finding.severity < b.finding.severity;
    });
    const SeverityStyle &style = Theme::current(palette()).severity(gravest->finding.severity);
    drawGlyph(painter, style.glyph,
              QRectF(rect.x() + 4, rect.y() + (fontMetrics().height() - signSide) / 2.0, signSide, signSide),
              style.color);
}

QColor CodeView::lineColor(int) const
{
    return {};
}

QList<CodeArea::Mark> CodeView::marks(int line) const
{
    QList<Mark> marks;
    const Theme &theme = Theme::current(palette());
    for (const Place &place : m_places.values(line)) {
        if (place.length > 0)
            marks.append({place.start, place.length, theme.severity(place.finding.severity).tint});
    }
    return marks;
}

/// Findings count bytes, the document counts characters.
CodeView::Place CodeView::placeOf(const Finding &finding) const
{
    qsizetype begin = 0;
    for (int line = 1; line < finding.line && begin >= 0; ++line) {
        begin = m_code.indexOf('\n', begin);
        begin = begin < 0 ? begin : begin + 1;
    }
    if (begin < 0)
        return {finding};
    const qsizetype end = m_code.indexOf('\n', begin);
    const QByteArray text = m_code.mid(begin, end < 0 ? -1 : end - begin);
    const qsizetype column = std::clamp<qsizetype>(finding.column - 1, 0, text.size());
    const int start = int(QString::fromUtf8(text.first(column)).size());
    const int length = int(QString::fromUtf8(text.mid(column, finding.length)).size());
    return {finding, start, finding.length > 0 ? length : 0};
}

void CodeView::setFindings(const QList<Finding> &findings, const QString &file)
{
    m_places.clear();
    for (const Finding &finding : findings) {
        if (finding.line > 0 && finding.file == file)
            m_places.insert(finding.line - 1, placeOf(finding));
    }
    updateGutter();
    viewport()->update();
}

void CodeView::showFinding(const Finding &finding)
{
    goToLine(qMax(0, finding.line - 1));
    if (finding.line < 1)
        return;
    QTextCursor cursor = textCursor();
    const QTextBlock block = cursor.block();
    cursor.setPosition(block.position() + qMin(placeOf(finding).start, block.length() - 1));
    setTextCursor(cursor);
}

bool CodeView::viewportEvent(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return CodeArea::viewportEvent(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    QStringList sentences;
    for (const Place &place : m_places.values(cursorForPosition(help->pos()).blockNumber()))
        sentences.append(place.finding.sentence);
    QToolTip::showText(help->globalPos(), plainToolTip(sentences.join(QLatin1Char('\n'))), viewport());
    return true;
}

void CodeView::restartHighlighting()
{
    m_nextLine = 0;
    m_state = {};
}

bool CodeView::highlightNext()
{
    // Look it up by number; do not keep a QTextBlock: the text may be replaced before the next slice.
    const QTextBlock block = document()->findBlockByNumber(m_nextLine);
    if (!block.isValid())
        return false;
    applyFormats(block, m_highlighter.highlight(block.text(), m_state));
    ++m_nextLine;
    return block.next().isValid();
}

} // namespace tmx
