// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Cells.h"

namespace tmx::nix {

Cells::Cells(int maxSteps)
    : m_steps(maxSteps)
    , m_exhausted(m_arena.make(Cell{}))
{
    m_exhausted->why = Why::TooMuchWork;
}

Cell *Cells::make(ValueKind kind, const Node *node)
{
    Cell cell;
    cell.kind = kind;
    cell.node = node;
    return m_arena.make(cell);
}

Cell *Cells::makeBoolean(bool value)
{
    Cell *cell = make(ValueKind::Boolean);
    cell->boolean = value;
    return cell;
}

Cell *Cells::makeInteger(qint64 value, const Node *node)
{
    Cell *cell = make(ValueKind::Integer, node);
    cell->integer = value;
    return cell;
}

Cell *Cells::makeFloat(double value, const Node *node)
{
    Cell *cell = make(ValueKind::Float, node);
    cell->number = value;
    return cell;
}

Cell *Cells::makeText(std::span<const TextPiece> pieces, const Node *node)
{
    if (!step(pieces.size()))
        return m_exhausted;
    Cell *cell = make(ValueKind::Text, node);
    cell->textPieces = m_arena.copy(pieces);
    return cell;
}

Cell *Cells::makeText(std::string_view bytes)
{
    if (!step(bytes.size() / 64))
        return m_exhausted;
    const TextPiece piece{m_arena.copy(bytes)};
    return makeText(std::span(&piece, bytes.empty() ? 0 : 1));
}

Cell *Cells::makeList(std::span<const Item> items, const Node *node)
{
    if (!step(items.size()))
        return m_exhausted;
    Cell *cell = make(ValueKind::List, node);
    cell->listItems = m_arena.copy(items);
    return cell;
}

Cell *Cells::makeSet(std::span<const Layer> layers, const Node *node)
{
    if (!step(layers.size()))
        return m_exhausted;
    Cell *cell = make(ValueKind::Attributes, node);
    cell->setLayers = m_arena.copy(layers);
    return cell;
}

Cell *Cells::makeSet(std::span<const NamedCell> entries)
{
    if (!step(entries.size()))
        return m_exhausted;
    const Layer layer{nullptr, m_arena.copy(entries), nullptr};
    return makeSet(std::span(&layer, 1));
}

Cell *Cells::makeFunction(const Builtin *builtin, std::span<Cell *const> arguments)
{
    Cell *cell = make(ValueKind::Function);
    cell->builtin = builtin;
    cell->functionArguments = m_arena.copy(arguments);
    return cell;
}

Cell *Cells::makeDelayed(const Node *node, const Frame *frame)
{
    Cell *cell = make(ValueKind::Unknown, node);
    cell->state = Cell::State::Delayed;
    cell->frame = frame;
    return cell;
}

Cell *Cells::opaque(Why why, std::string_view name, const Node *node)
{
    if (m_steps == 0)
        return m_exhausted;
    Cell *cell = make(ValueKind::Unknown, node);
    cell->why = why;
    cell->name = name;
    return cell;
}

Cell *Cells::term(UnknownKind kind, std::string_view name, Cell *first, Cell *second, Cell *third)
{
    Cell *cell = make(ValueKind::Unknown);
    cell->unknown = kind;
    cell->name = name;
    cell->first = first;
    cell->second = second;
    cell->third = third;
    return cell;
}

Cell *Cells::writtenBy(const Node *node, Cell *cell)
{
    if (cell->kind == ValueKind::Unknown && !cell->node && cell != m_exhausted)
        cell->node = node;
    return cell;
}

} // namespace tmx::nix
