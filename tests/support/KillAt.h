// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArrayList>

#include <array>
#include <functional>
#include <iterator>

namespace tmx::test {

/// Runs `operation` in a forked process and kills it (SIGKILL, by ptrace) where it enters its n-th system call, counted
/// from 1, that could change the file system (open to write, write, link, rename, unlink, mkdir, chmod, fsync, ...):
/// between two of those nothing changes, so n = 1, 2, 3, ... until it answers false visits every state that a kill -9
/// can leave. True: it was killed there. False: it ended before with exit code 0, what `operation` gave; any other end
/// aborts the test program.
bool killAtChange(int n, const std::function<int()> &operation);

/// What befalls a program at a system call.
enum class Fault {
    Kill,        ///< SIGKILL, at any call
    KillAtWrite, ///< SIGKILL, at a call that could change the file system
    NoSpace,     ///< ENOSPC, of calls that need space
    BadDisk,     ///< EIO, of calls that reach a file system
    Interrupted, ///< EINTR, of calls that may give it
    HangUp,      ///< SIGHUP, at any call
    CtrlC,       ///< SIGINT
    Terminate,   ///< SIGTERM
};
QByteArray toText(Fault fault);
int signalOf(Fault fault); ///< 0: a call fails

/// A program with its arguments and its environment ("NAME=value"). Standard input is empty; both of its outputs go to
/// the file `output`.
struct TracedProgram {
    QByteArrayList words;
    QByteArrayList environment;
    QByteArray output;
};

constexpr Fault allFaults[] = {Fault::Kill,        Fault::KillAtWrite, Fault::NoSpace, Fault::BadDisk,
                               Fault::Interrupted, Fault::HangUp,      Fault::CtrlC,   Fault::Terminate};

struct FaultedRun {
    std::array<int, std::size(allFaults)> calls{}; ///< at which each fault can strike, of all threads, up to the end
    QByteArray where;                              ///< the call that it struck, by its number, and the file
    bool struck = false;                           ///< false: the program ended before its n-th call
    int exitCode = -1;                             ///< -1: by a signal
    int signal = 0;
};

/// Runs the program and lets the fault strike at the n-th system call of any of its threads at which it can, counted
/// from 1; n = 0: never. A call that fails is not made at all. Programs that it starts are left alone.
FaultedRun runWithFault(const TracedProgram &program, Fault fault, int n);

} // namespace tmx::test
