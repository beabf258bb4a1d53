// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Ast.h"
#include "model/nix/Token.h"

namespace tmx::nix {

/// What an indented text is made of before its indentation is known: IndentText and IndentEscape tokens, and
/// antiquotations.
struct IndentedPiece {
    Token token; ///< kind DollarBrace: an antiquotation of that span
    const Node *expression = nullptr;
};

/// The bytes that a literal of quotes stands for: escapes resolved, CR and CR LF read as LF. Without either, the view
/// is `raw` itself.
std::string_view unescapedQuotes(Arena &arena, std::string_view raw);

/// Nix's rule: the least indentation of any line that holds more than spaces is taken off every line, and the last line
/// goes when it is blank. Only spaces indent. Literals that become empty are left out. `parts` is filled again.
void stripIndentation(Arena &arena, const Source &source, std::span<const IndentedPiece> pieces,
                      std::vector<TextPart> &parts);

/// The offsets in the file of each byte of a literal part's text, and of its end: where a fix within a text goes.
void sourceOffsets(const Source &source, TextStyle style, const TextPart &part, std::vector<quint32> &offsets);

} // namespace tmx::nix
