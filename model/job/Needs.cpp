// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/Needs.h"

#include "model/base/MachineMemory.h"
#include "model/base/Tr.h"

#include <QSet>

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

namespace {

QString gigabytes(qint64 bytes)
{
    return Tr::tr("%1 GB").arg((bytes + 500'000'000) / 1'000'000'000);
}

/// Of the jobs that this machine does itself.
std::pair<int, qint64> takenHere(const QList<Job> &running)
{
    std::pair<int, qint64> taken;
    for (const Job &job : running) {
        if (isDoneHere(job)) {
            ++taken.first;
            taken.second += job.memory;
        }
    }
    return taken;
}

QString slotText(const Job &job, int parallel)
{
    const int most = atOnceOf(job, parallel);
    return job.place.isHere()
               ? Tr::tr("waits for a slot (%n at a time)", nullptr, most)
               : Tr::tr("waits for a slot on %1 (%n at a time)", nullptr, most).arg(placeText(job.place));
}

} // namespace

QString wordOf(Wait::For what)
{
    switch (what) {
    case Wait::For::Resume: return u"resume"_s;
    case Wait::For::Need: return u"need"_s;
    case Wait::For::Same: return u"same"_s;
    case Wait::For::Slot: return u"slot"_s;
    case Wait::For::Memory: return u"memory"_s;
    case Wait::For::Swapping: return u"swapping"_s;
    case Wait::For::Slurm: return u"slurm"_s;
    }
    Q_UNREACHABLE_RETURN({});
}

std::optional<Wait> waitOf(const Job &job, const QueueRound &round, const NewestJob &newest)
{
    const bool here = isDoneHere(job);
    const auto [count, taken] = takenHere(round.running);
    // Its result would be hidden by that of an older recipe that ends later.
    if (here && std::ranges::any_of(round.running, [&job](const Job &other) {
            return isDoneHere(other) && other.product() == job.product();
        }))
        return Wait{Wait::For::Same, Tr::tr("waits for another build of it")};
    const std::optional<Lack> lack = lackOf(job, round.running, round.parallel, round.memory);
    if (lack == Lack::Slot)
        return Wait{Wait::For::Slot, slotText(job, round.parallel)};
    if (lack == Lack::Memory)
        return Wait{Wait::For::Memory, Tr::tr("waits for memory: takes %1, what runs takes %2 of %3")
                                           .arg(gigabytes(job.memory), gigabytes(taken), gigabytes(round.memory))};
    // What runs takes more than was known: start nothing until something ends, and fewer at a time from then on.
    if (here && count > 0 && (round.swaps || (round.slowed > 0 && count >= round.slowed)))
        return Wait{Wait::For::Swapping, Tr::tr("waits because this machine swapped")};
    if (const auto hold = holdOf(job, newest))
        return Wait{Wait::For::Need, hold->text(), hold};
    return {};
}

QHash<QString, Wait> waitsOf(const QList<JobRecord> &jobs, const QueueContents &contents, qint64 memory, bool swaps)
{
    QHash<QString, Wait> waits;
    const QSet<QString> queued(contents.waiting.begin(), contents.waiting.end());
    QHash<QString, const JobRecord *> waiting;
    QueueRound round{{}, contents.parallel, contents.slowed, memory, swaps};
    for (const JobRecord &record : jobs) {
        if (!record.isActive())
            continue;
        if (record.phase == JobPhase::Waiting && queued.contains(record.job.id)) {
            waiting.insert(record.job.id, &record);
            continue;
        }
        round.running.append(record.job);
        if (record.phase == JobPhase::Waiting && record.job.place.kind == Place::Kind::Slurm)
            waits.insert(record.job.id, {Wait::For::Slurm, Tr::tr("waits in Slurm")});
    }
    const QHash<QString, Hold> holds = holdsOf(jobs);
    for (const QString &id : contents.waiting) {
        const JobRecord *record = waiting.value(id);
        if (!record)
            continue;
        if (const auto hold = holds.constFind(id); hold != holds.cend()) // It says more than a slot.
            waits.insert(id, {Wait::For::Need, hold->text(), *hold});
        else if (contents.paused)
            waits.insert(id, {Wait::For::Resume, Tr::tr("paused")});
        else if (const auto wait = waitOf(record->job, round, [](const QString &) { return std::nullopt; }))
            waits.insert(id, *wait);
        else
            round.running.append(record->job);
    }
    return waits;
}

QHash<QString, Wait> waitsNow(const QList<JobRecord> &jobs, const QueueContents &contents)
{
    if (contents.waiting.isEmpty() && contents.active.isEmpty())
        return {};
    return waitsOf(jobs, contents, memoryForBuilds(usableMemory()), memoryPressure() >= highMemoryPressure);
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
