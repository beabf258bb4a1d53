// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"

namespace tmx {

/// Writes a template as "FAMILY/SHAPE" into the catalog's folder of the user's templates. Gives the path. Errors: no
/// such name; there is one of that name, unless `replace`; the folder cannot be written.
Result<QString> saveTemplate(const Catalog &catalog, const QString &name, const QString &text, bool replace);

} // namespace tmx
