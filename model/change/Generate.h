// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/BranchSnapshot.h"
#include "model/snapshot/RecipeCache.h"

namespace tmx {

/// The variant that `name` names. Errors: no canonical name; a variant that cannot exist, with the reason.
Result<Variant> variantNamed(const Catalog &catalog, const QString &name);
/// Why `action` cannot be done to a recipe that `branch` does not have: of usage where no variant has such a name.
Error noRecipe(const Catalog &catalog, const QString &action, const QString &name, const QString &branch);

/// The recipes of `names` from the branch's templates, or like its recipe `like`, each with its variant's name; nothing
/// is written. Errors: torch-matrix.toml cannot be read; those of variantNamed(); a template that needs a value the
/// settings lack; those of recipeLike().
Result<QList<std::pair<QString, QByteArray>>> renderRecipes(const RecipeCache &recipes, const BranchSnapshot &snapshot,
                                                            const QStringList &names, const QString &like = {});

/// The recipes of the branch that one for the variant of that name can be made of, as GenerateRequest::like takes them:
/// the likest first.
QStringList referencesFor(const Catalog &catalog, const BranchSnapshot &snapshot, const QString &name);

/// "Add pytorch-python313-cpu-avx2", "Add 12 recipes: ...": the message offered for a commit of these; `verb` is "Add"
/// or "Update".
QString commitMessageFor(const QStringList &names, const QString &verb = QStringLiteral("Add"));

} // namespace tmx
