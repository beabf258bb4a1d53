// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Preferences.h"
#include "model/base/Tr.h"
#include "model/catalog/Catalog.h"

#include "model/catalog/EntryReaders.h"
#include "model/catalog/WrittenSettings.h"
#include "model/toml/Toml.h"
#include "model/toml/TomlTable.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>

#include <algorithm>
#include <optional>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

Result<TomlTable> parseFile(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{Tr::tr("read"), path, file.errorString(), {}};
    return TomlTable::parse(file.read(maxTomlBytes + 1), path); // One byte more, to detect that it is too large.
}

/// Merges the entries of one file into the existing ones.
template <class Entry>
Result<void> mergeFile(const QString &path, const char *key, QList<Entry> &entries, QString Entry::*id,
                       const char *idKey, QStringView idPattern)
{
    if (!QFile::exists(path))
        return {};
    auto document = parseFile(path);
    if (!document)
        return document.error();
    QStringList seen;
    QList<TomlTable> tables = document->tables(key);
    for (TomlTable &table : tables) {
        QString name;
        table.read(idKey, name, TomlTable::Required, idPattern);
        if (seen.contains(name))
            table.complain(idKey, Tr::tr("\"%1\" is given twice").arg(name));
        seen.append(name);
        const auto there =
            std::find_if(entries.begin(), entries.end(), [&](const Entry &entry) { return entry.*id == name; });
        Entry entry = there == entries.end() ? Entry{} : *there;
        entry.*id = name;
        readEntry(table, entry, there != entries.end());
        table.rejectUnread();
        if (there == entries.end())
            entries.append(entry);
        else
            *there = entry;
    }
    document->rejectUnread();
    return document->finish();
}

Result<void> mergeLine(const QString &path, Catalog &catalog)
{
    auto document = parseFile(path);
    if (!document)
        return document.error();
    QString branch;
    document->read("branch", branch, TomlTable::Required, uR"([A-Za-z0-9_][^\x00-\x20\x7f]*)");
    const auto there = std::ranges::find(catalog.builtIn, branch, &Settings::branch);
    const bool known = there != catalog.builtIn.end();
    WrittenSettings settings = known ? written(*there, catalog) : WrittenSettings{};
    readSettings(*document, settings, known, catalog);
    document->rejectUnread();
    if (const auto done = document->finish(); !done)
        return done;
    const Settings read = expanded(settings, catalog, branch, Settings::Source::BuiltIn);
    if (known)
        *there = read;
    else
        catalog.builtIn.append(read);
    return {};
}

/// Otherwise a misspelt name would be ignored silently.
Result<void> rejectUnknownFiles(const QDir &folder)
{
    const QStringList known{u"rows.toml"_s,     u"isas.toml"_s,    u"toolkits.toml"_s,
                            u"families.toml"_s, u"pythons.toml"_s, u"jobs.toml"_s};
    const QStringList names = folder.entryList({u"*.toml"_s}, QDir::Files, QDir::Name);
    for (const QString &name : names) {
        if (!known.contains(name)) {
            return Error{Tr::tr("read"), folder.filePath(name), Tr::tr("the catalog has no file of that name"),
                         Tr::tr("It may have %1, and lines/BRANCH.toml.").arg(known.join(", "_L1))};
        }
    }
    return {};
}

Result<void> mergeFolder(const QString &path, Catalog &catalog)
{
    const QDir folder(path);
    const auto inFolder = [&](const QString &name) { return folder.filePath(name); };
    if (const auto done = rejectUnknownFiles(folder); !done)
        return done;
    if (const auto done =
            mergeFile(inFolder(u"families.toml"_s), "family", catalog.families, &Family::id, "id", u"[a-z][a-z0-9_]*");
        !done)
        return done;
    if (const auto done = mergeFile(inFolder(u"toolkits.toml"_s), "toolkit", catalog.toolkits, &Toolkit::version,
                                    "version", uR"([1-9]\d?\.(0|[1-9]\d?))");
        !done)
        return done;
    if (const auto done =
            mergeFile(inFolder(u"pythons.toml"_s), "python", catalog.pythons, &Python::id, "id", uR"(python3\d{1,2})");
        !done)
        return done;
    if (const auto done =
            mergeFile(inFolder(u"jobs.toml"_s), "job", catalog.jobs, &CompileJob::id, "id", u"[A-Za-z_][A-Za-z0-9_-]*");
        !done)
        return done;
    // An ISA's id is part of names, which are split at dashes and, by Nix, at dots.
    if (const auto done = mergeFile(inFolder(u"isas.toml"_s), "isa", catalog.isas, &Isa::id, "id", u"[a-z][a-z0-9_]*");
        !done)
        return done;
    if (const auto done = mergeFile(inFolder(u"rows.toml"_s), "row", catalog.rows, &GpuRow::id, "id",
                                    u"sm[1-9][0-9]{1,2}[a-z]?|cpu|darwin-mps");
        !done)
        return done;
    const QDir lines(inFolder(u"lines"_s));
    const QStringList names = lines.entryList({u"*.toml"_s}, QDir::Files, QDir::Name);
    for (const QString &name : names) {
        if (const auto done = mergeLine(lines.filePath(name), catalog); !done)
            return done;
    }
    return {};
}

void putInGridOrder(Catalog &catalog)
{
    std::stable_sort(catalog.rows.begin(), catalog.rows.end(), [](const GpuRow &a, const GpuRow &b) {
        if (a.isGpu() != b.isGpu())
            return a.isGpu();
        if (!a.isGpu())
            return a.id == "cpu"_L1 && b.id != "cpu"_L1;
        return compareVersions(a.capability, b.capability) < 0;
    });
    // An instruction set added by the user comes after those of its platform.
    QStringList platforms;
    for (const Isa &isa : std::as_const(catalog.isas)) {
        if (!platforms.contains(isa.platform))
            platforms.append(isa.platform);
    }
    std::stable_sort(catalog.isas.begin(), catalog.isas.end(), [&](const Isa &a, const Isa &b) {
        return platforms.indexOf(a.platform) < platforms.indexOf(b.platform);
    });
    std::stable_sort(catalog.toolkits.begin(), catalog.toolkits.end(),
                     [](const Toolkit &a, const Toolkit &b) { return compareVersions(a.version, b.version) < 0; });
    std::stable_sort(catalog.pythons.begin(), catalog.pythons.end(), [](const Python &a, const Python &b) {
        return compareVersions(pythonVersion(b.id), pythonVersion(a.id)) < 0;
    });
    std::stable_sort(catalog.builtIn.begin(), catalog.builtIn.end(), [](const Settings &a, const Settings &b) {
        return compareVersions(a.toolkits().value(0), b.toolkits().value(0)) < 0;
    });
}

/// Rows for code that runs on one GPU or on one family only: CUDA C++ Programming Guide, "Architecture-Specific
/// Features" (sm_90a, CUDA 12.0) and "Family-Specific Features" (sm_100f and newer, CUDA 12.9).
void addSpecificRows(Catalog &catalog)
{
    for (const GpuRow &row : std::as_const(catalog.rows)) {
        for (const auto &[suffix, first, toolkit] :
             {std::tuple(u"a"_s, u"9.0"_s, u"12.0"_s), {u"f"_s, u"10.0"_s, u"12.9"_s}}) {
            if (!row.isGpu() || compareVersions(row.capability, first) < 0 || catalog.row(row.id + suffix))
                continue;
            GpuRow specific = row;
            specific.id += suffix;
            specific.suffix = suffix;
            if (compareVersions(specific.firstCuda, toolkit) < 0)
                specific.firstCuda = toolkit;
            catalog.specific.append(std::move(specific));
        }
    }
}

} // namespace

Result<std::shared_ptr<const Catalog>> Catalog::load(const QString &userFolder, const QString &templateFolder)
{
    auto catalog = std::make_shared<Catalog>();
    catalog->templateFolder = templateFolder; // Before the settings, which name templates.
    TM_CHECK(mergeFolder(u":/torch-matrix/catalog"_s, *catalog));
    if (!userFolder.isEmpty() && QFile::exists(userFolder)) {
        if (!QDir(userFolder).exists())
            return Error{Tr::tr("read the catalog folder"), userFolder, Tr::tr("it is not a folder"), {}};
        const qsizetype own = catalog->rows.size();
        TM_CHECK(mergeFolder(userFolder, *catalog));
        for (qsizetype i = own; i < catalog->rows.size(); ++i)
            catalog->rows[i].added = true;
    }
    putInGridOrder(*catalog);
    addSpecificRows(*catalog);
    return std::shared_ptr<const Catalog>(std::move(catalog));
}

Result<std::shared_ptr<const Catalog>> Catalog::loadForUser()
{
    const Preferences preferences = Preferences::load();
    const auto catalog = load(preferences.usedCatalogFolder(), preferences.usedTemplateFolder());
    if (!catalog)
        return catalog;
    auto withCache = std::make_shared<Catalog>(**catalog);
    withCache->cacheFolder =
        QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + "/torch-matrix/recipes"_L1;
    return std::shared_ptr<const Catalog>(std::move(withCache));
}

} // namespace tmx
