// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/Plan.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QStackedWidget;

namespace tmx {

class PlanModel;
class StepTree;

/// What a branch needs to be what its line promises, with a check box and a reason for each step. Shows and asks; does
/// nothing itself.
class PlanView : public QWidget
{
    Q_OBJECT
public:
    explicit PlanView(QWidget *parent = nullptr);

    void setPlanning(); ///< a plan is being made: what is shown stays
    void setPlan(const Plan &plan);
    void setBusy(bool busy); ///< it is being applied
    [[nodiscard]] PlanModel *model() const;

Q_SIGNALS:
    void stepSelected(const QString &name); ///< the variant (or package) of the current step
    void applyRequested(const tmx::Plan &plan);

private:
    [[nodiscard]] QWidget *makeFooter();
    void choose(bool all);
    void updateSummary();

    StepTree *m_tree;
    PlanModel *m_model; ///< the tree's
    QStackedWidget *m_stack;
    QLabel *m_nothing;
    QLabel *m_intro;
    QLabel *m_summary;
    QPushButton *m_all;
    QPushButton *m_none;
    QPushButton *m_apply;
    bool m_planned = false;
    bool m_busy = false;
};

} // namespace tmx
