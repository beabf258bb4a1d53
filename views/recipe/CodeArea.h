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

/// A read-only text with a caret, a gutter, search and colours that are added in time slices. A subclass defines the
/// lines and the gutter. Everything is painted from the current palette, so a change of theme needs only a repaint.
class CodeArea : public QPlainTextEdit, public SearchTarget
{
    Q_OBJECT
public:
    explicit CodeArea(QWidget *parent = nullptr);

    /// The file whose language the next text is coloured as; see Highlighter.
    void setFile(const QString &file);

    /// Searches for `needle` from the caret on; an empty needle ends the search. The search stays active when the text
    /// changes.
    void setSearch(const QString &needle, Qt::CaseSensitivity sensitivity, bool expression) override;
    void findNext() override;
    void findPrevious() override;
    [[nodiscard]] int matchCount() const override { return m_matches.count(); }
    [[nodiscard]] int currentMatch() const override { return m_currentMatch + 1; } ///< 1-based; 0 = none
    void selectCurrentMatch() override;
    [[nodiscard]] QString selectedOnOneLine() const override;

    [[nodiscard]] bool isHighlighting() const { return m_slices.isActive(); } ///< text or colours are still incomplete
    [[nodiscard]] const CodeColors &colors() const { return m_colors; }

Q_SIGNALS:
    void searchChanged(); ///< the count of matches or the current one changed

protected:
    struct Mark {
        int start = 0;
        int length = 0;
        QColor color;
    };

    /// Replaces the text. Caret and scroll bars stay at their lines, as far as these exist. A large text is appended in
    /// pieces while the window stays responsive. Call startHighlighting() afterwards.
    void setLines(const QString &text);
    void startHighlighting(); ///< from the first line; existing formats stay until they are replaced
    void applyFormats(const QTextBlock &block, const Highlighter::Formats &formats);
    void goToLine(int line); ///< 0-based; centered if it was not visible
    void updateGutter();

    [[nodiscard]] virtual int gutterWidth() const = 0;
    virtual void paintGutter(QPainter &painter, int line, const QRect &rect) const = 0;
    [[nodiscard]] virtual QColor lineColor(int line) const = 0;  ///< invalid: none
    [[nodiscard]] virtual QList<Mark> marks(int line) const = 0; ///< painted behind parts of the line
    virtual void restartHighlighting() = 0;
    /// Colours one more line. Returns false if no line is left, or if the next one is not appended yet.
    virtual bool highlightNext() = 0;

    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    CodeColors m_colors; // Declared before m_highlighter, which is constructed from it.

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
    QString m_text; ///< a large text, of which the part from m_arrived on is not appended yet; empty when all is
                    ///< appended
    qsizetype m_arrived = 0;
    struct Place {
        int line = 0;
        int column = 0;
        int top = 0;
        int left = 0;
    } m_place;            ///< caret and scroll position before the text was replaced
    int m_dirtyFrom = -1; ///< range of positions whose formats the layout has not processed
    int m_dirtyTo = -1;
    Matches m_matches;
    int m_currentMatch = -1;
};

} // namespace tmx
