// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// The same work at 1, 10 and 100 times the size: the ratio is how many times as long it takes.
#include "model/history/BuildHistory.h"
#include "model/job/Farm.h"
#include "tests/bench/Bench.h"
#include "tests/bench/Samples.h"
#include "tests/support/EditedSettings.h"

#include "model/git/Repository.h"
#include "model/template/RecipeRenderer.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <random>

using namespace Qt::StringLiterals;

namespace tmx::bench {

namespace {

constexpr int farmBuilds = 10'000;
constexpr int farmSlots = 500;

/// PyTorch builds take one to four hours; every third build is a companion of half an hour that waits for the previous
/// one.
Farm makeFarm(int machines)
{
    std::mt19937 random(1);
    Farm farm;
    farm.kinds.append({u"x86_64-linux"_s, {}});
    for (int machine = 0; machine < machines; ++machine) {
        farm.machines.append({QString::number(machine), farmSlots / machines, 1});
        farm.kinds.first().machines.append(machine);
    }
    for (int build = 0; build < farmBuilds; ++build) {
        if (build % 3 == 2)
            farm.jobs.append({0, 1800, {build - 1}, -1});
        else
            farm.jobs.append({0, 3600 + qint64(random() % 10'800), {}, -1});
    }
    return farm;
}

/// Splits the builds into equal parts; a companion is in the part of the build that it waits for.
qint64 inEqualParts(const Farm &farm)
{
    qint64 longest = 0;
    const qsizetype size = (farm.jobs.size() + farmSlots - 1) / farmSlots;
    for (qsizetype from = 0; from < farm.jobs.size(); from += size) {
        qint64 seconds = 0;
        for (const FarmJob &job : farm.jobs.sliced(from, std::min(size, farm.jobs.size() - from)))
            seconds += job.seconds;
        longest = std::max(longest, seconds);
    }
    return longest;
}

/// One branch with `times` as many recipes as cuda-13_0 has: for as many Pythons.
QString manyRecipes(int times)
{
    const QString path = scratch(u"recipes-%1"_s.arg(times));
    const Settings settings = *catalog()->settings(u"cuda-13_0"_s);
    RecipeRenderer renderer(catalog());
    NewBranch branch{u"many"_s, u"Add the recipes\n"_s, {}};
    for (const Variant &variant : settings.promised()) {
        const QByteArray text = *renderer.render(settings, variant);
        for (int i = 0; i < times; ++i) {
            const QString python = u"python%1"_s.arg(313 + i);
            branch.files.append({variant.file().replace(variant.python, python),
                                 QByteArray(text).replace(variant.python.toUtf8(), python.toUtf8())});
        }
    }
    if (const auto made = createRepository(path, {branch}); !made)
        fail(made.error().sentence());
    return path;
}

void forgetAll()
{
    QDir(qEnvironmentVariable("XDG_CACHE_HOME")).removeRecursively();
}

} // namespace

void farm(Table &table)
{
    for (const int machines : {1, 10, farmSlots}) {
        const Farm farm = makeFarm(machines);
        table.measure(
            u"%L1 builds on %2 slots of %3 machines: until all are done"_s.arg(farmBuilds).arg(farmSlots).arg(machines),
            u"the list cut into equal parts"_s,
            [&](int) { return Sample{double(planFarm(farm, FarmOrder::LongestFirst).seconds) * 1000, -1, -1}; },
            [&](int) { return Sample{double(inEqualParts(farm)) * 1000, -1, -1}; }, 1);
    }
}

void scale(Table &table)
{
    const int runs = table.isQuick() ? 1 : 3;
    const QList<int> sizes = table.isQuick() ? QList<int>{10} : QList<int>{10, 100};
    const BranchesSample &sample = nineBranches();
    const QStringList list{u"list"_s, u"--all-branches"_s, u"--json"_s};
    for (const int times : sizes) {
        const BranchesSample many = manyTimes(sample, times);
        const QString work = u"%L1 branches, %L2 recipes, %3"_s.arg(many.branches.size()).arg(many.recipes);
        const QString other = u"%1 branches, %2 recipes"_s.arg(sample.branches.size()).arg(sample.recipes);
        const auto cold = [&list](const QString &path) {
            forgetAll();
            return ours(list, path);
        };
        table.measure(
            work.arg(u"no cache"_s), other, [&](int) { return cold(many.path); },
            [&](int) { return cold(sample.path); }, runs);
        const auto warm = [&list](const QString &path) {
            ours(list, path);
            return ours(list, path);
        };
        table.measure(
            work.arg(u"cached"_s), other, [&](int) { return warm(many.path); }, [&](int) { return warm(sample.path); },
            runs);
        QDir(many.path).removeRecursively();
    }
    const QString one = manyRecipes(1);
    for (const int times : sizes) {
        const QString many = manyRecipes(times);
        const auto audit = [](const QString &path) {
            forgetAll();
            return ours({u"audit"_s, u"--json"_s}, path);
        };
        table.measure(
            u"audit one branch of %L1 recipes"_s.arg(59 * times), u"59 recipes"_s, [&](int) { return audit(many); },
            [&](int) { return audit(one); }, runs);
    }
    for (const int side : table.isQuick() ? QList<int>{316} : QList<int>{316, 1000}) {
        const auto scroll = [](int size) { return part(u"grid"_s, {u"ours"_s, QString::number(size), u"scroll"_s}); };
        table.measure(
            u"grid of %L1 x %L1, a frame"_s.arg(side), u"100 x 100"_s, [&](int) { return scroll(side); },
            [&](int) { return scroll(100); }, runs);
    }
    for (const int times : sizes) {
        const qint64 bytes = 10'000'000;
        const auto open = [](qint64 size) { return part(u"log"_s, {u"ours"_s, logOf(size)}); };
        table.measure(
            u"open a log of %L1 MB"_s.arg(bytes * times / 1'000'000), u"10 MB"_s,
            [&](int) { return open(bytes * times); }, [&](int) { return open(bytes); }, runs);
    }
    for (const int times : sizes) {
        const auto history = [](int jobs) { return part(u"history"_s, {QString::number(jobs)}); };
        table.measure(
            u"newest 50 and times of like builds of %L1 jobs"_s.arg(1000 * times), u"1,000 jobs"_s,
            [&](int) { return history(1000 * times); }, [&](int) { return history(1000); }, 1);
    }
}

Sample historyPart(const QStringList &arguments)
{
    const int jobs = arguments.value(0).toInt();
    const QTemporaryDir folder;
    Result<BuildHistory> history = BuildHistory::open(folder.filePath(u"builds.sqlite"_s));
    if (!history)
        fail(history.error().sentence());
    const QDateTime begin(QDate(2025, 1, 1), QTime(0, 0), QTimeZone::UTC);
    const QList<Variant> variants = catalog()->settings(u"cuda-13_0"_s)->promised();
    for (int job = 0; job < jobs; ++job) {
        const Variant &variant = variants.at(job % variants.size());
        BuildRecord record;
        record.job = QString::number(job);
        record.variant = variant.name();
        record.package = variant.name();
        record.branch = u"cuda-13_0"_s;
        record.repository = u"/repository"_s;
        record.machine = u"machine"_s;
        record.engine = u"flox"_s;
        record.queued = record.started = begin.addSecs(qint64(job) * 60);
        record.ended = record.started.addSecs(3600);
        record.outcome = BuildOutcome::Kind::Built;
        if (const auto recorded = history->record(record); !recorded)
            fail(recorded.error().sentence());
    }
    BuildFilter filter;
    filter.limit = 50;
    return inside([&] {
        if (const auto newest = history->records(filter); !newest || newest->size() != 50)
            fail(u"the history is short of builds"_s);
        for (const Variant &variant : variants) {
            if (history->earlierBuilds(variant.name(), u"machine"_s).isEmpty())
                fail(u"the history knows no time"_s);
        }
    });
}

} // namespace tmx::bench
