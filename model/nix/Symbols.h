// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QtTypes>

#include <string_view>
#include <vector>

namespace tmx::nix {

/// A name, represented by its number in the tree's SymbolTable: equal names have equal numbers.
struct Symbol {
    quint32 id = 0; ///< 0 = no name, as for a dynamic attribute
    explicit operator bool() const { return id != 0; }
    bool operator==(const Symbol &) const = default;
};

/// All names of a file, without duplicates. Names are views into the text that they were interned from, which must
/// outlive the table.
class SymbolTable
{
public:
    SymbolTable();

    Symbol intern(std::string_view name);
    /// The symbol of an interned name, or the empty symbol.
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
