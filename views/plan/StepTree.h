// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/Plan.h"

#include <QTreeView>

namespace tmx {

class PlanModel;

/// Steps with their check boxes, in groups. Another plan of the same branch keeps the current step, and the groups open
/// that were.
class StepTree : public QTreeView
{
    Q_OBJECT
public:
    explicit StepTree(QWidget *parent = nullptr);

    void setPlan(const Plan &plan, const QHash<QString, QString> &groups = {}); ///< as PlanModel's
    [[nodiscard]] PlanModel *steps() const { return m_model; }
    [[nodiscard]] const PlanStep *currentStep() const; ///< null: a group, or none
    void selectFirstStep();

Q_SIGNALS:
    void currentStepChanged();

private:
    PlanModel *m_model;
    bool m_planned = false;
};

} // namespace tmx
