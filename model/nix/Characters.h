// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QtTypes>

#include <array>
#include <string_view>

namespace tmx::nix {

/// The sets of bytes of which Nix makes names, numbers, paths and URIs.
enum CharacterSet : quint8 {
    Digit = 1,
    Letter = 2,
    NameStart = 4, ///< letters and _
    NamePart = 8,  ///< and digits, ' and -
    PathPart = 16,
    SchemePart = 32, ///< of a URI, before its colon
    UriPart = 64,    ///< after it
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

/// Where the run of bytes of `set` that begins at `at` ends.
inline size_t runEnd(std::string_view text, size_t at, CharacterSet set)
{
    while (at < text.size() && isIn(text[at], set))
        ++at;
    return at;
}

} // namespace tmx::nix
