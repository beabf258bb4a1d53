// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"
#include "model/recipe/PackageFacts.h"

#include <QByteArray>
#include <QVariantHash>

#include <optional>

namespace tmx {

/// Bytes of a recipe that write out one value of its context (RecipeContext.h), and how: "SM90" is gpu.number behind
/// "SM"; "H100/H200" are the first two of gpu.products.
struct Mention {
    quint32 offset = 0;
    quint32 length = 0;
    QString path; ///< "gpu.number"; empty: it names something that is not the variant's own (see `text`)
    QByteArray prefix;
    QByteArray suffix;
    qsizetype products = 0; ///< of gpu.products: how many; -1: all
    QByteArray separator;   ///< between them
    QByteArray last;        ///< before the last of them, where that is another: " or "
    QByteArray text;        ///< as it stands
    bool operator==(const Mention &) const = default;
};

/// All that `text` says of the variant with this context, in order, without overlaps; and what it says of other rows
/// and instruction sets of the catalog. Where two values of the context are written alike, the place decides. `changed`
/// limits it to values that are not the same in that context, when there is one. Pure.
QList<Mention> mentionsIn(const QByteArray &text, const Catalog &catalog, const QVariantHash &context,
                          const QVariantHash *changed = nullptr);

/// The bytes that say the same of the variant with this context; nullopt where it has no such value.
std::optional<QByteArray> spelt(const Mention &mention, const QVariantHash &context);

/// A line that says since which PyTorch something is there: "SM120 support was added in PyTorch 2.7". What it says of
/// one GPU it does not say of another.
struct ReleaseClaim {
    quint32 offset = 0; ///< of the line
    quint32 length = 0; ///< without its line break
    QString version;    ///< "2.7"
    bool alone = false; ///< the line can be taken out: a comment, a line of a text, an echo
};
QList<ReleaseClaim> releaseClaims(const QByteArray &text);

/// A text value of a context; empty where it has none.
QString textAt(const QVariantHash &context, QStringView path);

/// Line of a byte, from 1.
int lineAt(const QByteArray &text, quint32 offset);

} // namespace tmx
