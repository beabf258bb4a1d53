// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"
#include "model/recipe/RecipeSource.h"

namespace tmx {

/// The files with the entries that the recipe selects from tables and that these lack: one for a GPU row, an
/// instruction set or a toolkit of the catalog, in the notation of its neighbours, with values that follow from the
/// catalog as the neighbours' values do. The same files if nothing is missing. `changed`, if set, gets the new texts by
/// path. Pure. Error: a table, with its line, whose key or some of whose values do not follow from the catalog.
Result<std::shared_ptr<const RecipeFiles>> withTableEntries(const Catalog &catalog,
                                                            const std::shared_ptr<const RecipeFiles> &files,
                                                            const QString &path, const QByteArray &text,
                                                            QMap<QString, QByteArray> *changed = nullptr);

} // namespace tmx
