// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Changes.h"
#include "app/verbs/Fleet.h"
#include "app/verbs/JobText.h"
#include "app/verbs/Progress.h"
#include "app/verbs/Verb.h"

#include "model/base/ShortList.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/builds/BuildRequest.h"
#include "model/builds/Preflight.h"
#include "model/fleet/BuildMemory.h"
#include "model/fleet/KnownRepositories.h"
#include "model/job/DryRun.h"
#include "model/job/Needs.h"
#include "model/outcome/OutcomeText.h"
#include "model/workspace/DependentReading.h"

#include <CLI/CLI.hpp>

#include <QElapsedTimer>

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int lookingMilliseconds = 200;
constexpr qsizetype mostShownRunning = 8;

struct BuildOptions {
    std::vector<std::string> names;
    std::string branch;
    std::string engine;
    std::string stability;
    std::string place;
    std::string partition;
    std::string constraint;
    std::vector<std::string> sbatch;
    int minutes = 0;
    int atOnce = 0;
    std::optional<std::string> builders;
    int cores = 0;
    bool ownPin = false;
    bool here = false;
    bool detach = false;
    bool again = false;
    bool dryRun = false;
    bool missing = false;
    bool stale = false;
    bool failed = false;
    bool all = false;
    bool withDependents = false;
    std::vector<std::string> folders;
};

/// Turns Ctrl+C and `kill` into bytes on a pipe: a signal handler may do little more than write.
class SignalPipe
{
public:
    SignalPipe()
    {
        if (::pipe2(s_pipe, O_CLOEXEC | O_NONBLOCK) == 0) {
            std::signal(SIGINT, &SignalPipe::handle);
            std::signal(SIGTERM, &SignalPipe::handle);
        }
    }
    /// Waits for a signal for at most that long. Returns true if one came.
    static bool wait(int milliseconds)
    {
        pollfd source{s_pipe[0], POLLIN, 0};
        ::poll(&source, 1, milliseconds);
        char signal = 0;
        return ::read(s_pipe[0], &signal, 1) == 1;
    }

private:
    static void handle(int signal)
    {
        const char byte = char(signal);
        [[maybe_unused]] const auto written = ::write(s_pipe[1], &byte, 1);
    }
    static inline int s_pipe[2] = {-1, -1};
};

/// Columns of the terminal on standard output; 80 if unknown.
int terminalColumns()
{
    winsize size = {};
    return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

/// Reports jobs until they have ended. For one job: its log. For several: a line when one starts or ends, and on a
/// terminal the running jobs below.
class Watch
{
public:
    Watch(Queue queue, const QList<Job> &jobs)
        : m_queue(std::move(queue))
        , m_terminal(::isatty(STDOUT_FILENO) == 1)
        , m_running(m_queue.state())
    {
        for (const Job &job : jobs)
            m_jobs.push_back(std::make_unique<Watched>(JobFolder::of(m_queue.state(), job.id), job));
    }

    /// Returns false if a job was not built.
    bool untilEnded();

private:
    struct Watched {
        Watched(const JobFolder &at, Job of) // The folder may be gone already.
            : folder(at)
            , job(std::move(of))
            , log(at)
        {
        }
        JobFolder folder;
        Job job;
        LogFollower log;
        bool begun = false;
        bool ended = false;
    };

    void look(Watched &watched);
    void end(Watched &watched);
    void endHeld();
    void say(const QString &line);
    void showRunning();
    void eraseRunning();
    void stop();
    [[nodiscard]] bool single() const { return m_jobs.size() == 1; }

    Queue m_queue;
    const bool m_terminal;
    std::vector<std::unique_ptr<Watched>> m_jobs;
    LogPrinter m_printer;
    RunningBuilds m_running;
    QElapsedTimer m_lastWake;
    QString m_shown; ///< the lines of running jobs, on a terminal
    int m_stops = 0;
    bool m_allBuilt = true;
};

void Watch::say(const QString &line)
{
    eraseRunning();
    print(line);
}

void Watch::eraseRunning()
{
    if (const qsizetype lines = m_shown.count(u'\n'); lines > 0)
        printOwn("\033[" + QByteArray::number(lines) + "A\033[J");
    m_shown.clear();
}

void Watch::showRunning()
{
    if (!m_terminal || single())
        return;
    QStringList lines;
    int waiting = 0;
    int done = 0;
    qsizetype widest = 0;
    for (const auto &watched : m_jobs)
        widest = qMax(widest, watched->job.package.size());
    for (const auto &watched : m_jobs) {
        waiting += !watched->begun && !watched->ended;
        done += watched->ended;
        const std::optional<JobRunner> runner =
            watched->begun && !watched->ended ? watched->folder.runner() : std::nullopt;
        if (!runner || lines.size() >= mostShownRunning)
            continue;
        const BuildState state = m_running.of({watched->job, watched->folder.phase(), {}, runner, watched->folder});
        lines.append(u"  %1  %2  %3  %4"_s.arg(
            state.silentMinutes > 0 ? u"silent "_s : u"running"_s, watched->job.package.leftJustified(widest),
            durationText(runner->started.msecsTo(QDateTime::currentDateTimeUtc())), progressText(state)));
    }
    lines.append(u"  %1 of %2 done, %3 waiting"_s.arg(done).arg(m_jobs.size()).arg(waiting));
    // A line that the terminal wraps takes two lines, and the next update would start at the wrong place.
    const int columns = terminalColumns();
    QString text;
    for (const QString &line : std::as_const(lines))
        text += QString::fromUtf8(terminalText(line.toUtf8())).left(columns - 1) + u'\n';
    if (text == m_shown)
        return;
    const qsizetype before = m_shown.count(u'\n');
    m_shown = text;
    // Overwrites the last output in one write, so that nothing flickers.
    printOwn((before > 0 ? "\033[" + QByteArray::number(before) + 'A' : QByteArray()) +
             text.replace(u'\n', u"\033[K\n"_s).toUtf8() + "\033[J");
}

void Watch::end(Watched &watched)
{
    const std::optional<JobOutcome> outcome = watched.folder.outcome();
    watched.ended = true;
    if (!outcome) {
        m_allBuilt = false;
        eraseRunning();
        tell(Tr::tr("%1 was not built: its job was removed from the queue.").arg(watched.job.package));
        return;
    }
    m_allBuilt &= outcome->build.kind == BuildOutcome::Kind::Built;
    if (single()) {
        for (QByteArray rest = watched.log.read(); !rest.isEmpty(); rest = watched.log.read())
            m_printer.print(rest);
        tellOutcome(watched.job, outcome->build);
        return;
    }
    say(u"%1  %2  %3  %4"_s.arg(wordOf(outcome->build.kind), watched.job.package,
                                durationText(outcome->build.milliseconds), sentenceOf(outcome->build)));
}

/// Ends those that wait in vain, once nothing else of these jobs is left.
void Watch::endHeld()
{
    const auto mayBeHeld = [](const auto &watched) {
        return watched->ended || (!watched->begun && !watched->job.after.isEmpty());
    };
    if (!std::ranges::all_of(m_jobs, mayBeHeld))
        return;
    const QHash<QString, Hold> holds = holdsOf(readJobs(m_queue.state()));
    for (const auto &watched : m_jobs) {
        const auto hold = watched->ended ? holds.cend() : holds.constFind(watched->job.id);
        if (hold == holds.cend() || !hold->inVain)
            continue;
        watched->ended = true;
        m_allBuilt = false;
        say(Tr::tr("waiting  %1  %2; it starts when that is built").arg(watched->job.package, hold->text()));
    }
}

void Watch::look(Watched &watched)
{
    const JobPhase phase = watched.folder.phase();
    if (phase == JobPhase::Running && !watched.begun && !single() && !m_terminal) // the table says so
        say(Tr::tr("running  %1").arg(watched.job.package));
    watched.begun |= phase != JobPhase::Waiting;
    if (watched.begun) {
        if (single())
            m_printer.print(watched.log.read());
    }
    if (phase == JobPhase::Ended || !watched.folder.job())
        end(watched);
}

void Watch::stop()
{
    QStringList ids;
    for (const auto &watched : m_jobs) {
        if (!watched->ended)
            ids.append(watched->job.id);
    }
    eraseRunning();
    const QString words[] = {
        Tr::tr("Stopping: waiting for the build to end. Ctrl+C again sends SIGTERM to its processes."),
        Tr::tr("Stopping: every process of the build gets SIGTERM. Ctrl+C again kills them."),
        Tr::tr("Stopping: every process of the build is killed.")};
    tell(words[std::min(m_stops++, 2)]);
    if (const Result<void> stopped = m_queue.stop(ids); !stopped)
        complain(stopped.error());
}

bool Watch::untilEnded()
{
    const SignalPipe signalPipe;
    for (;;) {
        bool all = true;
        for (const auto &watched : m_jobs) {
            if (!watched->ended)
                look(*watched);
            all &= watched->ended;
        }
        if (all)
            break;
        endHeld();
        showRunning();
        // The process that starts the jobs may have been killed.
        if (!m_lastWake.isValid() || m_lastWake.elapsed() > 5000) {
            if (const Result<void> woken = m_queue.wake(); !woken)
                complain(woken.error());
            m_lastWake.start();
        }
        if (SignalPipe::wait(lookingMilliseconds))
            stop();
    }
    eraseRunning();
    return m_allBuilt;
}

/// "vllm-... of build-vllm@main, after pytorch-..."
QString dependentText(const Job &job)
{
    QStringList needs;
    for (const QString &need : job.after)
        needs.append(productOf(need).section(u'\n', -1));
    const QString text =
        Tr::tr("%1 of %2", "package, branch").arg(job.package, job.repository.section(u'/', -1) + u'@' + job.branch);
    return needs.isEmpty() ? text : Tr::tr("%1, after %2", "build, packages").arg(text, needs.join(u", "_s));
}

/// Adds the recipe to the index unless git tracks it, because flox sees only tracked files; whether it did.
Result<bool> stage(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog, const QString &name)
{
    const QString doing = Tr::tr("Adding the recipe to the index");
    TM_TRY(sets, prepared(context, catalog, doing, StageRequest{{name}}));
    TM_TRY(done, applied(context, doing, sets->constFirst()));
    return !done->added.isEmpty();
}

/// The compile jobs of builds of a branch and the memory that they may take.
QString memoryOf(const Catalog &catalog, const BranchSnapshot &snapshot, const QList<Job> &jobs)
{
    EarlierPeaks peaks;
    QList<BuildMemory> builds;
    for (const Job &job : jobs) {
        const VariantEntry *entry = isOf(job, snapshot) ? snapshot.findPackage(job.variant) : nullptr;
        if (entry)
            builds.append(buildMemory(catalog, *entry, job.cores,
                                      isDoneHere(job) ? BuildMachine::here() : BuildMachine(), peaks.of(job.variant)));
    }
    return memoryText(builds);
}

/// Prints the sbatch command and the script that it would get.
int tellSubmission(const QList<Job> &jobs, const QString &memory)
{
    const QStringList lines = memory.split(u'\n', Qt::SkipEmptyParts);
    for (const QString &line : lines)
        print(u"# "_s + line);
    const QList<SlurmSubmission> submissions = submissionsOf(jobs);
    for (const SlurmSubmission &submission : submissions) {
        print(submission.command);
        for (qsizetype i = 0; i < submission.packages.size(); ++i)
            print(u"# element %1: %2"_s.arg(i).arg(submission.packages.at(i)));
    }
    print(u"# FOLDER/script:\n"_s + QString::fromUtf8(slurmBatchScript()).trimmed());
    return Done;
}

/// "slurm", "ssh:HOST", or only a host. Returns an Error if ssh cannot take the host.
Result<Place> placeOf(const QString &word)
{
    const bool whole = word.isEmpty() || word == u"slurm" || word.startsWith(u"ssh:");
    if (const auto place = placeNamed(whole ? word : u"ssh:"_s + word))
        return *place;
    return Error{Tr::tr("build on"), word, Tr::tr("that is not a host name"),
                 Tr::tr("Give a host, user@host, a name from your ssh configuration, or slurm.")};
}

/// Prints what nix-build would build and fetch for the jobs' commit; for one job, Nix's own lists. flox cannot report
/// it, nor another machine: prints what would be queued.
Result<int> tellDryRun(const Catalog &catalog, const BranchSnapshot &snapshot, const QList<Job> &jobs, Again again)
{
    const QString memory = memoryOf(catalog, snapshot, jobs);
    if (jobs.constFirst().place.kind == Place::Kind::Slurm)
        return tellSubmission(jobs, memory);
    // As of all of them. Another machine is not asked what its Nix would build.
    if (jobs.constFirst().engine == BuildEngine::Flox || !jobs.constFirst().place.isHere()) {
        const QHash<QString, JobRecord> latest = latestByKey(readJobs(stateFolder()));
        for (const Job &job : jobs) {
            const JobRecord before = latest.value(job.key());
            if (const auto needless = needlessBecause(before, job, again))
                tell(whatText({*needless, before}));
            else
                print(dependentText(job));
        }
        printText(memory.toUtf8());
        return Done;
    }
    TM_TRY(runs, dryRun(jobs));
    for (qsizetype i = 0; i < jobs.size(); ++i)
        print(u"%1: %2"_s.arg(jobs.at(i).package, runs->at(i).summary()));
    if (jobs.size() == 1)
        LogPrinter().print(runs->constFirst().text);
    printText(memory.toUtf8());
    return Done;
}

/// What the options ask for. Errors: a place, a builder or a variant that there cannot be.
Result<BuildRequest> requestOf(const Catalog &catalog, const BranchSnapshot &snapshot, const BuildOptions &options)
{
    BuildRequest request;
    request.wish.engine = engineNamed(QString::fromStdString(options.engine));
    request.wish.cores = options.cores;
    request.wish.ownPin = options.ownPin;
    request.wish.stability = QString::fromStdString(options.stability);
    if (options.builders) {
        const QString builders = QString::fromStdString(*options.builders);
        if (!isBuildersLine(builders))
            return Error{Tr::tr("use"), u"--builders"_s, Tr::tr("it takes one line without comments"),
                         Tr::tr("Separate builders with semicolons.")}
                .ofUsage();
        request.wish.builders = builders;
    }
    request.wish.here = options.here;
    TM_TRY(place, placeOf(QString::fromStdString(options.place)));
    request.wish.place = *place;
    request.wish.slurm = {QString::fromStdString(options.partition), QString::fromStdString(options.constraint),
                          options.minutes, options.atOnce, toStringList(options.sbatch)};
    request.again = options.again;
    TM_TRY(names, variantsNamed(catalog, snapshot, toStringList(options.names)));
    request.names = *names;
    const std::pair<bool, BuildSelection> selections[] = {{options.missing, BuildSelection::Missing},
                                                          {options.stale, BuildSelection::Stale},
                                                          {options.failed, BuildSelection::Failed},
                                                          {options.all, BuildSelection::All}};
    for (const auto &[wanted, selection] : selections) {
        if (wanted)
            request.selections.append(selection);
    }
    return request;
}

/// Each reason once, with the variants that it keeps out.
void tellLeftOut(const QList<Error> &errors)
{
    QMap<QString, QList<const Error *>> refused; // by reason
    for (const Error &error : errors)
        refused[error.why].append(&error);
    for (const QList<const Error *> &alike : std::as_const(refused)) {
        QStringList others;
        for (const Error *error : alike.mid(1))
            others.append(error->subject);
        tell(Tr::tr("Warning: Left out: %1").arg(alike.constFirst()->sentence()));
        if (!others.isEmpty())
            tell(Tr::tr("Left out for the same reason: %1.").arg(shortList(others)));
    }
}

/// Tells which text of a changed recipe is built, and adds what is built here to the index.
Result<void> stageChanged(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog,
                          const BranchSnapshot &snapshot, const QList<Job> &jobs)
{
    for (const Job &job : jobs) {
        if (!hasUnbuiltChanges(*snapshot.findPackage(job.variant)))
            continue;
        tell(job.here
                 ? Tr::tr("%1 has uncommitted changes; they are built.").arg(job.variant)
                 : Tr::tr("%1 has uncommitted changes; its committed text is built. --here builds the working tree.")
                       .arg(job.variant));
        if (!job.here)
            continue;
        TM_TRY(added, stage(context, catalog, job.variant));
        if (*added)
            tell(Tr::tr("%1 is added to the index: flox builds what git tracks.").arg(job.variant));
    }
    return {};
}

/// Tells what prevents builds; if nothing does, what else was found.
bool tellBlocked(const QList<PreflightItem> &items, bool blocked)
{
    for (const PreflightItem &item : items) {
        if (item.blocks)
            tell(u"torch-matrix: "_s + item.sentence);
        blocked |= item.blocks;
    }
    for (const PreflightItem &item : blocked ? QList<PreflightItem>() : items)
        tell((item.leftOut ? Tr::tr("Warning: Left out: %1") : Tr::tr("Warning: %1")).arg(item.sentence));
    return blocked;
}

/// Starts the queue, and waits for what was added unless the builds are detached.
Result<int> carryOut(Queue &queue, const QList<QueuedJob> &queued, bool detach)
{
    QList<Job> jobs;
    bool failedBefore = false;
    for (const QueuedJob &one : queued) {
        if (one.record.isActive())
            jobs.append(one.record.job);
        failedBefore |= one.what == QueuedJob::What::FailedBefore;
        if (queued.size() > 1 || one.what != QueuedJob::What::Queued || one.failure || detach)
            tell(whatText(one));
    }
    if (!jobs.isEmpty()) {
        TM_CHECK(queue.wake());
        if (const QueueContents contents = queue.contents(); contents.paused)
            tell(Tr::tr("The queue is paused: \"torch-matrix queue resume\" starts the builds."));
        if (!detach && !Watch(queue, jobs).untilEnded())
            return DoneWithFindings;
    }
    return failedBefore ? DoneWithFindings : Done;
}

/// Adds the builds of what is built against these, in the user's repositories. `told`: what was said of these.
Result<void> addDependents(const std::shared_ptr<const Catalog> &catalog, const BuildOptions &options,
                           const BuildWish &wish, const Queue &queue, const QList<PreflightItem> &told,
                           QList<Job> &jobs)
{
    QStringList repositories;
    if (!options.folders.empty() || !knownRepositories().isEmpty()) {
        TM_TRY(chosen, chosenRepositories(toStringList(options.folders)));
        repositories = *chosen;
    }
    const Result<DependentBuilds> builds = [&] {
        Progress progress(Tr::tr("Reading the branches"));
        return readDependentBuilds(catalog, repositories, jobs, wish, queue, probeMachine, progress.hooks());
    }();
    if (!builds)
        return builds.error();
    jobs += builds->jobs;
    for (const QString &sentence : builds->troubles)
        tell(sentence);
    for (const QString &note : builds->notes)
        tell(Tr::tr("Warning: Left out: %1").arg(note));
    for (const QString &warning : builds->warnings) {
        if (std::ranges::find(told, warning, &PreflightItem::sentence) == told.end())
            tell(Tr::tr("Warning: %1").arg(warning));
    }
    if (options.dryRun) {
        for (const Job &job : std::as_const(jobs))
            print(dependentText(job));
    }
    return {};
}

Result<int> build(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog,
                  const BuildOptions &options)
{
    const bool chooses = options.missing || options.stale || options.failed || options.all;
    if (options.names.empty() && !chooses) {
        tell(Tr::tr("torch-matrix: name variants, or choose them with --missing, --stale, --failed or --all."));
        return WrongUsage;
    }
    TM_TRY(reading, readRepository(catalog, context.repoPath(), QString::fromStdString(options.branch)));
    const BranchSnapshot &snapshot = *reading->snapshot;
    TM_TRY(request, requestOf(*catalog, snapshot, options));
    Queue queue;
    WantedBuilds wanted = wantedBuilds(snapshot, queue.state(), *request);
    // A selection by state builds what is possible; named variants must all be possible.
    bool blocked = false;
    if (request->chooses())
        tellLeftOut(wanted.errors);
    else
        for (const Error &error : std::as_const(wanted.errors))
            blocked |= complain(error) != Done;
    QList<Job> &jobs = wanted.jobs;
    if (!blocked)
        TM_CHECK(stageChanged(context, catalog, snapshot, jobs));
    // Also check what can be built on this machine.
    const MachineAndQueue machine{.parallel = atOnce(queue.contents(), jobs.size())};
    const QList<PreflightItem> items =
        preflightJobs(*catalog, snapshot, jobs, chooses ? OtherPlatforms::LeaveOut : OtherPlatforms::Block, machine);
    if (tellBlocked(items, blocked)) {
        if (request->names.size() > 1)
            tell(Tr::tr("Nothing is queued."));
        return CouldNotBeDone;
    }
    if (jobs.isEmpty()) {
        tell(Tr::tr("Nothing to build on %1.").arg(snapshot.title()));
        return Done;
    }
    if (options.withDependents)
        TM_CHECK(addDependents(catalog, options, request->wish, queue, items, jobs));
    if (options.dryRun) {
        if (const auto item = failedBefore(queue.state(), wanted))
            tell(Tr::tr("Warning: %1").arg(item->sentence));
        if (!options.withDependents)
            return tellDryRun(*catalog, snapshot, jobs, wanted.again);
        printText(memoryOf(*catalog, snapshot, jobs).toUtf8());
        return Done;
    }
    TM_TRY(queued, queue.add(jobs, wanted.again));
    return carryOut(queue, *queued, options.detach);
}

} // namespace

namespace {

/// What to build.
void addVariantOptions(CLI::App &verb, BuildOptions &options)
{
    verb.add_option("NAME", options.names, Help::tr("Variants, as list prints them"));
    verb.add_flag("--missing", options.missing, Help::tr("All variants that were never built"));
    verb.add_flag("--stale", options.stale, Help::tr("All variants that were built with an older recipe"));
    verb.add_flag("--failed", options.failed, Help::tr("All variants that failed"));
    verb.add_flag("--all", options.all,
                  Help::tr("All variants that are missing or stale, or failed with an older recipe"));
}

void addSlurmOptions(CLI::App &verb, BuildOptions &options, CLI::Option *on)
{
    verb.add_option("--partition", options.partition, Help::tr("With --on slurm: the partition"))
        ->needs(on)
        ->type_name("P");
    verb.add_option("--constraint", options.constraint, Help::tr("With --on slurm: features that the nodes must have"))
        ->needs(on)
        ->type_name("C");
    verb.add_option("--time", options.minutes,
                    Help::tr("With --on slurm: the time limit of a build: minutes, or a number and h or d"))
        ->needs(on)
        ->transform(CLI::Validator(
            [](std::string &text) {
                static const QRegularExpression form(u"^([0-9]{1,6})([hHdD]?)$"_s);
                const auto match = form.match(QString::fromStdString(text));
                if (!match.hasMatch())
                    return '"' + text + "\" is not a time; write minutes, or a number and h or d, such as 90, 4h or 2d";
                const QString unit = match.captured(2).toLower();
                text = std::to_string(match.captured(1).toLongLong() * (unit.isEmpty()   ? 1
                                                                        : unit == "h"_L1 ? 60
                                                                                         : 1440));
                return std::string();
            },
            ""))
        ->check(CLI::Range(1, 525600))
        ->type_name("TIME");
    verb.add_option("--at-once", options.atOnce, Help::tr("With --on slurm: how many of the array run at a time"))
        ->needs(on)
        ->check(CLI::Range(1, 100000))
        ->type_name("N");
    verb.add_option("--sbatch", options.sbatch,
                    Help::tr("With --on slurm: one more option for sbatch, given as --sbatch=OPTION"))
        ->needs(on)
        ->type_name("OPTION")
        ->expected(1)
        ->take_all();
}

} // namespace

void addBuild(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<BuildOptions>();
    CLI::App *verb = app.add_subcommand(
        "build", Help::tr("Queue builds of committed recipes and wait for them. They continue when this program ends; "
                          "Ctrl+C stops them"));
    addVariantOptions(*verb, *options);
    auto *withDependents = verb->add_flag(
        "--with-dependents", options->withDependents,
        Help::tr("Also build what is built against these variants, in all repositories, each after its torch"));
    verb->add_option("--in", options->folders,
                     Help::tr("With --with-dependents: repositories, or folders above them (default: those that were "
                              "opened or added before)"))
        ->needs(withDependents)
        ->type_name("DIR")
        ->expected(1)
        ->take_all();
    verb->add_option("--branch", options->branch, Help::tr("Branch to build (default: the checked-out one)"))
        ->type_name("B");
    verb->add_option("--engine", options->engine,
                     Help::tr("flox, or nix: nix-build of the same recipe (default: flox if installed)"))
        ->check(CLI::IsMember({"flox", "nix"}))
        ->type_name("E");
    verb->add_flag("--own-pin", options->ownPin,
                   Help::tr("With nix: <nixpkgs> is the nixpkgs that the recipe fetches"));
    verb->add_option("--cores", options->cores,
                     Help::tr("Cores for each derivation (default: from Nix's configuration)"))
        ->check(CLI::Range(1, 4096))
        ->type_name("N");
    verb->add_option("--stability", options->stability,
                     Help::tr("Stability of nixpkgs (flox's --stability), for recipes without a pin"))
        ->type_name("S");
    auto *on =
        verb->add_option("--on", options->place,
                         Help::tr("Another machine, over ssh with your own configuration, or slurm: a job array"))
            ->type_name("HOST");
    addSlurmOptions(*verb, *options, on);
    addBuildersOption(*verb, options->builders)->excludes(on);
    auto *here =
        verb->add_flag("--here", options->here, Help::tr("Build the working tree, uncommitted changes included"));
    here->excludes(verb->get_option("--branch"));
    here->excludes(on);
    here->excludes(withDependents);
    auto *detach = verb->add_flag("--detach", options->detach, Help::tr("Do not wait for the builds"));
    verb->add_flag("--wait", Help::tr("Wait for the builds (the default)"))->excludes(detach);
    verb->add_flag("--again", options->again,
                   Help::tr("Also build variants that are already built; with --all every recipe"));
    verb->add_flag("--dry-run", options->dryRun,
                   Help::tr("Print what would be queued; with --engine nix, what would be built and fetched; with --on "
                            "slurm, the command of sbatch. Queues nothing"))
        ->excludes(here);
    addRepoOption(*verb, context);
    verb->callback([&context, options] {
        context.runWith([&context, options](const auto &catalog) { return build(context, catalog, *options); });
    });
}

} // namespace tmx
