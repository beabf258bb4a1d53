// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Parser.h"

namespace tmx::nix {

/// `{ ... }` or `rec { ... }`, from its first token on.
const Node *Parser::braces(bool recursive)
{
    const Span start = current().span;
    if (recursive)
        advance();
    const Span opened = current().span;
    if (!expect(TokenKind::BraceOpen))
        return nullptr;
    Attributes *set = bindings(recursive, opened);
    if (!set || !expectClosing(TokenKind::BraceClose, opened))
        return nullptr;
    set->span = since(start);
    return set;
}

bool Parser::startsBinding() const
{
    return at(TokenKind::Id) || at(TokenKind::Or) || at(TokenKind::Quote) || at(TokenKind::DollarBrace) ||
           at(TokenKind::Inherit);
}

/// Bindings up to whatever is none.
Attributes *Parser::bindings(bool recursive, Span start)
{
    Attributes *set = m_arena.make(Attributes{{NodeKind::Attributes, {start.offset, 0}}});
    set->recursive = recursive;
    Gathering written(m_bindings);
    while (startsBinding()) {
        const Binding *added = binding();
        if (!added)
            return nullptr;
        written.push(added);
        Duplicate duplicate;
        if (!addBinding(m_arena, *set, *added, duplicate)) {
            failDuplicate(duplicate);
            return nullptr;
        }
    }
    set->bindings = written.into(m_arena);
    if (!written.values().empty())
        set->span = since(start);
    return set;
}

const Binding *Parser::binding()
{
    const Span start = current().span;
    Binding result;
    if (accept(TokenKind::Inherit)) {
        if (!inherited(result))
            return nullptr;
    } else {
        if (!attributePath(result.names) || !expect(TokenKind::Assign))
            return nullptr;
        // `a.b.c = ...` makes sets within sets, as deep as if they were written out.
        const Nesting nesting(*this, int(result.names.size()) - 1);
        if (!nesting.ok() || !read(result.value))
            return nullptr;
    }
    if (!expect(TokenKind::Semicolon))
        return nullptr;
    result.span = since(start);
    return m_arena.make(result);
}

bool Parser::inherited(Binding &binding)
{
    binding.kind = Binding::Inherit;
    if (const Span opened = current().span; accept(TokenKind::ParenOpen)) {
        binding.kind = Binding::InheritFrom;
        if (!read(binding.value) || !expectClosing(TokenKind::ParenClose, opened))
            return false;
    }
    Gathering names(m_names);
    while (startsBinding() && !at(TokenKind::Inherit)) {
        AttributeName name;
        if (!attributeName(name))
            return false;
        if (!name.symbol) {
            fail(ParseError::Syntax, name.span, tr("the names that an inherit takes must be fixed"));
            return false;
        }
        names.push(name);
    }
    binding.names = names.into(m_arena);
    return true;
}

bool Parser::attributePath(std::span<const AttributeName> &path)
{
    Gathering names(m_names);
    do {
        AttributeName name;
        if (!attributeName(name))
            return false;
        names.push(name);
    } while (accept(TokenKind::Dot));
    path = names.into(m_arena);
    return true;
}

bool Parser::attributeName(AttributeName &name)
{
    const Span start = current().span;
    if (at(TokenKind::Id) || at(TokenKind::Or)) {
        name = {start, advance().symbol, nullptr};
        return true;
    }
    if (at(TokenKind::Quote)) {
        name.expression = quoted();
    } else if (at(TokenKind::DollarBrace)) {
        TextPart part;
        if (antiquotation(part))
            name.expression = part.expression;
    } else {
        unexpected(nameOf(TokenKind::Id));
    }
    if (!name.expression)
        return false;
    name.span = since(start);
    if (const std::optional<std::string_view> fixed = plainText(name.expression)) {
        name.symbol = m_tree.m_symbols.intern(*fixed);
        name.expression = nullptr;
    }
    return true;
}

} // namespace tmx::nix
