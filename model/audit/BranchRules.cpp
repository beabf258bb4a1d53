// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/BranchRules.h"

#include "model/audit/Rules.h"
#include "model/base/Tr.h"
#include "model/settings/PinVersion.h"

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
    return taken(report);
}

} // namespace tmx
