// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"
#include "model/hardware/VariantPicker.h"

namespace tmx::test {

/// The recipes of a branch that holds all that its settings list.
inline QList<Candidate> recipesOf(const Line &line)
{
    QList<Candidate> recipes;
    for (const Variant &variant : line.promised())
        recipes.append(
            {variant, line.branch, variant.name(), Candidate::Recipe::Sound, true, line.baseOf(variant).version});
    return recipes;
}

/// What such a branch has to pick from; with `catalog` the other built-in branches are elsewhere.
inline PickChoice choiceOf(const Line &line, const Catalog *catalog = nullptr)
{
    PickChoice choice{.branch = line.branch, .candidates = recipesOf(line)};
    for (const QString &family : line.familyIds()) {
        for (const QString &python : line.pythons) {
            for (const CudaProfile &cuda : line.cudas)
                choice.kinds.append({family, python, cuda.version, {}, {}});
            choice.kinds.append({family, python, {}, {}, {}});
        }
    }
    for (const Line &other : catalog ? catalog->lines : QList<Line>()) {
        if (other.branch != line.branch)
            choice.elsewhere += recipesOf(other);
    }
    choice.allRead = catalog;
    return choice;
}

} // namespace tmx::test
