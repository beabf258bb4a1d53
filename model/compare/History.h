// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"
#include "model/git/CommitReader.h"
#include "model/recipe/RecipeFacts.h"

#include <functional>
#include <memory>

namespace tmx {

/// One fact that a commit changed. Empty: not stated.
struct FactChange {
    QString id;
    QString label;
    QString before;
    QString after;
    bool operator==(const FactChange &) const = default;
};

/// A commit that touched a recipe, and its effect on the facts.
struct HistoryStep {
    FileRevision revision;
    std::optional<QByteArray>
        before; ///< the text before the commit; nullopt: the commit added the recipe, or the old content was not text
    QList<FactChange> changes; ///< in the order of facts in recipes; empty if only other words changed
    bool cameBack = false;     ///< the commit added the recipe again after an older commit deleted it
    bool cutOff = false;       ///< a shallow clone ends at this commit: what was before it is unknown
    QString imported = {}; ///< the changed file, if the recipe only imports it: `revision` and `before` have its texts,
                           ///< `changes` are the recipe's
    int reach = 0;         ///< number of recipes that import that file
};

/// The commits that touched a variant's recipe or what it imports.
struct CellHistory {
    QString name;
    QString branch;
    QList<HistoryStep> steps; ///< newest first
    bool more = false;        ///< older ones exist
    QString file = {};        ///< the recipe's current or last path
};

/// The facts that differ between two texts. A missing text states no facts.
QList<FactChange> changedFacts(const std::optional<QByteArray> &before, const std::optional<QByteArray> &after);

/// The history of `name` (a variant, or the name of a recipe's file) on a branch or any revision; empty: of HEAD. At
/// most `limit` steps. Follows renames from and to other names: an old form for the same variant, or a file with the
/// same text. For workers. Errors: as CommitReader; no commit ever had such a recipe.
Result<CellHistory> historyOf(const Catalog &catalog, const QString &path, const QString &branch, const QString &name,
                              int limit, const std::function<bool()> &stop = {});

} // namespace tmx
