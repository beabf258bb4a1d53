// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/OpenRepository.h"

#include <QMultiMap>

namespace tmx {

/// Branch -> paths of the work trees of this repository, the one that was opened included, that have it checked out.
QMultiMap<QString, QString> branchesCheckedOut(const OpenRepository &repository);

} // namespace tmx
