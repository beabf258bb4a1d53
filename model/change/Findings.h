// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/ChangeSet.h"
#include "model/snapshot/BranchSnapshot.h"
#include "model/snapshot/RecipeCache.h"

#include <functional>

namespace tmx {

class Preparation;

enum class FixWay {
    InPlace,    ///< only the bytes that the finding is about
    Regenerate, ///< the whole recipe, from the branch's template
};
/// Resolves a finding of the audit, or all findings of a rule.
struct FixRequest {
    QString branch;
    QString finding; ///< "NAME:RULE" or "NAME:RULE:LINE" (findingName()), "PLACE:LINE:COLUMN:RULE" as the audit prints
                     ///< places; for Regenerate "NAME" is enough
    FixWay way = FixWay::InPlace;
    QString rule = {};       ///< fix all findings of this rule, in place and in one commit; then `finding` is empty
    QStringList names = {};  ///< with `rule`: the recipes to look in; empty: all
    bool several = false;    ///< with `rule`: one of several branches, which need not have such a finding
    QString statedHash = {}; ///< for "NAME:hash-mismatch", which a build found: the hash that the recipe states
    QString rightHash = {};  ///< and the hash of its source; both as printed by Nix
    bool operator==(const FixRequest &) const = default;
};

/// Fixes one finding: the file is written if the branch is checked out, else committed. For a wrong hash that a build
/// found: as withRightHash(). For all findings of a rule: one commit; a recipe whose findings cannot be fixed in place
/// has a Keep with the reason, a recipe with uncommitted changes has a Rewrite that is not chosen; `warnings` name
/// both. Errors: no such finding, rule or recipe.
Result<QList<ChangeSet>> prepared(const Preparation &preparation, const FixRequest &request);

/// The name of a finding: "NAME:RULE" or, if the rule has several in one recipe, "NAME:RULE:LINE". NAME is the file's
/// name; where a finding is looked up, it may also be the variant's name or the file's path.
QString findingName(const VariantEntry &entry, const Finding &finding);

/// The present recipe with that name: the variant's name, the file's name (possibly in an old form), or the file's
/// path. nullptr if there is none.
const VariantEntry *presentEntry(const BranchSnapshot &snapshot, const QString &name);

/// The path of a file with that name that claims a cell in addition to its recipe, or that is not a variant's; empty if
/// there is none.
QString furtherFile(const BranchSnapshot &snapshot, const QString &name);

/// Whether the audit cannot say what a recipe has: it, or what it imports, is not Nix or is not there.
[[nodiscard]] bool isUnread(const VariantEntry &entry);
/// Which recipes cannot be read and why, the file that several import once.
[[nodiscard]] QStringList unreadSentences(const QList<const VariantEntry *> &entries);

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
