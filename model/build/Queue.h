// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/StateFolder.h"
#include "model/build/Job.h"
#include "model/build/LogKeeping.h"

#include <functional>

namespace tmx {

/// What queue.json holds.
struct QueueContents {
    QStringList waiting; ///< ids of jobs, the next one first
    QStringList active;  ///< ids of jobs that were started and are not known to have ended
    bool paused = false; ///< no job is started
    QString pausedBy;    ///< id of the job whose failure paused it; empty: a person did
    int parallel = 0;    ///< jobs at a time for each machine; 0: nobody chose (mayStart())
    bool stopAtFailure = false;
    qint64 logLimit = usualLogLimit; ///< bytes that all logs may take (tidyLogs())
    bool damaged = false;            ///< the file cannot be read: this is what the jobs' folders say, paused
    bool operator==(const QueueContents &) const = default;
};

/// A job with all that its folder says of it.
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
    /// Built, and its result is still where its link says; what another machine built is taken to be there.
    [[nodiscard]] bool hasResult() const;
    /// Where the result is: its link here, else its path in the store of the other machine. Empty: there is none.
    [[nodiscard]] QString result() const;
    /// The same recipe would fail again: the recipe or the machine is to blame, and this is that machine.
    [[nodiscard]] bool wouldFailAgain() const;
};

/// All jobs below a state folder, the oldest first; folders whose job cannot be read are left out. An outcome never
/// changes, so that jobs which ended are taken from `known`.
QList<JobRecord> readJobs(const QString &state, const QList<JobRecord> &known = {});
/// Folders of jobs that are not among `readable`, as readJobs() gave them: their job.json is damaged.
QStringList unreadableJobs(const QString &state, const QList<JobRecord> &readable);
/// The youngest of them by Job::key().
QHash<QString, JobRecord> latestByKey(const QList<JobRecord> &jobs);

/// What became of a wish to build.
struct QueuedJob {
    enum class What {
        Queued,
        AlreadyQueued, ///< the same build waits or runs
        BuiltBefore,   ///< its result is there
        FailedBefore,  ///< it failed, unchanged, on this machine
    };
    What what = What::Queued;
    JobRecord record; ///< the new job, or the one that made it needless
};

enum class Again {
    No,     ///< neither what is built nor what failed unchanged
    Failed, ///< what failed unchanged, too
    All,
};

/// How many builds like this one run at a time on its machine: so many as a person chose; where that is 0, as many as
/// Nix's remote builders take that can build it, and one without them. Pure.
int atOnceOf(const Job &job, int parallel);
/// Whether one more job is started on its machine while these run there: so many as a person chose, else as many as
/// Nix's remote builders take that can build it, else one. Those of Slurm always are: it has a queue of its own. Pure.
bool mayStart(const Job &job, const QList<Job> &running, int parallel);

/// Why a wish becomes no new job; nullopt: it does. `before`: the youngest job of its key; without an id: none. Looks
/// whether its result is there: for workers.
std::optional<QueuedJob::What> needlessBecause(const JobRecord &before, const Job &job, Again again);

/// The builds that are to be made, one queue for a state folder. Every change is made under a lock that the kernel
/// releases when its holder dies, and the file is replaced whole. Jobs are started by one process, `torch-matrix
/// run-queue`, which needs no window and no terminal and ends when there is nothing left to do. All of these look at
/// the disk: for workers.
class Queue
{
public:
    enum class Stop { Ask, Kill };

    explicit Queue(QString state = stateFolder());

    [[nodiscard]] QString state() const { return m_state; }
    [[nodiscard]] QString file() const { return m_state + QStringLiteral("/queue.json"); }
    /// Of a file that cannot be read: all jobs that wait or run, the oldest first, and paused.
    [[nodiscard]] QueueContents contents() const;

    /// Queues these in their order, at the end; each is created later than the one before. Two wishes for one build are
    /// one job. Errors: the state folder cannot be written.
    Result<QList<QueuedJob>> add(const QList<Job> &jobs, Again again);
    /// Errors: as add().
    Result<void> change(const std::function<void(QueueContents &)> &change);
    /// Before the job `before`; at the end where that does not wait.
    Result<void> move(const QStringList &ids, const QString &before);
    /// Jobs that run are asked to end, or killed at once; ones that wait end at once. Errors: as add(),
    /// JobFolder::requestStop().
    Result<void> stop(const QStringList &ids, Stop how = Stop::Ask);
    /// Takes out all that wait, and leaves nothing of them.
    Result<void> clear();

    /// Makes sure that somebody starts the jobs: starts `torch-matrix run-queue`, which ends at once where there is
    /// one. `program`: the torch-matrix that works in a terminal. Errors: it cannot be started.
    Result<void> wake(const QString &program = terminalProgram()) const;

    /// Whether a process is there that starts the jobs.
    [[nodiscard]] bool isServed() const;
    /// Whether builds wait, or Slurm has some, and that process is gone: it was killed, or the machine restarted.
    /// wake() mends it. `jobs`: readJobs().
    [[nodiscard]] bool isAbandoned(const QList<JobRecord> &jobs) const;

    /// The torch-matrix beside this program, or where it is installed; this program itself where it is that.
    static QString terminalProgram();

    /// What `torch-matrix run-queue` does, in a process of its own: starts jobs until nothing waits or runs, or until
    /// the queue is paused and nothing runs. Settles jobs that were lost. Returns at once where another process does.
    /// Errors: the state folder cannot be written.
    Result<void> run(const QString &program);

private:
    [[nodiscard]] Result<void> write(const QueueContents &contents) const;

    QString m_state;
};

/// What git calls a text: the id of the blob, of `digits` (40, or 64 for SHA-256) digits.
QString blobId(const QByteArray &text, qsizetype digits);

} // namespace tmx
