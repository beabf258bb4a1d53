// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Fold.h"

namespace tmx::nix {

// What a Fold is made of. Only the sources of this folder include this. All of it lies in the arena of Cells.

struct Builtin;

/// Why something is Unknown; Value::reason() has the words.
enum class Why : quint8 {
    NotFolded, ///< comes from outside of the file
    NoRoot,
    NoSuchAttribute,     ///< `name`
    MaybeOtherAttribute, ///< `name`, which something unknown may have set
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

/// In words, as Value::reason().
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

/// One operand of `//`, later ones over earlier ones.
struct Layer {
    const Attributes *set = nullptr;    ///< whose attributes the first entries are, in its order
    std::span<const NamedCell> entries; ///< each name once
    const Cell *unknown = nullptr;      ///< in place of entries: may hold anything
};

/// The values that a Lambda, a Let, a recursive set or a With puts around its inside.
struct Frame {
    const Frame *outer = nullptr;
    std::span<Cell *> entries;
    const With *with = nullptr;
    Cell *scope = nullptr; ///< of a With
};

/// A value, or what it will be folded from.
struct Cell {
    enum class State : quint8 { Delayed, Busy, Done };
    State state = State::Done;
    ValueKind kind = ValueKind::Unknown;
    UnknownKind unknown = UnknownKind::Opaque;
    Why why = Why::NotFolded;
    bool boolean = false;
    const Node *node = nullptr;   ///< Done: what wrote it. Delayed: what to fold, or nullptr: `first` called with
                                  ///< `second`, else `name` of `first`
    const Frame *frame = nullptr; ///< Delayed: around the node. Function: around its lambda
    qint64 integer = 0;
    double number = 0;
    std::string_view name;             ///< of what is Unknown
    Cell *first = nullptr;             ///< Unknown: base
    Cell *second = nullptr;            ///< Unknown: argument
    Cell *third = nullptr;             ///< Unknown: alternative
    std::span<const TextPiece> pieces; ///< Text, Path
    std::span<const Item> items;       ///< List
    std::span<const Layer> layers;     ///< Attributes
    const Builtin *builtin = nullptr;  ///< Function: none = a lambda
    std::span<Cell *const> arguments;  ///< that the builtin has so far
};

/// Makes cells, in an arena of its own, and counts what the work of a Fold may still take.
class Cells
{
public:
    explicit Cells(int maxSteps);

    [[nodiscard]] Arena &arena() { return m_arena; }
    [[nodiscard]] int stepsLeft() const { return m_steps; }
    /// Takes steps for work that is about to be done; false when too few are left.
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
    Cell *makeText(std::string_view bytes); ///< copies them
    Cell *makeList(std::span<const Item> items, const Node *node = nullptr);
    Cell *makeSet(std::span<const Layer> layers, const Node *node = nullptr);
    Cell *makeSet(std::span<const NamedCell> entries);
    /// One of Nix's or nixpkgs' own, with the arguments that it has so far.
    Cell *makeFunction(const Builtin *builtin, std::span<Cell *const> arguments = {});
    /// To be folded when it is forced.
    Cell *makeDelayed(const Node *node, const Frame *frame);
    Cell *opaque(Why why, std::string_view name = {}, const Node *node = nullptr);
    Cell *term(UnknownKind kind, std::string_view name, Cell *first = nullptr, Cell *second = nullptr,
               Cell *third = nullptr);
    /// `cell`, and when it is Unknown and new, with the node that it came of.
    Cell *writtenBy(const Node *node, Cell *cell);

private:
    Arena m_arena;
    int m_steps;
    Cell *m_exhausted = nullptr;
};

} // namespace tmx::nix
