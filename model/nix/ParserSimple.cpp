// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Parser.h"

#include "model/nix/Numbers.h"

namespace tmx::nix {

bool Parser::startsSimple() const
{
    switch (current().kind) {
    case TokenKind::Id:
    case TokenKind::Integer:
    case TokenKind::Float:
    case TokenKind::Uri:
    case TokenKind::SearchPath:
    case TokenKind::Path:
    case TokenKind::Quote:
    case TokenKind::IndentOpen:
    case TokenKind::ParenOpen:
    case TokenKind::BraceOpen:
    case TokenKind::BracketOpen:
    case TokenKind::Rec:
    case TokenKind::Let: return true;
    default: return false;
    }
}

const Node *Parser::simple()
{
    switch (current().kind) {
    case TokenKind::Id: {
        const Token name = advance();
        return m_arena.make(Variable{{NodeKind::Variable, name.span}, name.symbol});
    }
    case TokenKind::Integer: {
        const Span span = advance().span;
        return m_arena.make(Integer{{NodeKind::Integer, span}, readInteger(m_tree.text(span)).value_or(0)});
    }
    case TokenKind::Float: {
        const Span span = advance().span;
        return m_arena.make(Float{{NodeKind::Float, span}, readFloat(m_tree.text(span)).value_or(0)});
    }
    case TokenKind::Uri: {
        const Span span = advance().span;
        const TextPart part{span, nullptr, m_tree.text(span)};
        return m_arena.make(Text{{NodeKind::Text, span}, TextStyle::Uri, m_arena.copy(std::span(&part, 1))});
    }
    case TokenKind::SearchPath: {
        const Span span = advance().span;
        return m_arena.make(SearchPath{{NodeKind::SearchPath, span}, m_tree.text({span.offset + 1, span.length - 2})});
    }
    case TokenKind::Path: return path();
    case TokenKind::Quote: return quoted();
    case TokenKind::IndentOpen: return indented();
    case TokenKind::ParenOpen: return parenthesised();
    case TokenKind::BracketOpen: return list();
    case TokenKind::BraceOpen: return braces(false);
    case TokenKind::Rec: return braces(true);
    case TokenKind::Let: return oldLet();
    default: return unexpected(tr("an expression"));
    }
}

const Node *Parser::parenthesised()
{
    const Span opened = advance().span;
    const Node *inner = expression();
    return inner && expectClosing(TokenKind::ParenClose, opened) ? inner : nullptr;
}

const Node *Parser::list()
{
    const Nesting nesting(*this);
    if (!nesting.ok())
        return nullptr;
    const Span opened = advance().span;
    Gathering elements(m_nodes);
    while (startsSimple()) {
        const Node *element = selection();
        if (!element)
            return nullptr;
        elements.push(element);
    }
    if (!expectClosing(TokenKind::BracketClose, opened))
        return nullptr;
    return m_arena.make(List{{NodeKind::List, since(opened)}, elements.into(m_arena)});
}

/// `let { body = ...; }`, which means `(rec { body = ...; }).body`.
const Node *Parser::oldLet()
{
    const Span start = advance().span;
    const Span opened = current().span;
    if (!expect(TokenKind::BraceOpen))
        return nullptr;
    const Attributes *set = bindings(true, opened);
    if (!set || !expectClosing(TokenKind::BraceClose, opened))
        return nullptr;
    const AttributeName body{since(start), m_tree.m_symbols.intern("body"), nullptr};
    return m_arena.make(Select{{NodeKind::Select, since(start)}, set, m_arena.copy(std::span(&body, 1)), nullptr});
}

bool Parser::antiquotation(TextPart &part)
{
    const Span opened = advance().span;
    part.expression = expression();
    if (!part.expression || !expectClosing(TokenKind::BraceClose, opened))
        return false;
    part.span = since(opened);
    return true;
}

const Node *Parser::quoted()
{
    const Span opened = advance().span;
    Gathering parts(m_parts);
    while (!at(TokenKind::Quote)) {
        TextPart part;
        if (at(TokenKind::Text)) {
            part.span = advance().span;
            part.text = unescapedQuotes(m_arena, m_tree.text(part.span));
        } else if (!at(TokenKind::DollarBrace)) {
            return unexpected(tr("the end of the text that begins on line %1").arg(m_tree.place(opened.offset).line));
        } else if (!antiquotation(part)) {
            return nullptr;
        }
        parts.push(part);
    }
    advance();
    return m_arena.make(Text{{NodeKind::Text, since(opened)}, TextStyle::Quoted, parts.into(m_arena)});
}

const Node *Parser::indented()
{
    const Span opened = advance().span;
    Gathering pieces(m_pieces);
    while (!at(TokenKind::IndentClose)) {
        if (at(TokenKind::IndentText) || at(TokenKind::IndentEscape)) {
            pieces.push({advance(), nullptr});
            continue;
        }
        if (!at(TokenKind::DollarBrace))
            return unexpected(tr("the end of the text that begins on line %1").arg(m_tree.place(opened.offset).line));
        TextPart part;
        if (!antiquotation(part))
            return nullptr;
        pieces.push({{TokenKind::DollarBrace, part.span, {}}, part.expression});
    }
    advance();
    stripIndentation(m_arena, m_tree.source(), pieces.values(), m_stripped);
    return m_arena.make(Text{
        {NodeKind::Text, since(opened)}, TextStyle::Indented, m_arena.copy(std::span<const TextPart>(m_stripped))});
}

const Node *Parser::path()
{
    const Span start = current().span;
    Gathering parts(m_parts);
    bool first = true;
    do {
        const Span literal = advance().span;
        parts.push({literal, nullptr, m_tree.text(literal)});
        // Nix's grammar wants an antiquotation behind a literal that follows the first one, as in `./a//b${c}`.
        if (!std::exchange(first, false) && parts.values().size() == 2 && !at(TokenKind::DollarBrace))
            return unexpected(nameOf(TokenKind::DollarBrace));
        while (at(TokenKind::DollarBrace)) {
            TextPart part;
            if (!antiquotation(part))
                return nullptr;
            parts.push(part);
        }
    } while (at(TokenKind::Text));
    if (!at(TokenKind::PathEnd))
        return unexpected(nameOf(TokenKind::PathEnd));
    const quint32 end = m_end;
    advance();
    m_end = end;
    return m_arena.make(Path{{NodeKind::Path, since(start)}, parts.into(m_arena)});
}

} // namespace tmx::nix
