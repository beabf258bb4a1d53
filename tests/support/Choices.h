// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"
#include "model/hardware/VariantPicker.h"

namespace tmx::test {

/// The recipes of a branch that has everything its settings cover.
inline QList<Candidate> recipesOf(const Settings &line)
{
    QList<Candidate> recipes;
    for (const Variant &variant : line.promised())
        recipes.append(
            {variant, line.branch, variant.name(), Candidate::Recipe::Sound, true, line.profileOf(variant).version});
    return recipes;
}

/// The choice for such a branch; with `catalog`, the other built-in settings are branches elsewhere.
inline PickChoice choiceOf(const Settings &line, const Catalog *catalog = nullptr)
{
    PickChoice choice{.branch = line.branch, .candidates = recipesOf(line)};
    for (const QString &family : line.families()) {
        for (const QString &python : line.pythons()) {
            for (const QString &cuda : line.toolkits())
                choice.kinds.append({family, python, cuda, {}, {}});
            choice.kinds.append({family, python, {}, {}, {}});
        }
    }
    for (const Settings &other : catalog ? catalog->lines : QList<Settings>()) {
        if (other.branch != line.branch)
            choice.elsewhere += recipesOf(other);
    }
    choice.allRead = catalog;
    return choice;
}

} // namespace tmx::test
