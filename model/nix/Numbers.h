// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QtTypes>

#include <optional>
#include <string_view>

namespace tmx::nix {

/// Bytes of the floating-point literal at `at`; 0 when there is none. Nix wants a dot, and no zero before another
/// digit: `1e5` and `00.5` are none.
size_t floatLength(std::string_view text, size_t at);
/// Nothing when it does not fit into 64 bits with a sign.
std::optional<qint64> readInteger(std::string_view digits);
/// Nothing when it is too large, or too small to be held exactly enough: Nix refuses both. Independent of the user's
/// locale.
std::optional<double> readFloat(std::string_view literal);

} // namespace tmx::nix
