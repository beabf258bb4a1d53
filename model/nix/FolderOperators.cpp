// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Folder.h"

#include <algorithm>
#include <limits>

namespace tmx::nix {

namespace {

bool isNumber(const Cell &cell)
{
    return cell.kind == ValueKind::Integer || cell.kind == ValueKind::Float;
}

double numberOf(const Cell &cell)
{
    return cell.kind == ValueKind::Float ? cell.number : double(cell.integer);
}

/// The operands of `a ++ b ++ c` or `a + b + c` from left to right, however many there are.
std::vector<const Node *> operandsOf(const Binary &chain)
{
    std::vector<const Node *> operands;
    const Node *node = &chain;
    const auto *binary = &chain;
    for (; binary && binary->op == chain.op; binary = as<Binary>(node)) {
        operands.push_back(chain.nestsRight() ? binary->left : binary->right);
        node = chain.nestsRight() ? binary->right : binary->left;
    }
    operands.push_back(node);
    if (!chain.nestsRight())
        std::reverse(operands.begin(), operands.end());
    return operands;
}

} // namespace

Cell *Folder::unary(const Unary &node, const Frame *frame)
{
    Cell *operand = force(delay(node.operand, frame));
    if (node.op == UnaryOperator::Not && operand->kind == ValueKind::Boolean)
        return makeBoolean(!operand->boolean);
    if (node.op == UnaryOperator::Negate && isNumber(*operand))
        return arithmetic(BinaryOperator::Subtract, makeInteger(0), operand);
    return opaque(operand->kind == ValueKind::Unknown ? operand->why : Why::WrongType, {}, &node);
}

Cell *Folder::binary(const Binary &node, const Frame *frame)
{
    switch (node.op) {
    case BinaryOperator::Implies:
    case BinaryOperator::And:
    case BinaryOperator::Or: return logic(node, frame);
    case BinaryOperator::Concat: return concat(node, frame);
    case BinaryOperator::Update: return update(node, frame);
    default: return sum(node, frame);
    }
}

Cell *Folder::unfolded(const Binary &node, Cell *left, Cell *right)
{
    const Cell *unknown = left->kind == ValueKind::Unknown ? left : right;
    return opaque(unknown->kind == ValueKind::Unknown ? unknown->why : Why::WrongType, {}, &node);
}

Cell *Folder::logic(const Binary &node, const Frame *frame)
{
    // For each, the left side that settles it, and how.
    const bool settles = node.op == BinaryOperator::Or;
    const std::vector<const Node *> operands = operandsOf(node);
    if (!step(operands.size()))
        return m_exhausted;
    Cell *cell = nullptr;
    for (const Node *operand : operands) {
        cell = force(delay(operand, frame));
        if (cell->kind != ValueKind::Boolean)
            return unfolded(node, cell, cell);
        if (cell->boolean == settles && operand != operands.back())
            return makeBoolean(node.op != BinaryOperator::And);
    }
    return cell;
}

Cell *Folder::concat(const Binary &node, const Frame *frame)
{
    std::vector<Item> items;
    const std::vector<const Node *> operands = operandsOf(node);
    if (!step(operands.size()))
        return m_exhausted;
    for (const Node *operand : operands) {
        Cell *list = force(delay(operand, frame));
        if (list->kind == ValueKind::Unknown)
            items.push_back({list, true});
        else if (list->kind != ValueKind::List)
            return opaque(Why::WrongType, {}, &node);
        else if (step(list->items.size()))
            items.insert(items.end(), list->items.begin(), list->items.end());
        else
            return m_exhausted;
    }
    return makeList(items, &node);
}

Cell *Folder::update(const Binary &node, const Frame *frame)
{
    std::vector<Layer> layers;
    const std::vector<const Node *> operands = operandsOf(node);
    if (!step(operands.size()))
        return m_exhausted;
    for (const Node *operand : operands) {
        const Cell *set = force(delay(operand, frame));
        if (set->kind == ValueKind::Unknown)
            layers.push_back({nullptr, {}, set});
        else if (set->kind != ValueKind::Attributes)
            return opaque(Why::WrongType, {}, &node);
        else if (step(set->layers.size()))
            layers.insert(layers.end(), set->layers.begin(), set->layers.end());
        else
            return m_exhausted;
    }
    return makeSet(layers, &node);
}

/// Operators that nest to the left and need the values of both sides.
Cell *Folder::sum(const Binary &node, const Frame *frame)
{
    const std::vector<const Node *> operands = operandsOf(node);
    if (!step(operands.size()))
        return m_exhausted;
    Cell *left = force(delay(operands.front(), frame));
    for (size_t i = 1; i < operands.size(); ++i) {
        Cell *right = force(delay(operands[i], frame));
        const bool joins =
            left->kind == ValueKind::Text || (left->kind == ValueKind::Unknown && right->kind == ValueKind::Text);
        if (node.op == BinaryOperator::Add && joins) {
            // From here on it is a text: whatever else follows is joined to it in one go.
            std::vector<TextPiece> pieces;
            addText(pieces, left);
            for (; i < operands.size(); ++i)
                addText(pieces, delay(operands[i], frame));
            return makeText(pieces, &node);
        }
        if (node.op == BinaryOperator::Add && left->kind == ValueKind::Path) {
            std::vector<TextPiece> pieces(left->pieces.begin(), left->pieces.end());
            if (right->kind == ValueKind::Path)
                pieces.push_back({{}, nullptr, nullptr, right});
            else
                addText(pieces, right);
            left = makeText(pieces, &node);
            if (left->kind == ValueKind::Text)
                left->kind = ValueKind::Path;
            continue;
        }
        Cell *result = isNumber(*left) && isNumber(*right) && node.op >= BinaryOperator::Add
                           ? arithmetic(node.op, left, right)
                       : node.op < BinaryOperator::Add ? compare(node.op, left, right)
                                                       : nullptr;
        left = result ? result : unfolded(node, left, right);
    }
    return left;
}

Cell *Folder::arithmetic(BinaryOperator op, Cell *left, Cell *right)
{
    if (left->kind == ValueKind::Float || right->kind == ValueKind::Float) {
        const double a = numberOf(*left);
        const double b = numberOf(*right);
        if (op == BinaryOperator::Divide && b == 0)
            return opaque(Why::OutOfRange);
        return makeFloat(op == BinaryOperator::Add        ? a + b
                         : op == BinaryOperator::Subtract ? a - b
                         : op == BinaryOperator::Multiply ? a * b
                                                          : a / b);
    }
    const qint64 a = left->integer;
    const qint64 b = right->integer;
    qint64 value = 0;
    bool overflow = false;
    if (op == BinaryOperator::Add)
        overflow = qAddOverflow(a, b, &value);
    else if (op == BinaryOperator::Subtract)
        overflow = qSubOverflow(a, b, &value);
    else if (op == BinaryOperator::Multiply)
        overflow = qMulOverflow(a, b, &value);
    else if (b == 0 || (a == std::numeric_limits<qint64>::min() && b == -1))
        overflow = true;
    else
        value = a / b;
    return overflow ? opaque(Why::OutOfRange) : makeInteger(value);
}

Cell *Folder::compare(BinaryOperator op, Cell *left, Cell *right)
{
    if (op == BinaryOperator::Equal || op == BinaryOperator::NotEqual) {
        const std::optional<bool> same = equal(left, right);
        return same ? makeBoolean(*same == (op == BinaryOperator::Equal)) : nullptr;
    }
    int order = 0;
    if (isNumber(*left) && isNumber(*right)) {
        const bool integers = left->kind == ValueKind::Integer && right->kind == ValueKind::Integer;
        const double a = numberOf(*left);
        const double b = numberOf(*right);
        order = integers ? (left->integer > right->integer) - (left->integer < right->integer) : (a > b) - (a < b);
    } else {
        const auto a = bytesOf(left);
        const auto b = bytesOf(right);
        if (!a || !b)
            return nullptr;
        order = a->compare(*b);
    }
    switch (op) {
    case BinaryOperator::Less: return makeBoolean(order < 0);
    case BinaryOperator::LessEqual: return makeBoolean(order <= 0);
    case BinaryOperator::Greater: return makeBoolean(order > 0);
    default: return makeBoolean(order >= 0);
    }
}

std::optional<bool> Folder::equal(Cell *left, Cell *right)
{
    const Deeper deeper(*this);
    left = force(left);
    right = force(right);
    if (!deeper.ok() || !step() || left->kind == ValueKind::Unknown || right->kind == ValueKind::Unknown)
        return std::nullopt;
    if (isNumber(*left) && isNumber(*right))
        return left->kind == ValueKind::Integer && right->kind == ValueKind::Integer
                   ? left->integer == right->integer
                   : numberOf(*left) == numberOf(*right);
    if (left->kind != right->kind)
        return false;
    switch (left->kind) {
    case ValueKind::Null: return true;
    case ValueKind::Boolean: return left->boolean == right->boolean;
    case ValueKind::Text: {
        const auto a = bytesOf(left);
        const auto b = bytesOf(right);
        return a && b ? std::optional(*a == *b) : std::nullopt;
    }
    case ValueKind::List: {
        const auto isSpliced = [](const Item &item) { return item.spliced; };
        if (std::ranges::any_of(left->items, isSpliced) || std::ranges::any_of(right->items, isSpliced))
            return std::nullopt;
        if (left->items.size() != right->items.size())
            return false;
        for (size_t i = 0; i < left->items.size(); ++i) {
            const auto same = equal(left->items[i].cell, right->items[i].cell);
            if (!same.value_or(false))
                return same;
        }
        return true;
    }
    case ValueKind::Attributes: {
        bool leftComplete = false;
        bool rightComplete = false;
        const std::vector<NamedCell> a = entriesOf(*left, leftComplete);
        const std::vector<NamedCell> b = entriesOf(*right, rightComplete);
        if (!leftComplete || !rightComplete || !step(a.size() + b.size()))
            return std::nullopt;
        if (!std::ranges::equal(a, b, {}, &NamedCell::name, &NamedCell::name))
            return false;
        for (size_t i = 0; i < a.size(); ++i) {
            const auto same = equal(a[i].cell, b[i].cell);
            if (!same.value_or(false))
                return same;
        }
        return true;
    }
    default: // paths may be spelled in two ways, and functions are never the same for certain
        return std::nullopt;
    }
}

} // namespace tmx::nix
