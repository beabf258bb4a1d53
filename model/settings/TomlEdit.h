// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QByteArray>
#include <QStringList>

namespace tmx {

/// Changes of a TOML document that keep every other byte, comments and order included. Each result is parsed again and
/// compared with what the change should give: a document written in a way that these functions cannot change is an
/// Error, never a wrong text. Other Errors: `text` is not TOML (those of parseToml()), a step of the path is no table,
/// a value is not TOML.

/// `text` with one value set. `path` names the key: {"nixpkgs"}, {"versions", "pytorch"}. In a list of tables, the next
/// step is the `version` of the one that is meant: {"cuda", "12.8", "nixpkgs"}. `value` is written as it is; empty
/// removes the key. A key that is missing is added. Error: no table of that version.
Result<QByteArray> withTomlValue(const QByteArray &text, const QStringList &path, const QByteArray &value);

/// `text` with every value set, added or removed that differs between `before` and `after`. Lists of tables without
/// `version` are replaced as a whole. Error: the two have tables of different versions.
Result<QByteArray> withTomlChanges(const QByteArray &text, const QByteArray &before, const QByteArray &after);

} // namespace tmx
