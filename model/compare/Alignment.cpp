// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/compare/Alignment.h"

#include "model/git/TextDiff.h"

#include <algorithm>

namespace tmx {

namespace {

int lineCount(const QByteArray &text)
{
    return int(text.count('\n')) + (text.isEmpty() || text.endsWith('\n') ? 0 : 1);
}

} // namespace

QList<AlignedLine> alignTexts(const QByteArray &left, const QByteArray &right)
{
    QList<AlignedLine> aligned;
    const int all = std::max(lineCount(left), lineCount(right));
    if (left == right) {
        for (int line = 1; line <= all; ++line)
            aligned.append({line, line, false});
        return aligned;
    }
    QList<int> removed;
    QList<int> added;
    int lastLeft = 0;
    int lastRight = 0;
    const auto flush = [&] {
        for (qsizetype i = 0; i < std::max(removed.size(), added.size()); ++i)
            aligned.append({removed.value(i), added.value(i), true});
        removed.clear();
        added.clear();
    };
    // With unlimited context there is a single hunk.
    for (const DiffLine &line : diffTexts(left, right, all)) {
        switch (line.kind) {
        case DiffLine::Kind::HunkHeader: break;
        case DiffLine::Kind::Removed: removed.append(lastLeft = line.oldLine); break;
        case DiffLine::Kind::Added: added.append(lastRight = line.newLine); break;
        case DiffLine::Kind::Context:
            // "No newline at end of file" has the number of the line before it.
            if (line.oldLine <= lastLeft || line.newLine <= lastRight)
                break;
            lastLeft = line.oldLine;
            lastRight = line.newLine;
            flush();
            aligned.append({line.oldLine, line.newLine, false});
            break;
        }
    }
    flush();
    return aligned;
}

} // namespace tmx
