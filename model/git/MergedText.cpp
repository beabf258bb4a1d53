// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/MergedText.h"

#include "model/git/GitError.h"

#include <git2.h>

namespace tmx {

namespace {

bool isWordPart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c & 0x80) != 0;
}

/// One word, or one other character, on each line; an empty line for the end of a line.
QByteArray toLines(const QByteArray &text)
{
    QByteArray lines;
    lines.reserve(text.size() * 2);
    for (qsizetype at = 0; at < text.size(); ++at) {
        const char c = text.at(at);
        lines += c;
        if (c != '\n' && (!isWordPart(c) || at + 1 == text.size() || !isWordPart(text.at(at + 1))))
            lines += '\n';
    }
    return lines;
}

/// The text of such lines.
QByteArray fromLines(QByteArrayView lines)
{
    QByteArray text;
    text.reserve(lines.size());
    for (qsizetype at = 0; at < lines.size(); ++at) {
        if (lines.at(at) != '\n' || at == 0 || lines.at(at - 1) == '\n')
            text += lines.at(at);
    }
    return text;
}

git_merge_file_input inputOf(const QByteArray &lines)
{
    git_merge_file_input input = GIT_MERGE_FILE_INPUT_INIT;
    input.ptr = lines.constData();
    input.size = size_t(lines.size());
    return input;
}

} // namespace

std::optional<QByteArray> mergedWords(const QByteArray &base, const QByteArray &ours, const QByteArray &theirs)
{
    startGit();
    const QByteArray lines[] = {toLines(base), toLines(ours), toLines(theirs)};
    const git_merge_file_input inputs[] = {inputOf(lines[0]), inputOf(lines[1]), inputOf(lines[2])};
    git_merge_file_options options = GIT_MERGE_FILE_OPTIONS_INIT;
    options.flags = GIT_MERGE_FILE_DIFF_MINIMAL;
    git_merge_file_result result = {};
    if (git_merge_file(&result, &inputs[0], &inputs[1], &inputs[2], &options) < 0)
        return std::nullopt;
    std::optional<QByteArray> merged;
    if (result.automergeable != 0)
        merged = fromLines(QByteArrayView(result.ptr, qsizetype(result.len)));
    git_merge_file_result_free(&result);
    return merged;
}

} // namespace tmx
