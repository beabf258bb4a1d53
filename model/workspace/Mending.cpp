// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/Mending.h"

#include "model/audit/Fix.h"
#include "model/catalog/VariantName.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(tmx::Mending)
};

/// "NAME:RULE:LINE" in its parts.
struct Named {
    QString recipe;
    QString rule;
    int line = -1; ///< -1: any
};

Result<Named> namedFinding(const QString &text)
{
    QStringList parts = text.split(u':');
    Named named;
    bool isLine = false;
    if (parts.size() == 3)
        named.line = parts.takeLast().toInt(&isLine);
    if (parts.size() != 2 || parts.at(0).isEmpty() || parts.at(1).isEmpty() || (named.line >= 0 && !isLine))
        return Error{Words::tr("mend"), text, Words::tr("that is not the name of a finding"),
                     Words::tr("\"audit\" prints their names: NAME:RULE, or NAME:RULE:LINE.")};
    named.recipe = parts.at(0);
    named.rule = parts.at(1);
    return named;
}

Error notOfText(const VariantEntry &entry, const Finding &finding)
{
    QString why = finding.sentence;
    why[0] = why.at(0).toLower();
    QString remedy = finding.advice;
    if (finding.rule.startsWith("name-"_L1) || finding.rule == "duplicate"_L1)
        remedy += u' ' + Words::tr("\"plan\" shows how, and does it.");
    return {Words::tr("mend %1 in").arg(finding.rule), entry.file, why, remedy};
}

QList<Finding> chosen(const QList<Finding> &findings, const Named &named)
{
    QList<Finding> list;
    for (const Finding &finding : findings) {
        if (finding.rule == named.rule && (named.line < 0 || finding.line == named.line))
            list.append(finding);
    }
    return list;
}

} // namespace

const VariantEntry *presentEntry(const BranchSnapshot &snapshot, const QString &name)
{
    const auto matches = [&name](const VariantEntry &entry) {
        return entry.present && (entry.variant.name() == name || entry.package() == name || entry.file == name ||
                                 entry.package() + ".nix"_L1 == name);
    };
    const auto found = std::ranges::find_if(snapshot.entries, matches);
    return found == snapshot.entries.cend() ? nullptr : &*found;
}

QString furtherFile(const BranchSnapshot &snapshot, const QString &name)
{
    for (auto it = snapshot.otherFindings.begin(); it != snapshot.otherFindings.end(); ++it) {
        if (packageOf(it.key()) == name || it.key() == name)
            return it.key();
    }
    return {};
}

bool isOfText(const Finding &finding)
{
    const bool unreadable = finding.rule.startsWith("file-"_L1) && finding.rule != "file-empty"_L1;
    return !unreadable && !finding.rule.startsWith("name-"_L1) && finding.rule != "duplicate"_L1 &&
           finding.rule != "cell-invalid"_L1;
}

QString findingName(const VariantEntry &entry, const Finding &finding)
{
    const QString name = entry.package() + u':' + finding.rule;
    const auto count = std::ranges::count(entry.findings, finding.rule, &Finding::rule);
    return count > 1 && finding.line > 0 ? name + u':' + QString::number(finding.line) : name;
}

Result<RewriteOffer> offerNamed(const std::shared_ptr<const Catalog> &catalog,
                                const std::shared_ptr<const BranchSnapshot> &snapshot, const QString &finding,
                                MendingWay way)
{
    const Result<Named> named = namedFinding(finding);
    if (!named)
        return named.error();
    const VariantEntry *entry = presentEntry(*snapshot, named->recipe);
    if (const QString path = furtherFile(*snapshot, named->recipe); !entry && !path.isEmpty())
        return Error{Words::tr("mend"), path, Words::tr("it is not its cell's recipe"),
                     Words::tr("Rename or delete it; \"plan\" shows how.")};
    if (!entry)
        return Error{
            Words::tr("mend"), named->recipe, Words::tr("branch %1 has no such recipe").arg(snapshot->branch), {}};
    QList<Finding> findings = chosen(entry->findings, *named);
    if (findings.isEmpty())
        return Error{Words::tr("mend"), finding, Words::tr("%1 has no such finding").arg(entry->file),
                     Words::tr("\"audit %1\" prints those that it has.").arg(entry->package())};
    if (!isOfText(findings.constFirst()))
        return notOfText(*entry, findings.constFirst());
    if (way == MendingWay::Anew)
        return offerTemplate(catalog, snapshot, *entry);
    Result<RewriteOffer> offer = offerFix(catalog, snapshot, *entry, findings.constFirst());
    if (!offer || named->line >= 0)
        return offer;
    // Mending one moves the others, so they are looked up again each time; each round has one finding less.
    AuditInput input = auditInputOf(*catalog, *snapshot, *entry);
    input.text = offer->after;
    while (!(findings = chosen(audit(input).findings, *named)).isEmpty()) {
        const Result<QByteArray> text = fixedText(input, findings.constFirst());
        if (!text)
            return text.error();
        input.text = *text;
    }
    offer->after = input.text;
    offer->diff = diffTexts(offer->before, offer->after);
    return offer;
}

} // namespace tmx
