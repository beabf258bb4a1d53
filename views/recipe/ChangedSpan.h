// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QStringView>

namespace tmx {

/// The part in which two versions of a line differ: the rest after removing their common beginning and end, extended to
/// whole words. Both spans are empty if the lines share so little that a mark would be noise.
struct ChangedSpan {
    int oldStart = 0;
    int oldLength = 0;
    int newStart = 0;
    int newLength = 0;
    bool operator==(const ChangedSpan &) const = default;
};
ChangedSpan changedSpan(QStringView before, QStringView after);

} // namespace tmx
