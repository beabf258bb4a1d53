// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/build/BuildHistory.h"
#include "model/build/Publish.h"
#include "model/snapshot/BranchSnapshot.h"

#include <functional>

namespace tmx {

/// What is to be published, as a user says it.
struct PublishWish {
    QStringList variants;
    QString organisation; ///< empty: that of the last time, else flox's own choice
    QString stability;    ///< of nixpkgs, for recipes without a pin; empty: flox's own choice
    bool again = false;   ///< what is published and has not changed, too
};

struct PublishItem {
    QString package;
    QString blob; ///< of its committed recipe
    QString as;   ///< "ORG/NAME": published before, and its recipe has not changed since; empty: it has to be published
    bool operator==(const PublishItem &) const = default;
};

/// How far a branch is published.
struct PublishedCount {
    int published = 0; ///< recipes
    int recipes = 0;   ///< that the branch has
};
/// For workers. Errors: the history cannot be opened.
Result<PublishedCount> countPublished(const QString &workTree, const BranchSnapshot &snapshot);

/// What publishing would do, before flox is called for the first package.
struct PublishPlan {
    QString flox; ///< path of the program; empty: it is not there
    QString workTree;
    QString branch;
    QString organisation;
    QString stability;
    QList<PublishCondition> conditions;
    QList<PublishItem> items; ///< in the order of the wish
    PublishedCount count;
    QString notice; ///< a sentence when a damaged history was set aside

    [[nodiscard]] qsizetype left() const; ///< how many have to be published
};
/// Asks git, flox and the history: for workers. Errors: the branch has no such variant, the history cannot be opened.
Result<PublishPlan> planPublish(const QString &workTree, const BranchSnapshot &snapshot, const PublishWish &wish);

/// What became of one package.
struct PublishedPackage {
    PublishEnd end = PublishEnd::Failed;
    QString as;       ///< "ORG/NAME"
    QString sentence; ///< Failed: why, and where flox's output is
};
/// Calls flox for one of them, keeps its output in the state folder and what came of it in the history. Blocks until
/// flox has ended or `stop` says so: for workers. Errors: the history cannot be written; it is published all the same.
Result<PublishedPackage> publishOne(const PublishPlan &plan, const PublishItem &item,
                                    const std::function<bool()> &stop = {});

/// What this account published of a branch, the newest first; nothing where there is no history. For workers.
QList<Publication> publicationsOf(const BranchSnapshot &snapshot);

} // namespace tmx
