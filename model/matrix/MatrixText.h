// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/VariantFilter.h"
#include "model/matrix/MatrixModel.h"

namespace tmx {

/// The grid as lines of text, columns aligned: for a terminal, and for tests. Dimmed cells are in parentheses, builds
/// in brackets: "sm90 Hopper  current [40 %]  missing". Ends with a newline; empty for an empty grid.
QString gridAsText(const QAbstractItemModel &model);

/// The grid of one slice of a branch.
QString gridAsText(const std::shared_ptr<const Catalog> &catalog, const std::shared_ptr<const BranchSnapshot> &snapshot,
                   const MatrixSlice &slice);

/// The grids of the slices of a branch that the filter accepts, with headings if there are several, and the counts
/// below.
QString branchAsText(const std::shared_ptr<const Catalog> &catalog,
                     const std::shared_ptr<const BranchSnapshot> &snapshot, const VariantFilter &filter = {});

} // namespace tmx
