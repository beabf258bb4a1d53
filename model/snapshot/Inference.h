// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"
#include "model/repository/GitValues.h"
#include "model/snapshot/RecipeCache.h"

#include <QMap>

namespace tmx {

/// What the recipes of one profile say of one value.
struct Evidence {
    ProfileKey key;
    QString field;          ///< as [[profile]] names it: "version", "nixpkgs", "template"
    QString value;          ///< that most have; of "template", whose rendering is nearest, or a learned one
    int agree = 0;          ///< recipes with that value; of "template", cells whose rendering builds the same
    int of = 0;             ///< recipes that say anything of it; of "template", cells that were rendered
    QStringList dissenters; ///< names of the packages that say something else
    QString like = {};      ///< of a learned template: the recipe whose text it is made of
    bool operator==(const Evidence &) const = default;
};

/// What no recipe says.
struct Unknown {
    QString key;  ///< of torch-matrix.toml, as withLineKey() takes it: "versions.pytorch"
    QString what; ///< half a sentence: "the version of PyTorch"
    QString why;  ///< sentences: why it is not known, and what tells it; may be empty
    bool operator==(const Unknown &) const = default;
};

/// Settings as the recipes of a branch have them.
struct Inference {
    Settings settings; ///< a profile promises the cells that have a recipe
    int recipes = 0;   ///< that were read
    QList<Evidence> evidence;
    QList<Unknown> unknowns;
    /// By name of the variant: cells without a recipe that others like them have, each with the reason, a sentence.
    QMap<QString, QString> holes;
    bool operator==(const Inference &) const = default;
};

/// A vote over what the recipes state, never over their texts: for each family, Python and build each value that most
/// recipes have. Values that none states are as the settings of that nixpkgs revision in the catalog have them, or
/// unknown.
///
/// The template is the one whose rendering is nearest in meaning, tried on a few cells. Where it does not give the
/// build of most of them, a template is learned from the recipes (learnedProfiles()). A hole is a cell that can exist
/// and whose recipe a commit of the branch deleted, or that all other toolkits, all other Pythons or most rows of the
/// same platforms have.
enum class WithTemplates { No, Yes }; ///< rendering each template takes longest
Inference inferred(const RecipeCache &recipes, const BranchContent &content,
                   WithTemplates templates = WithTemplates::Yes);

/// In what the recipes of some packages differ from most others of their profile.
struct Dissent {
    QStringList sentences;
    QStringList fields; ///< of Evidence
};
/// By package.
QHash<QString, Dissent> dissentOf(const Inference &inference);

/// "62 recipes were read, and 3 of them differ from the others. Unknown: the version of PyTorch (versions.pytorch)."
QString summaryOf(const Inference &inference);

/// Whether built-in settings describe the recipes that are there: they promise three in four at least, and where the
/// recipes say something of a value, it is theirs; and none may be missing that they do not list.
bool agrees(const Settings &builtIn, const Inference &inference);

} // namespace tmx
