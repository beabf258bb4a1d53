// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Lexer.h"

#include "model/nix/Characters.h"

// What is cut differently: within quotes, within indented texts and within paths.

namespace tmx::nix {

Token Lexer::quotes()
{
    if (atIs(m_at, '"')) {
        m_modes.pop_back();
        return single(TokenKind::Quote);
    }
    if (atIs(m_at, '$') && atIs(m_at + 1, '{'))
        return open(TokenKind::DollarBrace, 2, Mode::Expression);

    size_t end = m_at;
    bool nul = false;
    while (end < m_text.size()) {
        const char c = m_text[end];
        if (c == '"' || (c == '$' && atIs(end + 1, '{')))
            break;
        // A backslash takes the byte after it along, and so does a dollar: `$$` is two dollars, and no `${` begins at
        // its second one.
        size_t taken = 1;
        if (c == '\\') {
            taken = 2;
        } else if (c == '$' && !atIs(end + 1, '"')) {
            taken = atIs(end + 1, '\\') ? 3 : 2;
            nul |= atIs(end + 1, '\0');
        }
        nul |= c == '\0';
        if (end + taken > m_text.size())
            break;
        end += taken;
    }
    if (end == m_at) {
        m_at = m_text.size();
        return take(TokenKind::Eof, 0);
    }
    return nul ? fail(LexError::NulInText, end - m_at) : take(TokenKind::Text, end - m_at);
}

Token Lexer::indented()
{
    size_t end = m_at;
    bool nul = false;
    while (end < m_text.size()) {
        const char c = m_text[end];
        size_t taken = 1;
        if (c == '$' || c == '\'') {
            // Taken along with the byte after it, unless the two could begin an escape, an antiquotation or the end.
            if (end + 1 == m_text.size() || m_text[end + 1] == '\'' || m_text[end + 1] == (c == '$' ? '{' : '$'))
                break;
            taken = 2;
            nul |= m_text[end + 1] == '\0';
        }
        nul |= c == '\0';
        end += taken;
    }
    if (end > m_at)
        return nul ? fail(LexError::NulInText, end - m_at) : take(TokenKind::IndentText, end - m_at);
    if (m_at >= m_text.size())
        return take(TokenKind::Eof, 0);

    const bool quote = m_text[m_at] == '\'';
    if (!quote)
        return atIs(m_at + 1, '{') ? open(TokenKind::DollarBrace, 2, Mode::Expression)
                                   : single(TokenKind::IndentEscape);
    if (!atIs(m_at + 1, '\''))
        return single(TokenKind::IndentEscape);
    if (atIs(m_at + 2, '$') || atIs(m_at + 2, '\''))
        return take(TokenKind::IndentEscape, 3);
    if (atIs(m_at + 2, '\\') && m_at + 3 < m_text.size())
        return take(TokenKind::IndentEscape, 4);
    m_modes.pop_back();
    return take(TokenKind::IndentClose, 2);
}

Token Lexer::path()
{
    const bool afterSlash = m_modes.back() == Mode::PathAfterSlash;
    if (atIs(m_at, '$') && atIs(m_at + 1, '{')) {
        m_modes.back() = Mode::Path;
        return open(TokenKind::DollarBrace, 2, Mode::Expression);
    }
    size_t end = segmentsEnd(runEnd(m_text, m_at, PathPart));
    if (atIs(end, '/'))
        ++end;
    if (end > m_at) {
        m_modes.back() = m_text[end - 1] == '/' ? Mode::PathAfterSlash : Mode::Path;
        return take(TokenKind::Text, end - m_at);
    }
    m_modes.pop_back();
    // Both are told at the place where Nix tells them: an end has no bytes of its own.
    if (!afterSlash)
        return {TokenKind::PathEnd, {m_previous.span.offset, 0}, {}};
    m_error = LexError::PathEndsWithSlash;
    return {TokenKind::Error, m_at < m_text.size() ? Span{quint32(m_at), 1} : m_previous.span, {}};
}

/// The end of a run of `/part` that begins at `at`.
size_t Lexer::segmentsEnd(size_t at) const
{
    while (atIs(at, '/') && at + 1 < m_text.size() && isIn(m_text[at + 1], PathPart))
        at = runEnd(m_text, at + 1, PathPart);
    return at;
}

/// Bytes of the literal that begins a path here; 0 when none does.
size_t Lexer::pathLength()
{
    if (m_at < m_noPathBefore)
        return 0;
    const size_t first = m_text[m_at] == '~' ? m_at + 1 : runEnd(m_text, m_at, PathPart);
    if (atIs(first, '/')) {
        const size_t end = segmentsEnd(first);
        if (end > first)
            return (atIs(end, '/') ? end + 1 : end) - m_at;
        if (atIs(first + 1, '$') && atIs(first + 2, '{'))
            return first + 1 - m_at;
    }
    // Every token that begins within this run would end it at the same byte: `a.b.c.d` is looked through once, not once
    // a name.
    m_noPathBefore = first;
    return 0;
}

/// Bytes of the URI that begins at this letter; 0 when none does.
size_t Lexer::uriLength()
{
    if (m_at < m_noUriBefore || !isIn(m_text[m_at], Letter))
        return 0;
    const size_t colon = runEnd(m_text, m_at, SchemePart);
    if (atIs(colon, ':') && colon + 1 < m_text.size() && isIn(m_text[colon + 1], UriPart))
        return runEnd(m_text, colon + 1, UriPart) - m_at;
    m_noUriBefore = colon;
    return 0;
}

/// Bytes of `<nixpkgs/lib>`; 0 when this `<` is an operator.
size_t Lexer::searchPathLength() const
{
    const size_t first = runEnd(m_text, m_at + 1, PathPart);
    if (first == m_at + 1)
        return 0;
    const size_t end = segmentsEnd(first);
    return atIs(end, '>') ? end + 1 - m_at : 0;
}

} // namespace tmx::nix
