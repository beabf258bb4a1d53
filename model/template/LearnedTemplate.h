// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"

#include <QByteArray>
#include <QVariantHash>

namespace tmx {

/// A recipe that people wrote, with the context of its variant (recipeContext()).
struct KnownRecipe {
    Variant variant;
    QByteArray text;
    QVariantHash context;
};

/// A recipe that the template does not reproduce.
struct Dissenter {
    Variant variant;
    QString why; ///< lower case, without a full stop: "cmake_flags, environment differ"
    bool operator==(const Dissenter &) const = default;
};

/// A template made from the recipes that people wrote for a profile.
struct LearnedTemplate {
    QString text;            ///< in the language of templates/, without includes
    Variant reference;       ///< variant of the recipe whose text it was made from
    QStringList conditions;  ///< facts of row or instruction set in which its shapes differ: "isa.lacks_avx2"
    int recipes = 0;         ///< number of recipes that it was learned from
    int identical = 0;       ///< number of recipes that it reproduces byte by byte
    int same = 0;            ///< number of recipes whose build it reproduces, including `identical`
    QList<Dissenter> others; ///< all other recipes, in their order
};

/// Learns the template of one profile (recipes of one family, Python and toolkit, or CPU, or Metal). The recipes are
/// exchanged to one variant and grouped by what they build; the reference comes from the largest group. Groups that a
/// fact of row or instruction set separates exactly become conditions of the template; recipes that fit no condition
/// become dissenters. The result is verified by rendering it for every recipe and comparing the meanings. Pure; takes
/// some milliseconds per recipe. Errors: no recipe; none of them can become a template.
Result<LearnedTemplate> learnTemplate(const Catalog &catalog, const QList<KnownRecipe> &recipes);

} // namespace tmx
