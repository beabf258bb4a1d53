// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Lexer.h"
#include "model/nix/Parse.h"

#include <array>

namespace tmx::nix {

/// The tokens of one file, some of them looked at ahead, and the first thing that is wrong with them. What could not be
/// read gives nullptr or false, and whoever asked for it returns at once.
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
    /// From the first byte of `start` to the last token that was taken.
    [[nodiscard]] Span since(Span start) const { return {start.offset, m_end - start.offset}; }
    /// Takes the end of a path, which has no bytes of its own.
    void endPath()
    {
        const quint32 end = m_end;
        advance();
        m_end = end;
    }

    [[nodiscard]] static QString nameOf(TokenKind kind);
    [[nodiscard]] QString nameOf(const Token &token) const;
    std::nullptr_t unexpected(const QString &expected);
    /// Keeps the first error only.
    std::nullptr_t fail(ParseError::Kind kind, Span span, const QString &message);
    [[nodiscard]] const std::optional<ParseError> &error() const { return m_error; }
    std::vector<Comment> takeComments() { return m_lexer.takeComments(); }

private:
    const Tree &m_tree;
    Lexer m_lexer;
    std::array<Token, 4> m_tokens; ///< a ring: the current token and those that were peeked at
    int m_first = 0;
    int m_count = 1;
    quint32 m_end = 0; ///< where the last token that was taken ends
    std::optional<ParseError> m_error;
};

} // namespace tmx::nix
