// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/BranchRules.h"

#include "model/audit/Audit.h"
#include "model/audit/Rules.h"
#include "model/base/Surface.h"
#include "model/base/Tr.h"
#include "model/settings/PinVersion.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

QList<Finding> taken(Report &report)
{
    QList<Finding> findings;
    for (Report::Found &found : report.found)
        findings.append(std::move(found.finding));
    return findings;
}

} // namespace

QList<Finding> auditSettings(const Catalog &catalog, const Settings &settings, const Settings *former)
{
    Report report;
    report.begin(u"version-not-of-pin"_s, Severity::Error);
    for (const VersionNotOfPin &found : versionsNotOfPins(catalog, settings, former))
        report.add({}, found.sentence, found.advice);
    report.begin(u"ignore-unknown"_s, Severity::Warning);
    for (const IgnoredRule &ignored : settings.ignored) {
        if (std::ranges::find(auditRules(), ignored.rule, &Rule::id) == auditRules().end())
            report.add(
                {}, Tr::tr("[[ignore]] names the rule %1, which does not exist.").arg(ignored.rule),
                forSurface(Tr::tr("\"torch-matrix audit --rules\" lists them."), Tr::tr("The manual lists them.")));
    }
    return taken(report);
}

} // namespace tmx
