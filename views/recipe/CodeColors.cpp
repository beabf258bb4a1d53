// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/recipe/CodeColors.h"

#include <QPalette>

namespace tmx {

CodeColors::CodeColors(const QPalette &palette)
    : background(palette.color(QPalette::Base))
    , text(palette.color(QPalette::Text))
    , accent(palette.color(QPalette::Highlight))
{
    const bool dark = isDark(background);
    const QColor green(dark ? 0x2ea043 : 0x2da44e);
    const QColor red(dark ? 0xf85149 : 0xcf222e);
    const QColor yellow(dark ? 0xd29922 : 0xf2c037);
    const QColor orange(dark ? 0xe0762f : 0xff9a3c);
    gutterText = legible(mix(background, text, 0.45), background);
    currentLine = mix(background, text, dark ? 0.07 : 0.045);
    match = mix(background, yellow, dark ? 0.34 : 0.45);
    currentMatch = mix(background, orange, dark ? 0.50 : 0.60);
    added = mix(background, green, dark ? 0.22 : 0.17);
    addedWord = mix(background, green, dark ? 0.48 : 0.42);
    removed = mix(background, red, dark ? 0.20 : 0.12);
    removedWord = mix(background, red, dark ? 0.44 : 0.30);
    hunk = mix(background, accent, dark ? 0.16 : 0.10);
}

} // namespace tmx
