// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Source.h"
#include "model/nix/Symbols.h"

namespace tmx::nix {

enum class TokenKind : quint8 {
    Eof,
    Error,   ///< the lexer's own: Lexer::error() says which
    Invalid, ///< a byte that begins nothing
    Id,
    // Keywords, in the order in which Lexer interns them.
    If,
    Then,
    Else,
    Assert,
    With,
    Let,
    In,
    Rec,
    Inherit,
    Or,
    // Literals and the pieces of texts and paths.
    Integer,
    Float,
    Uri,
    SearchPath,
    Path, ///< its first literal piece; Text, DollarBrace ... follow, and PathEnd closes it
    PathEnd,
    Quote, ///< opens and closes
    Text,  ///< a stretch between quotes or within a path, escapes and all
    IndentOpen,
    IndentText,   ///< a stretch whose leading spaces count as indentation
    IndentEscape, ///< ''$ ''' ''\x and the lone $ and '
    IndentClose,
    DollarBrace,
    // Operators and punctuation.
    Ellipsis,
    Equal,
    NotEqual,
    LessEqual,
    GreaterEqual,
    Less,
    Greater,
    AndAnd,
    OrOr,
    Implies,
    Update,
    Concat,
    Plus,
    Minus,
    Star,
    Slash,
    Not,
    Assign,
    Semicolon,
    Colon,
    Comma,
    Dot,
    At,
    Question,
    ParenOpen,
    ParenClose,
    BraceOpen,
    BraceClose,
    BracketOpen,
    BracketClose,
};

struct Token {
    TokenKind kind = TokenKind::Eof;
    Span span;
    Symbol symbol; ///< of Id and of keywords
};

/// `# ...` up to its line's end, or `/* ... */`.
struct Comment {
    Span span;
    bool block = false;
};

} // namespace tmx::nix
