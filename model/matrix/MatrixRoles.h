// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/qnamespace.h>

namespace tmx {

/// Roles of MatrixModel; views and delegates know these and never the model's type.
enum MatrixRole {
    RecipeStateRole = Qt::UserRole + 1, ///< int of RecipeState
    BuildPhaseRole,   ///< int of BuildState::Phase
    BuildStepRole,    ///< int
    BuildTotalRole,   ///< int
    VariantNameRole,  ///< QString, canonical name; empty where no variant can be named
    ReasonRole,       ///< QString
    SearchTextRole,   ///< QString, what the text filter looks at: name, products, ISA title, state word
    FileRole,         ///< QString
    DimmedRole,       ///< bool: filtered out
};

} // namespace tmx
