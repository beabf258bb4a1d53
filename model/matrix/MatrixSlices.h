// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/matrix/MatrixModel.h"

namespace tmx {

/// Each slice that a variant of the snapshot belongs to, once: families in the catalog's order, Pythons and toolkits in
/// the line's, others after them, newest first. A file that is no recipe (a package with a suffix, an empty folder)
/// opens none of its own. A family and Python without any toolkit has one slice, whose `cuda` is empty.
QList<MatrixSlice> slicesOf(const Catalog &catalog, const BranchSnapshot &snapshot);

/// Files of the snapshot that name a variant of none of the slices, so that no grid shows them.
QStringList filesOutsideSlices(const QList<MatrixSlice> &slices, const BranchSnapshot &snapshot);

/// The one that shares most with `wanted` (family before Python before toolkit), the first of equals; empty when there
/// is none.
MatrixSlice nearestSlice(const QList<MatrixSlice> &slices, const MatrixSlice &wanted);

} // namespace tmx
