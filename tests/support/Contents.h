// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/git/GitValues.h"

#include <QString>
#include <QStringList>

#include <concepts>

namespace tmx::test {

inline QString word(FileStatus status)
{
    switch (status) {
    case FileStatus::Clean: return QStringLiteral("clean");
    case FileStatus::Modified: return QStringLiteral("modified");
    case FileStatus::Staged: return QStringLiteral("staged");
    case FileStatus::Untracked: return QStringLiteral("untracked");
    case FileStatus::Deleted: return QStringLiteral("deleted");
    }
    return {};
}

inline QString word(FileTrouble trouble)
{
    switch (trouble) {
    case FileTrouble::None: return {};
    case FileTrouble::Link: return QStringLiteral(" link");
    case FileTrouble::Folder: return QStringLiteral(" folder");
    case FileTrouble::TooLarge: return QStringLiteral(" too-large");
    case FileTrouble::NotText: return QStringLiteral(" not-text");
    case FileTrouble::Unreadable: return QStringLiteral(" unreadable");
    }
    return {};
}

/// "a.nix clean, b.nix untracked link": the content of a branch, with paths relative to .flox/pkgs; or the error's
/// sentence.
template <std::derived_from<BranchFiles> Content>
QString asText(const Result<Content> &content)
{
    if (!content)
        return content.error().sentence();
    QStringList words;
    for (const VersionedFile &file : content->files)
        words.append(file.path.mid(int(sizeof ".flox/pkgs/") - 1) + u' ' + word(file.status) + word(file.trouble));
    return words.join(QStringLiteral(", "));
}

} // namespace tmx::test
