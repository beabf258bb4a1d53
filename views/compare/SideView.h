// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/Alignment.h"
#include "views/recipe/CodeArea.h"

namespace tmx {

/// One of two texts that stand side by side: its lines level with those of the other, gaps where the other has more,
/// changed lines tinted and changed words marked, Nix colours.
class SideView : public CodeArea
{
    Q_OBJECT
public:
    enum class Side { Left, Right };
    explicit SideView(Side side, QWidget *parent = nullptr);

    /// `text` is this side's, `other` the one beside it.
    void setTexts(const QByteArray &text, const QByteArray &other, const QList<AlignedLine> &lines);
    void goTo(int line) { goToLine(line); }
    /// Lines that are marked at the gutter: the change that one is at; none when `last` < `first`.
    void setCurrentChange(int first, int last);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    [[nodiscard]] int gutterWidth() const override;
    void paintGutter(QPainter &painter, int line, const QRect &rect) const override;
    [[nodiscard]] QColor lineColor(int line) const override;
    [[nodiscard]] QList<Mark> marks(int line) const override;
    void restartHighlighting() override;
    bool highlightNext() override;

private:
    struct Shown {
        int number = 0; ///< 0: a gap
        bool changed = false;
        int start = 0; ///< the stretch that differs from the line beside it
        int length = 0;
    };
    Side m_side;
    QList<Shown> m_shown;
    int m_first = 0;
    int m_last = -1;
    int m_nextLine = 0;
    Highlighter::State m_state;
};

} // namespace tmx
