// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QStringList>

namespace tmx {

/// The working trees that this account opened or added, the last opened first; kept with the application settings. The
/// window offers the first of them.
QStringList knownRepositories();
/// Puts a working tree first.
void rememberRepository(const QString &workTree);
/// Adds working trees that are not known yet, at the end.
void addRepositories(const QStringList &workTrees);
void forgetRepository(const QString &workTree);

/// The working trees with a folder .flox in or below `folder`: down to four levels, without following links and without
/// hidden folders. Sorted. Does not look below a working tree. For workers. Error: a folder could not be read.
Result<QStringList> repositoriesBelow(const QString &folder);

} // namespace tmx
