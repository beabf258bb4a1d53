// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/FactPlaces.h"

#include "model/base/ByteView.h"
#include "model/base/Tr.h"

using namespace Qt::StringLiterals;

namespace tmx {

using nix::UnknownKind;
using nix::Value;
using nix::ValueKind;

namespace {

constexpr qsizetype longestShown = 200;

QString shown(const Value &value)
{
    if (const auto text = value.text())
        return toText(*text);
    if (value.kind() == ValueKind::Unknown) {
        if (const QString name = dottedName(value); !name.isEmpty())
            return name;
    }
    return toText(value.shown(3, longestShown).left(longestShown));
}

} // namespace

QString toText(const QByteArray &bytes)
{
    return QString::fromUtf8(bytes);
}

Spot FactPlaces::spot(nix::Span span, quint16 file) const
{
    const nix::Place place = tree(file).place(span.offset);
    Spot spot{place.line, place.column, span.offset, span.length};
    if (file == 0)
        return spot;
    const std::string_view name = m_files->path(file).substr(1);
    const QString path = QString::fromUtf8(name.data(), qsizetype(name.size()));
    if (!m_asked.contains(path))
        m_asked.append(path);
    spot.file = quint16(m_asked.indexOf(path) + 1);
    return spot;
}

Spot FactPlaces::spotOf(const Value &value, const nix::Attribute *definition) const
{
    if (value.node())
        return spot(value.node()->span, value.node()->file);
    if (!definition)
        return {};
    return spot(definition->value ? definition->value->span : definition->name, definition->file());
}

Spot FactPlaces::spotWithin(const Value &text, qsizetype from, qsizetype length, const nix::Attribute *definition) const
{
    return spotWithin(text.origins(), from, length).value_or(spotOf(text, definition));
}

std::optional<Spot> FactPlaces::spotWithin(const std::vector<Value::Origin> &origins, qsizetype from,
                                           qsizetype length) const
{
    if (length <= 0 || size_t(from + length) > origins.size())
        return std::nullopt;
    const Value::Origin first = origins[size_t(from)];
    const Value::Origin last = origins[size_t(from + length - 1)];
    if (first.offset == Value::nowhere || last.offset == Value::nowhere || last.file != first.file ||
        last.offset != first.offset + length - 1)
        return std::nullopt;
    return spot({first.offset, quint32(length)}, first.file);
}

std::optional<nix::Span> FactPlaces::nameIn(const nix::Node *node, std::string_view name) const
{
    const auto *select = nix::as<nix::Select>(node);
    for (size_t i = select ? select->path.size() : 0; i-- > 0;) {
        const nix::AttributeName &element = select->path[i];
        if (element.symbol && tree(node->file).name(element.symbol) == name)
            return element.span;
    }
    const auto *variable = nix::as<nix::Variable>(select ? select->base : node);
    return variable && tree(variable->file).name(variable->symbol) == name ? std::optional(variable->span)
                                                                           : std::nullopt;
}

Spot FactPlaces::spotOfName(const Value &value, const Value &user) const
{
    const QByteArray name = value.name();
    if (name.isEmpty() || !m_tree.root())
        return {};
    for (const nix::Node *node : {value.node(), user.node()}) {
        if (const auto span = nameIn(node, viewOf(name)))
            return spot(*span, node->file);
    }
    if (const auto *function = nix::as<nix::Lambda>(m_tree.root())) {
        for (const nix::Formal &formal : function->formals) {
            if (m_tree.name(formal.symbol) == viewOf(name))
                return spot(formal.span);
        }
    }
    return value.node() ? spot(value.node()->span, value.node()->file) : spot(m_tree.root()->span);
}

StatedText FactPlaces::text(const Value &value, const nix::Attribute *definition) const
{
    if (const auto bytes = value.text())
        return {toText(*bytes), spotWithin(value, 0, bytes->size(), definition), true};
    if (value.kind() == ValueKind::Text)
        return {toText(value.textAround('?')), spotOf(value, definition), false};
    return {shown(value), spotOf(value, definition), false};
}

WrittenText FactPlaces::written(const Value &value, const nix::Attribute *definition) const
{
    const std::vector<Value::Origin> origins = value.origins();
    return {text(value, definition), runs(value.textAround(), origins)};
}

QList<WrittenText::Run> FactPlaces::runs(QByteArrayView text, std::span<const Value::Origin> origins) const
{
    QList<WrittenText::Run> runs;
    const size_t size = std::min(size_t(text.size()), origins.size());
    for (size_t from = 0, to = 1; from < size; from = to++) {
        const Value::Origin first = origins[from];
        if (first.offset == Value::nowhere)
            continue;
        while (to < size && text.at(qsizetype(to) - 1) != '\n' && origins[to].file == first.file &&
               origins[to].offset == first.offset + (to - from))
            ++to;
        runs.append({quint32(from), spot({first.offset, quint32(to - from)}, first.file)});
    }
    return runs;
}

StatedFlag FactPlaces::flag(const Value &value, const nix::Attribute *definition) const
{
    const auto known = value.boolean();
    return {known.value_or(false), spotOf(value, definition), known.has_value()};
}

StatedList FactPlaces::list(const Value &value, const nix::Attribute *definition) const
{
    StatedList list;
    list.spot = spotOf(value, definition);
    list.known = value.kind() == ValueKind::List;
    list.notList = value.isKnown() && !list.known;
    const std::vector<Value::Item> items = value.items();
    for (const Value::Item &item : items) {
        if (item.spliced) {
            // `(old.x or [ ]) ++ [ ... ]`: nixpkgs' own items, followed by these.
            list.extends = true;
            list.known = list.known && isOfOldValue(item.value);
            continue;
        }
        list.items.append(text(item.value));
        list.known = list.known && list.items.constLast().known;
    }
    return list;
}

StatedText FactPlaces::stop(const Value &value, const nix::Attribute *definition) const
{
    StatedText stop;
    stop.spot = spotOf(value, definition);
    if (!stop.spot)
        stop.spot = m_tree.root() ? spot(m_tree.root()->span) : Spot();
    Value inner = value;
    while (inner.kind() == ValueKind::Unknown && inner.unknown() == UnknownKind::Call) {
        const Value argument = inner.argument();
        inner = inner.base();
        const QByteArray name = inner.name();
        if (argument.kind() == ValueKind::Path && (name == "import" || name == "callPackage"))
            stop.value = Tr::tr("%1 is another file").arg(toText(argument.text().value_or(argument.textAround('?'))));
    }
    if (!stop.value.isEmpty())
        return stop;
    // Of `{ ... } // import ./flags.nix`, the operand that is no set of this file.
    const nix::Node *whole = value.kind() == ValueKind::Attributes ? value.node() : nullptr;
    for (const nix::Lambda *function = value.lambda(); function; function = nix::as<nix::Lambda>(whole))
        whole = function->body;
    const nix::Node *operand = whole;
    for (const auto *update = nix::as<nix::Binary>(operand); update && update->op == nix::BinaryOperator::Update;
         update = nix::as<nix::Binary>(operand))
        operand = nix::as<nix::Attributes>(update->left) ? update->right : update->left;
    if (operand != whole) {
        const QByteArrayView text = tree(operand->file).text(operand->span);
        stop.spot = spot(operand->span, operand->file);
        stop.value = Tr::tr("%1 cannot be evaluated here")
                         .arg(QString::fromUtf8(text.first(std::min(text.size(), longestShown))).simplified());
    } else if (value.kind() == ValueKind::Unknown && value.unknown() == UnknownKind::Argument)
        stop.value = Tr::tr("the value of the argument %1 is unknown").arg(toText(value.name()));
    else if (const QString name = dottedName(value); !name.isEmpty())
        stop.value = Tr::tr("the value of %1 is unknown").arg(name);
    else
        stop.value = Tr::tr("it cannot be evaluated here");
    return stop;
}

QByteArray FactPlaces::fileAt(const Value &path) const
{
    const quint16 file = m_files && path.kind() == ValueKind::Path ? m_files->find(viewOf(path.name())) : 0;
    return file ? m_files->text(file) : QByteArray();
}

NamedText FactPlaces::named(const Value::Entry &entry) const
{
    const auto bytes = entry.value.text();
    return {toText(entry.name), shown(entry.value),
            bytes ? spotWithin(entry.value, 0, bytes->size(), entry.definition) : spotOf(entry.value, entry.definition),
            bytes || (entry.value.isKnown() && entry.value.kind() != ValueKind::Text)};
}

bool isOldValue(const Value &value)
{
    Value from = value;
    if (from.unknown() == UnknownKind::Call && from.base().kind() == ValueKind::Function &&
        from.base().name() == "toString") // nixpkgs' own flags may be a list
        from = from.argument();
    while (from.kind() == ValueKind::Unknown && from.unknown() == UnknownKind::Select)
        from = from.base();
    // FactReader::given() calls them so, whatever the recipe does.
    return from.kind() == ValueKind::Unknown && from.unknown() == UnknownKind::Argument &&
           (from.name() == "oldAttrs" || from.name() == "prevAttrs");
}

bool isOfOldValue(const Value &value)
{
    if (value.kind() != ValueKind::Unknown || value.unknown() != UnknownKind::Call)
        return isOldValue(value);
    const Value applied = value.base();
    const bool filters =
        applied.name() == "filter" || (applied.unknown() == UnknownKind::Call && applied.base().name() == "filter");
    return filters && isOldValue(value.argument());
}

QString dottedName(Value value)
{
    QStringList names;
    while (value.kind() == ValueKind::Unknown) {
        const UnknownKind kind = value.unknown();
        if (kind == UnknownKind::Call) {
            value = value.base();
            // A call on a package leaves it the same package.
            if (const QByteArray name = value.name();
                value.unknown() == UnknownKind::Select && name.startsWith("override"))
                value = value.base();
        } else if (kind == UnknownKind::Select) {
            names.prepend(toText(value.name()));
            value = value.base();
        } else if (kind == UnknownKind::Argument) {
            const QString name = toText(value.name());
            if (names.isEmpty() || !(name == "pkgs"_L1 || name == "final"_L1 || name == "prev"_L1 ||
                                     name == "self"_L1 || name == "super"_L1))
                names.prepend(name);
            break;
        } else {
            break;
        }
    }
    return names.join(u'.');
}

std::optional<Value::Entry> entryOf(const Value &set, std::string_view name)
{
    if (!set.hasAttribute(name).value_or(false))
        return std::nullopt;
    std::vector<Value::Entry> entries = set.entries();
    for (Value::Entry &entry : entries) {
        if (viewOf(entry.name) == name)
            return std::move(entry);
    }
    return std::nullopt;
}

} // namespace tmx
