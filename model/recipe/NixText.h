// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace tmx {

/// Escapes `text` for double quotes in Nix (Nix manual: string literals). One line: line breaks become spaces.
QString inNixQuotes(const QString &text);
/// Escapes `text` for an indented string in Nix, between two pairs of single quotes. One line, as above.
QString inNixIndented(const QString &text);
/// Escapes `text` for a comment that ends with its line.
QString inNixComment(const QString &text);

} // namespace tmx
