// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Symbols.h"

#include <QHashFunctions>

namespace tmx::nix {

namespace {

/// Seeded, so that no file can be crafted whose names all collide.
quint32 hashOf(std::string_view name)
{
    return quint32(qHashBits(name.data(), name.size(), QHashSeed::globalSeed()));
}

} // namespace

SymbolTable::SymbolTable()
    : m_names(1)
    , m_slots(256)
{
}

size_t SymbolTable::slotOf(std::string_view name, quint32 hash) const
{
    const size_t mask = m_slots.size() - 1;
    size_t slot = hash & mask;
    while (m_slots[slot].id != 0 && (m_slots[slot].hash != hash || m_names[m_slots[slot].id] != name))
        slot = (slot + 1) & mask;
    return slot;
}

Symbol SymbolTable::intern(std::string_view name)
{
    const quint32 hash = hashOf(name);
    Slot &slot = m_slots[slotOf(name, hash)];
    if (slot.id != 0)
        return {slot.id};
    const Symbol symbol{size()};
    slot = {hash, symbol.id};
    m_names.push_back(name);
    if (m_names.size() * 2 > m_slots.size())
        grow();
    return symbol;
}

Symbol SymbolTable::find(std::string_view name) const
{
    return {m_slots[slotOf(name, hashOf(name))].id};
}

void SymbolTable::grow()
{
    std::vector<Slot> old(m_slots.size() * 2);
    old.swap(m_slots);
    const size_t mask = m_slots.size() - 1;
    for (const Slot &slot : old) {
        if (slot.id == 0)
            continue;
        size_t target = slot.hash & mask;
        while (m_slots[target].id != 0)
            target = (target + 1) & mask;
        m_slots[target] = slot;
    }
}

} // namespace tmx::nix
