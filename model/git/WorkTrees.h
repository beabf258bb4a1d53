// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/OpenRepository.h"

#include <QMultiMap>

namespace tmx {

/// Branch -> paths of the working trees of this repository that have it checked out, including the opened one. Error: a
/// working tree that exists could not be read.
Result<QMultiMap<QString, QString>> branchesCheckedOut(const OpenRepository &repository);

} // namespace tmx
