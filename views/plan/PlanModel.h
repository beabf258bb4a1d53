// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/Plan.h"

#include <QAbstractItemModel>
#include <QHash>

namespace tmx {

/// A plan as a tree of check boxes: an action a group of it, with all of its steps below. Checking a group checks each
/// of its steps that is possible; a group of which some are chosen is partly checked. What is kept has no box.
class PlanModel : public QAbstractItemModel
{
    Q_OBJECT
public:
    enum Column { Step, Reason, ColumnCount };
    enum Role {
        NameRole = Qt::UserRole + 1, ///< QString, the variant's (or package's) name; empty for a group
        ActionRole,                  ///< int of PlanStep::Action
        GroupRole,                   ///< QString, the word of the group
    };
    using QAbstractItemModel::QAbstractItemModel;

    /// A plan with the same steps keeps what the user has chosen. `groups`, by a step's file: the word of a group of
    /// its own in place of its action's; such groups come after that of the same action.
    void setPlan(const Plan &plan, const QHash<QString, QString> &groups = {});
    [[nodiscard]] const Plan &plan() const { return m_plan; }

    [[nodiscard]] QModelIndex
    indexOf(PlanStep::Action action) const; ///< its first group; invalid when the plan has no such step
    [[nodiscard]] const PlanStep *stepAt(const QModelIndex &index) const; ///< null for a group
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
    /// Consecutive steps of one action and word.
    struct Group {
        PlanStep::Action action;
        QString word;
        int first = 0; ///< of m_plan.steps
        int count = 0;
        int chosen = 0;
        int possible = 0;
    };
    void regroup();
    [[nodiscard]] QVariant groupData(const Group &group, int column, int role) const;
    [[nodiscard]] QVariant stepData(const PlanStep &step, int column, int role) const;

    [[nodiscard]] QString wordOf(const PlanStep &step) const;

    Plan m_plan;
    QHash<QString, QString> m_words; ///< by file: of groups that are not an action's
    QList<Group> m_groups;
};

/// "Create", "Rewrite", "Rename", "Delete", "Keep"
QString actionWord(PlanStep::Action action);

} // namespace tmx
