// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/log/LogFile.h"
#include "model/log/LogTimes.h"
#include "views/console/AnsiColors.h"
#include "views/console/ConsoleCursor.h"
#include "views/console/ConsoleSearch.h"
#include "views/console/LogFolds.h"
#include "views/recipe/SearchBar.h"

#include <QAbstractScrollArea>
#include <QElapsedTimer>

#include <optional>

namespace tmx {

class LineLayout;
class MarkedScrollBar;

/// A growing log that paints visible lines only, with the time since its start in the margin. It has a caret, so that
/// the keyboard reaches and selects all of it. It follows its end until the user moves elsewhere, and again when the
/// user returns to the end.
class ConsoleView : public QAbstractScrollArea, public SearchTarget
{
    Q_OBJECT
public:
    explicit ConsoleView(QWidget *parent = nullptr);

    void open(const QString &path); ///< the log's path; the file may grow, and may not exist yet. Empty: none
    void clear();                   ///< hides the existing lines; the file does not change
    /// The derivation whose name is not shown in front of its lines; empty: none.
    void setMain(const QString &derivation);
    /// Each becomes one row with its duration as it ends, unless it failed, or is being read. Return, Space or a click
    /// on its row opens and folds it.
    void setPhases(const QList<LogPhase> &phases);
    /// Marks errors on the scroll bar: of the log that is shown now, once a worker has found them.
    void markErrors();
    void showOffset(qint64 offset); ///< selects the line that contains this byte of the file
    [[nodiscard]] const LogFile &log() const { return m_log; }
    [[nodiscard]] bool isUpToDate() const { return m_log.isUpToDate(); }

    [[nodiscard]] bool isFollowing() const { return m_following; }
    void setFollowing(bool following);

    [[nodiscard]] bool hasSelection() const { return m_cursor.hasSelection(); }
    [[nodiscard]] QString selectedText() const { return m_cursor.selectedText(); }
    void copy();
    void selectAll();

    void setSearch(const QString &needle, Qt::CaseSensitivity sensitivity, bool expression) override;
    [[nodiscard]] bool takesExpressions() const override { return true; }
    [[nodiscard]] QString searchError() const override { return m_search.pattern().error(); }
    void findNext() override;
    void findPrevious() override;
    [[nodiscard]] int matchCount() const override { return m_search.count(); }
    [[nodiscard]] int currentMatch() const override { return m_search.current() + 1; }
    [[nodiscard]] bool isSearching() const { return !m_search.isComplete(); } ///< more matches may come
    void selectCurrentMatch() override;
    [[nodiscard]] QString selectedOnOneLine() const override;

Q_SIGNALS:
    void followingChanged(bool following);
    void selectionChanged();
    void searchChanged(); ///< the count of matches or the current one changed
    void findRequested(); ///< from the context menu
    void saveRequested();
    void folderRequested(); ///< to open the folder of the log
    void cleared();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void changeEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    void startAfresh();
    void refresh(); ///< updates scroll bars and painting after the log has grown
    void updateScrollBars();
    void measure();
    void updateMarks();
    void foldingChanged(qsizetype line, qsizetype top); ///< `line`: stays in its place if `top` was the first row
    void toggle(const LogPhase &phase);
    void setAllFolded(bool folded);
    void reveal(qsizetype line); ///< opens the phase that hides it
    void paintPhase(QPainter &painter, const LogPhase &phase, qreal left, qreal top) const;
    void cursorMoved();
    void showPosition(LogPosition position);
    void showMatch();
    void readCaretLine() const;
    void paintLine(QPainter &painter, qsizetype line, qreal top);
    void paintMatches(QPainter &painter, LineLayout &layout, QPointF origin, qsizetype line, const QString &text) const;
    void readTimes();
    void paintMargin(QPainter &painter, qsizetype line, qreal top) const;
    [[nodiscard]] QString timeOf(qsizetype line) const; ///< empty: unknown
    [[nodiscard]] qsizetype hiddenIn(const LogLine &line) const;
    [[nodiscard]] LineLayout layoutOf(const LogLine &line) const;
    [[nodiscard]] LogPosition positionAt(QPointF point) const;
    [[nodiscard]] qsizetype topRow() const; ///< rows count from the log's first line, hidden or not
    [[nodiscard]] qsizetype topLine() const { return m_folds.line(topRow()); }
    [[nodiscard]] qsizetype firstRow() const { return m_folds.row(m_log.firstLine()); } ///< of the scroll bar
    [[nodiscard]] qsizetype endRow() const;
    [[nodiscard]] QString phaseText(const LogPhase &phase) const;
    [[nodiscard]] qsizetype pageLines() const;
    [[nodiscard]] int arrowWidth() const; ///< in front of the lines, if there are phases

    LogFile m_log;
    LogFolds m_folds;
    ConsoleCursor m_cursor{m_log, m_folds};
    ConsoleSearch m_search{m_log};
    std::optional<AnsiColors> m_colors; ///< for the current palette; computed again when it changes
    QTimer m_refresh;
    QTimer m_autoScroll; ///< while a selection is dragged beyond the view
    QElapsedTimer m_doubleClick;
    QPointF m_lastPoint;
    LogTimes m_times;
    QString m_main;
    QList<double> m_errors; ///< places of marks: shares of the lines
    MarkedScrollBar *m_bar;
    QTimer m_readTimes;
    bool m_readingTimes = false;
    qreal m_cell = 1; ///< width of a character
    int m_margin = 0; ///< in front of the lines
    int m_lineHeight = 1;
    bool m_following = true;
    bool m_settingBars = false;
    bool m_dragging = false;
    qsizetype m_openedPhase = -1;  ///< line of the phase that the search opened and folds when it leaves it; -1: none
    qsizetype m_pressedPhase = -1; ///< line of the phase that the next release opens or folds; -1: none
};

} // namespace tmx
