// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/Appearance.h"

#include "views/Colors.h"

#include <QApplication>
#include <QPainter>
#include <QPalette>
#include <QProxyStyle>
#include <QStyleHints>
#include <QStyleOption>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// The roles that the views use; the rest is derived by Qt from button and window.
QPalette paletteOf(bool dark)
{
    const QColor window = dark ? QColor(0x1f, 0x22, 0x26) : QColor(0xf4, 0xf5, 0xf7);
    const QColor base = dark ? QColor(0x17, 0x19, 0x1c) : QColor(0xff, 0xff, 0xff);
    const QColor text = dark ? QColor(0xe7, 0xe9, 0xec) : QColor(0x1b, 0x1e, 0x23);
    const QColor quiet = dark ? QColor(0xa3, 0xaa, 0xb3) : QColor(0x59, 0x62, 0x6e);
    const QColor off = dark ? QColor(0x74, 0x7b, 0x84) : QColor(0x93, 0x9a, 0xa4);
    const QColor accent = dark ? QColor(0x4c, 0x8d, 0xd6) : QColor(0x1f, 0x64, 0xb5);
    QPalette palette(dark ? QColor(0x2b, 0x2f, 0x35) : QColor(0xe9, 0xeb, 0xee), window);
    palette.setColor(QPalette::Base, base);
    palette.setColor(QPalette::AlternateBase, dark ? QColor(0x1c, 0x1f, 0x23) : QColor(0xf8, 0xf9, 0xfa));
    palette.setColor(QPalette::ToolTipBase, dark ? QColor(0x2b, 0x2f, 0x35) : QColor(0xff, 0xff, 0xff));
    palette.setColor(QPalette::ToolTipText, text);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(role, text);
        palette.setColor(QPalette::Disabled, role, off);
    }
    palette.setColor(QPalette::PlaceholderText, quiet);
    palette.setColor(QPalette::Highlight, accent);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, off);
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Accent, accent);
    palette.setColor(QPalette::Link, dark ? QColor(0x7f, 0xb4, 0xee) : accent);
    return palette;
}

/// Fusion draws the outline of boxes and fields darker than the window, which nobody sees on a dark one: here it has 3
/// to 1 on both.
class OutlinedStyle : public QProxyStyle
{
public:
    OutlinedStyle()
        : QProxyStyle(u"Fusion"_s)
    {
    }

    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override
    {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        const bool box = element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck;
        const bool field = element == PE_FrameLineEdit && !(option->state & State_HasFocus);
        if (!box && !field)
            return;
        const QColor base = option->palette.color(QPalette::Base);
        if (!isDark(base))
            return;
        QColor line = legible(mix(base, option->palette.color(QPalette::Active, QPalette::Text), 0.3), base, 3);
        if (!(option->state & State_Enabled))
            line.setAlphaF(0.5F);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(line);
        painter->setBrush(Qt::NoBrush);
        // Where Fusion has them: a box is drawn one pixel into its rectangle.
        const QRectF rect = box ? QRectF(option->rect).adjusted(1.5, 1.5, -1.5, -1.5)
                                : QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5);
        painter->drawRoundedRect(rect, 2, 2);
        painter->restore();
    }
};

} // namespace

std::optional<Appearance> appearanceFrom(const QString &word)
{
    for (const Appearance appearance : {Appearance::Desktop, Appearance::Light, Appearance::Dark}) {
        if (toString(appearance) == word)
            return appearance;
    }
    return std::nullopt;
}

QString toString(Appearance appearance)
{
    switch (appearance) {
    case Appearance::Desktop: return u"desktop"_s;
    case Appearance::Light: return u"light"_s;
    case Appearance::Dark: return u"dark"_s;
    }
    Q_UNREACHABLE_RETURN({});
}

void apply(Appearance appearance)
{
    // Fusion alone paints every control from the palette on every desktop; the others mix in their own colours.
    QApplication::setStyle(new OutlinedStyle);
    const bool dark =
        appearance == Appearance::Dark ||
        (appearance == Appearance::Desktop && QGuiApplication::styleHints()->colorScheme() == Qt::ColorScheme::Dark);
    QApplication::setPalette(paletteOf(dark));
}

} // namespace tmx
