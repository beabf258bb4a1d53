// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/matrix/MatrixPart.h"

class QModelIndex;

namespace tmx {

/// What a cell of the grid shows. Cells of one size with equal looks have equal pictures.
struct CellLook {
    bool dimmed = false;
    bool elsewhere = false;  ///< nothing is painted
    QList<MatrixPart> parts; ///< without what only tooltips and filters need; empty: no variant can exist here

    /// Reads MatrixRoles.
    static CellLook of(const QModelIndex &index);
    bool operator==(const CellLook &) const = default;
};

size_t qHash(const CellLook &look, size_t seed = 0);

} // namespace tmx
