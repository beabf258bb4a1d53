// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/ChangeSet.h"
#include "model/git/CommitReader.h"

namespace tmx {

/// The programs of a repository that write its recipes, by path: text files outside .flox that name the folder of
/// recipes and have Nix of a recipe in them. Who runs one again may lose what another tool wrote. Error: as
/// CommitReader::forEachText.
Result<QStringList> recipeWriters(const CommitReader &reader, const QString &commit);

/// Warns of them if the change creates, rewrites or deletes recipes.
void nameWriters(const CommitReader &reader, ChangeSet &changes);

} // namespace tmx
