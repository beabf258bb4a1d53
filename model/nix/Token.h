// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Source.h"
#include "model/nix/Symbols.h"

namespace tmx::nix {

enum class TokenKind : quint8 {
    Eof,
    Error,   ///< an error of the lexer: Lexer::error() says which
    Invalid, ///< a byte that cannot begin a token
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
    Path, ///< its first literal piece; followed by Text, DollarBrace ..., and closed by PathEnd
    PathEnd,
    Quote, ///< opens and closes
    Text,  ///< a literal part inside quotes or a path, including escapes
    IndentOpen,
    IndentText,   ///< a literal part whose leading spaces count as indentation
    IndentEscape, ///< ''$ ''' ''\x, and a single $ or '
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
    Symbol symbol; ///< for Id and keywords
};

/// `# ...` up to the end of its line, or `/* ... */`.
struct Comment {
    Span span;
    bool block = false;
};

} // namespace tmx::nix
