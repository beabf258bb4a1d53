// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace tmx {

/// A text as a double-quoted scalar of YAML, in ASCII on one line (YAML 1.2, 5.7): whatever it holds, it is that text
/// and nothing else.
QByteArray yamlQuoted(const QString &text);
/// ["a", "b"]
QByteArray yamlList(const QStringList &texts);
/// Lines, each but empty ones with so many blanks before it.
QByteArray indented(const QByteArray &lines, int blanks);

} // namespace tmx
