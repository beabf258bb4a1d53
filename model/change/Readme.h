// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/BranchRules.h"
#include "model/snapshot/SnapshotReader.h"

namespace tmx {

/// What the audit says of a branch's README.md, the work tree's where that was read. Reads the disk or the object
/// database: for workers and verbs. Errors: the repository cannot be read.
Result<QList<Finding>> readmeFindings(const ReadBranch &branch);

/// What the tables have besides what they always have.
struct ReadmeColumns {
    bool links = false;   ///< to the recipes
    bool totals = false;  ///< "5/6": how many of the cells that the settings list have a recipe
    bool driver = false;  ///< the lowest that runs a row
    bool cudnn = false;   ///< whether cuDNN is part of it
    bool useCase = false; ///< a row for each variant, with what its instruction set is for

    /// Error: a word that is no column.
    static Result<ReadmeColumns> of(const QStringList &words);
    [[nodiscard]] QStringList words() const; ///< always in one order
    static QStringList allWords();
    bool operator==(const ReadmeColumns &) const = default;
};

/// Whether settings, recipes or pin tell a version of what the branch builds; where not, the tables say "unknown".
bool tellsVersion(const Catalog &catalog, const BranchSnapshot &snapshot);

/// What stands between the markers: the branch's variants, their totals, and a table of all branches. Depends on the
/// recipes that are committed, never on a commit's id or the time. Lines end in '\n'.
QByteArray readmeTables(const Catalog &catalog, const BranchSnapshot &own, const QList<ReadBranch> &all,
                        const ReadmeColumns &columns = {});
/// The columns that the marker of a README names; none where it has no marker. Error: of() of its words.
Result<ReadmeColumns> columnsIn(const QByteArray &readme);
/// The README whose first marker names these; itself where it has no markers.
QByteArray withColumns(const QByteArray &readme, const ReadmeColumns &columns);

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
    QString words; ///< "below \"## Variants\"", "at the end"
};
MarkerPlace proposedPlace(const QByteArray &readme);
/// The README with empty markers there.
QByteArray withMarkers(const QByteArray &readme, const MarkerPlace &place);

} // namespace tmx
