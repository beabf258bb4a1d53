// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QScrollArea>

namespace tmx {

/// A form, or a text, that is as high as it wants to be while there is room, and scrolls where there is less: it is
/// never squeezed or cut.
class FormArea : public QScrollArea
{
    Q_OBJECT
public:
    /// `leastRows`: lines of text that it is high at the least.
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
