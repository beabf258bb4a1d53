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

std::string_view nextComponent(std::string_view &version)
{
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    version.remove_prefix(std::min(version.find_first_not_of(".-"), version.size()));
    size_t end = 0;
    const bool number = !version.empty() && isDigit(version.front());
    while (end < version.size() && isDigit(version[end]) == number && version[end] != '.' && version[end] != '-')
        ++end;
    const std::string_view component = version.substr(0, end);
    version.remove_prefix(end);
    return component;
}

} // namespace tmx::nix
