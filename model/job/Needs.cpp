// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/Needs.h"

#include "model/base/Tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int mostDepth = 16; ///< of jobs that wait for each other; more is a circle

bool isBuilt(const JobRecord &record)
{
    return record.outcome && record.outcome->build.kind == BuildOutcome::Kind::Built;
}

std::optional<Hold> holdOf(const Job &job, const NewestJob &newest, int depth)
{
    std::optional<Hold> hold;
    for (const QString &need : job.after) {
        const QString product = productOf(need);
        const std::optional<JobRecord> last = newest(product);
        if (last && isBuilt(*last))
            continue;
        const bool ended = !last || !last->isActive() || depth == mostDepth;
        const std::optional<Hold> its =
            ended || last->phase != JobPhase::Waiting ? std::nullopt : holdOf(last->job, newest, depth + 1);
        hold = Hold{product.section(u'\n', -1), ended || (its && its->inVain)};
        if (hold->inVain)
            break;
    }
    return hold;
}

} // namespace

JobsByProduct jobsByProduct(const QList<JobRecord> &jobs)
{
    JobsByProduct byProduct;
    for (const JobRecord &record : jobs)
        byProduct[record.job.product()].append(&record);
    return byProduct;
}

void takeKnownIdentity(Job &job, const JobsByProduct &jobs)
{
    const auto known = job.meaning.isEmpty() ? jobs.cend() : jobs.constFind(job.product());
    if (known == jobs.cend())
        return;
    const auto has = [&job](const JobRecord *record) { return record->job.recipeId() == job.recipeId(); };
    const auto means = [&job](const JobRecord *record) { return record->job.meaning == job.meaning; };
    if (std::ranges::any_of(*known, has))
        return;
    if (const auto like = std::ranges::find_if(known->rbegin(), known->rend(), means); like != known->rend())
        job.identity = (*like)->job.recipeId();
}

QString Hold::text() const
{
    return (inVain ? Tr::tr("not started: %1 was not built") : Tr::tr("waits for %1")).arg(package);
}

std::optional<Hold> holdOf(const Job &job, const NewestJob &newest)
{
    return holdOf(job, newest, 0);
}

QHash<QString, Hold> holdsOf(const QList<JobRecord> &jobs)
{
    QHash<QString, Hold> holds;
    const auto needs = [](const JobRecord &record) {
        return record.phase == JobPhase::Waiting && !record.job.after.isEmpty();
    };
    if (std::ranges::none_of(jobs, needs))
        return holds;
    const JobsByProduct byProduct = jobsByProduct(jobs);
    const auto newest = [&byProduct](const QString &product) {
        const auto found = byProduct.constFind(product);
        return found == byProduct.cend() ? std::nullopt : std::optional(*found->constLast());
    };
    for (const JobRecord &record : jobs) {
        if (const auto hold = needs(record) ? holdOf(record.job, newest) : std::nullopt)
            holds.insert(record.job.id, *hold);
    }
    return holds;
}

bool usedAnother(const JobRecord &build, const QString &need, const QList<const JobRecord *> &jobs)
{
    const QDateTime began = build.outcome  ? build.outcome->started
                            : build.runner ? build.runner->started
                                           : build.job.created;
    const JobRecord *used = nullptr;
    bool came = false;
    for (const JobRecord *job : jobs) {
        if (isBuilt(*job) && job->outcome->ended <= began)
            used = job;
        else if (job->job.key() == need)
            came |= job->job.created > build.job.created;
    }
    return used ? used->job.key() != need : came;
}

} // namespace tmx
