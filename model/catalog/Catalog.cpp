// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/Catalog.h"

#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/base/WindowThread.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

template <class Entry>
const Entry *find(const QList<Entry> &entries, QString Entry::*key, const QString &value)
{
    const auto found =
        std::find_if(entries.cbegin(), entries.cend(), [&](const Entry &entry) { return entry.*key == value; });
    return found == entries.cend() ? nullptr : &*found;
}

/// The entry with a unique id. Grids are made and painted cell by cell, so this is nearly always the entry of the last
/// call, or the one after it.
template <class Entry>
const Entry *withId(const QList<Entry> &entries, const QString &id)
{
    thread_local qsizetype last = 0;
    for (const qsizetype i : {last, last + 1}) {
        if (i < entries.size() && entries.at(i).id == id)
            return &entries.at(last = i);
    }
    const Entry *found = find(entries, &Entry::id, id);
    if (found)
        last = found - entries.constData();
    return found;
}

template <class Entry>
QStringList idsOf(const QList<Entry> &entries)
{
    QStringList ids;
    for (const Entry &entry : entries)
        ids.append(entry.id);
    return ids;
}

QString platformWord(const QString &platform)
{
    if (platform.startsWith("x86"_L1))
        return Tr::tr("x86", "kind of host");
    return platform.endsWith("darwin"_L1) ? Tr::tr("Apple", "kind of host") : Tr::tr("ARM", "kind of host");
}

Validity invalid(const QString &reason)
{
    return {false, reason};
}

} // namespace

const GpuRow *Catalog::row(const QString &id) const
{
    const GpuRow *known = withId(rows, id);
    return known ? known : withId(specific, id);
}

const GpuRow *Catalog::rowOfCapability(const QString &capability) const
{
    return capability.isEmpty() ? nullptr : find(rows, &GpuRow::capability, capability);
}

const Isa *Catalog::isa(const QString &id) const
{
    return withId(isas, id);
}

const Toolkit *Catalog::toolkit(const QString &version) const
{
    return find(toolkits, &Toolkit::version, version);
}

const Family *Catalog::family(const QString &id) const
{
    const Family *found = find(families, &Family::id, id);
    return found ? found : find(families, &Family::id, FamilyName::of(id).word);
}

QString Catalog::titleOf(const QString &family, const QString &stated) const
{
    const Family *known = this->family(family);
    if (known && known->id == family)
        return known->title;
    const FamilyName name = FamilyName::of(family);
    QStringList words{known ? known->title : name.word};
    if (!name.version.isEmpty())
        words.append(!stated.isEmpty() && name.fits(stated) ? stated : name.version);
    if (!name.pairing.isEmpty())
        words.append(u"(%1)"_s.arg(name.pairing));
    return words.join(u' ');
}

int Catalog::jobMemory(const QString &package) const
{
    const auto job = std::ranges::find(jobs, package, &CompileJob::id);
    return job == jobs.end() ? 0 : job->memory;
}

const Settings *Catalog::settings(const QString &branch) const
{
    return find(builtIn, &Settings::branch, branch);
}

QList<GridCell> Catalog::inGridOrder(const QSet<GridCell> &cells) const
{
    QList<GridCell> ordered;
    if (cells.isEmpty())
        return ordered;
    QStringList rests{QString()};
    QSet<QString> theirRows;
    for (const GridCell &cell : cells) {
        theirRows.insert(cell.row);
        if (!rests.contains(cell.rest))
            rests.append(cell.rest);
    }
    rests.sort();
    const QStringList columns = isaIds() + QStringList{QString()};
    for (const QString &id : rowsInOrder(theirRows)) {
        if (!row(id) && id != everyGpu)
            continue;
        for (const QString &isa : columns) {
            for (const QString &rest : std::as_const(rests)) {
                if (cells.contains({id, isa, rest}))
                    ordered.append({id, isa, rest});
            }
        }
    }
    return ordered;
}

QStringList Catalog::rowsInOrder(QSet<QString> wanted) const
{
    QStringList ordered, withoutGpu;
    for (const GpuRow &row : rows) {
        for (const QString &id : {row.id, row.id + u'a', row.id + u'f'}) {
            if (wanted.remove(id))
                (row.isGpu() ? ordered : withoutGpu).append(id);
        }
    }
    const bool every = wanted.remove(everyGpu.toString());
    QStringList unknown = wanted.values();
    std::ranges::sort(
        unknown, [](const QString &a, const QString &b) { return std::pair(a.size(), a) < std::pair(b.size(), b); });
    return ordered + unknown + (every ? QStringList{everyGpu.toString()} : QStringList()) + withoutGpu;
}

QStringList Catalog::columnsInOrder(QSet<QString> columns) const
{
    const bool metal = columns.remove(QString());
    const bool none = columns.remove(noneWord.toString());
    QStringList further = columns.values();
    further.sort();
    QStringList ordered;
    for (const QString &id : isaIds()) {
        for (const QString &column : std::as_const(further)) {
            if (column == id || column.startsWith(id + u'-'))
                ordered.append(column);
        }
    }
    further.removeIf([&ordered](const QString &column) { return ordered.contains(column); });
    ordered += further;
    if (none)
        ordered.append(noneWord.toString());
    return ordered.isEmpty() && metal ? QStringList{QString()} : ordered;
}

Variant Catalog::inColumn(Variant variant, const QString &column) const
{
    variant.isa.clear();
    variant.rest.clear();
    if (!hasIsa(variant.row) || column == noneWord)
        return variant;
    const QString first = column.section(u'-', 0, 0);
    if (isa(first)) {
        variant.isa = first;
        variant.rest = column.section(u'-', 1);
    } else {
        variant.rest = column;
    }
    return variant;
}

QStringList Catalog::familyIds() const
{
    return idsOf(families);
}

QStringList Catalog::isaIds() const
{
    return idsOf(isas);
}

QStringList Catalog::templateFolders() const
{
    const QString own = u":/torch-matrix/templates"_s;
    return templateFolder.isEmpty() ? QStringList{own} : QStringList{templateFolder, own};
}

QStringList Catalog::templatesOf(const QString &family) const
{
    belongsToAWorker("listing templates");
    const Family *known = this->family(family);
    const QString id = known ? known->id : family;
    QStringList names;
    for (const QString &folder : templateFolders()) {
        for (const QString &file : QDir(folder + u'/' + id).entryList({u"*.nix"_s}, QDir::Files))
            names.append(id + u'/' + file.chopped(4));
    }
    names.sort();
    names.removeDuplicates();
    return names;
}

bool Catalog::hasTemplate(const QString &name) const
{
    if (isLearned(name))
        return true;
    belongsToAWorker("looking for a template");
    const QStringList folders = templateFolders();
    return std::any_of(folders.cbegin(), folders.cend(),
                       [&name](const QString &folder) { return QFileInfo(folder + u'/' + name + ".nix"_L1).isFile(); });
}

QString Catalog::whyNotToolkit(const GpuRow &gpu, const QString &cuda) const
{
    if (compareVersions(cuda, gpu.firstCuda) < 0)
        return Tr::tr("nvcc %1 does not know sm_%2: it needs CUDA %3 or newer.")
            .arg(cuda, gpu.id.mid(2), gpu.firstCuda);
    if (gpu.lastCuda.isEmpty() || compareVersions(cuda, gpu.lastCuda) <= 0)
        return {};
    const auto next = std::find_if(toolkits.cbegin(), toolkits.cend(), [&gpu](const Toolkit &toolkit) {
        return compareVersions(toolkit.version, gpu.lastCuda) > 0;
    });
    const QString dropped = next == toolkits.cend() || compareVersions(next->version, cuda) > 0 ? cuda : next->version;
    return Tr::tr("CUDA %1 dropped %2 (%3): the last toolkit is %4.")
        .arg(dropped, gpu.id, gpu.generation, gpu.lastCuda);
}

Validity Catalog::validity(const Variant &variant, const Settings &settings) const
{
    return validity(variant, settings.profileOf(torchVariantOf(variant)).version);
}

Validity Catalog::validity(const Variant &variant, const QString &torch) const
{
    const GpuRow *gpu = row(variant.row);
    if (!gpu && variant.row != everyGpu && !isGpuRow(variant.row))
        return {}; // "rocm6_4-gfx942": for hardware that the catalog knows nothing about
    if (!gpu && variant.row != everyGpu)
        return {false, Tr::tr("The catalog has no row \"%1\".").arg(variant.row), true};
    const Isa *cpu = isa(variant.isa);
    if (!cpu && !variant.isa.isEmpty())
        return {false, Tr::tr("The catalog has no instruction set \"%1\".").arg(variant.isa), true};

    if (!gpu) // Built for what the toolkit knows, so nothing can be too new or too old for it.
        return variant.cuda.isEmpty() ? invalid(Tr::tr("Builds for %1 need a CUDA toolkit.").arg(variant.row))
                                      : Validity{};
    if (!gpu->isGpu() && !variant.cuda.isEmpty())
        return invalid(Tr::tr("Builds for %1 have no CUDA.").arg(gpu->id));
    if (gpu->id == "darwin-mps"_L1)
        return cpu ? invalid(Tr::tr("Builds for darwin-mps have no instruction set of their own.")) : Validity{};
    if (gpu->isGpu()) {
        if (variant.cuda.isEmpty())
            return invalid(Tr::tr("Builds for %1 need a CUDA toolkit.").arg(gpu->id));
        if (const QString why = whyNotToolkit(*gpu, variant.cuda); !why.isEmpty())
            return invalid(why);
    }
    if (!torch.isEmpty() && !gpu->firstTorch.isEmpty() && compareVersions(torch, gpu->firstTorch) < 0)
        return invalid(Tr::tr("PyTorch %1 does not know sm_%2: it needs PyTorch %3 or newer.")
                           .arg(torch, gpu->id.mid(2), gpu->firstTorch));
    if (cpu && !gpu->platforms.contains(cpu->platform)) {
        const QString note = gpu->hostNote.isEmpty()
                                 ? Tr::tr("%1 hosts are %2").arg(gpu->id, platformWord(gpu->platforms.value(0)))
                                 : gpu->hostNote;
        return invalid(Tr::tr("%1: no %2 variant of %3 exists.").arg(note, platformWord(cpu->platform), gpu->id));
    }
    // Instruction sets of a platform are listed from the oldest to the newest.
    if (const Isa *host = isa(gpu->hostIsa); cpu && host && cpu > host)
        return invalid(Tr::tr("All boards of %1 have a processor with %2: it does not run %3.")
                           .arg(gpu->id, host->title, cpu->title));
    return {};
}

Blas Catalog::blasOf(const Variant &variant, Blas wanted) const
{
    return whyOtherBlas(variant, wanted).isEmpty() ? wanted : Blas::Default;
}

QString Catalog::whyOtherBlas(const Variant &variant, Blas wanted) const
{
    if (wanted == Blas::Default)
        return {};
    const Isa *cpu = isa(variant.isa);
    if (!hasIsa(variant.row))
        return Tr::tr("Builds for %1 use Apple's linear algebra.").arg(variant.row);
    return wanted == Blas::Mkl && cpu && cpu->platform != "x86_64-linux"_L1
               ? Tr::tr("Intel publishes MKL only for x86_64, and %1 is %2.").arg(cpu->id, platformWord(cpu->platform))
               : QString();
}

QString Catalog::pythonNamed(const QString &word) const
{
    const auto known =
        std::ranges::find_if(pythons, [&word](const Python &one) { return pythonVersion(one.id) == word; });
    return known == pythons.end() ? word : known->id;
}

std::optional<Error> Catalog::unknownPython(const QString &action, const QString &python) const
{
    if (std::ranges::find(pythons, python, &Python::id) != pythons.end())
        return std::nullopt;
    QStringList known;
    for (const Python &one : pythons)
        known.append(one.id);
    return Error{action, python, Tr::tr("the catalog has no such Python"),
                 Tr::tr("It has %1. If nixpkgs has another one, add it to "
                        "~/.config/torch-matrix/catalog/pythons.toml.")
                     .arg(enumerated(known))}
        .ofUsage();
}

QString Catalog::driverFloor(const Variant &variant) const
{
    if (variant.cuda.isEmpty())
        return {};
    // Minor-version compatibility applies within a major version, so a toolkit that is not listed has the minimum of
    // the listed ones with the same major version.
    const QString major = variant.cuda.section(u'.', 0, 0);
    QString floor;
    for (const Toolkit &toolkit : toolkits) {
        if (toolkit.version == variant.cuda || (floor.isEmpty() && toolkit.version.section(u'.', 0, 0) == major))
            floor = toolkit.compatibleDriver;
    }
    const GpuRow *gpu = row(variant.row);
    return gpu && compareVersions(gpu->driverFloor, floor) > 0 ? gpu->driverFloor : floor;
}

} // namespace tmx
