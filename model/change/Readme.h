// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/WorkHooks.h"
#include "model/snapshot/SnapshotReader.h"

#include <optional>

namespace tmx {

/// Lines of their own in a README, between which the program writes; in a code block they mean nothing.
inline constexpr QByteArrayView readmeBegin = "<!-- torch-matrix: begin -->";
inline constexpr QByteArrayView readmeEnd = "<!-- torch-matrix: end -->";

/// What stands between the markers: the branch's variants, their totals, and a table of all branches. Depends on the
/// recipes that are committed, never on a commit's id or the time. Lines end in '\n'.
QByteArray readmeTables(const Catalog &catalog, const BranchSnapshot &own, const QList<ReadBranch> &all);

/// `readme` with `tables` between its markers, in the line ends of the marker's line; every byte outside of them stays.
/// Error: no markers, one alone, several, or the end before the beginning; `why` says which.
Result<QByteArray> withTables(const QByteArray &readme, const QByteArray &tables, const QString &subject);
bool hasMarkers(const QByteArray &readme);
/// The line (from 1) of the first marker in a code block, where it means nothing; 0: there is none.
int markerInCode(const QByteArray &readme);

/// Where markers would go in a README that has none: below the heading that speaks of variants, else before the first
/// section.
struct MarkerPlace {
    int line = 0;  ///< they come before this one, from 1; one more than there are lines: at the end
    QString words; ///< "after \"## Variants\"", "at the end"
};
MarkerPlace proposedPlace(const QByteArray &readme);
/// The README with empty markers there.
QByteArray withMarkers(const QByteArray &readme, const MarkerPlace &place);

/// How the README of one branch stands.
struct ReadmeState {
    enum class Kind { Current, Stale, NoMarkers, NoReadme, Written };
    Kind kind = Kind::Current;
    QString branch;
    QString commit;    ///< that wrote it; empty else
    MarkerPlace place; ///< of NoMarkers: where they would go
    int codeLine = 0; ///< of NoMarkers: line of the first one in a code block, where it means nothing; 0: there is none
    QByteArray before;            ///< README.md as it is committed
    QByteArray after;             ///< as it should be
    QString tip;                  ///< of the branch, that it was read at
    std::optional<Error> problem; ///< why its markers cannot be used; readReadmes() alone gives such a state
    bool uncommitted =
        false; ///< Stale because of what README.md holds in the work tree; as it is committed it is current
};
QString toString(
    ReadmeState::Kind kind); ///< "current", "stale", "no-markers", "no-readme", "written": the words of readme --json

/// What README.md of `branches` (empty: of all local ones) is and should be: as it is committed and, of the branch that
/// is checked out, in the work tree too. For workers. Errors: as branchesOf(); markers that cannot be used.
Result<QList<ReadmeState>> checkReadmes(const QString &path, const QStringList &branches,
                                        const SnapshotReader &snapshots);

/// The same for whoever shows each branch by itself: one whose markers cannot be used is a state with a problem. The
/// hooks are those of SnapshotReader::readAll. Error as well: stoppedError().
Result<QList<ReadmeState>> readReadmes(const QString &path, const QStringList &branches,
                                       const SnapshotReader &snapshots, const WorkHooks &hooks = {});
/// Commits what such a state says (Stale, NoMarkers, NoReadme), on the branch as it was read. Gives it back as Written.
/// Errors as writeReadmes().
Result<ReadmeState> writeReadme(const QString &path, const ReadmeState &state);

/// Writes those that are stale, each as one commit on its branch, checked out or not; with `place` those without
/// markers too (and a README where there is none). Nothing else is touched. Error: the first branch that refuses
/// (changes that are not committed in a checked-out README, a branch that moved); those before it are written.
Result<QList<ReadmeState>> writeReadmes(const QString &path, const QStringList &branches,
                                        const SnapshotReader &snapshots, bool place);

} // namespace tmx
