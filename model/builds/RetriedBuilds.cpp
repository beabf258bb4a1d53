// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/RetriedBuilds.h"

#include "model/base/ShortList.h"
#include "model/base/Tr.h"
#include "model/builds/BuildRequest.h"
#include "model/fleet/BuiltRecipes.h"
#include "model/job/Needs.h"

#include <QSet>

#include <algorithm>

namespace tmx {

namespace {

/// The identities of the recipe that its branch has now; empty if it has none.
QStringList identitiesNow(const Job &job, const BranchSnapshot &snapshot)
{
    const VariantEntry *entry = snapshot.findPackage(job.variant);
    if (!entry || !entry->present)
        return {};
    return job.here ? shownIdentities(snapshot, *entry)
                    : identitiesOf(*entry, entry->committedSource(), snapshot.commit.size());
}

/// Lets a job build what its branch has now. Returns false if that cannot be built, and leaves the job as it is.
bool takeCurrent(Job &job, const BranchSnapshot &snapshot, const JobsByProduct &jobs)
{
    BuildWish wish;
    wish.here = job.here;
    wish.engine = job.engine;
    const Result<Job> now = jobFor(snapshot, job.variant, wish);
    if (!now)
        return false;
    job.commit = now->commit;
    job.blob = now->blob;
    job.identity = now->identity;
    job.meaning = now->meaning;
    job.imports = now->imports;
    job.recipe = now->recipe;
    job.package = now->package;
    takeKnownIdentity(job, jobs);
    return true;
}

} // namespace

QString RetriedBuilds::currentText() const
{
    QStringList names;
    for (const Job &job : current)
        names.append(Tr::tr("%1 (%2)", "package, commit").arg(job.package, job.commit.left(7)));
    return names.isEmpty() ? QString()
                           : Tr::tr("%n recipes changed since, so the current commit of their branch is built: %1.",
                                    nullptr, int(names.size()))
                                 .arg(shortList(names));
}

RetriedBuilds retriedBuilds(const SnapshotReader &reader, const QList<JobRecord> &ended, const QList<JobRecord> &all,
                            RetryChoice choice)
{
    RetriedBuilds retried;
    const JobsByProduct byProduct = jobsByProduct(all);
    QHash<QString, std::shared_ptr<const BranchSnapshot>> branches; // null: cannot be read
    const auto branchOf = [&](const Job &job) {
        auto known = branches.constFind(job.repository + QLatin1Char('\n') + job.branch);
        if (known == branches.cend()) {
            const Result<ReadBranch> read = reader.read(job.repository, job.branch, {}, Templates::LeftOut);
            known = branches.insert(job.repository + QLatin1Char('\n') + job.branch,
                                    read ? read->snapshot : std::shared_ptr<const BranchSnapshot>());
        }
        return known->get();
    };
    QSet<QString> keys;
    QList<std::pair<Job, bool>> again; // and whether its recipe changed
    for (const JobRecord &record : ended) {
        Job job = againOf(record);
        // Without a branch (HEAD was detached) nothing says what its recipe is now.
        const BranchSnapshot *snapshot = job.branch.isEmpty() ? nullptr : branchOf(job);
        const QStringList identities = snapshot ? identitiesNow(job, *snapshot) : QStringList();
        bool changed = !identities.isEmpty() && !record.job.buildsOneOf(identities);
        if (changed && choice == RetryChoice::MaySucceed &&
            std::ranges::any_of(byProduct.value(job.product()),
                                [&identities](const JobRecord *other) { return other->job.buildsOneOf(identities); }))
            continue; // How that one ended counts.
        changed = changed && takeCurrent(job, *snapshot, byProduct);
        if (!changed && choice == RetryChoice::MaySucceed && record.outcome &&
            retryOf(record.outcome->build) == Retry::Useless) {
            retried.useless.append(job.package);
            continue;
        }
        again.append({job, changed});
    }
    // Of several builds of a changed recipe the last one tells how many cores it takes.
    for (const auto &[job, changed] : again) {
        if (keys.contains(job.key()))
            retried.jobs.removeIf([&](const Job &one) { return one.key() == job.key(); });
        keys.insert(job.key());
        retried.jobs.append(job);
    }
    for (const auto &[job, changed] : again) {
        if (changed && retried.jobs.contains(job))
            retried.current.append(job);
    }
    return retried;
}

} // namespace tmx
