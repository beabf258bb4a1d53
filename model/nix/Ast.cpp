// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Ast.h"

#include <bit>

namespace tmx::nix {

namespace {

/// Below this size a linear search is faster than a table.
constexpr quint32 smallSet = 8;

quint32 slotOf(Symbol symbol, quint32 slotCount)
{
    return (symbol.id * 0x9E3779B1u) >> (32 - std::countr_zero(slotCount));
}

void indexOne(Attributes &set, quint32 position)
{
    const quint32 count = set.index.size();
    quint32 slot = slotOf(set.attributes[position].symbol, count);
    while (set.index[slot] != 0)
        slot = (slot + 1) % count;
    set.index[slot] = position + 1;
}

/// The set behind an attribute that more attributes may be merged into. Only the parser modifies trees.
Attributes *openSet(const Attribute &attribute)
{
    return const_cast<Attributes *>(as<Attributes>(attribute.value));
}

Attributes *impliedSet(Arena &arena, Span span, quint16 file)
{
    Attributes set{{NodeKind::Attributes, span, file}};
    set.implied = true;
    return arena.make(set);
}

bool define(Arena &arena, Attributes &set, const Attribute &attribute, Duplicate &duplicate)
{
    const Attribute *existing = set.find(attribute.symbol);
    if (!existing) {
        set.add(arena, attribute);
        return true;
    }
    Attributes *target = openSet(*existing);
    Attributes *added = openSet(attribute);
    if (!target || !added) {
        duplicate = {existing, attribute.symbol, attribute.pathOffset};
        return false;
    }
    // Ignores whether `added` is recursive and keeps `target` as it is, like Nix.
    const quint32 shift = target->sources.size();
    for (Attribute inner : added->attributes) {
        if (inner.kind == Attribute::InheritedFrom)
            inner.source += shift;
        if (!define(arena, *target, inner, duplicate))
            return false;
    }
    for (const DynamicAttribute &dynamic : added->dynamic)
        target->dynamic.push(arena, dynamic);
    for (const Node *source : added->sources)
        target->sources.push(arena, source);
    return true;
}

bool addInherited(Arena &arena, Attributes &set, const Binding &binding, Duplicate &duplicate)
{
    const bool from = binding.kind == Binding::InheritFrom;
    if (from)
        set.sources.push(arena, binding.value);
    for (const AttributeName &name : binding.names) {
        if (const Attribute *existing = set.find(name.symbol)) {
            duplicate = {existing, name.symbol, name.span.offset};
            return false;
        }
        Attribute attribute;
        attribute.symbol = name.symbol;
        attribute.kind = from ? Attribute::InheritedFrom : Attribute::Inherited;
        attribute.name = name.span;
        attribute.pathOffset = name.span.offset;
        attribute.binding = &binding;
        if (from)
            attribute.source = set.sources.size() - 1;
        else
            attribute.value = arena.make(Variable{{NodeKind::Variable, name.span, set.file}, name.symbol});
        set.add(arena, attribute);
    }
    return true;
}

} // namespace

const Attribute *Attributes::find(Symbol symbol) const
{
    if (index.empty()) {
        for (const Attribute &attribute : attributes) {
            if (attribute.symbol == symbol)
                return &attribute;
        }
        return nullptr;
    }
    for (quint32 slot = slotOf(symbol, index.size());; slot = (slot + 1) % index.size()) {
        if (index[slot] == 0)
            return nullptr;
        if (const Attribute &attribute = attributes[index[slot] - 1]; attribute.symbol == symbol)
            return &attribute;
    }
}

void Attributes::add(Arena &arena, const Attribute &attribute)
{
    attributes.push(arena, attribute);
    const quint32 count = attributes.size();
    if (count <= smallSet)
        return;
    if (count * 2 <= index.size()) {
        indexOne(*this, count - 1);
        return;
    }
    const quint32 capacity = std::bit_ceil(count * 4);
    index.clear();
    while (index.size() < capacity)
        index.push(arena, 0);
    for (quint32 position = 0; position < count; ++position)
        indexOne(*this, position);
}

bool addBinding(Arena &arena, Attributes &set, const Binding &binding, Duplicate &duplicate)
{
    if (binding.kind != Binding::Value)
        return addInherited(arena, set, binding, duplicate);

    Attributes *inner = &set;
    const quint32 start = binding.names.front().span.offset;
    const std::span<const AttributeName> outerNames = binding.names.first(binding.names.size() - 1);
    for (const AttributeName &name : outerNames) {
        const Attribute *existing = name.symbol ? inner->find(name.symbol) : nullptr;
        Attributes *next = existing ? openSet(*existing) : impliedSet(arena, binding.span, set.file);
        if (!next) {
            duplicate = {existing, name.symbol, start};
            return false;
        }
        if (!name.symbol)
            inner->dynamic.push(arena, {&name, next, &binding});
        else if (!existing)
            inner->add(arena, {name.symbol, Attribute::Plain, 0, name.span, start, next, &binding});
        inner = next;
    }
    const AttributeName &last = binding.names.back();
    if (!last.symbol) {
        inner->dynamic.push(arena, {&last, binding.value, &binding});
        return true;
    }
    return define(arena, *inner, {last.symbol, Attribute::Plain, 0, last.span, start, binding.value, &binding},
                  duplicate);
}

std::optional<std::string_view> plainText(const Node *node)
{
    while (const Text *text = as<Text>(node)) {
        if (text->parts.empty())
            return std::string_view();
        if (text->parts.size() > 1)
            return std::nullopt;
        const TextPart &part = text->parts.front();
        if (!part.expression)
            return part.text;
        if (text->style != TextStyle::Indented)
            return std::nullopt;
        node = part.expression; // Nix does not wrap the only part of an indented string in a concatenation.
    }
    return std::nullopt;
}

} // namespace tmx::nix
