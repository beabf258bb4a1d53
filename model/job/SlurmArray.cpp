// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/SlurmArray.h"

#include "model/base/AtomicFile.h"
#include "model/base/Process.h"
#include "model/base/TerminalText.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/job/Engine.h"
#include "model/job/GitAnswer.h"
#include "model/job/LogFollower.h"
#include "model/job/RemoteJob.h"
#include "model/job/ResultLinks.h"
#include "model/log/LogTimes.h"
#include "model/log/PackedLog.h"
#include "model/outcome/OutcomeReader.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QMap>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using Cause = tmx::BuildOutcome::Cause;
using Kind = tmx::BuildOutcome::Kind;

namespace tmx {

namespace {

constexpr qsizetype mostSlurmAnswer = qsizetype(4) << 20;
constexpr qsizetype mostOptions = 64;
constexpr std::chrono::milliseconds asking = 2s;     ///< between two queries
constexpr std::chrono::milliseconds patience = 60s;  ///< timeout of Slurm's programs
constexpr std::chrono::milliseconds forgotten = 90s; ///< how long Slurm may know nothing of a job
/// Our own option, not sbatch's: it becomes part of --array.
const QString throttle = u"--at-once="_s;
const QString batchPrefix = u"torch-matrix-"_s;
const QString commitRefs = u"refs/torch-matrix/commits/"_s;

QStringList nameList(const QList<JobFolder> &jobs)
{
    QStringList names;
    for (const JobFolder &job : jobs)
        names.append(job.path());
    return names;
}

Result<void> put(const QString &path, const QByteArray &text)
{
    return writeFileAtomically(path, text, {});
}

QString lastLineOf(const QByteArray &text)
{
    return QString::fromUtf8(text).trimmed().section(u'\n', -1).simplified().left(300);
}

} // namespace

Result<QStringList> slurmOptions(const SlurmWish &wish)
{
    const auto wrong = [](const QString &option, const QString &why) {
        return Error{Tr::tr("submit to Slurm with"), option, why, Tr::tr("Leave it out.")};
    };
    QStringList options;
    if (!wish.partition.isEmpty())
        options << u"--partition="_s + wish.partition;
    if (!wish.constraint.isEmpty())
        options << u"--constraint="_s + wish.constraint;
    if (wish.minutes > 0)
        options << u"--time=%1"_s.arg(wish.minutes);
    if (wish.atOnce > 0)
        options << throttle + QString::number(wish.atOnce);
    static const QStringList ours{u"array"_s,  u"parsable"_s, u"wrap"_s,     u"output"_s,    u"error"_s, u"input"_s,
                                  u"signal"_s, u"chdir"_s,    u"job-name"_s, u"open-mode"_s, u"wait"_s,  u"at-once"_s};
    for (const QString &option : wish.options) {
        if (ours.contains(option.mid(2).section(u'=', 0, 0)))
            return wrong(option, Tr::tr("torch-matrix sets it itself"));
        options << option;
    }
    for (const QString &option : std::as_const(options)) {
        if (!hasForm(option, u"--[a-z][a-z0-9-]*(=[^\\x00-\\x1f]{0,1000})?"))
            return wrong(option, Tr::tr("that is not an option of the form --name=value"));
    }
    if (options.size() > mostOptions)
        return wrong(options.constLast(), Tr::tr("there are more than %1").arg(mostOptions));
    return options;
}

QStringList withResources(const QStringList &options, int cores, qint64 memory)
{
    const auto says = [&options](const QString &name) {
        return std::any_of(options.begin(), options.end(),
                           [&](const QString &option) { return option.section(u'=', 0, 0) == name; });
    };
    constexpr qint64 gigabyte = 1'000'000'000;
    QStringList all = options;
    if (!says(u"--mem"_s) && !says(u"--mem-per-cpu"_s))
        all.prepend(u"--mem=%1G"_s.arg((memory + gigabyte - 1) / gigabyte));
    if (!says(u"--cpus-per-task"_s))
        all.prepend(u"--cpus-per-task=%1"_s.arg(cores));
    return all;
}

std::optional<SlurmTask> slurmTaskOf(const JobFolder &folder)
{
    const std::optional<QByteArray> text = readSmallFile(folder.file(u"slurm.json"_s), 4096);
    const QJsonObject object = QJsonDocument::fromJson(text.value_or(QByteArray())).object();
    SlurmTask task{object.value(u"batch"_s).toString(), object.value(u"array"_s).toInteger(),
                   object.value(u"index"_s).toInt()};
    if (!hasForm(task.batch, u"torch-matrix-[0-9a-z-]{1,64}"))
        return {};
    return task;
}

QHash<QString, SlurmState> slurmStates(const QByteArray &text)
{
    static const QRegularExpression ours(u"^([0-9]+)[|_]([0-9]+)\\|([A-Z_]+)[^|]*\\|?(.*)$"_s);
    QHash<QString, SlurmState> states;
    const QList<QByteArray> lines = text.split('\n');
    for (const QByteArray &line : lines) {
        const auto match = ours.match(QString::fromUtf8(line).trimmed());
        if (match.hasMatch())
            states.insert(match.captured(1) + u'_' + match.captured(2),
                          {match.captured(3), match.captured(4) == u"None" ? QString() : match.captured(4).left(200)});
    }
    return states;
}

std::optional<BuildOutcome> outcomeOf(const SlurmState &state, bool asked)
{
    if (state.state == u"CANCELLED")
        return BuildOutcome{.kind = Kind::Stopped, .cause = asked ? Cause::None : Cause::SlurmCancelled};
    if (state.state == u"TIMEOUT" || state.state == u"DEADLINE")
        return BuildOutcome{.kind = Kind::TimeLimit, .cause = Cause::SlurmLimit};
    if (state.state == u"NODE_FAIL" || state.state == u"BOOT_FAIL")
        return BuildOutcome{.kind = Kind::NodeFailed};
    if (state.state == u"PREEMPTED")
        return BuildOutcome{.kind = Kind::Preempted};
    if (state.state == u"OUT_OF_MEMORY")
        return BuildOutcome{.kind = Kind::OutOfMemory, .cause = Cause::SlurmLimit};
    return {};
}

QByteArray slurmBatchScript()
{
    return "#!/bin/sh\n"
           "# Begins the job of this element of the array. The argument is the folder of the array.\n"
           "job=$(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" \"$1/jobs\")\n"
           "exec /bin/sh \"$1/remote.sh\" run \"$job\"\n";
}

QStringList sbatchArguments(const QString &folder, const QString &batch, qsizetype jobs, const QStringList &options)
{
    QString array = u"0-%1"_s.arg(jobs - 1);
    QStringList words{u"--parsable"_s,        u"--job-name="_s + batch, u"--output=/dev/null"_s,
                      u"--chdir="_s + folder, u"--requeue"_s,           u"--signal=B:USR1@60"_s};
    for (const QString &option : options) {
        if (option.startsWith(throttle))
            array += u'%' + option.section(u'=', 1);
        else
            words << option;
    }
    return words + QStringList{u"--array="_s + array, folder + u"/script"_s, folder};
}

QList<SlurmSubmission> submissionsOf(const QList<Job> &jobs)
{
    QMap<QStringList, QStringList> arrays;
    for (const Job &job : jobs)
        arrays[job.sbatch].append(job.package);
    QList<SlurmSubmission> submissions;
    for (const auto &[options, packages] : arrays.asKeyValueRange()) {
        QString command = u"sbatch"_s;
        const QStringList words = sbatchArguments(u"FOLDER"_s, u"torch-matrix-ID"_s, packages.size(), options);
        for (const QString &word : words)
            command += u' ' + shellWord(word);
        submissions.append({command, packages});
    }
    return submissions;
}

struct SlurmArrays::Private {
    QString state;
    QElapsedTimer asked;
    QHash<QString, std::shared_ptr<LogFollower>> logs;
    QHash<QString, QElapsedTimer> silent; ///< jobs that Slurm reports nothing about, by id
    QHash<QString, int> stops;            ///< how often Slurm was asked to end a job
    QString trouble;                      ///< last error message of Slurm's programs

    ProcessRun run(const QString &program, const QStringList &arguments, const Job &job);
    void submit(const QList<JobFolder> &jobs, const QList<Job> &read);
    bool prepare(const JobFolder &folder, const Job &job, const QString &repository);
    QString bring(const QList<Job> &jobs, QString &why);
    void writeTask(const JobFolder &folder, const SlurmTask &task) const;
    void refuse(const JobFolder &folder, Kind kind, Cause cause, const QStringList &about,
                const QString &text = {}) const;
    void note(const JobFolder &folder, const QString &phase);
    void end(const JobFolder &folder, const Job &job, const SlurmState &said);
    void tellStops(const JobFolder &folder, const SlurmTask &task, const Job &job);
    std::optional<QHash<QString, SlurmState>> ask(const QStringList &arrays, const Job &job);
    qint64 findArray(const QString &batch, const Job &job);
};

SlurmArrays::SlurmArrays(QString state)
    : d(std::make_unique<Private>())
{
    d->state = std::move(state);
}

SlurmArrays::~SlurmArrays() = default;

ProcessRun SlurmArrays::Private::run(const QString &program, const QStringList &arguments, const Job &job)
{
    ProcessRequest request;
    request.program = program;
    request.arguments = arguments;
    request.environment = environmentOf(job, QProcessEnvironment::systemEnvironment());
    // sbatch takes options from these variables too.
    const QStringList names = request.environment.keys();
    for (const QString &name : names) {
        if (name.startsWith(u"SBATCH_") || name.startsWith(u"SQUEUE_"))
            request.environment.remove(name);
    }
    request.timeout = patience;
    return runProcess(request, mostSlurmAnswer);
}

void SlurmArrays::Private::writeTask(const JobFolder &folder, const SlurmTask &task) const
{
    const Result<void> written =
        put(folder.file(u"slurm.json"_s),
            QJsonDocument(QJsonObject{{u"batch"_s, task.batch}, {u"array"_s, task.array}, {u"index"_s, task.index}})
                .toJson());
    if (!written)
        qWarning("%s", qPrintable(written.error().sentence()));
}

void SlurmArrays::Private::refuse(const JobFolder &folder, Kind kind, Cause cause, const QStringList &about,
                                  const QString &text) const
{
    JobOutcome outcome{.build = {.kind = kind, .cause = cause, .text = text, .about = about}};
    outcome.started = outcome.ended = QDateTime::currentDateTimeUtc();
    if (const Result<bool> written = folder.writeOutcome(outcome); !written)
        qWarning("%s", qPrintable(written.error().sentence()));
}

/// Pushes the commits of one repository's jobs to a repository that the nodes can read, and returns its path.
QString SlurmArrays::Private::bring(const QList<Job> &jobs, QString &why)
{
    const QString &from = jobs.constFirst().repository;
    const QByteArray hash = QCryptographicHash::hash(from.toUtf8(), QCryptographicHash::Sha256).toHex().first(12);
    const QString to =
        state + u"/repositories/"_s + QFileInfo(from).fileName() + u'-' + QString::fromLatin1(hash) + u".git"_s;
    QDir().mkpath(QFileInfo(to).path());
    if (!QFileInfo::exists(to + u"/HEAD"_s)) {
        const ProcessRun made =
            run(u"git"_s, {u"init"_s, u"--quiet"_s, u"--bare"_s, u"--template="_s, to}, jobs.constFirst());
        why = lastLineOf(made.output);
        if (!made.outcome.succeeded())
            return {};
    }
    QStringList words{u"-C"_s, from, u"-c"_s, u"core.hooksPath=/dev/null"_s, u"push"_s, u"--quiet"_s, u"--force"_s, to};
    QSet<QString> commits;
    for (const Job &job : jobs)
        commits.insert(job.commit);
    for (const QString &commit : std::as_const(commits))
        words << commit + u':' + commitRefs + commit;
    const ProcessRun pushed = run(u"git"_s, words, jobs.constFirst());
    why = lastLineOf(pushed.output);
    return pushed.outcome.succeeded() ? to : QString();
}

/// Writes the files for remote.sh. Returns false if the job already has an outcome.
bool SlurmArrays::Private::prepare(const JobFolder &folder, const Job &job, const QString &repository)
{
    const std::optional<QByteArray> recipe = gitAnswer(job.repository, {u"cat-file"_s, u"blob"_s, job.blob});
    if (!recipe) {
        refuse(folder, Kind::Failed, Cause::RecipeGone, {job.repository});
        return false;
    }
    QDir().mkpath(folder.file(u"remote"_s));
    QList<QPair<QString, QString>> files = remoteFiles(job, *recipe);
    files << QPair(u"repository"_s, repository) << QPair(u"tree"_s, folder.workTree())
          << QPair(u"results"_s, resultsFolder(folder.state(), job.repository, job.branch));
    for (const auto &[name, value] : std::as_const(files)) {
        if (const Result<void> written = put(folder.file(u"remote/"_s + name), value.toUtf8() + '\n'); !written) {
            refuse(folder, Kind::Failed, Cause::Unwritable, {written.error().subject}, written.error().why);
            return false;
        }
    }
    return true;
}

void SlurmArrays::Private::submit(const QList<JobFolder> &jobs, const QList<Job> &read)
{
    // A separate array for each repository and each set of options.
    QMap<QString, QList<qsizetype>> groups;
    for (qsizetype i = 0; i < jobs.size(); ++i)
        groups[read.at(i).repository + u'\n' + read.at(i).sbatch.join(u'\n')].append(i);
    for (const QList<qsizetype> &group : std::as_const(groups)) {
        QList<Job> wanted;
        for (const qsizetype i : group)
            wanted.append(read.at(i));
        QString why;
        const QString repository = bring(wanted, why);
        QList<JobFolder> ready;
        for (const qsizetype i : group) {
            if (repository.isEmpty())
                refuse(jobs.at(i), Kind::Failed, Cause::Copy, {state + u"/repositories"_s}, why);
            else if (prepare(jobs.at(i), read.at(i), repository))
                ready.append(jobs.at(i));
        }
        if (ready.isEmpty())
            continue;
        const QString batch = batchPrefix + ready.constFirst().id();
        const QString folder = state + u"/slurm/"_s + batch;
        QDir().mkpath(folder);
        bool written = put(folder + u"/remote.sh"_s, remoteScript()).ok();
        written &= put(folder + u"/script"_s, slurmBatchScript()).ok();
        written &= put(folder + u"/jobs"_s, nameList(ready).join(u'\n').toUtf8() + '\n').ok();
        // Write the name first: after a kill in between, the array is found by its name.
        for (qsizetype i = 0; i < ready.size(); ++i)
            writeTask(ready.at(i), {batch, 0, int(i)});
        const QStringList &options = wanted.constFirst().sbatch;
        const ProcessRun ran =
            written ? run(u"sbatch"_s, sbatchArguments(folder, batch, ready.size(), options), wanted.constFirst())
                    : ProcessRun();
        // "123" or "123;cluster", after any output of the site's plugins.
        static const QRegularExpression number(u"^([0-9]+)(;.*)?$"_s);
        const auto match = number.match(lastLineOf(ran.output));
        if (ran.outcome.succeeded() && match.hasMatch()) {
            for (qsizetype i = 0; i < ready.size(); ++i)
                writeTask(ready.at(i), {batch, match.captured(1).toLongLong(), int(i)});
            continue;
        }
        const QString said = !ran.outcome.started ? ran.outcome.error : lastLineOf(ran.output);
        for (const JobFolder &job : std::as_const(ready))
            refuse(job, Kind::Failed, Cause::Refused, {u"Slurm"_s}, said.endsWith(u'.') ? said.chopped(1) : said);
    }
}

/// Finds an array whose number was not recorded. 0: Slurm has none of that name; -1: it did not answer.
qint64 SlurmArrays::Private::findArray(const QString &batch, const Job &job)
{
    const ProcessRun ran =
        run(u"squeue"_s, {u"--noheader"_s, u"--states=all"_s, u"--format=%F"_s, u"--name="_s + batch}, job);
    if (!ran.outcome.succeeded())
        return -1;
    return lastLineOf(ran.output).toLongLong();
}

std::optional<QHash<QString, SlurmState>> SlurmArrays::Private::ask(const QStringList &arrays, const Job &job)
{
    const ProcessRun ran = run(
        u"squeue"_s,
        {u"--noheader"_s, u"--array"_s, u"--states=all"_s, u"--format=%F|%K|%T|%r"_s, u"--jobs="_s + arrays.join(u',')},
        job);
    // squeue prints this and exits with 1 for arrays that it no longer knows.
    const bool unknown = ran.output.contains("Invalid job id");
    if (!ran.outcome.succeeded() && !unknown) {
        trouble = ran.outcome.started ? lastLineOf(ran.output) : ran.outcome.error;
        return {};
    }
    trouble.clear();
    QHash<QString, SlurmState> states = slurmStates(ran.output);
    // Accounting, if the cluster has it, still knows what squeue has forgotten.
    QStringList forgottenArrays;
    for (const QString &array : arrays) {
        if (std::none_of(states.keyBegin(), states.keyEnd(),
                         [&](const QString &element) { return element.startsWith(array + u'_'); }))
            forgottenArrays.append(array);
    }
    if (!forgottenArrays.isEmpty()) {
        const ProcessRun kept = run(u"sacct"_s,
                                    {u"--noheader"_s, u"--parsable2"_s, u"--allocations"_s,
                                     u"--format=JobID,State,Reason"_s, u"--jobs="_s + forgottenArrays.join(u',')},
                                    job);
        if (kept.outcome.succeeded())
            states.insert(slurmStates(kept.output));
    }
    return states;
}

/// Writes the displayed progress of a waiting or running job.
void SlurmArrays::Private::note(const JobFolder &folder, const QString &phase)
{
    const bool runs = QFileInfo::exists(folder.file(u"remote/started"_s));
    JobProgress progress = folder.progress().value_or(JobProgress());
    const JobProgress before = progress;
    if (runs) {
        LogTimes::note(folder.logFile(), QFileInfo(folder.logFile()).size(), QDateTime::currentDateTimeUtc());
        std::shared_ptr<LogFollower> &log = logs[folder.id()];
        if (!log)
            log = std::make_shared<LogFollower>(folder);
        const NinjaProgress &seen = log->progress();
        progress.step = seen.step();
        progress.total = seen.total();
        progress.phase = phase.isEmpty() ? seen.phase() : phase;
    } else {
        progress.phase = phase;
    }
    if (progress != before)
        folder.writeProgress(progress);
}

void SlurmArrays::Private::tellStops(const JobFolder &folder, const SlurmTask &task, const Job &job)
{
    const int level = folder.stopLevel();
    if (level <= stops.value(folder.id()))
        return;
    const QString element = u"%1_%2"_s.arg(task.array).arg(task.index);
    const QStringList words =
        level >= killLevel ? QStringList{u"--signal=KILL"_s, u"--full"_s, element} : QStringList{element};
    if (run(u"scancel"_s, words, job).outcome.succeeded())
        stops.insert(folder.id(), level);
}

void SlurmArrays::Private::end(const JobFolder &folder, const Job &job, const SlurmState &said)
{
    QFile file(folder.file(u"remote/ended"_s));
    std::optional<JobOutcome> outcome;
    if (file.open(QIODevice::ReadOnly)) {
        const QByteArray began = readSmallFile(folder.file(u"remote/started"_s), 64).value_or(QByteArray()).trimmed();
        if (const auto end = remoteEndOf("started " + began + '\n' + file.read(mostSlurmAnswer), job.package))
            outcome = outcomeOf(folder, job, *end);
    }
    if (!outcome) {
        std::optional<BuildOutcome> build = outcomeOf(said, folder.stopLevel() > 0);
        if (!build && said.state != u"COMPLETED" && said.state != u"FAILED" && !said.state.isEmpty())
            return;
        if (!build) {
            // It ended, or Slurm has forgotten it. The node's last output may still be arriving.
            QElapsedTimer &since = silent[folder.id()];
            if (!since.isValid())
                since.start();
            if (!since.hasExpired(forgotten.count()))
                return;
            build = lostOutcome(folder.logFile(), job.package);
            build->cause = Cause::SlurmSilent;
        }
        outcome.emplace();
        outcome->build = *build;
        outcome->started = folder.startedRemotely();
        outcome->ended = QDateTime::currentDateTimeUtc();
        if (!outcome->started.isValid())
            outcome->started = outcome->ended;
        outcome->build.milliseconds = qMax<qint64>(outcome->started.msecsTo(outcome->ended), 0);
        QDir(folder.workTree()).removeRecursively();
    }
    logs.remove(folder.id());
    silent.remove(folder.id());
    if (const Result<bool> written = folder.writeOutcome(*outcome); !written)
        qWarning("%s", qPrintable(written.error().sentence()));
}

void SlurmArrays::look(const QList<JobFolder> &jobs)
{
    struct Submitted {
        JobFolder folder;
        Job job;
        SlurmTask task;
    };
    QList<JobFolder> fresh;
    QList<Job> freshJobs;
    QList<Submitted> submitted;
    for (const JobFolder &folder : jobs) {
        const Result<Job> job = folder.job();
        if (!job)
            continue;
        std::optional<SlurmTask> task = slurmTaskOf(folder);
        if (task && task->array == 0) {
            const qint64 array = d->findArray(task->batch, *job);
            if (array < 0)
                continue; // Next time.
            if (array > 0)
                d->writeTask(folder, {task->batch, array, task->index});
            task->array = array;
        }
        if (task && task->array != 0) {
            submitted.append({folder, *job, *task});
        } else if (folder.stopLevel() > 0) {
            d->refuse(folder, Kind::Stopped, Cause::BeforeStart, {});
        } else {
            fresh.append(folder);
            freshJobs.append(*job);
        }
    }
    if (!fresh.isEmpty())
        d->submit(fresh, freshJobs);

    QSet<QString> arrays;
    for (const auto &[folder, job, task] : std::as_const(submitted)) {
        arrays.insert(QString::number(task.array));
        d->tellStops(folder, task, job);
        if (QFileInfo::exists(folder.file(u"remote/ended"_s)))
            d->end(folder, job, {});
    }
    if (submitted.isEmpty() || (d->asked.isValid() && !d->asked.hasExpired(asking.count())))
        return;
    const auto states = d->ask(QStringList(arrays.begin(), arrays.end()), submitted.constFirst().job);
    for (const auto &[folder, job, task] : std::as_const(submitted)) {
        if (folder.phase() == JobPhase::Ended)
            continue;
        const SlurmState said = states ? states->value(u"%1_%2"_s.arg(task.array).arg(task.index)) : SlurmState();
        if (states)
            d->end(folder, job, said);
        if (folder.phase() == JobPhase::Ended)
            continue;
        const bool waits = said.state == u"PENDING" && !said.reason.isEmpty();
        d->note(folder, !states ? Tr::tr("Slurm does not answer: %1").arg(d->trouble)
                        : waits ? Tr::tr("waits in Slurm: %1").arg(said.reason)
                                : QString());
    }
    d->asked.start();
}

void tidySlurm(const QString &state)
{
    const QDir arrays(state + u"/slurm"_s);
    const QDir repositories(state + u"/repositories"_s);
    if (!arrays.exists() && !repositories.exists())
        return;
    QSet<QString> needed; // ids of jobs, and their commits
    for (const JobFolder &folder : JobFolder::all(state)) {
        if (folder.phase() == JobPhase::Ended && storedLog(folder.logFile()).isEmpty())
            continue;
        needed.insert(folder.id());
        // The commit of a job that cannot be read is unknown.
        const Result<Job> job = folder.job();
        if (!job)
            return;
        needed.insert(job->commit);
    }
    const QStringList batches = arrays.entryList({batchPrefix + u'*'}, QDir::Dirs | QDir::NoSymLinks);
    for (const QString &batch : batches) {
        // The array is named after its first job. Until the list is written, only that one is known.
        QStringList jobs{batch.sliced(batchPrefix.size())};
        const QByteArray list =
            readSmallFile(arrays.filePath(batch + u"/jobs"_s), mostSlurmAnswer).value_or(QByteArray());
        for (const QByteArray &path : list.split('\n'))
            jobs.append(QString::fromUtf8(path).section(u'/', -1));
        if (std::ranges::none_of(jobs, [&needed](const QString &id) { return needed.contains(id); }))
            QDir(arrays.filePath(batch)).removeRecursively();
    }
    const QStringList names = repositories.entryList({u"*.git"_s}, QDir::Dirs | QDir::NoSymLinks);
    for (const QString &name : names) {
        const QString path = repositories.filePath(name);
        const QByteArrayList commits = gitAnswer(path, {u"for-each-ref"_s, u"--format=%(objectname)"_s, commitRefs})
                                           .value_or(QByteArray())
                                           .trimmed()
                                           .split('\n');
        for (const QByteArray &commit : commits) {
            if (const QString id = QString::fromLatin1(commit); !id.isEmpty() && !needed.contains(id))
                static_cast<void>(gitAnswer(path, {u"update-ref"_s, u"-d"_s, commitRefs + id}));
        }
    }
}

} // namespace tmx
