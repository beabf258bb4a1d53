// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/CommitReader.h"
#include "model/git/OpenRepository.h"

namespace tmx {

/// See CommitReader::history.
Result<QList<RecipeRevision>> recipeHistory(const OpenRepository &repository, const QString &commit,
                                            const QString &path, const std::function<bool(const QString &)> &sameRecipe,
                                            int limit, const std::function<bool()> &stop);

/// See CommitReader::deletions.
Result<QList<DeletedRecipe>>
deletedRecipes(const OpenRepository &repository, const QString &commit,
               const std::function<bool(const QString &gone, const QString &come)> &takesItsPlace, int limit,
               const std::function<bool()> &stop);

} // namespace tmx
