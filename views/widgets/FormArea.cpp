// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/widgets/FormArea.h"

#include <QEvent>
#include <QScrollBar>

#include <algorithm>

namespace tmx {

FormArea::FormArea(QWidget *form, QWidget *parent)
    : QScrollArea(parent)
{
    setFrameShape(NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidgetResizable(true);
    setWidget(form);
    setFocusPolicy(Qt::NoFocus); // Tab goes through the fields, which bring themselves into sight
    viewport()->setAutoFillBackground(false);
    form->setAutoFillBackground(false);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    setSizePolicy(policy);
    form->installEventFilter(this);
}

QSize FormArea::sizeHint() const
{
    const int high = widget()->hasHeightForWidth() && width() > 0 ? widget()->heightForWidth(width()) : -1;
    const QSize hint = widget()->sizeHint();
    return {hint.width(), std::max(high, hint.height())};
}

QSize FormArea::minimumSizeHint() const
{
    constexpr int rows = 6;
    return {widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width(),
            std::min(sizeHint().height(), fontMetrics().lineSpacing() * rows)};
}

bool FormArea::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == widget() && event->type() == QEvent::LayoutRequest)
        updateGeometry();
    return QScrollArea::eventFilter(watched, event);
}

void FormArea::resizeEvent(QResizeEvent *event)
{
    QScrollArea::resizeEvent(event);
    updateGeometry(); // wrapped texts are higher where it is narrower
}

} // namespace tmx
