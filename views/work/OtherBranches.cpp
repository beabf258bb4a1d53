// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/work/OtherBranches.h"

#include "views/widgets/Tips.h"
#include "views/widgets/Views.h"

#include <QCheckBox>
#include <QListWidget>
#include <QVBoxLayout>

namespace tmx {

OtherBranches::OtherBranches(QWidget *parent)
    : QWidget(parent)
    , m_box(new QCheckBox(tr("Make the same change on &other branches")))
    , m_list(new QListWidget)
{
    constexpr int shownRows = 5;
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_box);
    layout->addWidget(m_list);
    setPlainToolTip(m_box, tr("All changes are prepared before the first is made, each as one commit on its branch."));
    styleView(m_list);
    m_list->setAccessibleName(tr("Other branches"));
    m_list->setFixedHeight(shownRows * rowHeight(m_list));
    m_list->hide();
    hide();
    connect(m_box, &QCheckBox::toggled, m_list, &QWidget::setVisible);
    connect(m_box, &QCheckBox::toggled, this, &OtherBranches::edited);
    connect(m_list, &QListWidget::itemChanged, this, &OtherBranches::edited);
}

void OtherBranches::setPlaces(const QList<BranchPlace> &places)
{
    m_places = places;
    m_list->clear();
    for (const BranchPlace &place : places) {
        auto *item = new QListWidgetItem(place.label(), m_list);
        item->setData(Qt::ToolTipRole, place.repository);
        item->setCheckState(Qt::Unchecked);
    }
    setVisible(!places.isEmpty());
}

QList<BranchPlace> OtherBranches::chosen() const
{
    QList<BranchPlace> chosen;
    for (int row = 0; row < m_list->count() && m_box->isChecked(); ++row) {
        if (m_list->item(row)->checkState() == Qt::Checked)
            chosen.append(m_places.at(row));
    }
    return chosen;
}

} // namespace tmx
