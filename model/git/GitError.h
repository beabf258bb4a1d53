// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/base/Tr.h"

#include <QByteArray>

#include <git2.h>

namespace tmx {

/// Starts libgit2, once per process. Every entry point of this folder calls it first.
void startGit();

/// Whether libgit2 is refused an allocation of that many bytes: more than 64 MiB, which no recipe or index needs, but
/// which a few kilobytes of a crafted pack can request. gitWords() then reports it.
bool isTooMuch(quint64 bytes);

/// libgit2's message for the call that just failed on this thread. Call it only after rc < 0, before any other call.
QString gitWords();

/// Whether the call that just returned `rc` failed because the system could not read, not because of what it read, or
/// because there is nothing.
bool isOfSystem(int rc);

/// The error of a libgit2 call that just failed.
Error gitError(const QString &what, const QString &subject, const QString &remedy = {});

QString toHex(const git_oid &id);
/// The zero id for an empty text; nullopt if the text is not an id.
std::optional<git_oid> fromHex(const QString &hex);

} // namespace tmx
