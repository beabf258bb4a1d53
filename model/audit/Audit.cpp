// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Audit.h"

#include <algorithm>

namespace tmx {

const Finding *Judgement::firstError() const
{
    const auto found = std::ranges::find(findings, Severity::Error, &Finding::severity);
    return found == findings.cend() ? nullptr : &*found;
}

Judgement audit(const AuditInput &input)
{
    Judgement judgement;
    const auto facts = std::make_shared<RecipeFacts>(readFacts(input.text));
    judgement.facts = facts;
    if (facts->error) {
        const Spot &spot = facts->error->spot;
        judgement.findings.append({QStringLiteral("syntax"), Severity::Error,
                                   QStringLiteral("Nix cannot read it: %1.").arg(facts->error->message), spot.line, spot.column,
                                   int(spot.length), {}, false});
    }
    return judgement;
}

const QList<Rule> &auditRules()
{
    static const QList<Rule> rules{{QStringLiteral("syntax"), Severity::Error, QStringLiteral("The file is no Nix expression."), false}};
    return rules;
}

} // namespace tmx
