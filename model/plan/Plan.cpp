// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/plan/Plan.h"

using namespace Qt::StringLiterals;

namespace tmx {

QString toString(PlanStep::Action action)
{
    switch (action) {
    case PlanStep::Action::Keep:
        return u"keep"_s;
    case PlanStep::Action::Create:
        return u"create"_s;
    case PlanStep::Action::Rewrite:
        return u"rewrite"_s;
    case PlanStep::Action::Rename:
        return u"rename"_s;
    case PlanStep::Action::Delete:
        return u"delete"_s;
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

} // namespace tmx
