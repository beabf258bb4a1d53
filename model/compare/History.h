// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"
#include "model/recipe/RecipeFacts.h"
#include "model/repository/CommitReader.h"

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

/// A commit that touched a recipe, and what that meant.
struct HistoryStep {
    RecipeRevision revision;
    std::optional<QByteArray>
        before; ///< the text before the commit; nullopt: the recipe came with it, or what was there is no text
    QList<FactChange> changes; ///< in the order in which recipes tell their facts; empty where only words changed
    bool cameBack = false;     ///< the recipe came with it, and there was one that an older commit deleted
};

/// The commits that touched a variant's recipe.
struct CellHistory {
    QString name;
    QString branch;
    QList<HistoryStep> steps; ///< newest first
    bool more = false;        ///< there are older ones
    QString file = {};        ///< whose history it is: the recipe's, under the name that it has now or had last
};

/// What is different in what two texts say. Without a text nothing is said.
QList<FactChange> changedFacts(const std::optional<QByteArray> &before, const std::optional<QByteArray> &after);

/// The history of `name` (a variant, or the name of a recipe's file) on a branch or any revision; empty: of HEAD. At
/// most `limit` steps. A file that had another name, in an old form for the same variant or with the same text, is
/// followed, and so is one that was given another name since. For workers. Errors: as CommitReader; no commit ever had
/// such a recipe.
Result<CellHistory> historyOf(const Catalog &catalog, const QString &path, const QString &branch, const QString &name,
                              int limit, const std::function<bool()> &stop = {});

} // namespace tmx
