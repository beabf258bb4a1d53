// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/ChangeSet.h"
#include "model/snapshot/BranchSnapshot.h"
#include "model/snapshot/RecipeCache.h"

namespace tmx {

class Preparation;

/// Creates missing recipes, from the branch's templates or like one of its recipes.
struct GenerateRequest {
    QString branch;
    QStringList names; ///< variants
    bool all = false;  ///< in addition to `names`, all variants that the settings cover and the branch lacks; with
                       ///< Until::Commit also those that are already written or staged with the template's text
    ChangeSet::Until until = ChangeSet::Until::Index; ///< must be Commit for a branch that is not checked out
    QString message;                                  ///< commit message; empty: the default
    QString like = {};   ///< a recipe of the branch: its text is used, with the variant's facts exchanged
    bool leaves = false; ///< of several recipes leaves out those that cannot be made or have errors, with warnings
    bool operator==(const GenerateRequest &) const = default;
};

Result<QList<ChangeSet>> prepared(const Preparation &preparation, const GenerateRequest &request);

/// The variant with this name. Errors: not a canonical name; a variant that cannot exist, with the reason.
Result<Variant> variantNamed(const Catalog &catalog, const QString &name);
/// The error of `action` for a recipe that the branch does not have; a usage error if no variant has such a name.
Error noRecipe(const Catalog &catalog, const QString &action, const QString &name, const BranchSnapshot &snapshot);

/// The error of `action` for a new variant whose word after the row is neither an instruction set nor a word of the
/// branch's recipes, which have instruction sets: it is mistyped, or the catalog lacks it. nullopt for others.
std::optional<Error> unknownWord(const Catalog &catalog, const QString &action, const Variant &variant,
                                 const BranchSnapshot &snapshot);

/// The recipes of `names` from the branch's templates, or like its recipe `like`, each with its variant's name; writes
/// nothing. `warnings`, if set, gets what the user must check, and `errors` what the audit finds. Errors:
/// torch-matrix.toml cannot be read; those of variantNamed(); a template needs a value that the settings lack; those of
/// recipeLike().
Result<QList<std::pair<QString, QByteArray>>> renderRecipes(const RecipeCache &recipes, const BranchSnapshot &snapshot,
                                                            const QStringList &names, const QString &like = {},
                                                            QStringList *warnings = nullptr,
                                                            QStringList *errors = nullptr);

/// The recipes of the branch that can serve as GenerateRequest::like for the variant of that name, the most similar
/// first.
QStringList referencesFor(const Catalog &catalog, const BranchSnapshot &snapshot, const QString &name);

/// The default commit message for these: "Add pytorch-python313-cpu-avx2", "Add 12 recipes: ..."; `verb` is "Add" or
/// "Update".
QString commitMessageFor(const QStringList &names, const QString &verb = QStringLiteral("Add"));
/// The same with the verb that fits these recipes of the working tree: "Update" if one of them is committed already.
QString commitMessageFor(const BranchSnapshot &snapshot, const QStringList &names);

} // namespace tmx
