// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Lexer.h"
#include "model/nix/Parse.h"

#include <array>

namespace tmx::nix {

/// The tokens of one file with look-ahead, and the first error. Functions return nullptr or false on errors, and their
/// callers return at once.
class TokenStream
{
public:
    TokenStream(const Tree &tree, SymbolTable &symbols)
        : m_tree(tree)
        , m_lexer(tree.source(), symbols)
    {
        m_tokens[0] = m_lexer.next();
    }

    [[nodiscard]] const Token &current() const { return m_tokens[m_first]; }
    [[nodiscard]] bool at(TokenKind kind) const { return current().kind == kind; }
    TokenKind peek(int ahead)
    {
        while (m_count <= ahead)
            m_tokens[size_t(m_first + m_count++) % m_tokens.size()] = m_lexer.next();
        return m_tokens[size_t(m_first + ahead) % m_tokens.size()].kind;
    }
    Token advance()
    {
        const Token token = current();
        m_end = token.span.end();
        peek(1);
        m_first = int(size_t(m_first + 1) % m_tokens.size());
        --m_count;
        return token;
    }
    bool accept(TokenKind kind)
    {
        if (!at(kind))
            return false;
        advance();
        return true;
    }
    bool expect(TokenKind kind);
    bool expectClosing(TokenKind kind, Span opened);
    /// From the first byte of `start` to the last consumed token.
    [[nodiscard]] Span since(Span start) const { return {start.offset, m_end - start.offset}; }
    /// Consumes the end of a path, which has no bytes of its own.
    void endPath()
    {
        const quint32 end = m_end;
        advance();
        m_end = end;
    }

    [[nodiscard]] static QString nameOf(TokenKind kind);
    [[nodiscard]] QString nameOf(const Token &token) const;
    std::nullptr_t unexpected(const QString &expected);
    /// Only records the first error.
    std::nullptr_t fail(ParseError::Kind kind, Span span, const QString &message);
    [[nodiscard]] const std::optional<ParseError> &error() const { return m_error; }
    std::vector<Comment> takeComments() { return m_lexer.takeComments(); }

private:
    const Tree &m_tree;
    Lexer m_lexer;
    std::array<Token, 4> m_tokens; ///< a ring buffer: the current token and look-ahead
    int m_first = 0;
    int m_count = 1;
    quint32 m_end = 0; ///< end of the last consumed token
    std::optional<ParseError> m_error;
};

} // namespace tmx::nix
