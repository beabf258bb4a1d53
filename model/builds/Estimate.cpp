// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/Estimate.h"

#include "model/base/MachineMemory.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/hardware/HostFiles.h"
#include "model/job/EndedJobs.h"
#include "model/job/Engine.h"
#include "model/job/RunningBuilds.h"
#include "model/outcome/OutcomeText.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qint64 leastLeft = 60; ///< in seconds, for a build that takes longer than the earlier ones

/// Name of the sibling recipe that must be built first; empty if there is none.
QString siblingOf(const VariantEntry *entry)
{
    return entry && entry->facts && entry->facts->torch.kind == TorchSource::Kind::Sibling
               ? packageOf(entry->facts->torch.file)
               : QString();
}

std::optional<Variant> variantOf(const Catalog &catalog, const QString &name)
{
    const auto read = VariantName::parse(name, catalog.isaIds());
    return read ? std::optional(read->variant) : std::nullopt;
}

/// Assigns builds to the machines that can take them.
class Planner
{
public:
    Planner(const QString &state, const QDateTime &now)
        : m_times(state)
    {
        m_estimate.from = now;
    }

    int addMachine(const FarmMachine &machine)
    {
        m_estimate.farm.machines.append(machine);
        return int(m_estimate.farm.machines.size()) - 1;
    }
    int addKind(const QString &name, const QList<int> &machines, qint64 memory = 0)
    {
        QList<FarmKind> &kinds = m_estimate.farm.kinds;
        const FarmKind kind{name, machines, memory};
        if (const qsizetype known = kinds.indexOf(kind); known >= 0)
            return int(known);
        kinds.append(kind);
        return int(kinds.size()) - 1;
    }
    /// `speed`: of the machine that made the earlier builds of the same kind.
    void addWaiting(const Job &job, int kind, bool gpu, double speed = 1)
    {
        const LikelyTime time = m_times.of(job.variant, gpu);
        const double own = time.builds > 0 && speed > 0 ? speed : 1;
        add(job, {}, time, {kind, qint64(double(time.seconds) * own), {}, -1});
    }
    /// `state`: the build's state from RunningBuilds.
    void addRunning(const JobRecord &record, int kind, int machine, bool gpu, const BuildState &state)
    {
        const QDateTime started = record.runner ? record.runner->started : m_estimate.from;
        const LikelyTime time = m_times.of(record.job.variant, gpu);
        const qint64 left = state.secondsLeft > 0 ? state.secondsLeft : time.seconds - started.secsTo(m_estimate.from);
        add(record.job, started, time, {kind, std::max(left, leastLeft), {}, machine});
    }
    bool has(const Job &job) const { return m_byProduct.contains(job.product()); }
    /// Marks all builds as those that only the queue has.
    void othersEnd()
    {
        for (PlannedBuild &build : m_estimate.builds)
            build.asked = false;
    }
    /// The build of the queue that makes the same was asked for.
    void ask(const Job &job) { m_estimate.builds[m_byProduct.value(job.product())].asked = true; }
    void leaveOut(const LeftOut &one) { m_estimate.leftOut.append(one); }

    Estimate plan(const BranchSnapshot *snapshot, FarmOrder order)
    {
        for (qsizetype i = 0; i < m_jobs.size(); ++i) {
            const Job &job = m_jobs.at(i);
            const QString sibling =
                snapshot && isOf(job, *snapshot) ? siblingOf(snapshot->findPackage(job.variant)) : QString();
            QStringList products = sibling.isEmpty() ? QStringList() : QStringList{productOf(job, sibling)};
            for (const QString &need : job.after)
                products.append(tmx::productOf(need));
            products.removeDuplicates();
            for (const QString &product : std::as_const(products)) {
                if (const int needed = m_byProduct.value(product, -1); needed >= 0 && needed != i)
                    m_estimate.farm.jobs[i].needs.append(needed);
            }
        }
        limitSlots();
        m_estimate.plan = planFarm(m_estimate.farm, order);
        if (m_estimate.others() > 0)
            chooseChain();
        m_estimate.longestFirst = order == FarmOrder::LongestFirst
                                      ? m_estimate.plan.seconds
                                      : planFarm(m_estimate.farm, FarmOrder::LongestFirst).seconds;
        return m_estimate;
    }
    Estimate &estimate() { return m_estimate; }

private:
    /// A machine has no more slots than builds can have room in its memory.
    void limitSlots()
    {
        Farm &farm = m_estimate.farm;
        for (int machine = 0; machine < farm.machines.size(); ++machine) {
            QList<qint64> needs;
            for (const FarmJob &job : std::as_const(farm.jobs)) {
                if (job.runsOn == machine || farm.kinds.value(job.kind).machines.contains(machine))
                    needs.append(farm.kinds.value(job.kind).memory);
            }
            std::ranges::sort(needs);
            int together = 0;
            qint64 taken = 0;
            for (const qint64 need : std::as_const(needs)) {
                if (!hasRoom(need, together, taken, farm.machines.at(machine).memory))
                    break;
                taken += need;
                ++together;
            }
            if (together < needs.size())
                farm.machines[machine].atOnce = std::min(farm.machines.at(machine).atOnce, together);
        }
    }
    /// The longest chain of what was asked for.
    void chooseChain()
    {
        Farm farm = m_estimate.farm;
        QList<int> asked;
        for (int i = 0; i < farm.jobs.size(); ++i) {
            if (m_estimate.builds.at(i).asked)
                asked.append(i);
        }
        farm.jobs.clear();
        for (const int i : std::as_const(asked)) {
            FarmJob job = m_estimate.farm.jobs.at(i);
            QList<int> needs;
            for (const int need : std::as_const(job.needs)) {
                if (const qsizetype at = asked.indexOf(need); at >= 0)
                    needs.append(int(at));
            }
            job.needs = needs;
            farm.jobs.append(job);
        }
        const FarmPlan alone = planFarm(farm, FarmOrder::AsGiven);
        m_estimate.plan.chain.clear();
        for (const int i : alone.chain)
            m_estimate.plan.chain.append(asked.at(i));
        m_estimate.plan.chainSeconds = alone.chainSeconds;
    }
    static QString productOf(Job job, const QString &package)
    {
        job.package = package;
        return job.product();
    }

    void add(const Job &job, const QDateTime &started, const LikelyTime &time, const FarmJob &farmJob)
    {
        m_byProduct.insert(job.product(), int(m_jobs.size()));
        m_jobs.append(job);
        m_estimate.builds.append({job.variant, job.package, job.branch, job.id, started, time, true, job.memory});
        m_estimate.farm.jobs.append(farmJob);
    }

    LikelyTimes m_times;
    QList<Job> m_jobs;
    QHash<QString, int> m_byProduct;
    Estimate m_estimate;
};

/// Running jobs, then waiting ones in their order.
QList<const JobRecord *> activeJobs(const QList<JobRecord> &jobs, const QStringList &waiting)
{
    QList<const JobRecord *> active;
    QHash<QString, const JobRecord *> byId;
    for (const JobRecord &record : jobs) {
        byId.insert(record.job.id, &record);
        if (record.phase == JobPhase::Running || record.phase == JobPhase::Stopping)
            active.append(&record);
    }
    for (const QString &id : waiting) {
        if (const JobRecord *record = byId.value(id); record && record->phase == JobPhase::Waiting)
            active.append(record);
    }
    return active;
}

PreflightProbes ofVariant(PreflightProbes probes, const Catalog &catalog, const Job &job)
{
    probes.package = job.package;
    if (const std::optional<Variant> variant = variantOf(catalog, job.variant))
        addVariant(probes, catalog, *variant);
    return probes;
}

/// "aarch64-linux big-parallel"
QString kindName(const PreflightProbes &probes)
{
    return (QStringList{probes.platform} + probes.features).join(u' ');
}

/// This machine and its remote builders, as machines of a farm.
class Site
{
public:
    Site(Planner &planner, const PreflightProbes &machine, int atOnce)
        : m_planner(planner)
        , m_machine(machine)
        , m_own(planner.addMachine({placeText({}), atOnce, 1, memoryForBuilds(machine.host.memoryBytes)}))
    {
        for (const NixBuilder &builder : machine.building.builders)
            m_remote.append(planner.addMachine({builder.store, builder.maxJobs, builder.speedFactor}));
    }

    /// Which kind a build is, and the speed of the machine that made similar builds.
    struct Taken {
        int kind = 0;
        double speed = 1;
    };
    /// `memory`: what the queue counts for the build where this machine does it itself.
    Taken take(const PreflightProbes &probes, qint64 memory)
    {
        const Builders builders = buildersFor(probes);
        QList<int> machines;
        double speed = 0;
        if (builders.own || builders.remote.isEmpty()) { // Queued jobs were started here.
            machines.append(m_own);
            speed = 1;
        }
        for (const qsizetype builder : builders.remote) {
            machines.append(m_remote.at(builder));
            if (!builders.own)
                speed = std::max(speed, m_machine.building.builders.at(builder).speedFactor);
        }
        const bool here = machines == QList<int>{m_own};
        return {m_planner.addKind(kindName(probes), machines, here ? memory : 0), speed};
    }
    [[nodiscard]] int own() const { return m_own; }

private:
    Planner &m_planner;
    const PreflightProbes &m_machine;
    int m_own;
    QList<int> m_remote; ///< indices into m_machine.building.builders
};

QString slotsText(int slotCount)
{
    return Tr::tr("%n slots", nullptr, slotCount);
}

int atOnceOf(const Farm &farm, const QList<int> &machines)
{
    int count = 0;
    for (const int machine : machines)
        count += farm.machines.at(machine).atOnce;
    return count;
}

} // namespace

LikelyTimes::LikelyTimes(const QString &state)
{
    const QString file = state + u"/builds.sqlite"_s;
    if (!QFileInfo::exists(file) && !QFileInfo::exists(state + u"/jobs"_s)) // BuildHistory::open() would create it.
        return;
    if (Result<BuildHistory> history = BuildHistory::open(file)) {
        static_cast<void>(recordEndedJobs(*history, state));
        m_history = std::move(history).value();
    }
}

LikelyTime LikelyTimes::of(const QString &variant, bool gpu)
{
    const QString likeness = likenessOf(variant);
    const auto known = m_known.constFind(likeness);
    if (known != m_known.constEnd())
        return *known;
    LikelyTime time{gpu ? usualGpuSeconds : usualSeconds, 0};
    if (m_history) {
        if (const auto whole = timeLeft(m_history->earlierBuilds(variant, machineId()), {}, 0))
            time = {whole->seconds, whole->builds};
    }
    return *m_known.insert(likeness, time);
}

int Estimate::asked() const
{
    return int(std::ranges::count_if(builds, &PlannedBuild::asked));
}

qint64 Estimate::seconds() const
{
    qint64 last = 0;
    for (qsizetype i = 0; i < builds.size(); ++i)
        last = builds.at(i).asked ? std::max(last, plan.builds.at(i).end) : last;
    return last;
}

int Estimate::defaults() const
{
    return int(
        std::ranges::count_if(builds, [](const PlannedBuild &build) { return build.asked && build.time.builds == 0; }));
}

int Estimate::usedAtOnce() const
{
    int count = 0;
    for (qsizetype machine = 0; machine < farm.machines.size(); ++machine)
        count += plan.uses.at(machine).builds > 0 ? farm.machines.at(machine).atOnce : 0;
    return int(std::min<qsizetype>(count, builds.size()));
}

double Estimate::ratio() const
{
    return plan.bound.seconds > 0 ? double(plan.seconds) / double(plan.bound.seconds) : 1;
}

PreflightProbes probeBuilders(const BuildWish &wish)
{
    PreflightProbes probes;
    probes.machine = placeText({});
    probes.host = readHostFiles(u"/"_s).host;
    probes.host.memoryBytes = usableMemory();
    Job job;
    job.environment = environmentFor(wish);
    probes.building = nixBuilding(environmentOf(job, QProcessEnvironment::systemEnvironment()));
    return probes;
}

Estimate estimateBuilds(const Catalog &catalog, const BranchSnapshot &snapshot, const QString &state,
                        const EstimateRequest &request, const PreflightProbes &machine)
{
    const WantedBuilds wanted = wantedBuilds(snapshot, state, request.builds);
    const QueueContents queue = Queue(state).contents();
    const QList<JobRecord> jobs = readJobs(state);
    const QHash<QString, JobRecord> latest = latestByKey(jobs);
    Planner planner(state, QDateTime::currentDateTimeUtc());
    planner.estimate().startsAtOnce = queue.parallel;
    if (queue.parallel == 0) { // One on this machine, plus what remote builders take.
        planner.estimate().startsAtOnce = 1;
        for (const NixBuilder &builder : machine.building.builders)
            planner.estimate().startsAtOnce += builder.maxJobs;
    }
    planner.estimate().paused = queue.paused;
    const int slotsHere = request.atOnce > 0 ? request.atOnce : std::max(1, queue.parallel);
    planner.estimate().slotsHere = slotsHere;
    Site site(planner, machine, slotsHere);
    RunningBuilds running(state);
    for (const JobRecord *record : activeJobs(jobs, queue.waiting)) {
        if (!record->job.place.isHere())
            continue;
        const PreflightProbes probes = ofVariant(machine, catalog, record->job);
        const Site::Taken taken = site.take(probes, record->job.memory);
        if (record->phase == JobPhase::Waiting)
            planner.addWaiting(record->job, taken.kind, probes.gpu, taken.speed);
        else
            planner.addRunning(*record, taken.kind, site.own(), probes.gpu, running.of(*record));
    }
    planner.othersEnd();
    for (const Error &error : wanted.errors)
        planner.leaveOut({error.subject, error.sentence(), error.why});
    const int parallel = std::clamp<int>(int(wanted.jobs.size() + planner.estimate().builds.size()), 1, slotsHere);
    EarlierPeaks peaks;
    for (Job job : wanted.jobs) {
        if (planner.has(job)) {
            planner.ask(job);
            continue;
        }
        const JobRecord &before = latest.value(job.key());
        const auto needless = needlessBecause(before, job, wanted.again);
        if (needless == QueuedJob::What::BuiltBefore) {
            planner.leaveOut({job.variant, Tr::tr("%1 is already built.").arg(job.package), u"built"_s});
            continue;
        }
        if (needless == QueuedJob::What::FailedBefore) {
            planner.leaveOut(
                {job.variant, Tr::tr("%1 failed before with the same recipe.").arg(job.package), u"failed"_s});
            continue;
        }
        PreflightProbes probes = machine;
        addRecipe(probes, catalog, snapshot, job);
        if (const std::optional<PreflightItem> item = platformItem(probes)) {
            planner.leaveOut({job.variant, item->sentence, kindName(probes)});
            continue;
        }
        if (const VariantEntry *entry = snapshot.findPackage(job.variant))
            sizeJob(catalog, *entry, job, probes, parallel, peaks);
        const Site::Taken taken = site.take(probes, job.memory);
        planner.addWaiting(job, taken.kind, probes.gpu, taken.speed);
    }
    for (const Job &job : request.dependents) {
        const PreflightProbes probes = ofVariant(machine, catalog, job);
        const Site::Taken taken = site.take(probes, job.memory);
        planner.addWaiting(job, taken.kind, probes.gpu, taken.speed);
    }
    return planner.plan(&snapshot, request.order);
}

static BuildState::Phase phaseOf(BuildOutcome::Kind kind)
{
    return kind == BuildOutcome::Kind::Built     ? BuildState::Phase::Built
           : kind == BuildOutcome::Kind::Stopped ? BuildState::Phase::None
                                                 : BuildState::Phase::Failed;
}

static QString whyOf(const BuildOutcome &outcome)
{
    if (phaseOf(outcome.kind) != BuildState::Phase::Failed)
        return {};
    const QString error = firstErrorOf(outcome);
    return error.isEmpty() ? plainWordOf(outcome.kind) : error;
}

Estimate estimateQueue(const Catalog &catalog, const JobsSeen &seen, const QString &state, const QDateTime &now)
{
    Planner planner(state, now);
    planner.estimate().startsAtOnce = std::max(1, seen.queue.parallel);
    planner.estimate().paused = seen.queue.paused;
    const QList<const JobRecord *> active = activeJobs(seen.jobs, seen.queue.waiting);
    QMap<QString, int> atOnce; // number by place
    for (const JobRecord *record : active) {
        int &most = atOnce[toString(record->job.place)];
        most = std::max(most, atOnceOf(record->job, seen.queue.parallel));
    }
    QMap<QString, int> machines; // index by place
    const auto machineAt = [&](const Place &place) {
        const auto known = machines.constFind(toString(place));
        if (known != machines.constEnd())
            return *known;
        const int most = place.kind == Place::Kind::Slurm ? int(active.size()) : atOnce.value(toString(place));
        const qint64 memory = place.isHere() ? memoryForBuilds(usableMemory()) : 0;
        return *machines.insert(toString(place), planner.addMachine({placeText(place), most, 1, memory}));
    };
    for (const JobRecord *record : active) {
        const bool gpu = ofVariant({}, catalog, record->job).gpu;
        const int machine = machineAt(record->job.place);
        const qint64 memory = isDoneHere(record->job) ? record->job.memory : 0;
        const int kind = planner.addKind(placeText(record->job.place), {machine}, memory);
        if (record->phase == JobPhase::Waiting)
            planner.addWaiting(record->job, kind, gpu);
        else
            planner.addRunning(*record, kind, machine, gpu, seen.progress.value(record->job.id));
    }
    Estimate estimate = planner.plan(seen.snapshot.get(), FarmOrder::AsGiven);
    for (const JobRecord &record : seen.jobs) {
        // One that was stopped while it waited has never run.
        if (!record.outcome || !record.outcome->started.isValid() || record.outcome->started >= record.outcome->ended ||
            record.outcome->ended < now.addDays(-1))
            continue;
        estimate.ended.append({record.job.variant, record.job.branch, record.job.id, placeText(record.job.place),
                               record.outcome->started, record.outcome->ended, phaseOf(record.outcome->build.kind),
                               whyOf(record.outcome->build)});
    }
    std::ranges::stable_sort(estimate.ended, {}, &EndedBuild::started);
    return estimate;
}

void addOthers(Estimate &estimate, const QList<BuildRecord> &records)
{
    for (const BuildRecord &record : records) {
        if (record.elsewhere && record.started.isValid() && record.started < record.ended &&
            record.ended >= estimate.from.addDays(-1) && record.ended <= estimate.from)
            estimate.ended.append({record.variant, record.branch, record.job, record.machine, record.started,
                                   record.ended, phaseOf(record.outcome),
                                   phaseOf(record.outcome) != BuildState::Phase::Failed ? QString()
                                   : record.error.isEmpty()                             ? plainWordOf(record.outcome)
                                                                                        : record.error});
    }
    std::ranges::stable_sort(estimate.ended, {}, &EndedBuild::started);
}

QString summaryOf(const Estimate &estimate)
{
    if (estimate.asked() == 0)
        return {};
    const QString time = roughTimeText(estimate.seconds());
    const QString end = estimate.at(estimate.seconds()).toLocalTime().toString(u"yyyy-MM-dd HH:mm"_s);
    return Tr::tr("%n builds take about %1, until %2.", nullptr, estimate.asked()).arg(time, end);
}

QString othersText(const Estimate &estimate)
{
    return estimate.others() == 0 ? QString()
                                  : Tr::tr("%n other builds of the queue come before.", nullptr, estimate.others());
}

QString boundText(const Estimate &estimate)
{
    const FarmBound &bound = estimate.plan.bound;
    QList<int> all;
    for (int machine = 0; machine < estimate.farm.machines.size(); ++machine)
        all.append(machine);
    if (bound.seconds <= 0 || estimate.others() > 0 || atOnceOf(estimate.farm, all) == 1)
        return {};
    QString why = Tr::tr("the longest chain");
    if (bound.by == FarmBound::By::Chain && estimate.plan.chain.size() < 2) {
        why = Tr::tr("the longest build");
    } else if (bound.by == FarmBound::By::Work && bound.kind < 0) {
        why = Tr::tr("the total work on %1").arg(slotsText(atOnceOf(estimate.farm, all)));
    } else if (bound.by == FarmBound::By::Work) {
        const FarmKind &kind = estimate.farm.kinds.at(bound.kind);
        why = Tr::tr("the work for %1 on %2").arg(kind.name, slotsText(atOnceOf(estimate.farm, kind.machines)));
    }
    return Tr::tr("No plan takes less than %1 (%2); this one takes %3 times that.")
        .arg(roughTimeText(bound.seconds), why, QString::number(estimate.ratio(), 'f', 2));
}

QString chainText(const Estimate &estimate)
{
    QStringList names;
    for (const int job : estimate.plan.chain)
        names.append(estimate.builds.at(job).variant);
    const QString time = roughTimeText(estimate.plan.chainSeconds);
    if (names.isEmpty())
        return {};
    return names.size() == 1 ? Tr::tr("Longest build: %1, %2.").arg(time, names.constFirst())
                             : Tr::tr("Longest chain: %1, %2.").arg(time, names.join(Tr::tr(", then ")));
}

QString timesText(const Estimate &estimate)
{
    const int defaults = estimate.defaults();
    const int known = estimate.asked() - defaults;
    const QString usual = Tr::tr("%1 h for a GPU, %2 h without").arg(usualGpuSeconds / 3600).arg(usualSeconds / 3600);
    return estimate.asked() == 0 ? QString()
           : defaults == 0       ? Tr::tr("Times: all from similar builds here.")
           : known == 0          ? Tr::tr("Times: all are defaults (%1); there are no similar builds here.").arg(usual)
                                 : Tr::tr("Times: %1 from similar builds here, %2 are defaults (%3).")
                              .arg(known)
                              .arg(defaults)
                              .arg(usual);
}

} // namespace tmx
