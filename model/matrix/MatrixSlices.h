// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/matrix/MatrixModel.h"

namespace tmx {

/// Each slice that a variant of the snapshot belongs to, once: families in the catalog's order, Pythons and toolkits in
/// the settings' order, others after them, newest first. A file that is not a recipe (a package with a suffix, an empty
/// folder) adds no slice. A family and Python without any toolkit has one slice, whose `cuda` is empty.
QList<MatrixSlice> slicesOf(const Catalog &catalog, const BranchSnapshot &snapshot);

/// Files of the snapshot whose variants are in none of the slices, so that no grid shows them.
QStringList filesOutsideSlices(const QList<MatrixSlice> &slices, const BranchSnapshot &snapshot);

/// The slices that an overview includes, in their order; for any other slice only itself.
QList<MatrixSlice> slicesIn(const MatrixSlice &slice, const QList<MatrixSlice> &slices);

/// Distinguishes a slice from the others in an overview: "CUDA 13.0", or "Python 3.13, CUDA 13.0" if there are several
/// Pythons too; and a shorter form, "3.13/13.0". Empty if there are no others.
QString titleIn(const MatrixSlice &overview, const MatrixSlice &one, const Catalog &catalog);
QString labelIn(const MatrixSlice &overview, const MatrixSlice &one);

/// "python313" -> "Python 3.13"; anything else is unchanged.
QString pythonTitle(const QString &id);

/// Number of recipes that the slice lacks: missing ones, and holes.
int gapsIn(const BranchSnapshot &snapshot, const MatrixSlice &slice);
/// "also missing: 2 in CUDA 12.9 · 1 in Python 3.12, CUDA 12.8": what slices that are not shown lack; empty if nothing.
QString gapsBesides(const Catalog &catalog, const BranchSnapshot &snapshot, const QList<MatrixSlice> &slices,
                    const MatrixSlice &shown);

/// The overview of the slice's toolkits; if it has one, of its Pythons; else of the families. The slice itself if there
/// is no other.
MatrixSlice widerSlice(const MatrixSlice &slice, const QList<MatrixSlice> &slices);

/// The slice that is most similar to `wanted` (family before Python before toolkit), the first of equals; empty if
/// there is none. An overview stays an overview of each part that still has several values.
MatrixSlice nearestSlice(const QList<MatrixSlice> &slices, const MatrixSlice &wanted);

} // namespace tmx
