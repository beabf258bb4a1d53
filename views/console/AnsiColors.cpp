// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/console/AnsiColors.h"

#include "views/theme/Colors.h"

#include <QPalette>

#include <utility>

namespace tmx {

namespace {

constexpr QRgb lightTable[16] = {0xff24292f, 0xffb3261e, 0xff1a7f37, 0xff8a5a00, 0xff1f5fbf, 0xff8a3fa8,
                                 0xff0f7286, 0xff57606a, 0xff57606a, 0xffd1352b, 0xff218c45, 0xff9a6700,
                                 0xff2f6fd6, 0xffa04bc0, 0xff14869c, 0xff24292f};
constexpr QRgb darkTable[16] = {0xff8b949e, 0xfff47067, 0xff57c27d, 0xffdba32c, 0xff6cabff, 0xffd091ee,
                                0xff4cc3d5, 0xffc9d1d9, 0xff8b949e, 0xffff8f87, 0xff7ddb9c, 0xffeec055,
                                0xff93c2ff, 0xffe0b0f8, 0xff78d9e8, 0xffffffff};
/// As backgrounds, black must be dark and white light on every palette: programs choose text colours for that.
constexpr QRgb behindTable[16] = {0xff24292f, 0xffb3261e, 0xff1a7f37, 0xffd9a400, 0xff1f5fbf, 0xff8a3fa8,
                                  0xff0f7286, 0xffd0d7de, 0xff57606a, 0xfff47067, 0xff57c27d, 0xffeec055,
                                  0xff6cabff, 0xffd091ee, 0xff4cc3d5, 0xffffffff};

/// xterm's colours 16 to 255: a cube of six steps, then 24 greys.
QColor xtermColor(quint32 index)
{
    if (index >= 232) {
        const int grey = int(index - 232) * 10 + 8;
        return {grey, grey, grey};
    }
    const auto step = [](quint32 n) { return n == 0 ? 0 : int(n) * 40 + 55; };
    const quint32 place = index - 16;
    return {step(place / 36), step(place / 6 % 6), step(place % 6)};
}

QColor colorFrom(const QRgb (&table)[16], const AnsiColour &colour, const QColor &otherwise)
{
    switch (colour.kind) {
    case AnsiColour::Kind::Default: return otherwise;
    case AnsiColour::Kind::Indexed:
        return colour.value < 16 ? QColor::fromRgb(table[colour.value]) : xtermColor(colour.value);
    case AnsiColour::Kind::Rgb: return QColor::fromRgb(colour.value);
    }
    Q_UNREACHABLE_RETURN({});
}

} // namespace

AnsiColors::AnsiColors(const QPalette &palette)
    : background(palette.color(QPalette::Active, QPalette::Base))
    , text(palette.color(QPalette::Active, QPalette::Text))
    , m_dark(isDark(background))
{
    prefix = legible(mix(background, text, 0.5), background);
    error = legible(QColor::fromRgb(m_dark ? darkTable[1] : lightTable[1]), background);
}

QColor AnsiColors::color(const AnsiColour &colour, const QColor &otherwise) const
{
    return colorFrom(m_dark ? darkTable : lightTable, colour, otherwise);
}

QTextCharFormat AnsiColors::format(const AnsiStyle &style) const
{
    QColor front = color(style.foreground, text);
    QColor behind = colorFrom(behindTable, style.background, background);
    if (style.inverse)
        std::swap(front, behind);
    // Text without its own colour on an explicit background: take the palette colour with the better contrast.
    if (behind != background && front == text && contrast(background, behind) > contrast(text, behind))
        front = background;
    if (style.dim)
        front = mix(behind, front, 0.65);
    QTextCharFormat format;
    format.setForeground(legible(front, behind, style.dim ? 3 : 4.5));
    if (behind != background)
        format.setBackground(behind);
    if (style.bold)
        format.setFontWeight(QFont::Bold);
    format.setFontItalic(style.italic);
    format.setFontUnderline(style.underline);
    return format;
}

} // namespace tmx
