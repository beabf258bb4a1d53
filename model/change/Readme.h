// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Documents.h"
#include "model/change/ChangeSet.h"
#include "model/snapshot/SnapshotReader.h"

namespace tmx {

class Preparation;

/// Updates the tables of README.md; one change per branch.
struct ReadmeRequest {
    QStringList branches;                    ///< empty: all local branches
    bool place = false;                      ///< also choose to add missing markers or files
    std::optional<QStringList> columns = {}; ///< columns for the marker (ReadmeColumns); nullopt: keep those it names
    bool operator==(const ReadmeRequest &) const = default;
};

/// README.md of `branches` as committed and as it should be, one change per branch. A README whose markers cannot be
/// used has a refusal; one with uncommitted changes cannot be chosen. Errors: as SnapshotReader::readAll(); a branch
/// whose torch-matrix.toml cannot be read, because the tables list all branches; stoppedError().
Result<QList<ChangeSet>> prepared(const Preparation &preparation, const ReadmeRequest &request);

/// A Markdown file of a branch with what is not true in it.
struct OutdatedDocument {
    QString path;
    QByteArray text;     ///< the working tree's if that was read
    bool isClean = true; ///< it is as committed
    QList<OutdatedLine> lines;
};

/// What the documents of a branch are compared with, for its present recipes.
Documented documentedBy(const Catalog &catalog, const BranchSnapshot &snapshot);
/// Whether folders have packages with names of variants, which have no cell.
bool hasRecipesInFolders(const Catalog &catalog, const BranchSnapshot &snapshot);
/// Adds a recipe to them.
void addRecipe(Documented &facts, const Catalog &catalog, const Variant &variant, const RecipeFacts *read,
               const QByteArray &text);
/// The word and the title of a family, as texts name it.
QStringList namesOfFamily(const Catalog &catalog, const QString &family);
/// Fills in the words for what these recipes build and for what others build.
void namePackages(const Catalog &catalog, Documented &facts);
/// The Markdown files in the branch's commit that do not agree with `facts`; the repository's branches are filled in.
/// Reads the disk or the object database: for workers and verbs. Errors: the repository cannot be read.
Result<QList<OutdatedDocument>> outdatedDocuments(const OpenedRepository &opened, const BranchSource &branch,
                                                  Documented facts);

/// The optional columns of the tables.
struct ReadmeColumns {
    bool links = false;   ///< links to the recipes
    bool totals = false;  ///< "5/6": how many of the covered cells have a recipe
    bool driver = false;  ///< the oldest driver that runs a row
    bool cudnn = false;   ///< whether cuDNN is part of it
    bool useCase = false; ///< a row for each variant, with the purpose of its instruction set

    /// Error: a word that names no column.
    static Result<ReadmeColumns> of(const QStringList &words);
    [[nodiscard]] QStringList words() const; ///< always in the same order
    static QStringList allWords();
    bool operator==(const ReadmeColumns &) const = default;
};

/// Whether settings, recipes or pin state a version of what the branch builds; if not, the tables show "unknown".
bool tellsVersion(const Catalog &catalog, const BranchSnapshot &snapshot);

/// What the table of all branches shows of one; without its recipes, so that memory need not hold those of all.
struct BranchRow {
    QString branch;
    QString versions;
    QString toolkits;
    QString pythons;
    QString pins; ///< of nixpkgs, as in a cell
    QString drivers;
    int there = 0;   ///< present recipes; a branch without any is not in the table
    int missing = 0; ///< covered cells without a recipe
};
BranchRow branchRow(const Catalog &catalog, const BranchSnapshot &snapshot);

/// The text between the markers: the branch's variants, their totals, and a table of all branches. Depends on the
/// committed recipes, never on a commit id or the time. Lines end in '
/// '.
QByteArray readmeTables(const Catalog &catalog, const BranchSnapshot &own, const QList<BranchRow> &all,
                        const ReadmeColumns &columns = {});
/// Its two parts: of the branch's recipes; of all branches, with `own` marked.
QByteArray variantTables(const Catalog &catalog, const BranchSnapshot &own, const ReadmeColumns &columns);
QByteArray branchTable(const QList<BranchRow> &all, const QString &own, const ReadmeColumns &columns);
/// The columns that a README's marker names; none if it has no marker. Error: that of of() for its words.
Result<ReadmeColumns> columnsIn(const QByteArray &readme);
/// The README with these columns in its first marker; unchanged if it has no markers.
QByteArray withColumns(const QByteArray &readme, const ReadmeColumns &columns);

/// `readme` with `tables` between its markers, with the newline style of the marker's line; all other bytes stay.
/// Error: no markers, only one, several, or the end before the beginning; `why` says which.
Result<QByteArray> withTables(const QByteArray &readme, const QByteArray &tables, const QString &subject);
bool hasMarkers(const QByteArray &readme);
/// The line (from 1) of the first marker in a code block, where it is ignored; 0 if there is none.
int markerInCode(const QByteArray &readme);

/// Where to insert markers in a README without them: below the heading about variants, else before the first section.
struct MarkerPlace {
    int line = 0;  ///< insert before this line, from 1; one more than the number of lines: at the end
    QString words; ///< "below \"## Variants\"", "at the end"
};
MarkerPlace proposedPlace(const QByteArray &readme);
/// The README with empty markers at that place.
QByteArray withMarkers(const QByteArray &readme, const MarkerPlace &place);

} // namespace tmx
