// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Finding.h"
#include "model/base/WorkHooks.h"
#include "model/catalog/Catalog.h"
#include "model/recipe/RecipeFacts.h"
#include "model/snapshot/BranchContent.h"
#include "model/snapshot/Inference.h"
#include "model/snapshot/RecipeCache.h"
#include "model/snapshot/RecipeState.h"

#include <QMap>

#include <memory>

namespace tmx {

/// One variant of a branch: covered by the settings, present as a file, or both.
struct VariantEntry {
    Variant variant;
    QString file; ///< path of the existing recipe (its name may be in an old form), else where it would be created
    RecipeState state = RecipeState::Missing;
    QString reason; ///< one sentence: why Unsupported, Broken or Duplicate, or another remark on the state; may be
                    ///< empty
    bool present = false; ///< `file` exists in the commit, the index or the working tree
    bool unread = false;  ///< its text in the commit could not be read
    bool covered = false; ///< the settings cover it
    bool hole = false;    ///< neither present nor covered, but similar variants are present: "missing?"
    FileStatus fileStatus = FileStatus::Clean;
    QByteArray text;      ///< text of the existing recipe (the working tree's if that is read); empty if missing or
                          ///< deleted
    QByteArray committed; ///< its text in the commit
    std::shared_ptr<const RecipeImports> imports;          ///< what `text` imports; null: nothing
    std::shared_ptr<const RecipeImports> committedImports; ///< what `committed` imports in the commit
    QByteArray rendered;    ///< the template's text; for an uncommitted recipe recipeLikeItsNeighbours(); empty if
                            ///< neither is possible
    QString renderError;    ///< why `rendered` is empty: one or two sentences; empty with Templates::LeftOut
    QString restoredFrom;   ///< commit that `rendered` was taken from, if a later commit deleted the recipe; else empty
    QString origin;         ///< of a recipe that is not there: from what `rendered` was made (originOfNew())
    QStringList duplicates; ///< extra files that claim the same cell
    QList<Finding> findings;                  ///< findings in `text`, the gravest first; empty without a file
    std::shared_ptr<const RecipeFacts> facts; ///< facts of `text`; null without a file
    std::shared_ptr<const Meaning> meaning;   ///< meaning of `text`; null without a file
    /// How a Customised recipe differs from `rendered`; null for all others, and if nothing is rendered.
    std::shared_ptr<const QList<MeaningDifference>> differences;

    [[nodiscard]] RecipeSource source() const { return {text, imports}; }
    [[nodiscard]] RecipeSource committedSource() const { return {committed, committedImports}; }
    /// The imported files that differ from the commit.
    [[nodiscard]] QStringList changedImports() const;
    /// Flox's name for the package: the file's name, or the path of attributes of one that is no variant. Equals the
    /// canonical name unless the recipe's name is in an old form.
    [[nodiscard]] QString package() const;
    /// Why it is Broken, or would be if it were no Duplicate; nullptr if it has no error.
    [[nodiscard]] const Finding *firstError() const;
    /// The Nix systems that it is for: of its instruction set; else what the recipe says, of its nixpkgs or in
    /// meta.platforms; else what its name says. Empty: unknown.
    [[nodiscard]] QStringList systems(const Catalog &catalog) const;
    /// Ignores facts, meaning and differences, which follow from the texts.
    bool operator==(const VariantEntry &other) const;
};

/// A file of the working tree that differs from the commit.
enum class Uncommitted {
    Changed, ///< the commit has another text
    Never,   ///< the commit does not have the file: untracked, or only added to the index
};

/// Everything known about one branch at one time. An immutable value: made by a worker, shared as shared_ptr<const>.
struct BranchSnapshot {
    QString repository; ///< root of the working tree
    QString branch;
    QString commit; ///< empty if there is no commit
    bool checkedOut = false;
    Settings settings;
    Inference inference; ///< what `settings` was inferred from; empty if it was not inferred
    std::optional<Error>
        settingsError; ///< why torch-matrix.toml could not be read; then `settings` was made without it
    QMap<QString, VariantEntry> entries; ///< by canonical name; covered or present
    QStringList unrecognised;            ///< files in .flox/pkgs that are not a variant's recipe
    /// The packages among them, by Flox's name: an attribute path, "tools.hello" for tools/hello.nix. Their variants
    /// have only a family, which is that name; they have facts on a branch without a matrix.
    QMap<QString, VariantEntry> packages;
    QHash<QString, QByteArray> fetchedTorch;     ///< from BranchContent
    std::shared_ptr<const RecipeFiles> files;    ///< BranchContent::shownFiles
    QMap<QString, Uncommitted> uncommitted;      ///< by path; for the checked-out branch
    QMap<QString, QList<Finding>> otherFindings; ///< by path: for unrecognised files, and for extra files of a cell

    [[nodiscard]] QString title() const { return branchTitle(branch, commit); }
    [[nodiscard]] const VariantEntry *find(const QString &name) const;
    /// Where a new recipe of the variant is written: in a folder of its own if all of its family are in one.
    [[nodiscard]] QString fileFor(const Variant &variant) const;
    /// Whether it has variants, or a torch-matrix.toml that may list some. One without has packages at most.
    [[nodiscard]] bool hasMatrix() const;
    /// The entry of a variant or of a package that is none.
    [[nodiscard]] const VariantEntry *findPackage(const QString &name) const;
    [[nodiscard]] QMap<RecipeState, int> counts() const;
    /// Ignores the files, which the entries name.
    bool operator==(const BranchSnapshot &other) const;
};

/// A finding, and the recipes that have it: one or, if it is in a file that they import, several.
struct SharedFinding {
    Finding finding; ///< of the first recipe
    QList<const VariantEntry *> recipes;
};
/// The findings of these recipes, those in the same place of an imported file once.
QList<SharedFinding> findingsOf(const QList<const VariantEntry *> &entries);

/// Number of findings that need an action, errors and warnings, no notes; and of the recipes that have them.
struct ProblemCounts {
    int errors = 0;
    int warnings = 0;
    int faulty = 0; ///< recipes with errors; 0 if one recipe was counted
    int warned = 0; ///< recipes with warnings; the same
    [[nodiscard]] int all() const { return errors + warnings; }
    bool operator==(const ProblemCounts &) const = default;
};
ProblemCounts problemsOf(const QList<Finding> &findings);
/// Of these recipes; what is in a file that several import counts once.
ProblemCounts problemsOf(const QList<const VariantEntry *> &entries);
/// Of all its recipes, and of files that are none.
ProblemCounts problemsOf(const BranchSnapshot &snapshot);

/// The texts of the recipes in the working tree, by file name, and of fetched ones: what companions may import.
QHash<QString, QByteArray> textsByName(const BranchSnapshot &snapshot);

enum class Templates { Rendered, LeftOut };

/// The settings of a branch:
/// - Those in its torch-matrix.toml. If that cannot be read, `problem` says why, and the settings are those without it.
/// - The built-in settings of that name, if there are recipes and they agree with them (agrees()).
/// - Else what the recipes state together (inferred()); `evidence` gets the details. Templates::LeftOut skips the
/// search for templates.
Settings settingsFor(const RecipeCache &recipes, const BranchContent &content, std::optional<Error> *problem = nullptr,
                     Inference *evidence = nullptr, Templates templates = Templates::Rendered);

/// What a matrix is, in one sentence.
QString aboutMatrices();
/// Why `what`, a verb phrase such as "plan", is impossible for a branch without a matrix. Nothing is invented for it.
Error noMatrix(const QString &what, const QString &branch);

/// Why `what`, a verb phrase such as "plan", is impossible for a branch whose torch-matrix.toml was not read.
/// `problem`: from settingsFor().
Error unreadSettings(const QString &what, const QString &branch, const Error &problem);

/// Makes a branch's snapshot from its content and settings. Pure.
///
/// Files and cells. A file whose name parses as a variant claims that variant's cell. A GPU recipe without a CUDA part
/// belongs to the settings' toolkit if they have exactly one, else it is unrecognised. A single file for a cell is its
/// recipe, in whatever form its name is; in an old form it is Customised (Broken if the audit finds an error, as for a
/// dot in the name), and the reason says so. Two files are a Duplicate; the entry has the one with the canonical name,
/// else the one with the least unusual name. A name with a suffix (-magma, -nightly) is a separate package, never the
/// cell's recipe: next to a recipe it makes a Duplicate; without one the cell is Missing (NotCovered if not covered),
/// and the file is listed in `duplicates`.
///
/// States. Every existing recipe is audited (model/audit), with the working tree's text if that was read. A recipe with
/// a finding of severity error is Broken, and the reason is that finding's sentence: a file that cannot be read, or is
/// not Nix, has exactly one. A recipe for a variant that cannot exist is Unsupported, unless the settings cover it;
/// without a recipe the cell is Unsupported even if the settings list it. A recipe without errors whose text differs
/// from the template's is Equivalent if both build the same (model/meaning/Meaning), else Customised; so is one that no
/// template can be compared with. Warnings and notes do not count. A recipe with an unresolved merge is Modified,
/// whatever the audit finds.
///
/// With Templates::LeftOut nothing is rendered: `rendered` is empty, and Current recipes are Customised. Discard the
/// result if `hooks` requested a stop.
BranchSnapshot makeSnapshot(const RecipeCache &recipes, const QString &repository, const BranchContent &content,
                            Templates templates = Templates::Rendered, const WorkHooks &hooks = {});

/// Makes the inputs to audit entries of a branch again: with its settings, and for a companion the recipes next to it.
/// The snapshot and the catalog must outlive it and them.
class AuditInputs
{
public:
    AuditInputs(const Catalog &catalog, const BranchSnapshot &snapshot);
    [[nodiscard]] AuditInput of(const VariantEntry &entry) const;
    /// The entry's recipe gets another text, which companions import.
    void replace(const VariantEntry &entry, const QByteArray &text);

private:
    const Catalog &m_catalog;
    const BranchSnapshot &m_snapshot;
    QHash<QString, QByteArray> m_siblings;
    QHash<QString, Dissent> m_dissent;
};

/// For one entry; what it needs of the whole branch is made for it alone.
AuditInput auditInputOf(const Catalog &catalog, const BranchSnapshot &snapshot, const VariantEntry &entry);

} // namespace tmx
