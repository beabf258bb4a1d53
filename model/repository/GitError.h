// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/base/Tr.h"

#include <QByteArray>

#include <git2.h>

namespace tmx {

/// Starts libgit2, once a process. Every entry into this folder calls it first.
void startGit();

/// Whether libgit2 does not get so many bytes at once: more than 64 MiB, which no recipe and no index of git needs, but
/// a few kilobytes of a prepared pack can ask for. gitWords() then say so.
bool isTooMuch(quint64 bytes);

/// What libgit2 says of the call that just failed on this thread. Only after rc < 0, and before any other call.
QString gitWords();

/// The error of a libgit2 call that just failed.
Error gitError(const QString &what, const QString &subject, const QString &remedy = {});

QString toHex(const git_oid &id);
/// The zero id for an empty text; nullopt for one that is no id.
std::optional<git_oid> fromHex(const QString &hex);

} // namespace tmx
