// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/Job.h"

#include <QList>
#include <QPair>

namespace tmx {

/// The POSIX sh program that builds a job where torch-matrix is not installed: resources/build/remote.sh.
QByteArray remoteScript();

/// What remote.sh finds of a job in its folder "remote": a file's name and what it holds. `recipe`: the text that the
/// job builds, which says how nix-build must be called. `repository` and its like are the place's to add.
QList<QPair<QString, QString>> remoteFiles(const Job &job, const QByteArray &recipe);

/// What remote.sh says of a job that has ended.
struct RemoteEnd {
    enum class How {
        Exit,     ///< the engine ended
        Stopped,  ///< it was asked to
        Time,     ///< the time limit of its Slurm job
        Checkout, ///< git could not check out the commit
        Missing,  ///< the engine is not installed there
    };
    How how = How::Exit;
    int status = 0; ///< as a shell gives it: over 128 for a signal
    QDateTime started;
    QDateTime ended;
    QStringList results; ///< store paths, that of the package first
    bool operator==(const RemoteEnd &) const = default;
};
/// Reads the file "ended", with the line "started N" before it where it is known. nullopt: it is none. Bounded: 64
/// results, lines of 4 KiB.
std::optional<RemoteEnd> remoteEndOf(const QByteArray &text, const QString &package);

/// The outcome of a job that ended elsewhere, from its log and what remote.sh said. Reads the log: for workers.
JobOutcome outcomeOf(const JobFolder &folder, const Job &job, const RemoteEnd &end);

} // namespace tmx
