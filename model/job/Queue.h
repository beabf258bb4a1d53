// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/StateFolder.h"
#include "model/job/Job.h"
#include "model/job/LogKeeping.h"

#include <functional>

namespace tmx {

/// Contents of queue.json.
struct QueueContents {
    QStringList waiting; ///< ids of jobs, the next one first
    QStringList active;  ///< ids of jobs that were started and have not ended as far as known
    bool paused = false; ///< no job gets started
    QString pausedBy;    ///< id of the job whose failure paused it; empty: the user did
    int parallel = 0;    ///< jobs at a time for each machine; 0: default (mayStart())
    int slowed = 0;      ///< this machine swapped: builds that it does at a time until they have ended; 0: no limit
    bool stopAtFailure = false;
    qint64 logLimit = usualLogLimit; ///< limit of all logs in bytes; 0: none (tidyLogs())
    bool damaged = false;            ///< the file cannot be read: contents from the jobs' folders, paused
    bool operator==(const QueueContents &) const = default;

    /// The user's number, which ends a limit by swapping.
    void setParallel(int builds);
    /// A sentence; empty if this machine did not swap.
    [[nodiscard]] QString slowedText() const;
};

/// A job with all data of its folder.
struct JobRecord {
    Job job;
    JobPhase phase = JobPhase::Waiting;
    std::optional<JobOutcome> outcome;
    std::optional<JobRunner> runner;
    JobFolder folder{QString()};
    [[nodiscard]] bool isActive() const
    {
        return phase == JobPhase::Waiting || phase == JobPhase::Running || phase == JobPhase::Stopping;
    }
    /// Whether it was built and its link still leads to the result. A result on another machine is assumed to exist.
    [[nodiscard]] bool hasResult() const;
    /// Path of the result: its link here, else its path in the other machine's store. Empty if there is none.
    [[nodiscard]] QString result() const;
    /// Whether the same recipe would fail again: the recipe or the machine caused the failure, and this is that
    /// machine.
    [[nodiscard]] bool wouldFailAgain() const;
};

/// againOf() its job, with fewer cores if memory ran out.
Job againOf(const JobRecord &record);

/// nullopt: the job cannot be read.
std::optional<JobRecord> readJob(const JobFolder &folder);
/// All jobs below a state folder, the oldest first, without folders whose job cannot be read. Outcomes never change, so
/// finished jobs are taken from `known`.
QList<JobRecord> readJobs(const QString &state, const QList<JobRecord> &known = {});
/// Folders of jobs that are not in `readable` (from readJobs()): their job.json is damaged.
QStringList unreadableJobs(const QString &state, const QList<JobRecord> &readable);
/// The newest job for each Job::key().
QHash<QString, JobRecord> latestByKey(const QList<JobRecord> &jobs);

/// The result of a request to build.
struct QueuedJob {
    enum class What {
        Queued,
        AlreadyQueued, ///< the same build is waiting or running
        BuiltBefore,   ///< its result exists
        FailedBefore,  ///< it failed, unchanged, on this machine
    };
    What what = What::Queued;
    JobRecord record;                         ///< the new job, or the existing one that makes it unnecessary
    std::optional<BuildOutcome> failure = {}; ///< Queued: how the last build of the same recipe, on any branch, failed
                                              ///< on this machine
};

/// How the last build of the same recipe as a job's failed, on any branch and on this machine, by package. For workers.
QMap<QString, BuildOutcome> failuresBefore(const QString &state, const QList<Job> &jobs);

enum class Again {
    No,     ///< skip what is built, and what failed unchanged
    Failed, ///< build what failed unchanged, too
    All,
};

/// Whether this machine does the build itself, not a remote builder.
bool isDoneHere(const Job &job);
/// How many builds like this one run at a time on its machine: the user's setting; if that is 0, as many as Nix's
/// remote builders that can build it take, or one without such builders. Pure.
int atOnceOf(const Job &job, int parallel);
/// The bytes that the builds of a machine with `usable` memory may take together; 0: unknown. Pure.
qint64 memoryForBuilds(qint64 usable);
/// Whether a build that takes `needed` bytes (0: unknown) has room in `memory` beside `others`, which take `taken`
/// together. One alone always has. Pure.
bool hasRoom(qint64 needed, qsizetype others, qint64 taken, qint64 memory);
/// What a job has to wait for before it may start.
enum class Lack { Slot, Memory };
/// nullopt: nothing; see mayStart(). Pure.
std::optional<Lack> lackOf(const Job &job, const QList<Job> &running, int parallel, qint64 memory = 0);
/// Whether one more job may start on its machine while these run there. The limit is the user's setting, else what
/// Nix's remote builders that can build it take, else one. Jobs for Slurm always start, because Slurm has its own
/// queue. Of the builds that this machine does itself, those with a known need together take no more than its `memory`
/// (bytes; 0: unknown); one alone always may. Pure.
bool mayStart(const Job &job, const QList<Job> &running, int parallel, qint64 memory = 0);

/// QueueContents::slowed after a look at this machine while it does `running` builds itself: fewer than now if it
/// swaps, 0 (no limit) when none runs and it does not. Pure.
int slowedTo(int slowed, int running, bool swaps);

/// Why a request needs no new job; nullopt: it does. `before`: the newest job of its key; without an id: none. Checks
/// that its result exists: for workers.
std::optional<QueuedJob::What> needlessBecause(const JobRecord &before, const Job &job, Again again);

/// The queue of builds of a state folder. Every change is made under a lock that the kernel releases when its holder
/// dies, and the file is replaced atomically. A single process, `torch-matrix run-queue`, starts the jobs; it needs no
/// window and no terminal, and ends when nothing is left to do. All functions access the disk: for workers.
class Queue
{
public:
    enum class Stop { Ask, Kill };

    explicit Queue(QString state = stateFolder());

    [[nodiscard]] QString state() const { return m_state; }
    [[nodiscard]] QString file() const { return m_state + QStringLiteral("/queue.json"); }
    /// If the file cannot be read: all waiting and running jobs, the oldest first, and paused.
    [[nodiscard]] QueueContents contents() const;

    /// Appends these jobs in order; each is created later than the previous one. Two requests for the same build become
    /// one job. What was built, or failed, with another recipe of something that it needs now is built again. Errors:
    /// the state folder cannot be written.
    Result<QList<QueuedJob>> add(const QList<Job> &jobs, Again again);
    /// Errors: as add().
    Result<void> change(const std::function<void(QueueContents &)> &change);
    /// Moves jobs before the job `before`; to the end if that is not waiting.
    Result<void> move(const QStringList &ids, const QString &before);
    /// Asks running jobs to end, or kills them; waiting jobs end at once. Errors: as add(), JobFolder::requestStop().
    Result<void> stop(const QStringList &ids, Stop how = Stop::Ask);
    /// Removes all waiting jobs with their folders.
    Result<void> clear();

    /// Makes sure that a process starts the jobs: runs `torch-matrix run-queue`, which ends at once if there is one.
    /// `program`: the torch-matrix for the terminal. Errors: it cannot be started.
    Result<void> wake(const QString &program = terminalProgram()) const;

    /// Whether the process that starts the jobs exists.
    [[nodiscard]] bool isServed() const;
    /// Whether builds wait, or Slurm has some, but the process that starts them is gone: it was killed, or the machine
    /// restarted. wake() solves this. `jobs`: from readJobs().
    [[nodiscard]] bool isAbandoned(const QList<JobRecord> &jobs) const;

    /// Path of torch-matrix: next to this program, or as installed; this program itself if it is torch-matrix.
    static QString terminalProgram();

    /// Implementation of `torch-matrix run-queue`, in a separate process: starts jobs until none waits or runs, or
    /// until the queue is paused, or all waiting ones wait in vain (Hold), and none runs. Settles lost jobs. Returns at
    /// once if another process does this.
    /// Errors: the state folder cannot be written.
    Result<void> run(const QString &program);

private:
    [[nodiscard]] Result<void> write(const QueueContents &contents) const;

    QString m_state;
};

} // namespace tmx
