// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/BranchSnapshot.h"

namespace tmx {

/// The text of a new recipe in the words of its siblings: what those of its row and those of its instruction set say of
/// them, where they agree and it is true (withTrueWords()). The code stays the same, and the audit finds nothing more.
/// Uses only committed, unchanged recipes. Pure.
QByteArray inWordsOfSiblings(const RecipeCache &recipes, const BranchSnapshot &snapshot, const Variant &variant,
                             const QByteArray &text);

} // namespace tmx
