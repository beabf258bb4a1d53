// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QtTypes>

#include <string_view>
#include <vector>

namespace tmx::nix {

/// A name, known by its number in the tree's SymbolTable: two names are equal when their numbers are.
struct Symbol {
    quint32 id = 0; ///< 0 = no name, as with a dynamic attribute
    explicit operator bool() const { return id != 0; }
    bool operator==(const Symbol &) const = default;
};

/// Every name of a file once. Names are views: they live as long as the text that they were interned from.
class SymbolTable
{
public:
    SymbolTable();

    Symbol intern(std::string_view name);
    /// The symbol of a name that was interned, or the empty one.
    [[nodiscard]] Symbol find(std::string_view name) const;
    [[nodiscard]] std::string_view name(Symbol symbol) const { return m_names[symbol.id]; }
    /// One past the largest id.
    [[nodiscard]] quint32 size() const { return quint32(m_names.size()); }

private:
    [[nodiscard]] size_t slotOf(std::string_view name, quint32 hash) const;
    void grow();

    struct Slot {
        quint32 hash = 0;
        quint32 id = 0; ///< 0 = free
    };
    std::vector<std::string_view> m_names;
    std::vector<Slot> m_slots; ///< open addressing; a power of two
};

} // namespace tmx::nix
