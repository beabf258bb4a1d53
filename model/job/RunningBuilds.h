// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/history/BuildHistory.h"
#include "model/job/Queue.h"
#include "model/outcome/BuildState.h"

namespace tmx {

/// Progress of running builds: steps and phase, the remaining time, and whether they are silent.
///
/// Source of the time: the history of this machine. Each runner records when its build reached every twentieth of the
/// steps of its main derivation. For a running build, the last twentieth reached counts: the estimate is the median
/// time that similar builds (family, toolkit or CPU) took from there to their end, minus the time since. Before the
/// first step it is the median of their total time, minus the elapsed time. There is no estimate if nothing similar was
/// built here, or if a build takes longer than those did.
///
/// Reads the disk and opens the history once per job: for workers. Any thread, one at a time.
class RunningBuilds
{
public:
    explicit RunningBuilds(QString state = stateFolder());

    /// State of a running or stopping job; empty for other jobs. `now` is for tests.
    [[nodiscard]] BuildState of(const JobRecord &record, const QDateTime &now = QDateTime::currentDateTimeUtc());

private:
    [[nodiscard]] const QList<EarlierBuild> &earlier(const JobRecord &record);

    QString m_state;
    QHash<QString, QList<EarlierBuild>> m_earlier; ///< by the job's id
};

/// "12 min", "2 h", "1 h 20 min", "19 d 18 h": in minutes, from two days on in hours, rounded up.
[[nodiscard]] QString roughTimeText(qint64 seconds);
/// "about 1 h 20 min left (of 5 like builds)", "no output for 12 min", or both; empty if neither is known.
[[nodiscard]] QString outlookText(const BuildState &state);
/// "buildPhase, step 12 of 400, about 40 min left"; what a waiting build waits for; empty if nothing is known.
[[nodiscard]] QString progressText(const BuildState &state);

} // namespace tmx
