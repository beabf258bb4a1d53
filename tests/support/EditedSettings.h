// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"
#include "model/catalog/WrittenSettings.h"

namespace tmx::test {

/// The settings after changing their written form.
template <class Change>
Settings edited(const Settings &settings, const Catalog &catalog, Change change)
{
    WrittenSettings form = written(settings, catalog);
    change(form);
    Settings after = expanded(form, catalog, settings.branch, settings.source);
    after.smRows = settings.smRows;
    return after;
}

} // namespace tmx::test
