// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QScrollArea>

namespace tmx {

/// A page that scrolls, whose contents follow its width. A window that has it behind other pages does not ask for the
/// size of its contents.
class ScrollPage : public QScrollArea
{
    Q_OBJECT
public:
    explicit ScrollPage(QWidget *parent = nullptr)
        : QScrollArea(parent)
    {
        setWidgetResizable(true);
        setFrameShape(NoFrame);
    }
    [[nodiscard]] QSize sizeHint() const override { return {480, 400}; }
};

} // namespace tmx
