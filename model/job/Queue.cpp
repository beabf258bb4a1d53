// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/Queue.h"

#include "model/base/AtomicFile.h"
#include "model/base/FileLock.h"
#include "model/base/MachineMemory.h"
#include "model/base/Process.h"
#include "model/base/Programs.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/job/JobRunner.h"
#include "model/job/Needs.h"
#include "model/job/SlurmArray.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QSet>
#include <QThread>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <deque>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using Cause = tmx::BuildOutcome::Cause;
using Kind = tmx::BuildOutcome::Kind;

namespace tmx {

namespace {

constexpr qsizetype mostQueueBytes = qsizetype(4) << 20;
constexpr int mostParallel = 64;
constexpr int mostStarts = 3; ///< attempts for a runner that ends before it starts the job
constexpr auto looking = 1s;  ///< a killed runner sends no notification
constexpr auto fullDisk = 5s; ///< until the next attempt to write the queue

QStringList idsOf(const QJsonValue &list)
{
    QStringList ids;
    const QJsonArray array = list.toArray();
    for (const auto &value : array) {
        const QString id = value.toString();
        if (hasForm(id, u"[0-9a-z-]{1,64}") && !ids.contains(id))
            ids.append(id);
    }
    return ids;
}

Error notWritable(const QString &state)
{
    return {Tr::tr("change the queue"), state, Tr::tr("the folder cannot be written"),
            Tr::tr("Check its permissions and its disk.")};
}

/// Removes jobs that wait but are not in the queue: the process that created them was killed while queueing. If the
/// queue cannot be read, removes nothing. The caller must hold the queue's lock.
void removeStrays(const QString &state, const QueueContents &contents)
{
    if (contents.damaged)
        return;
    const QList<JobFolder> folders = JobFolder::all(state);
    for (const JobFolder &folder : folders) {
        if (!contents.waiting.contains(folder.id()) && !contents.active.contains(folder.id()) &&
            folder.phase() == JobPhase::Waiting)
            QDir(folder.path()).removeRecursively();
    }
}

/// Whether a build must be made again because of what the others did since: it used another recipe of something that
/// the job needs, or other jobs wait for the package, and a newer recipe of it failed.
bool mustFollow(const JobRecord &before, const Job &job, const JobsByProduct &jobs)
{
    const JobRecord *newest = jobs.value(job.product()).constLast();
    const auto waitsForIt = [&job](const QList<const JobRecord *> &others) {
        return others.constLast()->phase == JobPhase::Waiting &&
               std::ranges::any_of(others.constLast()->job.after,
                                   [&job](const QString &need) { return productOf(need) == job.product(); });
    };
    return std::ranges::any_of(
               job.after,
               [&](const QString &need) { return usedAnother(before, need, jobs.value(productOf(need))); }) ||
           (newest->job.id != before.job.id && newest->outcome &&
            newest->outcome->build.kind != BuildOutcome::Kind::Built && std::ranges::any_of(jobs, waitsForIt));
}

/// Adds the needs of a waiting job to those of a request for the same build. Returns whether the request has more.
bool addNeeds(Job &job, const Job &waiting)
{
    const auto lacks = [](const QStringList &needs, const QString &need) {
        return std::ranges::none_of(needs, [&need](const QString &one) { return productOf(one) == productOf(need); });
    };
    const bool more = std::ranges::any_of(job.after, [&](const QString &need) { return lacks(waiting.after, need); });
    for (const QString &need : waiting.after) {
        if (lacks(job.after, need))
            job.after.append(need);
    }
    return more;
}

/// The loop of Queue::run().
class Scheduler
{
public:
    Scheduler(Queue &queue, const QString &program)
        : m_queue(queue)
        , m_program(program)
        , m_slurm(queue.state())
        , m_watch(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK))
    {
        ::inotify_add_watch(m_watch, QFile::encodeName(queue.state()).constData(), IN_MOVED_TO | IN_CREATE);
    }
    ~Scheduler() { ::close(m_watch); }
    Q_DISABLE_COPY_MOVE(Scheduler)

    /// Starts what can be started, and removes what ended. Returns false if nothing is left to do.
    bool step(QueueContents &contents);
    void waitForEvent() const;
    /// The part of a step that needs no lock on the queue: lost jobs, and Slurm's jobs.
    void settle();

private:
    bool keep(const JobFolder &folder);
    void start(const JobFolder &folder);
    const Job &jobOf(const JobFolder &folder);
    const Place &placeOf(const JobFolder &folder) { return jobOf(folder).place; }
    std::optional<JobRecord> newestOf(const QString &product);

    Queue &m_queue;
    const QString m_program;
    SlurmArrays m_slurm;
    const int m_watch;
    QHash<QString, Job> m_jobs; ///< running and waiting jobs; a job never changes
    QHash<QString, int> m_starts;
    QHash<QString, qint64> m_runners;
    QList<JobFolder> m_lost;
    QList<JobFolder> m_submitted;
    QHash<QString, QString> m_products;                ///< of all jobs, by id
    QHash<QString, JobFolder> m_newestFolders;         ///< by product
    QHash<QString, std::optional<JobRecord>> m_newest; ///< in this step, by product
};

const Job &Scheduler::jobOf(const JobFolder &folder)
{
    const auto known = m_jobs.constFind(folder.id());
    if (known != m_jobs.constEnd())
        return *known;
    const Result<Job> job = folder.job();
    return *m_jobs.insert(folder.id(), job ? *job : Job());
}

/// Reads the job of each folder once, and in each step the outcomes of those that waiting jobs need.
std::optional<JobRecord> Scheduler::newestOf(const QString &product)
{
    if (m_newest.isEmpty()) {
        m_newestFolders.clear();
        const QList<JobFolder> folders = JobFolder::all(m_queue.state());
        for (const JobFolder &folder : folders) {
            auto known = m_products.constFind(folder.id());
            if (known == m_products.cend()) {
                const Result<Job> job = folder.job();
                known = m_products.insert(folder.id(), job ? job->product() : QString());
            }
            m_newestFolders.insert(*known, folder);
        }
    }
    const auto known = m_newest.constFind(product);
    if (known != m_newest.cend())
        return *known;
    const auto folder = m_newestFolders.constFind(product);
    return *m_newest.insert(product, folder == m_newestFolders.cend() ? std::nullopt : readJob(*folder));
}

void Scheduler::settle()
{
    for (const JobFolder &folder : std::as_const(m_lost)) {
        settleLost(folder);
        // The machine that builds it still has it: start another runner to follow it.
        if (placeOf(folder).kind == Place::Kind::Ssh) {
            m_starts.remove(folder.id());
            m_runners.remove(folder.id());
        }
    }
    if (!m_submitted.isEmpty())
        m_slurm.look(m_submitted);
}

void Scheduler::start(const JobFolder &folder)
{
    // Watch it before reading, so that no end is missed.
    ::inotify_add_watch(m_watch, QFile::encodeName(folder.path()).constData(), IN_CREATE | IN_MOVED_TO);
    QProcess runner;
    runner.setProgram(m_program);
    runner.setArguments({u"run-job"_s, folder.path()});
    runner.setStandardInputFile(QProcess::nullDevice());
    runner.setStandardOutputFile(QProcess::nullDevice());
    runner.setStandardErrorFile(QProcess::nullDevice());
    qint64 pid = 0;
    if (runner.startDetached(&pid))
        m_runners.insert(folder.id(), pid);
    ++m_starts[folder.id()];
}

/// Whether a started job still has to be watched.
bool Scheduler::keep(const JobFolder &folder)
{
    if (placeOf(folder).kind == Place::Kind::Slurm) {
        if (folder.phase() == JobPhase::Ended || !folder.job())
            return false;
        m_submitted.append(folder);
        return true;
    }
    switch (folder.phase()) {
    case JobPhase::Ended: return false;
    case JobPhase::Lost: {
        const std::optional<JobRunner> runner = folder.runner();
        if (runner && runner->machine != machineId())
            return false; // This machine cannot tell.
        m_lost.append(folder);
        return true;
    }
    case JobPhase::Running:
    case JobPhase::Stopping: return true;
    case JobPhase::Waiting: break;
    }
    if (!folder.job())
        return false;
    // Its runner has not started, or never will. A second runner is harmless, because only one gets the job.
    if (const qint64 pid = m_runners.value(folder.id()); pid > 0 && !processMark(pid).isEmpty())
        return true;
    if (m_starts.value(folder.id()) < mostStarts) {
        start(folder);
        return true;
    }
    JobOutcome outcome{.build = {.cause = Cause::NotStarted, .about = {m_program}}};
    outcome.started = outcome.ended = QDateTime::currentDateTimeUtc();
    return !folder.writeOutcome(outcome).ok();
}

bool Scheduler::step(QueueContents &contents)
{
    m_lost.clear();
    m_submitted.clear();
    m_newest.clear();
    QStringList active;
    QList<Job> running;
    for (const QString &id : std::as_const(contents.active)) {
        const JobFolder folder = JobFolder::of(m_queue.state(), id);
        if (keep(folder)) {
            active.append(id);
            running.append(jobOf(folder));
            continue;
        }
        m_jobs.remove(id);
        m_runners.remove(id);
        const std::optional<JobOutcome> outcome = folder.outcome();
        if (contents.stopAtFailure && outcome && isFailure(outcome->build.kind) && !contents.paused) {
            contents.paused = true;
            contents.pausedBy = id;
        }
    }
    contents.active = active;
    const QStringList waiting = contents.paused ? QStringList() : contents.waiting;
    const qint64 memory = waiting.isEmpty() ? 0 : memoryForBuilds(usableMemory());
    const bool swaps = !waiting.isEmpty() && memoryPressure() >= highMemoryPressure;
    contents.slowed = slowedTo(contents.slowed, int(std::ranges::count_if(running, isDoneHere)), swaps);
    QueueRound round{running, contents.parallel, contents.slowed, memory, swaps};
    for (const QString &id : waiting) {
        const JobFolder folder = JobFolder::of(m_queue.state(), id);
        // Check this first: with a thousand waiting jobs, only few files are read.
        const Job &job = jobOf(folder);
        if (waitOf(job, round, [this](const QString &product) { return newestOf(product); }))
            continue;
        contents.waiting.removeOne(id);
        if (folder.phase() == JobPhase::Ended || !folder.job())
            continue;
        round.running.append(jobOf(folder));
        contents.active.append(id);
    }
    const bool more = !contents.active.isEmpty(); // If nothing runs, what waits now waits in vain.
    if (!more)
        removeStrays(m_queue.state(), contents);
    return more;
}

void Scheduler::waitForEvent() const
{
    pollfd source{m_watch, POLLIN, 0};
    ::poll(&source, 1, int(std::chrono::milliseconds(looking).count()));
    char buffer[4096];
    while (::read(m_watch, buffer, sizeof buffer) > 0) {
    }
}

} // namespace

bool isDoneHere(const Job &job)
{
    return job.place.isHere() && job.builders.isEmpty();
}

bool JobRecord::hasResult() const
{
    // A result on another machine counts as existing; the machine is not asked again.
    if (!job.place.isHere())
        return outcome && outcome->build.kind == Kind::Built;
    return outcome && outcome->build.kind == Kind::Built && !outcome->build.resultLinks.isEmpty() &&
           QFile::symLinkTarget(outcome->build.resultLinks.constFirst()) == outcome->storePaths.value(0) &&
           QFileInfo::exists(outcome->storePaths.value(0));
}

QString JobRecord::result() const
{
    if (!outcome)
        return {};
    return outcome->build.resultLinks.value(0, outcome->storePaths.value(0));
}

Job againOf(const JobRecord &record)
{
    Job job = againOf(record.job);
    if (record.outcome && retryOf(record.outcome->build) == Retry::FewerCores)
        job.cores = record.outcome->build.fewerCores;
    return job;
}

bool JobRecord::wouldFailAgain() const
{
    if (!outcome || !runner || runner->machine != machineId())
        return false;
    switch (outcome->build.kind) {
    case Kind::Failed:
    case Kind::CompileError:
    case Kind::EvaluationError:
    case Kind::HashMismatch:
    case Kind::OutOfMemory:
    case Kind::NoResult:
    case Kind::Untracked:
    case Kind::UnknownPackage:
    case Kind::NoEnvironment: return true;
    case Kind::Built:
    case Kind::OutOfDisk:
    case Kind::Network:
    case Kind::NotGit:
    case Kind::Stopped:
    case Kind::Lost:
    case Kind::FloxMissing:
    case Kind::Crashed:
    case Kind::TimeLimit:
    case Kind::NodeFailed:
    case Kind::Preempted:
    case Kind::NoBuilder: return false;
    }
    Q_UNREACHABLE_RETURN(false);
}

std::optional<JobRecord> readJob(const JobFolder &folder)
{
    const Result<Job> job = folder.job();
    if (!job || job->id != folder.id())
        return {};
    const JobPhase phase = folder.phase();
    return JobRecord{*job, phase, phase == JobPhase::Ended ? folder.outcome() : std::nullopt, folder.runner(), folder};
}

QList<JobRecord> readJobs(const QString &state, const QList<JobRecord> &known)
{
    QHash<QString, const JobRecord *> ended;
    for (const JobRecord &record : known) {
        if (record.phase == JobPhase::Ended)
            ended.insert(record.job.id, &record);
    }
    QList<JobRecord> records;
    const QList<JobFolder> folders = JobFolder::all(state);
    for (const JobFolder &folder : folders) {
        if (const JobRecord *same = ended.value(folder.id())) {
            records.append(*same);
            continue;
        }
        if (const std::optional<JobRecord> record = readJob(folder))
            records.append(*record);
    }
    std::stable_sort(records.begin(), records.end(),
                     [](const JobRecord &one, const JobRecord &other) { return one.job.created < other.job.created; });
    return records;
}

QStringList unreadableJobs(const QString &state, const QList<JobRecord> &readable)
{
    QSet<QString> known;
    for (const JobRecord &record : readable)
        known.insert(record.job.id);
    QStringList unreadable;
    const QList<JobFolder> folders = JobFolder::all(state);
    for (const JobFolder &folder : folders) {
        if (!known.contains(folder.id()) && !folder.job())
            unreadable.append(folder.path());
    }
    return unreadable;
}

QHash<QString, JobRecord> latestByKey(const QList<JobRecord> &jobs)
{
    QHash<QString, JobRecord> latest;
    for (const JobRecord &record : jobs) {
        const auto known = latest.constFind(record.job.key());
        if (known == latest.constEnd() || known->job.created <= record.job.created)
            latest.insert(record.job.key(), record);
    }
    return latest;
}

int atOnceOf(const Job &job, int parallel)
{
    if (parallel > 0)
        return parallel;
    int most = 0;
    for (const int builds : job.builders)
        most = std::min(most + builds, mostParallel);
    return std::max(1, most);
}

qint64 memoryForBuilds(qint64 usable)
{
    // A machine sold with 64 GB reports a little less, and builds are sized for 64.
    return usable > 0 ? usable + 1'000'000'000 : 0;
}

bool hasRoom(qint64 needed, qsizetype others, qint64 taken, qint64 memory)
{
    return memory <= 0 || others == 0 || taken + needed <= memory;
}

std::optional<Lack> lackOf(const Job &job, const QList<Job> &running, int parallel, qint64 memory)
{
    if (job.place.kind == Place::Kind::Slurm)
        return {};
    const auto sharesBuilder = [&job](const Job &other) {
        return std::any_of(job.builders.keyBegin(), job.builders.keyEnd(),
                           [&other](const QString &store) { return other.builders.contains(store); });
    };
    const auto inItsWay = [&](const Job &other) {
        if (other.place != job.place)
            return false;
        return parallel > 0 || (job.builders.isEmpty() ? other.builders.isEmpty() : sharesBuilder(other));
    };
    if (std::count_if(running.begin(), running.end(), inItsWay) >= atOnceOf(job, parallel))
        return Lack::Slot;
    if (!isDoneHere(job))
        return {};
    qint64 taken = 0;
    qsizetype others = 0;
    for (const Job &other : running) {
        if (isDoneHere(other)) {
            taken += other.memory;
            ++others;
        }
    }
    return hasRoom(job.memory, others, taken, memory) ? std::nullopt : std::optional(Lack::Memory);
}

bool mayStart(const Job &job, const QList<Job> &running, int parallel, qint64 memory)
{
    return !lackOf(job, running, parallel, memory);
}

int slowedTo(int slowed, int running, bool swaps)
{
    if (running == 0)
        return swaps ? 1 : 0;
    const int fewer = std::max(1, running - 1);
    return !swaps ? slowed : slowed == 0 ? fewer : std::min(slowed, fewer);
}

void QueueContents::setParallel(int builds)
{
    parallel = builds;
    slowed = 0;
}

QString QueueContents::slowedText() const
{
    return slowed > 0 ? Tr::tr("This machine swapped, so it does %n builds at a time until its builds have ended.",
                               nullptr, slowed)
                      : QString();
}

std::optional<QueuedJob::What> needlessBecause(const JobRecord &before, const Job &job, Again again)
{
    if (before.job.id.isEmpty())
        return {};
    if (before.isActive() && before.job.here == job.here)
        return QueuedJob::What::AlreadyQueued;
    if (before.job.place.kind == Place::Kind::Ssh && before.job.place != job.place)
        return {}; // What another machine has is not here.
    if (again != Again::All && before.hasResult())
        return QueuedJob::What::BuiltBefore;
    if (again == Again::No && before.wouldFailAgain())
        return QueuedJob::What::FailedBefore;
    return {};
}

Queue::Queue(QString state)
    : m_state(std::move(state))
{
}

QueueContents Queue::contents() const
{
    const std::optional<QByteArray> text = readSmallFile(file(), mostQueueBytes);
    QueueContents contents;
    const QJsonDocument document = QJsonDocument::fromJson(text.value_or(QByteArray()));
    contents.damaged = text ? !document.isObject() : QFileInfo::exists(file());
    if (contents.damaged) {
        contents.paused = true;
        const QList<JobRecord> jobs = readJobs(m_state);
        for (const JobRecord &record : jobs) {
            if (record.phase == JobPhase::Waiting)
                contents.waiting.append(record.job.id);
            else if (record.phase != JobPhase::Ended)
                contents.active.append(record.job.id);
        }
    }
    if (!document.isObject())
        return contents;
    const QJsonObject object = document.object();
    contents.waiting = idsOf(object.value(u"waiting"_s));
    contents.active = idsOf(object.value(u"active"_s));
    contents.paused = object.value(u"paused"_s).toBool();
    contents.pausedBy = object.value(u"pausedBy"_s).toString();
    contents.parallel = qBound(0, object.value(u"parallel"_s).toInt(), mostParallel);
    // Before version 2 the default was stored as 1.
    if (contents.parallel == 1 && object.value(u"version"_s).toInt() < 2)
        contents.parallel = 0;
    contents.slowed = qBound(0, object.value(u"slowed"_s).toInt(), mostParallel);
    contents.stopAtFailure = object.value(u"stopAtFailure"_s).toBool();
    contents.logLimit = qMax<qint64>(0, object.value(u"logLimit"_s).toInteger(usualLogLimit));
    return contents;
}

Result<void> Queue::write(const QueueContents &contents) const
{
    return writeFileAtomically(file(),
                               QJsonDocument(QJsonObject{{u"version"_s, 2},
                                                         {u"waiting"_s, QJsonArray::fromStringList(contents.waiting)},
                                                         {u"active"_s, QJsonArray::fromStringList(contents.active)},
                                                         {u"paused"_s, contents.paused},
                                                         {u"pausedBy"_s, contents.pausedBy},
                                                         {u"parallel"_s, qBound(0, contents.parallel, mostParallel)},
                                                         {u"slowed"_s, contents.slowed},
                                                         {u"stopAtFailure"_s, contents.stopAtFailure},
                                                         {u"logLimit"_s, contents.logLimit}})
                                   .toJson(),
                               {});
}

Result<void> Queue::change(const std::function<void(QueueContents &)> &change)
{
    QDir().mkpath(m_state);
    const FileLock lock(m_state + u"/queue.lock"_s, LOCK_EX);
    if (!lock.held())
        return notWritable(m_state);
    const QueueContents before = contents();
    QueueContents after = before;
    change(after);
    return after == before ? Result<void>() : write(after); // A damaged file stays until something changes.
}

namespace {

QString recipeKey(const Job &job)
{
    return job.package + u'\n' + job.recipeId();
}

/// The last that ended of each recipe, on whatever branch.
QHash<QString, const JobRecord *> endedByRecipe(const QList<JobRecord> &records)
{
    QHash<QString, const JobRecord *> ended;
    for (const JobRecord &record : records) {
        if (record.outcome)
            ended.insert(recipeKey(record.job), &record);
    }
    return ended;
}

std::optional<BuildOutcome> failureOf(const JobRecord *last)
{
    return last && last->wouldFailAgain() ? std::optional(last->outcome->build) : std::nullopt;
}

/// When the job counts as created: after `last`, and after others of its product, also when the clock was set back.
QDateTime inOrder(const Job &job, const QDateTime &last, const JobsByProduct &byProduct)
{
    const QDateTime created = last.isValid() && job.created <= last ? last.addMSecs(1) : job.created;
    const auto others = byProduct.constFind(job.product());
    return others == byProduct.cend() ? created : std::max(created, others->constLast()->job.created.addMSecs(1));
}

} // namespace

QMap<QString, BuildOutcome> failuresBefore(const QString &state, const QList<Job> &jobs)
{
    const QList<JobRecord> records = readJobs(state);
    const QHash<QString, const JobRecord *> ended = endedByRecipe(records);
    QMap<QString, BuildOutcome> failures;
    for (const Job &job : jobs) {
        if (const auto failure = failureOf(ended.value(recipeKey(job))))
            failures.insert(job.package, *failure);
    }
    return failures;
}

Result<QList<QueuedJob>> Queue::add(const QList<Job> &jobs, Again again)
{
    QList<QueuedJob> all;
    QList<JobFolder> replaced; ///< removed once the file does not name them any more
    std::optional<Error> error;
    const Result<void> changed = change([&](QueueContents &contents) {
        removeStrays(m_state, contents);
        const QList<JobRecord> records = readJobs(m_state);
        QHash<QString, JobRecord> latest = latestByKey(records);
        std::deque<JobRecord> added; // whose addresses stay
        JobsByProduct byProduct = jobsByProduct(records);
        const QHash<QString, const JobRecord *> ended = endedByRecipe(records);
        QDateTime last;
        for (Job job : jobs) {
            last = job.created = inOrder(job, last, byProduct);
            const JobRecord before = latest.value(job.key());
            const auto needless = needlessBecause(before, job, again);
            const qsizetype place = needless ? contents.waiting.indexOf(before.job.id) : -1;
            const bool needsMore = place >= 0 && addNeeds(job, before.job);
            if (needless && !needsMore && (place >= 0 || !mustFollow(before, job, byProduct))) {
                all.append({*needless, before});
            } else {
                const Result<JobFolder> folder = JobFolder::create(m_state, job);
                if (!folder) {
                    error = folder.error();
                    break;
                }
                JobRecord record{job, JobPhase::Waiting, {}, {}, *folder};
                record.job.id = folder->id();
                if (needsMore) {
                    contents.waiting[place] = record.job.id;
                    replaced.append(before.folder);
                } else if (job.here) // Now, before the working tree changes.
                    contents.waiting.prepend(record.job.id);
                else
                    contents.waiting.append(record.job.id);
                latest.insert(job.key(), record);
                byProduct[job.product()].append(&added.emplace_back(record));
                all.append({QueuedJob::What::Queued, record, failureOf(ended.value(recipeKey(job)))});
            }
        }
        // A user's request starts even if another failure paused the queue.
        if (!contents.pausedBy.isEmpty() && !all.isEmpty() && contents.active.isEmpty() &&
            contents.waiting.size() == all.size()) {
            contents.paused = false;
            contents.pausedBy.clear();
        }
    });
    if (error)
        return *error;
    if (!changed)
        return changed.error();
    for (const JobFolder &folder : std::as_const(replaced))
        QDir(folder.path()).removeRecursively();
    return all;
}

Result<void> Queue::move(const QStringList &ids, const QString &before)
{
    return change([&](QueueContents &contents) {
        QStringList moved;
        for (const QString &id : ids) {
            if (contents.waiting.contains(id) && !moved.contains(id))
                moved.append(id);
        }
        // If the job dropped on is one of the moved jobs, take the next job that is not.
        qsizetype at = contents.waiting.indexOf(before);
        while (at >= 0 && at < contents.waiting.size() && moved.contains(contents.waiting.at(at)))
            ++at;
        const QString next = at < 0 ? QString() : contents.waiting.value(at);
        contents.waiting.removeIf([&moved](const QString &id) { return moved.contains(id); });
        at = next.isEmpty() ? contents.waiting.size() : contents.waiting.indexOf(next);
        for (const QString &id : std::as_const(moved))
            contents.waiting.insert(at++, id);
    });
}

Result<void> Queue::stop(const QStringList &ids, Stop how)
{
    QStringList waited;
    std::optional<Error> error;
    Result<void> changed = change([&](QueueContents &contents) {
        // In the queue's order, which a retry uses.
        const QStringList waiting = contents.waiting;
        QDateTime now = QDateTime::currentDateTimeUtc();
        for (const QString &id : waiting) {
            if (!ids.contains(id))
                continue;
            JobOutcome outcome{.build = {.kind = Kind::Stopped, .cause = Cause::BeforeStart}};
            outcome.started = outcome.ended = now;
            now = now.addMSecs(1);
            // Write the outcome first: a waiting job that is not in the queue would be removed.
            if (const Result<bool> written = JobFolder::of(m_state, id).writeOutcome(outcome); !written) {
                error = written.error();
                return;
            }
            contents.waiting.removeAll(id);
            waited.append(id);
        }
    });
    if (error)
        return *error;
    if (!changed)
        return changed;
    for (const QString &id : ids) {
        const JobFolder folder = JobFolder::of(m_state, id);
        if (waited.contains(id) || folder.phase() == JobPhase::Ended)
            continue;
        for (int level = 0; level < (how == Stop::Kill ? killLevel : 1); ++level)
            TM_CHECK(folder.requestStop());
    }
    return {};
}

Result<void> Queue::clear()
{
    return change([&](QueueContents &contents) {
        for (const QString &id : std::as_const(contents.waiting))
            QDir(JobFolder::of(m_state, id).path()).removeRecursively();
        contents.waiting.clear();
    });
}

QString Queue::terminalProgram()
{
    QString own = QCoreApplication::applicationFilePath();
    if (QFileInfo(own).fileName() == u"torch-matrix")
        return own;
    for (const QString &folder : {u"."_s, QStringLiteral(TM_BIN_FROM_LIBEXEC)}) {
        const QFileInfo program(QDir(QCoreApplication::applicationDirPath()), folder + u"/torch-matrix"_s);
        if (program.isExecutable())
            return program.canonicalFilePath();
    }
    return findProgram(u"torch-matrix"_s);
}

Result<void> Queue::wake(const QString &program) const
{
    QDir().mkpath(m_state);
    QProcess scheduler;
    scheduler.setProgram(program);
    scheduler.setArguments({u"run-queue"_s, m_state});
    scheduler.setWorkingDirectory(u"/"_s);
    scheduler.setStandardInputFile(QProcess::nullDevice());
    scheduler.setStandardOutputFile(QProcess::nullDevice());
    scheduler.setStandardErrorFile(QProcess::nullDevice());
    if (program.isEmpty() || !scheduler.startDetached())
        return Error{Tr::tr("start the builds"), program.isEmpty() ? u"torch-matrix"_s : program,
                     program.isEmpty() ? Tr::tr("the program is not found") : scheduler.errorString(),
                     Tr::tr("Check the installation.")};
    return {};
}

bool Queue::isServed() const
{
    return QFileInfo::exists(m_state + u"/scheduler.lock"_s) &&
           !FileLock(m_state + u"/scheduler.lock"_s, LOCK_SH | LOCK_NB).held();
}

bool Queue::isAbandoned(const QList<JobRecord> &jobs) const
{
    const QueueContents now = contents();
    const QHash<QString, Hold> holds = holdsOf(jobs);
    const bool waits = !now.paused && std::ranges::any_of(now.waiting, [&holds](const QString &id) {
        const auto hold = holds.constFind(id);
        return hold == holds.cend() || !hold->inVain;
    });
    const bool followsSome = std::any_of(jobs.begin(), jobs.end(), [](const JobRecord &record) {
        return record.isActive() && record.phase != JobPhase::Waiting && record.job.place.kind == Place::Kind::Slurm;
    });
    return (followsSome || waits) && !isServed();
}

namespace {

QByteArray ownMark()
{
    return machineId().toUtf8() + '\n' + processMark(::getpid());
}

/// Whether the process that wrote its mark into the lock may be alive.
bool ownerMayLive(const QString &lock)
{
    QFile file(lock);
    const QByteArrayList mark =
        file.open(QIODevice::ReadOnly) ? file.read(256).split('\n') : QByteArrayList(); // another program's otherwise
    return mark.size() != 2 || mark.at(0) != machineId().toUtf8() || processRuns(mark.at(1));
}

/// The lock of the one that starts the jobs. If that was killed while it started one, its child has the lock until it
/// has become the job's runner: nobody would start what waits.
bool takeOver(FileLock &owner, const QString &path)
{
    while (!owner.held() && !owner.take(LOCK_EX | LOCK_NB)) {
        if (errno != EWOULDBLOCK || ownerMayLive(path))
            return false;
        QThread::sleep(std::chrono::milliseconds(50));
    }
    QFile mark(path);
    if (mark.open(QIODevice::WriteOnly))
        mark.write(ownMark());
    return true;
}

} // namespace

Result<void> Queue::run(const QString &program)
{
    ::setsid();
    for (const int signal : {SIGHUP, SIGQUIT, SIGINT, SIGPIPE})
        ::signal(signal, SIG_IGN);
    QDir().mkpath(m_state);
    const QString lock = m_state + u"/scheduler.lock"_s;
    FileLock owner(lock, LOCK_EX | LOCK_NB);
    if (!takeOver(owner, lock))
        return {};
    Scheduler scheduler(*this, program);
    for (;;) {
        bool more = true;
        const Result<void> changed = change([&](QueueContents &contents) {
            more = scheduler.step(contents);
            if (!more)
                owner.release(); // Before the queue's lock: the next add() must find no scheduler, and start one.
        });
        if (!more)
            return changed;
        scheduler.settle();
        if (changed)
            scheduler.waitForEvent();
        else
            QThread::sleep(fullDisk);
    }
}

} // namespace tmx
