// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QByteArray>
#include <QStringList>

namespace tmx {

/// `text` with one value of a TOML document changed, everything else byte for byte as it is, comments and order too.
/// `path` names the key:
/// {"nixpkgs"}, {"versions", "pytorch"}; in a list of tables the next step is the `version` of the one that is meant:
/// {"cuda", "12.8", "nixpkgs"}. `value` is the value as TOML writes it; empty: the key is taken out. A key that is not
/// there is added. Errors: `text` is not TOML, no table of that version, a step that is no table, a value that is not
/// TOML.
Result<QByteArray> withTomlValue(const QByteArray &text, const QStringList &path, const QString &value);

/// Comments of the document, each without its '#'; what rewriting the document would lose.
QStringList tomlComments(const QByteArray &text);

} // namespace tmx
