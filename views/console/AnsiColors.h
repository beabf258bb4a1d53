// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/log/AnsiText.h"

#include <QColor>
#include <QTextCharFormat>

class QPalette;

namespace tmx {

/// Colours of ANSI styles on a palette. The named colours come from a table for light and one for dark palettes. Text
/// always keeps a contrast of 4.5 (dim text: 3) to its background.
class AnsiColors
{
public:
    explicit AnsiColors(const QPalette &palette);

    [[nodiscard]] QTextCharFormat format(const AnsiStyle &style) const;
    /// Ignores the background. `otherwise` is used for the default colour.
    [[nodiscard]] QColor color(const AnsiColour &colour, const QColor &otherwise) const;

    QColor background;
    QColor text;
    QColor prefix; ///< the derivation in front of a builder's line
    QColor error;  ///< error lines without a colour of their own

private:
    bool m_dark = false;
};

} // namespace tmx
