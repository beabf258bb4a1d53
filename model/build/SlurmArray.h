// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/build/Job.h"

#include <QElapsedTimer>
#include <QHash>
#include <QList>

#include <memory>

namespace tmx {

/// What a person asks Slurm for.
struct SlurmWish {
    QString partition;   ///< empty: the cluster's default
    QString constraint;  ///< "a100&avx512"; empty: none
    int minutes = 0;     ///< time limit of a build; 0: the partition's
    int atOnce = 0;      ///< elements of an array that run at a time; 0: as many as fit
    QStringList options; ///< more options for sbatch, "--account=x"
    bool operator==(const SlurmWish &) const = default;
};

/// Cores of a build that no one gave any.
constexpr int usualSlurmCores = 8;

/// What sbatch is given, a word each: "--partition=gpu". Pure. Errors: an option that the program sets itself (--array,
/// --output and the like), or that is none.
Result<QStringList> slurmOptions(const SlurmWish &wish);
/// Adds the cores of a build and the memory that they need (gigabytesOfACore()), where the options do not say. Pure.
QStringList withResources(const QStringList &options, int cores, bool gpu);

/// Where a job is in the cluster's books: `slurm.json` in its folder.
struct SlurmTask {
    QString batch;    ///< the array's name, "torch-matrix-20261123-141500-123abc"
    qint64 array = 0; ///< Slurm's number of it; 0: sbatch had not answered when this was written
    int index = 0;
    bool operator==(const SlurmTask &) const = default;
};
std::optional<SlurmTask> slurmTaskOf(const JobFolder &folder);

/// What squeue or sacct say of one element of an array.
struct SlurmState {
    QString state;  ///< "PENDING", "RUNNING", "TIMEOUT"
    QString reason; ///< why it waits: "Resources"; may be empty
    bool operator==(const SlurmState &) const = default;
};
/// By "ARRAY_INDEX". Lines of "%F|%K|%T|%r" (squeue) and of "JobID|State|Reason" (sacct); other lines are skipped.
QHash<QString, SlurmState> slurmStates(const QByteArray &text);

/// The outcome of an element that Slurm ended; nullopt: it waits, runs, or Slurm will start it again. `asked`: we told
/// Slurm to end it.
std::optional<BuildOutcome> outcomeOf(const SlurmState &state, bool asked);

/// The batch script, the same for all arrays: it begins the job of its element. Argument: the array's folder.
QByteArray slurmBatchScript();

/// The arguments of sbatch for an array of so many jobs. `folder`: of the array, on the shared file system.
QStringList sbatchArguments(const QString &folder, const QString &batch, qsizetype jobs, const QStringList &options);

/// The arrays that jobs of Slurm become, as people read them: one for each set of options.
struct SlurmSubmission {
    QString command;      ///< as a shell reads it, with FOLDER and ID for what is not known yet
    QStringList packages; ///< of its elements, from 0
};
QList<SlurmSubmission> submissionsOf(const QList<Job> &jobs);

/// Hands jobs to Slurm and joins what it says of them with what their nodes write: one sbatch for all that wait with
/// the same options, one squeue for all of them. The folder of the jobs must be on a file system that the nodes share.
/// For the process that serves the queue.
class SlurmArrays
{
public:
    explicit SlurmArrays(QString state);
    ~SlurmArrays();
    Q_DISABLE_COPY_MOVE(SlurmArrays)

    /// Submits those of these jobs that Slurm does not have, asks about the others, tells it which to end, and writes
    /// the outcomes of those that ended. Blocks while Slurm's programs run.
    void look(const QList<JobFolder> &jobs);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

/// Removes what jobs of Slurm left in the state folder beside their own folders: the folders of their arrays and their
/// commits in `repositories`. Both stay while one of their jobs has not ended or still has its log. Runs git: for the
/// process that serves the queue.
void tidySlurm(const QString &state);

} // namespace tmx
