// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QStringView>

namespace tmx {

/// The stretch in which two versions of a line differ: what is left between their common beginning and end, grown to
/// whole words. Both empty when so little is shared that marking it would only be noise.
struct ChangedSpan {
    int oldStart = 0;
    int oldLength = 0;
    int newStart = 0;
    int newLength = 0;
    bool operator==(const ChangedSpan &) const = default;
};
ChangedSpan changedSpan(QStringView before, QStringView after);

} // namespace tmx
