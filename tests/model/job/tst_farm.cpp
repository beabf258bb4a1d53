// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/Farm.h"
#include "model/job/Queue.h"
#include "tests/support/Fuzzing.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

constexpr FarmOrder bothOrders[] = {FarmOrder::AsGiven, FarmOrder::LongestFirst};

/// Machines of several speeds and kinds, some without a slot; jobs that need earlier ones, some that no machine takes.
Farm someFarm(test::Fuzzing &fuzzing)
{
    Farm farm;
    for (int i = 1 + fuzzing.below(6); i > 0; --i)
        farm.machines.append(
            {u"m%1"_s.arg(i), fuzzing.below(5), 0.5 * fuzzing.below(6), fuzzing.below(2) * fuzzing.below(100)});
    for (int i = 1 + fuzzing.below(4); i > 0; --i) {
        FarmKind kind;
        kind.memory = fuzzing.below(3) ? fuzzing.below(60) : 0;
        for (int machine = 0; machine < farm.machines.size(); ++machine) {
            if (fuzzing.below(2))
                kind.machines.append(machine);
        }
        farm.kinds.append(kind);
    }
    const int jobs = fuzzing.below(60);
    for (int i = 0; i < jobs; ++i) {
        FarmJob job{fuzzing.below(farm.kinds.size()), fuzzing.below(4) ? fuzzing.below(9000) : 0, {}, -1};
        for (int needs = i > 0 ? fuzzing.below(3) : 0; needs > 0; --needs)
            job.needs.append(fuzzing.below(i));
        if (fuzzing.below(12) == 0)
            job = {0, fuzzing.below(9000), {}, fuzzing.below(farm.machines.size())};
        farm.jobs.append(job);
    }
    return farm;
}

Farm sameSlots(test::Fuzzing &fuzzing, int slotCount)
{
    Farm farm;
    for (int left = slotCount; left > 0;) {
        const int some = 1 + fuzzing.below(left);
        farm.machines.append({QString(), some, 1});
        left -= some;
    }
    farm.kinds.resize(1);
    for (int machine = 0; machine < farm.machines.size(); ++machine)
        farm.kinds.first().machines.append(machine);
    const int jobs = 1 + fuzzing.below(80);
    for (int i = 0; i < jobs; ++i) {
        FarmJob job{0, 1 + fuzzing.below(9000), {}, -1};
        if (i > 0 && fuzzing.below(3) == 0)
            job.needs.append(fuzzing.below(i));
        farm.jobs.append(job);
    }
    return farm;
}

/// The shortest time for one machine after the other to build it: tries every order.
qint64 best(const Farm &farm, int job, QList<qint64> &load)
{
    if (job == farm.jobs.size())
        return *std::ranges::max_element(load);
    qint64 least = std::numeric_limits<qint64>::max();
    for (qint64 &one : load) {
        one += farm.jobs.at(job).seconds;
        least = std::min(least, best(farm, job + 1, load));
        one -= farm.jobs.at(job).seconds;
    }
    return least;
}

} // namespace

class TestFarm : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    /// As the queue does it.
    void whatRunsTogetherHasRoom()
    {
        test::Fuzzing fuzzing(test::newSeed());
        for (int round = 0; round < test::fuzzInputs(100); ++round) {
            const Farm farm = someFarm(fuzzing);
            const FarmPlan plan = planFarm(farm, FarmOrder::AsGiven);
            const auto memoryOf = [&](int job) { return farm.kinds.at(farm.jobs.at(job).kind).memory; };
            for (int job = 0; job < farm.jobs.size(); ++job) {
                const FarmBuild &build = plan.builds.at(job);
                if (build.machine < 0 || build.begin == build.end)
                    continue;
                int others = 0;
                qint64 taken = 0;
                for (int other = 0; other < farm.jobs.size(); ++other) {
                    const FarmBuild &its = plan.builds.at(other);
                    const bool beside = other != job && its.machine == build.machine && its.begin <= build.begin &&
                                        its.end > build.begin;
                    others += beside;
                    taken += beside ? memoryOf(other) : 0;
                }
                if (farm.jobs.at(job).runsOn < 0)
                    QVERIFY(hasRoom(memoryOf(job), others, taken, farm.machines.at(build.machine).memory));
            }
        }
    }

    void everyPlanCanBeCarriedOut()
    {
        test::Fuzzing fuzzing(test::newSeed());
        int built = 0;
        int refused = 0;
        for (int round = 0; round < test::fuzzInputs(400); ++round) {
            const Farm farm = someFarm(fuzzing);
            for (const FarmOrder order : bothOrders) {
                const FarmPlan plan = planFarm(farm, order);
                QCOMPARE(plan, planFarm(farm, order));
                QCOMPARE(plan.builds.size(), farm.jobs.size());
                QCOMPARE(plan.uses.size(), farm.machines.size());
                QList<FarmUse> uses(farm.machines.size());
                qint64 last = 0;
                for (int job = 0; job < farm.jobs.size(); ++job) {
                    const FarmJob &one = farm.jobs.at(job);
                    const FarmBuild &build = plan.builds.at(job);
                    const auto isTaken = [&](int machine) { return farm.machines.at(machine).atOnce > 0; };
                    const bool taken =
                        one.runsOn >= 0 ||
                        (std::ranges::any_of(farm.kinds.at(one.kind).machines, isTaken) &&
                         std::ranges::all_of(one.needs, [&](int need) { return plan.builds.at(need).machine >= 0; }));
                    QCOMPARE(build.machine >= 0, taken);
                    ++(taken ? built : refused);
                    if (!taken)
                        continue;
                    last = std::max(last, build.end);
                    uses[build.machine].builds += 1;
                    uses[build.machine].busy += build.end - build.begin;
                    if (one.runsOn >= 0) {
                        QCOMPARE(build.machine, one.runsOn);
                        QCOMPARE(build.begin, 0);
                        QCOMPARE(build.end, one.seconds);
                        continue;
                    }
                    const FarmMachine &machine = farm.machines.at(build.machine);
                    const double speed = machine.speed > 0 ? machine.speed : 1;
                    QVERIFY(farm.kinds.at(one.kind).machines.contains(build.machine));
                    QVERIFY(build.slot >= 0 && build.slot < machine.atOnce);
                    QCOMPARE(build.end - build.begin, qint64(std::ceil(double(one.seconds) / speed - 1e-6)));
                    for (const int need : one.needs)
                        QVERIFY(plan.builds.at(need).end <= build.begin);
                }
                QCOMPARE(plan.uses, uses);
                QCOMPARE(plan.seconds, last);
                QVERIFY2(plan.seconds >= plan.bound.seconds,
                         qPrintable(u"%1 < %2"_s.arg(plan.seconds).arg(plan.bound.seconds)));
                // No slot has two builds at a time.
                for (int one = 0; one < farm.jobs.size(); ++one) {
                    for (int other = 0; other < one; ++other) {
                        const FarmBuild &a = plan.builds.at(one);
                        const FarmBuild &b = plan.builds.at(other);
                        QVERIFY(a.machine < 0 || a.machine != b.machine || a.slot != b.slot || a.end <= b.begin ||
                                b.end <= a.begin);
                    }
                }
            }
        }
        QVERIFY(built > 1000 && refused > 100);
    }

    /// A slot is idle only if no job that its machine takes, and that has room, can start.
    void noSlotIsIdleForNothing()
    {
        test::Fuzzing fuzzing(test::newSeed());
        for (int round = 0; round < test::fuzzInputs(200); ++round) {
            const Farm farm = someFarm(fuzzing);
            const FarmPlan plan = planFarm(farm, round % 2 ? FarmOrder::AsGiven : FarmOrder::LongestFirst);
            for (int job = 0; job < farm.jobs.size(); ++job) {
                const FarmBuild &build = plan.builds.at(job);
                if (build.machine < 0 || build.begin == 0)
                    continue;
                qint64 ready = 0;
                for (const int need : farm.jobs.at(job).needs)
                    ready = std::max(ready, plan.builds.at(need).end);
                if (ready == build.begin)
                    continue;
                const qint64 before = build.begin - 1; // it could have begun then
                for (const int machine : farm.kinds.at(farm.jobs.at(job).kind).machines) {
                    int busy = 0;
                    qint64 taken = 0;
                    for (int other = 0; other < farm.jobs.size(); ++other) {
                        const FarmBuild &one = plan.builds.at(other);
                        const bool runs = one.machine == machine && one.begin <= before && before < one.end;
                        busy += runs;
                        taken += runs ? farm.kinds.at(farm.jobs.at(other).kind).memory : 0;
                    }
                    const FarmMachine &its = farm.machines.at(machine);
                    QVERIFY(busy >= its.atOnce ||
                            !hasRoom(farm.kinds.at(farm.jobs.at(job).kind).memory, busy, taken, its.memory));
                }
            }
        }
    }

    void isNearTheBoundOnSlotsOfOneSpeed()
    {
        test::Fuzzing fuzzing(test::newSeed());
        for (int round = 0; round < test::fuzzInputs(300); ++round) {
            const int slotCount = 1 + fuzzing.below(9);
            const Farm farm = sameSlots(fuzzing, slotCount);
            for (const FarmOrder order : bothOrders) {
                const FarmPlan plan = planFarm(farm, order);
                QVERIFY(double(plan.seconds) <= (2 - 1.0 / slotCount) * double(plan.bound.seconds));
                qint64 work = 0;
                qint64 longest = 0;
                for (const FarmJob &job : farm.jobs) {
                    work += job.seconds;
                    longest = std::max(longest, job.seconds);
                }
                QVERIFY(plan.bound.seconds >= longest && plan.bound.seconds >= work / slotCount);
                if (slotCount == 1)
                    QCOMPARE(plan.seconds, work);
                // The chain is one, and nothing is longer.
                qint64 chain = 0;
                for (qsizetype i = 0; i < plan.chain.size(); ++i) {
                    chain += farm.jobs.at(plan.chain.at(i)).seconds;
                    QVERIFY(i == 0 || farm.jobs.at(plan.chain.at(i)).needs.contains(plan.chain.at(i - 1)));
                }
                QCOMPARE(plan.chainSeconds, chain);
                QVERIFY(chain >= longest);
            }
        }
    }

    /// Graham's other bound: longest first takes at most a third more than the optimum.
    void longestFirstIsNearTheBest()
    {
        test::Fuzzing fuzzing(test::newSeed());
        for (int round = 0; round < test::fuzzInputs(60); ++round) {
            const int slotCount = 2 + fuzzing.below(2);
            Farm farm = sameSlots(fuzzing, slotCount);
            farm.jobs.resize(std::min<qsizetype>(farm.jobs.size(), 9));
            for (FarmJob &job : farm.jobs)
                job.needs.clear();
            QList<qint64> load(slotCount, 0);
            const qint64 least = best(farm, 0, load);
            const FarmPlan plan = planFarm(farm, FarmOrder::LongestFirst);
            QVERIFY(plan.seconds >= least && least >= plan.bound.seconds);
            QVERIFY(double(plan.seconds) <= (4.0 / 3 - 1.0 / (3 * slotCount)) * double(least));
        }
    }

    void theOrderIsThatOfTheJobs()
    {
        const Farm farm{{{u"one"_s, 1, 1}}, {{u"any"_s, {0}}}, {{0, 10, {}}, {0, 30, {}}, {0, 20, {}}}};
        const auto begins = [&farm](FarmOrder order) {
            QList<qint64> times;
            for (const FarmBuild &build : planFarm(farm, order).builds)
                times.append(build.begin);
            return times;
        };
        QCOMPARE(begins(FarmOrder::AsGiven), (QList<qint64>{0, 10, 40}));
        QCOMPARE(begins(FarmOrder::LongestFirst), (QList<qint64>{50, 0, 30}));
    }

    void theFastestMachineIsTaken()
    {
        // The last one is as fast as the first and takes fewer kinds, so the first stays free for what only it takes.
        const Farm farm{{{u"both"_s, 1, 2}, {u"slow"_s, 1, 1}, {u"arm"_s, 1, 2}},
                        {{u"x86"_s, {0, 1}}, {u"arm"_s, {0, 2}}},
                        {{1, 100, {}}, {0, 100, {}}, {0, 100, {}}}};
        const FarmPlan plan = planFarm(farm, FarmOrder::AsGiven);
        QCOMPARE(plan.builds.at(0), (FarmBuild{2, 0, 0, 50}));
        QCOMPARE(plan.builds.at(1), (FarmBuild{0, 0, 0, 50}));
        QCOMPARE(plan.builds.at(2), (FarmBuild{1, 0, 0, 100}));
    }

    void theBoundIsThatOfTheBusiestMachines()
    {
        Farm farm{{{u"here"_s, 10, 1}, {u"arm"_s, 2, 1}}, {{u"x86"_s, {0}}, {u"arm"_s, {1}}}, {}};
        for (int i = 0; i < 8; ++i)
            farm.jobs.append({1, 60, {}});
        FarmPlan plan = planFarm(farm, FarmOrder::LongestFirst);
        QCOMPARE(plan.bound, (FarmBound{240, FarmBound::By::Work, 1}));
        QCOMPARE(plan.seconds, 240);
        farm.jobs = {{0, 60, {}}, {0, 60, {0}}};
        plan = planFarm(farm, FarmOrder::LongestFirst);
        QCOMPARE(plan.bound, (FarmBound{120, FarmBound::By::Chain, -1}));
        QCOMPARE(plan.chain, (QList<int>{0, 1}));
    }

    void whatCannotBeBuiltIsNotPlanned()
    {
        // In a cycle, after a job in the cycle, without a kind, without a machine, on an unknown machine, after an
        // unknown job.
        const Farm farm{
            {{u"here"_s, 1, 1}, {u"off"_s, 0, 1}},
            {{u"x86"_s, {0, 7, -1}}, {u"arm"_s, {1}}},
            {{0, 5, {1}}, {0, 5, {0}}, {0, 5, {1}}, {9, 5, {}}, {1, 5, {}}, {0, 5, {}, 8}, {0, 5, {99}}, {0, -5, {}}}};
        const FarmPlan plan = planFarm(farm, FarmOrder::LongestFirst);
        for (int job = 0; job < 7; ++job)
            QCOMPARE(plan.builds.at(job).machine, -1);
        QCOMPARE(plan.builds.at(7), (FarmBuild{0, 0, 0, 0}));
        QCOMPARE(plan.seconds, 0);
        QCOMPARE(planFarm({}, FarmOrder::AsGiven), FarmPlan());
    }

    void whatRunsKeepsItsSlot()
    {
        // Three run where two are allowed: a third one starts when two have ended.
        const Farm farm{
            {{u"here"_s, 2, 4}}, {{u"any"_s, {0}}}, {{0, 100, {}, 0}, {0, 50, {}, 0}, {0, 70, {}, 0}, {0, 40, {}}}};
        const FarmPlan plan = planFarm(farm, FarmOrder::LongestFirst);
        QCOMPARE(plan.builds.at(3), (FarmBuild{0, 1, 70, 80}));
        QCOMPARE(plan.seconds, 100);
    }
};

TM_TEST(TestFarm, QCoreApplication)
#include "tst_farm.moc"
