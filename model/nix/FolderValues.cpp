// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Folder.h"

namespace tmx::nix {

Cell *Folder::make(ValueKind kind, const Node *node)
{
    Cell cell;
    cell.kind = kind;
    cell.node = node;
    return m_arena.make(cell);
}

Cell *Folder::makeBoolean(bool value)
{
    Cell *cell = make(ValueKind::Boolean);
    cell->boolean = value;
    return cell;
}

Cell *Folder::makeInteger(qint64 value, const Node *node)
{
    Cell *cell = make(ValueKind::Integer, node);
    cell->integer = value;
    return cell;
}

Cell *Folder::makeFloat(double value, const Node *node)
{
    Cell *cell = make(ValueKind::Float, node);
    cell->number = value;
    return cell;
}

Cell *Folder::makeText(std::span<const TextPiece> pieces, const Node *node)
{
    if (!step(pieces.size()))
        return m_exhausted;
    Cell *cell = make(ValueKind::Text, node);
    cell->pieces = m_arena.copy(pieces);
    return cell;
}

Cell *Folder::makeText(std::string_view bytes)
{
    if (!step(bytes.size() / 64))
        return m_exhausted;
    const TextPiece piece{m_arena.copy(bytes)};
    return makeText(std::span(&piece, bytes.empty() ? 0 : 1));
}

Cell *Folder::makeList(std::span<const Item> items, const Node *node)
{
    if (!step(items.size()))
        return m_exhausted;
    Cell *cell = make(ValueKind::List, node);
    cell->items = m_arena.copy(items);
    return cell;
}

Cell *Folder::makeSet(std::span<const Layer> layers, const Node *node)
{
    if (!step(layers.size()))
        return m_exhausted;
    Cell *cell = make(ValueKind::Attributes, node);
    cell->layers = m_arena.copy(layers);
    return cell;
}

Cell *Folder::makeSet(std::span<const NamedCell> entries)
{
    if (!step(entries.size()))
        return m_exhausted;
    const Layer layer{nullptr, m_arena.copy(entries), nullptr};
    return makeSet(std::span(&layer, 1));
}

Cell *Folder::opaque(Why why, std::string_view name, const Node *node)
{
    if (m_steps == 0)
        return m_exhausted;
    Cell *cell = make(ValueKind::Unknown, node);
    cell->why = why;
    cell->name = name;
    return cell;
}

Cell *Folder::term(UnknownKind kind, std::string_view name, Cell *first, Cell *second, Cell *third)
{
    Cell *cell = make(ValueKind::Unknown);
    cell->unknown = kind;
    cell->name = name;
    cell->first = first;
    cell->second = second;
    cell->third = third;
    return cell;
}

Cell *Folder::writtenBy(const Node *node, Cell *cell)
{
    if (cell->kind == ValueKind::Unknown && !cell->node && cell != m_exhausted)
        cell->node = node;
    return cell;
}

} // namespace tmx::nix
