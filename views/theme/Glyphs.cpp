// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/theme/Glyphs.h"

#include <QPainter>
#include <QPainterPath>

namespace tmx {

namespace {

/// Strokes and fills in a 16 by 16 box.
struct Drawing {
    QPainterPath stroke;
    QPainterPath fill;
    double width = 2;
};

void addLines(QPainterPath &path, std::initializer_list<QPointF> points)
{
    path.moveTo(*points.begin());
    for (auto it = points.begin() + 1; it != points.end(); ++it)
        path.lineTo(*it);
}

Drawing drawingOf(Glyph glyph)
{
    Drawing drawing;
    switch (glyph) {
    case Glyph::Check: addLines(drawing.stroke, {{2.5, 8.5}, {6.3, 12.2}, {13.5, 4}}); return drawing;
    case Glyph::Pencil:
        addLines(drawing.fill, {{2, 14}, {2.9, 10.2}, {10.4, 2.7}, {13.3, 5.6}, {5.8, 13.1}});
        drawing.fill.closeSubpath();
        return drawing;
    case Glyph::Delta:
        drawing.stroke.addEllipse(QPointF(8, 8), 5.6, 5.6);
        drawing.fill.moveTo(8, 2.4);
        drawing.fill.arcTo(QRectF(2.4, 2.4, 11.2, 11.2), 90, -180);
        drawing.fill.closeSubpath();
        drawing.width = 1.6;
        return drawing;
    case Glyph::Plus:
        addLines(drawing.stroke, {{8, 2.5}, {8, 13.5}});
        addLines(drawing.stroke, {{2.5, 8}, {13.5, 8}});
        return drawing;
    case Glyph::Ring:
        drawing.stroke.addEllipse(QPointF(8, 8), 5.4, 5.4);
        drawing.width = 1.6;
        return drawing;
    case Glyph::Cross:
        addLines(drawing.stroke, {{3.5, 3.5}, {12.5, 12.5}});
        addLines(drawing.stroke, {{12.5, 3.5}, {3.5, 12.5}});
        return drawing;
    case Glyph::Twins:
        drawing.stroke.addRoundedRect(QRectF(2.2, 2.2, 8.4, 8.4), 1.5, 1.5);
        drawing.fill.addRoundedRect(QRectF(6.2, 6.2, 8.2, 8.2), 1.5, 1.5);
        drawing.width = 1.5;
        return drawing;
    case Glyph::Dot: drawing.fill.addEllipse(QPointF(8, 8), 2, 2); return drawing;
    case Glyph::Dash:
        addLines(drawing.stroke, {{4.5, 8}, {11.5, 8}});
        drawing.width = 1.6;
        return drawing;
    case Glyph::Forbidden:
        drawing.stroke.addEllipse(QPointF(8, 8), 5.6, 5.6);
        addLines(drawing.stroke, {{4, 12}, {12, 4}});
        drawing.width = 1.8;
        return drawing;
    case Glyph::Clock:
        drawing.stroke.addEllipse(QPointF(8, 8), 5.8, 5.8);
        addLines(drawing.stroke, {{8, 4.6}, {8, 8.3}, {10.6, 9.6}});
        drawing.width = 1.6;
        return drawing;
    case Glyph::Bars:
        addLines(drawing.stroke, {{2, 4}, {8, 4}});
        addLines(drawing.stroke, {{5, 8}, {11, 8}});
        addLines(drawing.stroke, {{9, 12}, {14, 12}});
        drawing.width = 2.2;
        return drawing;
    case Glyph::Play:
        addLines(drawing.fill, {{4.5, 2.8}, {13, 8}, {4.5, 13.2}});
        drawing.fill.closeSubpath();
        return drawing;
    case Glyph::Stop: drawing.fill.addRoundedRect(QRectF(3.6, 3.6, 8.8, 8.8), 1.2, 1.2); return drawing;
    case Glyph::Reload:
        drawing.stroke.arcMoveTo(QRectF(2.8, 2.8, 10.4, 10.4), 20);
        drawing.stroke.arcTo(QRectF(2.8, 2.8, 10.4, 10.4), 20, 300);
        addLines(drawing.fill, {{10.2, 6.9}, {15.2, 7.4}, {13.4, 2.6}});
        drawing.fill.closeSubpath();
        drawing.width = 1.7;
        return drawing;
    case Glyph::Up:
        addLines(drawing.stroke, {{8, 13.5}, {8, 3.2}});
        addLines(drawing.stroke, {{3.6, 7.4}, {8, 3}, {12.4, 7.4}});
        return drawing;
    case Glyph::Target:
        drawing.stroke.addEllipse(QPointF(8, 8), 5.8, 5.8);
        drawing.fill.addEllipse(QPointF(8, 8), 2.7, 2.7);
        drawing.width = 1.7;
        return drawing;
    case Glyph::Wave:
        drawing.stroke.moveTo(2, 9.6);
        drawing.stroke.cubicTo(4.2, 4.4, 6.4, 4.4, 8, 8);
        drawing.stroke.cubicTo(9.6, 11.6, 11.8, 11.6, 14, 6.4);
        drawing.width = 2;
        return drawing;
    case Glyph::Error:
        drawing.stroke.addEllipse(QPointF(8, 8), 6.2, 6.2);
        addLines(drawing.stroke, {{5.6, 5.6}, {10.4, 10.4}});
        addLines(drawing.stroke, {{10.4, 5.6}, {5.6, 10.4}});
        drawing.width = 1.8;
        return drawing;
    case Glyph::Warning:
        addLines(drawing.stroke, {{8, 2}, {14.4, 13.4}, {1.6, 13.4}});
        drawing.stroke.closeSubpath();
        addLines(drawing.stroke, {{8, 6.4}, {8, 9.2}});
        drawing.fill.addEllipse(QPointF(8, 11.4), 1.05, 1.05);
        drawing.width = 1.6;
        return drawing;
    case Glyph::Note:
        drawing.stroke.addEllipse(QPointF(8, 8), 6.2, 6.2);
        addLines(drawing.stroke, {{8, 7.6}, {8, 11.2}});
        drawing.fill.addEllipse(QPointF(8, 4.9), 1.15, 1.15);
        drawing.width = 1.6;
        return drawing;
    case Glyph::Same:
        for (const double y : {4.0, 8.0, 12.0})
            addLines(drawing.stroke, {{3, y}, {13, y}});
        return drawing;
    case Glyph::Equal:
        addLines(drawing.stroke, {{3, 5.5}, {13, 5.5}});
        addLines(drawing.stroke, {{3, 10.5}, {13, 10.5}});
        return drawing;
    case Glyph::Similar:
        for (const double y : {5.5, 10.5}) {
            drawing.stroke.moveTo(2.5, y + 1.2);
            drawing.stroke.cubicTo(5, y - 2.6, 6.6, y - 1.2, 8, y);
            drawing.stroke.cubicTo(9.4, y + 1.2, 11, y + 2.6, 13.5, y - 1.2);
        }
        drawing.width = 1.8;
        return drawing;
    case Glyph::NotEqual:
        addLines(drawing.stroke, {{3, 5.5}, {13, 5.5}});
        addLines(drawing.stroke, {{3, 10.5}, {13, 10.5}});
        addLines(drawing.stroke, {{11, 2}, {5, 14}});
        return drawing;
    }
    Q_UNREACHABLE_RETURN({});
}

} // namespace

void drawGlyph(QPainter &painter, Glyph glyph, const QRectF &rect, const QColor &color)
{
    const double side = std::min(rect.width(), rect.height());
    const Drawing drawing = drawingOf(glyph);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(rect.center() - QPointF(side, side) / 2);
    painter.scale(side / 16, side / 16);
    painter.fillPath(drawing.fill, color);
    painter.strokePath(drawing.stroke, QPen(color, drawing.width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.restore();
}

} // namespace tmx
