// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

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

/// What is wrong with an edited line, in one sentence, and how many variants it promises.
struct LineVerdict {
    QString problem; ///< empty: it can be saved
    QString warning; ///< of one that can be saved: a version that its pin does not hold; empty: none
    int promised = 0;
    int impossible = 0; ///< of those: a line may insist on variants that cannot exist
    bool operator==(const LineVerdict &) const = default;
};

/// Pure: writes the line, reads it back as whoever opens the branch will, and counts.
LineVerdict judgeLine(const Catalog &catalog, const Line &line);

/// Errors: a line that cannot be saved, with judgeLine's sentence; those of reading the branch.
Result<LineOffer> offerLine(const std::shared_ptr<const Catalog> &catalog, const QString &path, const QString &branch,
                            const Line &line);

/// Commits the file, it alone. Errors: the file or the branch has changed since, those of Repository::commitEdits.
Result<WriteReport> commitLine(const QString &path, const LineOffer &offer);

/// "pytorch/pinned-overlays-gpu", ...: templates that recipes of a family can be rendered from, sorted.
/// The user's own among them. Looks at the disk: for workers.
QStringList templatesOf(const Catalog &catalog, const QString &family);
QHash<QString, QStringList> templatesByFamily(const Catalog &catalog);

} // namespace tmx
