// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/FolderBuiltins.h"

#include "model/nix/Characters.h"
#include "model/nix/Numbers.h"

#include <algorithm>
#include <string>

namespace tmx::nix {

namespace {

using Arguments = std::span<Cell *const>;

/// The list's elements with `separator` between them. An unknown element is a hole, and so are unknown numbers of them.
Cell *join(Folder &folder, Cell *separator, Cell *list)
{
    list = folder.force(list);
    if (list->kind != ValueKind::List || !folder.step(list->items.size()))
        return nullptr;
    std::vector<TextPiece> pieces;
    for (const Item &item : list->items) {
        if (&item != &list->items.front())
            folder.addText(pieces, separator);
        if (item.spliced)
            pieces.push_back({{}, nullptr, nullptr, folder.force(item.cell)});
        else
            folder.addText(pieces, item.cell);
    }
    return folder.makeText(pieces);
}

Cell *mapped(Folder &folder, Cell *function, Cell *list)
{
    Cell *const arguments[] = {function, list};
    return Folder::builtin("map", Builtin::InBuiltins)->fold(folder, std::span<Cell *const>(arguments));
}

Cell *concatStringsSep(Folder &folder, Arguments arguments)
{
    return join(folder, arguments[0], arguments[1]);
}
Cell *concatStrings(Folder &folder, Arguments arguments)
{
    return join(folder, folder.makeText(std::string_view()), arguments[0]);
}

Cell *concatMapStringsSep(Folder &folder, Arguments arguments)
{
    Cell *list = mapped(folder, arguments[1], arguments[2]);
    return list ? join(folder, arguments[0], list) : nullptr;
}

Cell *concatMapStrings(Folder &folder, Arguments arguments)
{
    Cell *list = mapped(folder, arguments[0], arguments[1]);
    return list ? join(folder, folder.makeText(std::string_view()), list) : nullptr;
}

Cell *toString(Folder &folder, Arguments arguments)
{
    Cell *cell = folder.force(arguments[0]);
    if (cell->kind == ValueKind::Text)
        return cell;
    if (cell->kind == ValueKind::Unknown || cell->kind == ValueKind::Function || cell->kind == ValueKind::Attributes ||
        cell->kind == ValueKind::Path)
        return nullptr;
    std::vector<TextPiece> pieces;
    folder.addText(pieces, cell, true);
    return folder.makeText(pieces);
}

Cell *optionalString(Folder &folder, Arguments arguments)
{
    const auto condition = truth(folder, arguments[0]);
    if (!condition)
        return nullptr;
    return *condition ? arguments[1] : folder.makeText(std::string_view());
}

/// A stretch of a text, which still stands where it stood in the file when it lies within one piece.
Cell *part(Folder &folder, Cell *cell, std::string_view bytes, size_t start, size_t length)
{
    cell = folder.force(cell);
    if (cell->pieces.size() != 1)
        return folder.makeText(bytes.substr(start, length));
    TextPiece piece = cell->pieces.front();
    piece.bytes = piece.bytes.substr(start, length);
    return folder.makeText(std::span(&piece, piece.bytes.empty() ? 0 : 1));
}

/// Calls take(first, second) when both are known to the last byte.
template <class Take>
Cell *withTexts(Folder &folder, Arguments arguments, Take take)
{
    const auto first = folder.bytesOf(arguments[0]);
    const auto second = folder.bytesOf(arguments[1]);
    return first && second && folder.step((first->size() + second->size()) / 64) ? take(*first, *second) : nullptr;
}

Cell *removePrefix(Folder &folder, Arguments arguments)
{
    return withTexts(folder, arguments, [&](std::string_view prefix, std::string_view text) {
        return text.starts_with(prefix) ? part(folder, arguments[1], text, prefix.size(), text.size()) : arguments[1];
    });
}

Cell *removeSuffix(Folder &folder, Arguments arguments)
{
    return withTexts(folder, arguments, [&](std::string_view suffix, std::string_view text) {
        return text.ends_with(suffix) ? part(folder, arguments[1], text, 0, text.size() - suffix.size()) : arguments[1];
    });
}

Cell *hasPrefix(Folder &folder, Arguments arguments)
{
    return withTexts(folder, arguments, [&](std::string_view prefix, std::string_view text) {
        return folder.makeBoolean(text.starts_with(prefix));
    });
}

Cell *hasSuffix(Folder &folder, Arguments arguments)
{
    return withTexts(folder, arguments, [&](std::string_view suffix, std::string_view text) {
        return folder.makeBoolean(text.ends_with(suffix));
    });
}

Cell *hasInfix(Folder &folder, Arguments arguments)
{
    return withTexts(folder, arguments, [&](std::string_view infix, std::string_view text) {
        return folder.makeBoolean(text.find(infix) != std::string_view::npos);
    });
}

Cell *splitString(Folder &folder, Arguments arguments)
{
    return withTexts(folder, arguments, [&](std::string_view separator, std::string_view text) -> Cell * {
        std::vector<Item> items;
        for (size_t start = 0; !separator.empty() && start <= text.size();) {
            const size_t end = std::min(text.find(separator, start), text.size());
            if (!folder.step())
                return nullptr;
            items.push_back({part(folder, arguments[1], text, start, end - start), false});
            start = end + separator.size();
            if (end == text.size())
                break;
        }
        return separator.empty() ? nullptr : folder.makeList(items);
    });
}

Cell *replaceStrings(Folder &folder, Arguments arguments)
{
    const auto texts = [&](Cell *list) -> std::optional<std::vector<std::string_view>> {
        const auto elements = knownElements(folder, list);
        if (!elements)
            return std::nullopt;
        std::vector<std::string_view> all;
        for (Cell *element : *elements) {
            const auto bytes = folder.bytesOf(element);
            if (!bytes)
                return std::nullopt;
            all.push_back(*bytes);
        }
        return all;
    };
    const auto from = texts(arguments[0]);
    const auto to = texts(arguments[1]);
    const auto text = folder.bytesOf(arguments[2]);
    if (!from || !to || !text || from->size() != to->size() || !folder.step(text->size() * (from->size() + 1) / 64))
        return nullptr;
    std::string result;
    for (size_t at = 0; at <= text->size();) {
        const auto found =
            std::ranges::find_if(*from, [&](std::string_view wanted) { return text->substr(at).starts_with(wanted); });
        if (found != from->end()) {
            const std::string_view with = (*to)[size_t(found - from->begin())];
            if (!folder.step(with.size() / 64 + 1))
                return nullptr;
            result += with;
            at += found->size();
            if (!found->empty())
                continue;
        }
        if (at < text->size())
            result += (*text)[at];
        ++at;
    }
    return folder.makeText(result);
}

Cell *withCase(Folder &folder, Cell *cell, char first, char last, int shift)
{
    const auto text = folder.bytesOf(cell);
    if (!text)
        return nullptr;
    std::string result(*text);
    for (char &c : result) {
        if (c >= first && c <= last)
            c = char(c + shift);
    }
    return folder.makeText(result);
}

Cell *toUpper(Folder &folder, Arguments arguments)
{
    return withCase(folder, arguments[0], 'a', 'z', 'A' - 'a');
}
Cell *toLower(Folder &folder, Arguments arguments)
{
    return withCase(folder, arguments[0], 'A', 'Z', 'a' - 'A');
}

Cell *stringLength(Folder &folder, Arguments arguments)
{
    const auto text = folder.bytesOf(arguments[0]);
    return text ? folder.makeInteger(qint64(text->size())) : nullptr;
}

Cell *substring(Folder &folder, Arguments arguments)
{
    const Cell *start = folder.force(arguments[0]);
    const Cell *length = folder.force(arguments[1]);
    const auto text = folder.bytesOf(arguments[2]);
    if (!text || start->kind != ValueKind::Integer || length->kind != ValueKind::Integer || start->integer < 0)
        return nullptr;
    const size_t from = std::min(size_t(start->integer), text->size());
    return part(folder, arguments[2], *text, from,
                length->integer < 0 ? std::string_view::npos : size_t(length->integer));
}

/// The next component of a version: digits or other bytes, with the dots and dashes between them left out.
std::string_view nextComponent(std::string_view &version)
{
    version.remove_prefix(std::min(version.find_first_not_of(".-"), version.size()));
    size_t end = 0;
    const bool digits = !version.empty() && isIn(version[0], Digit);
    while (end < version.size() && isIn(version[end], Digit) == digits && version[end] != '.' && version[end] != '-')
        ++end;
    const std::string_view component = version.substr(0, end);
    version.remove_prefix(end);
    return component;
}

/// builtins.compareVersions: numbers by their value, numbers over words, "pre" under everything.
int compareVersions(std::string_view left, std::string_view right)
{
    const auto isLess = [](std::string_view a, std::string_view b) {
        const auto x = a.empty() ? std::nullopt : readInteger(a);
        const auto y = b.empty() ? std::nullopt : readInteger(b);
        if (x && y)
            return *x < *y;
        if (a.empty() && y)
            return true;
        if (a == "pre" && b != "pre")
            return true;
        if (b == "pre")
            return false;
        if (y)
            return true;
        if (x)
            return false;
        return a < b;
    };
    while (!left.empty() || !right.empty()) {
        const std::string_view a = nextComponent(left);
        const std::string_view b = nextComponent(right);
        if (isLess(a, b))
            return -1;
        if (isLess(b, a))
            return 1;
    }
    return 0;
}

Cell *compareVersionsOf(Folder &folder, Arguments arguments)
{
    return withTexts(folder, arguments, [&](auto a, auto b) { return folder.makeInteger(compareVersions(a, b)); });
}

Cell *versionAtLeast(Folder &folder, Arguments arguments)
{
    return withTexts(folder, arguments, [&](auto a, auto b) { return folder.makeBoolean(compareVersions(a, b) >= 0); });
}

Cell *versionOlder(Folder &folder, Arguments arguments)
{
    return withTexts(folder, arguments, [&](auto a, auto b) { return folder.makeBoolean(compareVersions(a, b) < 0); });
}

/// lib.versions: the components from `first` on, `count` of them, with dots between.
Cell *components(Folder &folder, Cell *version, size_t first, size_t count)
{
    const auto text = folder.bytesOf(version);
    if (!text)
        return nullptr;
    std::string result;
    std::string_view rest = *text;
    for (size_t i = 0; i < first + count; ++i) {
        const std::string_view component = nextComponent(rest);
        if (component.empty())
            return nullptr;
        if (i >= first)
            result.append(result.empty() ? "" : ".").append(component);
    }
    return folder.makeText(result);
}

Cell *major(Folder &folder, Arguments arguments)
{
    return components(folder, arguments[0], 0, 1);
}
Cell *minor(Folder &folder, Arguments arguments)
{
    return components(folder, arguments[0], 1, 1);
}
Cell *majorMinor(Folder &folder, Arguments arguments)
{
    return components(folder, arguments[0], 0, 2);
}

/// lib.cmakeBool "NAME" value: "-DNAME:BOOL=TRUE".
Cell *cmakeBool(Folder &folder, Arguments arguments)
{
    const auto name = folder.bytesOf(arguments[0]);
    const auto value = truth(folder, arguments[1]);
    return name && value ? folder.makeText("-D" + std::string(*name) + ":BOOL=" + (*value ? "TRUE" : "FALSE"))
                         : nullptr;
}

Cell *cmakeFeature(Folder &folder, Arguments arguments)
{
    return withTexts(folder, arguments, [&](std::string_view name, std::string_view value) {
        return folder.makeText("-D" + std::string(name) + ":STRING=" + std::string(value));
    });
}

Cell *boolToString(Folder &folder, Arguments arguments)
{
    const auto value = truth(folder, arguments[0]);
    return value ? folder.makeText(std::string_view(*value ? "true" : "false")) : nullptr;
}

constexpr Builtin table[] = {
    {"concatStringsSep", 2, Builtin::InBoth, concatStringsSep},
    {"concatStrings", 1, Builtin::InLib, concatStrings},
    {"concatMapStringsSep", 3, Builtin::InLib, concatMapStringsSep},
    {"concatMapStrings", 2, Builtin::InLib, concatMapStrings},
    {"toString", 1, Builtin::InBoth, toString},
    {"optionalString", 2, Builtin::InLib, optionalString},
    {"removePrefix", 2, Builtin::InLib, removePrefix},
    {"removeSuffix", 2, Builtin::InLib, removeSuffix},
    {"hasPrefix", 2, Builtin::InLib, hasPrefix},
    {"hasSuffix", 2, Builtin::InLib, hasSuffix},
    {"hasInfix", 2, Builtin::InLib, hasInfix},
    {"splitString", 2, Builtin::InLib, splitString},
    {"replaceStrings", 3, Builtin::InBoth, replaceStrings},
    {"toUpper", 1, Builtin::InLib, toUpper},
    {"toLower", 1, Builtin::InLib, toLower},
    {"stringLength", 1, Builtin::InBoth, stringLength},
    {"substring", 3, Builtin::InBoth, substring},
    {"compareVersions", 2, Builtin::InBoth, compareVersionsOf},
    {"versionAtLeast", 2, Builtin::InLib, versionAtLeast},
    {"versionOlder", 2, Builtin::InLib, versionOlder},
    {"major", 1, Builtin::InLib, major},
    {"minor", 1, Builtin::InLib, minor},
    {"majorMinor", 1, Builtin::InLib, majorMinor},
    {"cmakeBool", 2, Builtin::InLib, cmakeBool},
    {"cmakeFeature", 2, Builtin::InLib, cmakeFeature},
    {"boolToString", 1, Builtin::InLib, boolToString},
};

} // namespace

std::span<const Builtin> textBuiltins()
{
    return table;
}

} // namespace tmx::nix
