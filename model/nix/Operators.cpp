// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/nix/Operators.h"

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

/// Whether the cells that `of` returns for two ranges of the same size are pairwise equal.
template <class Range, class Of>
std::optional<bool> allEqual(Folder &folder, const Range &left, const Range &right, Of of)
{
    for (size_t i = 0; i < left.size(); ++i) {
        const auto same = equal(folder, of(left[i]), of(right[i]));
        if (!same.value_or(false))
            return same;
    }
    return true;
}

std::string_view symbolOf(BinaryOperator op)
{
    switch (op) {
    case BinaryOperator::Implies: return "->";
    case BinaryOperator::Or: return "||";
    case BinaryOperator::And: return "&&";
    case BinaryOperator::Equal: return "==";
    case BinaryOperator::NotEqual: return "!=";
    case BinaryOperator::Less: return "<";
    case BinaryOperator::LessEqual: return "<=";
    case BinaryOperator::Greater: return ">";
    case BinaryOperator::GreaterEqual: return ">=";
    case BinaryOperator::Update: return "//";
    case BinaryOperator::Add: return "+";
    case BinaryOperator::Subtract: return "-";
    case BinaryOperator::Multiply: return "*";
    case BinaryOperator::Divide: return "/";
    case BinaryOperator::Concat: return "++";
    }
    Q_UNREACHABLE_RETURN({});
}

/// nullptr if it is unknown.
Cell *compare(Folder &folder, BinaryOperator op, Cell *left, Cell *right)
{
    if (op == BinaryOperator::Equal || op == BinaryOperator::NotEqual) {
        const std::optional<bool> same = equal(folder, left, right);
        return same ? folder.makeBoolean(*same == (op == BinaryOperator::Equal)) : nullptr;
    }
    int order = 0;
    if (isNumber(*left) && isNumber(*right)) {
        const bool integers = left->kind == ValueKind::Integer && right->kind == ValueKind::Integer;
        const double a = numberOf(*left);
        const double b = numberOf(*right);
        order = integers ? (left->integer > right->integer) - (left->integer < right->integer) : (a > b) - (a < b);
    } else {
        const auto a = folder.bytesOf(left);
        const auto b = folder.bytesOf(right);
        if (!a || !b)
            return nullptr;
        order = a->compare(*b);
    }
    switch (op) {
    case BinaryOperator::Less: return folder.makeBoolean(order < 0);
    case BinaryOperator::LessEqual: return folder.makeBoolean(order <= 0);
    case BinaryOperator::Greater: return folder.makeBoolean(order > 0);
    default: return folder.makeBoolean(order >= 0);
    }
}

Cell *arithmetic(Folder &folder, BinaryOperator op, const Cell &left, const Cell &right)
{
    if (left.kind == ValueKind::Float || right.kind == ValueKind::Float) {
        const double a = numberOf(left);
        const double b = numberOf(right);
        if (op == BinaryOperator::Divide && b == 0)
            return folder.opaque(Why::OutOfRange);
        return folder.makeFloat(op == BinaryOperator::Add        ? a + b
                                : op == BinaryOperator::Subtract ? a - b
                                : op == BinaryOperator::Multiply ? a * b
                                                                 : a / b);
    }
    const qint64 a = left.integer;
    const qint64 b = right.integer;
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
    return overflow ? folder.opaque(Why::OutOfRange) : folder.makeInteger(value);
}

/// `a ++ b ++ c` or `a + b + c` of any length: the operands from left to right, and their result.
class Chain
{
public:
    Chain(Folder &folder, const Binary &node, const Frame *frame)
        : m_folder(folder)
        , m_node(node)
        , m_frame(frame)
    {
        const Node *rest = &node;
        for (const auto *binary = &node; binary && binary->op == node.op; binary = as<Binary>(rest)) {
            m_operands.push_back(node.nestsRight() ? binary->left : binary->right);
            rest = node.nestsRight() ? binary->right : binary->left;
        }
        m_operands.push_back(rest);
        if (!node.nestsRight())
            std::ranges::reverse(m_operands);
    }

    Cell *fold()
    {
        if (!m_folder.step(m_operands.size()))
            return m_folder.exhausted();
        switch (m_node.op) {
        case BinaryOperator::Implies:
        case BinaryOperator::And:
        case BinaryOperator::Or: return logic();
        case BinaryOperator::Concat: return concat();
        case BinaryOperator::Update: return update();
        default: return leftToRight();
        }
    }

private:
    Cell *value(const Node *operand) { return m_folder.force(m_folder.delay(operand, m_frame)); }
    Cell *unfolded(Cell *left, Cell *right)
    {
        if (m_folder.isExact())
            return operation(left, right);
        const Cell *unknown = left->kind == ValueKind::Unknown ? left : right;
        return m_folder.opaque(unknown->kind == ValueKind::Unknown ? unknown->why : Why::WrongType, {}, &m_node);
    }

    Cell *operation(Cell *left, Cell *right)
    {
        return m_folder.writtenBy(&m_node, m_folder.term(UnknownKind::Operator, symbolOf(m_node.op), left, right));
    }

    /// `left + right`, which is a path when `left` is one.
    Cell *sum(Cell *left, Cell *right)
    {
        const bool continues = left->unknown == UnknownKind::Operator && left->name == "+" && left->second &&
                               left->second->kind == ValueKind::Text && right->kind == ValueKind::Text;
        if (!continues || left->second->pieces().empty())
            return operation(left, right);
        // `(x + "a") + "b"` is `x + "ab"`, unless x is a path whose intermediate result is normalised: a "/" or a "."
        // at its end would be removed.
        const TextPiece &last = left->second->pieces().back();
        if (last.hole || last.bytes.empty() || last.bytes.back() == '/' || last.bytes.back() == '.')
            return operation(left, right);
        std::vector<TextPiece> pieces(left->second->pieces().begin(), left->second->pieces().end());
        m_folder.addText(pieces, right);
        return operation(left->first, m_folder.makeText(pieces, &m_node));
    }

    Cell *logic()
    {
        const bool settles = m_node.op == BinaryOperator::Or; // The left value that determines the result.
        Cell *cell = nullptr;
        for (const Node *operand : m_operands) {
            cell = value(operand);
            if (cell->kind != ValueKind::Boolean && m_folder.isExact())
                return unknownLogic(size_t(&operand - m_operands.data()), cell);
            if (cell->kind != ValueKind::Boolean)
                return unfolded(cell, cell);
            if (cell->boolean == settles && operand != m_operands.back())
                return m_folder.makeBoolean(m_node.op != BinaryOperator::And);
        }
        return cell;
    }

    /// The operands from an unknown one on; the operands before it do not determine the result.
    Cell *unknownLogic(size_t from, Cell *unknown)
    {
        const auto operand = [&](size_t i) {
            if (i > from)
                m_folder.mayNotReach(m_operands[i]);
            return i == from ? unknown : m_folder.delay(m_operands[i], m_frame);
        };
        if (m_node.nestsRight()) {
            Cell *cell = operand(m_operands.size() - 1);
            for (size_t i = m_operands.size() - 1; i-- > from;)
                cell = operation(operand(i), cell);
            return cell;
        }
        Cell *cell = unknown;
        for (size_t i = from + 1; i < m_operands.size(); ++i)
            cell = operation(cell, operand(i));
        return cell;
    }

    Cell *concat()
    {
        std::vector<Item> items;
        for (const Node *operand : m_operands) {
            Cell *list = m_folder.needed(Fold::Failure::NotList, operand, m_frame);
            if (list->kind == ValueKind::Unknown)
                items.push_back({list, true});
            else if (list->kind != ValueKind::List)
                return m_folder.opaque(Why::WrongType, {}, &m_node);
            else if (m_folder.step(list->items().size()))
                items.insert(items.end(), list->items().begin(), list->items().end());
            else
                return m_folder.exhausted();
        }
        return m_folder.makeList(items, &m_node);
    }

    Cell *update()
    {
        std::vector<Layer> layers;
        for (const Node *operand : m_operands) {
            Cell *set = m_folder.needed(Fold::Failure::NotSet, operand, m_frame);
            if (set->kind == ValueKind::Unknown)
                layers.push_back({nullptr, {}, set});
            else if (set->kind != ValueKind::Attributes)
                return m_folder.opaque(Why::WrongType, {}, &m_node);
            else if (m_folder.step(set->layers().size()))
                layers.insert(layers.end(), set->layers().begin(), set->layers().end());
            else
                return m_folder.exhausted();
        }
        return m_folder.makeSet(layers, &m_node);
    }

    Cell *leftToRight()
    {
        Cell *left = value(m_operands.front());
        for (size_t i = 1; i < m_operands.size(); ++i) {
            Cell *right = value(m_operands[i]);
            if (m_node.op == BinaryOperator::Add && left->kind == ValueKind::Unknown && m_folder.isExact()) {
                left = sum(left, right);
                continue;
            }
            const bool joins =
                left->kind == ValueKind::Text || (left->kind == ValueKind::Unknown && right->kind == ValueKind::Text);
            if (m_node.op == BinaryOperator::Add && joins) {
                // From here on it is a text. The rest is appended in one step.
                std::vector<TextPiece> pieces;
                m_folder.addText(pieces, left);
                for (; i < m_operands.size(); ++i)
                    m_folder.addText(pieces, m_folder.needed(Fold::Failure::NotText, m_operands[i], m_frame));
                return m_folder.makeText(pieces, &m_node);
            }
            if (m_node.op == BinaryOperator::Add && left->kind == ValueKind::Path) {
                const auto more = m_folder.files() ? m_folder.bytesOf(right) : std::nullopt;
                const std::string_view name = more ? m_folder.joined(left->name, *more) : std::string_view();
                std::vector<TextPiece> pieces(left->pieces().begin(), left->pieces().end());
                if (right->kind == ValueKind::Path)
                    pieces.push_back({{}, nullptr, nullptr, right});
                else
                    m_folder.addText(pieces, right);
                left = m_folder.makeText(pieces, &m_node);
                if (left->kind == ValueKind::Text) {
                    left->kind = ValueKind::Path;
                    left->name = name;
                }
                continue;
            }
            Cell *result = binaryOf(m_folder, m_node.op, left, right);
            left = result ? result : unfolded(left, right);
        }
        return left;
    }

    Folder &m_folder;
    const Binary &m_node;
    const Frame *m_frame;
    std::vector<const Node *> m_operands;
};

} // namespace

std::optional<bool> equal(Folder &folder, Cell *left, Cell *right)
{
    const Folder::Deeper deeper(folder);
    left = folder.force(left);
    right = folder.force(right);
    if (!deeper.ok() || !folder.step() || left->kind == ValueKind::Unknown || right->kind == ValueKind::Unknown)
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
        const auto a = folder.bytesOf(left);
        const auto b = folder.bytesOf(right);
        return a && b ? std::optional(*a == *b) : std::nullopt;
    }
    case ValueKind::List:
        if (std::ranges::any_of(left->items(), &Item::spliced) || std::ranges::any_of(right->items(), &Item::spliced))
            return std::nullopt;
        if (left->items().size() != right->items().size())
            return false;
        return allEqual(folder, left->items(), right->items(), [](const Item &item) { return item.cell; });
    case ValueKind::Attributes: {
        bool leftComplete = false;
        bool rightComplete = false;
        const std::vector<NamedCell> a = Folder::entriesOf(*left, leftComplete);
        const std::vector<NamedCell> b = Folder::entriesOf(*right, rightComplete);
        // Two derivations are equal if their outputs are, whatever their other attributes.
        const auto isType = [](const NamedCell &entry) { return entry.name == "type"; };
        if (!leftComplete || !rightComplete || !folder.step(a.size() + b.size()) ||
            (std::ranges::any_of(a, isType) && std::ranges::any_of(b, isType)))
            return std::nullopt;
        if (!std::ranges::equal(a, b, {}, &NamedCell::name, &NamedCell::name))
            return false;
        return allEqual(folder, a, b, [](const NamedCell &entry) { return entry.cell; });
    }
    default: // Equal paths may be spelled differently, and functions are never certainly equal.
        return std::nullopt;
    }
}

Cell *binaryOf(Folder &folder, BinaryOperator op, Cell *left, Cell *right)
{
    if (op < BinaryOperator::Add)
        return compare(folder, op, left, right);
    return isNumber(*left) && isNumber(*right) ? arithmetic(folder, op, *left, *right) : nullptr;
}

Cell *foldUnary(Folder &folder, const Unary &node, const Frame *frame)
{
    Cell *operand = folder.force(folder.delay(node.operand, frame));
    if (node.op == UnaryOperator::Not && operand->kind == ValueKind::Boolean)
        return folder.makeBoolean(!operand->boolean);
    if (node.op == UnaryOperator::Negate && isNumber(*operand))
        return arithmetic(folder, BinaryOperator::Subtract, *folder.makeInteger(0), *operand);
    if (folder.isExact())
        return folder.writtenBy(&node,
                                folder.term(UnknownKind::Operator, node.op == UnaryOperator::Not ? "!" : "-", operand));
    return folder.opaque(operand->kind == ValueKind::Unknown ? operand->why : Why::WrongType, {}, &node);
}

Cell *foldBinary(Folder &folder, const Binary &node, const Frame *frame)
{
    return Chain(folder, node, frame).fold();
}

} // namespace tmx::nix
