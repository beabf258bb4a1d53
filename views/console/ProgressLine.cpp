// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/console/ProgressLine.h"

#include "views/theme/Theme.h"

#include <QPainter>

namespace tmx {

ProgressLine::ProgressLine(QWidget *parent)
    : QProgressBar(parent)
{
    setTextVisible(false);
    setFixedHeight(3);
    setRange(0, 1);
    setValue(0);
}

void ProgressLine::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::current(palette());
    QPainter painter(this);
    if (!isEnabled()) {
        painter.fillRect(0, height() - 1, width(), 1, theme.line);
        return;
    }
    painter.fillRect(rect(), theme.barTrack);
    const double share = maximum() > 0 ? double(value()) / maximum() : 0;
    painter.fillRect(QRectF(0, 0, width() * share, height()), theme.build(BuildState::Phase::Running).fill);
}

} // namespace tmx
