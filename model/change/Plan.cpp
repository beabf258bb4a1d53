// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Plan.h"

#include "model/catalog/VariantName.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace tmx {

QString toString(PlanStep::Action action)
{
    switch (action) {
    case PlanStep::Action::Keep: return u"keep"_s;
    case PlanStep::Action::Create: return u"create"_s;
    case PlanStep::Action::Rewrite: return u"rewrite"_s;
    case PlanStep::Action::Rename: return u"rename"_s;
    case PlanStep::Action::Delete: return u"delete"_s;
    }
    Q_UNREACHABLE_RETURN({});
}

QMap<PlanStep::Action, int> Plan::chosen() const
{
    QMap<PlanStep::Action, int> counts;
    for (const PlanStep &step : steps) {
        if (step.chosen)
            ++counts[step.action];
    }
    return counts;
}

bool Plan::isDone() const
{
    return chosen().isEmpty();
}

Result<Plan> onlyNames(const Plan &plan, const QStringList &names)
{
    Plan only = plan;
    for (PlanStep &step : only.steps)
        step.chosen = false;
    for (const QString &name : names) {
        bool found = false;
        QString reason;
        for (PlanStep &step : only.steps) {
            if (step.name != name && packageOf(step.file) != name)
                continue;
            reason = step.reason;
            if (step.action == PlanStep::Action::Keep || !step.possible)
                continue;
            step.chosen = true;
            found = true;
        }
        if (!found)
            return Error{QCoreApplication::translate("tmx::Plan", "choose"), name,
                         reason.isEmpty()
                             ? QCoreApplication::translate("tmx::Plan", "the plan has no step for it")
                             : QCoreApplication::translate("tmx::Plan", "there is nothing to be done about it"),
                         reason};
    }
    return only;
}

} // namespace tmx
