// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Token.h"

#include <optional>
#include <string_view>
#include <vector>

namespace tmx::nix {

/// What only the lexer can see is wrong.
enum class LexError : quint8 { None, IntegerTooLarge, FloatOutOfRange, PathEndsWithSlash, NulInText, PipeOperator };

/// The value of an Integer token; nullopt when it does not fit into 64 bits with a sign.
std::optional<qint64> readInteger(std::string_view digits);
/// The value of a Float token; nullopt when it is too large, or too small to be held exactly enough: Nix refuses both.
/// Independent of the user's locale.
std::optional<double> readFloat(std::string_view literal);

/// Cuts a text into tokens, as Nix 2.26 does: the longest match wins, so `a/b` is a path, `a:b` a URI and `a-b` a name.
/// Knows by itself when it is within quotes, within a path or back in an expression between `${` and `}`. Time is
/// linear in the text, whatever the text is.
class Lexer
{
public:
    /// `source` and `symbols` outlive the lexer.
    Lexer(const Source &source, SymbolTable &symbols);

    /// The next token; Eof again and again at the end. A NUL byte between tokens ends the text, as it does for Nix.
    Token next();

    [[nodiscard]] LexError error() const { return m_error; }
    std::vector<Comment> takeComments() { return std::move(m_comments); }

private:
    enum class Mode : quint8 { Expression, Quotes, Indented, Path, PathAfterSlash };

    Token expression();
    Token quotes();
    Token indented();
    Token path();
    Token nameOrKeyword();
    Token number();
    Token dotted();
    Token single(TokenKind kind) { return take(kind, 1); }
    Token take(TokenKind kind, size_t length);
    Token open(TokenKind kind, size_t length, Mode mode);
    Token fail(LexError error, size_t length);
    Token either(char second, TokenKind two, TokenKind one);

    bool skipBlank();
    [[nodiscard]] size_t pathLength();
    [[nodiscard]] size_t uriLength();
    [[nodiscard]] size_t searchPathLength() const;
    [[nodiscard]] size_t segmentsEnd(size_t at) const;
    [[nodiscard]] char at(size_t index) const { return index < m_text.size() ? m_text[index] : '\0'; }
    [[nodiscard]] bool atIs(size_t index, char c) const { return index < m_text.size() && m_text[index] == c; }

    std::string_view m_text;
    SymbolTable &m_symbols;
    size_t m_at = 0;
    size_t m_noPathBefore = 0; ///< what starts before this offset was looked at already: no path
    size_t m_noUriBefore = 0;
    Token m_previous;
    std::vector<Mode> m_modes{Mode::Expression};
    std::vector<Comment> m_comments;
    LexError m_error = LexError::None;
};

} // namespace tmx::nix
