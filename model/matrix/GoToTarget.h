// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/BranchSnapshot.h"

namespace tmx {

/// Something to go to by a few letters of its name.
struct GoToTarget {
    enum class Kind { Cell, Branch, View, Repository, Action };
    Kind kind = Kind::Cell;
    QString id;     ///< a variant's name, a branch, a path, or the number of a view or action
    QString text;   ///< to show, and searched
    QString detail; ///< the same
    bool operator==(const GoToTarget &) const = default;
};

/// The cells of a branch, with family, version and state as detail.
QList<GoToTarget> cellTargets(const BranchSnapshot &snapshot);

/// Those that contain every word of `words`, without regard to case, the best first, at most `most`: "90 512 2.9" finds
/// sm90 with avx512 of version 2.9. A word that is a whole part of the text counts more than one that ends or begins a
/// part, and that more than one within. Without words, the first ones. "_" and "." are the same.
QList<GoToTarget> matching(const QList<GoToTarget> &targets, const QString &words, qsizetype most = 100);

} // namespace tmx
