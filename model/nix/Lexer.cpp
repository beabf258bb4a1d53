// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Lexer.h"

#include "model/nix/Characters.h"
#include "model/nix/Numbers.h"

namespace tmx::nix {

namespace {

constexpr std::string_view keywords[] = {"if", "then", "else", "assert", "with", "let", "in", "rec", "inherit", "or"};

} // namespace

Lexer::Lexer(const Source &source, SymbolTable &symbols)
    : m_text(source.view())
    , m_symbols(symbols)
{
    // First of all names, so that a keyword is told by its number.
    for (std::string_view keyword : keywords)
        m_symbols.intern(keyword);
}

Token Lexer::next()
{
    switch (m_modes.back()) {
    case Mode::Expression: m_previous = expression(); break;
    case Mode::Quotes: m_previous = quotes(); break;
    case Mode::Indented: m_previous = indented(); break;
    case Mode::Path:
    case Mode::PathAfterSlash: m_previous = path(); break;
    }
    return m_previous;
}

Token Lexer::take(TokenKind kind, size_t length)
{
    const Token token{kind, {quint32(m_at), quint32(length)}, {}};
    m_at += length;
    return token;
}

Token Lexer::open(TokenKind kind, size_t length, Mode mode)
{
    m_modes.push_back(mode);
    return take(kind, length);
}

Token Lexer::fail(LexError error, size_t length)
{
    m_error = error;
    return take(TokenKind::Error, length);
}

Token Lexer::either(char second, TokenKind two, TokenKind one)
{
    return atIs(m_at + 1, second) ? take(two, 2) : take(one, 1);
}

/// Steps over blanks and comments. False: a comment was begun and never ended, so its `/` is an operator, as for Nix.
bool Lexer::skipBlank()
{
    for (;;) {
        m_at = runEnd(m_text, m_at, Blank);
        if (atIs(m_at, '#')) {
            const size_t end = std::min(m_text.find_first_of("\r\n", m_at), m_text.size());
            m_comments.push_back({{quint32(m_at), quint32(end - m_at)}, false});
            m_at = end;
        } else if (atIs(m_at, '/') && atIs(m_at + 1, '*')) {
            const size_t close = m_text.find("*/", m_at + 2);
            if (close == std::string_view::npos)
                return false;
            m_comments.push_back({{quint32(m_at), quint32(close + 2 - m_at)}, true});
            m_at = close + 2;
        } else {
            return true;
        }
    }
}

Token Lexer::expression()
{
    if (!skipBlank())
        return single(TokenKind::Slash);
    if (m_at >= m_text.size())
        return take(TokenKind::Eof, 0);

    const char c = m_text[m_at];
    if (isIn(c, PathPart) || c == '/' || c == '~') {
        if (const size_t length = pathLength())
            return open(TokenKind::Path, length, m_text[m_at + length - 1] == '/' ? Mode::PathAfterSlash : Mode::Path);
    }
    if (isIn(c, NameStart))
        return nameOrKeyword();
    if (isIn(c, Digit))
        return number();

    switch (c) {
    case '\0': m_text = m_text.substr(0, m_at + 1); return single(TokenKind::Eof);
    case '.': return dotted();
    case '"': return open(TokenKind::Quote, 1, Mode::Quotes);
    case '\'': {
        if (!atIs(m_at + 1, '\''))
            return single(TokenKind::Invalid);
        // Spaces up to the end of the line that opens the text are no part of it.
        const size_t line = m_text.find_first_not_of(' ', m_at + 2);
        return open(TokenKind::IndentOpen, line != std::string_view::npos && m_text[line] == '\n' ? line + 1 - m_at : 2,
                    Mode::Indented);
    }
    case '$':
        return atIs(m_at + 1, '{') ? open(TokenKind::DollarBrace, 2, Mode::Expression) : single(TokenKind::Invalid);
    case '{': return open(TokenKind::BraceOpen, 1, Mode::Expression);
    case '}':
        if (m_modes.size() > 1)
            m_modes.pop_back();
        return single(TokenKind::BraceClose);
    case '<':
        if (const size_t length = searchPathLength())
            return take(TokenKind::SearchPath, length);
        return atIs(m_at + 1, '|') ? fail(LexError::PipeOperator, 2)
                                   : either('=', TokenKind::LessEqual, TokenKind::Less);
    case '>': return either('=', TokenKind::GreaterEqual, TokenKind::Greater);
    case '=': return either('=', TokenKind::Equal, TokenKind::Assign);
    case '!': return either('=', TokenKind::NotEqual, TokenKind::Not);
    case '&': return either('&', TokenKind::AndAnd, TokenKind::Invalid);
    case '|':
        return atIs(m_at + 1, '>') ? fail(LexError::PipeOperator, 2) : either('|', TokenKind::OrOr, TokenKind::Invalid);
    case '-': return either('>', TokenKind::Implies, TokenKind::Minus);
    case '+': return either('+', TokenKind::Concat, TokenKind::Plus);
    case '/': return either('/', TokenKind::Update, TokenKind::Slash);
    case '*': return single(TokenKind::Star);
    case ';': return single(TokenKind::Semicolon);
    case ':': return single(TokenKind::Colon);
    case ',': return single(TokenKind::Comma);
    case '@': return single(TokenKind::At);
    case '?': return single(TokenKind::Question);
    case '(': return single(TokenKind::ParenOpen);
    case ')': return single(TokenKind::ParenClose);
    case '[': return single(TokenKind::BracketOpen);
    case ']': return single(TokenKind::BracketClose);
    default: return single(TokenKind::Invalid);
    }
}

Token Lexer::nameOrKeyword()
{
    if (const size_t length = uriLength())
        return take(TokenKind::Uri, length);
    const size_t end = runEnd(m_text, m_at, NamePart);
    const Symbol symbol = m_symbols.intern(m_text.substr(m_at, end - m_at));
    const bool isKeyword = symbol.id <= std::size(keywords);
    Token token = take(isKeyword ? TokenKind(int(TokenKind::Id) + int(symbol.id)) : TokenKind::Id, end - m_at);
    token.symbol = symbol;
    return token;
}

Token Lexer::number()
{
    const size_t float_ = floatLength(m_text, m_at);
    if (float_ > 0)
        return readFloat(m_text.substr(m_at, float_)) ? take(TokenKind::Float, float_)
                                                      : fail(LexError::FloatOutOfRange, float_);
    const size_t length = runEnd(m_text, m_at, Digit) - m_at;
    return readInteger(m_text.substr(m_at, length)) ? take(TokenKind::Integer, length)
                                                    : fail(LexError::IntegerTooLarge, length);
}

Token Lexer::dotted()
{
    if (isIn(at(m_at + 1), Digit))
        return number();
    return m_text.substr(m_at, 3) == "..." ? take(TokenKind::Ellipsis, 3) : single(TokenKind::Dot);
}

} // namespace tmx::nix
