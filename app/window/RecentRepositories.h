// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/fleet/KnownRepositories.h"
#include "model/workspace/RepositoryNews.h"

#include <QStringList>

namespace tmx {

/// The first nine of knownRepositories().
QStringList recentRepositories();

/// The last shown branch of a remembered working tree; empty: the checked-out branch, or not known.
QString shownBranch(const QString &workTree);
void rememberShownBranch(const QString &workTree, const QString &branch);

/// The branches' commits when a remembered working tree was last seen; empty: not known.
BranchTips seenTips(const QString &workTree);
void rememberTips(const QString &workTree, const BranchTips &tips);

} // namespace tmx
