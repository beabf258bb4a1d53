// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/job/Job.h"

#include <QElapsedTimer>
#include <QHash>
#include <QList>

#include <memory>

namespace tmx {

/// The user's options for Slurm.
struct SlurmWish {
    QString partition;   ///< empty: the cluster's default
    QString constraint;  ///< "a100&avx512"; empty: none
    int minutes = 0;     ///< time limit of a build in minutes; 0: the partition's default
    int atOnce = 0;      ///< elements of an array that run at a time; 0: unlimited
    QStringList options; ///< further options of sbatch, "--account=x"
    bool operator==(const SlurmWish &) const = default;
};

/// Default cores of a build whose recipe fixes none.
constexpr int usualSlurmCores = 8;

/// Options of sbatch, one word each: "--partition=gpu". Pure. Errors: an option that the program sets itself (--array,
/// --output and the like), or a word that is not an option.
Result<QStringList> slurmOptions(const SlurmWish &wish);
/// Adds a build's cores and its memory, in bytes, unless the options have them. Pure.
QStringList withResources(const QStringList &options, int cores, qint64 memory);

/// Identifies a job in Slurm: `slurm.json` in its folder.
struct SlurmTask {
    QString batch;    ///< the array's name, "torch-matrix-20261123-141500-123abc"
    qint64 array = 0; ///< Slurm's number of it; 0: sbatch had not answered yet when this was written
    int index = 0;
    bool operator==(const SlurmTask &) const = default;
};
std::optional<SlurmTask> slurmTaskOf(const JobFolder &folder);

/// State of one element of an array in squeue or sacct.
struct SlurmState {
    QString state;  ///< "PENDING", "RUNNING", "TIMEOUT"
    QString reason; ///< why it waits: "Resources"; may be empty
    bool operator==(const SlurmState &) const = default;
};
/// States by "ARRAY_INDEX". Parses lines of "%F|%K|%T|%r" (squeue) and of "JobID|State|Reason" (sacct); skips other
/// lines.
QHash<QString, SlurmState> slurmStates(const QByteArray &text);

/// The outcome of an element that Slurm ended; nullopt if it waits or runs, or if Slurm will start it again. `asked`:
/// this program asked Slurm to end it.
std::optional<BuildOutcome> outcomeOf(const SlurmState &state, bool asked);

/// The batch script, the same for all arrays: it starts its element's job. Argument: the array's folder.
QByteArray slurmBatchScript();

/// The arguments of sbatch for an array of that many jobs. `folder`: the array's folder on the shared file system.
QStringList sbatchArguments(const QString &folder, const QString &batch, qsizetype jobs, const QStringList &options);

/// A readable preview of the arrays for Slurm jobs: one for each set of options.
struct SlurmSubmission {
    QString command;      ///< in shell syntax, with FOLDER and ID for what is not known yet
    QStringList packages; ///< packages of its elements, from 0
};
QList<SlurmSubmission> submissionsOf(const QList<Job> &jobs);

/// Submits jobs to Slurm and combines Slurm's states with what the nodes write: one sbatch for all waiting jobs with
/// the same options, and one squeue for all. The jobs' folders must be on a file system that the nodes share. For the
/// process that serves the queue.
class SlurmArrays
{
public:
    explicit SlurmArrays(QString state);
    ~SlurmArrays();
    Q_DISABLE_COPY_MOVE(SlurmArrays)

    /// Submits the jobs that Slurm does not have, queries the others, asks Slurm to end jobs if requested, and writes
    /// the outcomes of ended jobs. Blocks while Slurm's programs run.
    void look(const QList<JobFolder> &jobs);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

/// Removes what Slurm jobs left in the state folder outside their own folders: the folders of their arrays and their
/// commits in `repositories`. Both are kept while one of their jobs has not ended or still has its log. Runs git: for
/// the process that serves the queue.
void tidySlurm(const QString &state);

} // namespace tmx
