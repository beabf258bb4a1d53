// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/fleet/OthersBuilds.h"
#include "model/git/GitTask.h"

namespace tmx {

/// This account's name for the machine in a team's builds: torch-matrix.machine of git config, else a name that
/// distinguishes machines without revealing anything about them ("m-1a2b3c4d"). Error: the setting is not a valid name.
Result<QString> machineLabel(const QString &workTree);

/// The result of pushing or fetching a team's builds, or what a push would be.
struct SharedBuilds {
    QString remote;
    bool pushed = false;
    QMap<QString, QByteArrayList> lines; ///< lines that a push adds, by file: builds, verifications, publications
    int added = 0;                       ///< number of attempts of others that were new here
    int builds = 0;                      ///< number of all known attempts
    int machines = 0;                    ///< number of machines that made them
    int leftOut = 0;                     ///< SharedBuildLines::leftOut
};

/// "5 lines of this machine were added. The shared list has 12 builds from 3 machines; 2 of them are new here."
QString summaryOf(const SharedBuilds &shared);

/// The lines that a push would add. For workers.
Result<SharedBuilds> buildsToPush(const QString &workTree, const QString &remote);

/// Adds this account's builds of the repository to refs/torch-matrix/builds, merges what others added on the remote,
/// and pushes the result; tries again if somebody else pushed first. `remote`: empty for the one that git pushes to.
/// Errors: those of runGitTask(), addRefLines() and the history of builds. For workers.
Result<SharedBuilds> pushBuilds(const QString &workTree, const QString &remote,
                                const std::function<void(const GitProgress &)> &tell = {},
                                const std::function<bool()> &stop = {});
/// Fetches and merges what others added. For workers.
Result<SharedBuilds> pullBuilds(const QString &workTree, const QString &remote,
                                const std::function<void(const GitProgress &)> &tell = {},
                                const std::function<bool()> &stop = {});

} // namespace tmx
