// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/BranchSnapshot.h"

namespace tmx {

/// How to name a finding: "NAME:RULE" or, where the rule has several in one recipe, "NAME:RULE:LINE". NAME is the
/// variant's, the file's, or the file's path.
QString findingName(const VariantEntry &entry, const Finding &finding);

/// The recipe that is there under that name: the variant's, the file's (an old form, perhaps), or the file's path.
/// nullptr: none.
const VariantEntry *presentEntry(const BranchSnapshot &snapshot, const QString &name);

/// The path of a file under that name that claims a cell beside its recipe, or is no variant's; empty: none.
QString furtherFile(const BranchSnapshot &snapshot, const QString &name);

/// Whether rendering the recipe anew could resolve it: not a finding of the file's name, cell or kind.
bool isOfText(const Finding &finding);

} // namespace tmx
