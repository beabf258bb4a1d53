// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/ChangeSet.h"
#include "model/snapshot/BranchSnapshot.h"
#include "model/snapshot/RecipeCache.h"

#include <functional>

namespace tmx {

/// The name of a finding: "NAME:RULE" or, if the rule has several in one recipe, "NAME:RULE:LINE". NAME is the file's
/// name; where a finding is looked up, it may also be the variant's name or the file's path.
QString findingName(const VariantEntry &entry, const Finding &finding);

/// The present recipe with that name: the variant's name, the file's name (possibly in an old form), or the file's
/// path. nullptr if there is none.
const VariantEntry *presentEntry(const BranchSnapshot &snapshot, const QString &name);

/// The path of a file with that name that claims a cell in addition to its recipe, or that is not a variant's; empty if
/// there is none.
QString furtherFile(const BranchSnapshot &snapshot, const QString &name);

/// Whether another text could resolve it: not a finding about the file's name, cell or kind.
bool isOfText(const Finding &finding);

using WantedFinding = std::function<bool(const Finding &)>;
/// The files that these recipes import and that have wanted findings, each fixed once for all recipes that import it: a
/// Rewrite that is chosen, or a Keep with the reason. No recipe gets an error; with Leaves::Nothing none keeps a wanted
/// one either.
enum class Leaves { Some, Nothing };
QList<ChangedFile> fixedImports(const RecipeCache &recipes, const BranchSnapshot &snapshot,
                                const QList<const VariantEntry *> &entries, const WantedFinding &isWanted,
                                Leaves leaves = Leaves::Some);

/// A recipe's text with as many findings fixed in place as possible.
struct PartlyFixed {
    QByteArray text;
    QList<Finding> left;
    std::optional<Error> first; ///< why the first of `left` cannot be fixed
};
/// The text of the recipe `entry` with the findings fixed for which `which` returns true; all other bytes stay.
PartlyFixed fixedAsFarAsPossible(const AuditInputs &inputs, const VariantEntry &entry, const QByteArray &text,
                                 const WantedFinding &which);
/// "Not fixed: line 12, line 40: reason."
QString wordsOfLeft(const PartlyFixed &fixed);

} // namespace tmx
