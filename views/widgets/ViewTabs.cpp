// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/widgets/ViewTabs.h"

#include "views/widgets/LatePage.h"

namespace tmx {

void ViewTabs::addView(QWidget *view, const QString &title)
{
    addTab(count() == 0 ? view : new LatePage(view), title);
}

QWidget *ViewTabs::viewAt(int tab) const
{
    QWidget *page = widget(tab);
    const auto *late = qobject_cast<const LatePage *>(page);
    return late ? late->view() : page;
}

int ViewTabs::tabOf(const QWidget *view) const
{
    for (int tab = 0; tab < count(); ++tab) {
        if (viewAt(tab) == view)
            return tab;
    }
    return -1;
}

} // namespace tmx
