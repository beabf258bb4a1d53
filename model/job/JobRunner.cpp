// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/JobRunner.h"

#include "model/base/AtomicFile.h"
#include "model/base/FileLock.h"
#include "model/base/MachineMemory.h"
#include "model/base/ProcessTable.h"
#include "model/base/Programs.h"
#include "model/base/Tr.h"
#include "model/history/BuildHistory.h"
#include "model/job/Engine.h"
#include "model/job/LogFollower.h"
#include "model/job/Queue.h"
#include "model/job/RemoteRun.h"
#include "model/job/ResultLinks.h"
#include "model/job/SleepInhibitor.h"
#include "model/job/SupervisedRun.h"
#include "model/log/LogTimes.h"
#include "model/outcome/OutcomeReader.h"
#include "model/outcome/OutcomeText.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QStorageInfo>
#include <QThread>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using Cause = tmx::BuildOutcome::Cause;
using Kind = tmx::BuildOutcome::Kind;

namespace tmx {

namespace {

constexpr std::chrono::milliseconds stopGrace = 5s;     ///< SIGKILL after ten seconds
constexpr std::chrono::milliseconds leftOverGrace = 4s; ///< for processes of a lost job, before SIGKILL
constexpr off_t reserve = off_t(64) << 10;              ///< for the outcome, if the disk is full by then
constexpr int outcomeAttempts = 12;
constexpr std::chrono::milliseconds outcomePause = 5s;
constexpr qsizetype mostOfOutput = qsizetype(64) << 10;
constexpr int buildNiceness = 10; ///< the window and the user's other programs come first
constexpr qsizetype mostRecipeBytes = qsizetype(1) << 20;

/// Closes a file descriptor.
struct Descriptor {
    int fd = -1;
    explicit Descriptor(int opened)
        : fd(opened)
    {
    }
    ~Descriptor()
    {
        if (fd >= 0)
            ::close(fd);
    }
    Q_DISABLE_COPY_MOVE(Descriptor)
};

/// Makes this process the job's runner: creates `runner` with the lock held. Returns its file descriptor; -1 with errno
/// on failure, EEXIST if another process is the runner.
int claim(const JobFolder &folder)
{
    QByteArray draft = QFile::encodeName(folder.file(u".runner-XXXXXX"_s));
    const int fd = ::mkostemp(draft.data(), O_CLOEXEC);
    if (fd < 0)
        return -1;
    const QByteArray text =
        QJsonDocument(QJsonObject{{u"pid"_s, qint64(::getpid())},
                                  {u"process"_s, QString::fromLatin1(processMark(::getpid()))},
                                  {u"boot"_s, bootId()},
                                  {u"machine"_s, machineId()},
                                  {u"started"_s, QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs)}})
            .toJson();
    // Without locks, others recognise a living runner by its process (JobFolder::runnerLives).
    const bool written = (::flock(fd, LOCK_EX | LOCK_NB) == 0 || isUnsupported(errno)) &&
                         ::write(fd, text.constData(), size_t(text.size())) == text.size();
    const int error = written ? moveToFreeName(draft, QFile::encodeName(folder.file(u"runner"_s))) : errno;
    if (error == 0)
        return fd;
    ::unlink(draft.constData());
    ::close(fd);
    errno = error;
    return -1;
}

/// While it is held, no other job's git adds or removes a working tree: `git worktree` fails if another one is half
/// created or half removed.
FileLock lockOfTrees(const JobFolder &folder)
{
    return {folder.state() + u"/work-trees.lock"_s, LOCK_EX};
}

/// Removes what is in a working tree, except for the file by which git knows it.
void removeFiles(const QString &tree)
{
    const QFileInfoList entries =
        QDir(tree).entryInfoList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    for (const QFileInfo &entry : entries) {
        if (entry.fileName() == u".git")
            continue;
        if (entry.isDir() && !entry.isSymLink())
            QDir(entry.filePath()).removeRecursively();
        else
            QFile::remove(entry.filePath());
    }
}

/// Whether a write failed because the disk of a path is full.
bool isFull(const QString &path)
{
    const QStorageInfo disk(path);
    return disk.isValid() && disk.bytesAvailable() < qint64(1) << 20;
}

/// Cores to try next if memory ran out. `cores`: the job's; 0: Nix's setting, all cores by default.
int fewerCores(int cores)
{
    return (cores > 0 ? cores : QThread::idealThreadCount()) / 2;
}

class Runner
{
public:
    Runner(const JobFolder &folder, const Job &job)
        : m_folder(folder)
        , m_job(job)
        , m_environment(environmentOf(job, QProcessEnvironment::systemEnvironment()))
    {
        m_environment.insert(u"TORCH_MATRIX_JOB"_s, folder.path());
    }
    void run();

private:
    enum class Stops { Follows, Ignores };

    ProcessOutcome start(
        const QString &program, const QStringList &arguments, const QString &in, int output,
        Stops stops = Stops::Follows, const std::function<void()> &sampled = [] {}, int errors = -1);
    RunnerTools remoteTools(const std::function<void(const QString &trouble)> &look);
    void buildThere(int log);
    void noteProgress(LogFollower &log, const QString &trouble = {});
    void sayThatTheLogIsCut();
    void noteTime();
    ProcessOutcome git(const QStringList &arguments, int output, Stops stops = Stops::Follows);
    std::optional<QString> askGit(const QStringList &arguments);
    bool makeTree(int log);
    void removeTree();
    void build(int log);
    void keepResults(const QList<BuildResult> &results);
    void makeRoot(const QString &link, const QString &target);
    [[nodiscard]] bool userTreeMatches();
    void write();
    [[nodiscard]] int requests() const { return qMax(signalRequests(), m_folder.stopLevel()); }

    const JobFolder m_folder;
    const Job m_job;
    QProcessEnvironment m_environment;
    QString m_tree;
    qint64 m_spared = 0;
    int m_wake = -1;
    JobOutcome m_outcome;
    JobProgress m_progress;
    qint64 m_noted = -1; ///< bytes of the log whose time is recorded
};

ProcessOutcome Runner::start(const QString &program, const QStringList &arguments, const QString &in, int output,
                             Stops stops, const std::function<void()> &sampled, int errors)
{
    SupervisedRequest request;
    request.program = program;
    request.arguments = arguments;
    request.folder = in;
    request.environment = m_environment;
    request.output = output;
    request.errors = errors;
    request.grace = stopGrace;
    request.wake = m_wake;
    request.spared = m_spared;
    if (stops == Stops::Follows)
        request.niceness = buildNiceness;
    const int before = stops == Stops::Ignores ? requests() : 0;
    request.stopRequests = [this, before] { return requests() - before; };
    request.sampled = sampled;
    request.escalated = [this](std::chrono::milliseconds untilKill) {
        m_progress.killsAt = QDateTime::currentDateTimeUtc().addDuration(untilKill);
        m_folder.writeProgress(m_progress);
    };
    const SupervisedOutcome ran = runSupervised(request);
    m_outcome.peakMemory = qMax(m_outcome.peakMemory, ran.peakMemory);
    return ran.process;
}

ProcessOutcome Runner::git(const QStringList &arguments, int output, Stops stops)
{
    const QString program = findProgram(u"git"_s, m_environment);
    if (program.isEmpty()) {
        ProcessOutcome none;
        none.error = Tr::tr("no program named git is on PATH");
        return none;
    }
    // Hooks are for the user's own checkouts.
    return start(program, QStringList{u"-c"_s, u"core.hooksPath=/dev/null"_s} + arguments, m_job.repository, output,
                 stops);
}

/// Output of git without its last newline; nullopt if git failed.
std::optional<QString> Runner::askGit(const QStringList &arguments)
{
    const MemoryFile output;
    if (output.fd() < 0 || !git(arguments, output.fd(), Stops::Ignores).succeeded())
        return {};
    return QString::fromUtf8(output.text()).trimmed();
}

bool Runner::makeTree(int log)
{
    m_tree = m_folder.workTree();
    if (!QDir().mkpath(QFileInfo(m_tree).path())) {
        m_outcome.build = {.kind = Kind::Failed, .cause = Cause::Unwritable, .about = {QFileInfo(m_tree).path()}};
        return false;
    }
    FileLock trees = lockOfTrees(m_folder);
    ProcessOutcome made =
        git({u"worktree"_s, u"add"_s, u"--quiet"_s, u"--detach"_s, u"--no-checkout"_s, m_tree, m_job.commit}, log);
    trees.release();
    // The files are most of the work, and other jobs need not wait for them.
    if (made.succeeded())
        // All files, also those that a sparse checkout of the repository leaves out.
        made =
            git({u"-C"_s, m_tree, u"-c"_s, u"core.sparseCheckout=false"_s, u"reset"_s, u"--quiet"_s, u"--hard"_s}, log);
    if (made.succeeded())
        return true;
    QFile text(m_folder.logFile());
    const QString said =
        text.open(QIODevice::ReadOnly) ? QString::fromUtf8(text.read(mostOfOutput)).trimmed() : QString();
    // On a full disk, git's message may be cut off.
    const bool full = saysOutOfDisk(said) || isFull(QFileInfo(m_tree).path());
    const QString last = said.section(u'\n', -1).remove(u"fatal: "_s);
    const QString why = !made.started     ? made.error
                        : !last.isEmpty() ? last
                                          : Tr::tr("git ended with exit code %1").arg(made.exitCode);
    m_outcome.build.kind = made.stopped ? Kind::Stopped : full ? Kind::OutOfDisk : Kind::Failed;
    if (!made.stopped) {
        m_outcome.build.cause = Cause::Checkout;
        m_outcome.build.about = {m_job.commit.first(10), full ? QFileInfo(m_tree).path() : m_job.repository};
        m_outcome.build.text = why;
    }
    return false;
}

void Runner::removeTree()
{
    if (m_job.here || m_tree.isEmpty())
        return;
    removeFiles(m_tree);
    const FileLock trees = lockOfTrees(m_folder);
    if (!git({u"worktree"_s, u"remove"_s, u"--force"_s, m_tree}, -1, Stops::Ignores).succeeded()) {
        QDir(m_tree).removeRecursively();
        git({u"worktree"_s, u"prune"_s}, -1, Stops::Ignores);
    }
}

void Runner::build(int log)
{
    if (!m_job.place.isHere())
        return buildThere(log);
    if (m_job.here)
        m_tree = m_job.repository;
    else if (!makeTree(log))
        return;
    const EngineCommand command = engineCommand(m_job, m_tree, m_environment);
    if (command.program.isEmpty()) {
        m_outcome.build = engineMissing(m_job.engine);
        return;
    }
    LogFollower follower(m_folder);
    noteTime();
    const ProcessOutcome process = start(command.program, command.arguments, m_tree, log, Stops::Follows, [&] {
        noteTime();
        noteProgress(follower, isDoneHere(m_job) && memoryPressure() >= highMemoryPressure
                                   ? Tr::tr("the machine is out of memory and swaps")
                                   : QString());
    });
    noteTime();
    const QList<BuildResult> results =
        process.succeeded() ? resultsIn(m_tree, m_job.package, !m_job.here) : QList<BuildResult>();
    m_outcome.build = outcomeOfLog(m_folder.logFile(), m_job.package, process,
                                   results.isEmpty() ? ResultLink::Absent : ResultLink::Found);
    if (const auto recipe = readSmallFile(m_tree + u'/' + m_job.recipe, mostRecipeBytes))
        m_outcome.build = judgedByRecipe(m_outcome.build, *recipe);
    if (m_outcome.build.kind == Kind::OutOfMemory)
        m_outcome.build.fewerCores = fewerCores(m_job.cores);
    if (m_outcome.build.cause == BuildOutcome::Cause::IllegalInstruction) {
        if (QFile cpu(u"/proc/cpuinfo"_s); cpu.open(QIODevice::ReadOnly))
            m_outcome.build = judgedByCpu(m_outcome.build, cpu.read(mostOfOutput));
    }
    const bool full = !process.stopped && isFull(m_folder.path());
    m_outcome.signal = process.signal;
    m_outcome.build.resultLinks.clear();
    if (m_outcome.build.kind == Kind::Built)
        keepResults(results);
    if (full)
        sayThatTheLogIsCut();
}

RunnerTools Runner::remoteTools(const std::function<void(const QString &trouble)> &look)
{
    return {m_environment,
            [this, look](const QString &program, const QStringList &arguments, int output, int errors) {
                return start(program, arguments, m_folder.path(), output, Stops::Ignores, [look] { look({}); }, errors);
            },
            [this] { return requests(); }, look};
}

/// Builds on another machine. The log is copied here as it grows.
void Runner::buildThere(int log)
{
    m_environment.insert(u"GIT_SSH_COMMAND"_s, u"ssh "_s + sshOptions(m_environment).join(u' '));
    LogFollower follower(m_folder);
    const auto look = [&](const QString &trouble) {
        noteTime();
        noteProgress(follower, trouble);
    };
    const QDateTime started = m_outcome.started;
    m_outcome = runThere(m_folder, m_job, log, remoteTools(look));
    look({});
    if (!m_outcome.started.isValid())
        m_outcome.started = started;
    if (m_outcome.build.kind == Kind::OutOfMemory)
        m_outcome.build.fewerCores = fewerCores(m_job.cores);
}

/// The reason for a failure may have been in the part of the log that did not fit on the disk.
void Runner::sayThatTheLogIsCut()
{
    BuildOutcome &build = m_outcome.build;
    build.fullDisk = m_folder.path();
    if (build.kind == Kind::Failed && build.certainty == BuildOutcome::Certainty::None) {
        build.kind = Kind::OutOfDisk;
        build.cause = BuildOutcome::Cause::None;
        build.text.clear();
    }
}

void Runner::noteTime()
{
    const qint64 size = QFileInfo(m_folder.logFile()).size();
    if (std::exchange(m_noted, size) != size)
        LogTimes::note(m_folder.logFile(), size, QDateTime::currentDateTimeUtc());
}

void Runner::noteProgress(LogFollower &log, const QString &trouble)
{
    const NinjaProgress &seen = log.progress();
    JobProgress progress{seen.step(), seen.total(), trouble.isEmpty() ? seen.phase() : trouble, m_progress.twentieths,
                         m_progress.killsAt};
    const int twentieth = twentiethOf(seen.step(), seen.total());
    if (seen.isOfPackage() && !progress.twentieths.contains(twentieth))
        progress.twentieths.insert(twentieth, m_outcome.started.secsTo(QDateTime::currentDateTimeUtc()));
    if (std::exchange(m_progress, progress) != progress)
        m_folder.writeProgress(progress);
}

/// A link that Nix registers as a garbage collector root; a plain link if Nix is missing.
void Runner::makeRoot(const QString &link, const QString &target)
{
    const QString nixStore = findProgram(u"nix-store"_s, m_environment);
    if (!nixStore.isEmpty() && QFileInfo::exists(target)) {
        QFile::remove(link);
        if (start(nixStore, {u"--realise"_s, target, u"--add-root"_s, link, u"--indirect"_s}, {}, -1, Stops::Ignores)
                .succeeded())
            return;
    }
    makeLink(link, target);
}

bool Runner::userTreeMatches()
{
    const QString branch = askGit({u"symbolic-ref"_s, u"--short"_s, u"-q"_s, u"HEAD"_s}).value_or(QString());
    // Of a recipe with imports, whatever it may import must be as committed too.
    return branch == m_job.branch && askGit({u"hash-object"_s, u"--"_s, m_job.recipe}) == m_job.blob &&
           (!m_job.imports ||
            askGit({u"diff"_s, u"--name-only"_s, m_job.commit, u"--"_s, u":/.flox/pkgs"_s, u":/*.nix"_s}) == QString());
}

void Runner::keepResults(const QList<BuildResult> &results)
{
    const QString folder = resultsFolder(m_folder.state(), m_job.repository, m_job.branch);
    QDir().mkpath(folder);
    const bool alsoTheirs = !m_job.here && userTreeMatches();
    for (const BuildResult &result : results) {
        const QString link = folder + u'/' + result.name;
        makeRoot(link, result.target);
        m_outcome.build.resultLinks.append(link);
        m_outcome.storePaths.append(result.target);
        const QString theirs = m_job.repository + u'/' + result.name;
        if (alsoTheirs)
            makeLink(theirs, result.target);
        // flox prints the link relative to its own folder, which may be gone; nix-build prints none.
        if (m_outcome.build.result.isEmpty())
            m_outcome.build.result = alsoTheirs || m_job.here ? theirs : link;
    }
}

void Runner::write()
{
    for (int attempt = 0; attempt < outcomeAttempts; ++attempt) {
        QFile::remove(m_folder.file(u"reserve"_s)); // On a full disk, this frees the blocks for the outcome.
        if (m_folder.writeOutcome(m_outcome))
            return;
        QThread::sleep(outcomePause);
    }
}

void Runner::run()
{
    QElapsedTimer clock;
    clock.start();
    m_outcome.started = QDateTime::currentDateTimeUtc();
    const Descriptor spare(::open(QFile::encodeName(m_folder.file(u"reserve"_s)).constData(),
                                  O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    ::posix_fallocate(spare.fd, 0, reserve);
    const Descriptor wake(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    ::inotify_add_watch(wake.fd, QFile::encodeName(m_folder.path()).constData(), IN_CREATE);
    m_wake = wake.fd;
    const Descriptor log(::open(QFile::encodeName(m_folder.logFile()).constData(),
                                O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (requests() > 0 && !QFileInfo::exists(m_folder.file(u"there"_s))) {
        m_outcome.build = {.kind = Kind::Stopped, .cause = Cause::BeforeStart};
    } else if (log.fd < 0) {
        m_outcome.build = {.kind = Kind::Failed,
                           .cause = Cause::Unwritable,
                           .text = qt_error_string(errno),
                           .about = {m_folder.logFile()}};
    } else {
        // A build on another machine continues without this one.
        std::optional<SleepInhibitor> awake;
        if (m_job.place.isHere())
            awake.emplace(Tr::tr("Building %1").arg(m_job.package), m_environment);
        m_spared = awake ? awake->pid() : 0;
        build(log.fd);
        removeTree();
    }
    if (!m_outcome.ended.isValid()) {
        m_outcome.ended = QDateTime::currentDateTimeUtc();
        m_outcome.build.milliseconds = clock.elapsed();
    }
    write();
    // Only after the outcome is written, so that a kill in between loses nothing.
    if (QFileInfo::exists(m_folder.file(u"there"_s)))
        removeThere(m_folder, m_job, remoteTools([](const QString &) {}));
}

/// For a job whose runner is gone: asks its processes to end, then kills them. Returns the remaining ones.
QStringList endLeftOver(const JobFolder &folder)
{
    const QByteArray mark = "TORCH_MATRIX_JOB=" + QFile::encodeName(folder.path());
    QDeadlineTimer polite(leftOverGrace);
    QDeadlineTimer patience(2 * leftOverGrace);
    bool asked = false;
    QHash<qint64, QByteArray> known; // Nix's builders have another environment: find them as child processes.
    for (;;) {
        const QList<ProcessEntry> table = processTable();
        const QList<ProcessEntry> marked = processesWith(mark, table);
        for (const ProcessEntry &process : marked) {
            known.insert(process.pid, process.start);
            const QList<ProcessEntry> below = descendantsOf(process.pid, table);
            for (const ProcessEntry &child : below)
                known.insert(child.pid, child.start);
        }
        QList<ProcessEntry> left = table;
        left.removeIf([&known](const ProcessEntry &process) {
            return !process.lives() || known.value(process.pid) != process.start;
        });
        if (left.isEmpty() || patience.hasExpired()) {
            QStringList pids;
            for (const ProcessEntry &process : left)
                pids.append(QString::number(process.pid));
            return pids;
        }
        if (!asked || polite.hasExpired()) {
            for (const ProcessEntry &process : left)
                ::kill(pid_t(process.pid), polite.hasExpired() ? SIGKILL : SIGTERM);
        }
        asked = true;
        QThread::sleep(100ms);
    }
}

} // namespace

Result<void> runJob(const JobFolder &folder)
{
    TM_TRY(job, folder.job());
    // The leader of a shell's process group cannot create a session; its child can.
    if (::setsid() < 0 && ::getsid(0) != ::getpid()) {
        const pid_t child = ::fork();
        if (child > 0)
            ::_exit(0);
        ::setsid();
    }
    becomeSupervisor();
    const Descriptor held(claim(folder));
    if (held.fd < 0)
        return Error{Tr::tr("run the job"), folder.path(),
                     errno == EEXIST ? Tr::tr("it has already run") : qt_error_string(errno),
                     errno == EEXIST ? Tr::tr("Queue it again.") : QString()};
    Runner(folder, *job).run();
    return {};
}

void settleLost(const JobFolder &folder)
{
    if (folder.phase() != JobPhase::Lost)
        return;
    const std::optional<JobRunner> runner = folder.runner();
    const Result<Job> job = folder.job();
    if (runner && runner->machine != machineId())
        return;
    if (job && job->place.kind == Place::Kind::Ssh) {
        // The build continues there; the next runner finds it. An ssh that is left would write the log beside it.
        if (endLeftOver(folder).isEmpty())
            QFile::remove(folder.file(u"runner"_s));
        return;
    }
    const bool restarted = runner && runner->boot != bootId();
    const QStringList left = restarted ? QStringList() : endLeftOver(folder);
    JobOutcome outcome;
    outcome.build = lostOutcome(folder.logFile(), job ? job->package : QString());
    if (restarted)
        outcome.build.cause = BuildOutcome::Cause::Restarted;
    else if (!left.isEmpty()) {
        outcome.build.cause = BuildOutcome::Cause::LeftOver;
        outcome.build.about = left;
    }
    outcome.started = runner && runner->started.isValid() ? runner->started : QDateTime::currentDateTimeUtc();
    outcome.ended = QFileInfo(folder.logFile()).lastModified(QTimeZone::UTC);
    if (!outcome.ended.isValid())
        outcome.ended = outcome.started;
    outcome.build.milliseconds = qMax<qint64>(outcome.started.msecsTo(outcome.ended), 0);
    if (job && !job->here && QFileInfo::exists(folder.workTree())) {
        const FileLock trees = lockOfTrees(folder);
        runProcess({.program = u"git"_s,
                    .arguments = {u"-C"_s, job->repository, u"worktree"_s, u"remove"_s, u"--force"_s, u"--force"_s,
                                  folder.workTree()},
                    .environment = environmentOf(*job, QProcessEnvironment::systemEnvironment())},
                   0);
        QDir(folder.workTree()).removeRecursively();
    }
    QFile::remove(folder.file(u"reserve"_s));
    if (const Result<bool> written = folder.writeOutcome(outcome); !written)
        qWarning("%s", qPrintable(written.error().sentence()));
}

} // namespace tmx
