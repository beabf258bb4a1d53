// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Finding.h"
#include "model/catalog/VariantFacts.h"
#include "model/meaning/MeaningDifferences.h"
#include "model/workspace/CellDetail.h"

namespace tmx {

/// Everything that the recipe pane shows of one cell. A plain value: other code computes it, and the pane queries
/// nothing.
struct RecipePaneContent {
    QString name;                ///< canonical name of the variant
    QString way;                 ///< the steps that are done and missing in one line; may be empty
    QString stateSentence;       ///< for example "Committed, equal to what the line's template gives."
    QByteArray text;             ///< UTF-8: the existing recipe, or the one that would be generated; empty if there can
                                 ///< be none
    bool exists = false;         ///< a file has this text; false: the template gives it
    bool canGenerate = true;     ///< Generate would write that text
    QList<DiffLine> againstHead; ///< from the committed text to `text`; empty when equal
    QList<DiffLine> againstTemplate;      ///< from the template's text to `text`; empty if equal
    QList<MeaningDifference> differences; ///< how `text` differs in meaning from the template's text
    bool hasHead = false;                 ///< the recipe is in the last commit
    bool hasTemplate = false;             ///< the line's template gives a recipe for this variant
    QList<Finding> findings;              ///< the audit's findings in `text`; none if no file has it
    QList<ImportedFile> imported;         ///< the files that it imports, by path
    QList<Fact> stated;                   ///< what is read in the recipe and in those
    VariantFacts facts;
    QString file;     ///< path of the recipe, relative to the root of the working tree
    QString hardware; ///< which hardware runs it, a sentence or a list: "H100, H200 with Intel Haswell or newer"
};

/// Whether a button of the pane is enabled. `reason` is its tooltip: why it is disabled, or what it would do. `count`:
/// how many selected cells it applies to; the button shows a count above one.
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
    PaneAction verify;
    PaneAction publish;
    bool operator==(const PaneActions &) const = default;
};

} // namespace tmx
