// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Ast.h"

namespace tmx::nix {

/// One binding as it stands in the text, for whoever edits the text.
struct Binding {
    enum Kind : quint8 {
        Value,       ///< `names = value;`, the names being a path
        Inherit,     ///< `inherit names;`
        InheritFrom, ///< `inherit (value) names;`
    };
    Kind kind = Value;
    Span span; ///< with its semicolon
    std::span<const AttributeName> names;
    const Node *value = nullptr;
};

/// One attribute as Nix sees it, after `a.b = 1; a.c = 2;` and `a = { b = 1; }; a.c = 2;` became one set `a`.
struct Attribute {
    enum Kind : quint8 {
        Plain,
        Inherited,     ///< `value` is a Variable, looked up outside of the set, also when that is recursive
        InheritedFrom, ///< `source` has it
    };
    Symbol symbol;
    Kind kind = Plain;
    quint32 source = 0;               ///< InheritedFrom: index into the set's sources
    Span name;                        ///< where the attribute is (first) named
    quint32 pathOffset = 0;           ///< where the attribute path begins that it is the end of
    const Node *value = nullptr;      ///< none with InheritedFrom
    const Binding *binding = nullptr; ///< that it comes from; the first one of a merged set
};

/// `${expression} = value;`
struct DynamicAttribute {
    const AttributeName *name = nullptr;
    const Node *value = nullptr;
    const Binding *binding = nullptr;
};

/// `{ ... }`, `rec { ... }`, what is bound by a `let`, and the sets that attribute paths make (`implied`, whose
/// bindings are written elsewhere). The frame of a recursive one: `attributes` in their order.
struct Attributes : Node {
    static constexpr NodeKind Kind = NodeKind::Attributes;
    bool recursive = false;
    bool implied = false;
    std::span<const Binding *const> bindings; ///< as written between these braces
    ArenaList<Attribute> attributes;          ///< merged, in the order in which they are first named
    ArenaList<DynamicAttribute> dynamic;
    ArenaList<const Node *> sources; ///< of `inherit (source) ...`
    ArenaList<quint32> index;        ///< hash table over a large set: position + 1

    [[nodiscard]] const Attribute *find(Symbol symbol) const;
    void add(Arena &arena, const Attribute &attribute);
};

/// What already has the name that a binding defines, when that is one definition too many.
struct Duplicate {
    const Attribute *existing = nullptr;
    Symbol symbol;
    quint32 offset = 0; ///< of the second definition
};

/// Adds a parsed binding to the set, merging as Nix does. False: `duplicate` says what is defined twice.
/// The set keeps a pointer to the binding, which lives in the arena too.
bool addBinding(Arena &arena, Attributes &set, const Binding &binding, Duplicate &duplicate);

} // namespace tmx::nix
