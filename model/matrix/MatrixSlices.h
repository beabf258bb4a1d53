// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/matrix/MatrixModel.h"

namespace tmx {

/// Each slice that a variant of the snapshot belongs to, once: families in the catalog's order, Pythons and toolkits in the line's, others
/// after them, newest first. A family and Python without any toolkit has one slice, whose `cuda` is empty.
QList<MatrixSlice> slicesOf(const Catalog &catalog, const BranchSnapshot &snapshot);

/// The one that shares most with `wanted` (family before Python before toolkit), the first of equals; empty when there is none.
MatrixSlice nearestSlice(const QList<MatrixSlice> &slices, const MatrixSlice &wanted);

} // namespace tmx
