// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QObject>
#include <QProcessEnvironment>
#include <QStringList>

#include <chrono>
#include <functional>
#include <memory>

class QProcess;

namespace tmx {

/// A program and its argument vector (never a shell string).
struct ProcessRequest {
    QString program; ///< absolute, or searched in the PATH of `environment`
    QStringList arguments;
    QString workingDirectory;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    /// Gets the process id before the program starts. If this process dies during the call, the program never starts.
    std::function<void(qint64 pid)> beforeStart = {};
    std::chrono::milliseconds timeout{0}; ///< 0 = none; after it the group is stopped, and the outcome has timedOut set
};

/// How it ended. At most one of started=false, crashed, timedOut, stopped explains a missing exit code.
struct ProcessOutcome {
    bool started = false; ///< false: `error` says why (not found, not executable)
    bool crashed = false; ///< ended by a signal from someone else
    bool timedOut = false;
    bool stopped = false; ///< ended after stop()
    int exitCode = -1;    ///< -1 if there is none: not started, or ended by a signal
    int signal = 0;       ///< the signal that ended it, including our own; 0 = none
    QString error;
    [[nodiscard]] bool succeeded() const { return started && !crashed && !timedOut && !stopped && exitCode == 0; }
};

/// Runs one program in its own session and process group; the only class that starts processes. Never blocks. Standard
/// input is empty. `output` delivers standard output and standard error merged in the order of the operating system, at
/// most 64 KiB per turn of the event loop; a slow reader blocks the program, so memory stays bounded. `finished` is
/// emitted exactly once, after the last `output`, never from within start(), even if the start fails. It is emitted
/// when the program and its group are gone and every byte was read. Children that outlive the program get a short time
/// to end, then SIGTERM and SIGKILL; one that left the group and still has the pipe open is waited for at most a
/// second.
class Process : public QObject
{
    Q_OBJECT
public:
    explicit Process(QObject *parent = nullptr);
    ~Process() override; ///< kills the remaining group

    void start(const ProcessRequest &request);
    /// Sends SIGINT to the group, SIGTERM after `grace`, and SIGKILL after another `grace`. Returns at once.
    void stop(std::chrono::milliseconds grace = std::chrono::seconds(10));
    [[nodiscard]] bool isRunning() const;
    [[nodiscard]] qint64 pid() const;

Q_SIGNALS:
    void started();
    void output(const QByteArray &bytes);
    void finished(const tmx::ProcessOutcome &outcome);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

/// Result of runProcess().
struct ProcessRun {
    ProcessOutcome outcome;
    QByteArray output; ///< the end of its output, at most the requested number of bytes
};
/// Runs a program to its end and waits for it: only on a worker's thread. `stop` is polled ten times a second; if it
/// returns true, the program is stopped. `heard` gets the output as it arrives.
ProcessRun runProcess(const ProcessRequest &request, qsizetype maxOutput, const std::function<bool()> &stop = {},
                      const std::function<void(const QByteArray &)> &heard = {});

/// Identifies a process uniquely until the machine restarts: its id and start time. Empty if it is gone.
QByteArray processMark(qint64 pid);
/// Whether the process with this mark is running.
bool processRuns(const QByteArray &mark);

} // namespace tmx
