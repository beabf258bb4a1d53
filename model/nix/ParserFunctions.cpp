// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Parser.h"

namespace tmx::nix {

const Node *Parser::expression()
{
    const Nesting nesting(*this);
    if (!nesting.ok())
        return nullptr;
    switch (current().kind) {
    case TokenKind::Id:
        if (const TokenKind next = peek(1); next == TokenKind::Colon || next == TokenKind::At)
            return lambdaOfName();
        break;
    case TokenKind::BraceOpen: {
        // `{ a` goes on as a function's head or as an attribute set; the third token tells.
        const TokenKind first = peek(1);
        const TokenKind second = first == TokenKind::Id || first == TokenKind::BraceClose ? peek(2) : TokenKind::Eof;
        const bool named = first == TokenKind::Id && (second == TokenKind::Comma || second == TokenKind::Question ||
                                                      second == TokenKind::BraceClose);
        const bool empty = first == TokenKind::BraceClose && (second == TokenKind::Colon || second == TokenKind::At);
        if (named || empty || first == TokenKind::Ellipsis)
            return lambdaOfFormals();
        break;
    }
    case TokenKind::Let:
        if (peek(1) != TokenKind::BraceOpen)
            return let();
        break;
    case TokenKind::With: return with();
    case TokenKind::Assert: return assertion();
    case TokenKind::If: return condition();
    default: break;
    }
    return operators(1);
}

bool Parser::read(const Node *&into)
{
    into = expression();
    return into != nullptr;
}

const Node *Parser::lambdaOfName()
{
    const Token name = advance();
    Lambda lambda{{NodeKind::Lambda, {}}};
    lambda.argument = name.symbol;
    lambda.argumentSpan = name.span;
    if (accept(TokenKind::At) && !formals(lambda))
        return nullptr;
    if (!expect(TokenKind::Colon) || !read(lambda.body) || !checkFormals(lambda))
        return nullptr;
    lambda.span = since(name.span);
    return m_arena.make(lambda);
}

const Node *Parser::lambdaOfFormals()
{
    const Span start = current().span;
    Lambda lambda{{NodeKind::Lambda, {}}};
    if (!formals(lambda))
        return nullptr;
    if (accept(TokenKind::At)) {
        if (!at(TokenKind::Id))
            return unexpected(nameOf(TokenKind::Id));
        const Token name = advance();
        lambda.argument = name.symbol;
        lambda.argumentSpan = name.span;
    }
    if (!expect(TokenKind::Colon) || !read(lambda.body) || !checkFormals(lambda))
        return nullptr;
    lambda.span = since(start);
    return m_arena.make(lambda);
}

/// `{ a, b ? 1, ... }`; a comma may follow the last one, and nothing follows the ellipsis.
bool Parser::formals(Lambda &lambda)
{
    const Span opened = current().span;
    if (!expect(TokenKind::BraceOpen))
        return false;
    lambda.hasFormals = true;
    Gathering gathered(m_formals);
    bool mayGoOn = true; // at the beginning and after a comma
    while (mayGoOn && at(TokenKind::Id)) {
        const Token name = advance();
        Formal formal{name.span, name.symbol, nullptr};
        if (accept(TokenKind::Question) && !read(formal.fallback))
            return false;
        gathered.push(formal);
        mayGoOn = accept(TokenKind::Comma);
    }
    lambda.ellipsis = mayGoOn && accept(TokenKind::Ellipsis);
    lambda.formals = gathered.into(m_arena);
    return expectClosing(TokenKind::BraceClose, opened);
}

/// Only after the body was read, as Nix does: what is wrong in the body is told first.
bool Parser::checkFormals(const Lambda &lambda)
{
    if (!lambda.hasFormals)
        return true;
    m_seenFormals.resize(m_tree.m_symbols.size());
    const quint32 round = ++m_formalsRound;
    const auto twice = [&](Symbol symbol, Span span) {
        if (std::exchange(m_seenFormals[symbol.id], round) != round)
            return false;
        fail(ParseError::Duplicate, span,
             tr("function argument %1 is already defined").arg(nameOf({TokenKind::Id, span, symbol})));
        return true;
    };
    for (const Formal &formal : lambda.formals) {
        if (twice(formal.symbol, formal.span))
            return false;
    }
    return !lambda.argument || !twice(lambda.argument, lambda.argumentSpan);
}

const Node *Parser::let()
{
    const Span start = advance().span;
    Let node{{NodeKind::Let, {}}};
    node.bindings = bindings(true, current().span);
    if (!node.bindings || !expect(TokenKind::In) || !read(node.body))
        return nullptr;
    if (!node.bindings->dynamic.empty())
        return fail(ParseError::Syntax, node.bindings->dynamic[0].name->span,
                    tr("the names that a let defines must be fixed"));
    node.span = since(start);
    return m_arena.make(node);
}

const Node *Parser::with()
{
    const Span start = advance().span;
    With node{{NodeKind::With, {}}};
    if (!read(node.scope) || !expect(TokenKind::Semicolon) || !read(node.body))
        return nullptr;
    node.span = since(start);
    return m_arena.make(node);
}

const Node *Parser::assertion()
{
    const Span start = advance().span;
    Assert node{{NodeKind::Assert, {}}};
    if (!read(node.condition) || !expect(TokenKind::Semicolon) || !read(node.body))
        return nullptr;
    node.span = since(start);
    return m_arena.make(node);
}

const Node *Parser::condition()
{
    const Span start = advance().span;
    If node{{NodeKind::If, {}}};
    if (!read(node.condition) || !expect(TokenKind::Then) || !read(node.then) || !expect(TokenKind::Else) ||
        !read(node.otherwise))
        return nullptr;
    node.span = since(start);
    return m_arena.make(node);
}

} // namespace tmx::nix
