// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/settings/CoverageGrid.h"

#include "views/grid/FittedText.h"
#include "views/settings/CoverageModel.h"
#include "views/theme/Theme.h"
#include "views/widgets/Views.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace tmx {

namespace {

class CoverageDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const Theme &theme = Theme::current(option.palette);
        const bool on = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
        const bool impossible = !index.data(CoverageModel::ReasonRole).toString().isEmpty();
        const RecipeStyle &style = on ? (impossible ? theme.impossibleRecipe() : theme.recipe(RecipeState::Current))
                                      : theme.recipe(impossible ? RecipeState::Unsupported : RecipeState::NotCovered);
        const QRectF tile = QRectF(option.rect).adjusted(2, 2, -2, -2);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->fillRect(option.rect, theme.base);
        if (impossible && !on) {
            painter->fillRect(tile, QBrush(theme.hatch, Qt::BDiagPattern));
        } else {
            QColor frame = on ? style.accent : theme.line;
            if (on)
                frame.setAlphaF(0.45F);
            painter->setPen(QPen(frame, 1));
            painter->setBrush(style.fill);
            painter->drawRoundedRect(tile.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        }
        const QString others = on ? QString() : index.data(CoverageModel::OthersRole).toString();
        if (others.isEmpty()) {
            drawGlyph(*painter, on && !impossible ? Glyph::Check : style.glyph,
                      QRectF(tile.center() - QPointF(6, 6), QSizeF(12, 12)), style.accent);
        } else {
            // Covered by another scope than the shown one: a small tick and that scope's name.
            const RecipeStyle &covered = theme.recipe(RecipeState::Current);
            const QRectF inner = tile.adjusted(4, 0, -3, 0);
            drawGlyph(*painter, Glyph::Check, QRectF(inner.left(), inner.center().y() - 4.5, 9, 9), covered.accent);
            painter->setPen(theme.text);
            const QRectF words = inner.adjusted(12, 0, 0, 0);
            painter->drawText(words, Qt::AlignVCenter | Qt::AlignLeft,
                              option.fontMetrics.elidedText(others, Qt::ElideRight, int(words.width())));
        }
        if (option.state & QStyle::State_HasFocus) {
            painter->setPen(QPen(theme.selection, 2));
            painter->setBrush(Qt::NoBrush);
            painter->drawRoundedRect(tile, 4, 4);
        }
        painter->restore();
    }
};

constexpr int tileHeight = 26;
constexpr int tileWidth = 84;
constexpr int narrowestRow = 90; // "sm100 Blackw…"

} // namespace

CoverageGrid::CoverageGrid(CoverageModel *model, QWidget *parent)
    : QTableView(parent)
    , m_model(model)
{
    setModel(model);
    setItemDelegate(new CoverageDelegate(this));
    setAccessibleName(tr("Coverage: the cells that this branch builds"));
    setWhatsThis(tr("Coverage is the list of cells that should have a recipe; it is saved in torch-matrix.toml. "
                    "A covered cell without a recipe is missing, and Plan creates the recipe. A recipe that is "
                    "not planned stays."));
    styleView(this);
    setSelectionMode(NoSelection);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    verticalHeader()->setDefaultSectionSize(tileHeight);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setSectionsClickable(true);
    verticalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setDefaultSectionSize(tileWidth);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    horizontalHeader()->setSectionsClickable(true);
    verticalHeader()->setTextElideMode(Qt::ElideRight);
    horizontalHeader()->setFont(smallFont(font())); // "ARMv9-A SVE2" must fit a seventh of the page.
    connect(verticalHeader(), &QHeaderView::sectionClicked, model, &CoverageModel::toggleRow);
    connect(horizontalHeader(), &QHeaderView::sectionClicked, model, &CoverageModel::toggleColumn);
    connect(model, &QAbstractItemModel::modelReset, this, &QWidget::updateGeometry);
}

QSize CoverageGrid::sizeHint() const
{
    return {tileWidth * 7 + 120, horizontalHeader()->sizeHint().height() + tileHeight * m_model->rowCount() + 2};
}

QSize CoverageGrid::minimumSizeHint() const
{
    return {300, sizeHint().height()};
}

/// Cuts the names of rows, whose beginning says enough, rather than a word in the heading of a column.
void CoverageGrid::resizeEvent(QResizeEvent *event)
{
    const QFontMetrics metrics(horizontalHeader()->font());
    int widest = 0;
    for (int column = 0; column < m_model->columnCount(); ++column) {
        const QString title = m_model->headerData(column, Qt::Horizontal).toString();
        for (const QString &word : title.simplified().split(u' '))
            widest = std::max(widest, metrics.horizontalAdvance(word));
    }
    const int rest = width() - m_model->columnCount() * (widest + 12);
    const int whole = verticalHeader()->sizeHint().width();
    verticalHeader()->setMaximumWidth(std::clamp(rest, std::min(narrowestRow, whole), whole));
    QTableView::resizeEvent(event);
}

void CoverageGrid::toggle(const QModelIndex &index)
{
    if (index.isValid())
        m_model->setData(index, index.data(Qt::CheckStateRole).toInt() == Qt::Checked ? Qt::Unchecked : Qt::Checked,
                         Qt::CheckStateRole);
}

void CoverageGrid::keyPressEvent(QKeyEvent *event)
{
    const QModelIndex current = currentIndex();
    const bool presses =
        event->key() == Qt::Key_Space || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!presses)
        QTableView::keyPressEvent(event);
    else if (event->modifiers() & Qt::ShiftModifier)
        m_model->toggleRow(current.row());
    else
        toggle(current);
}

void CoverageGrid::mouseReleaseEvent(QMouseEvent *event)
{
    QTableView::mouseReleaseEvent(event);
    const QModelIndex index = indexAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && index == currentIndex())
        toggle(index);
}

void CoverageGrid::wheelEvent(QWheelEvent *event)
{
    event->ignore(); // Leave it to the page, which scrolls.
}

} // namespace tmx
