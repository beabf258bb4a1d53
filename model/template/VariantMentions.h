// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"
#include "model/recipe/PackageFacts.h"

#include <QByteArray>
#include <QRegularExpression>
#include <QVariantHash>

#include <optional>

namespace tmx {

/// Bytes of a recipe that state one value of its context (RecipeContext.h), with their notation: "SM90" is gpu.number
/// after "SM"; "H100/H200" are the first two of gpu.products.
struct Mention {
    quint32 offset = 0;
    quint32 length = 0;
    QString path; ///< "gpu.number"; empty: a value of another variant (see `text`)
    QByteArray prefix;
    QByteArray suffix;
    qsizetype products = 0; ///< for gpu.products: how many; -1: all
    QByteArray separator;   ///< between them
    QByteArray last;        ///< before the last one, if it differs: " or "
    QByteArray text;        ///< the bytes in the recipe
    bool operator==(const Mention &) const = default;
};

/// All places in `text` that state a value of the variant with this context, in order and without overlaps; and those
/// that mention other rows and instruction sets of the catalog. If two values of the context have the same notation,
/// the place decides. `changed`, if set, limits the result to values that differ in that context. Pure.
QList<Mention> mentionsIn(const QByteArray &text, const Catalog &catalog, const QVariantHash &context,
                          const QVariantHash *changed = nullptr);

/// The bytes that state the same value for the variant with this context; nullopt if it has no such value.
std::optional<QByteArray> spelt(const Mention &mention, const QVariantHash &context);

/// Identifiers of a recipe that contain its Python's attribute, "python313Custom", without the attribute itself and its
/// set of packages.
struct NamesOfPython {
    QList<QByteArray> own;    ///< what let alone binds: with another Python they may have its name
    QList<QByteArray> others; ///< attributes, arguments, and what there is for another Python too
};
NamesOfPython namesOfPython(const QByteArray &text, const QVariantHash &context);

/// A line that claims since which PyTorch version something exists: "SM120 support was added in PyTorch 2.7". It holds
/// for one GPU only.
struct ReleaseClaim {
    quint32 offset = 0; ///< offset of the line
    quint32 length = 0; ///< length without its newline
    QString version;    ///< "2.7"
    bool alone = false; ///< the line can be removed: a comment, a line of a text, an echo
};
QList<ReleaseClaim> releaseClaims(const QByteArray &text);

/// Matches a driver that a text names; captures its version, "550" in "driver 550+".
const QRegularExpression &driversInText();

/// What to write instead of a driver that is too old for the variant with this context, in its notation; empty if it
/// is not.
QByteArray newerDriver(const QString &stated, const QVariantHash &context);

/// The text with its drivers new enough for that variant.
QByteArray withNewDrivers(const QByteArray &text, const QVariantHash &context);

/// A text value of a context; empty if there is none.
QString textAt(const QVariantHash &context, QStringView path);

/// Line of a byte, from 1.
int lineAt(const QByteArray &text, quint32 offset);

} // namespace tmx
