// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Fold.h"

namespace tmx::nix {

// What Fold is made of; only the Folder*.cpp files, Fold.cpp and Value.cpp include this. All of it lies in the folder's
// arena.

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

/// One of Nix's or nixpkgs' functions that is folded.
struct Builtin {
    enum Home : quint8 { InBuiltins = 1, InLib = 2, InBoth = 3 };
    std::string_view name;
    int arity;
    Home home;
    /// The result; nullptr when it cannot be known from these arguments, none of which is forced yet.
    Cell *(*fold)(Folder &folder, std::span<Cell *const> arguments);
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

class Folder
{
public:
    Folder(std::shared_ptr<const Tree> tree, const FoldOptions &options);

    [[nodiscard]] const Tree &tree() const { return *m_tree; }
    [[nodiscard]] Arena &arena() { return m_arena; }
    [[nodiscard]] int stepsLeft() const { return m_steps; }
    /// Takes steps for work that is about to be done; false when too few are left.
    bool step(size_t count = 1);

    // Folder.cpp: from nodes to cells.
    /// `cell` with its value in it, or a cell that says why it has none.
    Cell *force(Cell *cell);
    Cell *fold(const Node *node, const Frame *frame);
    Cell *delay(const Node *node, const Frame *frame);
    Cell *delayCall(Cell *function, Cell *argument);
    Cell *result();

    // FolderValues.cpp: new cells.
    Cell *make(ValueKind kind, const Node *node = nullptr);
    Cell *makeBoolean(bool value);
    Cell *makeInteger(qint64 value, const Node *node = nullptr);
    Cell *makeFloat(double value, const Node *node = nullptr);
    Cell *makeText(std::span<const TextPiece> pieces, const Node *node = nullptr);
    Cell *makeText(std::string_view bytes); ///< copies them
    Cell *makeList(std::span<const Item> items, const Node *node = nullptr);
    Cell *makeSet(std::span<const Layer> layers, const Node *node = nullptr);
    Cell *makeSet(std::span<const NamedCell> entries);
    Cell *opaque(Why why, std::string_view name = {}, const Node *node = nullptr);
    Cell *term(UnknownKind kind, std::string_view name, Cell *first = nullptr, Cell *second = nullptr,
               Cell *third = nullptr);
    /// `cell`, and when it is Unknown and new, with the node that it came of.
    Cell *writtenBy(const Node *node, Cell *cell);

    // FolderSets.cpp
    Cell *select(Cell *base, std::string_view name);
    /// Its cell, not forced; nullptr when it is not there (nothing) or when that cannot be known (`certain` becomes
    /// false).
    Cell *find(const Cell &set, std::string_view name, bool &certain);
    /// All entries that are known to be there, the later layers' over the earlier ones', sorted by name. Nothing but
    /// these: `complete`.
    std::vector<NamedCell> entriesOf(const Cell &set, bool &complete) const;

    // FolderCalls.cpp
    Cell *call(Cell *function, Cell *argument);

    // FolderTexts.cpp
    /// Appends what `cell` is within a text, a hole where that is not known; `loosely`: as toString takes numbers,
    /// lists and truth values.
    void addText(std::vector<TextPiece> &pieces, Cell *cell, bool loosely = false);
    /// The bytes of a text without holes.
    std::optional<std::string_view> bytesOf(Cell *cell);

    // FolderOperators.cpp
    std::optional<bool> equal(Cell *left, Cell *right);

    // FolderBuiltins.cpp
    static const Builtin *builtin(std::string_view name, Builtin::Home home);

private:
    class Deeper;

    Cell *variable(const Variable &variable, const Frame *frame);
    Cell *fromWith(const Variable &variable, const Frame *frame);
    Cell *global(std::string_view name);
    Cell *list(const List &list, const Frame *frame);
    const Frame *frameOf(const With &with, const Frame *frame);

    Cell *attributes(const Attributes &set, const Frame *frame);
    void fill(std::span<Cell *> cells, const Attributes &set, const Frame *inner, const Frame *outer);
    const Frame *frameOf(const Attributes &set, const Frame *frame);
    Cell *selection(const Select &select, const Frame *frame);
    Cell *hasAttribute(const HasAttribute &node, const Frame *frame);
    std::optional<std::string_view> nameOf(const AttributeName &name, const Frame *frame);
    Cell *selectOfUnknown(Cell *base, std::string_view name);

    Cell *application(const Call &node, const Frame *frame);
    Cell *callLambda(const Cell &function, Cell *argument);
    Cell *callBuiltin(Cell *function, Cell *argument);

    Cell *text(const Text &text, const Frame *frame);
    Cell *path(const Path &path, const Frame *frame);
    void addList(std::vector<TextPiece> &pieces, const Cell &list);

    Cell *unary(const Unary &node, const Frame *frame);
    Cell *binary(const Binary &node, const Frame *frame);
    Cell *concat(const Binary &node, const Frame *frame);
    Cell *update(const Binary &node, const Frame *frame);
    Cell *sum(const Binary &node, const Frame *frame);
    Cell *logic(const Binary &node, const Frame *frame);
    Cell *compare(BinaryOperator op, Cell *left, Cell *right);
    Cell *arithmetic(BinaryOperator op, Cell *left, Cell *right);
    Cell *unfolded(const Binary &node, Cell *left, Cell *right);

    std::shared_ptr<const Tree> m_tree;
    Arena m_arena;
    int m_steps;
    int m_depth = 0;
    int m_maxDepth;
    Cell *m_exhausted = nullptr;
};

/// One fold within another for as long as it lives; ok() is false when that is one too many.
class Folder::Deeper
{
public:
    explicit Deeper(Folder &folder)
        : m_folder(folder)
    {
        ++m_folder.m_depth;
    }
    ~Deeper() { --m_folder.m_depth; }
    Q_DISABLE_COPY_MOVE(Deeper)
    [[nodiscard]] bool ok() const { return m_folder.m_depth <= m_folder.m_maxDepth; }

private:
    Folder &m_folder;
};

} // namespace tmx::nix
