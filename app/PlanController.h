// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/Plan.h"
#include "model/workspace/OperationQueue.h"

#include <QObject>

namespace tmx {

class Notices;
class PlanView;
class Workspace;

/// Makes the plan of the branch that is shown, in a worker and only while somebody looks at it; applies what is chosen.
class PlanController : public QObject
{
    Q_OBJECT
public:
    PlanController(Workspace *workspace, PlanView *view, Notices *notices, QObject *parent = nullptr);

    void setVisible(bool visible); ///< the view is in front
    [[nodiscard]] bool isPlanning() const { return m_planning; }

Q_SIGNALS:
    void planned(); ///< the view shows the plan of the snapshot

private:
    void plan();

    Workspace *m_workspace;
    PlanView *m_view;
    std::shared_ptr<const BranchSnapshot> m_planned; ///< the plan that is shown is of it
    quint64 m_generation = 0;
    OperationId m_applying = 0;
    bool m_visible = false;
    bool m_planning = false;
};

} // namespace tmx
