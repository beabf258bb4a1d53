// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/history/BuildHistory.h"
#include "model/job/Publish.h"
#include "model/outcome/BuildState.h"
#include "model/snapshot/BranchSnapshot.h"

#include <functional>

namespace tmx {

/// The user's options for publishing.
struct PublishWish {
    QStringList variants;
    QString organisation; ///< empty: the last one, else flox's default
    QString stability;    ///< stability of nixpkgs, for recipes without a pin; empty: flox's default
    bool again = false;   ///< publish again what is published and unchanged
};

struct PublishItem {
    QString package;
    QString blob; ///< blob of its committed recipe
    QString as;   ///< "ORG/NAME" if it was published and its recipe has not changed since; empty: must be published
    bool operator==(const PublishItem &) const = default;
};

/// The variants that are built and not published, in the grid's order.
QStringList unpublished(const BranchSnapshot &snapshot, const QHash<QString, BuildState> &states);

/// The variants that are built and not published as the wish says: in its organisation, if it names one; with `again`,
/// published or not. For workers.
QStringList unpublished(const BranchSnapshot &snapshot, const PublishWish &wish);

/// How many recipes of a branch are published.
struct PublishedCount {
    int published = 0; ///< number of recipes that are published and have not changed since
    int recipes = 0;   ///< number of the branch's recipes
};
/// For workers. Errors: the history cannot be opened.
Result<PublishedCount> countPublished(const QString &workTree, const BranchSnapshot &snapshot);

/// What publishing would do; computed before flox publishes the first package.
struct PublishPlan {
    QString flox; ///< path of the program; empty if it is missing
    QString workTree;
    QString branch;
    QString organisation;
    QString stability;
    QList<PublishCondition> conditions;
    QList<PublishItem> items; ///< in the order of wish
    PublishedCount count;
    QString notice; ///< a sentence if a damaged history was replaced

    [[nodiscard]] qsizetype left() const; ///< number of packages to publish
};
/// Queries git, flox and the history: for workers. Errors: the branch has no such variant, the history cannot be
/// opened.
Result<PublishPlan> planPublish(const QString &workTree, const BranchSnapshot &snapshot, const PublishWish &wish);

/// The result for one package.
struct PublishedPackage {
    PublishEnd end = PublishEnd::Failed;
    QString as;        ///< "ORG/NAME"
    QString condition; ///< Failed: PublishCondition::id of what did not hold, else "build" or "flox"; "stopped"
    QString sentence;  ///< Failed: why, and where flox's output is
};
/// Calls flox for one item. Saves its output in the state folder and the result in the history. Blocks until flox has
/// ended or `stop` returns true: for workers. Errors: the history cannot be written, although the package is published.
Result<PublishedPackage> publishOne(const PublishPlan &plan, const PublishItem &item,
                                    const std::function<bool()> &stop = {});

} // namespace tmx
