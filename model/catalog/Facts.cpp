// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/Facts.h"

#include <algorithm>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

/// Leading number of a version's part; 0 where there is none, so that "9.0a" counts as 9.0.
qlonglong leadingNumber(QStringView part)
{
    qsizetype digits = 0;
    while (digits < part.size() && part[digits] >= u'0' && part[digits] <= u'9')
        ++digits;
    return part.first(digits).toLongLong();
}

} // namespace

int compareVersions(const QString &a, const QString &b)
{
    const auto left = QStringView(a).split(u'.');
    const auto right = QStringView(b).split(u'.');
    for (qsizetype i = 0; i < std::max(left.size(), right.size()); ++i) {
        const qlonglong x = i < left.size() ? leadingNumber(left[i]) : 0;
        const qlonglong y = i < right.size() ? leadingNumber(right[i]) : 0;
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

QString GpuRow::title() const
{
    constexpr qsizetype shown = 3;
    const QStringList first = products.first(std::min(shown, products.size()));
    return first.isEmpty() ? generation : generation + " ("_L1 + first.join(", "_L1) + u')';
}

QString Family::versionFor(const QString &torch) const
{
    const QString whole = versions.value(torch);
    return whole.isEmpty() ? versions.value(torch.section(u'.', 0, 1)) : whole;
}

} // namespace tmx
