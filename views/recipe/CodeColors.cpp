// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/recipe/CodeColors.h"

#include <QPalette>

#include <algorithm>
#include <cmath>

namespace tmx {

namespace {

double luminance(const QColor &color)
{
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

} // namespace

double contrast(const QColor &a, const QColor &b)
{
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QColor legible(QColor color, const QColor &background, double ratio)
{
    const QColor end = luminance(background) > 0.18 ? QColor(Qt::black) : QColor(Qt::white);
    // Mixing toward the end keeps the hue; 20 steps always arrive at it.
    for (int step = 1; contrast(color, background) < ratio && step <= 20; ++step)
        color = mix(color, end, 0.05 * step);
    return color;
}

QColor mix(const QColor &bottom, const QColor &top, double share)
{
    const auto part = [share](float b, float t) { return float(b + (t - b) * share); };
    return QColor::fromRgbF(part(bottom.redF(), top.redF()), part(bottom.greenF(), top.greenF()), part(bottom.blueF(), top.blueF()));
}

QColor mutedText(const QPalette &palette)
{
    const QColor window = palette.color(QPalette::Window);
    return legible(mix(window, palette.color(QPalette::WindowText), 0.62), window);
}

CodeColors::CodeColors(const QPalette &palette)
    : background(palette.color(QPalette::Base))
    , text(palette.color(QPalette::Text))
    , accent(palette.color(QPalette::Highlight))
{
    const bool dark = luminance(background) < 0.18;
    const QColor green(dark ? 0x2ea043 : 0x2da44e);
    const QColor red(dark ? 0xf85149 : 0xcf222e);
    const QColor yellow(dark ? 0xd29922 : 0xf2c037);
    const QColor orange(dark ? 0xe0762f : 0xff9a3c);
    gutterText = legible(mix(background, text, 0.45), background, 3.5);
    currentLine = mix(background, text, dark ? 0.07 : 0.045);
    match = mix(background, yellow, dark ? 0.32 : 0.45);
    currentMatch = mix(background, orange, dark ? 0.55 : 0.60);
    added = mix(background, green, dark ? 0.22 : 0.17);
    addedWord = mix(background, green, dark ? 0.48 : 0.42);
    removed = mix(background, red, dark ? 0.20 : 0.12);
    removedWord = mix(background, red, dark ? 0.44 : 0.30);
    hunk = mix(background, accent, dark ? 0.16 : 0.10);
}

} // namespace tmx
