// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/plan/Plan.h"

#include <QAbstractItemModel>

namespace tmx {

/// A plan as a tree of check boxes: an action a branch of it, with all of its steps below. Checking an action checks each of its steps that is
/// possible; an action of which some are chosen is partly checked. What is kept has no box.
class PlanModel : public QAbstractItemModel
{
    Q_OBJECT
public:
    enum Column { Step, Reason, ColumnCount };
    enum Role {
        NameRole = Qt::UserRole + 1, ///< QString, the variant's (or package's) name; empty for an action
        ActionRole,                  ///< int of PlanStep::Action
    };
    using QAbstractItemModel::QAbstractItemModel;

    /// A plan with the same steps keeps what the user has chosen.
    void setPlan(const Plan &plan);
    [[nodiscard]] const Plan &plan() const { return m_plan; }

    [[nodiscard]] QModelIndex indexOf(PlanStep::Action action) const; ///< invalid when the plan has no such step
    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role = Qt::EditRole) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

Q_SIGNALS:
    void chosenChanged();

private:
    /// Consecutive steps of one action.
    struct Group {
        PlanStep::Action action;
        int first = 0; ///< of m_plan.steps
        int count = 0;
        int chosen = 0;
        int possible = 0;
    };
    void regroup();
    [[nodiscard]] const PlanStep *stepAt(const QModelIndex &index) const;
    [[nodiscard]] QVariant groupData(const Group &group, int column, int role) const;
    [[nodiscard]] QVariant stepData(const PlanStep &step, int column, int role) const;

    Plan m_plan;
    QList<Group> m_groups;
};

/// "Create", "Rewrite", "Rename", "Delete", "Keep"
QString actionWord(PlanStep::Action action);

} // namespace tmx
