// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/Estimate.h"

#include "model/snapshot/SnapshotReader.h"
#include "tests/support/Results.h"
#include "tests/support/SampleFixture.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

const QString avx2 = u"pytorch-python313-cpu-avx2"_s;
const QString avx512 = u"pytorch-python313-cpu-avx512"_s;
const QString arm = u"pytorch-python313-cpu-armv9"_s;
const QString hopper = u"pytorch-python313-cuda12_8-sm90-avx512"_s;

PreflightProbes x86(const QString &builders = {})
{
    PreflightProbes probes;
    probes.machine = u"this machine"_s;
    probes.host.architecture = u"x86_64-linux"_s;
    probes.building.builders = parseNixBuilders(builders);
    return probes;
}

int indexOf(const Estimate &estimate, const QString &variant)
{
    for (int i = 0; i < estimate.builds.size(); ++i) {
        if (estimate.builds.at(i).variant == variant)
            return i;
    }
    return -1;
}

FarmBuild buildOf(const Estimate &estimate, const QString &variant)
{
    return estimate.plan.builds.value(indexOf(estimate, variant));
}

QStringList namesOf(const QList<LeftOut> &leftOut)
{
    QStringList names;
    for (const LeftOut &one : leftOut)
        names.append(one.variant);
    return names;
}

} // namespace

class TestEstimating : public QObject
{
    Q_OBJECT

    SampleFixture m_sample;
    std::shared_ptr<const BranchSnapshot> m_snapshot;
    std::unique_ptr<QTemporaryDir> m_folder;

    [[nodiscard]] QString state() const { return m_folder->filePath(u"state"_s); }
    [[nodiscard]] Estimate estimate(const BuildRequest &request, const PreflightProbes &machine, int atOnce = 0) const
    {
        return estimateBuilds(*m_sample.catalog(), *m_snapshot, state(), {request, atOnce}, machine);
    }
    void addBuilt(const QString &variant, qint64 seconds, const QString &machine = machineId()) const
    {
        static int number = 0;
        QVERIFY(QDir().mkpath(state()));
        Result<BuildHistory> history = BuildHistory::open(state() + u"/builds.sqlite"_s);
        QVERIFY_OK(history);
        BuildRecord record;
        record.job = u"20260101-120000-%1"_s.arg(++number, 6, 10, QChar(u'0'));
        record.variant = record.package = variant;
        record.machine = machine;
        record.started = QDateTime::fromSecsSinceEpoch(1'700'000'000 + number);
        record.ended = record.started.addSecs(seconds);
        record.outcome = BuildOutcome::Kind::Built;
        QVERIFY_OK(history->record(record));
    }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning();
        const Result<ReadBranch> read = SnapshotReader(m_sample.catalog()).read(m_sample.path());
        QVERIFY_OK(read);
        m_snapshot = read->snapshot;
    }
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    /// What build --all would queue is planned, or named with the reason, once.
    void plansOrNamesEachVariantOnce()
    {
        for (const QString &builders :
             {QString(), u"ssh://arm aarch64-linux - 2 1 big-parallel"_s, u"ssh://arm aarch64-linux - 0"_s,
              u"ssh://arm aarch64-linux - 2 1 - kvm; ssh://x x86_64-linux - 3 2 big-parallel"_s}) {
            const PreflightProbes machine = x86(builders);
            const BuildRequest request{.names = {}, .selections = {BuildSelection::All}};
            const Estimate all = estimate(request, machine, 4);
            QStringList seen = namesOf(all.leftOut);
            for (const PlannedBuild &build : all.builds)
                seen.append(build.variant);
            QStringList wanted;
            for (const Job &job : wantedBuilds(*m_snapshot, state(), request).jobs) {
                wanted.append(job.variant);
                PreflightProbes probes = machine;
                addRecipe(probes, *m_sample.catalog(), *m_snapshot, job);
                const auto refused = platformItem(probes);
                QCOMPARE(indexOf(all, job.variant) < 0, refused.has_value());
                if (refused)
                    QVERIFY(std::ranges::any_of(all.leftOut, [&](const LeftOut &one) {
                        return one.variant == job.variant && one.sentence == refused->sentence;
                    }));
                else
                    QVERIFY(buildOf(all, job.variant).machine >= 0);
            }
            seen.sort();
            wanted.sort();
            QCOMPARE(seen, wanted);
            QCOMPARE(wanted.size(), 44);
            QVERIFY(all.plan.seconds >= all.plan.bound.seconds);
            QVERIFY(all.longestFirst >= all.plan.bound.seconds);
        }
        QVERIFY(!QFile::exists(state())); // looking makes none
    }

    void theMachinesAreThisOneAndItsBuilders()
    {
        const Estimate all = estimate({.names = {avx2, arm}},
                                      x86(u"ssh://arm aarch64-linux - 2 2 big-parallel; ssh://no x86_64-linux - 0"_s));
        QCOMPARE(all.farm.machines,
                 (QList<FarmMachine>{{u"this machine"_s, 1, 1}, {u"ssh://arm"_s, 2, 2}, {u"ssh://no"_s, 0, 1}}));
        QCOMPARE(buildOf(all, avx2), (FarmBuild{0, 0, 0, usualSeconds}));
        QCOMPARE(buildOf(all, arm), (FarmBuild{1, 0, 0, usualSeconds / 2}));
        QCOMPARE(all.usedAtOnce(), 2);
        QCOMPARE(estimate({.names = {avx2}}, x86(), 7).farm.machines.constFirst().atOnce, 7);
        QVERIFY(estimate({.names = {arm}}, x86()).builds.isEmpty());
    }

    void timesAreThoseOfLikeBuildsHere()
    {
        QCOMPARE(LikelyTimes(state()).of(hopper, true), (LikelyTime{usualGpuSeconds, 0}));
        QCOMPARE(LikelyTimes(state()).of(avx2, false), (LikelyTime{usualSeconds, 0}));
        for (const qint64 seconds : {100, 900, 500})
            addBuilt(avx2, seconds);
        addBuilt(avx2, 5, u"another"_s);
        addBuilt(hopper, 7, u"another"_s);
        LikelyTimes times(state());
        QCOMPARE(times.of(avx512, false), (LikelyTime{500, 3}));
        QCOMPARE(times.of(hopper, true), (LikelyTime{usualGpuSeconds, 0}));
        const Estimate all = estimate({.names = {avx512, hopper}}, x86());
        QCOMPARE(all.defaults(), 1);
        QCOMPARE(all.plan.seconds, 500 + usualGpuSeconds);
        // A builder made what this machine cannot build: that builder does not count as faster.
        const Estimate built = estimate({.names = {arm}}, x86(u"ssh://arm aarch64-linux - 2 4 big-parallel"_s));
        QCOMPARE(built.plan.seconds, 500);
    }

    void aCompanionWaitsForWhatItImports()
    {
        auto changed = std::make_shared<BranchSnapshot>(*m_snapshot);
        auto facts = std::make_shared<RecipeFacts>(*changed->entries.value(avx2).facts);
        facts->torch.kind = TorchSource::Kind::Sibling;
        facts->torch.file = avx512 + u".nix"_s;
        changed->entries[avx2].facts = facts;
        const auto before = std::exchange(m_snapshot, changed);
        const Estimate both = estimate({.names = {avx2, avx512}}, x86(), 2);
        const Estimate alone = estimate({.names = {avx2}}, x86(), 2);
        m_snapshot = before;
        QCOMPARE(buildOf(both, avx2).begin, buildOf(both, avx512).end);
        QCOMPARE(both.plan.bound.by, FarmBound::By::Chain);
        QVERIFY2(chainText(both).contains(avx512 + u", then "_s + avx2), qPrintable(chainText(both)));
        QCOMPARE(buildOf(alone, avx2).begin, 0);
        QCOMPARE(estimate({.names = {avx2, avx512}}, x86(), 2).plan.seconds, usualSeconds);
    }

    void whatIsQueuedComesFirst()
    {
        Queue queue(state());
        QVERIFY_OK(queue.change([](QueueContents &contents) {
            contents.paused = true;
            contents.parallel = 1;
        }));
        const auto jobs = wantedBuilds(*m_snapshot, state(), {.names = {hopper, avx2}}).jobs;
        QVERIFY_OK(queue.add(jobs, Again::No));
        const Estimate all = estimate({.names = {avx512, avx2}}, x86());
        QCOMPARE(all.builds.size(), 3); // one is in the queue
        QCOMPARE(buildOf(all, hopper).begin, 0);
        QCOMPARE(buildOf(all, avx2).begin, usualGpuSeconds);
        QCOMPARE(buildOf(all, avx512).begin, usualGpuSeconds + usualSeconds);
        QVERIFY(all.paused && !all.builds.at(indexOf(all, avx2)).job.isEmpty());
        QVERIFY(all.builds.at(indexOf(all, avx512)).job.isEmpty());
    }

    /// What only the queue has is a sentence of its own, in no number and no chain.
    void onlyWhatIsAskedForIsCounted()
    {
        Queue queue(state());
        QVERIFY_OK(queue.change([](QueueContents &contents) { contents.paused = true; }));
        QVERIFY_OK(queue.add(wantedBuilds(*m_snapshot, state(), {.names = {hopper, avx2}}).jobs, Again::No));
        const Estimate all = estimate({.names = {avx512, avx2}}, x86());
        QCOMPARE(all.asked(), 2);
        QCOMPARE(all.others(), 1);
        QCOMPARE(all.defaults(), 2);
        QVERIFY2(summaryOf(all).startsWith(u"2 builds take about 4 h"_s), qPrintable(summaryOf(all)));
        QVERIFY2(othersText(all).startsWith(u"1 other "_s), qPrintable(othersText(all)));
        QVERIFY2(chainText(all).startsWith(u"Longest build: 1 h"_s) && !chainText(all).contains(hopper),
                 qPrintable(chainText(all)));
        QCOMPARE(boundText(all), QString());
        // One slot leaves no choice.
        QCOMPARE(boundText(estimate({.names = {hopper, avx2}}, x86())), QString());
        QVERIFY(!boundText(estimate({.names = {hopper, avx2}}, x86(), 2)).isEmpty());
        const Estimate none = estimate({.names = {}, .selections = {BuildSelection::Stale}}, x86());
        QCOMPARE(none.asked(), 0);
        QCOMPARE(none.others(), 2);
        for (const QString &text : {summaryOf(none), chainText(none), boundText(none), timesText(none)})
            QCOMPARE(text, QString());
    }

    /// As many builds at a time as the queue would run: those that have room in the memory.
    void memoryLimitsWhatRunsTogether()
    {
        PreflightProbes machine = x86();
        machine.host.cores = 4;
        machine.host.memoryBytes = 25'000'000'000;
        const QStringList names{avx2, avx512, hopper, u"pytorch-python313-cuda12_8-sm90-avx2"_s};
        // The memory of each is that with which it would be queued.
        for (const int slotCount : {1, 2, 4}) {
            const Estimate all = estimate({.names = names}, machine, slotCount);
            QList<Job> jobs = wantedBuilds(*m_snapshot, state(), {.names = names}).jobs;
            static_cast<void>(
                preflightJobs(*m_sample.catalog(), *m_snapshot, jobs, OtherPlatforms::Block,
                              {.probe = [&machine](BuildEngine) { return machine; }, .parallel = slotCount}));
            for (const Job &job : std::as_const(jobs))
                QCOMPARE(all.builds.at(indexOf(all, job.variant)).memory, job.memory);
        }
        Queue queue(state());
        QVERIFY_OK(queue.change([](QueueContents &contents) {
            contents.paused = true;
            contents.parallel = 4;
        }));
        QList<Job> jobs = wantedBuilds(*m_snapshot, state(), {.names = names}).jobs;
        for (qsizetype i = 0; i < jobs.size(); ++i)
            jobs[i].memory = i < 2 ? 12'000'000'000 : 128'000'000'000;
        QVERIFY_OK(queue.add(jobs, Again::No));
        const auto most = [](const Estimate &all) {
            qsizetype together = 0;
            for (const FarmBuild &one : all.plan.builds)
                together =
                    std::max<qsizetype>(together, std::ranges::count_if(all.plan.builds, [&](const FarmBuild &other) {
                                            return other.begin <= one.begin && other.end > one.begin;
                                        }));
            return together;
        };
        const Estimate two = estimate({.names = names}, machine);
        QCOMPARE(most(two), 2);
        QCOMPARE(two.farm.machines.constFirst().atOnce, 2);
        QCOMPARE(two.slotsHere, 4);
        machine.host.memoryBytes = 16'000'000'000;
        QCOMPARE(most(estimate({.names = names}, machine)), 1);
        machine.host.memoryBytes = 0;
        QCOMPARE(most(estimate({.names = names}, machine)), 4);
    }

    void theQueueIsPlannedByItsPlaces()
    {
        JobsSeen seen;
        const QDateTime now = QDateTime::currentDateTimeUtc();
        const auto add = [&](const QString &variant, JobPhase phase, const Place &place) {
            JobRecord record;
            record.job.variant = record.job.package = variant;
            record.job.id = QString::number(seen.jobs.size());
            record.job.place = place;
            record.phase = phase;
            if (phase == JobPhase::Running) {
                record.runner = JobRunner();
                record.runner->started = now.addSecs(-600);
            } else {
                seen.queue.waiting.append(record.job.id);
            }
            seen.jobs.append(record);
        };
        const Place box{Place::Kind::Ssh, u"box"_s};
        const Place slurm{Place::Kind::Slurm, {}};
        add(avx2, JobPhase::Running, {});
        add(hopper, JobPhase::Running, {});
        add(avx512, JobPhase::Waiting, {});
        add(arm, JobPhase::Waiting, box);
        for (int i = 0; i < 5; ++i)
            add(avx512, JobPhase::Waiting, slurm);
        seen.queue.parallel = 1;
        seen.progress[u"1"_s].secondsLeft = 60;
        const Estimate all = estimateQueue(*m_sample.catalog(), seen, state(), now);
        QCOMPARE(all.builds.size(), 9);
        // The first one has the rest of an hour, the second its known time; a third one waits for both.
        QCOMPARE(all.plan.builds.at(0), (FarmBuild{0, 0, 0, usualSeconds - 600}));
        QCOMPARE(all.plan.builds.at(1), (FarmBuild{0, 1, 0, 60}));
        QCOMPARE(all.plan.builds.at(2).begin, usualSeconds - 600);
        QCOMPARE(all.plan.builds.at(3).begin, 0);
        for (int i = 4; i < 9; ++i)
            QCOMPARE(all.plan.builds.at(i).begin, 0);
        QCOMPARE(all.farm.machines.size(), 3);
        QVERIFY(estimateQueue(*m_sample.catalog(), {}, state(), now).builds.isEmpty());
    }

    /// Builds of the team that ended in the day before, each on its machine, by start.
    void theTeamsBuildsAreAdded()
    {
        Estimate all;
        all.from = QDateTime::fromSecsSinceEpoch(1'700'000'000);
        all.ended = {{hopper, u"main"_s, u"own"_s, u"this machine"_s, all.from.addSecs(-500), all.from.addSecs(-100)}};
        const auto ended = [&all](const QString &job, qint64 from, qint64 to, BuildOutcome::Kind kind) {
            BuildRecord record;
            record.job = job;
            record.variant = avx2;
            record.machine = u"box"_s;
            record.elsewhere = job != u"mine";
            record.started = from ? all.from.addSecs(from) : QDateTime();
            record.ended = all.from.addSecs(to);
            record.outcome = kind;
            return record;
        };
        using Kind = BuildOutcome::Kind;
        addOthers(all, {ended(u"failed"_s, -3000, -900, Kind::CompileError), ended(u"built"_s, -400, -50, Kind::Built),
                        ended(u"stopped"_s, -9000, -8000, Kind::Stopped), ended(u"mine"_s, -50, -20, Kind::Built),
                        ended(u"old"_s, -90'000, -87'000, Kind::Built), ended(u"later"_s, -9, 9, Kind::Built),
                        ended(u"unstarted"_s, 0, -20, Kind::Failed)});
        QStringList jobs;
        for (const EndedBuild &build : std::as_const(all.ended))
            jobs.append(u"%1 %2 %3"_s.arg(build.job, build.machine).arg(int(build.phase)));
        const auto word = [](BuildState::Phase phase) { return QString::number(int(phase)); };
        QCOMPARE(jobs, (QStringList{u"stopped box "_s + word(BuildState::Phase::None),
                                    u"failed box "_s + word(BuildState::Phase::Failed),
                                    u"own this machine "_s + word(BuildState::Phase::Built),
                                    u"built box "_s + word(BuildState::Phase::Built)}));
    }

    void saysWhatItFound()
    {
        Estimate all = estimate({.names = {avx2, hopper}}, x86(), 2);
        QVERIFY2(summaryOf(all).startsWith(u"2 builds take about 2 h, until "_s), qPrintable(summaryOf(all)));
        QCOMPARE(chainText(all), u"Longest build: 2 h, %1."_s.arg(hopper));
        QCOMPARE(boundText(all), u"No plan takes less than 2 h (the longest build); this one takes 1.00 times that."_s);
        QCOMPARE(timesText(all),
                 u"Times: all are defaults (2 h for a GPU, 1 h without); there are no similar builds here."_s);
        all = estimate({.names = {avx2, hopper, avx512, u"pytorch-python313-cuda12_8-sm90-avx2"_s}}, x86(), 2);
        QVERIFY2(boundText(all).contains(u"less than 3 h (the total work on 2 slots)"_s), qPrintable(boundText(all)));
        QCOMPARE(summaryOf(Estimate()) + boundText(Estimate()) + chainText(Estimate()) + timesText(Estimate()),
                 QString());
    }
};

TM_TEST(TestEstimating, QCoreApplication)
#include "tst_estimate.moc"
