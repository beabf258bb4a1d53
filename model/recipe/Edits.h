// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/recipe/PackageFacts.h"

#include <QByteArray>

namespace tmx {

/// A range of bytes in a text and its replacement.
struct Edit {
    quint32 offset = 0;
    quint32 length = 0;
    QByteArray replacement;
    bool operator==(const Edit &) const = default;
};
using Edits = QList<Edit>;

/// `text` with all edits applied. The edits may be in any order and contain duplicates, but must not overlap; nullopt
/// if they do, or if they exceed the text.
std::optional<QByteArray> edited(const QByteArray &text, Edits edits);

/// These functions return no edits if they cannot be sure to change only what is meant, or if it is in an imported
/// file.
///
/// Replaces the value of a text, a word or a boolean, if exactly `value` is at the spot.
Edits replaced(const QByteArray &text, const Spot &spot, const QString &value, const QString &by);
/// Adds `name = value;` to the set that has an attribute with the value at the spot, after that attribute: on a line of
/// its own if that has one.
Edits attributeBeside(const QByteArray &text, const Spot &spot, const QByteArray &name, const QByteArray &value);
/// Adds an item, which may have several lines, to the list that has the function with the spot as an item, after it.
Edits itemBehind(const QByteArray &text, const Spot &spot, const QByteArray &item);
/// Makes `wanted` the items of a list; items are quoted texts in brackets, or bare words within a text. Unwanted items
/// are removed, with their line and its comment if it has no other content; missing items are inserted next to their
/// neighbour.
Edits listMadeTo(const QByteArray &text, const QList<StatedText> &items, const QStringList &wanted);
/// Inserts `missing`, some of `order`, into a list: each after the item that precedes it in `order`, on a separate line
/// if that item has one; before the following item if none precedes. Changes no other byte.
Edits listCompleted(const QByteArray &text, const QList<StatedText> &items, const QStringList &order,
                    const QStringList &missing);

} // namespace tmx
