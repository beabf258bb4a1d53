// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/job/BuildStates.h"
#include "model/snapshot/BranchSnapshot.h"

namespace tmx {

/// The working tree as jobs name it.
QString canonicalRepository(const QString &workTree);

/// Identifies what a recipe builds, as Job::recipeId(): comments and blanks of it and of what it imports do not matter.
QString buildIdentity(const RecipeSource &source, qsizetype digits);
/// Whether a recorded build, of whose recipe this is the identity, built the same. Earlier versions of the program
/// recorded an identity of all bytes.
bool isBuildOf(const QString &identity, const RecipeSource &source);

/// Meaning::exact of what is shown or committed of a recipe, in hexadecimal digits, as Job::meaning: a changed row of a
/// table in lib/ matters only to the recipes that take it. Empty if it is unknown, or if it is not all that is built.
QString meaningOf(const VariantEntry &entry, const RecipeSource &source);

/// Whether the recipe, or what it imports, differs in the working tree from what a job of its commit builds.
bool hasUnbuiltChanges(const VariantEntry &entry);

/// The recipe as it is shown: with uncommitted changes, as it is in the working tree.
RecipeSource shownSource(const BranchSnapshot &snapshot, const VariantEntry &entry);
/// What isBuildOf() takes for a source of the recipe, buildIdentity() first, and meaningOf(): Job::buildsOneOf(). Empty
/// without a text.
QStringList identitiesOf(const VariantEntry &entry, const RecipeSource &source, qsizetype digits);
/// Those of shownSource().
QStringList shownIdentities(const BranchSnapshot &snapshot, const VariantEntry &entry);

/// The paths of a recipe and of what it imports.
QStringList filesOf(const VariantEntry &entry);

/// buildStates() of the branch's recipes. `byLinks`: set to true if the dates of files were asked (BuildStates.h).
QHash<QString, BuildState> buildStates(const BranchSnapshot &snapshot, const QList<JobRecord> &jobs,
                                       const OtherBuilds &other = {}, bool *byLinks = nullptr);

} // namespace tmx
