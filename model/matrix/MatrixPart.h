// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/matrix/Lens.h"

#include <QList>
#include <QMetaType>

namespace tmx {

/// One variant of a cell, for PartsRole: a cell has one, and in an overview one for each shown toolkit, Python and
/// family.
struct MatrixPart {
    QString title; ///< distinguishes it from the others: "CUDA 13.0"; empty if there are none
    QString label; ///< the same, shorter: "13.0"
    QString name;  ///< canonical; empty if the variant has no name
    QString package;
    QString word; ///< for the state: "current", "3 differ"
    RecipeState state = RecipeState::Unsupported;
    bool present = false;
    LensFace face;        ///< without what most of the grid's variants say
    std::set<Sign> signs; ///< what it can be filtered by
    bool dimmed = false;  ///< filtered out
    [[nodiscard]] bool possible() const { return state != RecipeState::Unsupported || present; }
    bool operator==(const MatrixPart &) const = default;
};

} // namespace tmx

Q_DECLARE_METATYPE(tmx::MatrixPart)
