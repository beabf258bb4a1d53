// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>

namespace tmx {

/// "a, b, c and 4 more": names for a sentence, at most the first three, or all four.
QString shortList(const QStringList &names);

} // namespace tmx
