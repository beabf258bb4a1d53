// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/QueueCounts.h"

#include "model/base/Tr.h"
#include "model/outcome/OutcomeText.h"

#include <QLocale>
#include <QSet>

#include <algorithm>

namespace tmx {

namespace {

/// The active jobs and, going back from the job that ended last, those that ended after one of them was queued.
QList<const JobRecord *> busyTime(const QList<JobRecord> &jobs)
{
    QList<const JobRecord *> together;
    QList<const JobRecord *> ended;
    QDateTime first; // when the first of them was queued
    for (const JobRecord &record : jobs) {
        if (record.outcome) {
            ended.append(&record);
        } else if (record.isActive()) {
            together.append(&record);
            first = first.isValid() ? std::min(first, record.job.created) : record.job.created;
        }
    }
    std::stable_sort(ended.begin(), ended.end(), [](const JobRecord *one, const JobRecord *other) {
        return one->outcome->ended > other->outcome->ended;
    });
    for (const JobRecord *record : std::as_const(ended)) {
        if (first.isValid() && record->outcome->ended < first)
            break;
        together.append(record);
        first = first.isValid() ? std::min(first, record->job.created) : record->job.created;
    }
    return together;
}

} // namespace

QueueCounts countsOf(const JobsSeen &seen)
{
    QueueCounts tally;
    double done = 0;
    const QList<const JobRecord *> jobs = busyTime(seen.jobs);
    for (const JobRecord *record : jobs) {
        if (record->phase == JobPhase::Waiting) {
            ++tally.waiting;
        } else if (record->isActive()) {
            ++tally.running;
            if (const BuildState state = seen.progress.value(record->job.id); state.total > 0)
                done += std::clamp(double(state.step) / state.total, 0.0, 1.0);
        } else {
            const BuildOutcome::Kind kind = record->outcome->build.kind;
            ++(kind == BuildOutcome::Kind::Built     ? tally.built
               : kind == BuildOutcome::Kind::Stopped ? tally.stopped
                                                     : tally.failed);
            done += 1;
        }
    }
    if (!jobs.isEmpty())
        tally.progress = done / double(jobs.size());
    if (jobs.size() == 1)
        tally.alone = jobs.constFirst()->job.package;
    return tally;
}

std::optional<BuildNews> newsOf(const JobsSeen &before, const JobsSeen &now)
{
    QSet<QString> open; // ids of jobs that had not ended
    for (const JobRecord &record : before.jobs) {
        if (!record.outcome)
            open.insert(record.job.id);
    }
    QList<const JobRecord *> ended;
    for (const JobRecord &record : now.jobs) {
        if (record.outcome && record.outcome->build.kind != BuildOutcome::Kind::Stopped && open.contains(record.job.id))
            ended.append(&record);
    }
    if (ended.isEmpty())
        return {};
    const QueueCounts tally = countsOf(now);
    const JobRecord &last = *ended.constLast();
    BuildNews news;
    news.over = !tally.isBusy();
    news.failed = std::any_of(ended.begin(), ended.end(), [](const JobRecord *record) {
        return record->outcome->build.kind != BuildOutcome::Kind::Built;
    });
    if (news.over && tally.ended() > 1) {
        news.failed = tally.failed > 0;
        news.title = Tr::tr("All builds ended");
        news.text = Tr::tr("%1 built, %2 failed, %3 stopped.").arg(tally.built).arg(tally.failed).arg(tally.stopped);
        return news;
    }
    const auto failed = std::find_if(ended.begin(), ended.end(), [](const JobRecord *record) {
        return record->outcome->build.kind != BuildOutcome::Kind::Built;
    });
    const JobRecord &told = failed != ended.end() ? **failed : last;
    news.title = news.failed ? Tr::tr("%1 failed").arg(told.job.package) : Tr::tr("%1 is built").arg(told.job.package);
    news.text = news.failed ? sentenceOf(told.outcome->build) : QString();
    if (!news.over) {
        if (!news.text.isEmpty())
            news.text += QLatin1Char('\n');
        news.text += now.queue.paused && tally.running == 0
                         ? Tr::tr("The queue is paused, %n builds wait.", nullptr, tally.waiting)
                         : Tr::tr("%1 of %n builds ended.", nullptr, tally.all()).arg(tally.ended());
    }
    return news;
}

namespace {

/// Without family and Python, which many have in common.
QString shortNameOf(const JobRecord &record)
{
    const QString rest = record.job.variant.section(QLatin1Char('-'), 2).replace(QLatin1Char('-'), QLatin1Char(' '));
    return rest.isEmpty() ? record.job.variant : rest;
}

/// "2 failed, last cuda12_8 sm90 avx512: out of memory"
QString failedText(const JobsSeen &seen, int count)
{
    const JobRecord *last = nullptr;
    for (const JobRecord &record : seen.jobs) {
        if (record.outcome && isFailure(record.outcome->build.kind) &&
            (!last || last->outcome->ended < record.outcome->ended))
            last = &record;
    }
    QString text = Tr::tr("%1 failed").arg(count);
    if (!last)
        return text;
    const QString why = Tr::tr("%1: %2", "variant, cause").arg(shortNameOf(*last), shortCauseOf(last->outcome->build));
    return count > 1 ? Tr::tr("%1, last %2", "failed, variant and cause").arg(text, why)
                     : Tr::tr("%1, %2", "failed, variant and cause").arg(text, why);
}

} // namespace

QString lineOf(const JobsSeen &seen, const QDateTime &until)
{
    const QueueCounts counts = countsOf(seen);
    QStringList parts;
    const auto running = std::ranges::find(seen.jobs, JobPhase::Running, &JobRecord::phase);
    if (counts.running == 1 && running != seen.jobs.end()) {
        const QString name = shortNameOf(*running);
        const BuildState state = seen.progress.value(running->job.id);
        parts.append(state.total > 0 ? Tr::tr("Building %1, %2 %").arg(name).arg(100LL * state.step / state.total)
                                     : Tr::tr("Building %1").arg(name));
    } else if (counts.running > 0) {
        parts.append(Tr::tr("%n builds running", nullptr, counts.running));
    } else if (counts.waiting == 0) {
        parts.append(Tr::tr("No build is running or waiting"));
    }
    if (counts.waiting > 0)
        parts.append(seen.queue.paused ? Tr::tr("%1 waiting, paused").arg(counts.waiting)
                                       : Tr::tr("%1 waiting").arg(counts.waiting));
    if (counts.isBusy() && until.isValid())
        parts.append(
            Tr::tr("done about %1", "time")
                .arg(QLocale().toString(until.toLocalTime(), until.secsTo(QDateTime::currentDateTime()) < -86400
                                                                 ? QStringLiteral("ddd HH:mm")
                                                                 : QStringLiteral("HH:mm"))));
    if (counts.built > 0)
        parts.append(Tr::tr("%1 built").arg(counts.built));
    if (counts.failed > 0)
        parts.append(failedText(seen, counts.failed));
    return parts.join(QStringLiteral(" \u00b7 "));
}

qint64 longestRun(const JobsSeen &seen, const QStringList &ids, const QDateTime &now)
{
    qint64 longest = 0;
    for (const QString &id : ids) {
        const JobRecord *record = seen.find(id);
        if (record && record->phase == JobPhase::Running && record->runner)
            longest = std::max(longest, record->runner->started.secsTo(now));
    }
    return longest;
}

QString titleOf(const QueueCounts &tally)
{
    return tally.isBusy() ? Tr::tr("%1 %").arg(int(tally.progress * 100)) : QString();
}

} // namespace tmx
