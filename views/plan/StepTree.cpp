// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/plan/StepTree.h"

#include "views/plan/PlanModel.h"
#include "views/widgets/Views.h"

#include <QHeaderView>
#include <QSet>
#include <QStyledItemDelegate>

#include <utility>

namespace tmx {

namespace {

/// Room between the steps, so that boxes and names are told apart at a glance.
class RoomyDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const QSize size = QStyledItemDelegate::sizeHint(option, index);
        return {size.width(), size.height() + 8};
    }
};

} // namespace

StepTree::StepTree(QWidget *parent)
    : QTreeView(parent)
    , m_model(new PlanModel(this))
{
    setModel(m_model);
    styleView(this);
    setItemDelegate(new RoomyDelegate(this));
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    header()->setStretchLastSection(true);
    header()->setSectionsMovable(false);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, &StepTree::currentStepChanged);
}

void StepTree::setPlan(const Plan &plan, const QHash<QString, QString> &groups)
{
    const bool another = !std::exchange(m_planned, true) || plan.branch != m_model->plan().branch;
    const PlanStep *current = currentStep();
    const QString file = current ? current->file : QString();
    QSet<QString> known;
    QSet<QString> open;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QString word = m_model->index(row, 0).data(PlanModel::GroupRole).toString();
        known.insert(word);
        if (isExpanded(m_model->index(row, 0)))
            open.insert(word);
    }
    m_model->setPlan(plan, groups);
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QModelIndex group = m_model->index(row, 0);
        const QString word = group.data(PlanModel::GroupRole).toString();
        // What is to be done is seen at once; dozens of recipes that stay are a number.
        const bool keep = group.data(PlanModel::ActionRole).toInt() == int(PlanStep::Action::Keep);
        setExpanded(group, another || !known.contains(word) ? !keep : open.contains(word));
        for (int step = 0; !another && !file.isEmpty() && step < m_model->rowCount(group); ++step) {
            const QModelIndex index = m_model->index(step, 0, group);
            if (m_model->stepAt(index)->file == file)
                setCurrentIndex(index);
        }
    }
}

const PlanStep *StepTree::currentStep() const
{
    return m_model->stepAt(currentIndex());
}

void StepTree::selectFirstStep()
{
    if (m_model->rowCount() > 0)
        setCurrentIndex(m_model->index(0, 0, m_model->index(0, 0)));
}

} // namespace tmx
