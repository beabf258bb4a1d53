// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/hardware/PickList.h"

#include "model/catalog/ShortNames.h"
#include "views/hardware/PickCard.h"
#include "views/theme/Colors.h"
#include "views/widgets/Views.h"

#include <QKeyEvent>
#include <QPainter>
#include <QStandardItemModel>
#include <QWheelEvent>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

constexpr int quietRole = Qt::UserRole;
constexpr int variantRole = Qt::UserRole + 1;
constexpr int pickPadding = 6;

} // namespace

TwoLineDelegate::TwoLineDelegate(int quietRole, QObject *parent)
    : QStyledItemDelegate(parent)
    , m_quietRole(quietRole)
{
}

void TwoLineDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QString name = item.text;
    item.text.clear();
    const QStyle *style = item.widget->style();
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter,
                       item.widget); // the style draws background, selection and focus
    const bool selected = item.state.testFlag(QStyle::State_Selected);
    const QPalette::ColorGroup group =
        item.state.testFlag(QStyle::State_Active) ? QPalette::Active : QPalette::Inactive;
    const QColor text = item.palette.color(group, selected ? QPalette::HighlightedText : QPalette::WindowText);
    const QRect rect = item.rect.adjusted(pickPadding + 2, pickPadding, -pickPadding - 2, -pickPadding);
    const int line = item.fontMetrics.lineSpacing();
    painter->save();
    painter->setFont(item.font);
    painter->setPen(text);
    painter->drawText(QRect(rect.left(), rect.top(), rect.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                      item.fontMetrics.elidedText(name, Qt::ElideLeft, rect.width()));
    painter->setPen(selected ? text : mutedText(item.palette));
    painter->drawText(QRect(rect.left(), rect.top() + line, rect.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                      item.fontMetrics.elidedText(index.data(m_quietRole).toString(), Qt::ElideRight, rect.width()));
    painter->restore();
}

QSize TwoLineDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const
{
    return {0, 2 * option.fontMetrics.lineSpacing() + 2 * pickPadding};
}

PickList::PickList(QWidget *parent)
    : QListView(parent)
    , m_model(new QStandardItemModel(this))
{
    setModel(m_model);
    setItemDelegate(new TwoLineDelegate(quietRole, this));
    styleView(this);
    setUniformItemSizes(true);
    setMouseTracking(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    viewport()->setAutoFillBackground(false);
    connect(this, &QListView::clicked, this, &PickList::ask);
}

void PickList::setPicks(const QList<Pick> &picks, const QString &cuda)
{
    QList<Entry> entries;
    for (const Pick &pick : picks) {
        QStringList facts{pick.fit == Fit::DoesNotRun ? pick.reasons.value(0) : fitWord(pick)};
        if (!pick.covered)
            facts.append(tr("not in the branch settings"));
        if (pick.recipe == Candidate::Recipe::None)
            facts.append(tr("no recipe yet"));
        else if (pick.recipe == Candidate::Recipe::Broken)
            facts.append(tr("recipe broken"));
        else if (pick.fit != Fit::DoesNotRun && pick.stated.isEmpty() && !pick.state.isEmpty())
            facts.append(pick.state); // whether it needs a build
        if (pick.fit != Fit::DoesNotRun && !pick.variant.cuda.isEmpty() && pick.variant.cuda != cuda) {
            if (pick.driver.kind == DriverVerdict::Kind::Good)
                facts.append(tr("driver new enough"));
            else if (pick.driver.kind == DriverVerdict::Kind::MinorVersion)
                facts.append(tr("driver older than CUDA %1's own, but works").arg(pick.variant.cuda));
        }
        entries.append({pick.variant.name(), facts.join(u" · "_s), pick.reasons.join(u' ')});
    }
    setEntries(entries);
}

void PickList::setEntries(const QList<Entry> &entries)
{
    const QString current = nameAt(currentIndex());
    QStringList all;
    for (const Entry &entry : entries)
        all.append(entry.name);
    const ShortNames names(all);
    m_model->clear();
    for (const Entry &entry : entries) {
        const QString name = all.size() > 1 ? names.of(entry.name) : entry.name; // what tells them apart
        auto *item = new QStandardItem(entry.name.isEmpty() ? tr("None") : name);
        item->setData(entry.name, variantRole);
        item->setData(entry.name.isEmpty() ? item->text() : entry.name, Qt::AccessibleTextRole);
        item->setData(entry.facts, quietRole);
        item->setData(QString(entry.facts).replace(u" · "_s, u", "_s), Qt::AccessibleDescriptionRole);
        item->setData(QStringList{entry.name.isEmpty() ? item->text() : entry.name, entry.tip}.join(u"\n\n"_s),
                      Qt::ToolTipRole);
        m_model->appendRow(item);
        if (!entry.name.isEmpty() && entry.name == current)
            setCurrentIndex(item->index());
    }
    updateGeometry();
}

QString PickList::nameAt(const QModelIndex &index)
{
    return index.data(variantRole).toString();
}

void PickList::ask(const QModelIndex &index)
{
    if (const QString name = nameAt(index); !name.isEmpty())
        Q_EMIT showRequested(name);
}

QSize PickList::sizeHint() const
{
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    return {200, m_model->rowCount() * itemDelegate()->sizeHint(option, {}).height()};
}

void PickList::wheelEvent(QWheelEvent *event)
{
    event->ignore(); // Leave it to the panel, which scrolls.
}

void PickList::keyPressEvent(QKeyEvent *event)
{
    // Not activated(): in a style that activates by a single click it would fire twice.
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentIndex().isValid()) {
        ask(currentIndex());
        return;
    }
    QListView::keyPressEvent(event);
}

void PickList::focusInEvent(QFocusEvent *event)
{
    QListView::focusInEvent(event);
    if (!currentIndex().isValid() && event->reason() != Qt::MouseFocusReason)
        setCurrentIndex(m_model->index(0, 0)); // So that keyboard users see where they are.
}

} // namespace tmx
