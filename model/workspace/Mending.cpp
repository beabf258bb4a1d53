// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/Mending.h"

#include "model/audit/Fix.h"
#include "model/repository/Repository.h"

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

const VariantEntry *entryNamed(const BranchSnapshot &snapshot, const QString &name)
{
    const auto matches = [&name](const VariantEntry &entry) {
        return entry.present && (entry.variant.name() == name || entry.package() == name || entry.file == name ||
                                 entry.package() + ".nix"_L1 == name);
    };
    const auto found = std::ranges::find_if(snapshot.entries, matches);
    return found == snapshot.entries.cend() ? nullptr : &*found;
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

AuditInput auditInputOf(const Catalog &catalog, const BranchSnapshot &snapshot, const VariantEntry &entry)
{
    AuditInput input{&catalog, &snapshot.line, entry.variant, entry.file, entry.text, FileTrouble::None, entry.duplicates, {}};
    for (const VariantEntry &other : snapshot.entries) {
        if (other.present && other.fileStatus != FileStatus::Deleted)
            input.siblings.insert(other.package() + ".nix"_L1, other.text);
    }
    return input;
}

QString findingName(const VariantEntry &entry, const Finding &finding)
{
    const QString name = entry.package() + u':' + finding.rule;
    const auto count = std::ranges::count(entry.findings, finding.rule, &Finding::rule);
    return count > 1 && finding.line > 0 ? name + u':' + QString::number(finding.line) : name;
}

Result<Mending> mendingOf(const Catalog &catalog, const BranchSnapshot &snapshot, const QString &finding, MendingWay way)
{
    const Result<Named> named = namedFinding(finding);
    if (!named)
        return named.error();
    const VariantEntry *entry = entryNamed(snapshot, named->recipe);
    if (!entry)
        return Error{Words::tr("mend"), named->recipe, Words::tr("branch %1 has no such recipe").arg(snapshot.branch), {}};
    QList<Finding> findings = chosen(entry->findings, *named);
    if (findings.isEmpty())
        return Error{Words::tr("mend"), finding, Words::tr("%1 has no such finding").arg(entry->file),
                     Words::tr("\"audit %1\" prints those that it has.").arg(entry->package())};
    Mending mending{entry->variant.name(), entry->file, entry->text, entry->text, findings};
    if (way == MendingWay::Anew) {
        if (entry->rendered.isEmpty())
            return Error{Words::tr("render"), entry->file, Words::tr("the line %1 has no template for it").arg(snapshot.branch), {}};
        mending.after = entry->rendered;
        return mending;
    }
    AuditInput input = auditInputOf(catalog, snapshot, *entry);
    // Mending one moves the others, so they are looked up again each time; each round has one finding less.
    while (!findings.isEmpty()) {
        const Result<QByteArray> text = fixedText(input, findings.constFirst());
        if (!text)
            return text.error();
        input.text = *text;
        findings = named->line < 0 ? chosen(audit(input).findings, *named) : QList<Finding>();
    }
    mending.after = input.text;
    return mending;
}

Result<void> writeMending(const QString &repository, const Mending &mending)
{
    const Result<Repository> opened = Repository::open(repository);
    if (!opened)
        return opened.error();
    return opened->writeRecipe(mending.file, mending.after, mending.before);
}

} // namespace tmx
