// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/grid/CellDelegate.h"

#include "model/matrix/MatrixPart.h"
#include "model/matrix/MatrixRoles.h"
#include "views/grid/CellLook.h"
#include "views/grid/FittedText.h"
#include "views/theme/Colors.h"
#include "views/theme/Theme.h"

#include <QCache>
#include <QPainter>
#include <QPixmap>

#include <algorithm>
#include <map>
#include <ranges>

namespace tmx {

namespace {

constexpr double cellGap = 2; // between tile and cell
constexpr double cellRadius = 4;
constexpr double cellMargin = 6;  // between tile and its words
constexpr double cellSpacing = 5; // between glyph and word
constexpr double cellLineGap = 2; // between the two lines

double glyphSide(const QFontMetricsF &metrics)
{
    return std::round(metrics.ascent() * 0.95);
}

constexpr double markGap = 1;

/// Side of the glyph in a mark: as high as the small font, since rows are two lines high.
double markSide(const QFontMetricsF &small)
{
    return std::round(small.ascent() * 1.05);
}

/// The area for a cell's marks, inside the rings of selection and focus.
QRectF marksOf(const QRectF &cell)
{
    return cell.adjusted(cellGap + 2, cellGap + 2, -cellGap - 2, -cellGap - 2);
}

/// Places of `count` marks in a tile, in as few rows as possible; empty if they do not fit.
QList<QRectF> markPlaces(const QRectF &tile, qsizetype count, const QFont &font)
{
    const double least = markSide(QFontMetricsF(smallFont(font))) + 2;
    const auto most = qsizetype((tile.width() + markGap) / (least + markGap));
    if (most < 1)
        return {};
    const qsizetype rows = (count + most - 1) / most;
    const qsizetype columns = (count + rows - 1) / rows;
    const double width = (tile.width() + markGap) / double(columns), height = (tile.height() + markGap) / double(rows);
    if (height < least + markGap)
        return {};
    QList<QRectF> places;
    for (qsizetype i = 0; i < count; ++i)
        places.append(QRectF(tile.x() + double(i % columns) * width, tile.y() + double(i / columns) * height,
                             width - markGap, height - markGap));
    return places;
}

/// The colour of a sign's glyph on the tile of another one.
QColor inkOn(const RecipeStyle &tile, const Theme &theme, const Sign &mark)
{
    const bool failed = mark == Sign(BuildState::Phase::Failed);
    return legible(failed ? theme.sign(mark).fill : theme.sign(mark).accent, tile.fill, 3);
}

constexpr QStyle::State shownState = QStyle::State_Selected | QStyle::State_HasFocus | QStyle::State_MouseOver;

constexpr qsizetype mostPictureBytes = 8 << 20; // as much as a window of 1920 x 1080

struct PictureKey {
    CellLook look;
    QStyle::State state;
    QSize size; ///< in the device's pixels
    bool operator==(const PictureKey &) const = default;
};

size_t qHash(const PictureKey &key, size_t seed)
{
    return qHashMulti(seed, key.look, int(key.state), key.size.width(), key.size.height());
}

} // namespace

/// The pictures painted last, of one palette, font and scale.
class CellDelegate::Pictures
{
public:
    /// Forgets all pictures if others are asked for now.
    void follow(const QPalette &palette, const QFont &font, double scale)
    {
        if (palette.cacheKey() == m_palette && scale == m_scale && font == m_font)
            return;
        m_palette = palette.cacheKey();
        m_font = font;
        m_scale = scale;
        m_kept.clear();
    }

    template <typename Paint>
    QPixmap of(const PictureKey &key, const Paint &paint)
    {
        if (const QPixmap *kept = m_kept.object(key))
            return *kept;
        QPixmap picture(key.size);
        picture.setDevicePixelRatio(m_scale);
        QPainter painter(&picture);
        paint(painter);
        painter.end();
        m_kept.insert(key, new QPixmap(picture), qsizetype(key.size.width()) * key.size.height() * picture.depth() / 8);
        return picture;
    }

private:
    QCache<PictureKey, QPixmap> m_kept{mostPictureBytes};
    qint64 m_palette = 0;
    QFont m_font;
    double m_scale = 0;
};

CellDelegate::CellDelegate(QObject *parent)
    : QStyledItemDelegate(parent)
    , m_pictures(std::make_unique<Pictures>())
{
}

CellDelegate::~CellDelegate() = default;

void CellDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const CellLook look = CellLook::of(index);
    const QTransform toDevice = painter->deviceTransform();
    const QRectF place = toDevice.mapRect(QRectF(option.rect));
    const bool onWholePixels = toDevice.type() <= QTransform::TxScale && toDevice.m11() == toDevice.m22() &&
                               toDevice.m11() > 0 && QRectF(place.toRect()) == place;
    if (!onWholePixels || place.isEmpty()) {
        painter->save();
        paintCell(*painter, option, look);
        painter->restore();
        return;
    }
    m_pictures->follow(option.palette, option.font, toDevice.m11());
    const PictureKey key{look, option.state & shownState, place.size().toSize()};
    painter->drawPixmap(option.rect.topLeft(), m_pictures->of(key, [&](QPainter &picture) {
        QStyleOptionViewItem atOrigin = option;
        atOrigin.rect.moveTo(0, 0);
        paintCell(picture, atOrigin, look);
    }));
}

void CellDelegate::paintCell(QPainter &painter, const QStyleOptionViewItem &option, const CellLook &look) const
{
    const Theme &theme = Theme::current(option.palette);
    const QRectF cell = QRectF(option.rect);
    const QRectF tile = cell.adjusted(cellGap, cellGap, -cellGap, -cellGap);

    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(option.rect);
    painter.fillRect(option.rect, theme.base);
    if (option.state & QStyle::State_Selected) {
        QColor behind = theme.selection;
        behind.setAlphaF(0.30F);
        painter.fillRect(option.rect, behind);
    }
    if (look.dimmed)
        painter.setOpacity(0.35);
    if (look.parts.isEmpty() && !look.elsewhere) {
        const RecipeStyle &none = theme.recipe(RecipeState::Unsupported);
        painter.fillRect(tile, QBrush(theme.hatch, Qt::BDiagPattern));
        drawGlyph(painter, none.glyph, QRectF(tile.center() - QPointF(6, 6), QSizeF(12, 12)), none.accent);
    } else if (look.parts.size() > 1) {
        paintParts(painter, marksOf(cell), option, theme, look.parts);
    } else if (look.parts.size() == 1) {
        const LensFace &face = look.parts.constFirst().face;
        paintTile(painter, tile, theme.sign(face.sign), option.state & QStyle::State_MouseOver);
        paintFace(painter, tile.adjusted(cellMargin, 0, -cellMargin, 0), option, theme, face);
    }
    painter.setOpacity(1);
    painter.setBrush(Qt::NoBrush);
    if (option.state & QStyle::State_Selected) {
        painter.setPen(QPen(theme.selection, 2));
        painter.drawRoundedRect(tile, cellRadius, cellRadius);
    }
    if (option.state & QStyle::State_HasFocus) {
        painter.setPen(QPen(theme.text, 2));
        painter.drawRoundedRect(tile, cellRadius, cellRadius);
    }
}

int CellDelegate::partAt(const QStyleOptionViewItem &option, const QModelIndex &index, const QPointF &position)
{
    const qsizetype count = index.data(PartsRole).value<QList<MatrixPart>>().size();
    if (count < 2)
        return -1;
    const QList<QRectF> places = markPlaces(marksOf(option.rect), count, option.font);
    const auto place = std::ranges::find_if(places, [&position](const QRectF &one) { return one.contains(position); });
    return place == places.end() ? -1 : int(place - places.begin());
}

void CellDelegate::paintParts(QPainter &painter, const QRectF &tile, const QStyleOptionViewItem &option,
                              const Theme &theme, const QList<MatrixPart> &parts) const
{
    const QList<QRectF> places = markPlaces(tile, parts.size(), option.font);
    if (places.isEmpty())
        return paintCounts(painter, tile, option, theme, parts);
    // If all parts are filtered out, the cell itself is dimmed already.
    const bool cellDimmed = std::ranges::all_of(parts, &MatrixPart::dimmed);
    const double opacity = painter.opacity();
    for (qsizetype i = 0; i < parts.size(); ++i) {
        painter.setOpacity(parts.at(i).dimmed && !cellDimmed ? opacity * 0.35 : opacity);
        paintMark(painter, places.at(i), smallFont(option.font), theme, parts.at(i));
    }
    painter.setOpacity(opacity);
}

void CellDelegate::paintMark(QPainter &painter, const QRectF &place, const QFont &font, const Theme &theme,
                             const MatrixPart &part) const
{
    const QFontMetricsF metrics(font);
    const double side = markSide(metrics);
    const RecipeStyle &shown = part.possible() ? theme.sign(part.face.sign) : theme.recipe(RecipeState::Unsupported);
    if (part.possible())
        paintTile(painter, place, shown, false);
    else
        painter.fillRect(place, QBrush(theme.hatch, Qt::BDiagPattern));

    QList<std::pair<Glyph, QColor>> signs{{shown.glyph, shown.accent}};
    for (const Sign &mark : part.face.marks)
        signs.append({theme.sign(mark).glyph, inkOn(shown, theme, mark)});
    const auto abreast = std::max<qsizetype>(qsizetype((place.width() + 1) / (side + 3)), 1);
    const bool two = place.height() >= side + metrics.height();
    const bool label = part.possible() && two && fits(part.label, font, place.width() - 2);
    if (label && signs.size() > abreast)
        signs.remove(0, signs.size() - abreast); // the tile has the first one's colour
    // One line of signs and one for the label, or two lines of signs; the tooltip has what does not fit.
    const qsizetype lines = two && !label && signs.size() > abreast ? 2 : 1;
    const double lineHeight = place.height() / double(label ? 2 : lines);
    const auto drawLine = [&](qsizetype first, qsizetype count, double top) {
        double x = place.center().x() - (double(count) * (side + 3) - 3) / 2;
        for (qsizetype i = first; i < first + count; ++i, x += side + 3)
            drawGlyph(painter, signs.at(i).first, QRectF(x, top + (lineHeight - side) / 2, side, side),
                      signs.at(i).second);
    };
    const qsizetype inFirst = lines == 2 ? 1 : std::min(signs.size(), abreast);
    drawLine(0, inFirst, place.y());
    if (lines == 2)
        drawLine(1, std::min(signs.size() - 1, abreast), place.y() + lineHeight);
    if (label) {
        painter.setPen(shown.text);
        drawFitted(painter, QRectF(place.x() + 1, place.y() + lineHeight - 1, place.width() - 2, lineHeight),
                   Qt::AlignCenter, part.label, font);
    }
}

void CellDelegate::paintCounts(QPainter &painter, const QRectF &tile, const QStyleOptionViewItem &option,
                               const Theme &theme, const QList<MatrixPart> &parts) const
{
    const QFont font = smallFont(option.font);
    const QFontMetricsF metrics(font);
    const double side = markSide(metrics);
    QRectF place(tile.x() + 2, tile.y(), 0, std::max(side, metrics.height()));
    std::map<Sign, int> counts;
    for (const MatrixPart &part : parts) {
        if (part.possible())
            ++counts[part.face.sign];
    }
    // The order of signs ends with those that need work; here they come first.
    for (const auto &[sign, count] : std::views::reverse(counts)) {
        const QString number = QString::number(count);
        place.setWidth(side + 2 + metrics.horizontalAdvance(number));
        if (place.right() > tile.right() && place.x() > tile.x() + 2)
            place.moveTo(tile.x() + 2, place.bottom());
        if (place.bottom() > tile.bottom() + 1)
            return;
        drawGlyph(painter, theme.sign(sign).glyph, QRectF(place.x(), place.center().y() - side / 2, side, side),
                  theme.sign(sign).accent);
        painter.setPen(theme.text);
        drawFitted(painter, place.adjusted(side + 2, 0, 1, 0), Qt::AlignLeft | Qt::AlignVCenter, number, font);
        place.moveLeft(place.right() + cellSpacing);
    }
}

void CellDelegate::paintTile(QPainter &painter, const QRectF &tile, const RecipeStyle &style, bool hovered) const
{
    QColor frame = style.accent;
    frame.setAlphaF(hovered ? 1.0F : style.frame == RecipeStyle::Frame::Dashed ? 0.8F : 0.35F);
    QPen pen(frame, 1);
    if (style.frame == RecipeStyle::Frame::Dashed)
        pen.setDashPattern({3, 3});
    painter.setPen(style.frame == RecipeStyle::Frame::None && !hovered ? QPen(Qt::NoPen) : pen);
    painter.setBrush(style.fill);
    painter.drawRoundedRect(tile.adjusted(0.5, 0.5, -0.5, -0.5), cellRadius, cellRadius);
}

void CellDelegate::paintFace(QPainter &painter, const QRectF &tile, const QStyleOptionViewItem &option,
                             const Theme &theme, const LensFace &face) const
{
    const RecipeStyle &style = theme.sign(face.sign);
    const QFontMetricsF metrics(option.font), small(smallFont(option.font));
    const double side = glyphSide(metrics), mark = markSide(small);
    const double marks = double(face.marks.size()) * (mark + 2);
    // Without a word the detail takes its place, if it fits there.
    const QFont font = smallFont(option.font);
    const double room = tile.width() - side - cellSpacing - (marks > 0 ? marks : 3 - cellMargin);
    const auto longest = [&](double width) {
        return std::ranges::find_if(face.details, [&](const QString &text) { return fits(text, font, width); });
    };
    auto detail = face.word.isEmpty() ? longest(room) : face.details.end();
    const bool instead = detail != face.details.end();
    if (!instead)
        detail = longest(tile.width() + cellMargin - 4);
    const bool two = face.percent >= 0 || (!instead && detail != face.details.end());
    const double top = tile.center().y() - (metrics.height() + (two ? cellLineGap + small.height() : 0)) / 2;
    const QRectF first(tile.x(), top, tile.width(), metrics.height());
    const QRectF second(tile.x(), first.bottom() + cellLineGap, tile.width(), small.height());
    drawGlyph(painter, style.glyph, QRectF(first.x(), first.center().y() - side / 2, side, side), style.accent);
    double x = first.right() - marks + 2;
    for (const Sign &one : face.marks) {
        drawGlyph(painter, theme.sign(one).glyph, QRectF(x, first.center().y() - mark / 2, mark, mark),
                  inkOn(style, theme, one));
        x += mark + 2;
    }
    painter.setPen(style.text);
    const QRectF place(first.x() + side + cellSpacing, first.y(), room, first.height());
    if (instead)
        drawFitted(painter, place, Qt::AlignLeft | Qt::AlignVCenter, *detail, font);
    else if (const QString word = fits(face.word, option.font, room) ? face.word : face.shortWord;
             fits(word, option.font, room))
        drawFitted(painter, place, Qt::AlignLeft | Qt::AlignVCenter, word, option.font);
    if (face.percent >= 0)
        paintBar(painter, second, option, theme, face);
    else if (two)
        drawFitted(painter, second.adjusted(0, 0, cellMargin - 4, 0), Qt::AlignLeft | Qt::AlignVCenter, *detail, font);
}

void CellDelegate::paintBar(QPainter &painter, const QRectF &line, const QStyleOptionViewItem &option,
                            const Theme &theme, const LensFace &face) const
{
    const QFont font = smallFont(option.font);
    const double textWidth = QFontMetricsF(font).horizontalAdvance(QStringLiteral("100 %"));
    const QRectF bar(line.x(), line.center().y() - 3, std::max(line.width() - textWidth - cellSpacing, 12.0), 6);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.barTrack);
    painter.drawRoundedRect(bar, 3, 3);
    painter.setBrush(theme.build(BuildState::Phase::Running).fill);
    painter.drawRoundedRect(
        QRectF(bar.topLeft(), QSizeF(std::max(bar.width() * face.percent / 100, 6.0), bar.height())), 3, 3);
    painter.setPen(theme.sign(face.sign).text);
    drawFitted(painter, QRectF(bar.right(), line.y(), line.right() - bar.right(), line.height()),
               Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("%1 %").arg(face.percent), font);
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const
{
    const QFontMetricsF metrics(option.font), small(smallFont(option.font));
    const double number = std::round(small.ascent()) + 2 + small.horizontalAdvance(QStringLiteral("99"));
    const double height = metrics.height() + cellLineGap + small.height() + 2 * cellGap + 6;
    return {int(std::ceil(std::max(glyphSide(metrics), number) + 2 * cellMargin + 2 * cellGap)),
            int(std::ceil(height))};
}

} // namespace tmx
