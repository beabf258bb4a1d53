// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/OpenRepository.h"

#include <QByteArray>

namespace tmx {

/// Records a move of a branch in its reflog and, if it is checked out, in HEAD's, whenever git would
/// (core.logAllRefUpdates). Appends to each with one write, as git does: libgit2 would rewrite the log under its own
/// lock. Failing to write a log is not an error.
void appendReflog(const OpenRepository &repository, const QString &branch, bool checkedOut, const QString &before,
                  const git_oid &after, const git_signature &who, const QByteArray &message);

} // namespace tmx
