// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/grid/MatrixHeader.h"

#include "model/matrix/MatrixRoles.h"
#include "views/grid/FittedText.h"
#include "views/theme/Theme.h"

#include <QEvent>
#include <QPainter>

namespace tmx {

namespace {

constexpr int headerMargin = 8;
constexpr int groupGap = 3;       // between the lines below the titles of slices
constexpr double compactRow = 92; // "sm120 Blac…"

QFont bold(QFont font)
{
    font.setWeight(QFont::DemiBold);
    return font;
}

} // namespace

/// `strong` is the name, `plain` continues its line, `below` is the second line.
struct MatrixHeader::Texts {
    QString strong, plain, below;
    QString narrow; ///< instead of `strong` in a column that is too narrow for it
};

MatrixHeader::MatrixHeader(Qt::Orientation orientation, QWidget *parent)
    : QHeaderView(orientation, parent)
{
    setSectionsClickable(true);
    setMouseTracking(true);
}

void MatrixHeader::setCurrentSection(int section)
{
    if (section == m_current)
        return;
    m_current = section;
    viewport()->update();
}

MatrixHeader::Texts MatrixHeader::textsOf(int section) const
{
    const QString title = model()->headerData(section, orientation(), Qt::DisplayRole).toString();
    const QString id = model()->headerData(section, orientation(), AxisIdRole).toString();
    const QString below = model()->headerData(section, orientation(), SubtitleRole).toString();
    if (orientation() == Qt::Vertical && !id.isEmpty() && title.startsWith(id))
        return m_compact ? Texts{id, {}, title.sliced(id.size()).trimmed(), {}}
                         : Texts{id, title.sliced(id.size()), below, {}};
    return {title, {}, below, id.isEmpty() ? title : id};
}

void MatrixHeader::paintEvent(QPaintEvent *event)
{
    QHeaderView::paintEvent(event);
    // The style paints the area beyond the last section in the window's colour; here it matches the grid.
    QPainter painter(viewport());
    const QRect all = viewport()->rect();
    painter.fillRect(orientation() == Qt::Vertical ? all.adjusted(0, length() - offset(), 0, 0)
                                                   : all.adjusted(length() - offset(), 0, 0, 0),
                     Theme::current(palette()).base);
    if (orientation() == Qt::Horizontal && groupHeight() > 0)
        paintGroups(painter);
}

int MatrixHeader::groupHeight() const
{
    const bool grouped = orientation() == Qt::Horizontal && count() > 0 &&
                         !model()->headerData(0, orientation(), GroupRole).toString().isEmpty();
    return grouped ? int(QFontMetricsF(bold(font())).height()) + 8 : 0;
}

void MatrixHeader::paintGroups(QPainter &painter) const
{
    const Theme &theme = Theme::current(palette());
    const auto groupOf = [this](int section) { return model()->headerData(section, orientation(), GroupRole); };
    for (int first = 0, last = 0; first < count(); first = last + 1) {
        for (last = first; last + 1 < count() && groupOf(last + 1) == groupOf(first);)
            ++last;
        const QRect whole(QPoint(sectionViewportPosition(first), 0),
                          QPoint(sectionViewportPosition(last) + sectionSize(last) - 1, groupHeight() - 3));
        const QRect band = whole.adjusted(groupGap, 0, -groupGap, 0) & viewport()->rect();
        if (band.isEmpty())
            continue;
        const bool current = m_current >= first && m_current <= last;
        painter.fillRect(QRect(band.left(), band.bottom() - 1, band.width(), 2),
                         current ? theme.selection : theme.quietText);
        painter.setFont(bold(font()));
        painter.setPen(theme.text);
        painter.drawText(band.adjusted(4, 0, -4, -2), Qt::AlignCenter,
                         painter.fontMetrics().elidedText(groupOf(first).toString(), Qt::ElideRight, band.width() - 8));
    }
}

void MatrixHeader::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::FontChange)
        m_widest = 0;
    QHeaderView::changeEvent(event);
}

void MatrixHeader::paintSection(QPainter *painter, const QRect &rect, int section) const
{
    const Theme &theme = Theme::current(palette());
    const Texts texts = textsOf(section);
    const QFontMetricsF strong(bold(font())), below(smallFont(font()));
    const bool vertical = orientation() == Qt::Vertical;
    painter->save();
    painter->fillRect(rect, theme.base);
    if (section == m_current) {
        QColor behind = theme.selection;
        behind.setAlphaF(0.14F);
        painter->fillRect(rect, behind);
        painter->fillRect(vertical ? QRect(rect.right() - 2, rect.top() + 2, 3, rect.height() - 4)
                                   : QRect(rect.left() + 2, rect.bottom() - 2, rect.width() - 4, 3),
                          theme.selection);
    }
    const double height = strong.height() + below.height();
    const double top = rect.top() + groupHeight() + (rect.height() - groupHeight() - height) / 2;
    const double left = rect.left() + (vertical ? headerMargin : 4);
    const double width = rect.width() - (vertical ? headerMargin + 5 : 8);
    const int alignment = int(vertical ? Qt::AlignLeft : Qt::AlignHCenter) | int(Qt::AlignVCenter);

    painter->setPen(theme.text);
    const QString shown = vertical || titlesFit(width) ? texts.strong : texts.narrow;
    drawFitted(*painter, QRectF(left, top, width, strong.height()), alignment, shown,
               shown == texts.strong ? bold(font()) : bold(smallFont(font())));
    if (!texts.plain.isEmpty()) {
        const double used = strong.horizontalAdvance(texts.strong);
        drawFitted(*painter, QRectF(left + used, top, width - used, strong.height()), alignment, texts.plain, font());
    }
    painter->setPen(theme.quietText);
    // Cut, not narrowed: the list of products is longer anyway.
    painter->setFont(smallFont(font()));
    painter->drawText(QRectF(left, top + strong.height(), width, below.height()), alignment,
                      below.elidedText(texts.below, Qt::ElideRight, width));
    painter->restore();
}

/// Columns beside each other are named in one way.
bool MatrixHeader::titlesFit(double width) const
{
    for (int section = 0; section < count(); ++section) {
        if (!fits(textsOf(section).strong, bold(font()), width))
            return false;
    }
    return true;
}

int MatrixHeader::narrowestSection() const
{
    const QFontMetricsF metrics(bold(smallFont(font())));
    double widest = 0;
    for (int section = 0; section < count(); ++section)
        widest = std::max(widest, metrics.horizontalAdvance(textsOf(section).narrow));
    return int(std::ceil(widest * narrowest)) + 8;
}

void MatrixHeader::setCompact(bool compact)
{
    if (compact == m_compact)
        return;
    m_compact = compact;
    m_widest = 0;
    resizeSections();
    updateGeometry();
    viewport()->update();
}

QSize MatrixHeader::sectionSizeFromContents(int section) const
{
    const Texts texts = textsOf(section);
    const QFontMetricsF strong(bold(font())), plain(font()), below(smallFont(font()));
    const double title = strong.horizontalAdvance(texts.strong) + plain.horizontalAdvance(texts.plain);
    const double widest = std::max(title, std::min(below.horizontalAdvance(texts.below), title * 1.1));
    const double height = strong.height() + below.height() + 12 + groupHeight();
    if (orientation() == Qt::Horizontal)
        return QSizeF(widest + 10, height).toSize();
    m_widest =
        std::max(m_widest, std::min(std::ceil(widest) + headerMargin + 6, m_compact ? compactRow : double(widestRow)));
    return QSizeF(m_widest, height).toSize();
}

} // namespace tmx
