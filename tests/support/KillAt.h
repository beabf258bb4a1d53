// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArrayList>
#include <QString>

#include <array>
#include <functional>
#include <iterator>

namespace tmx::test {

/// Runs `operation` in a forked process and kills it (SIGKILL, by ptrace) when it enters its n-th system call, counted
/// from 1, that could change the file system (open to write, write, link, rename, unlink, mkdir, chmod, fsync, ...).
/// Between two of those calls nothing changes, so n = 1, 2, 3, ... until the result is false covers every state that a
/// kill -9 can leave. Returns true if it was killed there, false if it ended before with exit code 0, which `operation`
/// must return; any other end aborts the test program.
bool killAtChange(int n, const std::function<int()> &operation);

/// A fault to inject at a system call.
enum class Fault {
    Kill,        ///< SIGKILL, at any call
    KillAtWrite, ///< SIGKILL, at a call that could change the file system
    NoSpace,     ///< ENOSPC, for calls that need space
    BadDisk,     ///< EIO, for calls that access a file system
    Interrupted, ///< EINTR, for calls that may return it
    HangUp,      ///< SIGHUP, at any call
    CtrlC,       ///< SIGINT
    Terminate,   ///< SIGTERM
};
QByteArray toText(Fault fault);
int signalOf(Fault fault); ///< 0 for a fault that makes a call fail

/// A program with its arguments and its environment ("NAME=value"). Standard input is empty; both outputs go to the
/// file `output`.
struct TracedProgram {
    QByteArrayList words;
    QByteArrayList environment;
    QByteArray output;
    QByteArray folder = {}; ///< faults hit only calls on files in it; empty: on any
};

constexpr Fault allFaults[] = {Fault::Kill,        Fault::KillAtWrite, Fault::NoSpace, Fault::BadDisk,
                               Fault::Interrupted, Fault::HangUp,      Fault::CtrlC,   Fault::Terminate};

struct FaultedRun {
    std::array<int, std::size(allFaults)> calls{}; ///< number of calls that each fault can hit, for all threads, until
                                                   ///< the end
    QByteArray where;                              ///< the call that was hit, by its number, and the file
    bool struck = false;                           ///< false: the program ended before its n-th call
    int exitCode = -1;                             ///< -1: ended by a signal
    int signal = 0;
};

/// Runs the program and injects the fault at the n-th possible system call of any of its threads, counted from 1; n =
/// 0: never. A failing call is not executed at all. Programs that it starts are not affected.
FaultedRun runWithFault(const TracedProgram &program, Fault fault, int n);

/// Whether a process has its working directory in a folder. Misses a process that is started while /proc is being
/// listed, by one that ends meanwhile: so it takes several checks without any.
bool isAtWork(const QString &folder);

} // namespace tmx::test
