// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Finding.h"
#include "model/catalog/Catalog.h"

namespace tmx {

/// Rules for a branch as a whole; those in Audit.h are for one recipe. Pure and thread-safe.

/// Findings in settings. `former`: the settings that they were made from, whose pins are known to contain their
/// versions; null: there are none.
QList<Finding> auditSettings(const Catalog &catalog, const Settings &settings, const Settings *former = nullptr);

} // namespace tmx
