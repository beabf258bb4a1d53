// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/build/BuildLine.h"
#include "model/repository/GitTask.h"
#include "model/snapshot/BranchSnapshot.h"

namespace tmx {

/// What this account calls the machine in a team's builds: torch-matrix.machine of git config, else a name that tells
/// machines apart and nothing about them ("m-1a2b3c4d"). Error: the setting is no name.
Result<QString> machineLabel(const QString &workTree);

/// What pushing a team's builds did, or would do.
struct SharedBuilds {
    QString remote;
    QMap<QString, QByteArrayList> lines; ///< that push added, by file
    int added = 0;                       ///< attempts that were not known here, or not in the remote
    int builds = 0;                      ///< attempts that all have now
    int machines = 0;                    ///< that made them
};

/// "Known builds: 12, of 3 machines, 2 of them new."
QString summaryOf(const SharedBuilds &shared);

/// The lines that push would add. For workers.
Result<SharedBuilds> buildsToPush(const QString &workTree, const QString &remote);

/// Adds this account's builds of the repository to refs/torch-matrix/builds, brings what others added to the remote's,
/// and pushes both together; when somebody else was faster, again. `remote`: empty for the one that git pushes to.
/// Errors: those of runGitTask(), addRefLines() and the history of builds. For workers.
Result<SharedBuilds> pushBuilds(const QString &workTree, const QString &remote,
                                const std::function<void(const GitProgress &)> &tell = {},
                                const std::function<bool()> &stop = {});
/// Brings what others added. For workers.
Result<SharedBuilds> pullBuilds(const QString &workTree, const QString &remote,
                                const std::function<void(const GitProgress &)> &tell = {},
                                const std::function<bool()> &stop = {});

/// What others built and published, as far as it was brought here; this account's own left out. Errors: those of
/// readRefLines(). For workers.
Result<BuildLines> readOthersBuilds(const QString &workTree);
/// The same; nothing where it cannot be read.
BuildLines othersBuilds(const QString &workTree);

/// The attempts, by their ends.
QList<BuildRecord> newestFirst(QList<BuildRecord> records);

/// What is known of a branch's builds beside the jobs here.
struct OtherBuilds {
    QList<Publication> publications; ///< of this account and of others, the newest first
    QList<BuildRecord> elsewhere;    ///< attempts of others, the newest first
};
/// For workers.
OtherBuilds otherBuildsOf(const BranchSnapshot &snapshot);
/// Another one when refs/torch-matrix/builds has changed.
QString othersStamp(const QString &workTree);

} // namespace tmx
