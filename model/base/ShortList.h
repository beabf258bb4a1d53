// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>

namespace tmx {

/// "a, b, c and 4 more": names in a sentence, the first three of them.
QString shortList(const QStringList &names);

} // namespace tmx
