// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
//
// Functions that recipes arrange tables, versions and overlays with.
#include "model/nix/Arguments.h"
#include "model/nix/Operators.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string>

namespace tmx::nix {

namespace {

std::optional<qint64> integerOf(Folder &folder, Cell *cell)
{
    cell = folder.force(cell);
    return cell->kind == ValueKind::Integer ? std::optional(cell->integer) : std::nullopt;
}

template <ValueKind Kind>
Cell *isOfKind(Folder &folder, Arguments arguments)
{
    const Cell *cell = folder.force(arguments[0]);
    return cell->kind == ValueKind::Unknown ? nullptr : folder.makeBoolean(cell->kind == Kind);
}

Cell *typeOf(Folder &folder, Arguments arguments)
{
    const char *const name = [&] {
        switch (folder.force(arguments[0])->kind) {
        case ValueKind::Null: return "null";
        case ValueKind::Boolean: return "bool";
        case ValueKind::Integer: return "int";
        case ValueKind::Float: return "float";
        case ValueKind::Text: return "string";
        case ValueKind::Path: return "path";
        case ValueKind::List: return "list";
        case ValueKind::Attributes: return "set";
        case ValueKind::Function: return "lambda";
        case ValueKind::Unknown: break;
        }
        return "";
    }();
    return *name ? folder.makeText(std::string_view(name)) : nullptr;
}

// Numbers

template <BinaryOperator Op>
Cell *calculated(Folder &folder, Arguments arguments)
{
    return binaryOf(folder, Op, folder.force(arguments[0]), folder.force(arguments[1]));
}

/// lib.min and lib.max
template <BinaryOperator Op>
Cell *chosen(Folder &folder, Arguments arguments)
{
    const Cell *isFirst = binaryOf(folder, Op, folder.force(arguments[0]), folder.force(arguments[1]));
    return isFirst && isFirst->kind == ValueKind::Boolean ? arguments[isFirst->boolean ? 0 : 1] : nullptr;
}

Cell *toInt(Folder &folder, Arguments arguments)
{
    const auto text = folder.bytesOf(arguments[0]);
    qint64 value = 0;
    // Zeros in front of a number are an error in lib.
    if (!text || text->empty() || (text->size() > 1 && text->front() == '0'))
        return nullptr;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
    return error == std::errc() && end == text->data() + text->size() ? folder.makeInteger(value) : nullptr;
}

Cell *boolToString(Folder &folder, Arguments arguments)
{
    const auto value = truth(folder, arguments[0]);
    return value ? folder.makeText(std::string_view(*value ? "true" : "false")) : nullptr;
}

// Lists

Cell *madeList(Folder &folder, qint64 from, qint64 size, Cell *function)
{
    if (size < 0 || !folder.step(size_t(size)))
        return nullptr;
    std::vector<Item> items;
    for (qint64 i = 0; i < size; ++i) {
        Cell *number = folder.makeInteger(from + i);
        items.push_back({function ? folder.delayCall(function, number) : number, false});
    }
    return folder.makeList(items);
}

Cell *genList(Folder &folder, Arguments arguments)
{
    const auto size = integerOf(folder, arguments[1]);
    return size ? madeList(folder, 0, *size, arguments[0]) : nullptr;
}

Cell *range(Folder &folder, Arguments arguments)
{
    const auto first = integerOf(folder, arguments[0]);
    const auto last = integerOf(folder, arguments[1]);
    constexpr qint64 most = 1'000'000;
    if (!first || !last || *first < -most || *last > most)
        return nullptr;
    return madeList(folder, *first, std::max(*last - *first + 1, 0LL), nullptr);
}

template <qint64 From>
Cell *indexedMap(Folder &folder, Arguments arguments)
{
    const Cell *list = wholeList(folder, arguments[1]);
    std::vector<Item> items;
    for (const Item &item : list ? list->items() : std::span<const Item>())
        items.push_back(
            {folder.delayCall(folder.delayCall(arguments[0], folder.makeInteger(From + qint64(items.size()))),
                              item.cell),
             false});
    return list ? folder.makeList(items) : nullptr;
}

/// Elements that are equal keep their order. The comparison may be inconsistent, so that no function of the standard
/// library may have it.
Cell *sort(Folder &folder, Arguments arguments)
{
    const Cell *list = wholeList(folder, arguments[1]);
    std::vector<Item> items;
    for (const Item &item : list ? list->items() : std::span<const Item>()) {
        size_t at = items.size();
        for (; at > 0; --at) {
            const auto isLess = truth(folder, folder.call(folder.call(arguments[0], item.cell), items[at - 1].cell));
            if (!isLess)
                return nullptr;
            if (!*isLess)
                break;
        }
        items.insert(items.begin() + qsizetype(at), item);
    }
    return list ? folder.makeList(items) : nullptr;
}

Cell *reverseList(Folder &folder, Arguments arguments)
{
    const Cell *list = wholeList(folder, arguments[0]);
    if (!list)
        return nullptr;
    std::vector<Item> items(list->items().begin(), list->items().end());
    std::ranges::reverse(items);
    return folder.makeList(items);
}

Cell *foldRight(Folder &folder, Arguments arguments)
{
    const Cell *list = wholeList(folder, arguments[2]);
    if (!list)
        return nullptr;
    Cell *value = arguments[1];
    for (size_t i = list->items().size(); i-- > 0;)
        value = folder.delayCall(folder.delayCall(arguments[0], list->items()[i].cell), value);
    return value;
}

/// lib.take, and with Rest = true lib.drop
template <bool Rest>
Cell *part(Folder &folder, Arguments arguments)
{
    const auto count = integerOf(folder, arguments[0]);
    const Cell *list = wholeList(folder, arguments[1]);
    if (!count || !list)
        return nullptr;
    const size_t at = std::min(list->items().size(), size_t(std::max(*count, 0LL)));
    return folder.makeList(Rest ? list->items().subspan(at) : list->items().first(at));
}

Cell *init(Folder &folder, Arguments arguments)
{
    const Cell *list = wholeList(folder, arguments[0]);
    return list && !list->items().empty() ? folder.makeList(list->items().first(list->items().size() - 1)) : nullptr;
}

Cell *findFirst(Folder &folder, Arguments arguments)
{
    const Cell *list = wholeList(folder, arguments[2]);
    for (const Item &item : list ? list->items() : std::span<const Item>()) {
        const auto holds = truth(folder, folder.call(arguments[0], item.cell));
        if (!holds || *holds)
            return holds ? item.cell : nullptr;
    }
    return list ? arguments[1] : nullptr;
}

Cell *zipListsWith(Folder &folder, Arguments arguments)
{
    const Cell *first = wholeList(folder, arguments[1]);
    const Cell *second = wholeList(folder, arguments[2]);
    if (!first || !second)
        return nullptr;
    std::vector<Item> items;
    for (size_t i = 0; i < std::min(first->items().size(), second->items().size()); ++i)
        items.push_back(
            {folder.delayCall(folder.delayCall(arguments[0], first->items()[i].cell), second->items()[i].cell), false});
    return folder.makeList(items);
}

/// `count` elements of the list from `start` on.
Cell *sublist(Folder &folder, Arguments arguments)
{
    const auto start = integerOf(folder, arguments[0]);
    const auto count = integerOf(folder, arguments[1]);
    const Cell *list = wholeList(folder, arguments[2]);
    if (!start || !count || !list || *start < 0 || *count < 0)
        return nullptr;
    const size_t from = std::min(size_t(*start), list->items().size());
    return folder.makeList(list->items().subspan(from, std::min(size_t(*count), list->items().size() - from)));
}

struct Parts {
    std::vector<Item> taken;
    std::vector<Item> left;
};

/// The elements of a list that a test takes and leaves; nullopt if one result is unknown.
template <class Test>
std::optional<Parts> parted(Folder &folder, Cell *cell, Test test)
{
    const Cell *list = wholeList(folder, cell);
    Parts parts;
    for (const Item &item : list ? list->items() : std::span<const Item>()) {
        const std::optional<bool> taken = test(item.cell);
        if (!taken)
            return std::nullopt;
        (*taken ? parts.taken : parts.left).push_back(item);
    }
    return list ? std::optional(std::move(parts)) : std::nullopt;
}

/// Parted by a function of the recipe.
std::optional<Parts> partedBy(Folder &folder, Arguments arguments)
{
    return parted(folder, arguments[1], [&](Cell *cell) { return truth(folder, folder.call(arguments[0], cell)); });
}

Cell *partition(Folder &folder, Arguments arguments)
{
    const auto parts = partedBy(folder, arguments);
    if (!parts)
        return nullptr;
    const NamedCell entries[] = {{"right", folder.makeList(parts->taken)}, {"wrong", folder.makeList(parts->left)}};
    return folder.makeSet(entries);
}

Cell *count(Folder &folder, Arguments arguments)
{
    const auto parts = partedBy(folder, arguments);
    return parts ? folder.makeInteger(qint64(parts->taken.size())) : nullptr;
}

Cell *without(Folder &folder, Arguments arguments)
{
    const auto parts = parted(folder, arguments[1], [&](Cell *cell) { return equal(folder, arguments[0], cell); });
    return parts ? folder.makeList(parts->left) : nullptr;
}

/// The elements of the second list that are in the first one (lib.intersectLists), or that are not
/// (lib.subtractLists).
template <bool Common>
Cell *otherElements(Folder &folder, Arguments arguments)
{
    const Cell *first = wholeList(folder, arguments[0]);
    const auto isIn = [&](Cell *cell) -> std::optional<bool> {
        bool found = false;
        for (const Item &other : first->items()) {
            const auto same = equal(folder, cell, other.cell);
            if (!same)
                return std::nullopt;
            found = found || *same;
        }
        return found;
    };
    const auto parts = first ? parted(folder, arguments[1], isIn) : std::nullopt;
    return parts ? folder.makeList(Common ? parts->taken : parts->left) : nullptr;
}

/// The set of lists of elements by the name that a function gives them.
Cell *groupBy(Folder &folder, Arguments arguments)
{
    const Cell *list = wholeList(folder, arguments[1]);
    std::map<std::string_view, std::vector<Item>> groups;
    for (const Item &item : list ? list->items() : std::span<const Item>()) {
        const auto name = folder.bytesOf(folder.call(arguments[0], item.cell));
        if (!name)
            return nullptr;
        groups[*name].push_back(item);
    }
    std::vector<NamedCell> entries;
    entries.reserve(groups.size());
    for (const auto &[name, group] : groups)
        entries.push_back({name, folder.makeList(group)});
    return list ? folder.makeSet(entries) : nullptr;
}

// Texts

/// Calls a function of `builtins` or of lib.
Cell *callOf(Folder &folder, std::string_view name, std::initializer_list<Cell *> arguments)
{
    Cell *function = folder.makeFunction(Builtin::find(name, Builtin::InBoth));
    for (Cell *argument : arguments)
        function = folder.call(function, argument);
    return function->kind == ValueKind::Unknown ? nullptr : function;
}

/// lib.foldl, lib.forEach: a function of `builtins` with its arguments in another order or under another name.
Cell *foldLeft(Folder &folder, Arguments arguments)
{
    return callOf(folder, "foldl'", {arguments[0], arguments[1], arguments[2]});
}

Cell *forEach(Folder &folder, Arguments arguments)
{
    return callOf(folder, "map", {arguments[1], arguments[0]});
}

/// The value after one that is evaluated only to see that it can be.
Cell *sequence(Folder &folder, Arguments arguments)
{
    const Cell *first = folder.force(arguments[0]);
    return first->kind == ValueKind::Unknown && folder.isExact() ? nullptr : folder.force(arguments[1]);
}

Cell *concatMapStrings(Folder &folder, Arguments arguments)
{
    return callOf(folder, "concatMapStringsSep", {folder.makeText(std::string_view()), arguments[0], arguments[1]});
}

Cell *concatLines(Folder &folder, Arguments arguments)
{
    const Cell *list = wholeList(folder, arguments[0]);
    std::vector<TextPiece> pieces;
    for (const Item &item : list ? list->items() : std::span<const Item>()) {
        folder.addText(pieces, item.cell);
        pieces.push_back({"\n"});
    }
    return list ? folder.makeText(pieces) : nullptr;
}

Cell *trim(Folder &folder, Arguments arguments)
{
    constexpr std::string_view blanks = " \t\r\n";
    const auto text = folder.bytesOf(arguments[0]);
    if (!text)
        return nullptr;
    const size_t first = std::min(text->find_first_not_of(blanks), text->size());
    const size_t last = text->find_last_not_of(blanks) + 1; // npos + 1 is 0
    return folder.makeText(text->substr(first, std::max(last, first) - first));
}

Cell *listOfTexts(Folder &folder, const std::vector<std::string_view> &texts)
{
    std::vector<Item> items;
    items.reserve(texts.size());
    for (const std::string_view text : texts)
        items.push_back({folder.makeText(text), false});
    return folder.makeList(items);
}

Cell *stringToCharacters(Folder &folder, Arguments arguments)
{
    const auto text = folder.bytesOf(arguments[0]);
    if (!text || !folder.step(text->size()))
        return nullptr;
    std::vector<std::string_view> characters;
    characters.reserve(text->size());
    for (size_t i = 0; i < text->size(); ++i)
        characters.push_back(text->substr(i, 1));
    return listOfTexts(folder, characters);
}

Cell *splitVersion(Folder &folder, Arguments arguments)
{
    const auto version = folder.bytesOf(arguments[0]);
    if (!version || !folder.step(1 + version->size() / 16))
        return nullptr;
    std::vector<std::string_view> components;
    for (std::string_view rest = *version; !rest.empty();) {
        if (const std::string_view component = nextComponent(rest); !component.empty())
            components.push_back(component);
    }
    return listOfTexts(folder, components);
}

/// The components of a version with `count` of them joined by dots: lib.versions.majorMinor. Index: one of them.
template <size_t Count, size_t Index>
Cell *partOfVersion(Folder &folder, Arguments arguments)
{
    const auto text = folder.bytesOf(arguments[0]);
    if (!text || text->empty() ||
        !std::ranges::all_of(*text, [](char c) { return (c >= '0' && c <= '9') || c == '.'; }))
        return nullptr;
    std::string_view rest = *text;
    std::string joined;
    for (size_t i = 0; i < Index + Count; ++i) {
        const size_t end = std::min(rest.find('.'), rest.size());
        if (end == 0)
            return nullptr;
        if (i >= Index)
            joined += (joined.empty() ? "" : ".") + std::string(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return folder.makeText(std::string_view(joined));
}

// Sets

Cell *removeAttrs(Folder &folder, Arguments arguments)
{
    auto entries = entriesOf(folder, arguments[0]);
    const auto names = textsOf(folder, arguments[1]);
    if (!entries || !names)
        return nullptr;
    std::erase_if(*entries,
                  [&](const NamedCell &entry) { return std::ranges::find(*names, entry.name) != names->end(); });
    return folder.makeSet(*entries);
}

/// The entries of the second set that the first one has too.
Cell *intersectAttrs(Folder &folder, Arguments arguments)
{
    const auto first = entriesOf(folder, arguments[0]);
    auto second = entriesOf(folder, arguments[1]);
    if (!first || !second)
        return nullptr;
    std::erase_if(*second, [&](const NamedCell &entry) {
        return !std::ranges::binary_search(*first, entry.name, {}, &NamedCell::name);
    });
    return folder.makeSet(*second);
}

Cell *getAttrs(Folder &folder, Arguments arguments)
{
    const auto names = textsOf(folder, arguments[0]);
    std::vector<NamedCell> entries;
    for (const std::string_view name : names.value_or(std::vector<std::string_view>()))
        entries.push_back({name, folder.delaySelect(arguments[1], name)});
    std::ranges::sort(entries, {}, &NamedCell::name);
    const auto repeated = std::ranges::unique(entries, {}, &NamedCell::name);
    entries.erase(repeated.begin(), repeated.end());
    return names ? folder.makeSet(entries) : nullptr;
}

Cell *getAttrFromPath(Folder &folder, Arguments arguments)
{
    const auto path = textsOf(folder, arguments[0]);
    Cell *value = arguments[1];
    for (const std::string_view name : path.value_or(std::vector<std::string_view>()))
        value = folder.select(value, name);
    return path ? value : nullptr;
}

/// What is at the path; nullopt if that is unknown, nullptr if there is nothing.
std::optional<Cell *> foundAt(Folder &folder, Cell *path, Cell *value)
{
    const auto names = textsOf(folder, path);
    if (!names)
        return std::nullopt;
    for (const std::string_view name : *names) {
        value = folder.force(value);
        bool certain = value->kind != ValueKind::Unknown;
        Cell *found = value->kind == ValueKind::Attributes ? folder.find(*value, name, certain) : nullptr;
        if (!found)
            return certain ? std::optional<Cell *>(nullptr) : std::nullopt;
        value = found;
    }
    return value;
}

Cell *attrByPath(Folder &folder, Arguments arguments)
{
    const auto found = foundAt(folder, arguments[0], arguments[2]);
    return !found ? nullptr : *found ? *found : arguments[1];
}

Cell *hasAttrByPath(Folder &folder, Arguments arguments)
{
    const auto found = foundAt(folder, arguments[0], arguments[1]);
    return found ? folder.makeBoolean(*found != nullptr) : nullptr;
}

/// The sets one over the other, what is unknown included.
Cell *together(Folder &folder, std::span<Cell *const> sets)
{
    std::vector<Layer> layers;
    for (Cell *one : sets) {
        Cell *set = folder.force(one);
        if (set->kind != ValueKind::Attributes && set->kind != ValueKind::Unknown)
            return nullptr;
        if (set->kind == ValueKind::Unknown)
            layers.push_back({nullptr, {}, set});
        layers.insert(layers.end(), set->layers().begin(), set->layers().end());
    }
    return folder.step(layers.size()) ? folder.makeSet(layers) : nullptr;
}

Cell *mergeAttrsList(Folder &folder, Arguments arguments)
{
    const Cell *list = wholeList(folder, arguments[0]);
    std::vector<Cell *> sets;
    for (const Item &item : list ? list->items() : std::span<const Item>())
        sets.push_back(item.cell);
    return list ? together(folder, sets) : nullptr;
}

Cell *concatMapAttrs(Folder &folder, Arguments arguments)
{
    const auto entries = entriesOf(folder, arguments[1]);
    std::vector<Cell *> sets;
    for (const NamedCell &entry : entries.value_or(std::vector<NamedCell>()))
        sets.push_back(delayCall(folder, arguments[0], entry.name, entry.cell));
    return entries ? together(folder, sets) : nullptr;
}

Cell *catAttrs(Folder &folder, Arguments arguments)
{
    const auto name = folder.bytesOf(arguments[0]);
    const Cell *list = wholeList(folder, arguments[1]);
    if (!name || !list)
        return nullptr;
    std::vector<Item> items;
    for (const Item &item : list->items()) {
        const Cell *set = folder.force(item.cell);
        bool certain = set->kind == ValueKind::Attributes;
        Cell *found = certain ? folder.find(*set, *name, certain) : nullptr;
        if (!certain)
            return nullptr;
        if (found)
            items.push_back({found, false});
    }
    return folder.makeList(items);
}

Cell *setAttrByPath(Folder &folder, Arguments arguments)
{
    const auto names = textsOf(folder, arguments[0]);
    Cell *value = arguments[1];
    for (size_t i = names ? names->size() : 0; i-- > 0;) {
        const NamedCell entry{(*names)[i], value};
        value = folder.makeSet(std::span(&entry, 1));
    }
    return names ? value : nullptr;
}

Cell *attrsToList(Folder &folder, Arguments arguments)
{
    return callOf(folder, "mapAttrsToList",
                  {folder.makeFunction(Builtin::find("nameValuePair", Builtin::InLib)), arguments[0]});
}

Cell *foldlAttrs(Folder &folder, Arguments arguments)
{
    const auto entries = entriesOf(folder, arguments[2]);
    Cell *value = arguments[1];
    for (const NamedCell &entry : entries.value_or(std::vector<NamedCell>()))
        value = delayCall(folder, folder.delayCall(arguments[0], value), entry.name, entry.cell);
    return entries ? value : nullptr;
}

/// A set for each combination of the elements of a set's lists, the last name fastest.
Cell *cartesianProduct(Folder &folder, Arguments arguments)
{
    constexpr size_t most = 10'000;
    const auto entries = entriesOf(folder, arguments[0]);
    if (!entries)
        return nullptr;
    std::vector<std::vector<NamedCell>> rows{{}};
    for (const NamedCell &entry : *entries) {
        const Cell *list = wholeList(folder, entry.cell);
        if (!list || rows.size() * list->items().size() > most || !folder.step(rows.size() * list->items().size()))
            return nullptr;
        std::vector<std::vector<NamedCell>> longer;
        for (const std::vector<NamedCell> &row : rows) {
            for (const Item &item : list->items()) {
                longer.push_back(row);
                longer.back().push_back({entry.name, item.cell});
            }
        }
        rows = std::move(longer);
    }
    std::vector<Item> sets;
    sets.reserve(rows.size());
    for (const std::vector<NamedCell> &row : rows)
        sets.push_back({folder.makeSet(row), false});
    return folder.makeList(sets);
}

// Overlays

/// What overlays make of `final` and `prev`, each one of what those before it made.
Cell *composed(Folder &folder, std::span<Cell *const> overlays, Cell *final, Cell *prev)
{
    std::vector<Cell *> changes;
    for (Cell *overlay : overlays) {
        std::vector<Cell *> below{prev};
        below.insert(below.end(), changes.begin(), changes.end());
        Cell *before = changes.empty() ? prev : together(folder, below);
        if (!before)
            return nullptr;
        changes.push_back(folder.force(folder.call(folder.call(overlay, final), before)));
    }
    return together(folder, changes);
}

Cell *composeExtensions(Folder &folder, Arguments arguments)
{
    return composed(folder, arguments.first(2), arguments[2], arguments[3]);
}

Cell *composeManyExtensions(Folder &folder, Arguments arguments)
{
    const Cell *list = wholeList(folder, arguments[0]);
    std::vector<Cell *> overlays;
    for (const Item &item : list ? list->items() : std::span<const Item>())
        overlays.push_back(item.cell);
    return list ? composed(folder, overlays, arguments[1], arguments[2]) : nullptr;
}

/// `drv.overrideAttrs { meta = drv.meta // { ... }; }`, as which facts are read of it.
Cell *addMetaAttrs(Folder &folder, Arguments arguments)
{
    if (folder.isExact())
        return nullptr;
    Cell *const metas[] = {folder.delaySelect(arguments[1], "meta"), arguments[0]};
    Cell *const meta = together(folder, metas);
    const NamedCell entries[] = {{"meta", meta}};
    return meta ? folder.call(folder.select(arguments[1], "overrideAttrs"), folder.makeSet(entries)) : nullptr;
}

constexpr Builtin ofLibrary[] = {
    {"add", 2, Builtin::InBoth, calculated<BinaryOperator::Add>},
    {"addMetaAttrs", 2, Builtin::InLib, addMetaAttrs},
    {"attrByPath", 3, Builtin::InLib, attrByPath},
    {"attrsToList", 1, Builtin::InLib, attrsToList},
    {"boolToString", 1, Builtin::InLib, boolToString},
    {"cartesianProduct", 1, Builtin::InLib, cartesianProduct},
    {"cartesianProductOfSets", 1, Builtin::InLib, cartesianProduct},
    {"catAttrs", 2, Builtin::InBoth, catAttrs},
    {"composeExtensions", 4, Builtin::InLib, composeExtensions},
    {"composeManyExtensions", 3, Builtin::InLib, composeManyExtensions},
    {"concatLines", 1, Builtin::InLib, concatLines},
    {"concatMapAttrs", 2, Builtin::InLib, concatMapAttrs},
    {"concatMapStrings", 2, Builtin::InLib, concatMapStrings},
    {"count", 2, Builtin::InLib, count},
    {"deepSeq", 2, Builtin::InBoth, sequence},
    {"div", 2, Builtin::InBoth, calculated<BinaryOperator::Divide>},
    {"drop", 2, Builtin::InLib, part<true>},
    {"findFirst", 3, Builtin::InLib, findFirst},
    {"fold", 3, Builtin::InLib, foldRight},
    {"foldl", 3, Builtin::InLib, foldLeft},
    {"foldlAttrs", 3, Builtin::InLib, foldlAttrs},
    {"foldr", 3, Builtin::InLib, foldRight},
    {"forEach", 2, Builtin::InLib, forEach},
    {"genList", 2, Builtin::InBoth, genList},
    {"getAttrFromPath", 2, Builtin::InLib, getAttrFromPath},
    {"getAttrs", 2, Builtin::InLib, getAttrs},
    {"groupBy", 2, Builtin::InBoth, groupBy},
    {"hasAttrByPath", 2, Builtin::InLib, hasAttrByPath},
    {"imap0", 2, Builtin::InLib, indexedMap<0>},
    {"imap1", 2, Builtin::InLib, indexedMap<1>},
    {"init", 1, Builtin::InLib, init},
    {"intersectAttrs", 2, Builtin::InBoth, intersectAttrs},
    {"intersectLists", 2, Builtin::InLib, otherElements<true>},
    {"isAttrs", 1, Builtin::InBoth, isOfKind<ValueKind::Attributes>},
    {"isBool", 1, Builtin::InBoth, isOfKind<ValueKind::Boolean>},
    {"isFloat", 1, Builtin::InBoth, isOfKind<ValueKind::Float>},
    {"isFunction", 1, Builtin::InBuiltins, isOfKind<ValueKind::Function>},
    {"isInt", 1, Builtin::InBoth, isOfKind<ValueKind::Integer>},
    {"isList", 1, Builtin::InBoth, isOfKind<ValueKind::List>},
    {"isPath", 1, Builtin::InBoth, isOfKind<ValueKind::Path>},
    {"isString", 1, Builtin::InBoth, isOfKind<ValueKind::Text>},
    {"lessThan", 2, Builtin::InBoth, calculated<BinaryOperator::Less>},
    {"major", 1, Builtin::InVersions, partOfVersion<1, 0>},
    {"majorMinor", 1, Builtin::InVersions, partOfVersion<2, 0>},
    {"max", 2, Builtin::InLib, chosen<BinaryOperator::Greater>},
    {"mergeAttrsList", 1, Builtin::InLib, mergeAttrsList},
    {"min", 2, Builtin::InLib, chosen<BinaryOperator::Less>},
    {"minor", 1, Builtin::InVersions, partOfVersion<1, 1>},
    {"mul", 2, Builtin::InBoth, calculated<BinaryOperator::Multiply>},
    {"partition", 2, Builtin::InBoth, partition},
    {"patch", 1, Builtin::InVersions, partOfVersion<1, 2>},
    {"range", 2, Builtin::InLib, range},
    {"remove", 2, Builtin::InLib, without},
    {"removeAttrs", 2, Builtin::InBoth, removeAttrs},
    {"reverseList", 1, Builtin::InLib, reverseList},
    {"seq", 2, Builtin::InBoth, sequence},
    {"setAttrByPath", 2, Builtin::InLib, setAttrByPath},
    {"sort", 2, Builtin::InBoth, sort},
    {"splitVersion", 1, Builtin::InBoth, splitVersion},
    {"stringToCharacters", 1, Builtin::InLib, stringToCharacters},
    {"sub", 2, Builtin::InBoth, calculated<BinaryOperator::Subtract>},
    {"sublist", 3, Builtin::InLib, sublist},
    {"subtractLists", 2, Builtin::InLib, otherElements<false>},
    {"take", 2, Builtin::InLib, part<false>},
    {"toInt", 1, Builtin::InLib, toInt},
    {"trim", 1, Builtin::InLib, trim},
    {"typeOf", 1, Builtin::InBoth, typeOf},
    {"zipListsWith", 3, Builtin::InLib, zipListsWith},
};

} // namespace

std::span<const Builtin> libraryBuiltins()
{
    return ofLibrary;
}

} // namespace tmx::nix
