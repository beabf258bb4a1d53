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

/// Whether a build used another recipe of something than `need` (Job::key()) names, as far as the jobs of that product
/// tell: the last one built before it had another recipe, or there was none and one of this recipe came later. Pure.
bool usedAnother(const JobRecord &build, const QString &need, const QList<const JobRecord *> &jobs);

} // namespace tmx
