// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Fold.h"

namespace tmx::nix {

// The data structures of a Fold. Only the sources of this folder include this. All of it is allocated in the arena of
// Cells.

struct Builtin;

/// Why something is Unknown; Value::reason() gives the text.
enum class Why : quint8 {
    NotFolded, ///< comes from outside the file
    NoRoot,
    NoSuchAttribute,     ///< `name`
    MaybeOtherAttribute, ///< `name`, which something unknown may define
    NoSuchVariable,
    MissingArgument, ///< `name`
    WrongType,
    OutOfRange,
    AssertionFails,
    Throws,
    RefersToItself,
    TooDeep,
    TooMuchWork,
};

/// The text for Value::reason().
QString reasonOf(Why why, std::string_view name = {});

struct Item {
    Cell *cell = nullptr;
    bool spliced = false;
};

struct NamedCell {
    std::string_view name;
    Cell *cell = nullptr;
    const Attribute *definition = nullptr;
};

/// One operand of `//`; later ones override earlier ones.
struct Layer {
    const Attributes *set = nullptr;    ///< the set whose attributes are the first entries, in its order
    std::span<const NamedCell> entries; ///< each name only once
    Cell *unknown = nullptr;            ///< instead of entries: an unknown set
};

/// The values that a Lambda, a Let, a recursive set or a With adds to the scope.
struct Frame {
    const Frame *outer = nullptr;
    std::span<Cell *> entries;
    const With *with = nullptr;
    Cell *scope = nullptr; ///< for a With
};

/// A value, or the expression that it will be folded from.
struct Cell {
    enum class State : quint8 { Delayed, Busy, Done };
    State state = State::Done;
    ValueKind kind = ValueKind::Unknown;
    UnknownKind unknown = UnknownKind::Opaque;
    Why why = Why::NotFolded;
    bool boolean = false;
    const Node *node = nullptr;   ///< Done: the node that wrote it. Delayed: the node to fold, or nullptr: then `first`
                                  ///< is called with `second`, or `name` of `first` is selected
    const Frame *frame = nullptr; ///< Delayed: the frame of the node. Function: the frame of its lambda
    union {
        qint64 integer = 0; ///< Integer; an Unknown Argument's lambda
        double number;      ///< Float
    };
    std::string_view name;            ///< for Unknown; Path: the path from the root of Files, "/a/b", if it is known
    Cell *first = nullptr;            ///< Unknown: base
    Cell *second = nullptr;           ///< Unknown: argument
    Cell *third = nullptr;            ///< Unknown: alternative
    const Builtin *builtin = nullptr; ///< Function: nullptr for a lambda
    union {                           // One of them, by `kind`: read them through the functions below.
        std::span<const TextPiece> textPieces = {};
        std::span<const Item> listItems;
        std::span<const Layer> setLayers;
        std::span<Cell *const> functionArguments;
    };

    /// Each is empty for a value of another kind.
    [[nodiscard]] std::span<const TextPiece> pieces() const
    {
        return kind == ValueKind::Text || kind == ValueKind::Path ? textPieces : std::span<const TextPiece>();
    }
    [[nodiscard]] std::span<const Item> items() const
    {
        return kind == ValueKind::List ? listItems : std::span<const Item>();
    }
    [[nodiscard]] std::span<const Layer> layers() const
    {
        return kind == ValueKind::Attributes ? setLayers : std::span<const Layer>();
    }
    /// The arguments that a builtin function has so far.
    [[nodiscard]] std::span<Cell *const> arguments() const
    {
        return kind == ValueKind::Function ? functionArguments : std::span<Cell *const>();
    }
};

/// Creates cells in its own arena, and counts the remaining work of a Fold.
class Cells
{
public:
    explicit Cells(int maxSteps);

    [[nodiscard]] Arena &arena() { return m_arena; }
    [[nodiscard]] int stepsLeft() const { return m_steps; }
    /// Takes steps for work to be done. Returns false if too few are left.
    bool step(size_t count = 1)
    {
        const bool enough = size_t(m_steps) >= count;
        m_steps = enough ? m_steps - int(count) : 0;
        return enough;
    }
    /// The Unknown value of everything after the last step.
    [[nodiscard]] Cell *exhausted() { return m_exhausted; }

    Cell *make(ValueKind kind, const Node *node = nullptr);
    Cell *makeBoolean(bool value);
    Cell *makeInteger(qint64 value, const Node *node = nullptr);
    Cell *makeFloat(double value, const Node *node = nullptr);
    Cell *makeText(std::span<const TextPiece> pieces, const Node *node = nullptr);
    Cell *makeText(std::string_view bytes); ///< copies the bytes
    Cell *makeList(std::span<const Item> items, const Node *node = nullptr);
    Cell *makeSet(std::span<const Layer> layers, const Node *node = nullptr);
    Cell *makeSet(std::span<const NamedCell> entries);
    /// A function of Nix or nixpkgs, with its arguments so far.
    Cell *makeFunction(const Builtin *builtin, std::span<Cell *const> arguments = {});
    /// Folded when it is forced.
    Cell *makeDelayed(const Node *node, const Frame *frame);
    Cell *opaque(Why why, std::string_view name = {}, const Node *node = nullptr);
    Cell *term(UnknownKind kind, std::string_view name, Cell *first = nullptr, Cell *second = nullptr,
               Cell *third = nullptr);
    /// Returns `cell`; if it is Unknown and new, sets the node that it came from.
    Cell *writtenBy(const Node *node, Cell *cell);

private:
    Arena m_arena;
    int m_steps;
    Cell *m_exhausted = nullptr;
};

} // namespace tmx::nix
