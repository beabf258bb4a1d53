// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Numbers.h"

#include "model/nix/Characters.h"

#include <cerrno>
#include <charconv>
#include <clocale>
#include <cstdlib>
#include <string>

#include <locale.h>

namespace tmx::nix {

size_t floatLength(std::string_view text, size_t at)
{
    const auto charAt = [text](size_t index) { return index < text.size() ? text[index] : '\0'; };
    size_t end = runEnd(text, at, Digit);
    const bool plainZero = end == at || (end == at + 1 && text[at] == '0');
    if (charAt(end) != '.' || (!plainZero && text[at] == '0'))
        return 0;
    const size_t fraction = end + 1;
    end = runEnd(text, fraction, Digit);
    if (plainZero && end == fraction)
        return 0;
    if (charAt(end) == 'e' || charAt(end) == 'E') {
        const size_t exponent = end + (charAt(end + 1) == '+' || charAt(end + 1) == '-' ? 2 : 1);
        const size_t exponentEnd = runEnd(text, exponent, Digit);
        if (exponentEnd > exponent)
            end = exponentEnd;
    }
    return end - at;
}

std::optional<qint64> readInteger(std::string_view digits)
{
    qint64 value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size())
        return std::nullopt;
    return value;
}

std::optional<double> readFloat(std::string_view literal)
{
    // strtod and not from_chars: what counts as too small is whatever Nix's strtod says. The locale of its own, since
    // Qt sets the user's one.
    static const locale_t plain = newlocale(LC_ALL_MASK, "C", locale_t(nullptr));
    const std::string terminated(literal);
    const int outer = errno;
    errno = 0;
    const double value = strtod_l(terminated.c_str(), nullptr, plain);
    const bool inRange = errno == 0;
    errno = outer;
    return inRange ? std::optional(value) : std::nullopt;
}

} // namespace tmx::nix
