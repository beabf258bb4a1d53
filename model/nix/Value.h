// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Ast.h"

#include <QByteArray>
#include <QString>

#include <vector>

namespace tmx::nix {

class Folder;
struct Cell;
class Value;

enum class ValueKind : quint8 { Null, Boolean, Integer, Float, Text, Path, List, Attributes, Function, Unknown };

/// What an Unknown value is, as far as it is known. Folding goes on around it, so that `pkgs.torch.override { ... }` is
/// a Call of a Select.
enum class UnknownKind : quint8 {
    Opaque,      ///< nothing but the reason
    Argument,    ///< `name`: an argument of a function that nobody called
    Global,      ///< `name`: one of Nix's own functions or values that are not folded: import, fetchTarball (without
                 ///< `builtins.`)
    SearchPath,  ///< `<name>`
    Select,      ///< `base().name()`, and perhaps `or alternative()`
    Call,        ///< `base()` applied to `argument()`
    Conditional, ///< `if base() then argument() else alternative()`
    // Only where a Fold is exact:
    Assertion, ///< `assert base(); argument()`
    Operator,  ///< `base() name() argument()`; without argument(): `name() base()`
    Has,       ///< `base() ? name()`; the elements of a longer path are separated by NUL, as they are in a Select then
    Dynamic,   ///< the set `{ ${base()} = argument(); }`
};

/// A stretch of a text: bytes, or what could not be folded into bytes.
struct TextPiece {
    std::string_view bytes;
    const Text *literal = nullptr; ///< the bytes stand in this literal; nullptr when they were computed
    const TextPart *part = nullptr;
    const Cell *hole = nullptr;
};

/// What an expression comes to. A small handle; it lives as long as the Fold that it is from, and what is in lists and
/// sets is folded when it is asked for. Asked for what it is not, it says so with nothing, an empty list or an Unknown
/// value. A default Value is Unknown.
class Value
{
public:
    Value() = default;

    [[nodiscard]] ValueKind kind() const;
    [[nodiscard]] bool isKnown() const { return kind() != ValueKind::Unknown; }
    /// The expression that wrote the value, names followed to what they stand for: where a fix goes. nullptr when it
    /// was computed.
    [[nodiscard]] const Node *node() const;

    [[nodiscard]] std::optional<bool> boolean() const;
    [[nodiscard]] std::optional<qint64> integer() const;
    [[nodiscard]] std::optional<double> number() const; ///< of a Float or an Integer

    /// Of a Text without holes, or of a Path as it is written.
    [[nodiscard]] std::optional<QByteArray> text() const;
    /// Of a Text: its bytes with one `hole` for each stretch that is not known.
    [[nodiscard]] QByteArray textAround(char hole = '\x1a') const;
    /// Of a Text: what is not known of it, in the order of the holes.
    [[nodiscard]] std::vector<Value> holes() const;
    static constexpr quint32 nowhere = ~quint32(0);
    /// Where each byte of textAround() stands in the file; `nowhere` for a hole and for bytes that were computed.
    [[nodiscard]] std::vector<quint32> offsets() const;

    struct Item;
    /// Of a List.
    [[nodiscard]] std::vector<Item> items() const;

    struct Entry;
    /// Of Attributes: those that are known to be there, by name.
    [[nodiscard]] std::vector<Entry> entries() const;
    /// Of Attributes: whether there are no others than entries(). `old // { ... }` is not complete.
    [[nodiscard]] bool isComplete() const;
    /// Of Attributes or of an Unknown value; Unknown (a Select of this value) when it is not there or may be another.
    [[nodiscard]] Value attribute(std::string_view name) const;
    /// Nothing when it cannot be known.
    [[nodiscard]] std::optional<bool> hasAttribute(std::string_view name) const;

    /// Of a Function that the file writes; nullptr for one of Nix's own.
    [[nodiscard]] const Lambda *lambda() const;

    [[nodiscard]] UnknownKind unknown() const;
    /// Why it is Unknown: lower case, without a full stop. Empty for what is known.
    [[nodiscard]] QString reason() const;
    [[nodiscard]] QByteArray name() const;
    [[nodiscard]] Value base() const;
    [[nodiscard]] Value argument() const;
    [[nodiscard]] Value alternative() const;

    /// The value in the manner of Nix, on one line, `depth` levels of it: for tests and messages.
    [[nodiscard]] QByteArray shown(int depth = 8) const;

private:
    friend class Fold;
    friend class Folder;
    Value(Folder *folder, const Cell *cell)
        : m_folder(folder)
        , m_cell(cell)
    {
    }
    [[nodiscard]] const Cell &cell() const;

    Folder *m_folder = nullptr;
    const Cell *m_cell = nullptr;
};

/// An element of a list; `spliced`: an unknown number of elements, which `value` has.
struct Value::Item {
    Value value;
    bool spliced = false;
};

struct Value::Entry {
    QByteArray name;
    Value value;
    const Attribute *definition = nullptr; ///< nullptr when the name was computed
};

} // namespace tmx::nix
