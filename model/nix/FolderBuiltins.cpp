// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/FolderBuiltins.h"

#include <algorithm>

namespace tmx::nix {

// Functions of lists. What they do is what `builtins` of Nix 2.26 and `lib` of nixpkgs document.

namespace {

using Arguments = std::span<Cell *const>;

Cell *map(Folder &folder, Arguments arguments)
{
    const Cell *list = folder.force(arguments[1]);
    if (list->kind != ValueKind::List || !folder.step(list->items.size()))
        return nullptr;
    std::vector<Item> items;
    for (const Item &item : list->items) {
        // Of elements that are not known, what comes out is as unknown.
        items.push_back({item.spliced ? item.cell : folder.delayCall(arguments[0], item.cell), item.spliced});
    }
    return folder.makeList(items);
}

Cell *forEach(Folder &folder, Arguments arguments)
{
    Cell *const swapped[] = {arguments[1], arguments[0]};
    return map(folder, swapped);
}

Cell *filter(Folder &folder, Arguments arguments)
{
    const Cell *list = folder.force(arguments[1]);
    if (list->kind != ValueKind::List || !folder.step(list->items.size()))
        return nullptr;
    std::vector<Item> items;
    for (const Item &item : list->items) {
        const auto kept = item.spliced ? std::nullopt : truth(folder, folder.call(arguments[0], item.cell));
        if (kept.value_or(true))
            items.push_back({item.cell, item.spliced || !kept});
    }
    return folder.makeList(items);
}

Cell *concatLists(Folder &folder, Arguments arguments)
{
    const Cell *lists = folder.force(arguments[0]);
    if (lists->kind != ValueKind::List)
        return nullptr;
    std::vector<Item> items;
    for (const Item &item : lists->items) {
        Cell *list = folder.force(item.cell);
        if (item.spliced || list->kind == ValueKind::Unknown)
            items.push_back({list, true});
        else if (list->kind != ValueKind::List || !folder.step(list->items.size() + 1))
            return nullptr;
        else
            items.insert(items.end(), list->items.begin(), list->items.end());
    }
    return folder.makeList(items);
}

Cell *concatMap(Folder &folder, Arguments arguments)
{
    Cell *mapped = map(folder, arguments);
    return mapped ? concatLists(folder, std::span(&mapped, 1)) : nullptr;
}

Cell *head(Folder &folder, Arguments arguments)
{
    const Cell *list = folder.force(arguments[0]);
    return list->kind == ValueKind::List && !list->items.empty() && !list->items.front().spliced
               ? list->items.front().cell
               : nullptr;
}

Cell *last(Folder &folder, Arguments arguments)
{
    const Cell *list = folder.force(arguments[0]);
    return list->kind == ValueKind::List && !list->items.empty() && !list->items.back().spliced
               ? list->items.back().cell
               : nullptr;
}

Cell *tail(Folder &folder, Arguments arguments)
{
    const Cell *list = folder.force(arguments[0]);
    return list->kind == ValueKind::List && !list->items.empty() && !list->items.front().spliced
               ? folder.makeList(list->items.subspan(1))
               : nullptr;
}

Cell *init(Folder &folder, Arguments arguments)
{
    const Cell *list = folder.force(arguments[0]);
    return list->kind == ValueKind::List && !list->items.empty() && !list->items.back().spliced
               ? folder.makeList(list->items.first(list->items.size() - 1))
               : nullptr;
}

Cell *length(Folder &folder, Arguments arguments)
{
    return withElements(folder, arguments[0],
                        [&](auto &elements) { return folder.makeInteger(qint64(elements.size())); });
}

Cell *elemAt(Folder &folder, Arguments arguments)
{
    return withElements(folder, arguments[0], [&](auto &elements) -> Cell * {
        const Cell *index = folder.force(arguments[1]);
        const bool inside =
            index->kind == ValueKind::Integer && index->integer >= 0 && size_t(index->integer) < elements.size();
        return inside ? elements[size_t(index->integer)] : nullptr;
    });
}

Cell *elem(Folder &folder, Arguments arguments)
{
    return withElements(folder, arguments[1], [&](auto &elements) -> Cell * {
        bool certain = true;
        for (Cell *element : elements) {
            const auto same = folder.equal(arguments[0], element);
            if (same.value_or(false))
                return folder.makeBoolean(true);
            certain = certain && same;
        }
        return certain ? folder.makeBoolean(false) : nullptr;
    });
}

/// any and all: the first element that is `settling` settles it.
Cell *untilOne(Folder &folder, Arguments arguments, bool settling)
{
    return withElements(folder, arguments[1], [&](auto &elements) -> Cell * {
        for (Cell *element : elements) {
            const auto holds = truth(folder, folder.call(arguments[0], element));
            if (!holds)
                return nullptr;
            if (*holds == settling)
                return folder.makeBoolean(settling);
        }
        return folder.makeBoolean(!settling);
    });
}

Cell *any(Folder &folder, Arguments arguments)
{
    return untilOne(folder, arguments, true);
}
Cell *all(Folder &folder, Arguments arguments)
{
    return untilOne(folder, arguments, false);
}

Cell *fold(Folder &folder, Arguments arguments)
{
    return withElements(folder, arguments[2], [&](auto &elements) {
        Cell *result = arguments[1];
        for (Cell *element : elements)
            result = folder.call(folder.call(arguments[0], result), element);
        return result;
    });
}

Cell *reverseList(Folder &folder, Arguments arguments)
{
    const Cell *list = folder.force(arguments[0]);
    if (list->kind != ValueKind::List || !folder.step(list->items.size()))
        return nullptr;
    std::vector<Item> items(list->items.rbegin(), list->items.rend());
    // The elements that are not known are in an order that is not known either.
    return folder.makeList(items);
}

Cell *genList(Folder &folder, Arguments arguments)
{
    const Cell *count = folder.force(arguments[1]);
    if (count->kind != ValueKind::Integer || count->integer < 0 || !folder.step(size_t(count->integer)))
        return nullptr;
    std::vector<Item> items;
    for (qint64 i = 0; i < count->integer; ++i)
        items.push_back({folder.delayCall(arguments[0], folder.makeInteger(i)), false});
    return folder.makeList(items);
}

Cell *range(Folder &folder, Arguments arguments)
{
    const Cell *first = folder.force(arguments[0]);
    const Cell *end = folder.force(arguments[1]);
    if (first->kind != ValueKind::Integer || end->kind != ValueKind::Integer)
        return nullptr;
    qint64 distance = 0;
    if (qSubOverflow(end->integer, first->integer, &distance) || (distance >= 0 && !folder.step(size_t(distance))))
        return nullptr;
    std::vector<Item> items;
    items.reserve(size_t(std::max<qint64>(0, distance + 1)));
    for (qint64 i = 0; i <= distance; ++i)
        items.push_back({folder.makeInteger(first->integer + i), false});
    return folder.makeList(items);
}

Cell *singleton(Folder &folder, Arguments arguments)
{
    return listOf(folder, arguments);
}

/// lib.optional and lib.optionals; of a condition that is not known, a list with what may be in it.
Cell *listIf(Folder &folder, Arguments arguments, bool wrap)
{
    const auto condition = truth(folder, arguments[0]);
    if (condition && !*condition)
        return folder.makeList({});
    if (!condition) {
        const Item maybe{folder.term(UnknownKind::Conditional, {}, folder.force(arguments[0]),
                                     wrap ? listOf(folder, arguments.subspan(1)) : arguments[1], folder.makeList({})),
                         true};
        return folder.makeList(std::span(&maybe, 1));
    }
    return wrap ? listOf(folder, arguments.subspan(1)) : arguments[1];
}

Cell *optional(Folder &folder, Arguments arguments)
{
    return listIf(folder, arguments, true);
}
Cell *optionals(Folder &folder, Arguments arguments)
{
    return listIf(folder, arguments, false);
}

Cell *flatten(Folder &folder, Arguments arguments)
{
    const Cell *list = folder.force(arguments[0]);
    if (list->kind != ValueKind::List)
        return list->kind == ValueKind::Unknown ? nullptr : listOf(folder, arguments);
    // A list of its own for what is still to be looked at: lists within lists may be as deep as they like.
    std::vector<Item> open(list->items.rbegin(), list->items.rend());
    std::vector<Item> items;
    while (!open.empty()) {
        const Item item = open.back();
        open.pop_back();
        const Cell *cell = folder.force(item.cell);
        if (!folder.step())
            return nullptr;
        if (cell->kind == ValueKind::List && !item.spliced && folder.step(cell->items.size()))
            open.insert(open.end(), cell->items.rbegin(), cell->items.rend());
        else
            items.push_back({item.cell, item.spliced || cell->kind == ValueKind::Unknown});
    }
    return folder.makeList(items);
}

/// unique, and subtractLists: elements that are equal to none of `others`, or to none before them.
Cell *without(Folder &folder, std::span<Cell *const> elements, std::span<Cell *const> others, bool unique)
{
    std::vector<Cell *> kept;
    std::vector<Cell *> known(others.begin(), others.end());
    for (Cell *element : elements) {
        bool found = false;
        for (Cell *other : known) {
            const auto same = folder.equal(element, other);
            if (!same)
                return nullptr;
            found = found || *same;
        }
        if (found)
            continue;
        kept.push_back(element);
        if (unique)
            known.push_back(element);
    }
    return listOf(folder, kept);
}

Cell *unique(Folder &folder, Arguments arguments)
{
    return withElements(folder, arguments[0], [&](auto &elements) { return without(folder, elements, {}, true); });
}

Cell *subtractLists(Folder &folder, Arguments arguments)
{
    return withElements(folder, arguments[0], [&](auto &removed) {
        return withElements(folder, arguments[1],
                            [&](auto &elements) { return without(folder, elements, removed, false); });
    });
}

Cell *remove(Folder &folder, Arguments arguments)
{
    return withElements(folder, arguments[1],
                        [&](auto &elements) { return without(folder, elements, arguments.first(1), false); });
}

Cell *isNull(Folder &folder, Arguments arguments)
{
    const Cell *cell = folder.force(arguments[0]);
    return cell->kind == ValueKind::Unknown ? nullptr : folder.makeBoolean(cell->kind == ValueKind::Null);
}

Cell *identity(Folder &, Arguments arguments)
{
    return arguments[0];
}
Cell *second(Folder &, Arguments arguments)
{
    return arguments[1];
}

constexpr Builtin listBuiltins[] = {
    {"map", 2, Builtin::InBoth, map},
    {"forEach", 2, Builtin::InLib, forEach},
    {"filter", 2, Builtin::InBoth, filter},
    {"concatLists", 1, Builtin::InBoth, concatLists},
    {"concatMap", 2, Builtin::InBoth, concatMap},
    {"head", 1, Builtin::InBoth, head},
    {"last", 1, Builtin::InLib, last},
    {"tail", 1, Builtin::InBoth, tail},
    {"init", 1, Builtin::InLib, init},
    {"length", 1, Builtin::InBoth, length},
    {"elemAt", 2, Builtin::InBoth, elemAt},
    {"elem", 2, Builtin::InBoth, elem},
    {"any", 2, Builtin::InBoth, any},
    {"all", 2, Builtin::InBoth, all},
    {"foldl'", 3, Builtin::InBoth, fold},
    {"foldl", 3, Builtin::InLib, fold},
    {"reverseList", 1, Builtin::InLib, reverseList},
    {"genList", 2, Builtin::InBoth, genList},
    {"range", 2, Builtin::InLib, range},
    {"singleton", 1, Builtin::InLib, singleton},
    {"optional", 2, Builtin::InLib, optional},
    {"optionals", 2, Builtin::InLib, optionals},
    {"flatten", 1, Builtin::InLib, flatten},
    {"unique", 1, Builtin::InLib, unique},
    {"subtractLists", 2, Builtin::InLib, subtractLists},
    {"remove", 2, Builtin::InLib, remove},
    {"isNull", 1, Builtin::InBuiltins, isNull},
    {"id", 1, Builtin::InLib, identity},
    {"seq", 2, Builtin::InBoth, second},
    {"deepSeq", 2, Builtin::InBoth, second},
    {"trace", 2, Builtin::InBoth, second},
    {"warn", 2, Builtin::InBoth, second},
    {"const", 2, Builtin::InLib, identity},
};

} // namespace

std::optional<bool> truth(Folder &folder, Cell *cell)
{
    cell = folder.force(cell);
    return cell->kind == ValueKind::Boolean ? std::optional(cell->boolean) : std::nullopt;
}

std::optional<std::vector<Cell *>> knownElements(Folder &folder, Cell *list)
{
    list = folder.force(list);
    if (list->kind != ValueKind::List || !folder.step(list->items.size()))
        return std::nullopt;
    std::vector<Cell *> elements;
    for (const Item &item : list->items) {
        if (item.spliced)
            return std::nullopt;
        elements.push_back(item.cell);
    }
    return elements;
}

Cell *listOf(Folder &folder, std::span<Cell *const> elements)
{
    std::vector<Item> items;
    items.reserve(elements.size());
    for (Cell *element : elements)
        items.push_back({element, false});
    return folder.makeList(items);
}

const Builtin *Folder::builtin(std::string_view name, Builtin::Home home)
{
    for (const std::span<const Builtin> table :
         {std::span<const Builtin>(listBuiltins), setBuiltins(), textBuiltins()}) {
        const auto found = std::ranges::find(table, name, &Builtin::name);
        if (found != table.end() && (found->home & home))
            return &*found;
    }
    return nullptr;
}

} // namespace tmx::nix
