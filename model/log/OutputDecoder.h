// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/log/AnsiText.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace tmx {

/// Decodes UTF-8 that arrives in pieces, which may end inside a character. Invalid bytes become U+FFFD.
class OutputDecoder
{
public:
    [[nodiscard]] QString decode(QByteArrayView bytes);
    /// Call it at the end: returns U+FFFD if a character is incomplete, else nothing.
    [[nodiscard]] QString flush();

private:
    QByteArray m_unfinished; ///< the first bytes of a character, at most 3
};

/// Splits a log into lines for parsing: without escape sequences, control characters and blank lines. A carriage return
/// ends a line too, so that each state of a line that overwrites itself is seen.
class LineReader
{
public:
    [[nodiscard]] QStringList read(QStringView text);
    /// The last line if no newline ended it.
    [[nodiscard]] QStringList flush();

private:
    AnsiParser m_parser;
    QString m_line;
};

} // namespace tmx
