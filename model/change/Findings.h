// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/BranchSnapshot.h"

#include <functional>

namespace tmx {

/// How to name a finding: "NAME:RULE" or, where the rule has several in one recipe, "NAME:RULE:LINE". NAME is the
/// variant's, the file's, or the file's path.
QString findingName(const VariantEntry &entry, const Finding &finding);

/// The recipe that is there under that name: the variant's, the file's (an old form, perhaps), or the file's path.
/// nullptr: none.
const VariantEntry *presentEntry(const BranchSnapshot &snapshot, const QString &name);

/// The path of a file under that name that claims a cell beside its recipe, or is no variant's; empty: none.
QString furtherFile(const BranchSnapshot &snapshot, const QString &name);

/// Whether another text could resolve it: not a finding of the file's name, cell or kind.
bool isOfText(const Finding &finding);

/// A recipe's text with findings fixed in place as far as they can be.
struct PartlyFixed {
    QByteArray text;
    QList<Finding> left;
    std::optional<Error> first; ///< why the first of `left` cannot be fixed
};
/// `text`, of the recipe `entry`, with the findings fixed that `which` is true for; every other byte stays.
PartlyFixed fixedAsFarAsPossible(const Catalog &catalog, const BranchSnapshot &snapshot, const VariantEntry &entry,
                                 const QByteArray &text, const std::function<bool(const Finding &)> &which);
/// "Not fixed: line 12, line 40: reason."
QString wordsOfLeft(const PartlyFixed &fixed);

} // namespace tmx
