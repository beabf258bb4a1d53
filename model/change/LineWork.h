// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/WorkHooks.h"
#include "model/change/Plan.h"
#include "model/change/SettingsChange.h"

#include <QHash>

namespace tmx {

/// What a commit is to make of a branch when its line changes, when a line is derived from it, or when recipes are
/// copied to it: steps to look at and choose from, and the text of each file before and after. A value.
struct LineWork {
    QString from;       ///< branch that it begins with
    QString fromCommit; ///< of that branch
    QString branch;     ///< that the commit is for
    QString commit;     ///< that `branch` is expected at; of a new one: the same as fromCommit
    bool newBranch = false;
    Line line;                                ///< of `branch` afterwards
    std::optional<QByteArray> lineFile;       ///< torch-matrix.toml afterwards; nullopt: it is not touched
    std::optional<QByteArray> lineFileBefore; ///< as it is; nullopt: there is none
    QList<PlanStep> steps;                    ///< by action, then in grid order
    QHash<QString, QByteArray> before;        ///< by path; as Repository::commitEdits expects it
    QHash<QString, QByteArray> after;         ///< by path
    QStringList dropped; ///< variants that the new line no longer promises, since they cannot exist
    QStringList warnings =
        {}; ///< what is known to be wrong with the new line, a sentence each: a version that its pin does not hold
    QStringList customised =
        {}; ///< of a derived line: paths whose recipe was customised on the old one, which is not carried over

    [[nodiscard]] QMap<PlanStep::Action, int> chosen() const;
    /// The chosen steps and the line's file.
    [[nodiscard]] QList<FileEdit> edits() const;
    bool operator==(const LineWork &) const = default;
};

/// A new branch with the whole of its line, from a commit's recipes (`content`, read without a work tree). Recipes of
/// the old line go, the new line's are rendered; other files stay as they are. The reason of a step says where the old
/// recipe was customised, since its changes are not carried over. Pure. Errors: a line that cannot be, a template that
/// asks for what the line has not; stoppedError().
Result<LineWork> derivedLine(const RecipeCache &cache, const BranchContent &content, const QString &branch,
                             const SettingsChange &change, const WorkHooks &hooks = {});

/// The same branch under a changed line: recipes that are as their template gives them are rendered anew; any other,
/// uncommitted ones included, has a Rewrite that is not chosen. Nothing is created or deleted. Pure. Errors as
/// derivedLine().
Result<LineWork> migratedLine(const RecipeCache &cache, const BranchSnapshot &snapshot, const BranchContent &content,
                              const SettingsChange &change, const WorkHooks &hooks = {});

/// Recipes for the cells of `names` (variants of the source), rendered for the line of `target`; a recipe that is there
/// and differs has a Rewrite that is not chosen. Pure. Errors: a name that the source has no recipe of, no place for it
/// on the target.
Result<LineWork> copiedRecipes(const RecipeCache &cache, const BranchSnapshot &source, const BranchSnapshot &target,
                               const QStringList &names);

/// LineWork with the steps of these names chosen as well. Error: a name without a step to choose.
Result<LineWork> alsoChosen(const LineWork &work, const QStringList &names);

/// "Derive cuda-13_1 from cuda-13_0: PyTorch 2.10.0, CUDA 13.1" and the like: the message offered for the commit.
QString messageForDeriving(const LineWork &work);
QString messageForMigrating(const LineWork &work);
QString messageForCopying(const LineWork &work);

} // namespace tmx
