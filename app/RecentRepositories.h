// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/RepositoryNews.h"

#include <QStringList>

namespace tmx {

/// Recently opened working trees, the latest first, at most nine; kept in the settings.
QStringList recentRepositories();
void rememberRepository(const QString &workTree);
void forgetRepository(const QString &workTree);

/// The last shown branch of a remembered working tree; empty: the checked-out branch, or not known.
QString shownBranch(const QString &workTree);
void rememberShownBranch(const QString &workTree, const QString &branch);

/// The branches' commits when a remembered working tree was last seen; empty: not known.
BranchTips seenTips(const QString &workTree);
void rememberTips(const QString &workTree, const BranchTips &tips);

} // namespace tmx
