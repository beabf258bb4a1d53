// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/plan/PlanModel.h"

#include <QFont>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

QString actionWord(PlanStep::Action action)
{
    switch (action) {
    case PlanStep::Action::Keep: return PlanModel::tr("Keep");
    case PlanStep::Action::Create: return PlanModel::tr("Create");
    case PlanStep::Action::Rewrite: return PlanModel::tr("Rewrite");
    case PlanStep::Action::Rename: return PlanModel::tr("Rename");
    case PlanStep::Action::Delete: return PlanModel::tr("Delete");
    }
    Q_UNREACHABLE_RETURN({});
}

QString PlanModel::wordOf(const PlanStep &step) const
{
    const auto own = m_words.constFind(step.file);
    return own == m_words.cend() ? actionWord(step.action) : *own;
}

void PlanModel::setPlan(const Plan &plan, const QHash<QString, QString> &groups)
{
    Plan next = plan;
    // What the user ticked outlives a refresh as long as the step is the same.
    if (m_plan.branch == next.branch) {
        for (PlanStep &step : next.steps) {
            const auto same = [&step](const PlanStep &old) {
                return old.action == step.action && old.file == step.file && old.reason == step.reason;
            };
            const auto old = std::ranges::find_if(m_plan.steps, same);
            if (old != m_plan.steps.end() && step.possible)
                step.chosen = old->chosen;
        }
    }
    // Work first; what is kept is read last.
    std::ranges::stable_sort(next.steps, {}, [&groups](const PlanStep &step) {
        return std::pair(step.action == PlanStep::Action::Keep ? 100 : int(step.action), groups.value(step.file));
    });
    if (next == m_plan && groups == m_words)
        return;
    beginResetModel();
    m_plan = std::move(next);
    m_words = groups;
    regroup();
    endResetModel();
    Q_EMIT chosenChanged();
}

void PlanModel::regroup()
{
    m_groups.clear();
    for (int i = 0; i < m_plan.steps.size(); ++i) {
        const PlanStep &step = m_plan.steps.at(i);
        const QString word = wordOf(step);
        if (m_groups.isEmpty() || m_groups.constLast().action != step.action || m_groups.constLast().word != word)
            m_groups.append({step.action, word, i});
        Group &group = m_groups.last();
        ++group.count;
        group.chosen += step.chosen;
        group.possible += step.possible && step.action != PlanStep::Action::Keep;
    }
}

QModelIndex PlanModel::indexOf(PlanStep::Action action) const
{
    const auto group = std::ranges::find(m_groups, action, &Group::action);
    return group == m_groups.end() ? QModelIndex() : index(int(group - m_groups.begin()), 0);
}

// The internal id of a step is its group's row + 1; of a group 0.
QModelIndex PlanModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row() + 1) : quintptr(0));
}

QModelIndex PlanModel::parent(const QModelIndex &index) const
{
    return index.isValid() && index.internalId() > 0 ? createIndex(int(index.internalId()) - 1, 0, quintptr(0))
                                                     : QModelIndex();
}

int PlanModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return int(m_groups.size());
    return parent.internalId() == 0 && parent.column() == 0 ? m_groups.at(parent.row()).count : 0;
}

int PlanModel::columnCount(const QModelIndex &) const
{
    return ColumnCount;
}

const PlanStep *PlanModel::stepAt(const QModelIndex &index) const
{
    if (!index.isValid() || index.internalId() == 0)
        return nullptr;
    return &m_plan.steps.at(m_groups.at(qsizetype(index.internalId()) - 1).first + index.row());
}

QVariant PlanModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (const PlanStep *step = stepAt(index))
        return stepData(*step, index.column(), role);
    return groupData(m_groups.at(index.row()), index.column(), role);
}

QVariant PlanModel::groupData(const Group &group, int column, int role) const
{
    const bool keep = group.action == PlanStep::Action::Keep;
    switch (role) {
    case Qt::DisplayRole:
        if (column == Step)
            return tr("%1 %2", "action and count").arg(group.word).arg(group.count);
        return keep ? QString() : tr("%1 of %2 chosen").arg(group.chosen).arg(group.count);
    case Qt::FontRole: {
        QFont bold;
        bold.setBold(true);
        return column == Step ? bold : QVariant();
    }
    case Qt::CheckStateRole:
        if (column != Step || keep || group.possible == 0)
            return {};
        return group.chosen == 0 ? Qt::Unchecked : group.chosen == group.possible ? Qt::Checked : Qt::PartiallyChecked;
    case ActionRole: return int(group.action);
    case NameRole: return QString();
    case GroupRole: return group.word;
    default: return {};
    }
}

QVariant PlanModel::stepData(const PlanStep &step, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole: return column == Step ? step.name : step.reason;
    case Qt::ToolTipRole:
        return step.action == PlanStep::Action::Rename
                   ? tr("%1\n%2 becomes %3").arg(step.reason, step.file, step.newFile)
                   : tr("%1\n%2", "reason, file").arg(step.reason, step.file);
    case Qt::AccessibleTextRole:
        return column == Step ? tr("%1 %2", "action and name").arg(wordOf(step), step.name) : step.reason;
    case Qt::CheckStateRole:
        if (column != Step || step.action == PlanStep::Action::Keep || !step.possible)
            return {};
        return step.chosen ? Qt::Checked : Qt::Unchecked;
    case ActionRole: return int(step.action);
    case NameRole: return step.name;
    case GroupRole: return wordOf(step);
    default: return {};
    }
}

bool PlanModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::CheckStateRole || !flags(index).testFlag(Qt::ItemIsUserCheckable))
        return false;
    const bool chosen = Qt::CheckState(value.toInt()) == Qt::Checked;
    const int row = index.internalId() > 0 ? int(index.internalId()) - 1 : index.row();
    const Group group = m_groups.at(row);
    for (int i = group.first; i < group.first + group.count; ++i) {
        PlanStep &step = m_plan.steps[i];
        if (step.possible && (index.internalId() == 0 || i == group.first + index.row()))
            step.chosen = chosen;
    }
    regroup();
    const QModelIndex top = this->index(row, 0);
    Q_EMIT dataChanged(top, top.siblingAtColumn(Reason), {Qt::CheckStateRole, Qt::DisplayRole});
    Q_EMIT dataChanged(this->index(0, 0, top), this->index(group.count - 1, 0, top), {Qt::CheckStateRole});
    Q_EMIT chosenChanged();
    return true;
}

QVariant PlanModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == Step ? tr("Step") : tr("Why");
}

Qt::ItemFlags PlanModel::flags(const QModelIndex &index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (index.column() == Step && data(index, Qt::CheckStateRole).isValid())
        flags |= Qt::ItemIsUserCheckable;
    return flags;
}

} // namespace tmx
