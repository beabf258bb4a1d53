// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/RunningBuilds.h"

#include "model/base/Tr.h"
#include "model/job/EndedJobs.h"
#include "model/log/DerivationTree.h"

#include <QFileInfo>
#include <QLocale>

using namespace Qt::StringLiterals;

namespace tmx {

RunningBuilds::RunningBuilds(QString state)
    : m_state(std::move(state))
{
}

const QList<EarlierBuild> &RunningBuilds::earlier(const JobRecord &record)
{
    const auto known = m_earlier.constFind(record.job.id);
    if (known != m_earlier.constEnd())
        return *known;
    // Opened just for this query: a connection belongs to one thread. Without a history there are no times.
    QList<EarlierBuild> builds;
    if (Result<BuildHistory> history = BuildHistory::open(m_state + u"/builds.sqlite"_s)) {
        static_cast<void>(recordEndedJobs(*history, m_state));
        builds = history->earlierBuilds(record.job.variant, record.runner ? record.runner->machine : machineId());
    }
    return *m_earlier.insert(record.job.id, builds);
}

BuildState RunningBuilds::of(const JobRecord &record, const QDateTime &now)
{
    BuildState state;
    if (record.phase != JobPhase::Running && record.phase != JobPhase::Stopping)
        return state;
    const JobProgress progress = record.folder.progress().value_or(JobProgress());
    state.phase = record.phase == JobPhase::Running ? BuildState::Phase::Running : BuildState::Phase::Stopping;
    state.step = progress.step;
    state.total = progress.total;
    state.text = progress.phase;
    if (record.phase == JobPhase::Stopping)
        state.killsAt = progress.killsAt;
    if (!record.runner)
        return state;
    state.since = record.runner->started.toLocalTime();
    if (record.phase != JobPhase::Running)
        return state;
    state.silentMinutes = silentMinutes(QFileInfo(record.folder.logFile()).lastModified(), now).value_or(0);
    const std::optional<BuildEstimate> rest =
        timeLeft(earlier(record), progress.twentieths, record.runner->started.secsTo(now));
    state.secondsLeft = rest ? (rest->seconds + 59) / 60 * 60 : -1; // whole minutes: each change updates the views
    state.likeBuilds = rest ? rest->builds : 0;
    return state;
}

QString roughTimeText(qint64 seconds)
{
    const qint64 minutes = (seconds + 59) / 60;
    const qint64 hours = (seconds + 3599) / 3600;
    return hours > 48          ? Tr::tr("%1 d %2 h").arg(hours / 24).arg(hours % 24)
           : minutes < 60      ? Tr::tr("%1 min").arg(minutes)
           : minutes % 60 == 0 ? Tr::tr("%1 h").arg(minutes / 60)
                               : Tr::tr("%1 h %2 min").arg(minutes / 60).arg(minutes % 60);
}

QString outlookText(const BuildState &state)
{
    QStringList parts;
    if (state.secondsLeft > 0)
        parts.append(Tr::tr("about %1 left (from %n similar builds)", nullptr, state.likeBuilds)
                         .arg(roughTimeText(state.secondsLeft)));
    if (state.silentMinutes > 0)
        parts.append(Tr::tr("no output for %1 min").arg(state.silentMinutes));
    return parts.join(u", "_s);
}

QString progressText(const BuildState &state)
{
    QStringList parts{state.text};
    if (state.total > 0)
        parts.append(Tr::tr("step %1 of %2").arg(QLocale().toString(state.step), QLocale().toString(state.total)));
    parts.append(outlookText(state));
    parts.removeAll(QString());
    return parts.join(u", "_s);
}

} // namespace tmx
