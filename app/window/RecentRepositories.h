// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/BranchPlace.h"
#include "model/fleet/KnownRepositories.h"
#include "model/matrix/OverviewModel.h"

#include <QStringList>

namespace tmx {

/// The first nine of knownRepositories().
QStringList recentRepositories();

/// The branches of this account's repositories, those of `own` first, without its branch `without`. For workers.
QList<BranchPlace> branchPlaces(const QString &own, const QString &without);

/// The last shown branch of a remembered working tree; empty: the checked-out branch, or not known.
QString shownBranch(const QString &workTree);
void rememberShownBranch(const QString &workTree, const QString &branch);

BranchTips tipsOf(const RepositoryInfo &info);
/// The branches' commits when a remembered working tree was last seen; empty: not known.
BranchTips seenTips(const QString &workTree);
void rememberTips(const QString &workTree, const BranchTips &tips);

} // namespace tmx
