// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/BranchContents.h"

#include "model/audit/Audit.h"
#include "model/catalog/VariantName.h"

#include <QFile>

/// Recipes to audit: rendered ones of the built-in settings, fixtures, and modified versions of both.
namespace tmx::testing {

inline QByteArray renderedText(const QString &branch, const QString &name)
{
    const auto catalog = builtInCatalog();
    const auto parsed = VariantName::parse(name, catalog->isaIds());
    RecipeRenderer renderer(catalog);
    const auto text = renderer.render(*catalog->settings(branch), parsed.value().variant);
    if (!text)
        qFatal("%s", qPrintable(text.error().sentence()));
    return *text;
}

inline QByteArray fixtureText(const QString &name)
{
    QFile file(QStringLiteral(TM_FIXTURES "/recipes/") + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no fixture %s", qPrintable(name));
    return file.readAll();
}

/// The recipe `name` (without ".nix") of built-in settings.
inline AuditInput inputOf(const QString &branch, const QString &name, const QByteArray &text)
{
    const auto catalog = builtInCatalog();
    const auto parsed = VariantName::parse(name, catalog->isaIds());
    if (!parsed)
        qFatal("%s is no variant", qPrintable(name));
    AuditInput input;
    input.catalog = catalog.get();
    input.settings = catalog->settings(branch);
    input.variant = parsed->variant;
    if (input.variant.cuda.isEmpty() && input.variant.row.startsWith(QLatin1String("sm")))
        input.variant.cuda = input.settings->toolkits().constFirst();
    input.file = recipePath(name);
    input.text = text;
    return input;
}

inline QStringList rulesOf(const Judgement &judgement, Severity least = Severity::Note)
{
    QStringList rules;
    for (const Finding &finding : judgement.findings) {
        if (finding.severity >= least)
            rules.append(finding.rule);
    }
    return rules;
}

} // namespace tmx::testing
