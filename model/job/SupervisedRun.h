// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Process.h"

#include <QProcessEnvironment>
#include <QStringList>

#include <functional>

namespace tmx {

/// A program to run and supervise, from a process without an event loop and with a single thread.
struct SupervisedRequest {
    QString program; ///< absolute
    QStringList arguments;
    QString folder;
    QProcessEnvironment environment;
    int input = -1;                     ///< file descriptor for its standard input; -1: /dev/null
    int output = -1;                    ///< file descriptor for its standard output and standard error; -1: /dev/null
    int errors = -1;                    ///< for its standard error; -1: same as output
    std::chrono::milliseconds grace{0}; ///< from a request to stop to the next stage, which follows automatically
    /// Number of requests to stop so far. Called whenever `wake` is readable, and at most four times a second while the
    /// program ends.
    std::function<int()> stopRequests = [] { return 0; };
    /// A requested stop reached its next stage. SIGKILL follows after this time, unless all processes end before. 0:
    /// now.
    std::function<void(std::chrono::milliseconds untilKill)> escalated = [](std::chrono::milliseconds) {};
    std::function<void()> sampled = [] {}; ///< called while the program runs, at most every two seconds
    qint64 spared = 0;                     ///< a child of this process to keep, with its own children; 0: none
    int niceness = -20;                    ///< lowest nice value of the program; -20: this process's own
    int wake = -1;                         ///< becomes readable when stopRequests() may have changed; this function
                                           ///< drains it
};

struct SupervisedOutcome {
    ProcessOutcome process;
    qint64 peakMemory = 0;   ///< bytes in memory of all processes together; sampled at most every two seconds
    QList<qint64> survivors; ///< processes that even SIGKILL did not end within half a minute
};

/// A file in memory, for the output of a program.
class MemoryFile
{
public:
    MemoryFile();
    ~MemoryFile();
    Q_DISABLE_COPY_MOVE(MemoryFile)
    [[nodiscard]] int fd() const { return m_fd; } ///< -1: there is none
    [[nodiscard]] QByteArray text() const;        ///< at most 256 KiB

private:
    int m_fd;
};

/// Starts the program in its own process group, and does not supervise it. Returns its id; -errno if it cannot start.
pid_t startProgram(const SupervisedRequest &request);

/// Makes this process the subreaper of its descendants, so that a grandchild that leaves its parent, process group and
/// session can still be found. SIGINT and SIGTERM no longer end this process: they count as requests (see
/// signalRequests()). HUP, QUIT and PIPE are ignored. Call it once, before any other thread exists.
void becomeSupervisor();
/// Number of SIGINT and SIGTERM received.
int signalRequests();

/// Runs the program in its own process group, until it and everything that it started, in
/// any group or session, are gone. Processes that outlive the program get two seconds, then SIGTERM, two more seconds,
/// then SIGKILL. A request to stop sends SIGINT to its group; the next one, or the end of `grace`, sends SIGTERM to
/// every process; the next one SIGKILL. Blocks.
SupervisedOutcome runSupervised(const SupervisedRequest &request);

} // namespace tmx
