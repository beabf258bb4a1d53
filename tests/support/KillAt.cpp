// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/KillAt.h"

#include <QDir>
#include <QFileInfo>
#include <QtGlobal>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <elf.h>
#include <fcntl.h>
#include <iterator>
#include <linux/futex.h>
#include <map>
#include <set>
#include <string>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace tmx::test {
namespace {

constexpr uint64_t changing[] = {
    SYS_write,    SYS_pwrite64,  SYS_writev,    SYS_ftruncate, SYS_fsync,    SYS_fdatasync,       SYS_linkat,
    SYS_unlinkat, SYS_renameat2, SYS_symlinkat, SYS_mkdirat,   SYS_fchmod,   SYS_fchmodat,        SYS_utimensat,
    SYS_flock,    SYS_renameat,  SYS_truncate,  SYS_fallocate, SYS_pwritev2, SYS_copy_file_range,
#ifdef SYS_link // Calls that only older architectures have.
    SYS_link,     SYS_unlink,    SYS_rename,    SYS_mkdir,     SYS_rmdir,    SYS_chmod,           SYS_symlink,
    SYS_creat,
#endif
};

constexpr uint64_t needingSpace[] = {
    SYS_write,  SYS_pwrite64, SYS_writev,  SYS_ftruncate, SYS_fsync,     SYS_fdatasync,
    SYS_linkat, SYS_renameat, SYS_mkdirat, SYS_symlinkat, SYS_renameat2, SYS_fallocate,
#ifdef SYS_link
    SYS_link,   SYS_rename,   SYS_mkdir,   SYS_symlink,   SYS_creat,
#endif
};

constexpr uint64_t reading[] = {
    SYS_read,  SYS_pread64,    SYS_readv, SYS_openat, SYS_newfstatat, SYS_fstat,
    SYS_close, SYS_getdents64, SYS_statx, SYS_lseek,  SYS_faccessat,  SYS_readlinkat,
#ifdef SYS_open
    SYS_open,  SYS_stat,       SYS_lstat, SYS_access, SYS_readlink,
#endif
};

constexpr uint64_t interruptible[] = {
    SYS_read,  SYS_pread64,  SYS_readv,  SYS_write, SYS_pwrite64, SYS_writev,          SYS_openat, SYS_flock,
    SYS_ppoll, SYS_pselect6, SYS_futex,  SYS_wait4, SYS_waitid,   SYS_clock_nanosleep, SYS_fsync,  SYS_ftruncate,
#ifdef SYS_open
    SYS_open,  SYS_poll,     SYS_select,
#endif
};

template <size_t size>
bool isOneOf(const uint64_t (&calls)[size], uint64_t call)
{
    return std::find(std::begin(calls), std::end(calls), call) != std::end(calls);
}

uint64_t openFlags(const __ptrace_syscall_info &info)
{
    if (info.entry.nr == SYS_openat)
        return info.entry.args[2];
#ifdef SYS_open
    if (info.entry.nr == SYS_open)
        return info.entry.args[1];
#endif
    return 0;
}

bool canStrike(Fault fault, const __ptrace_syscall_info &info)
{
    const bool changes =
        (openFlags(info) & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) != 0 || isOneOf(changing, info.entry.nr);
    switch (fault) {
    case Fault::Kill:
    case Fault::HangUp:
    case Fault::CtrlC:
    case Fault::Terminate: return true;
    case Fault::KillAtWrite: return changes;
    case Fault::NoSpace: return (openFlags(info) & O_CREAT) != 0 || isOneOf(needingSpace, info.entry.nr);
    case Fault::BadDisk: return changes || isOneOf(reading, info.entry.nr);
    case Fault::Interrupted:
        if (info.entry.nr == SYS_futex) // Waking is never interrupted.
            return (info.entry.args[1] & FUTEX_CMD_MASK) == FUTEX_WAIT ||
                   (info.entry.args[1] & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
        return isOneOf(interruptible, info.entry.nr);
    }
    Q_UNREACHABLE_RETURN(false);
}

int errorOf(Fault fault)
{
    switch (fault) {
    case Fault::Kill:
    case Fault::KillAtWrite:
    case Fault::HangUp:
    case Fault::CtrlC:
    case Fault::Terminate: break;
    case Fault::NoSpace: return ENOSPC;
    case Fault::BadDisk: return EIO;
    case Fault::Interrupted: return EINTR;
    }
    return 0;
}

/// At the entry of a call: makes the kernel skip it.
void skipCall(pid_t thread)
{
#if defined(__x86_64__)
    const long done = ::ptrace(PTRACE_POKEUSER, thread, offsetof(user, regs.orig_rax), -1L);
#elif defined(__aarch64__)
    int none = -1;
    iovec part{&none, sizeof none};
    const long done = ::ptrace(PTRACE_SETREGSET, thread, NT_ARM_SYSTEM_CALL, &part);
#else
#error "How a system call is skipped is not known here"
#endif
    if (done != 0)
        qFatal("ptrace cannot skip a system call");
}

/// At the exit of a call: sets its result.
void setResult(pid_t thread, long result)
{
#if defined(__x86_64__)
    const long done = ::ptrace(PTRACE_POKEUSER, thread, offsetof(user, regs.rax), result);
#else
    user_regs_struct registers{};
    iovec part{&registers, sizeof registers};
    long done = ::ptrace(PTRACE_GETREGSET, thread, NT_PRSTATUS, &part);
    registers.regs[0] = static_cast<unsigned long long>(result);
    if (done == 0)
        done = ::ptrace(PTRACE_SETREGSET, thread, NT_PRSTATUS, &part);
#endif
    if (done != 0)
        qFatal("ptrace cannot set the result of a system call");
}

void waitForStop(pid_t pid)
{
    int status = 0;
    if (::waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
        qFatal("the process to trace did not stop");
}

/// Forks a process that waits to be traced, and then calls `work`.
pid_t forked(const std::function<int()> &work)
{
    const pid_t pid = ::fork();
    if (pid < 0)
        qFatal("fork failed");
    if (pid == 0) {
        ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
        ::raise(SIGSTOP);
        ::_exit(work());
    }
    waitForStop(pid);
    return pid;
}

bool isThreadOf(pid_t process, pid_t thread)
{
    const std::string task = "/proc/" + std::to_string(process) + "/task/" + std::to_string(thread);
    return ::access(task.c_str(), F_OK) == 0;
}

/// The path or file of a call.
QByteArray fileOf(pid_t process, const __ptrace_syscall_info &info)
{
    constexpr uint64_t withFolder[] = {SYS_openat,  SYS_newfstatat, SYS_statx,     SYS_faccessat,
                                       SYS_mkdirat, SYS_unlinkat,   SYS_readlinkat};
#ifdef SYS_open
    constexpr uint64_t withPath[] = {SYS_open,   SYS_stat,   SYS_lstat, SYS_access, SYS_readlink, SYS_mkdir,
                                     SYS_unlink, SYS_rename, SYS_link,  SYS_rmdir,  SYS_chmod,    SYS_creat};
    const bool path = isOneOf(withPath, info.entry.nr);
#else
    const bool path = false;
#endif
    std::array<char, 256> name{};
    if (path || isOneOf(withFolder, info.entry.nr)) {
        iovec here{name.data(), name.size() - 1};
        iovec there{reinterpret_cast<void *>(info.entry.args[path ? 0 : 1]), name.size() - 1};
        ::process_vm_readv(process, &here, 1, &there, 1, 0);
    } else {
        const std::string link = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(info.entry.args[0]);
        if (::readlink(link.c_str(), name.data(), name.size() - 1) < 0)
            name[0] = '\0';
    }
    return name.data();
}

/// Detaches from processes that it had just started when it ended.
void letGo()
{
    int status = 0;
    for (pid_t left = 0; (left = ::waitpid(-1, &status, __WALL)) > 0;) {
        if (WIFSTOPPED(status))
            ::ptrace(PTRACE_DETACH, left, nullptr, 0);
    }
}

/// Traces a process and its threads to its end. Calls count from the start, or from exec().
FaultedRun trace(pid_t process, Fault fault, int n, bool fromExec, const QByteArray &folder = {})
{
    ::ptrace(PTRACE_SETOPTIONS, process, nullptr,
             PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL);
    const auto resume = [](pid_t thread, long signal) {
        if (::ptrace(PTRACE_SYSCALL, thread, nullptr, signal) != 0 && errno != ESRCH)
            qFatal("ptrace is not allowed here");
    };
    FaultedRun run;
    bool counts = !fromExec;
    std::set<pid_t> threads{process};
    std::map<pid_t, int> failing; // The error to set at the exit of a call.
    resume(process, 0);
    for (;;) {
        int status = 0;
        const pid_t thread = ::waitpid(-1, &status, __WALL);
        if (thread < 0)
            qFatal("waitpid failed");
        if (!WIFSTOPPED(status)) {
            if (thread != process)
                continue;
            run.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
            run.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
            letGo();
            return run;
        }
        const int signal = WSTOPSIG(status);
        if (status >> 16 != 0) { // A thread was created, or the program was replaced by exec.
            counts |= status >> 16 == PTRACE_EVENT_EXEC;
            resume(thread, 0);
            continue;
        }
        if (signal != (SIGTRAP | 0x80)) {
            const bool begins = threads.insert(thread).second; // With a stop that is not a signal.
            if (begins && !isThreadOf(process, thread))
                ::ptrace(PTRACE_DETACH, thread, nullptr, 0); // A program: Qt starts programs by clone(), too.
            else
                resume(thread, begins && signal == SIGSTOP ? 0 : signal);
            continue;
        }
        __ptrace_syscall_info info{};
        if (::ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) <= 0) {
            resume(thread, 0); // It was killed meanwhile.
            continue;
        }
        if (info.op == PTRACE_SYSCALL_INFO_EXIT) {
            if (const auto at = failing.find(thread); at != failing.end()) {
                setResult(thread, -at->second);
                failing.erase(at);
            }
        } else if (info.op == PTRACE_SYSCALL_INFO_ENTRY && counts) {
            if (!folder.isEmpty() && (!canStrike(fault, info) || !fileOf(process, info).startsWith(folder))) {
                resume(thread, 0);
                continue;
            }
            for (const Fault one : allFaults)
                run.calls[size_t(one)] += canStrike(one, info);
            if (n == 0 || run.struck || !canStrike(fault, info)) {
                resume(thread, 0);
                continue;
            }
            run.struck = run.calls[size_t(fault)] == n;
            if (run.struck)
                run.where = "call " + QByteArray::number(qulonglong(info.entry.nr)) + ' ' + fileOf(process, info);
            if (run.struck && signalOf(fault) != 0) {
                ::kill(process, signalOf(fault));
                if (signalOf(fault) == SIGKILL)
                    continue;
            } else if (run.struck) {
                skipCall(thread);
                failing[thread] = errorOf(fault);
            }
        }
        resume(thread, 0);
    }
}

} // namespace

bool killAtChange(int n, const std::function<int()> &operation)
{
    const FaultedRun run = trace(forked(operation), Fault::KillAtWrite, n, false);
    if (!run.struck && run.exitCode != 0)
        qFatal("the operation ended with code %d, signal %d before it was killed", run.exitCode, run.signal);
    return run.struck;
}

int signalOf(Fault fault)
{
    switch (fault) {
    case Fault::Kill:
    case Fault::KillAtWrite: return SIGKILL;
    case Fault::HangUp: return SIGHUP;
    case Fault::CtrlC: return SIGINT;
    case Fault::Terminate: return SIGTERM;
    case Fault::NoSpace:
    case Fault::BadDisk:
    case Fault::Interrupted: break;
    }
    return 0;
}

QByteArray toText(Fault fault)
{
    switch (fault) {
    case Fault::Kill: return "kill";
    case Fault::KillAtWrite: return "kill at a write";
    case Fault::NoSpace: return "ENOSPC";
    case Fault::BadDisk: return "EIO";
    case Fault::Interrupted: return "EINTR";
    case Fault::HangUp: return "SIGHUP";
    case Fault::CtrlC: return "SIGINT";
    case Fault::Terminate: return "SIGTERM";
    }
    Q_UNREACHABLE_RETURN({});
}

FaultedRun runWithFault(const TracedProgram &program, Fault fault, int n)
{
    const auto pointers = [](const QByteArrayList &texts) {
        std::vector<char *> list;
        for (const QByteArray &text : texts)
            list.push_back(const_cast<char *>(text.constData()));
        list.push_back(nullptr);
        return list;
    };
    const std::vector<char *> words = pointers(program.words);
    const std::vector<char *> environment = pointers(program.environment);
    const pid_t process = forked([&] {
        const int input = ::open("/dev/null", O_RDONLY);
        const int output = ::open(program.output.constData(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        ::dup2(input, 0);
        ::dup2(output, 1);
        ::dup2(output, 2);
        ::execve(words.front(), words.data(), environment.data());
        return 126;
    });
    return trace(process, fault, n, true, program.folder);
}

bool isAtWork(const QString &folder)
{
    constexpr int looks = 5;
    for (int look = 0; look < looks; ++look) {
        const QStringList processes = QDir(QStringLiteral("/proc")).entryList(QDir::Dirs);
        if (std::ranges::any_of(processes, [&folder](const QString &process) {
                return QFileInfo(QStringLiteral("/proc/%1/cwd").arg(process)).symLinkTarget().startsWith(folder);
            }))
            return true;
    }
    return false;
}

} // namespace tmx::test
