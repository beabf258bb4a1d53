// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"

namespace tmx {

/// Saves a template as "FAMILY/SHAPE" in the catalog's folder of user templates. Returns the path. Errors: an invalid
/// name; the name exists, unless `replace` is set; the folder cannot be written.
Result<QString> saveTemplate(const Catalog &catalog, const QString &name, const QString &text, bool replace);

} // namespace tmx
