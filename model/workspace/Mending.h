// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/Rewrite.h"

namespace tmx {

enum class MendingWay {
    InPlace, ///< the bytes that the finding is about, and no other
    Anew,    ///< the whole recipe, from the line's template
};

/// How to name a finding: "NAME:RULE" or, where the rule has several in one recipe, "NAME:RULE:LINE". NAME is the
/// variant's, the file's, or the file's path.
QString findingName(const VariantEntry &entry, const Finding &finding);

/// The recipe that is there under that name: the variant's, the file's (an old form, perhaps), or the file's path.
/// nullptr: none.
const VariantEntry *presentEntry(const BranchSnapshot &snapshot, const QString &name);

/// The path of a file under that name that claims a cell beside its recipe, or is no variant's; empty: none.
QString furtherFile(const BranchSnapshot &snapshot, const QString &name);

/// Whether rendering the recipe anew could mend it: not what is wrong with the file's name, cell or kind.
bool isOfText(const Finding &finding);

/// What mends the findings that `finding` names, one after the other. Pure. Errors: no such recipe, no such finding,
/// one that cannot be mended safely (the remedy is the audit's advice), no template to render it anew from.
Result<RewriteOffer> offerNamed(const std::shared_ptr<const Catalog> &catalog,
                                const std::shared_ptr<const BranchSnapshot> &snapshot, const QString &finding,
                                MendingWay way = MendingWay::InPlace);

} // namespace tmx
