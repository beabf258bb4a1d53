// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/JobWatch.h"

#include "model/job/JobRunner.h"
#include "model/job/Needs.h"
#include "model/job/RunningBuilds.h"

#include <QFileInfo>
#include <QtConcurrent>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace tmx {

namespace {

constexpr auto whileBusy = 500ms;
constexpr auto whileIdle = 2s;

bool sameJobs(const QList<JobRecord> &a, const QList<JobRecord> &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const JobRecord &one, const JobRecord &other) {
        return one.job.id == other.job.id && one.phase == other.phase;
    });
}

/// Changes whenever the history of builds is written.
QString historyStamp(const QString &state)
{
    QString stamp;
    for (const QString &end : {QString(), u"-wal"_s}) {
        const QFileInfo file(state + u"/builds.sqlite"_s + end);
        stamp += u"%1 %2 "_s.arg(file.size()).arg(file.lastModified().toMSecsSinceEpoch());
    }
    return stamp;
}

} // namespace

struct JobWatch::Kept {
    void addStates(JobsSeen &seen, const QString &state);

    RunningBuilds running;
    OtherBuilds other; ///< for `snapshot`, when history and team's builds had the stamp `stamp`
    std::shared_ptr<const BranchSnapshot> snapshot;
    QString stamp;
};

const JobRecord *JobsSeen::find(const QString &id) const
{
    for (const JobRecord &record : jobs) {
        if (record.job.id == id)
            return &record;
    }
    return nullptr;
}

JobWatch::JobWatch(QString state, QObject *parent)
    : QObject(parent)
    , m_state(std::move(state))
    , m_kept(std::make_shared<Kept>(RunningBuilds(m_state)))
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &JobWatch::look);
    m_timer.start(0ms);
}

JobWatch::~JobWatch() = default;

void JobWatch::setSnapshot(const std::shared_ptr<const BranchSnapshot> &snapshot)
{
    m_snapshot = snapshot;
    lookSoon();
}

void JobWatch::lookSoon()
{
    if (m_looking)
        m_again = true;
    else
        m_timer.start(0ms);
}

/// The builds of the branch of seen.snapshot.
void JobWatch::Kept::addStates(JobsSeen &seen, const QString &state)
{
    if (const QString now = historyStamp(state) + othersStamp(seen.snapshot->repository);
        seen.snapshot != snapshot || now != stamp) {
        other = otherBuildsOf(seen.snapshot->repository);
        snapshot = seen.snapshot;
        stamp = now;
    }
    seen.states = buildStates(*seen.snapshot, seen.jobs, other);
    for (const JobRecord &record : std::as_const(seen.jobs)) {
        const auto found = seen.progress.constFind(record.job.id);
        if (found != seen.progress.constEnd() && isOf(record.job, *seen.snapshot))
            seen.states.insert(record.job.variant, *found);
    }
}

void JobWatch::look()
{
    m_looking = true;
    m_again = false;
    QtConcurrent::run([state = m_state, known = m_seen, snapshot = m_snapshot, kept = m_kept] {
        auto seen = std::make_shared<JobsSeen>();
        seen->snapshot = snapshot;
        const Queue queue(state);
        seen->queue = queue.contents();
        seen->queueFile = queue.file();
        seen->jobs = readJobs(state, known->jobs);
        for (JobRecord &record : seen->jobs) {
            if (record.phase == JobPhase::Lost) {
                settleLost(record.folder);
                record.phase = record.folder.phase();
                record.outcome = record.folder.outcome();
            }
        }
        const QHash<QString, Wait> waits = waitsNow(seen->jobs, seen->queue);
        for (const JobRecord &record : std::as_const(seen->jobs)) {
            if (const auto wait = waits.constFind(record.job.id); wait != waits.cend())
                seen->progress.insert(record.job.id, {BuildState::Phase::Queued, 0, 0, {}, wait->text});
            if (record.phase == JobPhase::Running || record.phase == JobPhase::Stopping)
                seen->progress.insert(record.job.id, kept->running.of(record));
        }
        if (snapshot)
            kept->addStates(*seen, state);
        return std::shared_ptr<const JobsSeen>(seen);
    }).then(this, [this](const std::shared_ptr<const JobsSeen> &seen) {
        m_looking = false;
        const bool same = sameJobs(seen->jobs, m_seen->jobs) && seen->queue == m_seen->queue &&
                          seen->progress == m_seen->progress && seen->states == m_seen->states &&
                          seen->snapshot == m_seen->snapshot;
        m_seen = seen;
        const bool busy = std::any_of(seen->jobs.begin(), seen->jobs.end(),
                                      [](const JobRecord &record) { return record.isActive(); });
        m_timer.start(m_again ? 0ms
                      : busy  ? std::chrono::milliseconds(whileBusy)
                              : std::chrono::milliseconds(whileIdle));
        if (!same)
            Q_EMIT changed();
    });
}

} // namespace tmx
