// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/BuildHistory.h"
#include "model/build/BuildState.h"
#include "model/build/Queue.h"

namespace tmx {

/// What is known of builds while they run: steps and phase, the time that is left, and whether they are silent.
///
/// Source of the time: the history of this machine. Each runner notes when its build reached every twentieth of the
/// steps of its main derivation. Of a running build the last twentieth that it reached counts: like builds (family,
/// toolkit or CPU) took their median time from there to their end, less what has passed since. Before the first step it
/// is the median of their whole time, less what has passed. There is none where nothing like it was built here, and
/// none for a build that takes longer than those did.
///
/// Reads the disk and opens the history once a job: for workers. Any thread, one at a time.
class RunningBuilds
{
public:
    explicit RunningBuilds(QString state = stateFolder());

    /// Of a job that runs or is being stopped; of any other one, no state. `now` is for tests.
    [[nodiscard]] BuildState of(const JobRecord &record, const QDateTime &now = QDateTime::currentDateTimeUtc());
    /// Adds the time that is left and the silence to what the caller knows of the steps.
    void addTo(BuildState &state, const JobRecord &record, const QDateTime &now = QDateTime::currentDateTimeUtc());

private:
    [[nodiscard]] const QList<EarlierBuild> &earlier(const JobRecord &record);

    QString m_state;
    QHash<QString, QList<EarlierBuild>> m_earlier; ///< by the job's id
};

/// "12 min", "2 h", "1 h 20 min", "19 d 18 h": minutes, from two days on hours, rounded up.
[[nodiscard]] QString roughTimeText(qint64 seconds);
/// "about 1 h 20 min left (of 5 like builds)", "no output for 12 min", or both; empty: neither is known.
[[nodiscard]] QString outlookText(const BuildState &state);

} // namespace tmx
