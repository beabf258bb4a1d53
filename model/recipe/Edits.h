// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/recipe/PackageFacts.h"

#include <QByteArray>

namespace tmx {

/// Bytes of a text and what is to stand in their place.
struct Edit {
    quint32 offset = 0;
    quint32 length = 0;
    QByteArray replacement;
    bool operator==(const Edit &) const = default;
};
using Edits = QList<Edit>;

/// `text` with all edits made. They may come in any order and twice, but not overlap; nothing when they do, or leave
/// the text.
std::optional<QByteArray> edited(const QByteArray &text, Edits edits);

/// Each gives no edits when it cannot be sure that only what it means is changed.
///
/// The value of a text, a word or a truth value: only where exactly `value` stands at the spot.
Edits replaced(const QByteArray &text, const Spot &spot, const QString &value, const QString &by);
/// `wanted` as the items of a list, which are quoted texts in brackets or bare words within a text: what is not wanted
/// is taken out, with its line and that line's comment when it has one of its own, and what is missing is put beside
/// its neighbour.
Edits listMadeTo(const QByteArray &text, const QList<StatedText> &items, const QStringList &wanted);
/// `missing`, some of `order`, put into a list: each behind the item that precedes it in `order`, on a line of its own
/// where that has one, and in front of the one that follows where none precedes. No other byte changes.
Edits listCompleted(const QByteArray &text, const QList<StatedText> &items, const QStringList &order,
                    const QStringList &missing);
/// The whole line of the spot, when nothing else but a comment stands on it.
Edits lineTaken(const QByteArray &text, const Spot &spot);

} // namespace tmx
