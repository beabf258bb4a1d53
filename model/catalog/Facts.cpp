// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/Facts.h"

#include <QtNumeric>

#include <algorithm>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

/// Leading number of a part of a version; 0 if there is none, so that "9.0a" counts as 9.0, or if it is too large.
qlonglong leadingNumber(QStringView part)
{
    qlonglong number = 0;
    for (const QChar digit : part) {
        if (digit < u'0' || digit > u'9')
            break;
        if (qMulOverflow(number, 10LL, &number) || qAddOverflow(number, qlonglong(digit.unicode() - u'0'), &number))
            return 0;
    }
    return number;
}

} // namespace

int compareVersions(const QString &a, const QString &b)
{
    if (a == b) // Most compared versions are equal.
        return 0;
    QStringView left = a;
    QStringView right = b;
    const auto next = [](QStringView &rest) {
        const qsizetype dot = rest.indexOf(u'.');
        const qlonglong number = leadingNumber(dot < 0 ? rest : rest.first(dot));
        rest = dot < 0 ? QStringView() : rest.sliced(dot + 1);
        return number;
    };
    while (!left.isEmpty() || !right.isEmpty()) {
        const qlonglong x = next(left);
        const qlonglong y = next(right);
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
