// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/recipe/CodeArea.h"

#include "views/widgets/CodeFont.h"

#include <QElapsedTimer>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>

#include <algorithm>

namespace tmx {

namespace {

// Colouring one slice must leave the window time within its frame of 16 ms.
constexpr qint64 sliceMs = 6;
// Qt takes 60 ms to lay out a megabyte at once, and 5 ms for this much.
constexpr qsizetype firstPiece = 96 * 1024;
constexpr qsizetype laterPiece = 48 * 1024;

} // namespace

class CodeArea::Gutter : public QWidget
{
public:
    explicit Gutter(CodeArea *area)
        : QWidget(area)
        , m_area(area)
    {
    }
    [[nodiscard]] QSize sizeHint() const override { return {m_area->gutterWidth(), 0}; }

protected:
    void paintEvent(QPaintEvent *event) override { m_area->paintGutterArea(event); }
    // A wheel event over the line numbers scrolls the text.
    void wheelEvent(QWheelEvent *event) override { m_area->wheelEvent(event); }

private:
    CodeArea *m_area;
};

CodeArea::CodeArea(QWidget *parent)
    : QPlainTextEdit(parent)
    , m_colors(palette())
    , m_highlighter(palette(), m_colors.grounds())
    , m_gutter(new Gutter(this))
{
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setUndoRedoEnabled(false);
    setTabChangesFocus(true);
    setLineWrapMode(NoWrap);
    setFrameShape(NoFrame);
    useCodeFont(this);
    setCursorWidth(2);
    setTabStopDistance(4 * fontMetrics().horizontalAdvance(QLatin1Char(' ')));
    m_slices.setInterval(0);
    connect(&m_slices, &QTimer::timeout, this, [this] { m_text.isEmpty() ? colorSlice() : appendPiece(); });
    connect(this, &QPlainTextEdit::blockCountChanged, this, &CodeArea::updateGutter);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect &rect, int dy) {
        if (dy != 0)
            m_gutter->scroll(0, dy);
        else
            m_gutter->update(0, rect.y(), m_gutter->width(), rect.height());
    });
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &CodeArea::colorMatches);
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, [this] {
        viewport()->update();
        m_gutter->update();
    });
}

void CodeArea::setLines(const QString &text)
{
    m_place = {textCursor().blockNumber(), textCursor().positionInBlock(), verticalScrollBar()->value(),
               horizontalScrollBar()->value()};
    m_text = text;
    m_arrived = 0;
    m_arrived = nextCut(firstPiece);
    setPlainText(m_text.first(m_arrived));
    restorePlace();
    if (m_arrived == m_text.size())
        m_text.clear();
    findAll();
}

// End of the line at which the next piece, from m_arrived on, would be cut.
qsizetype CodeArea::nextCut(qsizetype size) const
{
    const qsizetype end = m_arrived + size < m_text.size() ? m_text.indexOf(QLatin1Char('\n'), m_arrived + size) : -1;
    return end < 0 ? m_text.size() : end;
}

void CodeArea::appendPiece()
{
    const qsizetype cut = nextCut(laterPiece);
    QTextCursor end(document());
    end.movePosition(QTextCursor::End);
    end.insertText(m_text.sliced(m_arrived, cut - m_arrived));
    m_arrived = cut;
    if (m_arrived < m_text.size())
        return;
    m_text.clear();
    m_arrived = 0;
    if (m_place.line > textCursor().blockNumber())
        restorePlace();
    const int current = m_currentMatch; // Nothing before it has changed.
    findAll();
    if (current >= 0)
        setCurrentMatch(current);
}

void CodeArea::restorePlace()
{
    const QTextBlock block = document()->findBlockByNumber(std::min(m_place.line, blockCount() - 1));
    QTextCursor cursor(block);
    cursor.setPosition(block.position() + std::min(m_place.column, block.length() - 1));
    setTextCursor(cursor);
    verticalScrollBar()->setValue(m_place.top);
    horizontalScrollBar()->setValue(m_place.left);
}

// Colours

void CodeArea::setFile(const QString &file)
{
    m_highlighter.setFile(file);
}

void CodeArea::startHighlighting()
{
    restartHighlighting();
    m_slices.start();
    // Colour the first screenful at once: otherwise each click in the grid flashes uncoloured text.
    colorSlice();
}

void CodeArea::applyFormats(const QTextBlock &block, const Highlighter::Formats &formats)
{
    if (block.layout()->formats() == formats)
        return;
    block.layout()->setFormats(formats);
    if (m_dirtyFrom < 0)
        m_dirtyFrom = block.position();
    m_dirtyTo = block.position() + block.length();
}

void CodeArea::colorSlice()
{
    QElapsedTimer timer;
    timer.start();
    bool more = true;
    while (more && !timer.hasExpired(sliceMs))
        more = highlightNext();
    if (!more && m_text.isEmpty())
        m_slices.stop();
    if (m_dirtyFrom >= 0)
        document()->markContentsDirty(m_dirtyFrom, m_dirtyTo - m_dirtyFrom);
    m_dirtyFrom = -1;
}

void CodeArea::changeEvent(QEvent *event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        m_colors = CodeColors(palette());
        m_highlighter.setPalette(palette(), m_colors.grounds());
        startHighlighting();
        colorMatches();
    } else if (event->type() == QEvent::FontChange) {
        setTabStopDistance(4 * fontMetrics().horizontalAdvance(QLatin1Char(' ')));
        // Also sent during this constructor, when the subclass does not exist yet; showEvent does it then.
        if (isVisible())
            updateGutter();
    }
}

// Search

void CodeArea::setSearch(const QString &needle, Qt::CaseSensitivity sensitivity, bool)
{
    m_matches.look(needle, sensitivity);
    findAll();
    if (m_matches.count() > 0)
        setCurrentMatch(m_matches.next(textCursor().selectionStart(), false));
}

void CodeArea::findAll()
{
    m_matches.find(m_matches.isLooking() ? toPlainText() : QString());
    m_currentMatch = -1;
    colorMatches();
    viewport()->update();
    Q_EMIT searchChanged();
}

// Matches are painted behind the text. Syntax colours may lack contrast on them, so their text has the plain colour.
// Only visible matches: each painted line checks each extra selection.
void CodeArea::colorMatches()
{
    QList<QTextEdit::ExtraSelection> selections;
    if (m_matches.count() > 0) {
        const int to = cursorForPosition(viewport()->rect().bottomRight()).position();
        QTextEdit::ExtraSelection selection;
        selection.format.setForeground(m_colors.text);
        selection.cursor = textCursor();
        for (int i = m_matches.firstFrom(firstVisibleBlock().position());
             i < m_matches.count() && m_matches.at(i) <= to; ++i) {
            selection.cursor.setPosition(m_matches.at(i));
            selection.cursor.setPosition(m_matches.at(i) + m_matches.length(), QTextCursor::KeepAnchor);
            selections.append(selection);
        }
    }
    if (!selections.isEmpty() || !extraSelections().isEmpty())
        setExtraSelections(selections);
}

void CodeArea::findNext()
{
    if (m_matches.count() == 0)
        return;
    const int position = textCursor().selectionStart();
    const bool there = m_currentMatch >= 0 && m_matches.at(m_currentMatch) == position;
    setCurrentMatch(m_matches.next(position, there));
}

void CodeArea::findPrevious()
{
    if (m_matches.count() > 0)
        setCurrentMatch(m_matches.previous(textCursor().selectionStart()));
}

void CodeArea::setCurrentMatch(int index)
{
    m_currentMatch = index;
    QTextCursor cursor = textCursor();
    // First the end, so that a long match is visible as a whole; then the caret moves to its start.
    cursor.setPosition(m_matches.at(index) + m_matches.length());
    setTextCursor(cursor);
    cursor.setPosition(m_matches.at(index));
    setTextCursor(cursor);
    goToLine(cursor.blockNumber());
    colorMatches();
    viewport()->update();
    Q_EMIT searchChanged();
}

void CodeArea::selectCurrentMatch()
{
    if (m_currentMatch < 0)
        return;
    QTextCursor cursor = textCursor();
    cursor.setPosition(m_matches.at(m_currentMatch));
    cursor.setPosition(m_matches.at(m_currentMatch) + m_matches.length(), QTextCursor::KeepAnchor);
    setTextCursor(cursor);
}

QString CodeArea::selectedOnOneLine() const
{
    const QString selected = textCursor().selectedText();
    return selected.contains(QChar::ParagraphSeparator) ? QString() : selected;
}

void CodeArea::goToLine(int line)
{
    const QTextBlock block = document()->findBlockByNumber(line);
    QTextCursor cursor = textCursor();
    if (cursor.blockNumber() != line) {
        cursor.setPosition(block.position());
        setTextCursor(cursor);
    }
    const QRectF place = blockBoundingGeometry(block).translated(contentOffset());
    if (place.top() < place.height() || place.bottom() > viewport()->height() - place.height())
        centerCursor();
}

// Geometry and painting

void CodeArea::updateGutter()
{
    setViewportMargins(gutterWidth(), 0, 0, 0);
    layOut();
    m_gutter->update();
}

void CodeArea::layOut()
{
    const QRect area = contentsRect();
    m_gutter->setGeometry(area.left(), area.top(), gutterWidth(), viewport()->height());
}

void CodeArea::resizeEvent(QResizeEvent *event)
{
    QPlainTextEdit::resizeEvent(event);
    layOut();
    colorMatches();
}

void CodeArea::showEvent(QShowEvent *event)
{
    QPlainTextEdit::showEvent(event);
    updateGutter();
}

void CodeArea::paintEvent(QPaintEvent *event)
{
    {
        QPainter painter(viewport());
        paintBackgrounds(painter, event->rect());
    }
    QPlainTextEdit::paintEvent(event);
}

void CodeArea::paintBackgrounds(QPainter &painter, const QRect &rect)
{
    const QPointF offset = contentOffset();
    const int caretLine = textCursor().blockNumber();
    qreal top = blockBoundingGeometry(firstVisibleBlock()).translated(offset).top();
    for (QTextBlock block = firstVisibleBlock(); block.isValid() && top <= rect.bottom(); block = block.next()) {
        const QRectF place = lineRect(block, top);
        top += blockBoundingRect(block).height();
        if (place.bottom() < rect.top())
            continue;
        const int line = block.blockNumber();
        if (const QColor color = lineColor(line); color.isValid())
            painter.fillRect(place, color);
        else if (line == caretLine)
            painter.fillRect(place, m_colors.currentLine);
        const QPointF origin(offset.x(), place.top());
        for (const Mark &mark : marks(line))
            paintMark(painter, block, origin, mark, false);
        for (int i = m_matches.firstFrom(block.position());
             i < m_matches.count() && m_matches.at(i) < block.position() + block.length(); ++i) {
            const bool current = i == m_currentMatch;
            paintMark(painter, block, origin,
                      {m_matches.at(i) - block.position(), m_matches.length(),
                       current ? m_colors.currentMatch : m_colors.match},
                      current);
        }
    }
}

// The bounding rectangle of the last line includes the document's margin below it.
QRectF CodeArea::lineRect(const QTextBlock &block, qreal top) const
{
    const QTextLine line = block.layout()->lineAt(0);
    return {0, top, qreal(viewport()->width()), line.isValid() ? line.height() : blockBoundingRect(block).height()};
}

void CodeArea::paintMark(QPainter &painter, const QTextBlock &block, const QPointF &origin, const Mark &mark,
                         bool outlined) const
{
    const QTextLine line = block.layout()->lineAt(0);
    if (!line.isValid())
        return;
    const qreal from = line.cursorToX(mark.start);
    const qreal to = line.cursorToX(mark.start + mark.length);
    const QRectF place(origin.x() + from, origin.y(), to - from, line.height());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(outlined ? QPen(m_colors.accent, 1.5) : QPen(Qt::NoPen));
    painter.setBrush(mark.color);
    painter.drawRoundedRect(outlined ? place.adjusted(-1, 0.5, 1, -0.5) : place, 2, 2);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void CodeArea::paintGutterArea(QPaintEvent *event)
{
    QPainter painter(m_gutter);
    painter.fillRect(event->rect(), m_colors.background);
    painter.setFont(font());
    qreal top = blockBoundingGeometry(firstVisibleBlock()).translated(contentOffset()).top();
    for (QTextBlock block = firstVisibleBlock(); block.isValid() && top <= event->rect().bottom();
         block = block.next()) {
        QRect place = lineRect(block, top).toRect();
        place.setWidth(m_gutter->width());
        top += blockBoundingRect(block).height();
        if (place.bottom() >= event->rect().top())
            paintGutter(painter, block.blockNumber(), place);
    }
}

} // namespace tmx
