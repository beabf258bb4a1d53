// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "app/verbs/Changes.h"
#include "model/change/BranchPlace.h"

namespace tmx {

/// The same change on several branches of one or more repositories: all are prepared before the first is applied.
struct ManyChanges {
    /// The change on one branch; `context` has its repository.
    std::function<Result<ChangeSet>(const VerbContext &context, const QString &branch)> prepare;
    std::function<void(const ChangeSet &)> show;        ///< prints it
    std::function<QJsonObject(const ChangeSet &)> json; ///< for --json
    bool apply = false;                                 ///< else only show
};

/// Prints all changes, or why one cannot be made; then nothing is written. Applies them in order, one commit a branch,
/// and reports each. `branches`: as BranchPlace::of() takes them.
Result<int> changeMany(const VerbContext &context, const QStringList &branches, const ManyChanges &many);

/// --in, which excludes --repo and `branchOption`.
CLI::Option *addManyOption(CLI::App &verb, std::vector<std::string> &branches, const char *branchOption);

} // namespace tmx
