// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"
#include "model/hardware/VariantPicker.h"

namespace tmx::test {

/// The recipes of a branch that has everything its settings cover.
inline QList<Candidate> recipesOf(const Settings &settings)
{
    QList<Candidate> recipes;
    for (const Variant &variant : settings.promised())
        recipes.append({variant, settings.branch, variant.name(), Candidate::Recipe::Sound, true,
                        settings.profileOf(variant).version});
    return recipes;
}

/// The choice for such a branch; with `catalog`, the other built-in settings are branches elsewhere.
inline PickChoice choiceOf(const Settings &settings, const Catalog *catalog = nullptr)
{
    PickChoice choice{.branch = settings.branch, .candidates = recipesOf(settings)};
    for (const QString &family : settings.families()) {
        for (const QString &python : settings.pythons()) {
            for (const QString &cuda : settings.toolkits())
                choice.kinds.append({family, python, cuda, {}, {}});
            choice.kinds.append({family, python, {}, {}, {}});
        }
    }
    for (const Settings &other : catalog ? catalog->builtIn : QList<Settings>()) {
        if (other.branch != settings.branch)
            choice.elsewhere += recipesOf(other);
    }
    choice.allRead = catalog;
    return choice;
}

} // namespace tmx::test
