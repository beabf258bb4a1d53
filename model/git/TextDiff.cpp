// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/TextDiff.h"

#include "model/base/WindowThread.h"
#include "model/git/GitError.h"
#include "model/git/GitHandles.h"

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

QString lineText(const git_diff_line &line)
{
    QByteArrayView text(line.content, qsizetype(line.content_len));
    if (text.endsWith('\n'))
        text.chop(1);
    return QString::fromUtf8(text);
}

DiffLine fromGit(const git_diff_line &line)
{
    DiffLine out;
    out.text = lineText(line);
    out.oldLine = qMax(line.old_lineno, 0);
    out.newLine = qMax(line.new_lineno, 0);
    switch (line.origin) {
    case GIT_DIFF_LINE_ADDITION: out.kind = DiffLine::Kind::Added; break;
    case GIT_DIFF_LINE_DELETION: out.kind = DiffLine::Kind::Removed; break;
    default: // Notes on a missing final newline have their own text.
        out.kind = DiffLine::Kind::Context;
        break;
    }
    return out;
}

} // namespace

QList<DiffLine> diffTexts(const QByteArray &before, const QByteArray &after, int context)
{
    belongsToAWorker("difference of two texts");
    startGit();
    git_diff_options options = GIT_DIFF_OPTIONS_INIT;
    options.context_lines = uint32_t(qMax(context, 0));
    options.flags = GIT_DIFF_FORCE_TEXT | GIT_DIFF_INDENT_HEURISTIC;

    GitPatch patch;
    if (obtain(patch, git_patch_from_buffers, before.constData(), size_t(before.size()), "recipe", after.constData(),
               size_t(after.size()), "recipe", &options) < 0)
        return {}; // Only fails if memory runs out.
    QList<DiffLine> lines;
    for (size_t h = 0; h < git_patch_num_hunks(patch.get()); ++h) {
        const git_diff_hunk *hunk = nullptr;
        size_t count = 0;
        if (git_patch_get_hunk(&hunk, &count, patch.get(), h) < 0)
            continue;
        lines.append({DiffLine::Kind::HunkHeader, hunk->old_start, hunk->new_start,
                      QString::fromUtf8(hunk->header, qsizetype(hunk->header_len)).trimmed()});
        for (size_t l = 0; l < count; ++l) {
            const git_diff_line *line = nullptr;
            if (git_patch_get_line_in_hunk(&line, patch.get(), h, l) == 0)
                lines.append(fromGit(*line));
        }
    }
    return lines;
}

} // namespace tmx
