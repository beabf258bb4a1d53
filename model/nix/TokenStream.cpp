// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/TokenStream.h"

#include "model/base/Tr.h"

namespace tmx::nix {

using namespace Qt::StringLiterals;

namespace {

constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

/// The first character of `text` in quotes; its code point if it is invisible.
QString characterOf(std::string_view text)
{
    // No character is longer. Qt would remove a byte order mark.
    const char32_t code =
        text.starts_with(byteOrderMark) ? 0xFEFF : QString::fromUtf8(text.substr(0, 4)).toUcs4().constFirst();
    if (QChar::isPrint(code) && !QChar::isSpace(code))
        return u'\'' + QString::fromUcs4(&code, 1) + u'\'';
    return u"U+%1"_s.arg(QString::number(uint(code), 16).toUpper(), 4, u'0');
}

} // namespace

bool TokenStream::expect(TokenKind kind)
{
    if (!at(kind)) {
        unexpected(nameOf(kind));
        return false;
    }
    advance();
    return true;
}

bool TokenStream::expectClosing(TokenKind kind, Span opened)
{
    if (!at(kind)) {
        unexpected(Tr::tr("%1 for the %2 of line %3")
                       .arg(nameOf(kind), QString::fromUtf8(m_tree.text(opened)))
                       .arg(m_tree.place(opened.offset).line));
        return false;
    }
    advance();
    return true;
}

std::nullptr_t TokenStream::unexpected(const QString &expected)
{
    const Token &token = current();
    if (token.span.offset == 0 && m_tree.text({0, byteOrderMark.size()}) == byteOrderMark)
        return fail(ParseError::Syntax, token.span,
                    Tr::tr("the file begins with a byte order mark, which Nix does not read"));
    if (token.kind != TokenKind::Error)
        return fail(ParseError::Syntax, token.kind == TokenKind::Eof ? Span{token.span.end(), 0} : token.span,
                    Tr::tr("unexpected %1, expected %2").arg(nameOf(token), expected));
    switch (m_lexer.error()) {
    case LexError::None: break;
    case LexError::IntegerTooLarge:
        return fail(ParseError::Syntax, token.span, Tr::tr("%1 does not fit into 64 bits").arg(nameOf(token)));
    case LexError::FloatOutOfRange:
        return fail(ParseError::Syntax, token.span,
                    Tr::tr("%1 is out of range for a floating-point number").arg(nameOf(token)));
    case LexError::PathEndsWithSlash: return fail(ParseError::Syntax, token.span, Tr::tr("a path ends with a slash"));
    case LexError::NulInText: return fail(ParseError::Syntax, token.span, Tr::tr("a string contains a NUL byte"));
    case LexError::PipeOperator:
        return fail(ParseError::Syntax, token.span, Tr::tr("%1 is an experimental feature of Nix").arg(nameOf(token)));
    }
    return nullptr;
}

std::nullptr_t TokenStream::fail(ParseError::Kind kind, Span span, const QString &message)
{
    if (!m_error)
        m_error = ParseError{kind, message, span, m_tree.place(span.offset)};
    return nullptr;
}

QString TokenStream::nameOf(TokenKind kind)
{
    switch (kind) {
    case TokenKind::Eof: return Tr::tr("end of the file");
    case TokenKind::Id: return Tr::tr("a name");
    case TokenKind::PathEnd: return Tr::tr("the end of a path");
    case TokenKind::IndentClose: return u"''"_s;
    default: break;
    }
    static constexpr std::pair<TokenKind, const char16_t *> spelled[] = {
        {TokenKind::Then, u"then"},    {TokenKind::Else, u"else"},      {TokenKind::In, u"in"},
        {TokenKind::Quote, u"\""},     {TokenKind::Assign, u"="},       {TokenKind::Semicolon, u";"},
        {TokenKind::Colon, u":"},      {TokenKind::BraceOpen, u"{"},    {TokenKind::BraceClose, u"}"},
        {TokenKind::ParenClose, u")"}, {TokenKind::BracketClose, u"]"}, {TokenKind::DollarBrace, u"${"},
    };
    for (const auto &[known, text] : spelled) {
        if (known == kind)
            return u'\'' + QString(text) + u'\'';
    }
    return {};
}

QString TokenStream::nameOf(const Token &token) const
{
    if (token.kind == TokenKind::Eof || token.kind == TokenKind::PathEnd)
        return nameOf(token.kind);
    if (token.kind == TokenKind::Invalid) // It is a single byte, possibly of a longer character.
        return characterOf(m_tree.text({token.span.offset, 4}));
    constexpr size_t shown = 40;
    const std::string_view text = m_tree.text(token.span);
    QString name = QString::fromUtf8(text.substr(0, shown));
    for (QChar &c : name) {
        if (!c.isPrint())
            c = QChar::ReplacementCharacter;
    }
    if (text.size() > shown)
        name += u'…';
    return u'\'' + name + u'\'';
}

} // namespace tmx::nix
