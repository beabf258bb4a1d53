// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/widgets/FormArea.h"

#include <QEvent>
#include <QLayout>
#include <QScrollBar>

#include <algorithm>

namespace tmx {

FormArea::FormArea(QWidget *form, int leastRows, QWidget *parent)
    : QScrollArea(parent)
    , m_leastRows(leastRows)
{
    setFrameShape(NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidgetResizable(true);
    setWidget(form);
    setFocusPolicy(Qt::NoFocus); // Tab moves through the fields, which scroll themselves into view.
    viewport()->setAutoFillBackground(false);
    form->setAutoFillBackground(false);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    form->installEventFilter(this);
}

QSize FormArea::sizeHint() const
{
    const QSize hint = widget()->sizeHint();
    const QLayout *layout = widget()->layout();
    const bool wraps = layout ? layout->hasHeightForWidth() : widget()->sizePolicy().hasHeightForWidth();
    return wraps && viewport()->width() > 0 ? QSize(hint.width(), widget()->heightForWidth(viewport()->width())) : hint;
}

QSize FormArea::minimumSizeHint() const
{
    return {widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width(),
            std::min(sizeHint().height(), fontMetrics().lineSpacing() * m_leastRows)};
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
    updateGeometry(); // Wrapped texts are higher if it is narrower.
}

} // namespace tmx
