// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/recipe/CodeColors.h"
#include "views/recipe/Highlighter.h"
#include "views/recipe/Matches.h"
#include "views/recipe/SearchBar.h"

#include <QPlainTextEdit>
#include <QTimer>

namespace tmx {

/// A read-only text with a caret, a gutter, search and colours that arrive in slices of time. What the lines are and
/// what the gutter says is the subclass's. Everything is painted from the palette of the moment: a change of theme
/// needs nothing but a repaint.
class CodeArea : public QPlainTextEdit, public SearchTarget
{
    Q_OBJECT
public:
    explicit CodeArea(QWidget *parent = nullptr);

    /// What the next text is coloured as; see Highlighter.
    void setFile(const QString &file);

    /// Looks for `needle` from the caret on; an empty one ends the search. Stays in force when the text changes.
    void setSearch(const QString &needle, Qt::CaseSensitivity sensitivity, bool expression) override;
    void findNext() override;
    void findPrevious() override;
    [[nodiscard]] int matchCount() const override { return m_matches.count(); }
    [[nodiscard]] int currentMatch() const override { return m_currentMatch + 1; } ///< 1-based; 0 = none
    void selectCurrentMatch() override;
    [[nodiscard]] QString selectedOnOneLine() const override;

    [[nodiscard]] bool isHighlighting() const { return m_slices.isActive(); } ///< text or colours are still to come
    [[nodiscard]] const CodeColors &colors() const { return m_colors; }

Q_SIGNALS:
    void searchChanged(); ///< the count of matches or the current one

protected:
    struct Mark {
        int start = 0;
        int length = 0;
        QColor color;
    };

    /// Replaces the text and keeps the place: caret and scroll bars stay at the lines that they were on, as far as
    /// there are so many. A large text arrives in pieces while the window lives; startHighlighting() must follow.
    void setLines(const QString &text);
    void startHighlighting(); ///< from the first line; formats that are there stay until they are replaced
    void applyFormats(const QTextBlock &block, const Highlighter::Formats &formats);
    void goToLine(int line); ///< 0-based; in the middle of the view where it was not visible
    void updateGutter();

    [[nodiscard]] virtual int gutterWidth() const = 0;
    virtual void paintGutter(QPainter &painter, int line, const QRect &rect) const = 0;
    [[nodiscard]] virtual QColor lineColor(int line) const = 0;  ///< invalid: none
    [[nodiscard]] virtual QList<Mark> marks(int line) const = 0; ///< painted behind parts of the line
    virtual void restartHighlighting() = 0;
    /// Colours one more line; false when there is none left, or none has arrived yet.
    virtual bool highlightNext() = 0;

    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    CodeColors m_colors; // before m_highlighter, which is made from it

protected:
    Highlighter m_highlighter;

private:
    class Gutter;
    void paintGutterArea(QPaintEvent *event);
    void paintBackgrounds(QPainter &painter, const QRect &rect);
    void paintMark(QPainter &painter, const QTextBlock &block, const QPointF &origin, const Mark &mark,
                   bool outlined) const;
    void colorSlice();
    void appendPiece();
    void restorePlace();
    [[nodiscard]] qsizetype nextCut(qsizetype size) const;
    void findAll();
    void setCurrentMatch(int index);
    void colorMatches();
    [[nodiscard]] QRectF lineRect(const QTextBlock &block, qreal top) const;
    void layOut();

    QWidget *m_gutter = nullptr;
    QTimer m_slices;
    QString m_text; ///< what of a large text is still to be appended, from m_arrived on; empty when all is there
    qsizetype m_arrived = 0;
    struct Place {
        int line = 0;
        int column = 0;
        int top = 0;
        int left = 0;
    } m_place;            ///< where the reader was before the text was set
    int m_dirtyFrom = -1; ///< positions whose formats the layout has not seen
    int m_dirtyTo = -1;
    Matches m_matches;
    int m_currentMatch = -1;
};

} // namespace tmx
