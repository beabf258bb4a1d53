// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace tmx {

/// `text` as it must stand between double quotes in Nix to mean itself (Nix manual: string literals). One line: breaks
/// become spaces.
QString inNixQuotes(const QString &text);
/// `text` as it must stand between two pairs of single quotes in Nix (an indented string) to mean itself. One line, as
/// above.
QString inNixIndented(const QString &text);
/// `text` for a comment that ends with its line.
QString inNixComment(const QString &text);

} // namespace tmx
