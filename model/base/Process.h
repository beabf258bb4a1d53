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

/// What to start: a program and its argument vector (never a shell string).
struct ProcessRequest {
    QString program; ///< absolute, or looked up on the PATH of `environment`
    QStringList arguments;
    QString workingDirectory;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    /// Gets the process id before the program begins. Where this process dies in it, the program never begins.
    std::function<void(qint64 pid)> beforeStart = {};
    std::chrono::milliseconds timeout{0}; ///< 0 = none; after it the group is stopped and the outcome says timedOut
};

/// How it ended. Exactly one of started=false, crashed, timedOut, stopped may explain a missing exit code.
struct ProcessOutcome {
    bool started = false; ///< false: `error` says why (not found, not executable)
    bool crashed = false; ///< ended by a signal that was not ours
    bool timedOut = false;
    bool stopped = false; ///< ended after stop()
    int exitCode = -1;    ///< -1 when there is none: not started, or ended by a signal
    int signal = 0;       ///< the signal that ended it, ours included; 0 = none
    QString error;
    [[nodiscard]] bool succeeded() const { return started && !crashed && !timedOut && !stopped && exitCode == 0; }
};

/// Runs one program in its own session and process group; the only place in the program that starts processes. Never
/// blocks. Standard input is empty. `output` delivers standard output and standard error merged, in the order in which
/// the operating system gave them, at most 64 KiB a turn of the event loop; a reader that is slow makes the program
/// wait, and memory stays bounded. `finished` comes exactly once and never from within start(), a failed start
/// included, after the last `output`. It waits until the program and its group are gone and every byte was read.
/// Children that outlive the program get a short time to end, then SIGTERM and SIGKILL; one that left the group and
/// still holds the pipe is waited for at most a second.
class Process : public QObject
{
    Q_OBJECT
public:
    explicit Process(QObject *parent = nullptr);
    ~Process() override; ///< kills the group that is left

    void start(const ProcessRequest &request);
    /// SIGINT to the group, after `grace` SIGTERM, after another `grace` SIGKILL. Returns at once.
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

/// What runProcess() gives.
struct ProcessRun {
    ProcessOutcome outcome;
    QByteArray output; ///< the end of it, at most as many bytes as were asked for
};
/// Runs a program to its end and waits for it: on a worker's thread only. `stop` is asked ten times a second; when it
/// says so, the program is stopped. `heard` gets the output as it comes.
ProcessRun runProcess(const ProcessRequest &request, qsizetype maxOutput, const std::function<bool()> &stop = {},
                      const std::function<void(const QByteArray &)> &heard = {});

/// A process as no other one is called until the machine starts again: its id and when it started. Empty: it is gone.
QByteArray processMark(qint64 pid);
/// Whether the process of a mark runs.
bool processRuns(const QByteArray &mark);

} // namespace tmx
