// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/Fit.h"
#include "model/outcome/BuildState.h"
#include "model/snapshot/BranchSnapshot.h"

namespace tmx {

/// One or two words for a state in cells, chips and counts: "current", "new" (for Untracked: git's word for a new
/// file).
QString stateWord(RecipeState state);
/// The same; for a Customised recipe with the number of differences: "3 differ"; "missing?" for a hole.
QString stateWord(const VariantEntry &entry);

/// Meaning of a state in one sentence, for the legend.
QString stateMeaning(RecipeState state);
QString buildMeaning(BuildState::Phase phase); ///< empty for None
QString fitMeaning(Fit fit);

/// "40 %", "queued", "built", "stopped"; empty for a cell that was never built.
QString buildWord(const BuildState &build);

/// "exact", "runs", "no": the word in a cell.
QString fitWord(Fit fit);

/// "Exact on box: Made for the ...": how a variant fits a machine, and why.
QString fitSentence(const FitVerdict &verdict, const QString &machine);

/// "2 errors", "1 error, 3 warnings"; of several recipes "1 error in 1 recipe, 8 warnings in 753 recipes"; empty if
/// there are none.
QString problemText(const ProblemCounts &problems);
/// "error", "warning", "note": for people.
QString severityWord(Severity severity);

/// "just now", "5 min ago", "2 h ago", "3 days ago".
QString agoText(const QDateTime &when, const QDateTime &now);

/// Both states of a variant in one sentence: "pytorch-...-sm90-avx512: committed, the text that the template gives;
/// built 2 h ago."
QString cellSentence(const VariantEntry &entry, const BuildState &build,
                     const QDateTime &now = QDateTime::currentDateTime());
/// The same without the name, for a view whose heading has it.
QString stateSentence(const VariantEntry &entry, const BuildState &build,
                      const QDateTime &now = QDateTime::currentDateTime());
/// The same with a title instead of its name.
QString cellSentence(const QString &title, const VariantEntry &entry, const BuildState &build,
                     const QDateTime &now = QDateTime::currentDateTime());

/// The way of a recipe, as far as it is: "Recipe ✓  Committed ✓  Built 2 h ago ✓  Not verified  Not published"; empty
/// without a recipe.
QString wayText(const VariantEntry &entry, const BuildState &build,
                const QDateTime &now = QDateTime::currentDateTime());

} // namespace tmx
