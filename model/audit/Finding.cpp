// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Finding.h"

#include "model/recipe/RecipeSource.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

QString placedSentence(const Finding &finding)
{
    return finding.file.isEmpty() ? finding.sentence
                                  : u"%1:%2: %3"_s.arg(shownPath(finding.file)).arg(finding.line).arg(finding.sentence);
}

bool isSamePlace(const Finding &a, const Finding &b)
{
    return !a.file.isEmpty() && a.rule == b.rule && a.file == b.file && a.line == b.line;
}

const Finding *newError(const QList<Finding> &before, const QList<Finding> &after)
{
    const auto found = std::ranges::find_if(after, [&before](const Finding &finding) {
        return finding.severity == Severity::Error &&
               std::ranges::none_of(before, [&](const Finding &old) { return old.rule == finding.rule; });
    });
    return found == after.end() ? nullptr : &*found;
}

QString toString(Severity severity)
{
    switch (severity) {
    case Severity::Note: return QStringLiteral("note");
    case Severity::Warning: return QStringLiteral("warning");
    case Severity::Error: return QStringLiteral("error");
    }
    Q_UNREACHABLE_RETURN({});
}

} // namespace tmx
