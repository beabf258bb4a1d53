// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace tmx {

/// Whether it is the method of a package that makes another one of it.
inline bool isOverride(std::string_view name)
{
    using namespace std::string_view_literals;
    constexpr std::array names{"override"sv, "overrideAttrs"sv, "overridePythonAttrs"sv, "overrideDerivation"sv};
    return std::ranges::find(names, name) != names.end();
}

/// Whether it is a function that makes a package of attributes.
inline bool isBuilder(std::string_view name)
{
    using namespace std::string_view_literals;
    constexpr std::array names{"buildPythonPackage"sv, "buildPythonApplication"sv, "mkDerivation"sv,
                               "buildRustPackage"sv,   "buildGoModule"sv,          "buildNpmPackage"sv};
    return std::ranges::find(names, name) != names.end();
}

} // namespace tmx
