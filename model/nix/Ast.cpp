// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Ast.h"

namespace tmx::nix {

std::optional<std::string_view> plainText(const Node *node)
{
    while (const Text *text = as<Text>(node)) {
        if (text->parts.empty())
            return std::string_view();
        if (text->parts.size() > 1)
            return std::nullopt;
        const TextPart &part = text->parts.front();
        if (!part.expression)
            return part.text;
        if (text->style != TextStyle::Indented)
            return std::nullopt;
        node = part.expression; // Nix keeps no join around the only part of an indented text
    }
    return std::nullopt;
}

} // namespace tmx::nix
