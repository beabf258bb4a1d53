// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/theme/Glyphs.h"

#include <QHash>
#include <QPainter>
#include <QPainterPath>

namespace tmx {

namespace {

/// Strokes and fills in a 16 by 16 box. A path is a list of letters with numbers: M and L to a point, B a Bézier curve
/// to a point, Z back to the beginning; O a circle (centre, radius), R a square with round corners (left and top, side,
/// radius), A an arc (left and top, side, from, degrees), P the same as a piece of a pie.
struct Drawing {
    Glyph glyph;
    const char *stroke;
    const char *fill = "";
    double width = 2;
};

struct Paths {
    QPainterPath stroke, fill;
    double width;
};

constexpr Drawing drawings[] = {
    {Glyph::Check, "M 2.5 8.5 L 6.3 12.2 L 13.5 4"},
    {Glyph::Page, "M 3.4 2 L 9.4 2 L 12.6 5.2 L 12.6 14 L 3.4 14 Z M 6 8 L 10 8 M 6 11 L 10 11", "", 1.5},
    {Glyph::Pencil, "", "M 2 14 L 2.9 10.2 L 10.4 2.7 L 13.3 5.6 L 5.8 13.1 Z"},
    {Glyph::Delta, "O 8 8 5.6", "P 2.4 2.4 11.2 90 -180", 1.6},
    {Glyph::Plus, "M 8 2.5 L 8 13.5 M 2.5 8 L 13.5 8"},
    {Glyph::Ring, "O 8 8 5.4", "", 1.6},
    {Glyph::Box, "R 3 3 10 1.5", "", 1.6},
    {Glyph::Cross, "M 3.5 3.5 L 12.5 12.5 M 12.5 3.5 L 3.5 12.5"},
    {Glyph::BadPage, "M 3.4 2 L 9.4 2 L 12.6 5.2 L 12.6 14 L 3.4 14 Z M 6 7 L 10 11 M 10 7 L 6 11", "", 1.5},
    {Glyph::CrossOver, "M 4 2 L 12 10 M 12 2 L 4 10 M 3 13.8 L 13 13.8"},
    {Glyph::Twins, "R 2.2 2.2 8.4 1.5", "R 6.2 6.2 8.2 1.5", 1.5},
    {Glyph::Team, "", "O 5.2 5.4 2.6 O 11.2 5.4 2.2 P 0.8 8.8 8.8 0 180 P 8.6 9.5 7.4 0 180"},
    {Glyph::Dot, "", "O 8 8 2"},
    {Glyph::Dash, "M 4.5 8 L 11.5 8", "", 1.6},
    {Glyph::Forbidden, "O 8 8 5.6 M 4 12 L 12 4", "", 1.8},
    {Glyph::Clock, "O 8 8 5.8 M 8 4.6 L 8 8.3 L 10.6 9.6", "", 1.6},
    {Glyph::Bars, "M 2 4 L 8 4 M 5 8 L 11 8 M 9 12 L 14 12", "", 2.2},
    {Glyph::Play, "", "M 4.5 2.8 L 13 8 L 4.5 13.2 Z"},
    {Glyph::Stop, "", "R 3.6 3.6 8.8 1.2"},
    {Glyph::Reload, "A 2.8 2.8 10.4 20 300", "M 10.2 6.9 L 15.2 7.4 L 13.4 2.6 Z", 1.7},
    {Glyph::Up, "M 8 13.5 L 8 3.2 M 3.6 7.4 L 8 3 L 12.4 7.4"},
    {Glyph::Target, "O 8 8 5.8", "O 8 8 2.7", 1.7},
    {Glyph::Wave, "M 2 9.6 B 4.2 4.4 6.4 4.4 8 8 B 9.6 11.6 11.8 11.6 14 6.4"},
    {Glyph::Error, "O 8 8 6.2 M 5.6 5.6 L 10.4 10.4 M 10.4 5.6 L 5.6 10.4", "", 1.8},
    {Glyph::Warning, "M 8 2 L 14.4 13.4 L 1.6 13.4 Z M 8 6.4 L 8 9.2", "O 8 11.4 1.05", 1.6},
    {Glyph::Note, "O 8 8 6.2 M 8 7.6 L 8 11.2", "O 8 4.9 1.15", 1.6},
    {Glyph::Same, "M 3 4 L 13 4 M 3 8 L 13 8 M 3 12 L 13 12"},
    {Glyph::Equal, "M 3 5.5 L 13 5.5 M 3 10.5 L 13 10.5"},
    {Glyph::Similar,
     "M 2.5 6.7 B 5 2.9 6.6 4.3 8 5.5 B 9.4 6.7 11 8.1 13.5 4.3 M 2.5 11.7 B 5 7.9 6.6 9.3 8 10.5 B 9.4 11.7 11 13.1 "
     "13.5 9.3",
     "", 1.8},
    {Glyph::More, "M 3.5 4 L 7.5 8 L 3.5 12 M 8.5 4 L 12.5 8 L 8.5 12"},
    {Glyph::NotEqual, "M 3 5.5 L 13 5.5 M 3 10.5 L 13 10.5 M 11 2 L 5 14"},
    {Glyph::Outside, "O 8 8 5.6 M 5.4 8 L 10.6 8", "", 1.5},
};
static_assert(std::size(drawings) == size_t(Glyph::Outside) + 1);

QPainterPath pathOf(const char *text)
{
    QPainterPath path;
    QList<QByteArray> words = QByteArray(text).split(' ');
    const auto next = [&words] { return words.takeFirst().toDouble(); };
    const auto point = [&next] {
        const double x = next();
        return QPointF(x, next());
    };
    while (words.size() > 1 || words.value(0) == "Z") {
        const char letter = words.takeFirst().at(0);
        const QPointF at = letter == 'Z' ? QPointF() : point();
        const double size = letter == 'O' || letter == 'R' || letter == 'A' || letter == 'P' ? next() : 0;
        const QRectF box(at, QSizeF(size, size));
        switch (letter) {
        case 'M': path.moveTo(at); break;
        case 'L': path.lineTo(at); break;
        case 'Z': path.closeSubpath(); break;
        case 'O': path.addEllipse(at, size, size); break;
        case 'R': {
            const double radius = next();
            path.addRoundedRect(box, radius, radius);
            break;
        }
        case 'B': {
            const QPointF second = point();
            path.cubicTo(at, second, point());
            break;
        }
        default: {
            const double from = next();
            path.arcMoveTo(box, from);
            path.arcTo(box, from, next());
            if (letter == 'P')
                path.closeSubpath();
        }
        }
    }
    return path;
}

} // namespace

void drawGlyph(QPainter &painter, Glyph glyph, const QRectF &rect, const QColor &color)
{
    const double side = std::min(rect.width(), rect.height());
    static const QHash<Glyph, Paths> all = [] { // Thousands of cells have the same ones.
        QHash<Glyph, Paths> parsed;
        for (const Drawing &one : drawings)
            parsed.insert(one.glyph, {pathOf(one.stroke), pathOf(one.fill), one.width});
        return parsed;
    }();
    const Paths &drawing = *all.constFind(glyph);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(rect.center() - QPointF(side, side) / 2);
    painter.scale(side / 16, side / 16);
    painter.fillPath(drawing.fill, color);
    painter.strokePath(drawing.stroke, QPen(color, drawing.width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.restore();
}

} // namespace tmx
