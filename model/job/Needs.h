// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/job/Queue.h"

namespace tmx {

/// Jobs by Job::product(), the oldest first. The list must outlive them.
using JobsByProduct = QHash<QString, QList<const JobRecord *>>;
JobsByProduct jobsByProduct(const QList<JobRecord> &jobs);

/// A recipe that means the same as one that an earlier job of its product has counts as that one: gives the job its
/// identity, so that nothing is built twice, and what was built with it is not stale. Pure.
void takeKnownIdentity(Job &job, const JobsByProduct &jobs);

/// Why a waiting job does not start, although there may be room for it.
struct Hold {
    QString package;     ///< what it needs, and what has no result yet
    bool inVain = false; ///< that ended without a result, or waits in vain itself: the job starts once another build of
                         ///< it succeeds
    bool operator==(const Hold &) const = default;
    [[nodiscard]] QString text() const; ///< "waits for pytorch-..."
};

/// The newest job of a product; nullopt: there is none.
using NewestJob = std::function<std::optional<JobRecord>(const QString &product)>;

/// nullopt: the newest job of everything that the job needs was built. Pure but for `newest`.
std::optional<Hold> holdOf(const Job &job, const NewestJob &newest);
/// The holds of the waiting jobs among all jobs, by id.
QHash<QString, Hold> holdsOf(const QList<JobRecord> &jobs);

/// What the queue looks at before it starts a job.
struct QueueRound {
    QList<Job> running;
    int parallel = 0;  ///< QueueContents::parallel
    int slowed = 0;    ///< QueueContents::slowed
    qint64 memory = 0; ///< memoryForBuilds()
    bool swaps = false;
};

/// Why a waiting job does not start now.
struct Wait {
    enum class For {
        Resume,   ///< the queue is paused
        Need,     ///< `hold`
        Same,     ///< another build of its package runs
        Slot,     ///< as many as may run at a time do
        Memory,   ///< what runs leaves too little of it
        Swapping, ///< this machine swaps, or did
        Slurm,    ///< it is in Slurm's queue
    };
    For what = For::Slot;
    QString text;                  ///< "waits for memory: ..."
    std::optional<Hold> hold = {}; ///< of Need
    bool operator==(const Wait &) const = default;
};
/// "slot", "memory": for JSON.
QString wordOf(Wait::For what);
/// nullopt: it may start. Asks `newest` only if nothing else holds it. Pure but for `newest`.
std::optional<Wait> waitOf(const Job &job, const QueueRound &round, const NewestJob &newest);
/// Of the jobs that wait, by id; those that start next have none. Pure.
QHash<QString, Wait> waitsOf(const QList<JobRecord> &jobs, const QueueContents &contents, qint64 memory, bool swaps);
/// The same with the memory of this machine.
QHash<QString, Wait> waitsNow(const QList<JobRecord> &jobs, const QueueContents &contents);

/// Whether a build used another recipe of something than `need` (Job::key()) names, as far as the jobs of that product
/// tell: the last one built before it had another recipe, or there was none and one of this recipe came later. Pure.
bool usedAnother(const JobRecord &build, const QString &need, const QList<const JobRecord *> &jobs);

} // namespace tmx
