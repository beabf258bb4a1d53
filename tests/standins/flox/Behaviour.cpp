// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/standins/flox/Behaviour.h"

#include <cstdlib>
#include <optional>
#include <unistd.h>

namespace standin {

namespace {

/// The part after `word:`; empty for a bare word; nothing if it was not requested.
std::optional<std::string_view> argument(std::string_view word)
{
    const char *text = std::getenv("TORCH_MATRIX_STANDIN_FLOX");
    std::string_view rest = text ? text : "";
    while (!rest.empty()) {
        const size_t comma = rest.find(',');
        const std::string_view entry = rest.substr(0, comma);
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
        const size_t colon = entry.find(':');
        if (entry.substr(0, colon) == word)
            return colon == std::string_view::npos ? std::string_view() : entry.substr(colon + 1);
    }
    return {};
}

void writeAll(int fd, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = ::write(fd, text.data(), text.size());
        if (written <= 0)
            return;
        text.remove_prefix(size_t(written));
    }
}

void print(int fd, std::string_view text)
{
    if (!asked("halves"))
        return writeAll(fd, text);
    size_t start = 0;
    for (size_t i = 1; i < text.size(); ++i) {
        if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80)
            continue;
        writeAll(fd, text.substr(start, i - start));
        start = i;
        ::usleep(2000);
    }
    writeAll(fd, text.substr(start));
}

} // namespace

bool asked(std::string_view word)
{
    return argument(word).has_value();
}

double number(std::string_view word, double otherwise)
{
    const auto text = argument(word);
    return text && !text->empty() ? std::strtod(std::string(*text).c_str(), nullptr) : otherwise;
}

void out(std::string_view text)
{
    print(STDOUT_FILENO, text);
}

void err(std::string_view text)
{
    print(STDERR_FILENO, text);
}

int fail(const std::string &message)
{
    err("✘ ERROR: " + message + "\n");
    return 1;
}

} // namespace standin
