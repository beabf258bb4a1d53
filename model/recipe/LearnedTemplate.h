// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"

#include <QByteArray>
#include <QVariantHash>

namespace tmx {

/// A recipe that somebody wrote, and the context of its variant (recipeContext()).
struct KnownRecipe {
    Variant variant;
    QByteArray text;
    QVariantHash context;
};

/// A recipe that the template does not give.
struct Dissenter {
    Variant variant;
    QString why; ///< lower case, without a full stop: "cmake_flags, environment differ"
    bool operator==(const Dissenter &) const = default;
};

/// A template in the words of the people who wrote a profile's recipes.
struct LearnedTemplate {
    QString text;            ///< in the language of templates/, includes nothing
    Variant reference;       ///< whose text it is made of
    QStringList conditions;  ///< facts of row or instruction set on which its shapes differ: "isa.lacks_avx2"
    int recipes = 0;         ///< that it was learned from
    int identical = 0;       ///< of which it gives the same bytes
    int same = 0;            ///< of which it gives the same build, `identical` among them
    QList<Dissenter> others; ///< all the rest, in the order of the recipes
};

/// Learns the template of one profile (recipes of one family, Python and toolkit, or CPU, or Metal). The recipes are
/// exchanged to one variant and grouped by what they build; the reference is of the largest group. Groups that a fact
/// of row or instruction set separates exactly become conditions of the template; what no condition fits is a
/// dissenter. The result is verified: it is rendered for every recipe, and compared by meaning. Pure; takes some
/// milliseconds for each recipe. Errors: no recipe; none of them can be turned into a template.
Result<LearnedTemplate> learnTemplate(const Catalog &catalog, const QList<KnownRecipe> &recipes);

} // namespace tmx
