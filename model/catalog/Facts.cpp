// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/Facts.h"

#include <algorithm>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

/// Leading number of a part of a version; 0 if there is none, so that "9.0a" counts as 9.0.
qlonglong leadingNumber(QStringView part)
{
    constexpr qsizetype most = 18; // digits that always fit
    qlonglong number = 0;
    qsizetype digits = 0;
    for (; digits < part.size() && part[digits] >= u'0' && part[digits] <= u'9'; ++digits)
        number = digits < most ? number * 10 + (part[digits].unicode() - u'0') : 0;
    return digits <= most ? number : part.first(digits).toLongLong();
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
