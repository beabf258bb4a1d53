// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QDateTime>
#include <QString>

namespace tmx {

/// The build part of a cell's state: everything that the matrix knows of builds.
struct BuildState {
    enum class Phase { None, Queued, Running, Stopping, Built, Stale, Failed, Published, Elsewhere, FailedElsewhere };

    Phase phase = Phase::None;
    int step = 0;    ///< Running: finished steps of ninja
    int total = 0;   ///< Running: total steps of ninja; 0: unknown yet
    QDateTime since; ///< Running: start; Built, Failed: end
    QString text; ///< Running: the phase ("buildPhase"), may be empty; Built: the result link; Failed: the outcome in
                  ///< words; Elsewhere, FailedElsewhere: the machine; None: "stopped" if the last build was
    qint64 seconds = 0;      ///< Built, Stale, Failed, Elsewhere: how long it took; 0: unknown
    qint64 secondsLeft = -1; ///< Running: remaining time, a multiple of whole minutes (RunningBuilds); -1: unknown
    int likeBuilds = 0;      ///< number of earlier builds behind the estimate
    int silentMinutes = 0;   ///< Running: minutes without output; 0 if fewer than 10
    QDateTime killsAt = {};  ///< Stopping: when remaining processes are killed; invalid: unknown
    QString verified = {};   ///< Built, Published: "passed", "failed", or empty: not verified
    QString cause = {};      ///< Failed, FailedElsewhere: why, in a few words
    QString job = {};        ///< Failed: the job that failed; Elsewhere, FailedElsewhere: BuildRecord::job
    QString retry = {};      ///< Failed: "Retry with 8 cores"; empty where the recipe fails again
    int recipeLine = 0;      ///< Failed: the line of the recipe that caused it, from 1; 0: unknown
    bool operator==(const BuildState &) const = default;
};

/// The words of `list --json`. In the header because the matrix includes this file without linking the build folder.
inline QString toString(BuildState::Phase phase)
{
    switch (phase) {
    case BuildState::Phase::None: return QStringLiteral("none");
    case BuildState::Phase::Queued: return QStringLiteral("queued");
    case BuildState::Phase::Running: return QStringLiteral("running");
    case BuildState::Phase::Stopping: return QStringLiteral("stopping");
    case BuildState::Phase::Built: return QStringLiteral("built");
    case BuildState::Phase::Stale: return QStringLiteral("stale");
    case BuildState::Phase::Failed: return QStringLiteral("failed");
    case BuildState::Phase::Published: return QStringLiteral("published");
    case BuildState::Phase::Elsewhere: return QStringLiteral("elsewhere");
    case BuildState::Phase::FailedElsewhere: return QStringLiteral("failed-elsewhere");
    }
    Q_UNREACHABLE_RETURN({});
}

} // namespace tmx
