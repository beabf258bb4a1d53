// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/Alignment.h"
#include "views/recipe/CodeArea.h"

namespace tmx {

/// One of two texts side by side. Its lines are aligned with the other's, with gaps where the other has more lines.
/// Changed lines are tinted and changed words marked; Nix is coloured.
class SideView : public CodeArea
{
    Q_OBJECT
public:
    enum class Side { Left, Right };
    explicit SideView(Side side, QWidget *parent = nullptr);

    /// `text` is this side's text, `other` the other side's.
    void setTexts(const QByteArray &text, const QByteArray &other, const QList<AlignedLine> &lines);
    void goTo(int line) { goToLine(line); }
    /// Marks the lines of the current change in the gutter; none if `last` < `first`.
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
        int start = 0; ///< the part that differs from the other side's line
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
