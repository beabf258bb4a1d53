// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Ast.h"
#include "model/nix/Token.h"

namespace tmx::nix {

/// The pieces of an indented text before its indentation is known: IndentText and IndentEscape tokens, and
/// antiquotations.
struct IndentedPiece {
    Token token; ///< kind DollarBrace: the antiquotation with that span
    const Node *expression = nullptr;
};

/// The value of a part of a quoted string: escapes are resolved, CR and CR LF become LF. If there are none, the result
/// is `raw` itself.
std::string_view unescapedQuotes(Arena &arena, std::string_view raw);

/// Nix's rule: the smallest indentation of all lines with more than spaces is removed from every line, and a blank last
/// line is removed. Only spaces count as indentation. Literals that become empty are left out. Sets `parts`.
void stripIndentation(Arena &arena, const Source &source, std::span<const IndentedPiece> pieces,
                      std::vector<TextPart> &parts);

/// The offsets in the file for each byte of a literal part's text and for its end, so that a fix can edit inside a
/// text.
void sourceOffsets(const Source &source, TextStyle style, const TextPart &part, std::vector<quint32> &offsets);

} // namespace tmx::nix
