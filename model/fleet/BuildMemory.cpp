// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/fleet/BuildMemory.h"

#include "model/base/MachineMemory.h"
#include "model/base/Sentences.h"
#include "model/base/StateFolder.h"
#include "model/base/Surface.h"
#include "model/base/Tr.h"
#include "model/history/BuildHistory.h"
#include "model/job/Engine.h"
#include "model/recipe/JobSettings.h"

#include <QFileInfo>
#include <QThread>

#include <algorithm>
#include <limits>
#include <numeric>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qint64 gigabyte = 1'000'000'000;

QString gigabytes(qint64 bytes)
{
    return Tr::tr("%1 GB").arg((bytes + gigabyte / 2) / gigabyte);
}

SettingPlace placeOf(const RecipeFacts &facts, const VariableFact &variable, const QString &shown)
{
    return {
        shown, variable.spot.file > 0 ? facts.files.value(variable.spot.file - 1) : QString(), {variable.spot.line}};
}

CompiledPackage compiled(const Catalog &catalog, const RecipeFacts &facts, const PackageFacts &package,
                         const QString &name, int cores, bool gpu)
{
    const int declared = gpu ? catalog.jobMemory(name) : 0;
    CompiledPackage compiled{name, cores, {}, {}, (declared > 0 ? declared : gigabytesOfACore(gpu)) * gigabyte};
    for (const JobSetting &setting : jobSettings(package)) {
        if (setting.jobs > 0) { // The last one wins.
            compiled.jobs = setting.jobs;
            compiled.fixedBy = placeOf(facts, *setting.variable, setting.variable->name);
        } else {
            compiled.withoutEffect.append(placeOf(
                facts, *setting.variable, setting.variable->name + u'=' + setting.variable->value.simplified()));
        }
    }
    return compiled;
}

} // namespace

QString SettingPlace::text() const
{
    QStringList numbers;
    for (const int line : lines)
        numbers.append(QString::number(line));
    const QString last = numbers.isEmpty() ? QString() : numbers.takeLast();
    const QString all =
        numbers.isEmpty() ? last : Tr::tr("%1 or %2", "numbers of lines").arg(numbers.join(u", "_s), last);
    return Tr::tr("%1 (%2)", "variable, place")
        .arg(variable, file.isEmpty() ? Tr::tr("line %1").arg(all) : Tr::tr("line %1 of %2").arg(all, shownPath(file)));
}

void SettingPlace::addLines(const SettingPlace &other)
{
    for (const int line : other.lines) {
        if (!lines.contains(line))
            lines.append(line);
    }
    std::ranges::sort(lines);
}

BuildMachine BuildMachine::here()
{
    return {QThread::idealThreadCount(), usableMemory()};
}

BuildMemory buildMemory(const Catalog &catalog, const VariantEntry &entry, int cores, const BuildMachine &machine,
                        qint64 earlierPeak)
{
    BuildMemory memory{{}, earlierPeak, machine};
    if (!entry.facts || entry.facts->error)
        return memory;
    const RecipeFacts &facts = *entry.facts;
    const bool gpu = isGpuRow(entry.variant.row);
    const int jobs = cores > 0 ? cores : machine.cores;
    const auto add = [&](const PackageFacts &package, const QString &usual) {
        if (!package.attribute && !package.builder) // It is not understood what is compiled.
            return;
        const QString name = package.attribute.known ? package.attribute.value : usual;
        const CompiledPackage one =
            compiled(catalog, facts, package, name == "pytorch"_L1 ? u"torch"_s : name, jobs, gpu);
        if (!memory.packages.contains(one))
            memory.packages.append(one);
    };
    if (facts.torch.package)
        add(*facts.torch.package, u"torch"_s);
    for (const PackageFacts &library : facts.libraries)
        add(library, FamilyName::of(entry.variant.family).word);
    add(facts.package, FamilyName::of(entry.variant.family).word);
    return memory;
}

qint64 BuildMemory::needed() const
{
    qint64 most = earlierPeak;
    for (const CompiledPackage &package : packages)
        most = std::max(most, package.memory());
    return most;
}

int BuildMemory::jobsThatFit() const
{
    int fit = std::numeric_limits<int>::max();
    for (const CompiledPackage &package : packages) {
        if (package.jobMemory > 0 && package.fixedBy.isEmpty())
            fit = std::min(fit, int(machine.memory / package.jobMemory));
    }
    return fit == std::numeric_limits<int>::max() || machine.memory == 0 ? 0 : std::max(1, fit);
}

QStringList BuildMemory::sentences() const
{
    QStringList lines;
    QStringList fixed;
    for (const CompiledPackage &package : packages) {
        const QString jobs = Tr::tr("%1: %n jobs of %2, %3 in all.", nullptr, package.jobs)
                                 .arg(package.name, gigabytes(package.jobMemory), gigabytes(package.memory()));
        QStringList line{jobs};
        if (!package.fixedBy.isEmpty())
            line.append(forSurface(Tr::tr("%1 overrides --cores."), Tr::tr("%1 overrides the cores of the build."))
                            .arg(package.fixedBy.text()));
        QStringList places;
        for (const SettingPlace &place : package.withoutEffect)
            places.append(place.text());
        if (!places.isEmpty())
            line.append(Tr::tr("No effect: %1.").arg(places.join(u", "_s)));
        lines.append(joinedSentences(line));
        if (package.memory() > machine.memory && !package.fixedBy.isEmpty())
            fixed.append(package.fixedBy.text());
    }
    if (earlierPeak >= gigabyte / 2)
        lines.append(Tr::tr("Builds like it took up to %1 here.").arg(gigabytes(earlierPeak)));
    if (machine.memory <= 0 || needed() <= machine.memory)
        return lines;
    QStringList line{Tr::tr("This machine has %1.").arg(gigabytes(machine.memory))};
    const int fit = jobsThatFit();
    const bool bySetting = std::ranges::any_of(packages, [this](const CompiledPackage &package) {
        return package.fixedBy.isEmpty() && package.memory() > machine.memory;
    });
    if (bySetting && fit > 0)
        line.append(forSurface(Tr::tr("Build with --cores %1."), Tr::tr("Build with %1 cores.")).arg(fit));
    if (!fixed.isEmpty())
        line.append(Tr::tr("Lower %1 in the recipe.").arg(fixed.join(u", "_s)));
    lines.append(joinedSentences(line));
    return lines;
}

qint64 EarlierPeaks::of(const QString &variant)
{
    if (!m_peaks) {
        m_peaks.emplace();
        const QString path = stateFolder() + u"/builds.sqlite"_s;
        if (QFileInfo::exists(path)) { // BuildHistory::open() would create it.
            const Result<BuildHistory> history = BuildHistory::open(path);
            const auto records = history ? history->records({.outcome = wordOf(BuildOutcome::Kind::Built)})
                                         : Result<QList<BuildRecord>>(history.error());
            for (const BuildRecord &record : records ? *records : QList<BuildRecord>()) {
                qint64 &peak = (*m_peaks)[likenessOf(record.variant)];
                peak = std::max(peak, record.peakMemory);
            }
        }
    }
    return m_peaks->value(likenessOf(variant));
}

namespace {

/// All places of settings in a build.
QList<SettingPlace *> placesOf(BuildMemory &build)
{
    QList<SettingPlace *> places;
    for (CompiledPackage &package : build.packages) {
        places.append(&package.fixedBy);
        for (SettingPlace &place : package.withoutEffect)
            places.append(&place);
    }
    return places;
}

/// Without the lines, in which copies of a recipe differ.
QStringList sentencesWithoutLines(BuildMemory build)
{
    for (SettingPlace *place : placesOf(build))
        place->lines.clear();
    return build.sentences();
}

struct LikeBuilds {
    QStringList likeness; ///< its sentences without lines
    BuildMemory build;    ///< with the lines of all
    int count = 0;
};

} // namespace

QList<QStringList> memoryParagraphs(const QList<BuildMemory> &builds)
{
    QList<LikeBuilds> groups;
    for (BuildMemory build : builds) {
        const QStringList likeness = sentencesWithoutLines(build);
        const auto known = std::ranges::find(groups, likeness, &LikeBuilds::likeness);
        if (known == groups.end()) {
            groups.append({likeness, build, 1});
            continue;
        }
        ++known->count;
        const QList<SettingPlace *> own = placesOf(build);
        const QList<SettingPlace *> all = placesOf(known->build);
        for (qsizetype i = 0; i < std::min(own.size(), all.size()); ++i)
            all.at(i)->addLines(*own.at(i));
    }
    std::ranges::stable_sort(groups, std::ranges::greater(), &LikeBuilds::count);
    QList<QStringList> paragraphs;
    for (const LikeBuilds &group : std::as_const(groups)) {
        if (const QStringList sentences = group.build.sentences(); !sentences.isEmpty())
            paragraphs.append(QStringList{Tr::tr("%n recipes:", nullptr, group.count)} + sentences);
    }
    return paragraphs;
}

QString memoryText(const QList<BuildMemory> &builds)
{
    QString text;
    for (const QStringList &paragraph : memoryParagraphs(builds))
        text += paragraph.join(u"\n  "_s) + u'\n';
    return text;
}

QString crowdedText(QList<qint64> needs, qint64 memory, int atOnce)
{
    std::ranges::sort(needs, std::ranges::greater());
    needs.resize(std::min<qsizetype>(needs.size(), atOnce));
    const qint64 all = std::accumulate(needs.cbegin(), needs.cend(), qint64(0));
    return needs.size() < 2 || memory == 0 || all <= memory
               ? QString()
               : Tr::tr("%n builds at a time may need %1, and this machine has %2: the queue starts only what fits.",
                        nullptr, int(needs.size()))
                     .arg(gigabytes(all), gigabytes(memory));
}

} // namespace tmx
