// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Lexer.h"

#include "model/nix/Parse.h"

#include "model/nix/Characters.h"

#include <cerrno>
#include <charconv>
#include <clocale>
#include <cstdlib>
#include <string>

#include <locale.h>

namespace tmx::nix {

namespace {

constexpr std::string_view keywords[] = {"if", "then", "else", "assert", "with", "let", "in", "rec", "inherit", "or"};

/// Length of the floating-point literal at `at`; 0 if there is none. Nix requires a dot, and no zero before another
/// digit: `1e5` and `00.5` are invalid.
size_t floatLength(std::string_view text, size_t at)
{
    const auto charAt = [text](size_t index) { return index < text.size() ? text[index] : '\0'; };
    size_t end = runEnd(text, at, Digit);
    const bool plainZero = end == at || (end == at + 1 && text[at] == '0');
    if (charAt(end) != '.' || (!plainZero && text[at] == '0'))
        return 0;
    const size_t fraction = end + 1;
    end = runEnd(text, fraction, Digit);
    if (plainZero && end == fraction)
        return 0;
    if (charAt(end) == 'e' || charAt(end) == 'E') {
        const size_t exponent = end + (charAt(end + 1) == '+' || charAt(end + 1) == '-' ? 2 : 1);
        const size_t exponentEnd = runEnd(text, exponent, Digit);
        if (exponentEnd > exponent)
            end = exponentEnd;
    }
    return end - at;
}

/// Of a character that begins no other token.
TokenKind signKind(char c)
{
    switch (c) {
    case '*': return TokenKind::Star;
    case ';': return TokenKind::Semicolon;
    case ':': return TokenKind::Colon;
    case ',': return TokenKind::Comma;
    case '@': return TokenKind::At;
    case '?': return TokenKind::Question;
    case '(': return TokenKind::ParenOpen;
    case ')': return TokenKind::ParenClose;
    case '[': return TokenKind::BracketOpen;
    case ']': return TokenKind::BracketClose;
    default: return TokenKind::Invalid;
    }
}

} // namespace

std::optional<qint64> readInteger(std::string_view digits)
{
    qint64 value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size())
        return std::nullopt;
    return value;
}

std::optional<double> readFloat(std::string_view literal)
{
    // Uses strtod instead of from_chars to have the same limit for too small numbers as Nix. Uses its own locale,
    // because Qt sets the user's.
    static const locale_t plain = newlocale(LC_ALL_MASK, "C", locale_t(nullptr));
    const std::string terminated(literal);
    const int outer = errno;
    errno = 0;
    const double value = strtod_l(terminated.c_str(), nullptr, plain);
    const bool inRange = errno == 0;
    errno = outer;
    return inRange ? std::optional(value) : std::nullopt;
}

Lexer::Lexer(const Source &source, SymbolTable &symbols)
    : m_text(source.view())
    , m_symbols(symbols)
{
    // Interned first, so that keywords have the lowest ids.
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

/// Skips blanks and comments. Returns false for an unterminated comment: Nix treats its `/` as an operator.
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
        // Spaces until the end of the opening line are not part of the text.
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
    default: return single(signKind(c));
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
        // A backslash also takes the next byte, and so does a dollar: `$$` is two dollars, and `${` cannot begin at the
        // second one.
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
            // Also takes the next byte, unless both could begin an escape, an antiquotation or the end.
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
    // Both are reported at the same place as in Nix: an end has no bytes of its own.
    if (!afterSlash)
        return {TokenKind::PathEnd, {m_previous.span.offset, 0}, {}};
    m_error = LexError::PathEndsWithSlash;
    return {TokenKind::Error, m_at < m_text.size() ? Span{quint32(m_at), 1} : m_previous.span, {}};
}

/// The end of a sequence of `/part` that begins at `at`.
size_t Lexer::segmentsEnd(size_t at) const
{
    while (atIs(at, '/') && at + 1 < m_text.size() && isIn(m_text[at + 1], PathPart))
        at = runEnd(m_text, at + 1, PathPart);
    return at;
}

/// Length of the literal that begins a path here; 0 if there is none.
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
    // Every token that begins within this run would reach the same end: `a.b.c.d` is scanned once, not once per name.
    m_noPathBefore = first;
    return 0;
}

/// Length of the URI that begins at this letter; 0 if there is none.
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

/// Length of `<nixpkgs/lib>`; 0 if this `<` is an operator.
size_t Lexer::searchPathLength() const
{
    const size_t first = runEnd(m_text, m_at + 1, PathPart);
    if (first == m_at + 1)
        return 0;
    const size_t end = segmentsEnd(first);
    return atIs(end, '>') ? end + 1 - m_at : 0;
}

namespace {

/// Calls `use` for each token and its bytes; returns false at an error of the lexer.
template <class Use>
bool forEachToken(const QByteArray &text, Use use)
{
    const Source source(text);
    SymbolTable symbols;
    Lexer lexer(source, symbols);
    for (Token token = lexer.next(); token.kind != TokenKind::Eof; token = lexer.next()) {
        if (token.kind == TokenKind::Error)
            return false;
        use(token.kind, std::string_view(text.constData() + token.span.offset, token.span.length));
    }
    return true;
}

} // namespace

QByteArray codeOf(const QByteArray &text)
{
    QByteArray code;
    code.reserve(text.size());
    const bool valid = forEachToken(text, [&code](TokenKind kind, std::string_view bytes) {
        code += char(kind);
        code += QByteArray::number(bytes.size()) + ' ';
        code.append(bytes.data(), qsizetype(bytes.size()));
    });
    return valid ? code : text;
}

std::vector<std::string_view> pathsIn(const QByteArray &text)
{
    std::vector<std::string_view> paths;
    forEachToken(text, [&paths](TokenKind kind, std::string_view bytes) {
        if (kind == TokenKind::Path)
            paths.push_back(bytes);
    });
    return paths;
}

} // namespace tmx::nix
