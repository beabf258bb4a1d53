// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/audit/FindingList.h"

#include "views/audit/FindingDelegate.h"
#include "views/widgets/Views.h"

#include <QKeyEvent>

namespace tmx {

FindingList::FindingList(QWidget *parent)
    : QListView(parent)
{
    setItemDelegate(new FindingDelegate(this));
    styleView(this);
    setSelectionMode(SingleSelection);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(this, &QListView::doubleClicked, this, &FindingList::opened);
}

void FindingList::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QListView::currentChanged(current, previous);
    Q_EMIT currentMoved(current);
}

void FindingList::keyPressEvent(QKeyEvent *event)
{
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentIndex().isValid())
        Q_EMIT opened(currentIndex());
    else if (event->key() == Qt::Key_F && event->modifiers() == Qt::NoModifier)
        Q_EMIT fixPressed();
    else
        QListView::keyPressEvent(event);
}

void FindingList::resizeEvent(QResizeEvent *event)
{
    QListView::resizeEvent(event);
    // The sentences must be wrapped again.
    scheduleDelayedItemsLayout();
}

void FindingList::focusInEvent(QFocusEvent *event)
{
    QListView::focusInEvent(event);
    if (!currentIndex().isValid() && event->reason() != Qt::MouseFocusReason && model() && model()->rowCount() > 0)
        setCurrentIndex(model()->index(0, 0)); // So that keyboard users see where they are.
}

} // namespace tmx
