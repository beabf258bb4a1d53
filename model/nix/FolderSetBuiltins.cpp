// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/FolderBuiltins.h"

namespace tmx::nix {

namespace {

using Arguments = std::span<Cell *const>;

/// Calls take(entries) when the set is wholly known.
template <class Take>
Cell *withEntries(Folder &folder, Cell *set, Take take)
{
    bool complete = false;
    set = folder.force(set);
    if (set->kind != ValueKind::Attributes)
        return nullptr;
    std::vector<NamedCell> entries = folder.entriesOf(*set, complete);
    return complete && folder.step(entries.size()) ? take(entries) : nullptr;
}

Cell *attrNames(Folder &folder, Arguments arguments)
{
    return withEntries(folder, arguments[0], [&](auto &entries) {
        std::vector<Cell *> names;
        names.reserve(entries.size());
        for (const NamedCell &entry : entries)
            names.push_back(folder.makeText(entry.name));
        return listOf(folder, names);
    });
}

Cell *attrValues(Folder &folder, Arguments arguments)
{
    return withEntries(folder, arguments[0], [&](auto &entries) {
        std::vector<Cell *> values;
        values.reserve(entries.size());
        for (const NamedCell &entry : entries)
            values.push_back(entry.cell);
        return listOf(folder, values);
    });
}

Cell *mapAttrs(Folder &folder, Arguments arguments)
{
    return withEntries(folder, arguments[1], [&](auto &entries) {
        for (NamedCell &entry : entries)
            entry.cell = folder.delayCall(folder.delayCall(arguments[0], folder.makeText(entry.name)), entry.cell);
        return folder.makeSet(std::span<const NamedCell>(entries));
    });
}

Cell *removeAttrs(Folder &folder, Arguments arguments)
{
    return withElements(folder, arguments[1], [&](auto &elements) {
        return withEntries(folder, arguments[0], [&](auto &entries) -> Cell * {
            for (Cell *element : elements) {
                const auto name = folder.bytesOf(element);
                if (!name || !folder.step(entries.size() / 16))
                    return nullptr;
                std::erase_if(entries, [&](const NamedCell &entry) { return entry.name == *name; });
            }
            return folder.makeSet(std::span<const NamedCell>(entries));
        });
    });
}

Cell *hasAttr(Folder &folder, Arguments arguments)
{
    const auto name = folder.bytesOf(arguments[0]);
    const Cell *set = folder.force(arguments[1]);
    if (!name || set->kind != ValueKind::Attributes)
        return nullptr;
    bool certain = true;
    const Cell *found = folder.find(*set, *name, certain);
    return found || certain ? folder.makeBoolean(found) : nullptr;
}

Cell *getAttr(Folder &folder, Arguments arguments)
{
    const auto name = folder.bytesOf(arguments[0]);
    return name ? folder.select(arguments[1], *name) : nullptr;
}

Cell *optionalAttrs(Folder &folder, Arguments arguments)
{
    const auto condition = truth(folder, arguments[0]);
    if (!condition)
        return nullptr;
    return *condition ? arguments[1] : folder.makeSet(std::span<const NamedCell>());
}

constexpr Builtin table[] = {
    {"optionalAttrs", 2, Builtin::InLib, optionalAttrs},
    {"attrNames", 1, Builtin::InBoth, attrNames},
    {"attrValues", 1, Builtin::InBoth, attrValues},
    {"mapAttrs", 2, Builtin::InBoth, mapAttrs},
    {"removeAttrs", 2, Builtin::InBoth, removeAttrs},
    {"hasAttr", 2, Builtin::InBoth, hasAttr},
    {"getAttr", 2, Builtin::InBoth, getAttr},
};

} // namespace

std::span<const Builtin> setBuiltins()
{
    return table;
}

} // namespace tmx::nix
