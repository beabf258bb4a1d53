// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/widgets/LatePage.h"

#include <QVBoxLayout>

namespace tmx {

LatePage::LatePage(QWidget *view, QWidget *parent)
    : QWidget(parent)
    , m_view(view)
{
    view->setParent(this);
    setFocusProxy(view);
}

void LatePage::showEvent(QShowEvent *event)
{
    if (!layout()) {
        auto *whole = new QVBoxLayout(this);
        whole->setContentsMargins({});
        whole->addWidget(m_view);
        whole->activate();
    }
    QWidget::showEvent(event);
}

} // namespace tmx
