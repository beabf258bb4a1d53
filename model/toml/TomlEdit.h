// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QByteArray>
#include <QStringList>

namespace tmx {

/// Edits of a TOML document that keep all other bytes, including comments and order. Each result is parsed and compared
/// with the expected values: a document in a notation that these functions cannot change gives an Error, never a wrong
/// text. Further Errors: `text` is not TOML (those of parseToml()), a step of the path is not a table, a value is not
/// TOML.

/// Sets one value in `text`. `path` names the key: {"nixpkgs"}, {"versions", "pytorch"}. In a list of tables, the next
/// step is the `version` of a table: {"cuda", "12.8", "nixpkgs"}. `value` is TOML and is written unchanged; empty
/// removes the key. A missing key is added. Error: no table with that version.
Result<QByteArray> withTomlValue(const QByteArray &text, const QStringList &path, const QByteArray &value);

/// Applies every difference between `before` and `after` to `text`: sets, adds and removes values. Lists of tables
/// without `version` are replaced completely. Error: the documents have tables with different versions.
Result<QByteArray> withTomlChanges(const QByteArray &text, const QByteArray &before, const QByteArray &after);

} // namespace tmx
