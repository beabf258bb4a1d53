// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/queue/BuildsPage.h"

#include "model/catalog/ShortNames.h"
#include "views/widgets/FlowLayout.h"
#include "views/widgets/Label.h"
#include "views/widgets/Views.h"

#include <QAbstractItemView>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScopedValueRollback>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace tmx {

namespace {

constexpr int usualHeight = 160;
constexpr int rowsThatSetWidths = 64;

} // namespace

BuildsPage::BuildsPage(const QString &name, QWidget *parent)
    : QWidget(parent)
    , m_body(new QStackedWidget)
    , m_summary(new Label({}, Label::Quiet | Label::Narrow, tr("Summary of the builds")))
    , m_common(new Label({}, Label::Quiet, tr("What all builds have in common")))
{
    setAccessibleName(name);
}

void BuildsPage::arrange(std::initializer_list<QWidget *> tools, QWidget *body, QAbstractItemView *list,
                         const QString &ifEmpty)
{
    auto *flow = new FlowLayout(4);
    flow->setContentsMargins(6, 0, 6, 0); // At 900 x 600 four builds are visible below two lines of tools.
    for (QWidget *tool : tools) {
        flow->addWidget(tool);
        m_toolWidth = qMax(m_toolWidth, qMax(tool->minimumWidth(), tool->minimumSizeHint().width()));
    }
    flow->addWidget(m_common);
    m_common->hide();
    m_body->addWidget(new Label(ifEmpty, Label::Placeholder));
    m_body->addWidget(body);
    m_summary->setContentsMargins(8, 1, 8, 2);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addLayout(flow);
    layout->addWidget(m_body, 1);
    layout->addWidget(m_summary);
    list->installEventFilter(this);
    setFocusProxy(list);
}

void BuildsPage::showBuilds(bool any, const QString &summary)
{
    m_body->setCurrentIndex(any ? 1 : 0);
    m_summary->setVisible(!summary.isEmpty());
    m_summary->setText(summary);
    m_summary->setAccessibleDescription(summary);
}

void BuildsPage::fitColumns(QHeaderView *header, const QList<int> &texts, int least)
{
    m_header = header;
    m_texts = texts;
    m_least = least;
    header->setStretchLastSection(false);
    header->setResizeContentsPrecision(rowsThatSetWidths);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    for (const int column : texts)
        header->setSectionResizeMode(column, QHeaderView::Fixed);
    connect(header, &QHeaderView::sectionResized, this, &BuildsPage::shareWidth);
    connect(header->model(), &QAbstractItemModel::modelReset, this, &BuildsPage::shareWidth);
    connect(header->model(), &QAbstractItemModel::dataChanged, this, &BuildsPage::shareWidth);
    static_cast<QAbstractItemView *>(header->parentWidget())->viewport()->installEventFilter(this);
    shareWidth();
}

void BuildsPage::shareWidth()
{
    if (!m_header || m_sharing || !isVisible())
        return;
    const QScopedValueRollback sharing(m_sharing, true);
    QList<TextColumn> texts;
    for (const int column : std::as_const(m_texts))
        texts.append({column, column == m_texts.constLast() ? m_least : 0});
    tmx::shareWidth(m_header, texts);
}

void BuildsPage::showNames(QHeaderView *header, int first, const ShortNames &names)
{
    for (const NamePart part : allNameParts)
        header->setSectionHidden(first + int(part), !names.differ(part));
    m_common->setText(names.common().isEmpty() ? QString() : tr("All: %1", "of what all are").arg(names.common()));
    m_common->setVisible(!names.common().isEmpty());
}

/// The rows show short names.
bool BuildsPage::eventFilter(QObject *watched, QEvent *event)
{
    const bool isRoom = event->type() == QEvent::Resize || event->type() == QEvent::Show;
    if (m_header && isRoom && watched != m_header->parentWidget()) // its viewport
        shareWidth();
    const auto *list = qobject_cast<QAbstractItemView *>(watched);
    if (!list || event->type() != QEvent::KeyPress || !static_cast<QKeyEvent *>(event)->matches(QKeySequence::Copy))
        return QWidget::eventFilter(watched, event);
    QStringList names;
    for (const QModelIndex &row : list->selectionModel()->selectedRows())
        names.append(row.data(wholeNameRole).toString());
    if (!names.isEmpty())
        QGuiApplication::clipboard()->setText(names.join(u'\n'));
    return true;
}

QSize BuildsPage::sizeHint() const
{
    return {QWidget::sizeHint().width(), usualHeight};
}

QSize BuildsPage::minimumSizeHint() const
{
    return {m_toolWidth + 12, fontMetrics().height() + 12};
}

} // namespace tmx
