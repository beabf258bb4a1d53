// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/git/OpenRepository.h"

#include <QByteArray>
#include <QList>

#include <optional>

namespace tmx {

/// The readable refs below a folder.
struct RefNames {
    QList<QByteArray> names;     ///< "refs/heads/main"
    std::optional<Error> packed; ///< why packed-refs cannot be read; `names` then has the refs of its valid lines
};

/// `folder`: "refs/heads/" or another one.
RefNames refsBelow(const OpenRepository &repository, const QByteArray &folder);

/// The refs with files of their own, sorted. Includes broken ones, which libgit2 leaves out of every list.
QList<QByteArray> refFilesBelow(const OpenRepository &repository, const QByteArray &folder);

/// Why an existing branch cannot be read, and how to restore it. Call it directly after the call that failed.
Error brokenBranch(const OpenRepository &repository, const QString &branch);

} // namespace tmx
