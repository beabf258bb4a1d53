// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/Operations.h"

#include <QObject>
#include <QTimer>

namespace tmx {

class Notices;
class PlanView;
class Workspace;
struct BranchSnapshot;

/// Plans the shown branch, but only while the plan is visible, and applies the chosen files.
class PlanController : public QObject
{
    Q_OBJECT
public:
    PlanController(Workspace *workspace, PlanView *view, Notices *notices, QObject *parent = nullptr);

    void setVisible(bool visible); ///< the view is in front
    [[nodiscard]] bool isPlanning() const { return m_planning || isCounting(); }

Q_SIGNALS:
    void planned(); ///< the view shows the plan of the snapshot, or why there is none

private:
    void plan();
    void countAgain();
    void apply();
    [[nodiscard]] bool isCounting() const { return m_counting || m_soon.isActive(); }

    Workspace *m_workspace;
    PlanView *m_view;
    Notices *m_notices;
    std::shared_ptr<const BranchSnapshot> m_planned; ///< the snapshot of the plan that is shown or being made
    QStringList m_shown;                             ///< repository and branch of the plan that is shown with all texts
    bool m_isFirst = false;                          ///< m_planning is without the texts of what is not chosen
    OperationId m_planning = 0;
    OperationId m_counting = 0; ///< prepares the tables and documents of the chosen steps
    OperationId m_applying = 0;
    QTimer m_soon;            ///< the user may tick several
    QStringList m_counted;    ///< steps that the shown tables and documents are for
    bool m_applySoon = false; ///< the user wants them applied, once they are counted
    bool m_visible = false;
};

} // namespace tmx
