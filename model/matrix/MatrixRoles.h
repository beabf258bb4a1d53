// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/qnamespace.h>

namespace tmx {

/// Roles of MatrixModel; views and delegates know these and never the model's type.
enum MatrixRole {
    RecipeStateRole = Qt::UserRole + 1, ///< int of RecipeState
    BuildPhaseRole,                     ///< int of BuildState::Phase
    BuildStepRole,                      ///< int
    BuildTotalRole,                     ///< int
    BuildWordRole,                      ///< QString, "40 %", "built"; empty without a build
    VariantNameRole,                    ///< QString, canonical name; empty where no variant can be named
    PackageRole,         ///< QString, what flox calls it: the canonical name but for a recipe in an old form
    ReasonRole,          ///< QString
    SearchTextRole,      ///< QString, what the text filter looks at: name, products, ISA title, words of both states
    FileRole,            ///< QString, the recipe's path, there or not
    PresentRole,         ///< bool: the recipe is there
    DimmedRole,          ///< bool: filtered out
    FitRole,             ///< int of Fit on the machine that the cells are coloured by; invalid when nothing is known
    FitWordRole,         ///< QString, "exact", "runs", "no"
    ProblemSeverityRole, ///< int of Severity, the gravest of the audit's errors and warnings; invalid without any
    ProblemCountRole,    ///< int, of errors and warnings
    ProblemWordRole,     ///< QString, "2 errors"; empty without any
    SpansRowRole,        ///< bool: the row has no instruction sets; each of its columns answers for its one cell
    RuleIdsRole,         ///< QString, ids of the rules whose findings it has; what "rule:" of the filter looks at
    PartsRole,           ///< QList<MatrixPart>, its variants; the roles above are of the first of them that can exist,
                         ///< but for SearchTextRole and RuleIdsRole, which have a line for each

    // Headers
    AxisIdRole,   ///< QString: "sm90", "avx512"; Qt::DisplayRole of a row begins with it
    SubtitleRole, ///< QString: "H100, H200, GH200", "x86"
};

} // namespace tmx
