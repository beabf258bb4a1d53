// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/repository/OpenRepository.h"

#include <QByteArray>
#include <QList>

#include <optional>

namespace tmx {

/// The refs below a folder that can be read.
struct RefNames {
    QList<QByteArray> names;     ///< "refs/heads/main"
    std::optional<Error> packed; ///< why packed-refs cannot be read; `names` are those of its sound lines then
};

/// `folder`: "refs/heads/" or another one.
RefNames refsBelow(const OpenRepository &repository, const QByteArray &folder);

/// The refs with files of their own, broken ones too, which libgit2 leaves out of every list. Sorted.
QList<QByteArray> refFilesBelow(const OpenRepository &repository, const QByteArray &folder);

/// Why a branch cannot be read that is there, and how to restore it; right after the call that failed.
Error brokenBranch(const OpenRepository &repository, const QString &branch);

} // namespace tmx
