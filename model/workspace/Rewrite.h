// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Finding.h"
#include "model/base/Result.h"
#include "model/repository/TextDiff.h"
#include "model/snapshot/BranchSnapshot.h"
#include "model/workspace/Operations.h"

namespace tmx {

/// A recipe's text, and another that could take its place. A value: made by a worker, shown, and applied or not.
struct RewriteOffer {
    QString name; ///< of the variant
    QString file;
    QString branch;
    QString commit; ///< of the branch, that it was made for
    bool checkedOut = false;
    QByteArray before;
    QByteArray after;
    QString subject; ///< of the commit, where it goes straight into one
    QList<DiffLine> diff;
    bool isUndo = false; ///< `before` is a text that this program made

    /// The way back.
    [[nodiscard]] RewriteOffer undone() const;
};

/// One finding mended in place. Errors: those of fixedText().
Result<RewriteOffer> offerFix(const std::shared_ptr<const Catalog> &catalog,
                              const std::shared_ptr<const BranchSnapshot> &snapshot, const VariantEntry &entry,
                              const Finding &finding);
/// The whole recipe as the line's template gives it. Error: there is no template.
Result<RewriteOffer> offerTemplate(const std::shared_ptr<const Catalog> &catalog,
                                   const std::shared_ptr<const BranchSnapshot> &snapshot, const VariantEntry &entry);

/// Puts `after` where `before` is. On the checked-out branch into the work tree, not committed; on any other straight
/// into a commit. In the work tree a text that no commit holds is kept first, and the report says where; of an undo's
/// it is not. Errors: the file holds something else than `before` by now, and those of Repository::writeRecipe and
/// commitEdits.
Result<WriteReport> applyOffer(const QString &path, const RewriteOffer &offer);

} // namespace tmx
