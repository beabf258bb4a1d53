// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace tmx {

/// A text as a double-quoted YAML scalar in ASCII on one line (YAML 1.2, 5.7); any text is represented exactly.
QByteArray yamlQuoted(const QString &text);
/// ["a", "b"]
QByteArray yamlList(const QStringList &texts);
/// Indents all non-empty lines by that many blanks.
QByteArray indented(const QByteArray &lines, int blanks);

} // namespace tmx
