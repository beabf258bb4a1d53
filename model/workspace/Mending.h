// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Audit.h"
#include "model/base/Result.h"
#include "model/repository/BranchSnapshot.h"
#include "model/repository/TextDiff.h"

#include <memory>

namespace tmx {

/// A recipe's text before and after some of its findings are mended; to look at before it is written.
struct Mending {
    QString name; ///< of the variant
    QString file; ///< ".flox/pkgs/pytorch-....nix"
    QByteArray before;
    QByteArray after;
    QList<Finding> mended; ///< those that were chosen, as they were in `before`
    [[nodiscard]] QList<DiffLine> diff() const { return diffTexts(before, after); }
};

enum class MendingWay {
    InPlace, ///< the bytes that the finding is about, and no other
    Anew,    ///< the whole recipe, from the line's template
};

/// What the audit was asked of an entry of the snapshot, to ask it again.
AuditInput auditInputOf(const Catalog &catalog, const BranchSnapshot &snapshot, const VariantEntry &entry);

/// How to name a finding: "NAME:RULE" or, where the rule has several in one recipe, "NAME:RULE:LINE". NAME is the variant's, the file's, or
/// the file's path.
QString findingName(const VariantEntry &entry, const Finding &finding);

/// Mends the findings that `finding` names, one after the other. Pure. Errors: no such recipe, no such finding, one that cannot be mended
/// safely, no template to render it anew from.
Result<Mending> mendingOf(const Catalog &catalog, const BranchSnapshot &snapshot, const QString &finding,
                          MendingWay way = MendingWay::InPlace);

/// Writes the text into the work tree atomically, where the file still holds what the mending began from; else nothing is written.
/// For a worker.
Result<void> writeMending(const QString &repository, const Mending &mending);

} // namespace tmx
