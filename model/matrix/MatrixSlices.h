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

/// Those that an overview stands for, in their order; of any other slice that one alone.
QList<MatrixSlice> slicesIn(const MatrixSlice &slice, const QList<MatrixSlice> &slices);

/// What tells a slice from the others that an overview shows: "CUDA 13.0", or "Python 3.13, CUDA 13.0" where Pythons
/// are many too; and the same shorter, "3.13/13.0". Empty where nothing does.
QString titleIn(const MatrixSlice &overview, const MatrixSlice &one, const Catalog &catalog);
QString labelIn(const MatrixSlice &overview, const MatrixSlice &one);

/// "python313" -> "Python 3.13"; anything else as it is.
QString pythonTitle(const QString &id);

/// The one that shares most with `wanted` (family before Python before toolkit), the first of equals; empty when there
/// is none. An overview stays one of what there still are several of.
MatrixSlice nearestSlice(const QList<MatrixSlice> &slices, const MatrixSlice &wanted);

} // namespace tmx
