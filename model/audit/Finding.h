// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace tmx {

enum class Severity {
    Note,    ///< worth knowing; nothing has to be done
    Warning, ///< builds, and is not what its name or its line promises in some small way
    Error,   ///< does not build, or builds something else than its name says
};

/// Something that a rule has to say of a recipe.
struct Finding {
    QString rule; ///< id of the rule: "gpu-targets-notation"
    Severity severity = Severity::Note;
    QString sentence;     ///< one sentence with its full stop
    int line = 0;         ///< from 1; 0: the file as a whole
    int column = 0;       ///< from 1, in bytes
    int length = 0;       ///< of the bytes that it is about; 0 = the file as a whole
    QString advice;       ///< what to do, a sentence of its own
    bool fixable = false; ///< fixedText() can fix it in place
    bool operator==(const Finding &) const = default;
};

QString toString(Severity severity); ///< "error", "warning", "note": the words of audit --json

} // namespace tmx
