// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/job/Job.h"

#include <QList>
#include <QPair>

namespace tmx {

/// The POSIX sh program that builds a job where torch-matrix is not installed: resources/build/remote.sh.
QByteArray remoteScript();

/// Files that remote.sh expects in a job's folder "remote": names and contents. `recipe`: the text that the job builds,
/// which determines how nix-build is called. `repository` and similar files are added by the caller, as they depend on
/// the place.
QList<QPair<QString, QString>> remoteFiles(const Job &job, const QByteArray &recipe);

/// What remote.sh reports about a finished job.
struct RemoteEnd {
    enum class How {
        Exit,     ///< the engine ended
        Stopped,  ///< it was asked to stop
        Time,     ///< the time limit of the Slurm job
        Checkout, ///< git could not check out the commit
        Missing,  ///< the engine is not installed there
    };
    How how = How::Exit;
    int status = 0; ///< as in a shell: above 128 for a signal
    QDateTime started;
    QDateTime ended;
    QStringList results; ///< store paths, the package's first
    bool operator==(const RemoteEnd &) const = default;
};
/// Parses the file "ended", preceded by the line "started N" if known. nullopt: invalid. Limited to 64 results and
/// lines of 4 KiB.
std::optional<RemoteEnd> remoteEndOf(const QByteArray &text, const QString &package);

/// The outcome of a job that ended elsewhere, from its log and remote.sh's report. Reads the log: for workers.
JobOutcome outcomeOf(const JobFolder &folder, const Job &job, const RemoteEnd &end);

} // namespace tmx
