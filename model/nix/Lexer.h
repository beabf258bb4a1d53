// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Token.h"

#include <optional>
#include <string_view>
#include <vector>

namespace tmx::nix {

/// Errors that only the lexer can detect.
enum class LexError : quint8 { None, IntegerTooLarge, FloatOutOfRange, PathEndsWithSlash, NulInText, PipeOperator };

/// The value of an Integer token; nullopt if it does not fit into a signed 64-bit integer.
std::optional<qint64> readInteger(std::string_view digits);
/// The value of a Float token; nullopt if it is too large, or too small to be represented precisely enough: Nix rejects
/// both. Independent of the user's locale.
std::optional<double> readFloat(std::string_view literal);

/// Splits a text into tokens like Nix 2.26: the longest match wins, so `a/b` is a path, `a:b` a URI and `a-b` a name.
/// Keeps track of whether it is within quotes, within a path, or in an expression between `${` and `}`. Takes linear
/// time for any text.
class Lexer
{
public:
    /// `source` and `symbols` must outlive the lexer.
    Lexer(const Source &source, SymbolTable &symbols);

    /// The next token; at the end always Eof. A NUL byte between tokens ends the text, as in Nix.
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
    size_t m_noPathBefore = 0; ///< no path begins before this offset, which is already scanned
    size_t m_noUriBefore = 0;
    Token m_previous;
    std::vector<Mode> m_modes{Mode::Expression};
    std::vector<Comment> m_comments;
    LexError m_error = LexError::None;
};

} // namespace tmx::nix
