// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Ast.h"

#include <QByteArray>
#include <QString>

#include <limits>
#include <vector>

namespace tmx::nix {

class Folder;
struct Cell;
class Value;

enum class ValueKind : quint8 { Null, Boolean, Integer, Float, Text, Path, List, Attributes, Function, Unknown };

/// What is known about an Unknown value. Folding continues around it, so `pkgs.torch.override { ... }` is a Call of a
/// Select.
enum class UnknownKind : quint8 {
    Opaque,      ///< only the reason is known
    Argument,    ///< `name`: an argument of a function without a call
    Global,      ///< `name`: a built-in function or value of Nix that is not folded: import, fetchTarball (without
                 ///< `builtins.`)
    SearchPath,  ///< `<name>`
    Select,      ///< `base().name()`, possibly with `or alternative()`
    Call,        ///< `base()` applied to `argument()`
    Conditional, ///< `if base() then argument() else alternative()`
    // Only if a Fold is exact:
    Assertion, ///< `assert base(); argument()`
    Operator,  ///< `base() name() argument()`; without argument(): `name() base()`
    Has,       ///< `base() ? name()`; elements of a longer path are separated by NUL, in a Select too then
    Dynamic,   ///< the set `{ ${base()} = argument(); }`
};

/// A part of a text: bytes, or a value that could not be folded to bytes.
struct TextPiece {
    std::string_view bytes;
    const Text *literal = nullptr; ///< the literal that contains the bytes; nullptr if they were computed
    const TextPart *part = nullptr;
    const Cell *hole = nullptr;
};

/// The value of an expression. A small handle that lives as long as its Fold; elements of lists and sets are folded on
/// demand. An accessor for another kind of value returns nullopt, an empty list or an Unknown value. A default Value is
/// Unknown.
class Value
{
public:
    Value() = default;

    [[nodiscard]] ValueKind kind() const;
    [[nodiscard]] bool isKnown() const { return kind() != ValueKind::Unknown; }
    /// The expression that wrote the value, with names resolved: the place for a fix. nullptr if it was computed.
    [[nodiscard]] const Node *node() const;

    [[nodiscard]] std::optional<bool> boolean() const;
    [[nodiscard]] std::optional<qint64> integer() const;
    [[nodiscard]] std::optional<double> number() const; ///< for a Float or an Integer

    /// For a Text without holes, or a Path as written.
    [[nodiscard]] std::optional<QByteArray> text() const;
    /// For a Text: its bytes, with one `hole` for each unknown part.
    [[nodiscard]] QByteArray textAround(char hole = '\x1a') const;
    /// For a Text: its unknown parts, in the order of the holes.
    [[nodiscard]] std::vector<Value> holes() const;
    static constexpr quint32 nowhere = ~quint32(0);
    struct Origin {
        quint32 offset = nowhere;
        quint16 file = 0; ///< Node::file
    };
    /// The place of each byte of textAround(); `nowhere` for a hole and for computed bytes.
    [[nodiscard]] std::vector<Origin> origins() const;
    /// Their offsets.
    [[nodiscard]] std::vector<quint32> offsets() const;

    struct Item;
    /// For a List.
    [[nodiscard]] std::vector<Item> items() const;

    struct Entry;
    /// For Attributes: those that certainly exist, sorted by name.
    [[nodiscard]] std::vector<Entry> entries() const;
    /// For Attributes: whether entries() are all. `old // { ... }` is not complete.
    [[nodiscard]] bool isComplete() const;
    /// For Attributes or an Unknown value; Unknown (a Select of this value) if it is missing or uncertain.
    [[nodiscard]] Value attribute(std::string_view name) const;
    /// nullopt if it is unknown.
    [[nodiscard]] std::optional<bool> hasAttribute(std::string_view name) const;

    /// For a Function in the file; nullptr for a built-in one.
    [[nodiscard]] const Lambda *lambda() const;

    [[nodiscard]] UnknownKind unknown() const;
    /// Why it is Unknown: lower case, without a full stop. Empty for a known value.
    [[nodiscard]] QString reason() const;
    [[nodiscard]] QByteArray name() const;
    [[nodiscard]] Value base() const;
    [[nodiscard]] Value argument() const;
    [[nodiscard]] Value alternative() const;

    /// The value in Nix syntax on one line, `depth` levels deep: for tests and messages. What comes after the first
    /// `most` bytes of a text, list or set may be left out.
    [[nodiscard]] QByteArray shown(int depth = 8, qsizetype most = std::numeric_limits<qsizetype>::max()) const;

private:
    friend class Fold;
    friend class Folder;
    Value(Folder *folder, const Cell *cell)
        : m_folder(folder)
        , m_cell(cell)
    {
    }
    [[nodiscard]] const Cell &cell() const;
    [[nodiscard]] std::span<const TextPiece> pieces() const; ///< of a Text or Path

    Folder *m_folder = nullptr;
    const Cell *m_cell = nullptr;
};

/// An element of a list; `spliced`: `value` stands for an unknown number of elements.
struct Value::Item {
    Value value;
    bool spliced = false;
};

struct Value::Entry {
    QByteArray name;
    Value value;
    const Attribute *definition = nullptr; ///< nullptr if the name was computed
};

} // namespace tmx::nix
