// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/OpenRepository.h"

#include <QByteArray>

namespace tmx {

/// Notes a move of a branch in its log and, where it is checked out, in HEAD's, where git would
/// (core.logAllRefUpdates). One append each, as git does it: libgit2 would rewrite the log under a lock of its own.
/// A log that cannot be written is no reason to fail.
void appendReflog(const OpenRepository &repository, const QString &branch, bool checkedOut, const QString &before,
                  const git_oid &after, const git_signature &who, const QByteArray &message);

} // namespace tmx
