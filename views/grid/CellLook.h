// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/matrix/MatrixPart.h"

#include <QString>

class QModelIndex;

namespace tmx {

/// What a cell of the grid shows. Cells of one size with equal looks have equal pictures.
struct CellLook {
    RecipeState state = RecipeState::Unsupported;
    bool present = false;
    bool dimmed = false;
    QList<MatrixPart> parts; ///< of a cell with several; without the texts that only its tooltip has
    // A cell with one part:
    QString word;
    std::optional<Fit> fit;
    QString fitWord;
    int problems = 0;
    Severity gravest = Severity::Note; ///< of the problems
    QString problemWord;
    BuildState::Phase build = BuildState::Phase::None;
    int buildStep = 0;
    int buildTotal = 0;
    QString buildWord;

    /// Reads MatrixRoles.
    static CellLook of(const QModelIndex &index);
    /// Whether a variant can exist here, or does.
    [[nodiscard]] bool possible() const { return state != RecipeState::Unsupported || present; }
    bool operator==(const CellLook &) const = default;
};

size_t qHash(const CellLook &look, size_t seed = 0);

} // namespace tmx
