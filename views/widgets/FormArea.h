// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QScrollArea>

namespace tmx {

/// A form or text at its full height while there is room; with less room it scrolls and is never squeezed or cut.
class FormArea : public QScrollArea
{
    Q_OBJECT
public:
    /// `leastRows`: minimum height in lines of text.
    explicit FormArea(QWidget *form, int leastRows = 6, QWidget *parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    int m_leastRows;
};

} // namespace tmx
