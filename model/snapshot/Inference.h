// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"
#include "model/snapshot/BranchContent.h"
#include "model/snapshot/RecipeCache.h"

#include <QMap>

namespace tmx {

/// What the recipes of one profile state for one value.
struct Evidence {
    ProfileKey key;
    QString field;          ///< field name in [[profile]]: "version", "nixpkgs", "template"
    QString value;          ///< the most common value; for "template", the one with the nearest rendering, or a learned
                            ///< one
    int agree = 0;          ///< number of recipes with that value; for "template", of cells whose rendering builds the
                            ///< same
    int of = 0;             ///< number of recipes that state a value; for "template", of rendered cells
    QStringList dissenters; ///< names of the packages that state another value
    QString like = {};      ///< for a learned template: the recipe that it was made from
    bool operator==(const Evidence &) const = default;
};

/// A value that no recipe states.
struct Unknown {
    QString key;  ///< key in torch-matrix.toml, for withSettingsKey(): "versions.pytorch"
    QString what; ///< part of a sentence: "the version of PyTorch"
    QString why;  ///< sentences: why it is unknown, and how to set it; may be empty
    bool operator==(const Unknown &) const = default;
};

/// The settings that the recipes of a branch have.
struct Inference {
    Settings settings; ///< a profile covers the cells that have a recipe
    int recipes = 0;   ///< number of recipes read
    QList<Evidence> evidence;
    QList<Unknown> unknowns;
    /// Cells without a recipe that similar cells have, by name of the variant, each with the reason in one sentence.
    QMap<QString, QString> holes;
    bool operator==(const Inference &) const = default;
};

/// Infers settings by a vote over the facts in recipes, not over their texts: for each family, Python and build, each
/// value that most recipes have. Values that no recipe states come from the catalog's settings for that nixpkgs
/// revision, or are unknown.
///
/// The template is the one whose rendering is nearest in meaning, tried on a few cells. If it does not give the build
/// of most of them, a template is learned from the recipes (learnedProfiles()). A hole is a possible cell whose recipe
/// was deleted by a commit of the branch, or that all other toolkits, all other Pythons, or most rows of the same
/// platforms have.
enum class WithTemplates { No, Yes }; ///< rendering each template takes the most time
Inference inferred(const RecipeCache &recipes, const BranchContent &content,
                   WithTemplates templates = WithTemplates::Yes);

/// The fields in which the recipes of some packages differ from most others of their profile.
struct Dissent {
    QStringList sentences;
    QStringList fields; ///< fields of Evidence
};
/// By package.
QHash<QString, Dissent> dissentOf(const Inference &inference);

/// "62 recipes were read, and 3 of them differ from the others. Unknown: the version of PyTorch (versions.pytorch)."
QString summaryOf(const Inference &inference);

/// Whether built-in settings describe the existing recipes: at least half of what they list is there, they cover at
/// least three in four recipes, they have every value that the recipes state, and they list every recipe that is
/// missing (holes).
bool agrees(const Settings &builtIn, const Inference &inference);

} // namespace tmx
