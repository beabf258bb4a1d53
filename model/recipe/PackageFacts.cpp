// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/PackageFacts.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

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

Spot WrittenText::spotOf(qsizetype from, qsizetype length) const
{
    const auto begin = quint32(QStringView(value).first(from).toUtf8().size());
    const auto bytes = quint32(QStringView(value).sliced(from, length).toUtf8().size());
    const auto next = std::ranges::upper_bound(runs, begin, {}, &Run::from);
    if (next == runs.begin())
        return spot;
    const Run &run = *std::prev(next);
    const quint32 after = begin - run.from;
    if (after + bytes > run.spot.length)
        return spot;
    return {run.spot.line, run.spot.column + int(after), run.spot.offset + after, bytes, run.spot.file};
}

StatedText definitionOf(const StatedList &flags, QStringView name)
{
    StatedText value;
    for (const StatedText &flag : flags.items) {
        const QStringView text = flag.value;
        if (!text.startsWith("-D"_L1) || !text.sliced(2).startsWith(name))
            continue;
        const QStringView rest = text.sliced(2 + name.size());
        const qsizetype equals = rest.indexOf(u'=');
        if (equals != 0 && !(equals > 0 && rest.startsWith(u':')))
            continue;
        value = {rest.sliced(equals + 1).toString(), flag.spot, flag.known};
        const auto before = quint32(text.size() - value.value.size());
        if (flag.spot.length == quint32(text.toUtf8().size())) {
            value.spot.offset += before;
            value.spot.column += int(before);
            value.spot.length -= before;
        }
    }
    return value;
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

bool PackageFacts::hasInput(QStringView name) const
{
    return std::ranges::find(inputs, name, &StatedText::value) != inputs.cend();
}

bool TorchSource::operator==(const TorchSource &other) const
{
    return kind == other.kind && inSet == other.inSet && file == other.file && spot == other.spot &&
           (package && other.package ? *package == *other.package : package == other.package);
}

StatedText PackageFacts::builtVersion() const
{
    static const QRegularExpression number(uR"(^v?(\d+(?:\.\d+)+)(?![\w.]*\$))"_s);
    if (version)
        return version;
    const auto numberOf = [](const QString &value, const Spot &spot, bool known) {
        const QRegularExpressionMatch match = number.match(value);
        return known && match.hasMatch() ? StatedText{match.captured(1), spot, true} : StatedText();
    };
    for (const char16_t *name :
         {u"PYTORCH_BUILD_VERSION", u"TORCH_BUILD_VERSION", u"BUILD_VERSION", u"SETUPTOOLS_SCM_PRETEND_VERSION"}) {
        if (const VariableFact *told = variable(name)) {
            if (StatedText said = numberOf(told->value, told->spot, told->known))
                return said;
        }
    }
    const StatedText flag = definitionOf(cmakeFlags, u"TORCH_BUILD_VERSION");
    if (StatedText said = numberOf(flag.value, flag.spot, flag.known))
        return said;
    return numberOf(src.revision.value, src.revision.spot, src.revision.known);
}

} // namespace tmx
