// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QString>

namespace tmx {

enum class Severity {
    Note,    ///< information; no action is needed
    Warning, ///< builds, but differs in a minor way from what its name or the settings promise
    Error,   ///< does not build, or builds something else than its name says
};

/// A result of a rule for a recipe.
struct Finding {
    QString rule; ///< id of the rule: "gpu-targets-notation"
    Severity severity = Severity::Note;
    QString sentence;     ///< one sentence with its full stop
    int line = 0;         ///< from 1; 0: the file as a whole
    int column = 0;       ///< from 1, in bytes
    int length = 0;       ///< number of bytes; 0 = the file as a whole
    QString advice;       ///< what to do, a separate sentence
    bool fixable = false; ///< fixedText() can fix it in place
    QString file = {};    ///< imported file that it is in: ".flox/pkgs/lib/isa.nix"; empty: the recipe
    bool operator==(const Finding &) const = default;
};

/// "lib/isa.nix:12: SENTENCE" for a finding in an imported file, else its sentence.
QString placedSentence(const Finding &finding);

/// Whether both are one mistake: of one rule at one place of an imported file, whatever names of recipes the sentences
/// have.
bool isSamePlace(const Finding &a, const Finding &b);

/// The first error of `after` whose rule has none in `before`; nullptr if there is none.
const Finding *newError(const QList<Finding> &before, const QList<Finding> &after);

QString toString(Severity severity); ///< "error", "warning", "note": the words of audit --json

} // namespace tmx
