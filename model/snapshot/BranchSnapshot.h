// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Finding.h"
#include "model/base/WorkHooks.h"
#include "model/catalog/Catalog.h"
#include "model/recipe/RecipeFacts.h"
#include "model/repository/GitValues.h"
#include "model/snapshot/Inference.h"
#include "model/snapshot/RecipeCache.h"
#include "model/snapshot/RecipeState.h"

#include <QMap>

#include <memory>

namespace tmx {

/// One variant of a branch: promised by the line, present as a file, or both.
struct VariantEntry {
    Variant variant;
    QString file; ///< path of the recipe that is there (in an old form of the name, perhaps), else where it would be
    RecipeState state = RecipeState::Missing;
    QString reason; ///< one sentence: why Unsupported, Broken, Duplicate; what else is worth knowing of the state; may
                    ///< be empty
    bool present = false; ///< `file` is there: in the commit, the index or the work tree
    bool covered = false; ///< the settings promise it
    bool hole = false;    ///< not there and not promised, but others like it are: "missing?"
    FileStatus fileStatus = FileStatus::Clean;
    QByteArray text;      ///< the recipe that is there (work tree's where that is read); empty when missing or deleted
    QByteArray committed; ///< its text in the commit
    QByteArray rendered;  ///< what the template gives, or of what is not committed recipeLikeItsNeighbours(); empty
                          ///< where neither can
    QString restoredFrom; ///< commit that `rendered` is taken from, where a commit after it deleted the recipe; empty:
                          ///< none
    QStringList duplicates;                   ///< further files that claim the same cell
    QList<Finding> findings;                  ///< what the audit says of `text`, the gravest first; none without a file
    std::shared_ptr<const RecipeFacts> facts; ///< what `text` says; null without a file
    std::shared_ptr<const Meaning> meaning;   ///< what `text` means; null without a file
    /// In what a Customised recipe differs from `rendered`; null for every other, and where nothing is rendered.
    std::shared_ptr<const QList<MeaningDifference>> differences;

    /// What flox calls the package: the file's name. The canonical name, but for a recipe that is still in an old form.
    [[nodiscard]] QString package() const;
    /// Why it is Broken, or would be were it no Duplicate; nullptr when it is not.
    [[nodiscard]] const Finding *firstError() const;
    /// Facts, meaning and differences are left out: they follow from the texts.
    bool operator==(const VariantEntry &other) const;
};

/// A file of the work tree that the commit does not hold as it is.
enum class Uncommitted {
    Changed, ///< the commit has another text of it
    Never,   ///< the commit has no such file: untracked, or only added to the index
};

/// Everything that is known of one branch at one moment. A value: made by a worker, shared as shared_ptr<const>, never
/// changed.
struct BranchSnapshot {
    QString repository; ///< root of the work tree
    QString branch;
    QString commit; ///< empty without a commit
    bool checkedOut = false;
    Settings line;
    Inference inference;                 ///< what `line` was inferred from; empty where it was not
    std::optional<Error> lineError;      ///< why torch-matrix.toml could not be read; `line` is without it then
    QMap<QString, VariantEntry> entries; ///< by canonical name; promised or present
    QStringList unrecognised; ///< files in .flox/pkgs that are no variant's recipe, with nothing assumed about them
    QHash<QString, QByteArray> fetchedTorch;     ///< of BranchContent
    QMap<QString, Uncommitted> uncommitted;      ///< by path; of a branch that is checked out
    QMap<QString, QList<Finding>> otherFindings; ///< by path: of the unrecognised, and of further files for a cell

    [[nodiscard]] const VariantEntry *find(const QString &name) const;
    [[nodiscard]] QMap<RecipeState, int> counts() const;
    bool operator==(const BranchSnapshot &) const = default;
};

/// The texts of the recipes that the working tree has, by file name, and of those that are fetched: what companions may
/// import.
QHash<QString, QByteArray> textsByName(const BranchSnapshot &snapshot);

enum class Templates { Rendered, LeftOut };

/// The settings of a branch.
/// - Those that its torch-matrix.toml describes. Where that cannot be read, `problem` says why and the branch has the
///   settings without it.
/// - The built-in settings of that name, where there are no recipes or the recipes agree with them (agrees()).
/// - Else what the recipes say together (inferred()); `evidence` gets it all. With Templates::LeftOut the templates are
///   not looked for.
Settings lineFor(const RecipeCache &recipes, const BranchContent &content, std::optional<Error> *problem = nullptr,
                 Inference *evidence = nullptr, Templates templates = Templates::Rendered);

/// Why `what`, a verb phrase such as "plan", cannot be done with a branch whose torch-matrix.toml was not read.
/// `problem`: of lineFor().
Error unreadSettings(const QString &what, const QString &branch, const Error &problem);

/// Pure: what was read of a branch + its line -> the snapshot.
///
/// Files and cells. A name that reads as a variant claims that variant's cell; a GPU recipe without a CUDA part is of
/// the line's toolkit when the line has one, else it is unrecognised. One file for a cell is its recipe, in whatever
/// form its name is; in an old form it is Customised (Broken where the audit has an error, as with a dot in the name),
/// and the reason says so. Two files are a Duplicate, and the canonical one, else the least odd, is the entry's. A name
/// with a suffix (-magma, -nightly) is a package of its own, never the cell's recipe: beside one it makes a Duplicate;
/// alone it leaves the cell Missing (NotCovered when not promised), listed under `duplicates`.
///
/// States. Every recipe that is there is audited (model/audit); the work tree's text where that was read. One with a
/// finding of severity error is Broken, and the reason is that finding's sentence: a file that cannot be read, or is no
/// Nix, has exactly one. One for a variant that cannot exist is Unsupported, unless the line insists on it; without
/// a recipe it is Unsupported although the line lists it. One that
/// has another text than the template gives, and no error, is Equivalent where both build the same (model/recipe/
/// Meaning), else Customised; so is one that no template can be held against. Warnings and notes do not count. One
/// whose merge is not resolved is Modified, whatever the audit finds.
///
/// With Templates::LeftOut nothing is rendered: `rendered` is empty, and what would be Current is Customised. Discard
/// the result where `hooks` asked to stop.
BranchSnapshot makeSnapshot(const RecipeCache &recipes, const QString &repository, const BranchContent &content,
                            Templates templates = Templates::Rendered, const WorkHooks &hooks = {});

/// What a finding of an entry is judged by again: its own line, and the recipes beside it. The snapshot and the catalog
/// must outlive it.
AuditInput auditInputOf(const Catalog &catalog, const BranchSnapshot &snapshot, const VariantEntry &entry);

} // namespace tmx
