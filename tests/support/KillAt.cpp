// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/KillAt.h"

#include <QtGlobal>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <iterator>
#include <limits>
#include <optional>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tmx::test {
namespace {

constexpr uint64_t changing[] = {
    SYS_write,     SYS_pwrite64,  SYS_writev,  SYS_ftruncate, SYS_fsync,    SYS_fdatasync, SYS_linkat, SYS_unlinkat,
    SYS_renameat2, SYS_symlinkat, SYS_mkdirat, SYS_fchmod,    SYS_fchmodat, SYS_utimensat, SYS_flock,
#ifdef SYS_link // calls that only older architectures have
    SYS_link,      SYS_unlink,    SYS_rename,  SYS_renameat,  SYS_mkdir,    SYS_rmdir,     SYS_chmod,  SYS_symlink,
    SYS_creat,
#endif
};

bool changesFiles(const __ptrace_syscall_info &info)
{
    const auto writes = [](uint64_t flags) { return (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) != 0; };
    if (info.entry.nr == SYS_openat)
        return writes(info.entry.args[2]);
#ifdef SYS_open
    if (info.entry.nr == SYS_open)
        return writes(info.entry.args[1]);
#endif
    return std::find(std::begin(changing), std::end(changing), info.entry.nr) != std::end(changing);
}

int waitFor(pid_t pid)
{
    int status = 0;
    if (::waitpid(pid, &status, 0) != pid)
        qFatal("waitpid failed");
    return status;
}

void resume(pid_t pid, long signal)
{
    if (::ptrace(PTRACE_SYSCALL, pid, nullptr, signal) != 0)
        qFatal("ptrace is not allowed here");
}

/// Gives how many changes were seen where it ended before the n-th; nullopt: it was killed there.
std::optional<int> runUntilChange(int n, const std::function<int()> &operation)
{
    const pid_t pid = ::fork();
    if (pid < 0)
        qFatal("fork failed");
    if (pid == 0) {
        ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
        ::raise(SIGSTOP);
        ::_exit(operation());
    }
    waitFor(pid);
    ::ptrace(PTRACE_SETOPTIONS, pid, nullptr, PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL);
    long signal = 0;
    for (int seen = 0;;) {
        resume(pid, signal);
        const int status = waitFor(pid);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            return seen;
        if (!WIFSTOPPED(status))
            qFatal("the operation ended with status %d before it was killed", status);
        signal = WSTOPSIG(status);
        if (status >> 16 == PTRACE_EVENT_EXEC) {
            signal = 0;
            continue;
        }
        if (signal != (SIGTRAP | 0x80))
            continue; // an ordinary signal, which goes on to the process
        signal = 0;
        __ptrace_syscall_info info{};
        if (::ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info) <= 0)
            qFatal("ptrace cannot tell the system call");
        if (info.op != PTRACE_SYSCALL_INFO_ENTRY || !changesFiles(info) || ++seen < n)
            continue;
        ::kill(pid, SIGKILL);
        waitFor(pid);
        return std::nullopt;
    }
}

} // namespace

bool killAtChange(int n, const std::function<int()> &operation)
{
    return !runUntilChange(n, operation);
}

int countChanges(const std::function<int()> &operation)
{
    return runUntilChange(std::numeric_limits<int>::max(), operation).value_or(0);
}

} // namespace tmx::test
