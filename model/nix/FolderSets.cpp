// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Folder.h"

#include <algorithm>
#include <map>

namespace tmx::nix {

namespace {

/// nixpkgs' library, wherever it comes from, and the parts of it whose functions it has under their own names too.
bool isLib(const Cell &cell)
{
    if (cell.kind != ValueKind::Unknown)
        return false;
    if (cell.unknown == UnknownKind::Argument)
        return cell.name == "lib";
    if (cell.unknown != UnknownKind::Select)
        return false;
    static constexpr std::string_view parts[] = {"strings", "lists", "attrsets", "trivial", "versions"};
    const bool isPart = std::ranges::find(parts, cell.name) != std::end(parts);
    return isPart ? cell.first->name == "lib" : cell.name == "lib";
}

} // namespace

/// The values of a set's attributes: inherited ones from the outside, all others from the inside, which may be a frame
/// of these very cells. So all of them are there before one of them is looked at.
void Folder::fill(std::span<Cell *> cells, const Attributes &set, const Frame *inner, const Frame *outer)
{
    for (quint32 i = 0; i < set.attributes.size(); ++i) {
        const Attribute &attribute = set.attributes[i];
        cells[i] = attribute.kind == Attribute::Inherited ? delay(attribute.value, outer) : make(ValueKind::Unknown);
    }
    std::vector<Cell *> sources;
    sources.reserve(set.sources.size());
    for (const Node *source : set.sources)
        sources.push_back(delay(source, inner));
    for (quint32 i = 0; i < set.attributes.size(); ++i) {
        const Attribute &attribute = set.attributes[i];
        if (attribute.kind == Attribute::Inherited)
            continue;
        Cell &cell = *cells[i];
        cell.state = Cell::State::Delayed;
        cell.node = attribute.value;
        cell.frame = inner;
        if (attribute.kind == Attribute::InheritedFrom) {
            cell.first = sources[attribute.source];
            cell.name = m_tree->name(attribute.symbol);
        }
    }
}

const Frame *Folder::frameOf(const Attributes &set, const Frame *frame)
{
    const quint32 count = set.attributes.size();
    step(count);
    Frame *inner = m_arena.make(Frame{});
    inner->outer = frame;
    inner->entries = {m_arena.allocate<Cell *>(count), count};
    fill(inner->entries, set, inner, frame);
    return inner;
}

Cell *Folder::attributes(const Attributes &set, const Frame *frame)
{
    const quint32 count = set.attributes.size();
    if (!step(count + set.dynamic.size()))
        return m_exhausted;
    std::vector<Cell *> cells(count);
    if (set.recursive) {
        frame = frameOf(set, frame);
        std::ranges::copy(frame->entries, cells.begin());
    } else {
        fill(cells, set, frame, frame);
    }
    std::vector<NamedCell> entries;
    entries.reserve(count + set.dynamic.size());
    for (quint32 i = 0; i < count; ++i)
        entries.push_back({m_tree->name(set.attributes[i].symbol), cells[i], &set.attributes[i]});

    std::vector<Layer> layers;
    for (const DynamicAttribute &dynamic : set.dynamic) {
        Cell *name = force(delay(dynamic.name->expression, frame));
        if (name->kind == ValueKind::Null)
            continue; // no attribute at all, as Nix has it
        if (const auto bytes = bytesOf(name))
            entries.push_back({*bytes, delay(dynamic.value, frame), nullptr});
        else
            layers.push_back({nullptr, {}, name});
    }
    layers.push_back({&set, m_arena.copy(std::span<const NamedCell>(entries)), nullptr});
    return makeSet(layers, &set);
}

Cell *Folder::find(const Cell &set, std::string_view name, bool &certain)
{
    certain = step(set.layers.size());
    for (size_t i = set.layers.size(); i-- > 0;) {
        const Layer &layer = set.layers[i];
        if (layer.unknown)
            certain = false;
        if (!certain)
            return nullptr;
        std::span<const NamedCell> searched = layer.entries;
        if (layer.set) {
            const Symbol symbol = m_tree->symbol(name);
            if (const Attribute *found = symbol ? layer.set->find(symbol) : nullptr)
                return layer.entries[size_t(found - layer.set->attributes.begin())].cell;
            searched = searched.subspan(layer.set->attributes.size());
        }
        certain = step(searched.size() / 16);
        const auto found = std::ranges::find(searched, name, &NamedCell::name);
        if (found != searched.end())
            return found->cell;
    }
    return nullptr;
}

std::vector<NamedCell> Folder::entriesOf(const Cell &set, bool &complete) const
{
    complete = true;
    std::map<std::string_view, NamedCell> byName;
    for (size_t i = set.layers.size(); i-- > 0;) {
        const Layer &layer = set.layers[i];
        // What is below something unknown may be hidden by it; it is there all the same.
        complete = complete && !layer.unknown;
        for (const NamedCell &entry : layer.entries)
            byName.emplace(entry.name, entry);
    }
    std::vector<NamedCell> entries;
    entries.reserve(byName.size());
    for (const auto &[name, entry] : byName)
        entries.push_back(entry);
    return entries;
}

Cell *Folder::select(Cell *base, std::string_view name)
{
    base = force(base);
    if (base->kind == ValueKind::Unknown)
        return selectOfUnknown(base, name);
    if (base->kind != ValueKind::Attributes)
        return opaque(Why::WrongType, name);
    bool certain = true;
    if (Cell *found = find(*base, name, certain))
        return force(found);
    if (certain)
        return opaque(Why::NoSuchAttribute, name);
    Cell *cell = term(UnknownKind::Select, name, base);
    cell->why = Why::MaybeOtherAttribute;
    return cell;
}

Cell *Folder::selectOfUnknown(Cell *base, std::string_view name)
{
    if (base->unknown == UnknownKind::Global && base->name == "builtins")
        return global(name);
    if (isLib(*base)) {
        if (const Builtin *found = builtin(name, Builtin::InLib)) {
            Cell *cell = make(ValueKind::Function);
            cell->builtin = found;
            return cell;
        }
    }
    Cell *cell = term(UnknownKind::Select, name, base);
    cell->why = base->why;
    return cell;
}

std::optional<std::string_view> Folder::nameOf(const AttributeName &name, const Frame *frame)
{
    return name.symbol ? m_tree->name(name.symbol) : bytesOf(delay(name.expression, frame));
}

Cell *Folder::selection(const Select &select, const Frame *frame)
{
    Cell *cell = force(delay(select.base, frame));
    for (const AttributeName &element : select.path) {
        const auto name = nameOf(element, frame);
        if (!name)
            return opaque(Why::NotFolded, {}, &select);
        bool certain = true;
        if (cell->kind == ValueKind::Attributes) {
            if (Cell *found = find(*cell, *name, certain)) {
                cell = force(found);
                continue;
            }
        }
        if (select.fallback && certain && cell->kind != ValueKind::Unknown)
            return fold(select.fallback, frame);
        cell = writtenBy(&select, this->select(cell, *name));
    }
    if (select.fallback && cell->kind == ValueKind::Unknown && cell->unknown == UnknownKind::Select &&
        cell->node == &select)
        cell->third = delay(select.fallback, frame);
    return cell;
}

Cell *Folder::hasAttribute(const HasAttribute &node, const Frame *frame)
{
    Cell *cell = force(delay(node.base, frame));
    for (const AttributeName &element : node.path) {
        const auto name = nameOf(element, frame);
        if (!name || cell->kind == ValueKind::Unknown)
            return opaque(Why::NotFolded, {}, &node);
        if (cell->kind != ValueKind::Attributes)
            return makeBoolean(false);
        bool certain = true;
        Cell *found = find(*cell, *name, certain);
        if (!found)
            return certain ? makeBoolean(false) : opaque(Why::NotFolded, {}, &node);
        if (&element != &node.path.back())
            cell = force(found);
    }
    return makeBoolean(true);
}

} // namespace tmx::nix
