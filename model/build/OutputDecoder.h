// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/AnsiText.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace tmx {

/// UTF-8 that comes in pieces, which may end within a character. What is no UTF-8 becomes U+FFFD.
class OutputDecoder
{
public:
    [[nodiscard]] QString decode(QByteArrayView bytes);
    /// At the end: U+FFFD if a character was left unfinished, else nothing.
    [[nodiscard]] QString flush();

private:
    QByteArray m_unfinished; ///< the first bytes of a character, at most 3
};

/// Lines for those who read a log for its meaning: without escape sequences and control characters, blank ones left
/// out. A carriage return ends a line as well, so that each state of a line that overwrites itself is seen.
class LineReader
{
public:
    [[nodiscard]] QStringList read(QStringView text);
    /// The last line, when no newline ended it.
    [[nodiscard]] QStringList flush();

private:
    AnsiParser m_parser;
    QString m_line;
};

} // namespace tmx
