// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/SupervisedRun.h"

#include "model/base/ProcessTable.h"

#include <QDeadlineTimer>
#include <QFile>
#include <QSet>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace std::chrono_literals;
using std::chrono::milliseconds;

namespace tmx {

namespace {

constexpr milliseconds childrenGrace = 2s; ///< for processes that outlive the program, before each signal
constexpr milliseconds killAgain = 200ms;  ///< repeat SIGKILL for processes that fork meanwhile
constexpr milliseconds giveUp = 30s;       ///< after SIGKILL, for a process that is stuck in the kernel
constexpr milliseconds sampling = 2s;
constexpr milliseconds stopPoll = 250ms; ///< a second request does not create a new file
constexpr milliseconds ending = 50ms;    ///< no event reports the end of the last grandchild

int signalsFd = -1;
int requests = 0;

void drainSignals()
{
    signalfd_siginfo info = {};
    while (::read(signalsFd, &info, sizeof info) == sizeof info) {
        if (info.ssi_signo != SIGCHLD)
            ++requests;
    }
}

void drain(int fd)
{
    char buffer[4096];
    while (fd >= 0 && ::read(fd, buffer, sizeof buffer) > 0) {
    }
}

/// An argument vector or environment in the kernel's format.
class CStrings
{
public:
    explicit CStrings(const QStringList &texts)
    {
        for (const QString &text : texts)
            m_texts.push_back(QFile::encodeName(text));
        for (QByteArray &text : m_texts)
            m_pointers.push_back(text.data());
        m_pointers.push_back(nullptr);
    }
    char **data() { return m_pointers.data(); }

private:
    std::vector<QByteArray> m_texts;
    std::vector<char *> m_pointers;
};

class Run
{
public:
    explicit Run(const SupervisedRequest &request)
        : m_request(request)
    {
    }
    SupervisedOutcome run();

private:
    enum class Stage { None, Interrupted, Terminated, Killed };

    bool start();
    void reap();
    void follow();
    void advance();
    void signalAll(int signal);
    [[nodiscard]] QList<ProcessEntry> children() const;
    void look();
    void waitForEvent();

    const SupervisedRequest &m_request;
    SupervisedOutcome m_outcome;
    pid_t m_leader = -1;
    bool m_leaderDone = false;
    bool m_stopping = false; ///< a stop was requested; not only cleaning up
    Stage m_stage = Stage::None;
    int m_seen = 0; ///< number of handled requests
    QDeadlineTimer m_next{QDeadlineTimer::Forever};
    QDeadlineTimer m_sample{0};
    QDeadlineTimer m_hopeless{QDeadlineTimer::Forever};
    QList<ProcessEntry> m_table;
};

bool Run::start()
{
    m_leader = startProgram(m_request);
    if (m_leader < 0)
        m_outcome.process.error = qt_error_string(-m_leader);
    return m_leader > 0;
}

QList<ProcessEntry> Run::children() const
{
    QList<ProcessEntry> all = descendantsOf(::getpid(), m_table);
    if (m_request.spared == 0)
        return all;
    QSet<qint64> spared{m_request.spared};
    const QList<ProcessEntry> below = descendantsOf(m_request.spared, m_table);
    for (const ProcessEntry &process : below)
        spared.insert(process.pid);
    all.removeIf([&spared](const ProcessEntry &process) { return spared.contains(process.pid); });
    return all;
}

void Run::reap()
{
    int status = 0;
    for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
        if (pid != m_leader)
            continue;
        m_leaderDone = true;
        ProcessOutcome &process = m_outcome.process;
        process.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        process.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        process.stopped = m_stopping;
        process.crashed = WIFSIGNALED(status) && !m_stopping;
        if (m_stage == Stage::None) {
            m_stage = Stage::Interrupted; // No SIGINT: children that end shortly after their parent are normal.
            m_next.setRemainingTime(childrenGrace);
        }
    }
}

void Run::signalAll(int signal)
{
    if (!m_leaderDone)
        ::kill(-m_leader, signal); // At once, before any of them can fork.
    m_table = processTable();
    const QList<ProcessEntry> all = children();
    for (const ProcessEntry &process : all)
        ::kill(pid_t(process.pid), signal);
}

void Run::advance()
{
    switch (m_stage) {
    case Stage::None:
        m_stage = Stage::Interrupted;
        ::kill(-m_leader, SIGINT);
        break;
    case Stage::Interrupted:
        m_stage = Stage::Terminated;
        signalAll(SIGTERM);
        break;
    case Stage::Terminated:
        m_stage = Stage::Killed;
        m_hopeless.setRemainingTime(giveUp);
        if (m_stopping)
            m_request.escalated(0ms);
        [[fallthrough]];
    case Stage::Killed:
        signalAll(SIGKILL);
        m_next.setRemainingTime(killAgain);
        return;
    }
    const milliseconds stage = m_leaderDone ? childrenGrace : m_request.grace;
    m_next.setRemainingTime(stage);
    if (m_stopping)
        m_request.escalated(m_stage == Stage::Interrupted ? 2 * stage : stage);
}

void Run::follow()
{
    for (const int asked = m_request.stopRequests(); m_seen < asked; ++m_seen) {
        m_stopping = true;
        advance();
    }
    if (m_next.hasExpired())
        advance();
}

void Run::look()
{
    m_table = processTable();
    qint64 memory = 0;
    const QList<ProcessEntry> all = children();
    for (const ProcessEntry &process : all)
        memory += process.resident;
    m_outcome.peakMemory = qMax(m_outcome.peakMemory, memory);
    m_sample.setRemainingTime(sampling);
}

void Run::waitForEvent()
{
    milliseconds wait = m_leaderDone ? ending : milliseconds(qMax<qint64>(m_sample.remainingTime(), 0));
    if (!m_next.isForever())
        wait = std::min(wait, milliseconds(qMax<qint64>(m_next.remainingTime(), 0)));
    if (m_stopping)
        wait = std::min(wait, stopPoll);
    pollfd sources[] = {{signalsFd, POLLIN, 0}, {m_request.wake, POLLIN, 0}};
    ::poll(sources, 2, int(wait.count()));
    drainSignals();
    drain(m_request.wake);
}

SupervisedOutcome Run::run()
{
    m_outcome.process.started = start();
    if (!m_outcome.process.started)
        return m_outcome;
    for (;;) {
        waitForEvent();
        reap();
        follow();
        if (m_sample.hasExpired() || m_leaderDone) {
            look();
            m_request.sampled();
        }
        if (!m_leaderDone)
            continue;
        QList<qint64> left;
        const QList<ProcessEntry> all = children();
        for (const ProcessEntry &process : all)
            left.append(process.pid);
        if (left.isEmpty() || m_hopeless.hasExpired()) {
            m_outcome.survivors = left;
            return m_outcome;
        }
    }
}

} // namespace

MemoryFile::MemoryFile()
    : m_fd(::memfd_create("output", MFD_CLOEXEC))
{
}

MemoryFile::~MemoryFile()
{
    ::close(m_fd);
}

QByteArray MemoryFile::text() const
{
    QByteArray text(qsizetype(256) << 10, Qt::Uninitialized);
    text.truncate(qMax<ssize_t>(::pread(m_fd, text.data(), size_t(text.size()), 0), 0));
    return text;
}

pid_t startProgram(const SupervisedRequest &request)
{
    CStrings arguments(QStringList{request.program} + request.arguments);
    CStrings environment(request.environment.toStringList());
    const QByteArray program = QFile::encodeName(request.program);
    const QByteArray folder = QFile::encodeName(request.folder);
    int told[2]; // closed by a successful exec; else gets errno
    if (::pipe2(told, O_CLOEXEC) != 0)
        return -errno;
    const pid_t child = ::fork();
    if (child == 0) {
        ::setpgid(0, 0);
        sigset_t none;
        ::sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        for (const int signal : {SIGHUP, SIGQUIT, SIGPIPE, SIGINT, SIGTERM})
            ::signal(signal, SIG_DFL);
        const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
        const int output = request.output >= 0 ? request.output : nothing;
        ::dup2(request.input >= 0 ? request.input : nothing, STDIN_FILENO);
        ::dup2(output, STDOUT_FILENO);
        ::dup2(request.errors >= 0 ? request.errors : output, STDERR_FILENO);
        ::syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC);
        if (::getpriority(PRIO_PROCESS, 0) < request.niceness)
            ::setpriority(PRIO_PROCESS, 0, request.niceness);
        if (folder.isEmpty() || ::chdir(folder.constData()) == 0)
            ::execve(program.constData(), arguments.data(), environment.data());
        const int error = errno;
        const ssize_t written = ::write(told[1], &error, sizeof error);
        ::_exit(written == sizeof error ? 127 : 126);
    }
    ::close(told[1]);
    int error = child < 0 ? errno : 0;
    if (child > 0) {
        ::setpgid(child, child); // In both processes, as either may be first.
        while (::read(told[0], &error, sizeof error) < 0 && errno == EINTR) {
        }
    }
    ::close(told[0]);
    if (child > 0 && error != 0)
        ::waitpid(child, nullptr, 0);
    return error == 0 ? child : -error;
}

void becomeSupervisor()
{
    sigset_t blocked;
    ::sigemptyset(&blocked);
    for (const int signal : {SIGCHLD, SIGINT, SIGTERM})
        ::sigaddset(&blocked, signal);
    ::sigprocmask(SIG_BLOCK, &blocked, nullptr);
    signalsFd = ::signalfd(-1, &blocked, SFD_CLOEXEC | SFD_NONBLOCK);
    for (const int signal : {SIGHUP, SIGQUIT, SIGPIPE})
        ::signal(signal, SIG_IGN);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

int signalRequests()
{
    if (signalsFd >= 0)
        drainSignals();
    return requests;
}

SupervisedOutcome runSupervised(const SupervisedRequest &request)
{
    return Run(request).run();
}

} // namespace tmx
