// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Process.h"

#include "model/base/ProcessTable.h"
#include "model/base/Programs.h"

#include <QDeadlineTimer>
#include <QEventLoop>
#include <QFileInfo>
#include <QPointer>
#include <QProcess>
#include <QSocketNotifier>
#include <QTimer>
#include <QtConcurrent>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <linux/close_range.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using std::chrono::milliseconds;

namespace tmx {

namespace {

constexpr qsizetype chunkSize = qsizetype(64) * 1024;
constexpr milliseconds groupPoll{20}; ///< no event reports that a process group is empty
constexpr milliseconds zombieScan{200};
constexpr milliseconds childrenGrace{2000}; ///< between two signals, for children that outlive the leader
constexpr milliseconds escapedDrain{1000};  ///< for a process that left the group and still has the pipe open
constexpr milliseconds timeoutGrace{1000};
constexpr milliseconds waitedForGrace{3000}; ///< between two signals, for a program whose end somebody waits for
constexpr milliseconds stopPoll{100};

struct Pipe {
    int read = -1;
    int write = -1;
};

void closeFd(int &fd)
{
    if (fd >= 0)
        ::close(fd);
    fd = -1;
}

/// Set while this thread forks a child that waits for it before it becomes another program: the parent's process id.
thread_local pid_t waitsForParent = 0;

/// Qt's child waits for its parent too, before our own code runs in it. Where the parent is killed meanwhile, that
/// child would wait for ever, and hold the locks that it inherited.
void endWithParent()
{
    static const int registered = ::pthread_atfork(nullptr, nullptr, [] {
        if (waitsForParent == 0)
            return;
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != waitsForParent) // It was killed before that.
            ::_exit(1);
    });
    Q_UNUSED(registered)
    waitsForParent = ::getpid();
}

/// Runs in the child, before it becomes another program. With a gate it waits until its parent opens that.
void setUpChild(int output, const Pipe &gate)
{
    if (gate.read >= 0) {
        char open = 0;
        ::close(gate.write);
        while (::read(gate.read, &open, 1) < 0 && errno == EINTR) {
        }
        if (open == 0)
            ::_exit(1); // The parent no longer exists.
        ::prctl(PR_SET_PDEATHSIG, 0);
    }
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
    // Not UnixProcessFlag::CloseFileDescriptors, which also closes the pipe through which Qt 6.8 reports a failed exec.
    ::syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC);
}

QString errnoText(int code)
{
    return qt_error_string(code);
}

/// Whether a process of the group is more than a zombie. If orphans are not reaped (as by the first process of many
/// containers), kill(2) finds a dead group forever.
bool hasLiveMember(qint64 group)
{
    const QList<ProcessEntry> table = processTable();
    return std::any_of(table.begin(), table.end(),
                       [group](const ProcessEntry &entry) { return entry.group == group && entry.lives(); });
}

/// Leaves a killed QProcess to the event loop, which reaps it; ~QProcess would block until then.
void reapLater(QProcess *process)
{
    // Never destroyed: if the program ends before the event loop has reaped a child, the system reaps it.
    static auto *orphanage = new QObject;
    process->disconnect();
    process->setParent(process->thread() == orphanage->thread() ? orphanage : nullptr);
    if (process->state() == QProcess::NotRunning)
        process->deleteLater();
    else
        QObject::connect(process, &QProcess::finished, process, &QObject::deleteLater);
}

} // namespace

struct Process::Private {
    enum class Stage { None, Interrupted, Terminated, Killed };

    explicit Private(Process *owner);

    void launch(const QString &program, const ProcessRequest &request);
    void follow(const QString &folder);
    void failToStart(const QString &why);
    bool readChunk();
    void leaderEnded(int code, QProcess::ExitStatus status);
    void check();
    bool groupIsGone();
    void signalGroup(int signal);
    void escalate();
    void finish();

    Process *q;
    QProcess *process = nullptr;
    QSocketNotifier *notifier = nullptr;
    QTimer timeout;
    QTimer escalation;
    QTimer poll;
    Pipe pipe;
    qint64 leader = 0;
    bool running = false;
    bool leaderDone = false;
    bool groupGone = false;
    Stage stage = Stage::None;
    milliseconds grace{0};
    QDeadlineTimer escaped{QDeadlineTimer::Forever};
    QDeadlineTimer nextScan;
    ProcessOutcome outcome;
};

Process::Private::Private(Process *owner)
    : q(owner)
{
    timeout.setSingleShot(true);
    escalation.setSingleShot(true);
    poll.setInterval(groupPoll);
    QObject::connect(&timeout, &QTimer::timeout, q, [this] {
        if (leaderDone)
            return;
        outcome.timedOut = true;
        q->stop(timeoutGrace);
    });
    QObject::connect(&escalation, &QTimer::timeout, q, [this] { escalate(); });
    QObject::connect(&poll, &QTimer::timeout, q, [this] { check(); });
}

void Process::Private::launch(const QString &program, const ProcessRequest &request)
{
    if (program.isEmpty())
        return failToStart(Process::tr("no program named %1 is on PATH").arg(request.program));
    if (stage != Stage::None)
        return failToStart(Process::tr("it was stopped before it started"));
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return failToStart(errnoText(errno));
    pipe = {ends[0], ends[1]};
    ::fcntl(pipe.read, F_SETFL, ::fcntl(pipe.read, F_GETFL) | O_NONBLOCK);

    process = new QProcess(q);
    process->setProgram(program);
    process->setArguments(request.arguments);
    process->setWorkingDirectory(request.workingDirectory);
    process->setProcessEnvironment(request.environment);
    process->setStandardInputFile(QProcess::nullDevice());
    // Our own pipe, not QProcess's, which stops reading when the leader ends; later output of children would be lost.
    process->setProcessChannelMode(QProcess::ForwardedChannels);
    Pipe gate;
    if (request.beforeStart) {
        if (::pipe2(ends, O_CLOEXEC) != 0)
            return failToStart(errnoText(errno));
        gate = {ends[0], ends[1]};
    }
    process->setChildProcessModifier([fd = pipe.write, gate] { setUpChild(fd, gate); });
    QProcess::UnixProcessFlags flags =
        QProcess::UnixProcessFlag::CreateNewSession | QProcess::UnixProcessFlag::ResetSignalHandlers;
    // A child created by vfork cannot wait for its parent.
    flags.setFlag(QProcess::UnixProcessFlag::UseVFork, !request.beforeStart);
    process->setUnixProcessParameters(flags);
    follow(request.workingDirectory);
    if (request.beforeStart)
        endWithParent();
    process->start(QIODevice::ReadOnly);
    waitsForParent = 0;
    leader = process->processId();
    closeFd(pipe.write);
    if (gate.write >= 0 && leader > 0) {
        request.beforeStart(leader);
        const ssize_t opened = ::write(gate.write, "x", 1);
        Q_UNUSED(opened)
    }
    closeFd(gate.read);
    closeFd(gate.write);
    if (request.timeout > milliseconds::zero())
        timeout.start(request.timeout);
}

/// Connects to the signals of `process` and to its output.
void Process::Private::follow(const QString &folder)
{
    QObject::connect(process, &QProcess::started, q, [this] {
        outcome.started = true;
        Q_EMIT q->started();
    });
    QObject::connect(process, &QProcess::finished, q,
                     [this](int code, QProcess::ExitStatus status) { leaderEnded(code, status); });
    QObject::connect(process, &QProcess::errorOccurred, q, [this, folder](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        const bool noFolder = !folder.isEmpty() && !QFileInfo(folder).isDir();
        failToStart(noFolder ? Process::tr("the folder %1 does not exist").arg(folder) : process->errorString());
    });
    notifier = new QSocketNotifier(pipe.read, QSocketNotifier::Read, q);
    QObject::connect(notifier, &QSocketNotifier::activated, q, [this] {
        const QPointer<Process> alive = q;
        readChunk();
        if (alive && leaderDone)
            check();
    });
}

void Process::Private::failToStart(const QString &why)
{
    outcome = {};
    outcome.error = why;
    leaderDone = true;
    groupGone = true;
    // Queued, because the caller may still be initialising.
    QMetaObject::invokeMethod(q, [this] { finish(); }, Qt::QueuedConnection);
}

/// Reads once; returns false if there is nothing more now, or at all. A slot of `output` may destroy the Process:
/// access no members afterwards.
bool Process::Private::readChunk()
{
    if (pipe.read < 0)
        return false;
    QByteArray bytes(chunkSize, Qt::Uninitialized);
    ssize_t got = 0;
    do {
        got = ::read(pipe.read, bytes.data(), size_t(bytes.size()));
    } while (got < 0 && errno == EINTR);
    if (got < 0 && errno == EAGAIN)
        return false;
    if (got <= 0) {
        delete std::exchange(notifier, nullptr);
        closeFd(pipe.read);
        return false;
    }
    bytes.truncate(got);
    Q_EMIT q->output(bytes);
    return true;
}

void Process::Private::leaderEnded(int code, QProcess::ExitStatus status)
{
    leaderDone = true;
    timeout.stop();
    const bool bySignal = status == QProcess::CrashExit; // QProcess then returns the signal instead of the exit code.
    outcome.exitCode = bySignal ? -1 : code;
    outcome.signal = bySignal ? code : 0;
    outcome.stopped = stage != Stage::None && !outcome.timedOut;
    outcome.crashed = bySignal && stage == Stage::None;
    if (stage == Stage::None) {
        // No SIGINT: children that end shortly after the leader are normal, and get time first.
        stage = Stage::Interrupted;
        grace = childrenGrace;
        escalation.start(grace);
    }
    poll.start();
    check();
}

/// After the leader has ended: checks whether everything has ended.
void Process::Private::check()
{
    if (!leaderDone || !running || !groupIsGone())
        return;
    if (pipe.read < 0)
        return finish();
    if (escaped.isForever())
        escaped.setRemainingTime(escapedDrain);
    else if (escaped.hasExpired())
        finish();
}

bool Process::Private::groupIsGone()
{
    // Once the group is gone, it stays gone; the system may reuse its number, so never check or signal it again.
    if (groupGone || leader <= 0 || !leaderDone)
        return groupGone;
    if (::kill(pid_t(-leader), 0) != 0)
        groupGone = errno == ESRCH;
    else if (pipe.read < 0 && nextScan.hasExpired()) { // No process has the pipe open: most likely none is left.
        groupGone = !hasLiveMember(leader);
        nextScan.setRemainingTime(zombieScan);
    }
    return groupGone;
}

void Process::Private::signalGroup(int signal)
{
    if (leader <= 0 || groupIsGone())
        return;
    // If Qt uses fork instead of vfork (with the address sanitizer), the child may not have its session yet.
    if (::kill(pid_t(-leader), signal) != 0 && errno == ESRCH && !leaderDone)
        ::kill(pid_t(leader), signal);
}

void Process::Private::escalate()
{
    switch (stage) {
    case Stage::None:
        stage = Stage::Interrupted;
        signalGroup(SIGINT);
        break;
    case Stage::Interrupted:
        stage = Stage::Terminated;
        signalGroup(SIGTERM);
        break;
    case Stage::Terminated:
        stage = Stage::Killed;
        signalGroup(SIGKILL);
        grace = childrenGrace;
        break;
    case Stage::Killed:
        // The group has only zombies that are not reaped, or a process that is stuck in the kernel.
        if (leaderDone)
            return finish();
        signalGroup(SIGKILL);
        break;
    }
    escalation.start(grace);
}

void Process::Private::finish()
{
    const QPointer<Process> alive = q;
    for (int chunks = 0; chunks < 64 && readChunk(); ++chunks) { // a process with the pipe may never end
        if (!alive)
            return;
    }
    if (!alive || !running)
        return;
    timeout.stop();
    escalation.stop();
    poll.stop();
    delete std::exchange(notifier, nullptr);
    closeFd(pipe.read);
    if (process) {
        // No longer a child: a slot of `finished` may destroy this object during a signal of the QProcess.
        process->disconnect();
        process->setParent(nullptr);
        std::exchange(process, nullptr)->deleteLater();
    }
    running = false;
    Q_EMIT q->finished(outcome);
}

Process::Process(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this))
{
}

Process::~Process()
{
    d->signalGroup(SIGKILL);
    delete d->notifier;
    closeFd(d->pipe.read);
    if (d->process)
        reapLater(d->process);
}

void Process::start(const ProcessRequest &request)
{
    Q_ASSERT(!d->running);
    d->running = true;
    d->leader = 0;
    d->leaderDone = false;
    d->groupGone = false;
    d->stage = Private::Stage::None;
    d->escaped = QDeadlineTimer(QDeadlineTimer::Forever);
    d->outcome = {};
    if (request.program.contains(u'/'))
        return d->launch(request.program, request);
    QtConcurrent::run([request] {
        return findProgram(request.program, request.environment);
    }).then(this, [this, request](const QString &program) { d->launch(program, request); });
}

void Process::stop(std::chrono::milliseconds grace)
{
    if (!d->running || d->stage != Private::Stage::None)
        return;
    d->grace = grace;
    if (d->leader > 0)
        d->escalate();
    else
        d->stage = Private::Stage::Interrupted; // The program is still being searched for.
}

bool Process::isRunning() const
{
    return d->running;
}

qint64 Process::pid() const
{
    return d->leader;
}

ProcessRun runProcess(const ProcessRequest &request, qsizetype maxOutput, const std::function<bool()> &stop,
                      const std::function<void(const QByteArray &)> &heard)
{
    ProcessRun run;
    QEventLoop loop;
    Process process;
    QObject::connect(&process, &Process::output, &loop, [&](const QByteArray &bytes) {
        run.output = (run.output + bytes).last(qMin(maxOutput, run.output.size() + bytes.size()));
        if (heard)
            heard(bytes);
    });
    QObject::connect(&process, &Process::finished, &loop, [&](const ProcessOutcome &outcome) {
        run.outcome = outcome;
        loop.quit();
    });
    QTimer asking;
    QObject::connect(&asking, &QTimer::timeout, &loop, [&] {
        if (stop && stop())
            process.stop(waitedForGrace);
    });
    if (stop)
        asking.start(stopPoll);
    // Searched on this thread, which may block: a forked process has only this one.
    ProcessRequest found = request;
    if (const QString program =
            request.program.contains(u'/') ? QString() : findProgram(request.program, request.environment);
        !program.isEmpty())
        found.program = program;
    process.start(found);
    loop.exec();
    return run;
}

QByteArray processMark(qint64 pid)
{
    const ProcessEntry entry = processEntry(pid);
    return entry.pid == 0 || !entry.lives() ? QByteArray() : QByteArray::number(pid) + ' ' + entry.start;
}

bool processRuns(const QByteArray &mark)
{
    const qint64 pid = mark.left(mark.indexOf(' ')).toLongLong();
    return pid > 0 && processMark(pid) == mark;
}

} // namespace tmx
