// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Builtins.h"

#include <algorithm>

namespace tmx::nix {

namespace {

using Arguments = std::span<Cell *const>;

/// nullopt if it is unknown or not a boolean.
std::optional<bool> truth(Folder &folder, Cell *cell)
{
    cell = folder.force(cell);
    return cell->kind == ValueKind::Boolean ? std::optional(cell->boolean) : std::nullopt;
}

/// The list, if its elements can be accessed; else nullptr.
const Cell *listOf(Folder &folder, Cell *cell)
{
    cell = folder.force(cell);
    return cell->kind == ValueKind::List && folder.step(cell->items.size()) ? cell : nullptr;
}

Cell *map(Folder &folder, Arguments arguments)
{
    const Cell *list = listOf(folder, arguments[1]);
    if (!list)
        return nullptr;
    if (folder.isExact() && std::ranges::any_of(list->items, &Item::spliced))
        return nullptr;
    std::vector<Item> items;
    for (const Item &item : list->items) {
        // An unknown number of elements remains unknown.
        items.push_back({item.spliced ? item.cell : folder.delayCall(arguments[0], item.cell), item.spliced});
    }
    return folder.makeList(items);
}

/// Keeps an element as an unknown number of elements if the predicate's result is unknown.
Cell *filter(Folder &folder, Arguments arguments)
{
    const Cell *list = listOf(folder, arguments[1]);
    if (!list)
        return nullptr;
    std::vector<Item> items;
    for (const Item &item : list->items) {
        const auto kept = item.spliced ? std::nullopt : truth(folder, folder.call(arguments[0], item.cell));
        if (!kept && folder.isExact())
            return nullptr;
        if (kept.value_or(true))
            items.push_back({item.cell, item.spliced || !kept});
    }
    return folder.makeList(items);
}

/// `list` if the condition holds; an unknown number of elements if the condition is unknown.
Cell *listIf(Folder &folder, Cell *condition, Cell *list)
{
    if (const auto holds = truth(folder, condition))
        return *holds ? list : folder.makeList({});
    const Item maybe{folder.term(UnknownKind::Conditional, {}, folder.force(condition), list, folder.makeList({})),
                     true};
    return folder.makeList(std::span(&maybe, 1));
}

Cell *optional(Folder &folder, Arguments arguments)
{
    const Item element{arguments[1], false};
    return listIf(folder, arguments[0], folder.makeList(std::span(&element, 1)));
}

Cell *optionals(Folder &folder, Arguments arguments)
{
    return listIf(folder, arguments[0], arguments[1]);
}

Cell *optionalString(Folder &folder, Arguments arguments)
{
    const auto condition = truth(folder, arguments[0]);
    if (!condition)
        return nullptr;
    return *condition ? arguments[1] : folder.makeText(std::string_view());
}

/// An unknown element, or an unknown number of elements, becomes a hole.
Cell *concatStringsSep(Folder &folder, Arguments arguments)
{
    const Cell *list = listOf(folder, arguments[1]);
    if (!list)
        return nullptr;
    if (folder.isExact() && std::ranges::any_of(list->items, &Item::spliced))
        return nullptr;
    std::vector<TextPiece> pieces;
    for (const Item &item : list->items) {
        if (&item != &list->items.front())
            folder.addText(pieces, arguments[0]);
        if (item.spliced)
            pieces.push_back({{}, nullptr, nullptr, folder.force(item.cell)});
        else
            folder.addText(pieces, item.cell);
    }
    return folder.makeText(pieces);
}

/// Whether toString converts it like a number or text, and all of it is known.
bool isPlain(Folder &folder, Cell *cell)
{
    const Folder::Deeper deeper(folder);
    cell = folder.force(cell);
    if (!deeper.ok() || !folder.step() || cell->kind == ValueKind::Unknown || cell->kind == ValueKind::Function ||
        cell->kind == ValueKind::Attributes || cell->kind == ValueKind::Path)
        return false;
    return std::ranges::all_of(cell->items,
                               [&](const Item &item) { return !item.spliced && isPlain(folder, item.cell); });
}

Cell *toString(Folder &folder, Arguments arguments)
{
    Cell *cell = folder.force(arguments[0]);
    if (cell->kind == ValueKind::Text)
        return cell;
    if (cell->kind == ValueKind::Unknown || cell->kind == ValueKind::Function || cell->kind == ValueKind::Attributes ||
        cell->kind == ValueKind::Path || (folder.isExact() && !isPlain(folder, cell)))
        return nullptr;
    std::vector<TextPiece> pieces;
    folder.addText(pieces, cell, true);
    return folder.makeText(pieces);
}

/// Calls take(prefix, text) if both are completely known.
template <class Take>
Cell *withPrefix(Folder &folder, Arguments arguments, Take take)
{
    const auto prefix = folder.bytesOf(arguments[0]);
    const auto text = folder.bytesOf(arguments[1]);
    return prefix && text && folder.step((prefix->size() + text->size()) / 64) ? take(*prefix, *text) : nullptr;
}

Cell *hasPrefix(Folder &folder, Arguments arguments)
{
    return withPrefix(folder, arguments, [&](std::string_view prefix, std::string_view text) {
        return folder.makeBoolean(text.starts_with(prefix));
    });
}

Cell *removePrefix(Folder &folder, Arguments arguments)
{
    return withPrefix(folder, arguments, [&](std::string_view prefix, std::string_view text) {
        Cell *cell = folder.force(arguments[1]);
        if (!text.starts_with(prefix))
            return cell;
        if (cell->pieces.size() != 1)
            return folder.makeText(text.substr(prefix.size()));
        // The rest of a text in one piece keeps its place in the file.
        TextPiece piece = cell->pieces.front();
        piece.bytes = piece.bytes.substr(prefix.size());
        return folder.makeText(std::span(&piece, piece.bytes.empty() ? 0 : 1));
    });
}

constexpr Builtin builtins[] = {
    {"concatStringsSep", 2, Builtin::InBoth, concatStringsSep},
    {"filter", 2, Builtin::InBoth, filter},
    {"hasPrefix", 2, Builtin::InLib, hasPrefix},
    {"map", 2, Builtin::InBoth, map},
    {"optional", 2, Builtin::InLib, optional},
    {"optionalString", 2, Builtin::InLib, optionalString},
    {"optionals", 2, Builtin::InLib, optionals},
    {"removePrefix", 2, Builtin::InLib, removePrefix},
    {"toString", 1, Builtin::InBoth, toString},
};

} // namespace

const Builtin *Builtin::find(std::string_view name, Home home)
{
    const auto found = std::ranges::find(builtins, name, &Builtin::name);
    return found != std::end(builtins) && (found->home & home) ? &*found : nullptr;
}

} // namespace tmx::nix
