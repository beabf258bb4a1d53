// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Finding.h"
#include "model/catalog/VariantFacts.h"
#include "model/recipe/MeaningDifferences.h"
#include "model/repository/GitValues.h"

namespace tmx {

/// Everything that the recipe pane shows of one cell. A value, computed elsewhere: the pane asks nobody.
struct RecipePaneContent {
    QString name;                ///< canonical name of the variant
    QString stateSentence;       ///< "Committed, equal to what the line's template gives."
    QByteArray text;             ///< UTF-8: the recipe that is there, or that would be; empty where there can be none
    bool exists = false;         ///< a file holds it; false: the text is what the line's template gives
    bool canGenerate = true;     ///< Generate would write that text
    QList<DiffLine> againstHead; ///< from the committed text to `text`; empty when equal
    QList<DiffLine> againstTemplate;      ///< from the template's text to `text`; empty when equal
    QList<MeaningDifference> differences; ///< in what `text` differs from the template's text
    bool hasHead = false;                 ///< the recipe is in the last commit
    bool hasTemplate = false;             ///< the line's template gives a recipe for this variant
    QList<Finding> findings;              ///< what the audit says of `text`; none where no file holds it
    VariantFacts facts;
    QString file;     ///< path of the recipe, relative to the root of the work tree
    QString hardware; ///< who runs it, a sentence or a list: "H100, H200 with Intel Haswell or newer"
};

/// Whether a button of the pane can be pressed. `reason` is its tooltip: why not, or what it would do. `count`: of how
/// many selected cells; the button says it where it is more than one.
struct PaneAction {
    bool enabled = false;
    QString reason;
    int count = 1;
    bool operator==(const PaneAction &) const = default;
};

struct PaneActions {
    PaneAction generate;
    PaneAction commit;
    PaneAction build;
    bool operator==(const PaneActions &) const = default;
};

} // namespace tmx
