// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/theme/Colors.h"

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

bool isDark(const QColor &background)
{
    return luminance(background) < 0.18;
}

QColor legible(QColor color, const QColor &background, double ratio)
{
    const QColor end = isDark(background) ? QColor(Qt::white) : QColor(Qt::black);
    // Mixing toward the end keeps the hue. 20 steps always reach it.
    for (int step = 1; contrast(color, background) < ratio && step <= 20; ++step)
        color = mix(color, end, 0.05 * step);
    return color;
}

QColor mix(const QColor &bottom, const QColor &top, double share)
{
    const auto part = [share](float b, float t) { return float(b + (t - b) * share); };
    return QColor::fromRgbF(part(bottom.redF(), top.redF()), part(bottom.greenF(), top.greenF()),
                            part(bottom.blueF(), top.blueF()));
}

QColor mutedText(const QPalette &palette)
{
    const QColor window = palette.color(QPalette::Window);
    return legible(mix(window, palette.color(QPalette::WindowText), 0.62), window);
}

} // namespace tmx
