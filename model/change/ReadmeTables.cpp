// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Readme.h"

#include "model/compare/Markdown.h"

#include <QCoreApplication>
#include <QSet>

#include <algorithm>
#include <map>
#include <set>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(tmx::Readme)
};

/// What the recipes of a branch come to.
struct Sums {
    int there = 0;
    int missing = 0;
    QSet<QString> families;
    std::set<QString, bool (*)(const QString &, const QString &)> cudas{
        [](const QString &a, const QString &b) { return compareVersions(a, b) < 0; }};
    std::set<QString> pythons;
    QString driver;   ///< lowest that runs one of them
    QStringList pins; ///< of nixpkgs, as the line has them, the most used first
};

Sums sumsOf(const Catalog &catalog, const BranchSnapshot &snapshot)
{
    Sums sums;
    QMap<QString, int> pins;
    for (const VariantEntry &entry : snapshot.entries) {
        sums.missing += !entry.present && entry.covered;
        if (!entry.present)
            continue;
        ++sums.there;
        sums.families.insert(entry.variant.family);
        sums.pythons.insert(pythonVersion(entry.variant.python));
        if (const QString pin = snapshot.line.profileOf(entry.variant).pin.revision; !pin.isEmpty())
            ++pins[pin];
        if (entry.variant.cuda.isEmpty())
            continue;
        sums.cudas.insert(entry.variant.cuda);
        const QString floor = catalog.driverFloor(entry.variant);
        if (!floor.isEmpty() && (sums.driver.isEmpty() || compareVersions(floor, sums.driver) < 0))
            sums.driver = floor;
    }
    sums.pins = pins.keys();
    std::ranges::stable_sort(sums.pins, std::greater(), [&pins](const QString &pin) { return pins.value(pin); });
    return sums;
}

template <class List>
QString joined(const List &list)
{
    return QStringList(list.begin(), list.end()).join(u", "_s);
}

/// "PyTorch 2.8.0, torchvision 0.23.0": families that are there, with their versions where the line knows them.
QString versions(const Catalog &catalog, const BranchSnapshot &snapshot, const QSet<QString> &families)
{
    QStringList words;
    for (const Family &family : catalog.families) {
        if (families.contains(family.id))
            words.append((family.title + u' ' + snapshot.line.versionOf(family.id)).trimmed());
    }
    return words.join(u", "_s);
}

QString versionOf(const BranchSnapshot &snapshot, const QSet<QString> &families)
{
    if (const QString torch = snapshot.line.versionOf(u"pytorch"_s); !torch.isEmpty())
        return torch;
    for (const QString &family : families) {
        if (const QString version = snapshot.line.versionOf(family); !version.isEmpty())
            return family + u' ' + version;
    }
    return {};
}

QString sheetTable(const Catalog &catalog, const QList<const VariantEntry *> &entries)
{
    QStringList head{Words::tr("GPU"), Words::tr("products")};
    QStringList isas;
    const QStringList known = catalog.isaIds() + QStringList{QString()};
    for (const QString &isa : known) {
        if (std::ranges::any_of(entries, [&](const VariantEntry *entry) { return entry->variant.isa == isa; })) {
            isas.append(isa);
            head.append(isa.isEmpty() ? u"–"_s : codeInMarkdownCell(isa));
        }
    }
    QList<QStringList> rows;
    for (const GpuRow &row : catalog.rows) {
        QStringList cells{
            codeInMarkdownCell(row.id),
            inMarkdownCell(row.products.isEmpty() ? row.generation : row.products.mid(0, 3).join(u", "_s))};
        bool any = false;
        for (const QString &isa : std::as_const(isas)) {
            const auto entry = std::ranges::find_if(entries, [&](const VariantEntry *one) {
                return one->variant.row == row.id && one->variant.isa == isa;
            });
            any = any || entry != entries.end();
            cells.append(entry == entries.end() ? QString()
                         : (*entry)->present    ? Words::tr("yes")
                                                : Words::tr("missing"));
        }
        if (any)
            rows.append(cells);
    }
    return markdownTable(head, rows);
}

QString branchTable(const Catalog &catalog, const BranchSnapshot &own, const QList<ReadBranch> &all)
{
    const QStringList head{Words::tr("branch"),   Words::tr("PyTorch"), Words::tr("CUDA"),          Words::tr("Python"),
                           Words::tr("variants"), Words::tr("nixpkgs"), Words::tr("minimum driver")};
    QList<QStringList> rows;
    for (const ReadBranch &branch : all) {
        if (branch.source.kind != BranchSource::Kind::Local)
            continue;
        const BranchSnapshot &snapshot = *branch.snapshot;
        const Sums sums = sumsOf(catalog, snapshot);
        if (sums.there == 0)
            continue;
        const QString name = codeInMarkdownCell(branch.source.label);
        QStringList pins;
        for (const QString &pin : sums.pins)
            pins.append(codeInMarkdownCell(pin.left(12)));
        rows.append({branch.source.label == own.branch ? u"**%1**"_s.arg(name) : name,
                     inMarkdownCell(versionOf(snapshot, sums.families)), joined(sums.cudas),
                     inMarkdownCell(joined(sums.pythons)), QString::number(sums.there), pins.join(u", "_s),
                     sums.driver});
    }
    return markdownTable(head, rows);
}

} // namespace

QByteArray readmeTables(const Catalog &catalog, const BranchSnapshot &own, const QList<ReadBranch> &all)
{
    const Sums sums = sumsOf(catalog, own);
    QStringList about{versions(catalog, own, sums.families)};
    if (!sums.cudas.empty())
        about.append(Words::tr("CUDA %1").arg(joined(sums.cudas)));
    if (!sums.pythons.empty())
        about.append(Words::tr("Python %1").arg(joined(sums.pythons)));
    about.removeAll(QString());
    QString text = sums.there == 1 ? Words::tr("One variant") : Words::tr("%1 variants").arg(sums.there);
    if (sums.missing > 0)
        text += Words::tr(", %1 more missing").arg(sums.missing);
    if (!about.isEmpty())
        text += u": "_s + inMarkdownCell(about.join(u"; "_s));
    text += u".\n\n"_s;

    // A table for each family, Python and toolkit: a variant's order, without row and ISA.
    std::map<Variant, QList<const VariantEntry *>> sheets;
    for (const VariantEntry &entry : own.entries) {
        if (entry.present || entry.covered)
            sheets[Variant{entry.variant.family, entry.variant.python, entry.variant.cuda, {}, {}}].append(&entry);
    }
    for (const auto &[sheet, entries] : sheets) {
        if (sheets.size() > 1) {
            const Family *family = catalog.family(sheet.family);
            QString title =
                (family ? family->title : sheet.family) + Words::tr(", Python %1").arg(pythonVersion(sheet.python));
            title += sheet.cuda.isEmpty() ? Words::tr(", without CUDA") : Words::tr(", CUDA %1").arg(sheet.cuda);
            text += u"**%1**\n\n"_s.arg(inMarkdownCell(title));
        }
        text += sheetTable(catalog, entries) + u'\n';
    }
    text += Words::tr("All branches:") + u"\n\n"_s + branchTable(catalog, own, all);
    return text.toUtf8();
}

} // namespace tmx
