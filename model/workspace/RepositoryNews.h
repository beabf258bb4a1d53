// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/GitValues.h"

#include <QMap>

namespace tmx {

using BranchTips = QMap<QString, QString>; ///< commit by local branch

BranchTips tipsOf(const RepositoryInfo &info);
/// "On main. New commits on main and cuda-13_0.": changes since the branches were at `before`; empty if the repository
/// was never opened. Pure.
QString whatChanged(const RepositoryInfo &now, const BranchTips &before);
/// The same for the repository that contains `path`, or why it cannot be read. Blocks: for workers.
QString newsOf(const QString &path, const BranchTips &before);

} // namespace tmx
