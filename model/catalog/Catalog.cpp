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
    return withId(rows, id);
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
    return find(families, &Family::id, id);
}

const Settings *Catalog::line(const QString &branch) const
{
    return find(lines, &Settings::branch, branch);
}

QList<GridCell> Catalog::inGridOrder(const QSet<GridCell> &cells) const
{
    QList<GridCell> ordered;
    if (cells.isEmpty())
        return ordered;
    const QStringList columns = isaIds() + QStringList{QString()}; // darwin-mps has no instruction set.
    for (const GpuRow &row : rows) {
        for (const QString &isa : columns) {
            if (cells.contains({row.id, isa}))
                ordered.append({row.id, isa});
        }
    }
    return ordered;
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
    QStringList names;
    for (const QString &folder : templateFolders()) {
        for (const QString &file : QDir(folder + u'/' + family).entryList({u"*.nix"_s}, QDir::Files))
            names.append(family + u'/' + file.chopped(4));
    }
    names.sort();
    names.removeDuplicates();
    return names;
}

bool Catalog::hasTemplate(const QString &name) const
{
    if (isLearned(name))
        return family(name.section(u'/', 0, 0));
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
    if (!gpu)
        return invalid(Tr::tr("The catalog has no row \"%1\".").arg(variant.row));
    const Isa *cpu = isa(variant.isa);
    if (!cpu && !variant.isa.isEmpty())
        return invalid(Tr::tr("The catalog has no instruction set \"%1\".").arg(variant.isa));

    if (!gpu->isGpu() && !variant.cuda.isEmpty())
        return invalid(Tr::tr("Builds for %1 have no CUDA.").arg(gpu->id));
    if (gpu->id == "darwin-mps"_L1)
        return cpu ? invalid(Tr::tr("Builds for darwin-mps have no instruction set of their own.")) : Validity{};
    if (!cpu)
        return invalid(Tr::tr("Builds for %1 need an instruction set.").arg(gpu->id));

    if (gpu->isGpu()) {
        if (variant.cuda.isEmpty())
            return invalid(Tr::tr("Builds for %1 need a CUDA toolkit.").arg(gpu->id));
        if (const QString why = whyNotToolkit(*gpu, variant.cuda); !why.isEmpty())
            return invalid(why);
    }
    if (!torch.isEmpty() && !gpu->firstTorch.isEmpty() && compareVersions(torch, gpu->firstTorch) < 0)
        return invalid(Tr::tr("PyTorch %1 does not know sm_%2: it needs PyTorch %3 or newer.")
                           .arg(torch, gpu->id.mid(2), gpu->firstTorch));
    if (!gpu->platforms.contains(cpu->platform)) {
        const QString note = gpu->hostNote.isEmpty()
                                 ? Tr::tr("%1 hosts are %2").arg(gpu->id, platformWord(gpu->platforms.value(0)))
                                 : gpu->hostNote;
        return invalid(Tr::tr("%1: no %2 variant of %3 exists.").arg(note, platformWord(cpu->platform), gpu->id));
    }
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
    if (!cpu) // darwin-mps
        return Tr::tr("Builds for %1 use Apple's linear algebra.").arg(variant.row);
    return wanted == Blas::Mkl && cpu->platform != "x86_64-linux"_L1
               ? Tr::tr("Intel publishes MKL only for x86_64, and %1 is %2.").arg(cpu->id, platformWord(cpu->platform))
               : QString();
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
