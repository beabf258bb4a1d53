// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/window/Appearance.h"

#include "views/theme/Colors.h"
#include "views/theme/Glyphs.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QDockWidget>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QPointer>
#include <QProxyStyle>
#include <QStyleHints>
#include <QStyleOption>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// White on black; focus and selection are cyan.
QPalette highContrast()
{
    const QColor accent(0x1a, 0xeb, 0xff);
    QPalette palette(Qt::black, Qt::black);
    palette.setColor(QPalette::Base, Qt::black);
    palette.setColor(QPalette::AlternateBase, Qt::black);
    palette.setColor(QPalette::ToolTipBase, Qt::black);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText}) {
        palette.setColor(role, Qt::white);
        palette.setColor(QPalette::Disabled, role, QColor(0xa6, 0xa6, 0xa6));
    }
    palette.setColor(QPalette::PlaceholderText, QColor(0xb3, 0xb3, 0xb3)); // not the colour of what was entered
    palette.setColor(QPalette::Highlight, accent);
    palette.setColor(QPalette::HighlightedText, Qt::black);
    palette.setColor(QPalette::Accent, accent);
    palette.setColor(QPalette::Link, Qt::yellow);
    return palette;
}

/// The roles that the views use; Qt derives the rest from button and window.
QPalette paletteOf(bool dark)
{
    const QColor window = dark ? QColor(0x1f, 0x22, 0x26) : QColor(0xf4, 0xf5, 0xf7);
    const QColor base = dark ? QColor(0x17, 0x19, 0x1c) : QColor(0xff, 0xff, 0xff);
    const QColor text = dark ? QColor(0xe7, 0xe9, 0xec) : QColor(0x1b, 0x1e, 0x23);
    const QColor quiet = dark ? QColor(0xa3, 0xaa, 0xb3) : QColor(0x59, 0x62, 0x6e);
    const QColor off = dark ? QColor(0x74, 0x7b, 0x84) : QColor(0x93, 0x9a, 0xa4);
    const QColor accent = dark ? QColor(0x32, 0x73, 0xbd) : QColor(0x1f, 0x64, 0xb5);
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

/// Marks the focus: two pixels of the accent with a contrast of 3 to 1 to the background, which Fusion's own frame
/// lacks.
void drawRing(QPainter &painter, const QRect &rect, const QColor &color)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect).adjusted(1, 1, -1, -1), 2, 2);
    painter.restore();
}

void drawRing(QPainter &painter, const QRect &rect, const QPalette &palette, const QColor &behind)
{
    drawRing(painter, rect, legible(palette.color(QPalette::Active, QPalette::Highlight), behind, 3));
}

/// A ring around a whole text or list: their own mark may be a caret or a row that is out of view.
class FocusRing : public QWidget
{
public:
    explicit FocusRing(QWidget *area)
        : QWidget(area)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setGeometry(area->rect());
        area->installEventFilter(this);
        show();
        raise();
    }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::Resize)
            setGeometry(parentWidget()->rect());
        return QWidget::eventFilter(watched, event);
    }
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        drawRing(painter, rect(), palette(), palette().color(QPalette::Base));
    }
};

/// Moves the ring with the focus in all windows.
void followFocus()
{
    static QPointer<QObject> follower; // deleted with the application
    if (follower)
        return;
    follower = new QObject(qApp);
    QObject::connect(
        qApp, &QApplication::focusChanged, follower, [ring = QPointer<FocusRing>()](QWidget *, QWidget *now) mutable {
            delete ring;
            if (qobject_cast<QAbstractScrollArea *>(now) && now->window()->testAttribute(Qt::WA_KeyboardFocusChange))
                ring = new FocusRing(now);
        });
}

/// A glyph in the colour that text has when it is painted: widgets keep their icons when the appearance changes.
class GlyphIcon : public QIconEngine
{
public:
    explicit GlyphIcon(Glyph glyph)
        : m_glyph(glyph)
    {
    }

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode, QIcon::State) override
    {
        drawGlyph(*painter, m_glyph, QRectF(rect).adjusted(1, 1, -1, -1),
                  QGuiApplication::palette().color(QPalette::Text));
    }
    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap picture(size);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return picture;
    }
    [[nodiscard]] QIconEngine *clone() const override { return new GlyphIcon(*this); }

private:
    Glyph m_glyph;
};

/// Fusion draws outlines darker than the window, which is invisible on dark palettes. Here boxes and fields have
/// outlines of 3 to 1 on light and dark; with high contrast, buttons and combo boxes have them too.
class OutlinedStyle : public QProxyStyle
{
public:
    OutlinedStyle()
        : QProxyStyle(u"Fusion"_s)
    {
    }

    /// A dock reads the icons of its title bar's buttons again and again, and the docks here have no such bar. Qt's
    /// other icons are files of one colour, and the first one loads every plugin for images.
    QIcon standardIcon(StandardPixmap icon, const QStyleOption *option, const QWidget *widget) const override
    {
        if (qobject_cast<const QDockWidget *>(widget))
            return {};
        if (icon == SP_ToolBarHorizontalExtensionButton || icon == SP_LineEditClearButton)
            return QIcon(new GlyphIcon(icon == SP_LineEditClearButton ? Glyph::Cross : Glyph::More));
        return QProxyStyle::standardIcon(icon, option, widget);
    }

    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override
    {
        if (element == PE_FrameFocusRect) {
            const auto *focus = qstyleoption_cast<const QStyleOptionFocusRect *>(option);
            if (option->state & State_KeyboardFocusChange)
                drawRing(*painter, option->rect, option->palette,
                         focus && focus->backgroundColor.isValid() ? focus->backgroundColor
                                                                   : option->palette.color(QPalette::Window));
            return;
        }
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        const bool box = element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck;
        const bool field = element == PE_FrameLineEdit && !(option->state & State_HasFocus);
        const bool button = element == PE_PanelButtonCommand && isBlack(option) && !(option->state & State_HasFocus);
        if (element == PE_FrameLineEdit && (option->state & State_HasFocus))
            drawRing(*painter, option->rect, option->palette, option->palette.color(QPalette::Window));
        if (box || field || button)
            outline(option, painter, box ? 1.5 : 0.5);
    }

    void drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                     const QWidget *widget) const override
    {
        QProxyStyle::drawControl(element, option, painter, widget);
        const QColor text = option->palette.color(QPalette::ButtonText);
        if (element == CE_TabBarTabLabel && hasKeyboard(option))
            drawRing(*painter, option->rect.adjusted(2, 3, -2, -1), text);
        if (element == CE_PushButton && hasKeyboard(option))
            drawRing(*painter, option->rect.adjusted(2, 2, -2, -2), text);
    }

    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                            const QWidget *widget) const override
    {
        QProxyStyle::drawComplexControl(control, option, painter, widget);
        const bool field = control == CC_ComboBox || control == CC_SpinBox;
        if (control == CC_ComboBox && hasKeyboard(option))
            drawRing(*painter, option->rect, option->palette, option->palette.color(QPalette::Window));
        if (field && isBlack(option) && !(option->state & State_HasFocus))
            outline(option, painter, 0.5);
    }

private:
    static bool hasKeyboard(const QStyleOption *option)
    {
        return (option->state & State_HasFocus) && (option->state & State_KeyboardFocusChange);
    }
    static bool isBlack(const QStyleOption *option) { return option->palette.color(QPalette::Window) == Qt::black; }

    static void outline(const QStyleOption *option, QPainter *painter, double inset)
    {
        const QColor base = option->palette.color(QPalette::Base);
        if (!isDark(base))
            return;
        QColor line = legible(mix(base, option->palette.color(QPalette::Active, QPalette::Text), 0.3), base, 3);
        if (isBlack(option))
            line = option->palette.color(QPalette::Active, QPalette::Text);
        if (!(option->state & State_Enabled))
            line.setAlphaF(0.5F);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(line);
        painter->setBrush(Qt::NoBrush);
        // At Fusion's place: it draws a box one pixel inside its rectangle.
        painter->drawRoundedRect(QRectF(option->rect).adjusted(inset, inset, -inset, -inset), 2, 2);
        painter->restore();
    }
};

} // namespace

std::optional<Appearance> appearanceFrom(const QString &word)
{
    for (const Appearance appearance :
         {Appearance::Desktop, Appearance::Light, Appearance::Dark, Appearance::HighContrast}) {
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
    case Appearance::HighContrast: return u"contrast"_s;
    }
    Q_UNREACHABLE_RETURN({});
}

void apply(Appearance appearance)
{
    followFocus();
    // Only Fusion paints every control from the palette on every desktop; other styles mix in their own colours.
    QApplication::setStyle(new OutlinedStyle);
    const bool dark =
        appearance == Appearance::Dark ||
        (appearance == Appearance::Desktop && QGuiApplication::styleHints()->colorScheme() == Qt::ColorScheme::Dark);
    QApplication::setPalette(appearance == Appearance::HighContrast ? highContrast() : paletteOf(dark));
}

} // namespace tmx
