// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/BranchSnapshot.h"

namespace tmx {

/// The text of a new recipe without words that are not true of its row and instruction set, which come from the recipes
/// that it was made from: boards of another row in a list, servers and their CPUs for a board with a CPU of its own,
/// CPUs of other machines, the class of another row's GPUs ("consumer"), praise of another instruction set. The
/// catalog's words take their place, or they are left out. Pure.
QByteArray withTrueWords(const RecipeCache &recipes, const BranchSnapshot &snapshot, const Variant &variant,
                         const QByteArray &text);

/// That lines of a new recipe may be true only of the row or instruction set of the recipe that it was made from, which
/// no word of the catalog replaces: "on older hardware without AVX-512 support". A sentence; empty if there are none.
/// Pure.
QString linesInDoubt(const Catalog &catalog, const BranchSnapshot &snapshot, const Variant &variant,
                     const QByteArray &text);

/// Whether no recipe of the variant's family has its instruction set or none has its row: then its text is in the words
/// of another, from `model` (a package), whose comments people check.
QString modelOfWords(const BranchSnapshot &snapshot, const Variant &variant);

} // namespace tmx
