// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/RepositoryNews.h"

#include <QStringList>

namespace tmx {

/// Work trees that were opened last, the latest first, at most nine; kept in the settings.
QStringList recentRepositories();
void rememberRepository(const QString &workTree);
void forgetRepository(const QString &workTree);

/// The branch that was shown last of a remembered work tree; empty: what is checked out, or not known.
QString shownBranch(const QString &workTree);
void rememberShownBranch(const QString &workTree, const QString &branch);

/// Where the branches of a remembered work tree were when it was seen last; empty: not known.
BranchTips seenTips(const QString &workTree);
void rememberTips(const QString &workTree, const BranchTips &tips);

} // namespace tmx
