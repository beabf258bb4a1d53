// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/PackageFacts.h"

#include <algorithm>

namespace tmx {

namespace {

template <class T>
const T *lastNamed(const QList<T> &list, QStringView name)
{
    const auto found = std::find_if(list.crbegin(), list.crend(), [name](const T &item) { return item.name == name; });
    return found == list.crend() ? nullptr : &*found;
}

} // namespace

QStringList StatedList::values() const
{
    QStringList texts;
    texts.reserve(items.size());
    for (const StatedText &item : items)
        texts.append(item.value);
    return texts;
}

bool StatedList::contains(QStringView value) const
{
    return std::ranges::any_of(items, [value](const StatedText &item) { return item.value == value; });
}

const VariableFact *PackageFacts::variable(QStringView name) const
{
    return lastNamed(environment, name);
}

const NamedText *PackageFacts::passthruOf(QStringView name) const
{
    return lastNamed(passthru, name);
}

const NamedText *PackageFacts::argument(QStringView name) const
{
    return lastNamed(arguments, name);
}

bool TorchSource::operator==(const TorchSource &other) const
{
    return kind == other.kind && file == other.file && spot == other.spot &&
           (package && other.package ? *package == *other.package : package == other.package);
}

} // namespace tmx
