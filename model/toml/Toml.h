// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QByteArray>
#include <QHash>
#include <QStringList>
#include <QVariant>

#include <optional>

namespace tmx {

/// Documents beyond these limits are rejected before toml++ parses them: it handles tables recursively, so a key with
/// 110,000 dotted parts overflows its stack.
inline constexpr qsizetype maxTomlBytes = 1'048'576;
inline constexpr int maxTomlDepth = 64; ///< brackets and dotted parts around one value, without its section's header

/// Values as toml++'s formatter writes them: texts in double quotes, lists and inline tables on one line, keys sorted.
QByteArray inToml(const QString &text);
QByteArray inToml(const QStringList &texts);
QByteArray inToml(const QHash<QString, QString> &table);
/// A key: bare if TOML allows it, else in double quotes.
QByteArray tomlKey(const QString &key);

/// Comments of the document, without '#' and trimmed: they are lost when the document is rewritten.
QStringList tomlComments(const QByteArray &text);

/// The document's values in a QVariantMap: maps, lists, texts, numbers and booleans. Invalid if it has a date; an error
/// if it is not TOML.
Result<QVariant> tomlValues(const QByteArray &text);

} // namespace tmx
