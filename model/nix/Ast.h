// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Arena.h"
#include "model/nix/Source.h"
#include "model/nix/Symbols.h"

#include <optional>

namespace tmx::nix {

struct Attributes;

enum class NodeKind : quint8 {
    Integer,
    Float,
    Text,
    Path,
    SearchPath,
    Variable,
    Select,
    HasAttribute,
    Lambda,
    Call,
    Let,
    With,
    If,
    Assert,
    List,
    Attributes,
    Unary,
    Binary
};

/// An expression. Its span begins with its first byte and ends with its last one; parentheses around it are outside, as
/// they are no node.
struct Node {
    NodeKind kind;
    Span span;
};

/// `node` as a T, or nullptr when it is something else (or nullptr).
template <class T>
const T *as(const Node *node)
{
    return node && node->kind == T::Kind ? static_cast<const T *>(node) : nullptr;
}

struct Integer : Node {
    static constexpr NodeKind Kind = NodeKind::Integer;
    qint64 value = 0;
};

struct Float : Node {
    static constexpr NodeKind Kind = NodeKind::Float;
    double value = 0;
};

/// A stretch of a text or path: literal bytes, or an antiquotation.
struct TextPart {
    Span span; ///< literal: the bytes as written, escapes and indentation included; antiquotation: from `${` to `}`
    const Node *expression = nullptr; ///< of an antiquotation
    std::string_view text;            ///< of a literal: unescaped, indentation stripped
    quint32 indentation = 0;          ///< of an indented text: spaces stripped from each line
    quint32 dropped = 0;              ///< of these, how many were stripped before the part
    bool atLineStart = false;         ///< whether the part continues the blank beginning of a line
    bool escape = false;              ///< one escape of an indented text
};

enum class TextStyle : quint8 { Quoted, Indented, Uri };

/// `"..."`, `''...''` or a URI. A text without antiquotations may still have several parts: each escape of an indented
/// text is one.
struct Text : Node {
    static constexpr NodeKind Kind = NodeKind::Text;
    TextStyle style = TextStyle::Quoted;
    std::span<const TextPart> parts;
};

/// `./a`, `/a`, `~/a`, `./${x}/b`: literal parts as written.
struct Path : Node {
    static constexpr NodeKind Kind = NodeKind::Path;
    std::span<const TextPart> parts;
};

/// `<nixpkgs/lib>`; the name without its brackets.
struct SearchPath : Node {
    static constexpr NodeKind Kind = NodeKind::SearchPath;
    std::string_view name;
};

/// Where a variable's value is found. A frame is what each Lambda, Let, recursive Attributes and With puts around its
/// inside.
enum class Binds : quint8 {
    Undefined,
    Global,   ///< one of Nix's own names
    Frame,    ///< entry `index` of the frame `level` frames out (0 = the innermost)
    With,     ///< whatever the With `level` frames out, or one further out, has of that name
    Position, ///< `__curPos`
};

struct Variable : Node {
    static constexpr NodeKind Kind = NodeKind::Variable;
    Symbol symbol;
    Binds binds = Binds::Undefined;
    quint32 level = 0;
    quint32 index = 0;
};

/// One element of an attribute path: a name, or an expression that yields one.
struct AttributeName {
    Span span; ///< quotes or `${}` included
    Symbol symbol;
    const Node *expression = nullptr; ///< only without a symbol
};

/// `base.path` and `base.path or fallback`. The old `let { body = ...; }` is a Select of `body` from a recursive set.
struct Select : Node {
    static constexpr NodeKind Kind = NodeKind::Select;
    const Node *base = nullptr;
    std::span<const AttributeName> path;
    const Node *fallback = nullptr;
};

/// `base ? path`
struct HasAttribute : Node {
    static constexpr NodeKind Kind = NodeKind::HasAttribute;
    const Node *base = nullptr;
    std::span<const AttributeName> path;
};

struct Formal {
    Span span; ///< of the name
    Symbol symbol;
    const Node *fallback = nullptr;
};

/// `argument: body`, `{ formals }: body` or both with @. Its frame: the argument (where there is one), then the formals
/// as written.
struct Lambda : Node {
    static constexpr NodeKind Kind = NodeKind::Lambda;
    Symbol argument;
    Span argumentSpan;
    bool hasFormals = false;
    bool ellipsis = false;
    std::span<const Formal> formals;
    const Node *body = nullptr;
};

/// `function argument ...`; also `x or`, which old nixpkgs has for `x` applied to a variable named `or`.
struct Call : Node {
    static constexpr NodeKind Kind = NodeKind::Call;
    const Node *function = nullptr;
    std::span<const Node *const> arguments;
};

struct Let : Node {
    static constexpr NodeKind Kind = NodeKind::Let;
    const Attributes *bindings = nullptr; ///< recursive; its span runs from the first binding to the last
    const Node *body = nullptr;
};

struct With : Node {
    static constexpr NodeKind Kind = NodeKind::With;
    const Node *scope = nullptr;
    const Node *body = nullptr;
    quint32 outer = 0; ///< frames from this one out to the next With; 0 = none
};

struct If : Node {
    static constexpr NodeKind Kind = NodeKind::If;
    const Node *condition = nullptr;
    const Node *then = nullptr;
    const Node *otherwise = nullptr;
};

struct Assert : Node {
    static constexpr NodeKind Kind = NodeKind::Assert;
    const Node *condition = nullptr;
    const Node *body = nullptr;
};

struct List : Node {
    static constexpr NodeKind Kind = NodeKind::List;
    std::span<const Node *const> elements;
};

enum class UnaryOperator : quint8 { Not, Negate };

struct Unary : Node {
    static constexpr NodeKind Kind = NodeKind::Unary;
    UnaryOperator op = UnaryOperator::Not;
    const Node *operand = nullptr;
};

enum class BinaryOperator : quint8 {
    Implies,
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Update,
    Add,
    Subtract,
    Multiply,
    Divide,
    Concat
};

/// Implies, Update and Concat nest to the right, the others to the left, without end: walk along that side in a loop,
/// not by recursion.
struct Binary : Node {
    static constexpr NodeKind Kind = NodeKind::Binary;
    BinaryOperator op = BinaryOperator::Add;
    quint32 operatorOffset = 0;
    const Node *left = nullptr;
    const Node *right = nullptr;

    [[nodiscard]] bool nestsRight() const
    {
        return op == BinaryOperator::Implies || op == BinaryOperator::Update || op == BinaryOperator::Concat;
    }
};

/// The text of a Text that is fixed when it is parsed: nothing to compute, not even two parts to join. These name
/// attributes statically. Nothing for every other node.
std::optional<std::string_view> plainText(const Node *node);

} // namespace tmx::nix
