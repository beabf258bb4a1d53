// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QDateTime>
#include <QString>

namespace tmx {

/// The build half of a cell's state: all that the matrix knows of builds.
struct BuildState {
    enum class Phase { None, Queued, Running, Stopping, Built, Stale, Failed, Published, Elsewhere };

    Phase phase = Phase::None;
    int step = 0;    ///< Running: ninja's finished steps
    int total = 0;   ///< Running: ninja's steps; 0 = not known yet
    QDateTime since; ///< Running: start; Built, Failed: when
    QString text; ///< Running: the phase ("buildPhase"), may be empty; Built: the result link; Failed: the outcome in
                  ///< words; Elsewhere: the machine
    qint64 secondsLeft = -1; ///< Running: what it may still take, in whole minutes (RunningBuilds); -1: not known
    int likeBuilds = 0;      ///< how many earlier builds say so
    int silentMinutes = 0;   ///< Running: it has printed nothing for so long; 0: for less than 10
    QDateTime killsAt = {};  ///< Stopping: when what still runs is killed; invalid: not known
    bool operator==(const BuildState &) const = default;
};

/// The words of `list --json`. In the header because the matrix includes this file and links nothing of build.
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
    }
    Q_UNREACHABLE_RETURN({});
}

} // namespace tmx
