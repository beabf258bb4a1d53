// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/compare/ComparisonDelegate.h"

#include "model/matrix/ComparisonModel.h"
#include "model/matrix/MatrixRoles.h"
#include "views/compare/ComparisonStyle.h"
#include "views/grid/FittedText.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tmx {

namespace {

constexpr double comparisonGap = 1.5;
constexpr double comparisonRadius = 4;
constexpr double comparisonMargin = 6;
constexpr double comparisonSpacing = 6;
constexpr double height = 30;

} // namespace

void ComparisonDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const Theme &theme = Theme::current(option.palette);
    const QRectF tile = QRectF(option.rect).adjusted(comparisonGap, comparisonGap, -comparisonGap, -comparisonGap);
    const QVariant likeness = index.data(LikenessRole);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setClipRect(option.rect);
    painter->fillRect(option.rect, theme.base);
    if (index.data(DimmedRole).toBool())
        painter->setOpacity(0.35);
    if (!likeness.isValid()) {
        drawGlyph(*painter, Glyph::Dot, QRectF(tile.center() - QPointF(5, 5), QSizeF(10, 10)), theme.line);
    } else {
        const RecipeStyle style = likenessStyle(Likeness(likeness.toInt()), theme);
        const bool hovered = option.state & QStyle::State_MouseOver;
        // The outline is dashed if a branch lacks the cell, even if the others have the same recipe.
        const bool everywhere = index.data(EverywhereRole).toBool();
        QColor frame = (everywhere ? style : likenessStyle(Likeness::Alone, theme)).accent;
        frame.setAlphaF(hovered || !everywhere ? 1.0F : 0.35F);
        QPen pen(frame, 1);
        if (!everywhere)
            pen.setDashPattern({3, 3});
        painter->setPen(pen);
        // What most cells have recedes, so that the others stand out: it has neither words nor tint.
        QString words = index.data(DeviationRole).toString();
        painter->setBrush(words.isEmpty() ? QBrush(Qt::NoBrush) : style.fill);
        painter->drawRoundedRect(tile.adjusted(0.5, 0.5, -0.5, -0.5), comparisonRadius, comparisonRadius);
        const double side = std::round(QFontMetricsF(option.font).ascent() * 0.95);
        drawGlyph(*painter, style.glyph, QRectF(tile.x() + comparisonMargin, tile.center().y() - side / 2, side, side),
                  style.accent);
        const QRectF rest = tile.adjusted(comparisonMargin + side + comparisonSpacing, 0, -comparisonMargin + 2, 0);
        const bool worded = !words.isEmpty();
        const bool isCut = Likeness(likeness.toInt()) == Likeness::Alone && !fits(words, option.font, rest.width());
        if (worded && (m_sides > 2 || isCut)) {
            paintSides(*painter, rest, index, style.text, option);
            words.clear();
        }
        // "different" instead of the facts if these would be cut.
        if (Likeness(likeness.toInt()) == Likeness::Different && !fits(words, option.font, rest.width()))
            words = likenessWord(Likeness::Different);
        painter->setPen(style.text);
        drawFitted(*painter, rest, Qt::AlignLeft | Qt::AlignVCenter, words, option.font);
    }
    painter->setOpacity(1);
    painter->setBrush(Qt::NoBrush);
    if (option.state & (QStyle::State_Selected | QStyle::State_HasFocus)) {
        painter->setPen(QPen(option.state & QStyle::State_HasFocus ? theme.text : theme.selection, 2));
        painter->drawRoundedRect(tile, comparisonRadius, comparisonRadius);
    }
    painter->restore();
}

/// "[2] differs", "[1] missing", "all differ"; of groups without an odd one a square each with the group's letter.
void ComparisonDelegate::paintSides(QPainter &painter, const QRectF &place, const QModelIndex &index,
                                    const QColor &text, const QStyleOptionViewItem &option) const
{
    const Theme &theme = Theme::current(option.palette);
    const auto likeness = Likeness(index.data(LikenessRole).toInt());
    const auto groups = index.data(GroupsRole).value<QList<int>>();
    const QList<int> odd = oddSides(groups);
    const auto held = groups.size() - groups.count(-1);
    const bool allDiffer = odd.isEmpty() && *std::ranges::max_element(groups) + 1 == held;
    if (likeness == Likeness::Different && odd.isEmpty() && !allDiffer) {
        drawPips(painter, place, groups, theme, option.font);
        return;
    }
    QList<int> shown = odd;
    QStringList words;
    if (likeness == Likeness::Alone) {
        shown = {int(std::ranges::find_if(groups, [](int group) { return group >= 0; }) - groups.begin())};
        words.append(tr("only", "a branch has it"));
    } else {
        for (int side = 0; side < groups.size(); ++side) {
            if (groups.at(side) < 0)
                shown.append(side);
        }
        const bool lacking = held < groups.size();
        if (likeness == Likeness::Different && odd.isEmpty())
            words = lacking ? QStringList{tr("missing, others differ", "on a branch"), tr("missing", "on a branch")}
                            : QStringList{tr("all differ", "branches")};
        else if (likeness == Likeness::Different && !lacking)
            words.append(odd.size() == 1 ? tr("differs", "a branch") : tr("differ", "branches"));
        else if (likeness != Likeness::Different)
            words.append(lacking ? tr("missing", "on a branch") : likenessWord(likeness));
        std::ranges::sort(shown);
    }
    const double side = std::min(sideSquare, place.height() - 2);
    double x = place.x();
    for (const int one : std::as_const(shown)) {
        if (x + side > place.right())
            break;
        drawSide(painter, QRectF(x, place.center().y() - side / 2, side, side), one, groups.at(one) >= 0, theme,
                 option.font);
        x += side + 2;
    }
    const QRectF rest(x + (shown.isEmpty() ? 0 : 3), place.y(), place.right() - x - (shown.isEmpty() ? 0 : 3),
                      place.height());
    painter.setPen(text);
    for (const QString &one : std::as_const(words)) {
        if (fits(one, option.font, rest.width())) {
            painter.setFont(option.font);
            drawFitted(painter, rest, Qt::AlignLeft | Qt::AlignVCenter, one, option.font);
            return;
        }
    }
}

QSize ComparisonDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const
{
    const QFontMetricsF metrics(option.font);
    const double side = std::round(metrics.ascent() * 0.95);
    const double content = std::min(narrowestPips(m_sides), 110.0);
    return {int(std::ceil(2 * comparisonGap + 2 * comparisonMargin + side + comparisonSpacing + content)),
            int(std::max(height, metrics.height() + 2 * comparisonGap + 8))};
}

} // namespace tmx
