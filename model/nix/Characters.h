// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QtTypes>

#include <array>
#include <string_view>

namespace tmx::nix {

/// The character sets of Nix's names, numbers, paths and URIs.
enum CharacterSet : quint8 {
    Digit = 1,
    Letter = 2,
    NameStart = 4, ///< letters and _
    NamePart = 8,  ///< letters, digits, _, ' and -
    PathPart = 16,
    SchemePart = 32, ///< of a URI's scheme, before the colon
    UriPart = 64,    ///< of a URI, after the colon
    Blank = 128,
};

constexpr std::array<quint8, 256> characterSets()
{
    std::array<quint8, 256> sets{};
    const auto add = [&sets](std::string_view characters, int set) {
        for (char c : characters)
            sets[quint8(c)] |= quint8(set);
    };
    add("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
        Letter | NameStart | NamePart | PathPart | SchemePart | UriPart);
    add("0123456789", Digit | NamePart | PathPart | SchemePart | UriPart);
    add("_", NameStart | NamePart | PathPart | UriPart);
    add("'", NamePart | UriPart);
    add("-", NamePart | PathPart | SchemePart | UriPart);
    add(".+", PathPart | SchemePart | UriPart);
    add("%/?:@&=$,!~*", UriPart);
    add(" \t\r\n", Blank);
    return sets;
}

inline constexpr std::array<quint8, 256> sets = characterSets();

inline bool isIn(char c, CharacterSet set)
{
    return (sets[quint8(c)] & set) != 0;
}

/// End of the run of bytes in `set` that begins at `at`.
inline size_t runEnd(std::string_view text, size_t at, CharacterSet set)
{
    while (at < text.size() && isIn(text[at], set))
        ++at;
    return at;
}

} // namespace tmx::nix
