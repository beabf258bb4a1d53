// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/recipe/CodeArea.h"

namespace tmx {

/// A recipe with line numbers and Nix colours.
class CodeView : public CodeArea
{
    Q_OBJECT
public:
    explicit CodeView(QWidget *parent = nullptr);

    void setCode(const QByteArray &text); ///< UTF-8; a final line end makes no line of its own
    [[nodiscard]] const QByteArray &code() const { return m_code; }

protected:
    [[nodiscard]] int gutterWidth() const override;
    void paintGutter(QPainter &painter, int line, const QRect &rect) const override;
    [[nodiscard]] QColor lineColor(int line) const override;
    [[nodiscard]] QList<Mark> marks(int line) const override;
    void restartHighlighting() override;
    bool highlightNext() override;

private:
    QByteArray m_code;
    int m_nextLine = 0;
    Highlighter::State m_state;
};

} // namespace tmx
