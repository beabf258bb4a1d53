// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Tr.h"
#include "model/change/Readme.h"

#include "model/base/TextForm.h"
#include "model/compare/Markdown.h"
#include "model/settings/PinVersion.h"

#include <QSet>
#include <QUrl>

#include <algorithm>
#include <array>
#include <map>
#include <set>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

const std::array<std::pair<QString, bool ReadmeColumns::*>, 5> allColumns{{{u"links"_s, &ReadmeColumns::links},
                                                                           {u"totals"_s, &ReadmeColumns::totals},
                                                                           {u"driver"_s, &ReadmeColumns::driver},
                                                                           {u"cudnn"_s, &ReadmeColumns::cudnn},
                                                                           {u"use-case"_s, &ReadmeColumns::useCase}}};

/// Totals of a branch's recipes.
struct Sums {
    int there = 0;
    int missing = 0;
    std::set<QString, bool (*)(const QString &, const QString &)> cudas{
        [](const QString &a, const QString &b) { return compareVersions(a, b) < 0; }};
    std::set<QString> pythons;
    QMap<QString, QString> drivers;    ///< by toolkit, the oldest that runs one of its variants
    QMap<QString, QSet<QString>> rows; ///< by toolkit
    QStringList pins;                  ///< nixpkgs pins according to the settings, the most used first
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
        if (!entry.variant.python.isEmpty())
            sums.pythons.insert(pythonVersion(entry.variant.python));
        if (const QString pin = snapshot.settings.profileOf(entry.variant).pin.revision; !pin.isEmpty())
            ++pins[pin];
        if (entry.variant.cuda.isEmpty())
            continue;
        sums.cudas.insert(entry.variant.cuda);
        sums.rows[entry.variant.cuda].insert(entry.variant.row);
        const QString floor = catalog.driverFloor(entry.variant);
        QString &driver = sums.drivers[entry.variant.cuda];
        if (driver.isEmpty() || compareVersions(floor, driver) < 0)
            driver = floor;
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

/// "sm100 and sm120 570": by driver, the rows that need a newer driver than the oldest of their toolkit.
QStringList newerDriversOf(const Catalog &catalog, const Sums &sums)
{
    QStringList parts;
    QMap<QString, QStringList> rows;
    for (const GpuRow &row : catalog.rows) {
        QStringList floors;
        for (const QString &cuda : sums.cudas) {
            if (!sums.rows.value(cuda).contains(row.id))
                continue;
            const QString floor = catalog.driverFloor({u"pytorch"_s, {}, cuda, row.id, {}});
            if (compareVersions(floor, sums.drivers.value(cuda)) > 0 && !floors.contains(floor))
                floors.append(floor);
        }
        for (const QString &floor : std::as_const(floors))
            rows[floor].append(row.id);
    }
    for (auto it = rows.cbegin(); it != rows.cend(); ++it)
        parts.append(u"%1 (%2)"_s.arg(it.key(), it->join(u", "_s)));
    return parts;
}

/// "525.60.13, 570 (sm100, sm120)"; "525.60.13 (12.8, 12.9), 580 (13.0)" if the toolkits differ.
QString driversOf(const Catalog &catalog, const Sums &sums)
{
    QStringList drivers;
    QHash<QString, QStringList> cudas;
    for (const QString &cuda : sums.cudas) {
        const QString driver = sums.drivers.value(cuda);
        if (!driver.isEmpty() && !drivers.contains(driver))
            drivers.append(driver);
        cudas[driver].append(cuda);
    }
    for (QString &driver : drivers) {
        if (drivers.size() > 1)
            driver += u" (%1)"_s.arg(cudas.value(driver).join(u", "_s));
    }
    return (drivers + newerDriversOf(catalog, sums)).join(u", "_s);
}

/// The version that a recipe builds: from the branch settings, else from the recipe itself, else from what its pin is
/// known to contain.
QString versionOf(const Catalog &catalog, const BranchSnapshot &snapshot, const VariantEntry &entry)
{
    const Profile profile = snapshot.settings.profileOf(entry.variant);
    if (!profile.version.isEmpty())
        return profile.version;
    if (entry.facts && entry.facts->package.version.known)
        return entry.facts->package.version.value;
    const Family *family = catalog.family(entry.variant.family);
    for (const OverlayFacts &overlay : entry.facts ? entry.facts->overlays : QList<OverlayFacts>()) {
        if (overlay.kind == OverlayFacts::Kind::Torch && overlay.version.known && family && !family->companion)
            return overlay.version.value;
    }
    const bool pinned = entry.facts && !entry.facts->pins.isEmpty();
    return versionOfPin(catalog, entry.variant.family,
                        pinned ? entry.facts->pins.constFirst().revision.value : profile.pin.revision);
}

/// The present families, those of the catalog first, with their distinct versions.
QList<std::pair<QString, QStringList>> versionsOf(const Catalog &catalog, const BranchSnapshot &snapshot)
{
    QHash<QString, QStringList> versions;
    for (const VariantEntry &entry : snapshot.entries) {
        if (!entry.present)
            continue;
        QStringList &list = versions[entry.variant.family];
        const QString version = versionOf(catalog, snapshot, entry);
        if (!version.isEmpty() && !list.contains(version))
            list.append(version);
    }
    QStringList others = versions.keys();
    others.sort();
    QStringList order = catalog.familyIds();
    order.removeIf([&others](const QString &id) { return others.removeAll(id) == 0; });
    QList<std::pair<QString, QStringList>> list;
    for (const QString &family : order + others)
        list.append({family, versions.value(family)});
    return list;
}

/// The title of a family next to its versions, which make the one in its name superfluous.
QString titleBeside(const Catalog &catalog, const QString &family, const QStringList &versions)
{
    FamilyName name = FamilyName::of(family);
    if (!versions.isEmpty() && !name.version.isEmpty())
        name.version.clear();
    return catalog.titleOf(name.text());
}

/// "PyTorch 2.8.0, torchvision 0.23.0"
QString versionWords(const Catalog &catalog, const QList<std::pair<QString, QStringList>> &versions)
{
    QStringList words;
    for (const auto &[family, list] : versions)
        words.append((titleBeside(catalog, family, list) + u' ' + enumerated(list)).trimmed());
    return words.join(u", "_s);
}

/// PyTorch's version, else the first family's with its name; "unknown" if neither settings nor recipes nor pin state
/// it.
QString versionCell(const Catalog &catalog, const QList<std::pair<QString, QStringList>> &versions)
{
    for (const bool pytorch : {true, false}) {
        for (const auto &[family, list] : versions) {
            if (!list.isEmpty() && (!pytorch || FamilyName::of(family).word == "pytorch"_L1))
                return pytorch ? list.join(u", "_s) : titleBeside(catalog, family, list) + u' ' + list.join(u", "_s);
        }
    }
    return u"unknown"_s;
}

/// `words` (Markdown) as a link to a file of the branch.
QString linkTo(const QString &file, const QString &words)
{
    return u"[%1](%2)"_s.arg(words, QString::fromLatin1(QUrl::toPercentEncoding(file, "/")));
}

/// "5/6": present recipes, of the cells that have one or are covered.
QString totalOf(const QList<const VariantEntry *> &entries)
{
    const auto there = std::ranges::count_if(entries, &VariantEntry::present);
    return u"%1/%2"_s.arg(there).arg(entries.size());
}

/// What all variants of a row share: the oldest driver, cuDNN.
QStringList rowHead(const ReadmeColumns &columns)
{
    QStringList head;
    if (columns.driver)
        head.append(u"minimum driver"_s);
    if (columns.cudnn)
        head.append(u"cuDNN"_s);
    return head;
}

QStringList rowCells(const Catalog &catalog, const GpuRow &row, const Variant &variant, const ReadmeColumns &columns)
{
    QStringList cells;
    if (columns.driver)
        cells.append(catalog.driverFloor(variant));
    if (columns.cudnn)
        cells.append(!row.isGpu() ? QString() : row.cudnn ? u"yes"_s : u"no"_s);
    return cells;
}

/// The products for a table.
QString productsOf(const GpuRow &row)
{
    return inMarkdownCell(row.products.isEmpty() ? row.generation : row.products.mid(0, 3).join(u", "_s));
}

QList<const VariantEntry *> ofRow(const QList<const VariantEntry *> &entries, const QString &row)
{
    QList<const VariantEntry *> list;
    for (const VariantEntry *entry : entries) {
        if (entry->variant.row == row)
            list.append(entry);
    }
    return list;
}

QString columnOf(const VariantEntry *entry)
{
    return entry->variant.column();
}

/// The columns of the entries' grid; the empty one is that of darwin-mps.
QStringList columnsOf(const Catalog &catalog, const QList<const VariantEntry *> &entries)
{
    QSet<QString> columns;
    for (const VariantEntry *entry : entries)
        columns.insert(columnOf(entry));
    QStringList ordered = catalog.columnsInOrder(columns);
    if (columns.contains(QString()) && !ordered.contains(QString()))
        ordered.append(QString());
    return ordered;
}

QString titleOfColumn(const QString &column)
{
    return column.isEmpty() || column == noneWord ? u"–"_s : codeInMarkdownCell(column);
}

/// The rows of the entries' grid. One that the catalog does not have is only known by its name.
QList<GpuRow> rowsOf(const Catalog &catalog, const QList<const VariantEntry *> &entries)
{
    QSet<QString> ids;
    for (const VariantEntry *entry : entries)
        ids.insert(entry->variant.row);
    QList<GpuRow> rows;
    for (const QString &id : catalog.rowsInOrder(ids)) {
        const GpuRow *known = catalog.row(id);
        rows.append(known ? *known : GpuRow{.id = id, .generation = id == everyGpu ? u"every GPU"_s : QString()});
    }
    return rows;
}

/// The table with a row for each variant.
QString variantTable(const Catalog &catalog, const QList<const VariantEntry *> &entries, const ReadmeColumns &columns)
{
    const QStringList head =
        QStringList{u"GPU"_s, u"products"_s, u"CPU"_s, u"package"_s} + rowHead(columns) + QStringList{u"use case"_s};
    QList<QStringList> rows;
    for (const GpuRow &row : rowsOf(catalog, entries)) {
        const QList<const VariantEntry *> here = ofRow(entries, row.id);
        bool first = true;
        for (const QString &id : columnsOf(catalog, here)) {
            const auto found = std::ranges::find(here, id, columnOf);
            const VariantEntry &entry = **found;
            const Isa *isa = catalog.isa(entry.variant.isa);
            const QString name = codeInMarkdownCell(entry.variant.name());
            QString gpu = first ? codeInMarkdownCell(row.id) : QString();
            if (first && columns.totals)
                gpu += u" (%1)"_s.arg(totalOf(here));
            rows.append(QStringList{gpu, first ? productsOf(row) : QString(),
                                    isa ? inMarkdownCell(isa->title) : titleOfColumn(id),
                                    !entry.present  ? u"%1, missing"_s.arg(name)
                                    : columns.links ? linkTo(entry.file, name)
                                                    : name} +
                        rowCells(catalog, row, entry.variant, columns) +
                        QStringList{isa ? inMarkdownCell(isa->useCase) : QString()});
            first = false;
        }
    }
    return markdownTable(head, rows);
}

QString sheetTable(const Catalog &catalog, const QList<const VariantEntry *> &entries, const ReadmeColumns &columns)
{
    if (columns.useCase)
        return variantTable(catalog, entries, columns);
    QStringList head{u"GPU"_s, u"products"_s};
    const QStringList isas = columnsOf(catalog, entries);
    for (const QString &isa : isas)
        head.append(titleOfColumn(isa));
    head += rowHead(columns);
    if (columns.totals)
        head.append(u"total"_s);
    QList<QStringList> rows;
    for (const GpuRow &row : rowsOf(catalog, entries)) {
        const QList<const VariantEntry *> here = ofRow(entries, row.id);
        if (here.isEmpty())
            continue;
        QStringList cells{codeInMarkdownCell(row.id), productsOf(row)};
        for (const QString &isa : isas) {
            const auto entry = std::ranges::find(here, isa, columnOf);
            cells.append(entry == here.end()  ? QString()
                         : !(*entry)->present ? u"missing"_s
                         : columns.links      ? linkTo((*entry)->file, u"yes"_s)
                                              : u"yes"_s);
        }
        cells += rowCells(catalog, row, here.constFirst()->variant, columns);
        if (columns.totals)
            cells.append(totalOf(here));
        rows.append(cells);
    }
    return markdownTable(head, rows);
}

} // namespace

Result<ReadmeColumns> ReadmeColumns::of(const QStringList &words)
{
    ReadmeColumns columns;
    for (const QString &word : words) {
        const auto known = std::ranges::find(allColumns, word, &std::pair<QString, bool ReadmeColumns::*>::first);
        if (known == allColumns.end())
            return Error{Tr::tr("create the tables with"), word, Tr::tr("that is not a column"),
                         Tr::tr("They are: %1.").arg(allWords().join(u", "_s))}
                .ofUsage();
        columns.*known->second = true;
    }
    return columns;
}

QStringList ReadmeColumns::words() const
{
    QStringList words;
    for (const auto &[word, column] : allColumns) {
        if (this->*column)
            words.append(word);
    }
    return words;
}

QStringList ReadmeColumns::allWords()
{
    QStringList words;
    for (const auto &[word, column] : allColumns)
        words.append(word);
    return words;
}

bool tellsVersion(const Catalog &catalog, const BranchSnapshot &snapshot)
{
    const auto versions = versionsOf(catalog, snapshot);
    return versions.isEmpty() || std::ranges::any_of(versions, [](const auto &one) { return !one.second.isEmpty(); });
}

BranchRow branchRow(const Catalog &catalog, const BranchSnapshot &snapshot)
{
    const Sums sums = sumsOf(catalog, snapshot);
    QStringList pins;
    for (const QString &pin : sums.pins)
        pins.append(codeInMarkdownCell(pin.left(12)));
    return {.branch = snapshot.branch,
            .versions = inMarkdownCell(versionCell(catalog, versionsOf(catalog, snapshot))),
            .toolkits = joined(sums.cudas),
            .pythons = inMarkdownCell(joined(sums.pythons)),
            .pins = pins.join(u", "_s),
            .drivers = driversOf(catalog, sums),
            .there = sums.there,
            .missing = sums.missing};
}

// English, whoever writes it: the file is the repository's, and the audit compares it.
QByteArray readmeTables(const Catalog &catalog, const BranchSnapshot &own, const QList<BranchRow> &all,
                        const ReadmeColumns &columns)
{
    return variantTables(catalog, own, columns) + branchTable(all, own.branch, columns);
}

QByteArray branchTable(const QList<BranchRow> &all, const QString &own, const ReadmeColumns &columns)
{
    // A version of another family has its name before it.
    const bool named =
        std::ranges::any_of(all, [](const BranchRow &row) { return row.there > 0 && row.versions.contains(u' '); });
    const QStringList head{
        u"branch"_s,        named ? u"version"_s : u"PyTorch"_s, u"CUDA"_s, u"Python"_s, u"variants"_s, u"nixpkgs"_s,
        u"minimum driver"_s};
    QList<QStringList> rows;
    for (const BranchRow &row : all) {
        if (row.there == 0)
            continue;
        const QString name = codeInMarkdownCell(row.branch);
        rows.append(
            {row.branch == own ? u"**%1**"_s.arg(name) : name, row.versions, row.toolkits, row.pythons,
             columns.totals ? u"%1/%2"_s.arg(row.there).arg(row.there + row.missing) : QString::number(row.there),
             row.pins, row.drivers});
    }
    return "All branches:\n\n" + markdownTable(head, rows).toUtf8();
}

QByteArray variantTables(const Catalog &catalog, const BranchSnapshot &own, const ReadmeColumns &columns)
{
    const Sums sums = sumsOf(catalog, own);
    QStringList about{versionWords(catalog, versionsOf(catalog, own))};
    if (!sums.cudas.empty())
        about.append(u"CUDA %1"_s.arg(joined(sums.cudas)));
    if (!sums.pythons.empty())
        about.append(u"Python %1"_s.arg(joined(sums.pythons)));
    about.removeAll(QString());
    QString text = sums.there == 1 ? u"One variant"_s : u"%1 variants"_s.arg(sums.there);
    if (sums.missing > 0)
        text += u", %1 more missing"_s.arg(sums.missing);
    if (!about.isEmpty())
        text += u": "_s + inMarkdownCell(about.join(u"; "_s));
    text += u".\n\n"_s;

    // One table per family, Python and toolkit: keyed by a variant without row and ISA.
    std::map<Variant, QList<const VariantEntry *>> sheets;
    for (const VariantEntry &entry : own.entries) {
        if (entry.present || entry.covered)
            sheets[Variant{entry.variant.family, entry.variant.python, entry.variant.cuda, {}, {}}].append(&entry);
    }
    for (const auto &[sheet, entries] : sheets) {
        if (sheets.size() > 1) {
            QString title = catalog.titleOf(sheet.family);
            if (!sheet.python.isEmpty())
                title += u", Python %1"_s.arg(pythonVersion(sheet.python));
            title += sheet.cuda.isEmpty() ? u", without CUDA"_s : u", CUDA %1"_s.arg(sheet.cuda);
            text += u"**%1**\n\n"_s.arg(inMarkdownCell(title));
        }
        text += sheetTable(catalog, entries, columns) + u'\n';
    }
    return text.toUtf8();
}

} // namespace tmx
