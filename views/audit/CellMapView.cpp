// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/audit/CellMapView.h"

#include "views/theme/Theme.h"
#include "views/widgets/Tips.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

namespace tmx {

CellMapView::CellMapView(QWidget *parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Cells"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void CellMapView::setMap(const CellMap &map, const Sign &sign)
{
    m_map = map;
    m_sign = sign;
    m_current = -1;
    QStringList lines;
    for (qsizetype row = 0; row < map.rows.size(); ++row) {
        QStringList columns;
        for (qsizetype column = 0; column < map.columns.size(); ++column) {
            if (!map.at(row, column).isEmpty())
                columns.append(map.columns.at(column));
        }
        if (!columns.isEmpty())
            lines.append(tr("%1: %2", "row, columns").arg(map.rows.at(row), columns.join(QStringLiteral(", "))));
    }
    setAccessibleDescription(lines.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

QSize CellMapView::cell() const
{
    const int height = fontMetrics().height();
    return {height + 6, height + 2};
}

static int widest(const QFontMetrics &metrics, const QStringList &texts)
{
    int width = 0;
    for (const QString &text : texts)
        width = std::max(width, metrics.horizontalAdvance(text));
    return width;
}

int CellMapView::headWidth() const
{
    return widest(fontMetrics(), m_map.rows) + 10;
}

int CellMapView::headHeight() const
{
    return widest(fontMetrics(), m_map.columns) + 6;
}

QRect CellMapView::placeOf(qsizetype row, qsizetype column) const
{
    return {QPoint(headWidth() + int(column) * cell().width(), headHeight() + int(row) * cell().height()), cell()};
}

QSize CellMapView::sizeHint() const
{
    return {headWidth() + int(m_map.columns.size()) * cell().width() + 2,
            headHeight() + int(m_map.rows.size()) * cell().height() + 2};
}

void CellMapView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme &theme = Theme::current(palette());
    const RecipeStyle &style = theme.sign(m_sign);
    painter.setPen(theme.text);
    painter.save();
    painter.rotate(-90);
    for (qsizetype column = 0; column < m_map.columns.size(); ++column)
        painter.drawText(QRect(-headHeight() + 4, placeOf(0, column).left(), headHeight(), cell().width()),
                         Qt::AlignLeft | Qt::AlignVCenter, m_map.columns.at(column));
    painter.restore();
    for (qsizetype row = 0; row < m_map.rows.size(); ++row) {
        painter.setPen(theme.text);
        painter.drawText(QRect(0, placeOf(row, 0).top(), headWidth() - 6, cell().height()),
                         Qt::AlignRight | Qt::AlignVCenter, m_map.rows.at(row));
        for (qsizetype column = 0; column < m_map.columns.size(); ++column) {
            const QRectF place = QRectF(placeOf(row, column)).adjusted(1.5, 1.5, -1.5, -1.5);
            const bool has = !m_map.at(row, column).isEmpty();
            painter.setPen(has ? style.accent : theme.line);
            painter.setBrush(has ? style.fill : theme.base);
            painter.drawRoundedRect(place, 2, 2);
            if (has)
                drawGlyph(painter, style.glyph, place.adjusted(2, 2, -2, -2), style.accent);
            if (hasFocus() && m_current == row * m_map.columns.size() + column) {
                painter.setPen(QPen(theme.selection, 2));
                painter.setBrush(Qt::NoBrush);
                painter.drawRoundedRect(place, 2, 2);
            }
        }
    }
}

QStringList CellMapView::namesAt(const QPoint &position) const
{
    for (qsizetype i = 0; i < m_map.names.size(); ++i) {
        if (placeOf(i / m_map.columns.size(), i % m_map.columns.size()).contains(position))
            return m_map.names.at(i);
    }
    return {};
}

void CellMapView::mousePressEvent(QMouseEvent *event)
{
    if (const QStringList names = namesAt(event->position().toPoint()); !names.isEmpty())
        Q_EMIT chosen(names.constFirst());
}

void CellMapView::choose(qsizetype place)
{
    m_current = place;
    update();
}

void CellMapView::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    for (qsizetype i = 0; m_current < 0 && i < m_map.names.size(); ++i) {
        if (!m_map.names.at(i).isEmpty())
            choose(i);
    }
}

void CellMapView::keyPressEvent(QKeyEvent *event)
{
    const qsizetype columns = m_map.columns.size();
    const qsizetype step = event->key() == Qt::Key_Left    ? -1
                           : event->key() == Qt::Key_Right ? 1
                           : event->key() == Qt::Key_Up    ? -columns
                           : event->key() == Qt::Key_Down  ? columns
                                                           : 0;
    if (step != 0 && m_current >= 0) {
        // Sideways to the next filled cell in reading order, up and down in the column.
        for (qsizetype i = m_current + step; i >= 0 && i < m_map.names.size(); i += step) {
            if (!m_map.names.at(i).isEmpty())
                return choose(i);
        }
        return;
    }
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
    if (enter && m_current >= 0 && m_current < m_map.names.size())
        Q_EMIT chosen(m_map.names.at(m_current).value(0));
    else
        QWidget::keyPressEvent(event);
}

bool CellMapView::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        QToolTip::showText(help->globalPos(), plainToolTip(namesAt(help->pos()).join(QLatin1Char('\n'))), this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace tmx
