// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/BuildHistory.h"

#include <QMap>

namespace tmx {

/// What a team knows of its builds, one line for each thing that happened: an attempt, a verification, a publication.
/// A line never changes. It has no log, no path but that of a result in /nix/store, no host and no reason in words.
struct BuildLines {
    /// By job: 16 hexadecimal digits that no other job of any machine has. `machine` is what its owner calls it, `log`
    /// and `repository` are empty, `reason` is the outcome's word. The newest first.
    QList<BuildRecord> builds;
    QList<Publication> publications; ///< without `repository`; the newest first
};

/// What a machine may be called in a line.
inline constexpr QStringView machineForm = u"[A-Za-z0-9][A-Za-z0-9_.@+-]{0,63}";

/// The id of a job in a line. `machine`: its machine id.
QString lineIdOf(const QString &machine, const QString &job);

/// The lines that say what a history knows, by the name of the file that holds them ("2026-11", the month in which it
/// happened). What `known` says already is left out. `label` is what the machine is called. Pure.
QMap<QString, QByteArrayList> buildLinesOf(const QList<BuildRecord> &records, const QList<Publication> &publications,
                                           const QString &label, const BuildLines &known, const QDateTime &now);

/// Reads lines of any number of files. A line that is none of these, or longer than 4 KiB, is passed over: a newer
/// program may have written it. Of 200,000 lines the rest. Pure.
BuildLines readBuildLines(const QMap<QString, QByteArrayList> &files);

} // namespace tmx
