// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"

#include <QVariant>

namespace tmx {

/// The header of a row ("sm90 Hopper", "H100, H200, GH200") or a column ("AVX-512", "x86") of the grid, for a role of
/// MatrixRoles.
QVariant gpuHeader(const Catalog &catalog, const QString &id, int role);
QVariant isaHeader(const Catalog &catalog, const QString &id, int role);

} // namespace tmx
