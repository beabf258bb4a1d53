// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QScrollArea>

namespace tmx {

/// A form that is as high as it wants to be while there is room, and scrolls where there is less: its fields are never
/// squeezed.
class FormArea : public QScrollArea
{
    Q_OBJECT
public:
    explicit FormArea(QWidget *form, QWidget *parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
};

} // namespace tmx
