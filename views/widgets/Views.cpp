// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/widgets/Views.h"

#include "views/widgets/Tips.h"

#include <QEvent>
#include <QHeaderView>
#include <QSplitter>
#include <QTableView>

#include <algorithm>
#include <utility>

namespace tmx {

namespace {

constexpr const char *firstSizes = "firstSizes";
constexpr const char *sizesAside = "sizesAside"; ///< side by side, while it is turned
constexpr const char *nextSizes = "nextSizes";   ///< when it is shown for the first time

/// Sets the sizes once the splitter has its own: before, they would be squeezed.
class FirstShow : public QObject
{
public:
    explicit FirstShow(QSplitter *splitter)
        : QObject(splitter)
        , m_splitter(splitter)
    {
        splitter->installEventFilter(this);
    }
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::Show) {
            m_splitter->setSizes(m_splitter->property(nextSizes).value<QList<int>>());
            deleteLater();
            m_splitter->removeEventFilter(this);
        }
        return QObject::eventFilter(watched, event);
    }

private:
    QSplitter *m_splitter;
};

class Turner : public QObject
{
public:
    Turner(QSplitter *splitter, int width)
        : QObject(splitter)
        , m_splitter(splitter)
        , m_width(width)
    {
        splitter->installEventFilter(this);
    }
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::Resize)
            m_splitter->setOrientation(m_splitter->width() < m_width ? Qt::Vertical : Qt::Horizontal);
        return QObject::eventFilter(watched, event);
    }

private:
    QSplitter *m_splitter;
    int m_width;
};

QList<QSplitter *> namedSplitters(const QWidget *window)
{
    QList<QSplitter *> splitters = window->findChildren<QSplitter *>();
    splitters.removeIf([](const QSplitter *splitter) { return !splitter->property(firstSizes).isValid(); });
    return splitters;
}

} // namespace

void resizeWithin(QWidget *dialog, const QSize &size)
{
    const QWidget *parent = dialog->parentWidget();
    dialog->resize(parent ? size.boundedTo(parent->window()->size()) : size);
}

bool isLow(const QWidget *widget)
{
    constexpr int low = 700;
    return widget->window()->height() < low;
}

int rowHeight(const QWidget *view)
{
    constexpr int least = 22; // a target that a pointer can hit
    return std::max(least, view->fontMetrics().height() + 6);
}

void styleView(QAbstractItemView *view)
{
    view->setFrameShape(QFrame::NoFrame);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setTabKeyNavigation(false);
    if (auto *table = qobject_cast<QTableView *>(view)) {
        table->setShowGrid(false);
        table->setCornerButtonEnabled(false);
        table->horizontalHeader()->setHighlightSections(false);
        table->verticalHeader()->setHighlightSections(false);
    }
    showPlainToolTips(view);
}

void styleTextTable(QTableView *table)
{
    styleView(table);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setAlternatingRowColors(true);
    table->setWordWrap(false);
    table->setTextElideMode(Qt::ElideMiddle); // a revision or hash keeps both ends
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->verticalHeader()->hide();
    table->verticalHeader()->setMinimumSectionSize(rowHeight(table));
    table->verticalHeader()->setDefaultSectionSize(rowHeight(table));
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

void shareWidth(QHeaderView *header, QList<TextColumn> texts)
{
    const auto *view = qobject_cast<QAbstractItemView *>(header->parentWidget());
    texts.removeIf([header](const TextColumn &text) { return header->isSectionHidden(text.column); });
    if (!view || texts.isEmpty())
        return;
    int room = view->viewport()->width() - header->length();
    for (TextColumn &text : texts) {
        const int head = header->sectionSizeHint(text.column);
        if (text.whole < 0)
            text.whole = std::max(view->sizeHintForColumn(text.column), head);
        text.least = std::max(text.least, head);
        room += header->sectionSize(text.column) - text.whole;
    }
    texts.last().whole += std::max(0, room);
    const auto spare = [](const TextColumn &text) { return text.whole > text.least ? text.whole : 0; };
    for (; room < 0; ++room) {
        TextColumn &widest = *std::ranges::max_element(texts, {}, spare);
        if (spare(widest) == 0)
            break;
        --widest.whole;
    }
    for (const TextColumn &text : std::as_const(texts))
        header->resizeSection(text.column, text.whole);
}

int heightForRows(const QTableView *table, int most)
{
    const int rows = std::min(table->model()->rowCount(), most);
    return table->horizontalHeader()->sizeHint().height() + rows * table->verticalHeader()->defaultSectionSize() + 2;
}

QSplitter *makeSplitter(Qt::Orientation orientation, QWidget *first, QWidget *second, const QList<int> &sizes)
{
    auto *splitter = new QSplitter(orientation);
    splitter->addWidget(first);
    splitter->addWidget(second);
    splitter->setStretchFactor(1, 1);
    splitter->setChildrenCollapsible(false);
    if (!sizes.isEmpty())
        splitter->setSizes(sizes);
    return splitter;
}

void turnBelow(QSplitter *splitter, int width)
{
    new Turner(splitter, width);
}

void turn(QSplitter *splitter, Qt::Orientation orientation)
{
    if (splitter->orientation() == orientation)
        return;
    const bool aside = orientation == Qt::Horizontal;
    const auto before = splitter->property(sizesAside).value<QList<int>>();
    const QList<int> now =
        splitter->sizes().contains(0) ? splitter->property(nextSizes).value<QList<int>>() : splitter->sizes();
    splitter->setOrientation(orientation);
    splitter->setProperty(sizesAside, aside ? QVariant() : QVariant::fromValue(now));
    if (aside && !before.isEmpty())
        splitter->setSizes(before);
}

void nameSplitter(QSplitter *splitter, const QString &name, const QList<int> &sizes)
{
    splitter->setObjectName(name);
    splitter->setProperty(firstSizes, QVariant::fromValue(sizes));
    for (int i = 0; i < splitter->count(); ++i)
        splitter->setStretchFactor(i, 0); // without factors, parts keep their shares
    splitter->setProperty(nextSizes, QVariant::fromValue(sizes));
    splitter->setSizes(sizes);
    new FirstShow(splitter);
}

QVariantMap splitterSizes(const QWidget *window)
{
    QVariantMap sizes;
    for (const QSplitter *splitter : namedSplitters(window)) {
        QVariantList all;
        const QVariant aside = splitter->property(sizesAside);
        for (const int size : aside.isValid() ? aside.value<QList<int>>() : splitter->sizes())
            all.append(size);
        if (!all.contains(0))
            sizes.insert(splitter->objectName(), all);
    }
    return sizes;
}

void setSplitterSizes(const QWidget *window, const QVariantMap &sizes)
{
    for (QSplitter *splitter : namedSplitters(window)) {
        QList<int> all;
        for (const QVariant &size : sizes.value(splitter->objectName()).toList())
            all.append(size.toInt());
        // A settings file may hold anything.
        if (all.size() != splitter->count() || !std::ranges::all_of(all, [](int size) { return size > 0; }))
            continue;
        splitter->setProperty(nextSizes, QVariant::fromValue(all));
        splitter->setSizes(all);
    }
}

void resetSplitters(const QWidget *window)
{
    for (QSplitter *splitter : namedSplitters(window))
        splitter->setSizes(splitter->property(firstSizes).value<QList<int>>());
}

} // namespace tmx
