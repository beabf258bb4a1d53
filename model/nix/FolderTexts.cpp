// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Folder.h"

#include <cstdio>

namespace tmx::nix {

Cell *Folder::text(const Text &text, const Frame *frame)
{
    std::vector<TextPiece> pieces;
    for (const TextPart &part : text.parts) {
        if (part.expression)
            addText(pieces, delay(part.expression, frame));
        else
            pieces.push_back({part.text, &text, &part, nullptr});
    }
    return makeText(pieces, &text);
}

/// A path stays as it is written: where the file lies is not known here.
Cell *Folder::path(const Path &path, const Frame *frame)
{
    std::vector<TextPiece> pieces;
    for (const TextPart &part : path.parts) {
        if (part.expression)
            addText(pieces, delay(part.expression, frame));
        else
            pieces.push_back({part.text, nullptr, &part, nullptr});
    }
    Cell *cell = makeText(pieces, &path);
    if (cell->kind == ValueKind::Text)
        cell->kind = ValueKind::Path;
    return cell;
}

void Folder::addText(std::vector<TextPiece> &pieces, Cell *cell, bool loosely)
{
    cell = force(cell);
    const auto computed = [&](std::string_view bytes) { pieces.push_back({m_arena.copy(bytes)}); };
    switch (cell->kind) {
    case ValueKind::Text:
        if (step(cell->pieces.size()))
            pieces.insert(pieces.end(), cell->pieces.begin(), cell->pieces.end());
        else
            pieces.push_back({{}, nullptr, nullptr, m_exhausted});
        return;
    case ValueKind::Null:
        if (loosely)
            return;
        break;
    case ValueKind::Boolean:
        if (loosely)
            return cell->boolean ? computed("1") : void();
        break;
    case ValueKind::Integer:
        if (loosely)
            return computed(QByteArray::number(cell->integer).toStdString());
        break;
    case ValueKind::Float:
        if (loosely)
            return computed(QByteArray::number(cell->number, 'f', 6).toStdString());
        break;
    case ValueKind::List:
        if (loosely)
            return addList(pieces, *cell);
        break;
    case ValueKind::Path:       // a place in the store, or on this disk
    case ValueKind::Attributes: // may have an outPath, which says as little
    case ValueKind::Function:
    case ValueKind::Unknown: break;
    }
    pieces.push_back({{}, nullptr, nullptr, cell});
}

/// As toString joins a list: a space behind each element but the last one and empty lists.
void Folder::addList(std::vector<TextPiece> &pieces, const Cell &list)
{
    const Deeper deeper(*this);
    if (!deeper.ok() || !step(list.items.size())) {
        pieces.push_back({{}, nullptr, nullptr, opaque(Why::TooDeep)});
        return;
    }
    for (const Item &item : list.items) {
        const Cell *element = force(item.cell);
        if (item.spliced)
            pieces.push_back({{}, nullptr, nullptr, item.cell});
        else
            addText(pieces, item.cell, true);
        if (&item != &list.items.back() && (element->kind != ValueKind::List || !element->items.empty()))
            pieces.push_back({" "});
    }
}

std::optional<std::string_view> Folder::bytesOf(Cell *cell)
{
    cell = force(cell);
    if (cell->kind != ValueKind::Text)
        return std::nullopt;
    if (cell->pieces.empty())
        return std::string_view();
    if (cell->pieces.size() == 1 && !cell->pieces.front().hole)
        return cell->pieces.front().bytes;
    size_t size = 0;
    for (const TextPiece &piece : cell->pieces) {
        if (piece.hole)
            return std::nullopt;
        size += piece.bytes.size();
    }
    if (!step(size / 64))
        return std::nullopt;
    char *const start = m_arena.allocate<char>(size);
    char *target = start;
    for (const TextPiece &piece : cell->pieces)
        target = std::copy(piece.bytes.begin(), piece.bytes.end(), target);
    return std::string_view(start, size);
}

} // namespace tmx::nix
