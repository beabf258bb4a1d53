// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/history/BuildHistory.h"

#include <QMap>

namespace tmx {

/// What a team knows of its builds, as lines: one for each attempt, verification or publication. A line never changes.
/// It contains no log but the first error line of a builder, without paths and addresses; no path except a result in
/// /nix/store, no host, and no free text for the reason.
struct SharedBuildLines {
    /// `job` is 16 hexadecimal digits, unique among all jobs of all machines. `machine` is the name given by its owner,
    /// `log` and `repository` are empty, `reason` is the error line or the outcome's word. The newest first.
    QList<BuildRecord> builds;
    QList<Publication> publications; ///< without `repository`; the newest first
    int leftOut = 0;                 ///< number of older lines that were not read
};

/// Pattern of valid machine names in a line.
inline constexpr QStringView machineForm = u"[A-Za-z0-9][A-Za-z0-9_.@+-]{0,63}";

/// The id of a job in a line. `machine`: the job's machine id.
QString lineIdOf(const QString &machine, const QString &job);

/// The lines for what a history knows, by name of the file for them ("2026-11", the month of the event). Lines that
/// `known` has already are left out. `label` is the machine's name. Pure.
QMap<QString, QByteArrayList> sharedBuildLinesOf(const QList<BuildRecord> &records,
                                                 const QList<Publication> &publications, const QString &label,
                                                 const SharedBuildLines &known, const QDateTime &now);

/// Parses lines of any number of files. Skips lines that are not valid or longer than 4 KiB: a newer program may have
/// written them. Reads at most 200,000 lines, of the newest files. Pure.
SharedBuildLines readSharedBuildLines(const QMap<QString, QByteArrayList> &files);

} // namespace tmx
