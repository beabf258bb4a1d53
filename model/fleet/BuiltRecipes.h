// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/job/BuildStates.h"
#include "model/snapshot/BranchSnapshot.h"

namespace tmx {

/// The working tree as jobs name it.
QString canonicalRepository(const QString &workTree);

/// Identifies a recipe with what it imports: blobId() of its text if it imports nothing.
QString buildIdentity(const RecipeSource &source, qsizetype digits);

/// Whether the recipe, or what it imports, differs in the working tree from what a job of its commit builds.
bool hasUnbuiltChanges(const VariantEntry &entry);

/// The recipe as it is shown: with uncommitted changes, as it is in the working tree.
RecipeSource shownSource(const BranchSnapshot &snapshot, const VariantEntry &entry);
/// Its buildIdentity(); empty without a text.
QString shownIdentity(const BranchSnapshot &snapshot, const VariantEntry &entry);

/// The paths of a recipe and of what it imports.
QStringList filesOf(const VariantEntry &entry);

/// buildStates() of the branch's recipes.
QHash<QString, BuildState> buildStates(const BranchSnapshot &snapshot, const QList<JobRecord> &jobs,
                                       const OtherBuilds &other = {});

} // namespace tmx
