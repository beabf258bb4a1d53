// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/console/ConsoleView.h"

#include "model/base/TextForm.h"
#include "model/log/NinjaProgress.h"
#include "model/outcome/ErrorPlaces.h"
#include "views/console/LineLayout.h"
#include "views/console/MarkedScrollBar.h"
#include "views/recipe/CodeColors.h"
#include "views/widgets/CodeFont.h"

#include <QAccessible>
#include <QClipboard>
#include <QGuiApplication>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyleOption>
#include <QtConcurrent>

#include <algorithm>
#include <chrono>
#include <cmath>

using namespace std::chrono_literals;

namespace tmx {

namespace {

constexpr auto refreshInterval = 16ms; // faster than the screen refreshes is no use
constexpr int consoleMargin = 8;
constexpr qsizetype mostMatchesPainted = 1000; // in one line
constexpr qsizetype mostScrolled = 1 << 30;    // limit of a scroll bar's range

} // namespace

ConsoleView::ConsoleView(QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_bar(new MarkedScrollBar(Qt::Vertical))
{
    setVerticalScrollBar(m_bar);
    useCodeFont(this);
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Output of the build"));
    viewport()->setCursor(Qt::IBeamCursor);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(refreshInterval);
    m_autoScroll.setInterval(40ms);
    m_readTimes.setSingleShot(true);
    m_readTimes.setInterval(2s); // as often as the runner notes them
    connect(&m_readTimes, &QTimer::timeout, this, &ConsoleView::readTimes);
    connect(&m_log, &LogFile::grew, this, [this] {
        m_search.logGrew();
        if (m_times.isEmpty() && !m_readingTimes && !m_readTimes.isActive())
            readTimes();
        else if (!m_readTimes.isActive())
            m_readTimes.start();
        if (!m_refresh.isActive())
            m_refresh.start();
    });
    connect(&m_log, &LogFile::restarted, this, &ConsoleView::startAfresh);
    connect(&m_refresh, &QTimer::timeout, this, &ConsoleView::refresh);
    connect(&m_autoScroll, &QTimer::timeout, this, [this] {
        m_cursor.moveTo(positionAt(m_lastPoint), true);
        cursorMoved();
    });
    connect(&m_search, &ConsoleSearch::changed, this, [this] {
        viewport()->update();
        Q_EMIT searchChanged();
    });
    connect(&m_search, &ConsoleSearch::currentChanged, this, &ConsoleView::showMatch);
    measure();
    updateScrollBars();
}

void ConsoleView::open(const QString &path)
{
    m_log.open(path);
}

void ConsoleView::clear()
{
    m_log.hideBefore(m_log.endLine());
    startAfresh();
}

void ConsoleView::setMain(const QString &derivation)
{
    if (std::exchange(m_main, derivation) != derivation)
        refresh();
}

void ConsoleView::markErrors()
{
    if (m_log.path().isEmpty())
        return;
    QtConcurrent::run(errorPlaces, m_log.path()).then(this, [this, path = m_log.path()](const QList<double> &places) {
        if (path != m_log.path())
            return;
        m_errors = places;
        updateMarks();
    });
}

void ConsoleView::updateMarks()
{
    QList<double> marks = m_errors;
    for (double &mark : marks)
        mark =
            double(m_folds.row(qsizetype(mark * double(m_log.endLine())))) / double(std::max<qsizetype>(endRow(), 1));
    m_bar->setMarks(marks);
}

void ConsoleView::setPhases(const QList<LogPhase> &phases)
{
    const qsizetype top = topRow();
    const qsizetype line = topLine();
    const qsizetype bottom = m_folds.line(top + pageLines());
    const auto isRead = [&](const LogPhase &phase) {
        const auto [from, to] = m_cursor.selection();
        return (!m_following && phase.line < bottom && phase.end > line) ||
               (from != to && phase.line <= to.line && phase.end > from.line);
    };
    m_folds.setPhases(phases, m_log.firstLine(), isRead);
    foldingChanged(line, top);
}

/// Keeps the line in its place on the screen, unless the end is followed.
void ConsoleView::foldingChanged(qsizetype line, qsizetype top)
{
    const qsizetype moved = m_folds.row(line) - top;
    measure();
    if (!m_following && moved != 0) {
        updateScrollBars();
        m_settingBars = true;
        verticalScrollBar()->setValue(int(top + moved - firstRow()));
        m_settingBars = false;
    }
    updateMarks();
    refresh();
}

void ConsoleView::toggle(const LogPhase &phase)
{
    const LogPosition head{phase.line, 0};
    const bool folded = m_folds.isFolded(phase);
    setFollowing(false);
    m_openedPhase = -1;
    m_folds.setFolded(phase, !folded);
    m_cursor.moveTo(head, false);
    updateMarks();
    refresh();
    showPosition(m_cursor.position());
    readCaretLine();
    Q_EMIT selectionChanged();
}

void ConsoleView::setAllFolded(bool folded)
{
    const qsizetype top = topRow();
    const qsizetype line = topLine();
    m_folds.setAllFolded(folded);
    if (m_folds.row(m_cursor.position().line) != m_cursor.position().line)
        m_cursor.moveTo({m_folds.line(m_folds.row(m_cursor.position().line)), 0}, false);
    foldingChanged(line, top);
}

void ConsoleView::reveal(qsizetype line)
{
    if (m_folds.show(line)) {
        updateMarks();
        refresh();
    }
}

QString ConsoleView::phaseText(const LogPhase &phase) const
{
    QStringList parts;
    if (m_folds.isFolded(phase))
        parts.append(tr("%n lines", nullptr, int(phase.end - phase.line - 1)));
    if (phase.since.isValid() && phase.until.isValid())
        parts.append(durationText(phase.since.msecsTo(phase.until)));
    if (phase.failed)
        parts.append(tr("failed"));
    return parts.join(QStringLiteral(" \u00B7 "));
}

void ConsoleView::readTimes()
{
    if (m_readingTimes || m_log.path().isEmpty())
        return;
    m_readingTimes = true;
    QtConcurrent::run(&LogTimes::of, m_log.path()).then(this, [this, path = m_log.path()](const LogTimes &times) {
        m_readingTimes = false;
        if (path != m_log.path())
            return;
        m_times = times;
        measure();
        refresh();
    });
}

QString ConsoleView::timeOf(qsizetype line) const
{
    const qint64 elapsed = m_times.elapsed(m_log.index().aboutEndOf(line));
    return elapsed < 0 ? QString() : durationText(elapsed);
}

/// The name of the main derivation and "> ". Nix leaves out the end of a name, with its version.
qsizetype ConsoleView::hiddenIn(const LogLine &line) const
{
    const QStringView name = derivationPrefix(line.text);
    const bool isMain =
        !name.isEmpty() && m_main.startsWith(name) && (m_main.size() == name.size() || m_main.at(name.size()) == u'-');
    return isMain ? name.size() + 2 : 0;
}

void ConsoleView::startAfresh()
{
    m_folds = {};
    m_openedPhase = -1;
    m_errors.clear();
    updateMarks();
    if (m_log.isEmpty()) {
        m_times = {};
        measure();
    }
    m_cursor = ConsoleCursor(m_log, m_folds);
    m_search.logCleared();
    setFollowing(true);
    refresh();
    Q_EMIT selectionChanged();
    Q_EMIT cleared();
}

void ConsoleView::showOffset(qint64 offset)
{
    if (offset < 0 || m_log.isEmpty())
        return;
    m_cursor.selectLine(m_log.lineAt(offset));
    setFollowing(false);
    const qsizetype line = m_cursor.selection().first.line;
    showPosition({line, 0});
    verticalScrollBar()->setValue(int(m_folds.row(line) - firstRow() - pageLines() / 3));
    viewport()->update();
    Q_EMIT selectionChanged();
}

void ConsoleView::refresh()
{
    updateScrollBars();
    viewport()->update();
}

void ConsoleView::measure()
{
    const QFontMetricsF metrics(font());
    m_cell = metrics.horizontalAdvance(u'0');
    m_lineHeight = int(std::ceil(metrics.height())) + 1;
    m_margin = consoleMargin + (m_times.isEmpty() ? 0 : int(std::ceil(8 * m_cell)) + consoleMargin) + arrowWidth();
}

qsizetype ConsoleView::pageLines() const
{
    return std::max(1, (viewport()->height() - 2) / m_lineHeight);
}

qsizetype ConsoleView::topRow() const
{
    return firstRow() + verticalScrollBar()->value();
}

qsizetype ConsoleView::endRow() const
{
    return m_log.isEmpty() ? firstRow() : m_folds.row(m_log.endLine() - 1) + 1;
}

int ConsoleView::arrowWidth() const
{
    return m_folds.isEmpty() ? 0 : int(std::ceil(2 * m_cell));
}

void ConsoleView::updateScrollBars()
{
    m_settingBars = true;
    QScrollBar *vertical = verticalScrollBar();
    const int top = vertical->value();
    const int most = int(std::clamp<qsizetype>(endRow() - firstRow() - pageLines(), 0, mostScrolled));
    vertical->setRange(0, most);
    vertical->setPageStep(int(pageLines()));
    vertical->setValue(m_following ? most : std::clamp(top, 0, most));
    const int width = int(std::ceil(qreal(m_log.index().longestSeen()) * m_cell)) + m_margin + consoleMargin;
    horizontalScrollBar()->setRange(0, std::max(0, width - viewport()->width()));
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setSingleStep(int(m_cell * 4));
    m_settingBars = false;
}

void ConsoleView::setFollowing(bool following)
{
    if (std::exchange(m_following, following) == following)
        return;
    if (following)
        refresh();
    Q_EMIT followingChanged(following);
}

void ConsoleView::scrollContentsBy(int, int)
{
    viewport()->update();
    if (!m_settingBars)
        setFollowing(verticalScrollBar()->value() >= verticalScrollBar()->maximum());
}

LineLayout ConsoleView::layoutOf(const LogLine &line) const
{
    const qreal left = horizontalScrollBar()->value();
    return {line, font(), m_cell, left - m_margin, left + viewport()->width(), hiddenIn(line)};
}

void ConsoleView::paintEvent(QPaintEvent *event)
{
    if (!m_colors)
        m_colors.emplace(palette());
    QPainter painter(viewport());
    painter.fillRect(event->rect(), m_colors->background);
    const qsizetype first = topRow() + std::max(0, event->rect().top() / m_lineHeight);
    const qsizetype end = std::min(endRow(), topRow() + event->rect().bottom() / m_lineHeight + 1);
    for (qsizetype row = first; row < end; ++row) {
        const qreal top = qreal(row - topRow()) * m_lineHeight;
        const qsizetype line = m_folds.line(row);
        paintLine(painter, line, top);
        paintMargin(painter, line, top);
    }
}

/// A time that the line above has too is left out, but in the first line.
void ConsoleView::paintMargin(QPainter &painter, qsizetype line, qreal top) const
{
    const QString time = m_times.isEmpty() ? QString() : timeOf(line);
    if (time.isEmpty() || (line > topLine() && timeOf(line - 1) == time))
        return;
    painter.setClipping(false);
    painter.setFont(font());
    painter.setPen(m_colors->prefix);
    painter.drawText(QRectF(consoleMargin, top, m_margin - arrowWidth() - 2 * consoleMargin, m_lineHeight),
                     Qt::AlignRight | Qt::AlignVCenter, time);
}

void ConsoleView::paintMatches(QPainter &painter, LineLayout &layout, QPointF origin, qsizetype line,
                               const QString &text) const
{
    if (!m_search.isActive())
        return;
    const CodeColors colors(palette());
    const LogPosition current = m_search.currentMatch().first;
    for (const LogPattern::Span &span : m_search.pattern().in(text, mostMatchesPainted)) {
        const bool isCurrent = m_search.current() >= 0 && current == LogPosition{line, span.column};
        const qreal left = layout.columnToX(span.column);
        const qreal right = layout.columnToX(span.column + span.length);
        painter.fillRect(QRectF(origin.x() + left, origin.y(), right - left, m_lineHeight),
                         isCurrent ? colors.currentMatch : colors.match);
    }
}

void ConsoleView::paintLine(QPainter &painter, qsizetype number, qreal top)
{
    const LogLine line = m_log.line(number);
    const QPointF origin(m_margin - horizontalScrollBar()->value(), top);
    painter.setClipRect(QRectF(m_margin - 2, top, viewport()->width(), m_lineHeight));
    LineLayout layout = layoutOf(line);
    layout.setColors(*m_colors);
    paintMatches(painter, layout, origin, number, line.text);
    const auto [from, to] = m_cursor.selection();
    if (from != to && number >= from.line && number <= to.line) {
        const auto group = hasFocus() ? QPalette::Active : QPalette::Inactive;
        const QColor background = palette().color(group, QPalette::Highlight);
        const qsizetype start = number == from.line ? from.column : 0;
        const qsizetype end = number == to.line ? to.column : layout.length();
        const qreal left = layout.columnToX(start);
        const qreal lineEnd = number < to.line ? m_cell / 2 : 0; // The line end is selected too.
        painter.fillRect(QRectF(origin.x() + left, top, layout.columnToX(end) + lineEnd - left, m_lineHeight),
                         background);
        layout.addSelection(start, end, palette().color(group, QPalette::HighlightedText));
    }
    layout.draw(painter, origin);
    if (const LogPhase *const phase = m_folds.at(number))
        paintPhase(painter, *phase, origin.x() + layout.columnToX(layout.length()) + 2 * m_cell, top);
    if (hasFocus() && m_cursor.position().line == number)
        painter.fillRect(QRectF(origin.x() + layout.columnToX(m_cursor.position().column), top, 2, m_lineHeight),
                         m_colors->text);
}

/// An arrow in front of the line that begins the phase, and what it hides behind the line.
void ConsoleView::paintPhase(QPainter &painter, const LogPhase &phase, qreal left, qreal top) const
{
    painter.setFont(font());
    painter.setPen(phase.failed ? m_colors->error : m_colors->prefix);
    painter.drawText(QRectF(left, top, viewport()->width(), m_lineHeight), Qt::AlignLeft | Qt::AlignVCenter,
                     phaseText(phase));
    painter.setClipping(false);
    QStyleOption option;
    option.initFrom(this);
    option.palette.setColor(QPalette::Text, m_colors->text);
    const int size = std::min(m_lineHeight, arrowWidth());
    option.rect = QRect(m_margin - arrowWidth(), int(top) + (m_lineHeight - size) / 2, size, size);
    option.state |= QStyle::State_Children;
    option.state.setFlag(QStyle::State_Open, !m_folds.isFolded(phase));
    style()->drawPrimitive(QStyle::PE_IndicatorBranch, &option, &painter, this);
    painter.setClipRect(QRectF(m_margin - 2, top, viewport()->width(), m_lineHeight));
}

LogPosition ConsoleView::positionAt(QPointF point) const
{
    const qsizetype line =
        m_folds.line(std::max<qsizetype>(topRow() + qsizetype(std::floor(point.y() / m_lineHeight)), 0));
    if (line < m_log.firstLine() || line >= m_log.endLine())
        return {line, 0};
    const LogLine text = m_log.line(line);
    return {line, layoutOf(text).xToColumn(point.x() - m_margin + horizontalScrollBar()->value())};
}

void ConsoleView::showPosition(LogPosition position)
{
    if (m_refresh.isActive()) { // The scroll bars do not cover the newest lines yet.
        m_refresh.stop();
        refresh();
    }
    reveal(position.line);
    const qsizetype top = topRow();
    const qsizetype page = pageLines();
    const qsizetype row = m_folds.row(position.line);
    if (row < top)
        verticalScrollBar()->setValue(int(row - firstRow()));
    else if (row >= top + page)
        verticalScrollBar()->setValue(int(row - firstRow() - page + 1));
    const LogLine line = m_log.line(position.line);
    const int x = int(layoutOf(line).columnToX(position.column)) + m_margin;
    const int left = horizontalScrollBar()->value();
    if (x < left + m_margin)
        horizontalScrollBar()->setValue(x < viewport()->width() - consoleMargin ? 0 : x - viewport()->width() / 3);
    else if (x > left + viewport()->width() - consoleMargin)
        horizontalScrollBar()->setValue(x - viewport()->width() * 2 / 3);
}

void ConsoleView::cursorMoved()
{
    // A caret above the last line marks a place where the user wants to stay.
    if (m_cursor.position().line + 1 < m_log.endLine() || m_cursor.hasSelection())
        setFollowing(false);
    showPosition(m_cursor.position());
    viewport()->update();
    readCaretLine();
    Q_EMIT selectionChanged();
}

void ConsoleView::readCaretLine() const
{
    if (!QAccessible::isActive())
        return;
    const qsizetype line = m_cursor.position().line;
    const LogPhase *const phase = m_folds.at(line);
    const QString state = phase ? u' ' + phaseText(*phase) : QString();
    QAccessibleAnnouncementEvent event(const_cast<ConsoleView *>(this), m_log.text(line) + state);
    QAccessible::updateAccessibility(&event);
}

void ConsoleView::copy()
{
    if (m_cursor.hasSelection())
        QGuiApplication::clipboard()->setText(m_cursor.selectedText());
}

void ConsoleView::selectAll()
{
    m_cursor.selectAll();
    setFollowing(false);
    viewport()->update();
    Q_EMIT selectionChanged();
}

void ConsoleView::setSearch(const QString &needle, Qt::CaseSensitivity sensitivity, bool expression)
{
    const LogPosition from = m_cursor.hasSelection() ? m_cursor.selection().first : LogPosition{topLine(), 0};
    m_search.start(LogPattern(needle, sensitivity, expression), from);
}

void ConsoleView::findNext()
{
    m_search.next();
}

void ConsoleView::findPrevious()
{
    m_search.previous();
}

void ConsoleView::selectCurrentMatch()
{
    if (m_search.current() >= 0)
        showMatch();
}

QString ConsoleView::selectedOnOneLine() const
{
    const auto [from, to] = m_cursor.selection();
    return from.line == to.line ? m_cursor.selectedText() : QString();
}

void ConsoleView::showMatch()
{
    const auto [from, to] = m_search.currentMatch();
    setFollowing(false);
    if (const LogPhase *const opened = m_folds.at(m_openedPhase); opened && m_folds.around(from.line) != opened)
        m_folds.setFolded(*opened, true);
    if (const LogPhase *const phase = m_folds.around(from.line); phase && m_folds.isFolded(*phase))
        m_openedPhase = phase->line;
    else if (!phase || phase->line != m_openedPhase)
        m_openedPhase = -1;
    showPosition(from);
    const qsizetype row = m_folds.row(from.line);
    if (row == topRow() || row == topRow() + pageLines() - 1) // center it at an edge
        verticalScrollBar()->setValue(int(row - firstRow() - pageLines() / 2));
    m_cursor.select(from, to);
    showPosition(to);
    showPosition(from);
    viewport()->update();
    Q_EMIT selectionChanged();
}

void ConsoleView::resizeEvent(QResizeEvent *)
{
    updateScrollBars();
}

void ConsoleView::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        measure();
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        m_colors.reset();
    refresh();
}

} // namespace tmx
