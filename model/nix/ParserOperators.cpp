// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Parser.h"

namespace tmx::nix {

namespace {

enum class Side : quint8 { Left, Right, None };

struct Operator {
    int power = 0; ///< 0 = not an operator between operands
    Side side = Side::Left;
    BinaryOperator op = BinaryOperator::Add;
};

// From weak to strong, as Nix's grammar has them.
constexpr int notPower = 7;
constexpr int hasAttributePower = 11;
constexpr int negatePower = 12;

Operator operatorOf(TokenKind kind)
{
    switch (kind) {
    case TokenKind::Implies: return {1, Side::Right, BinaryOperator::Implies};
    case TokenKind::OrOr: return {2, Side::Left, BinaryOperator::Or};
    case TokenKind::AndAnd: return {3, Side::Left, BinaryOperator::And};
    case TokenKind::Equal: return {4, Side::None, BinaryOperator::Equal};
    case TokenKind::NotEqual: return {4, Side::None, BinaryOperator::NotEqual};
    case TokenKind::Less: return {5, Side::None, BinaryOperator::Less};
    case TokenKind::LessEqual: return {5, Side::None, BinaryOperator::LessEqual};
    case TokenKind::Greater: return {5, Side::None, BinaryOperator::Greater};
    case TokenKind::GreaterEqual: return {5, Side::None, BinaryOperator::GreaterEqual};
    case TokenKind::Update: return {6, Side::Right, BinaryOperator::Update};
    case TokenKind::Plus: return {8, Side::Left, BinaryOperator::Add};
    case TokenKind::Minus: return {8, Side::Left, BinaryOperator::Subtract};
    case TokenKind::Star: return {9, Side::Left, BinaryOperator::Multiply};
    case TokenKind::Slash: return {9, Side::Left, BinaryOperator::Divide};
    case TokenKind::Concat: return {10, Side::Right, BinaryOperator::Concat};
    case TokenKind::Question: return {hasAttributePower, Side::Left, {}};
    default: return {};
    }
}

} // namespace

/// Reads operands and the operators between them that bind at least as strongly as `least`.
const Node *Parser::operators(int least)
{
    const Nesting nesting(*this);
    if (!nesting.ok())
        return nullptr;
    const Span start = current().span;
    const Node *left = operand();
    while (left) {
        const Operator found = operatorOf(current().kind);
        if (found.power < least)
            break;
        const Token token = advance();
        if (found.power == hasAttributePower) {
            HasAttribute node{{NodeKind::HasAttribute, {}}, left, {}};
            if (!attributePath(node.path))
                return nullptr;
            node.span = since(start);
            left = m_arena.make(node);
        } else if (found.side == Side::Right) {
            left = chainToTheRight({left, start.offset, token.span.offset}, token.kind);
        } else {
            const Node *right = operators(found.power + 1);
            if (!right)
                return nullptr;
            left = m_arena.make(Binary{{NodeKind::Binary, since(start)}, found.op, token.span.offset, left, right});
            if (found.side == Side::None && operatorOf(current().kind).power == found.power)
                return unexpected(tr("parentheses: comparisons do not chain"));
        }
    }
    return left;
}

/// `a ++ b ++ c`, after the first `++`. In a loop: a generated list of ten thousand parts must not need ten thousand
/// levels.
const Node *Parser::chainToTheRight(Link first, TokenKind kind)
{
    const Operator found = operatorOf(kind);
    Gathering links(m_links);
    links.push(first);
    do {
        Link link{nullptr, current().span.offset, 0};
        link.operand = operators(found.power + 1);
        if (!link.operand)
            return nullptr;
        link.operatorOffset = current().span.offset; // of the operator after it, where there is one
        links.push(link);
    } while (accept(kind));

    const std::span<const Link> operands = links.values();
    const Node *node = operands.back().operand;
    for (size_t i = operands.size() - 1; i-- > 0;) {
        const Link &link = operands[i];
        node = m_arena.make(
            Binary{{NodeKind::Binary, since({link.start, 0})}, found.op, link.operatorOffset, link.operand, node});
    }
    return node;
}

const Node *Parser::operand()
{
    const bool negate = at(TokenKind::Minus);
    if (!negate && !at(TokenKind::Not))
        return application();
    const Span start = advance().span;
    const Node *inner = operators(negate ? negatePower : notPower);
    if (!inner)
        return nullptr;
    return m_arena.make(
        Unary{{NodeKind::Unary, since(start)}, negate ? UnaryOperator::Negate : UnaryOperator::Not, inner});
}

const Node *Parser::application()
{
    const Span start = current().span;
    const Node *function = selection();
    if (!function || !startsSimple())
        return function;
    Gathering arguments(m_nodes);
    do {
        const Node *argument = selection();
        if (!argument)
            return nullptr;
        arguments.push(argument);
    } while (startsSimple());
    return m_arena.make(Call{{NodeKind::Call, since(start)}, function, arguments.into(m_arena)});
}

const Node *Parser::selection()
{
    const Span start = current().span;
    const Node *base = simple();
    if (!base)
        return nullptr;
    if (at(TokenKind::Or)) {
        // nixpkgs once had a function named `or`, so `x or` is still a call of it.
        const Token word = advance();
        const Node *const variable = m_arena.make(Variable{{NodeKind::Variable, word.span}, word.symbol});
        return m_arena.make(Call{{NodeKind::Call, since(start)}, base, m_arena.copy(std::span(&variable, 1))});
    }
    if (!accept(TokenKind::Dot))
        return base;
    Select node{{NodeKind::Select, {}}, base, {}, nullptr};
    if (!attributePath(node.path))
        return nullptr;
    if (accept(TokenKind::Or)) {
        const Nesting nesting(*this);
        node.fallback = nesting.ok() ? selection() : nullptr;
        if (!node.fallback)
            return nullptr;
    }
    node.span = since(start);
    return m_arena.make(node);
}

} // namespace tmx::nix
