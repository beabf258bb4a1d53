// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Arguments.h"

#include <algorithm>

namespace tmx::nix {

std::optional<bool> truth(Folder &folder, Cell *cell)
{
    cell = folder.force(cell);
    return cell->kind == ValueKind::Boolean ? std::optional(cell->boolean) : std::nullopt;
}

const Cell *listOf(Folder &folder, Cell *cell)
{
    cell = folder.force(cell);
    return cell->kind == ValueKind::List && folder.step(cell->items().size()) ? cell : nullptr;
}

std::optional<std::vector<std::string_view>> textsOf(Folder &folder, Cell *cell)
{
    const Cell *list = listOf(folder, cell);
    if (!list)
        return std::nullopt;
    std::vector<std::string_view> texts;
    for (const Item &item : list->items()) {
        const auto bytes = item.spliced ? std::nullopt : folder.bytesOf(item.cell);
        if (!bytes)
            return std::nullopt;
        texts.push_back(*bytes);
    }
    return texts;
}

const Cell *wholeList(Folder &folder, Cell *cell)
{
    const Cell *list = listOf(folder, cell);
    return list && std::ranges::none_of(list->items(), &Item::spliced) ? list : nullptr;
}

std::optional<std::vector<NamedCell>> entriesOf(Folder &folder, Cell *cell)
{
    cell = folder.force(cell);
    if (cell->kind != ValueKind::Attributes)
        return std::nullopt;
    bool complete = true;
    std::vector<NamedCell> entries = Folder::entriesOf(*cell, complete);
    return complete && folder.step(entries.size()) ? std::optional(std::move(entries)) : std::nullopt;
}

Cell *delayCall(Folder &folder, Cell *function, std::string_view name, Cell *value)
{
    return folder.delayCall(folder.delayCall(function, folder.makeText(name)), value);
}

} // namespace tmx::nix
