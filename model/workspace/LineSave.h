// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/SaveSettings.h"
#include "model/repository/TextDiff.h"
#include "model/snapshot/BranchSnapshot.h"
#include "model/workspace/Operations.h"

namespace tmx {

/// torch-matrix.toml of a branch as it is, and as it would be. A value: made by a worker, shown, and committed or not.
struct LineOffer {
    QString branch;
    QString commit;                   ///< of the branch, that it was made for
    std::optional<QByteArray> before; ///< nullopt: there is no such file
    QByteArray after;
    QList<DiffLine> diff;
    int lostComments = 0; ///< lines with a comment of `before` that `after` no longer has
};

/// Errors: a line that cannot be saved, with judgeLine's sentence; those of reading the branch.
Result<LineOffer> offerLine(const std::shared_ptr<const Catalog> &catalog, const QString &path, const QString &branch,
                            const Line &line);

/// Commits the file, it alone. Errors: the file or the branch has changed since, those of Repository::commitEdits.
Result<WriteReport> commitLine(const QString &path, const LineOffer &offer);

} // namespace tmx
