// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/qnamespace.h>

namespace tmx {

/// Roles of MatrixModel. Views and delegates use these and not the model's type.
enum MatrixRole {
    RecipeStateRole = Qt::UserRole + 1, ///< int of RecipeState
    BuildPhaseRole,                     ///< int of BuildState::Phase
    BuildWordRole,                      ///< QString, "40 %", "built"; empty if there is no build
    VariantNameRole,                    ///< QString, canonical name; empty if the variant has no name
    PackageRole,      ///< QString, flox's name for it: the canonical name, unless the recipe's name is in an old
                      ///< form
    ReasonRole,       ///< QString
    SearchTextRole,   ///< QString that the text filter searches: name, products, ISA title, words of both states
    FileRole,         ///< QString, the recipe's path, whether it exists or not
    PresentRole,      ///< bool: the recipe exists
    DimmedRole,       ///< bool: filtered out
    ProblemCountRole, ///< int, number of the audit's errors and warnings
    SpansRowRole,     ///< bool: the row has no instruction sets; all its columns show its one cell
    ElsewhereRole,    ///< bool: side by side, the variant is in the cell of another slice
    MarksRole,        ///< QString, "rule:ID" of its findings and "uses:FILE" of its imports, for the filter
    PartsRole,        ///< QList<MatrixPart>, its variants; the roles above are those of the first one that can
                      ///< exist, except for SearchTextRole and MarksRole, which have a line for each

    // Headers
    AxisIdRole,   ///< QString: "sm90", "avx512"; Qt::DisplayRole of a row begins with it
    SubtitleRole, ///< QString: "H100, H200, GH200", "x86"
    GroupRole,    ///< QString: "CUDA 12.9 · 2 missing", the slice of a column; empty if the columns are of one slice
};

} // namespace tmx
