// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/compare/ComparisonStyle.h"

#include "views/theme/Colors.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace tmx {

namespace {

constexpr double bestPip = 15;
constexpr double pipGap = 2;
constexpr double leastLettered = 10; // letters are unreadable below this size

/// Fill of the group's squares. The first group has the quietest colour, because most cells have only that one.
QColor groupColor(int group, const Theme &theme)
{
    static constexpr std::array light{0xff6b7480, 0xffa35f00, 0xff7a3fb0, 0xff0c7486, 0xffb02a5b, 0xff3f6d1c};
    static constexpr std::array dark{0xff9aa4b1, 0xffe0a92e, 0xffc08aea, 0xff3fbccf, 0xfff080a8, 0xff9ccc65};
    const auto &colors = theme.dark() ? dark : light;
    return QColor::fromRgb(QRgb(colors[size_t(group) % colors.size()]));
}

} // namespace

RecipeStyle likenessStyle(Likeness likeness, const Theme &theme)
{
    RecipeStyle style;
    switch (likeness) {
    case Likeness::Identical:
        style = theme.recipe(RecipeState::Current);
        style.glyph = Glyph::Same;
        break;
    case Likeness::Equal:
        style = theme.recipe(RecipeState::Current);
        style.glyph = Glyph::Equal;
        break;
    case Likeness::SameBuild: style = theme.recipe(RecipeState::Equivalent); break;
    case Likeness::Alike:
        style = theme.recipe(RecipeState::Equivalent);
        style.glyph = Glyph::Wave;
        break;
    case Likeness::Different:
        style = theme.recipe(RecipeState::Modified);
        style.glyph = Glyph::NotEqual;
        break;
    case Likeness::Alone:
        style = theme.recipe(RecipeState::Duplicate);
        style.glyph = Glyph::Plus;
        break;
    }
    style.accent = legible(style.accent, style.fill); // a glyph may be all that a cell has
    return style;
}

void drawSide(QPainter &painter, const QRectF &square, int side, bool there, const Theme &theme, const QFont &font)
{
    QFont digits = font;
    digits.setBold(true);
    digits.setPixelSize(std::max(6, int(square.height() * 0.72)));
    painter.setFont(digits);
    if (there) {
        const QColor fill = groupColor(side, theme);
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawRoundedRect(square, 3, 3);
        painter.setPen(isDark(fill) ? Qt::white : Qt::black);
    } else {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.quietText, 1, Qt::DotLine));
        painter.drawRoundedRect(square.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        painter.setPen(theme.text);
    }
    if (side >= 0)
        painter.drawText(square, Qt::AlignCenter, QString::number(side + 1));
    painter.setFont(font);
}

double narrowestPips(qsizetype sides)
{
    return double(sides) * (leastLettered + pipGap) - pipGap;
}

void drawPips(QPainter &painter, const QRectF &place, const QList<int> &groups, const Theme &theme, const QFont &font)
{
    if (groups.isEmpty())
        return;
    const double side =
        std::clamp((place.width() + pipGap) / double(groups.size()) - pipGap, 3.0, std::min(bestPip, place.height()));
    QFont letters = font;
    letters.setBold(true);
    letters.setPixelSize(std::max(6, int(side * 0.72)));
    painter.setFont(letters);
    double x = place.x();
    for (const int group : groups) {
        const QRectF pip(x, place.center().y() - side / 2, side, side);
        x += side + pipGap;
        if (group < 0) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(theme.quietText, 1, Qt::DotLine));
            painter.drawRoundedRect(pip.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
            continue;
        }
        const QColor fill = groupColor(group, theme);
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawRoundedRect(pip, 3, 3);
        if (side < leastLettered)
            continue;
        painter.setPen(isDark(fill) ? Qt::white : Qt::black);
        painter.drawText(pip, Qt::AlignCenter, QString(QChar(u'A' + group % 26)));
    }
}

} // namespace tmx
