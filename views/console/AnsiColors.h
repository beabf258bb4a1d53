// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/AnsiText.h"

#include <QColor>
#include <QTextCharFormat>

class QPalette;

namespace tmx {

/// What ANSI styles look like on a palette. The named colours come from a table for light and one for dark; whatever a
/// program asks for, text keeps a contrast of 4.5 (dim text: 3) on what is behind it.
class AnsiColors
{
public:
    explicit AnsiColors(const QPalette &palette);

    [[nodiscard]] QTextCharFormat format(const AnsiStyle &style) const;
    /// Without regard to what is behind it; `otherwise` is the default colour's.
    [[nodiscard]] QColor color(const AnsiColour &colour, const QColor &otherwise) const;

    QColor background;
    QColor text;
    QColor prefix; ///< the derivation in front of a builder's line
    QColor error;  ///< lines that tell of an error and have no colour of their own

private:
    bool m_dark = false;
};

} // namespace tmx
