// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/VariantFacts.h"
#include "model/git/TextDiff.h"
#include "model/snapshot/BranchSnapshot.h"

#include <QMetaType>

namespace tmx {

/// Whether an action on a cell is possible, and if not, why, in one sentence.
struct ActionState {
    bool enabled = false;
    QString reason;
    bool operator==(const ActionState &) const = default;
};

struct CellActions {
    ActionState generate;
    ActionState commit;
    ActionState build;
    bool operator==(const CellActions &) const = default;
};

/// A file that a recipe imports.
struct ImportedFile {
    QString path;
    QByteArray text;
    int users = 0; ///< recipes of the branch that import it
};

/// Everything that the recipe pane shows of one cell.
struct CellDetail {
    VariantEntry entry;
    VariantFacts facts;
    CellActions actions;
    QByteArray text; ///< the existing recipe, else the one that would be generated; empty for a cell that cannot exist
    bool exists = false;
    bool hasCommitted = false;
    bool hasTemplate = false;
    QList<ImportedFile> imported;
    QList<Fact> stated;          ///< what the existing recipe states, with the places
    QList<DiffLine> againstHead; ///< what it imports follows, each file after a header with its path
    QList<DiffLine> againstTemplate;
    QList<MeaningDifference> differences; ///< from the template's text to `text`
};

/// The actions that are possible on a cell of the snapshot.
CellActions actionsFor(const BranchSnapshot &snapshot, const VariantEntry &entry);

/// Collects the details and compares the texts. For a worker; pure.
CellDetail detailOf(const std::shared_ptr<const Catalog> &catalog,
                    const std::shared_ptr<const BranchSnapshot> &snapshot, const VariantEntry &entry);

} // namespace tmx
