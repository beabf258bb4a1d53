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

/// An expression. Its span goes from its first to its last byte, without surrounding parentheses, which are not nodes.
struct Node {
    NodeKind kind;
    Span span;
    quint16 file = 0; ///< number of its file in Files; 0 for a file that is parsed alone
};

/// `node` as a T, or nullptr if it is something else (or nullptr).
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

/// A part of a text or path: literal bytes, or an antiquotation.
struct TextPart {
    Span span; ///< literal: the bytes as written, with escapes and indentation; antiquotation: from `${` to `}`
    const Node *expression = nullptr; ///< for an antiquotation
    std::string_view text;            ///< for a literal: unescaped and without indentation
    quint32 indentation = 0;          ///< for an indented text: spaces removed from each line
    quint32 dropped = 0;              ///< number of these that were removed before the part
    bool atLineStart = false;         ///< whether the part continues the leading blanks of a line
    bool escape = false;              ///< one escape of an indented text
};

enum class TextStyle : quint8 { Quoted, Indented, Uri };

/// `"..."`, `''...''` or a URI. A text without antiquotations may still have several parts: each escape of an indented
/// text is a separate one.
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

/// Where a variable's value comes from. Each Lambda, Let, recursive Attributes and With adds a frame around its inner
/// expressions.
enum class Binds : quint8 {
    Undefined,
    Global,   ///< one of Nix's built-in names
    Frame,    ///< entry `index` of the frame that is `level` frames out (0 = the innermost)
    With,     ///< the attribute of that name in the With that is `level` frames out, or in one further out
    Position, ///< `__curPos`
};

struct Variable : Node {
    static constexpr NodeKind Kind = NodeKind::Variable;
    Symbol symbol;
    Binds binds = Binds::Undefined;
    quint32 level = 0;
    quint32 index = 0;
};

/// One element of an attribute path: a name, or an expression that evaluates to one.
struct AttributeName {
    Span span; ///< including quotes or `${}`
    Symbol symbol;
    const Node *expression = nullptr; ///< only if there is no symbol
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
    Span span; ///< span of the name
    Symbol symbol;
    const Node *fallback = nullptr;
};

/// `argument: body`, `{ formals }: body` or both with @. Its frame: the argument (if there is one), then the formals in
/// order.
struct Lambda : Node {
    static constexpr NodeKind Kind = NodeKind::Lambda;
    Symbol argument;
    Span argumentSpan;
    bool hasFormals = false;
    bool ellipsis = false;
    std::span<const Formal> formals;
    const Node *body = nullptr;
};

/// `function argument ...`; also `x or`, which in old nixpkgs is `x` applied to a variable named `or`.
struct Call : Node {
    static constexpr NodeKind Kind = NodeKind::Call;
    const Node *function = nullptr;
    std::span<const Node *const> arguments;
};

struct Let : Node {
    static constexpr NodeKind Kind = NodeKind::Let;
    const Attributes *bindings = nullptr; ///< recursive; its span goes from the first binding to the last
    const Node *body = nullptr;
};

struct With : Node {
    static constexpr NodeKind Kind = NodeKind::With;
    const Node *scope = nullptr;
    const Node *body = nullptr;
    quint32 outer = 0; ///< number of frames from this one to the next outer With; 0 = none
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

/// Implies, Update and Concat nest to the right, the others to the left, without a limit: iterate along that side, do
/// not recurse.
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

/// One binding as written, for editing the text.
struct Binding {
    enum Kind : quint8 {
        Value,       ///< `names = value;`, where names is a path
        Inherit,     ///< `inherit names;`
        InheritFrom, ///< `inherit (value) names;`
    };
    Kind kind = Value;
    Span span; ///< including its semicolon
    std::span<const AttributeName> names;
    const Node *value = nullptr;
};

/// One attribute as Nix sees it, after merging `a.b = 1; a.c = 2;` or `a = { b = 1; }; a.c = 2;` to one set `a`.
struct Attribute {
    enum Kind : quint8 {
        Plain,
        Inherited,     ///< `value` is a Variable that is looked up outside the set, even if the set is recursive
        InheritedFrom, ///< `source` has it
    };
    Symbol symbol;
    Kind kind = Plain;
    quint32 source = 0;               ///< InheritedFrom: index into the set's sources
    Span name;                        ///< place of the attribute's (first) name
    quint32 pathOffset = 0;           ///< start of the attribute path that ends with it
    const Node *value = nullptr;      ///< nullptr for InheritedFrom
    const Binding *binding = nullptr; ///< the binding that it comes from; the first one of a merged set

    [[nodiscard]] quint16 file() const { return value ? value->file : binding->value->file; }
};

/// `${expression} = value;`
struct DynamicAttribute {
    const AttributeName *name = nullptr;
    const Node *value = nullptr;
    const Binding *binding = nullptr;
};

/// `{ ... }`, `rec { ... }`, the bindings of a `let`, and the sets implied by attribute paths (`implied`; their
/// bindings are written elsewhere). The frame of a recursive one: `attributes` in order.
struct Attributes : Node {
    static constexpr NodeKind Kind = NodeKind::Attributes;
    bool recursive = false;
    bool implied = false;
    std::span<const Binding *const> bindings; ///< as written between its braces
    ArenaList<Attribute> attributes;          ///< merged, in the order of their first occurrence
    ArenaList<DynamicAttribute> dynamic;
    ArenaList<const Node *> sources; ///< sources of `inherit (source) ...`
    ArenaList<quint32> index;        ///< hash table of a large set: position + 1

    [[nodiscard]] const Attribute *find(Symbol symbol) const;
    void add(Arena &arena, const Attribute &attribute);
};

/// An existing definition of a name that a binding defines again.
struct Duplicate {
    const Attribute *existing = nullptr;
    Symbol symbol;
    quint32 offset = 0; ///< offset of the second definition
};

/// Adds a parsed binding to the set and merges it like Nix. On false, `duplicate` says what is defined twice. The set
/// keeps a pointer to the binding, which must be in the same arena.
bool addBinding(Arena &arena, Attributes &set, const Binding &binding, Duplicate &duplicate);

/// The value of a Text that is already constant when parsed: nothing to compute or join. Such texts are static
/// attribute names. nullopt for every other node.
std::optional<std::string_view> plainText(const Node *node);

} // namespace tmx::nix
