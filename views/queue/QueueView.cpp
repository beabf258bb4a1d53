// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/queue/QueueView.h"

#include "model/workspace/QueueModel.h"
#include "views/queue/QueueStateDelegate.h"
#include "views/widgets/Buttons.h"
#include "views/widgets/Label.h"
#include "views/widgets/Views.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

QueueView::QueueView(QWidget *parent)
    : QWidget(parent)
    , m_list(new QTreeView)
    , m_summary(new Label({}, Label::Quiet, tr("Builds in the queue")))
    , m_pause(makeTool(tr("Pause"), tr("Pause the queue"), tr("Begin no further build; those that run go on")))
    , m_stop(makeTool(tr("Stop"), tr("Stop the selected builds"), tr("Stop the selected builds (Del)")))
    , m_retry(makeTool(tr("Retry"), tr("Retry the selected builds"), tr("Queue the selected builds again (R)")))
    , m_up(makeArrow(Qt::UpArrow, tr("Build earlier"), tr("Build earlier (Alt+Up)")))
    , m_down(makeArrow(Qt::DownArrow, tr("Build later"), tr("Build later (Alt+Down)")))
{
    styleView(m_list);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAllColumnsShowFocus(true);
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_list->setDragDropMode(QAbstractItemView::InternalMove);
    m_list->setDragDropOverwriteMode(false);
    m_list->setAccessibleName(tr("Builds"));
    m_list->installEventFilter(this);
    auto *tools = new QHBoxLayout;
    tools->setContentsMargins(6, 2, 6, 2);
    for (QToolButton *tool : {m_pause, m_stop, m_retry, m_up, m_down})
        tools->addWidget(tool);
    tools->addWidget(m_summary, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addLayout(tools);
    layout->addWidget(m_list, 1);
    setAccessibleName(tr("Queue of builds"));
    setFocusProxy(m_list);

    connect(m_pause, &QToolButton::clicked, this, [this] { Q_EMIT pauseRequested(!m_paused); });
    connect(m_stop, &QToolButton::clicked, this, [this] { Q_EMIT stopRequested(selectedIds()); });
    connect(m_retry, &QToolButton::clicked, this, [this] { Q_EMIT retryRequested(selectedIds()); });
    connect(m_up, &QToolButton::clicked, this, [this] { moveBy(-1); });
    connect(m_down, &QToolButton::clicked, this, [this] { moveBy(1); });
}

void QueueView::setModel(QueueModel *model)
{
    m_model = model;
    m_list->setModel(model);
    m_list->setItemDelegateForColumn(int(QueueModel::Column::State),
                                     new QueueStateDelegate(QueueModel::BuildPhaseRole, this));
    QHeaderView *header = m_list->header();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(int(QueueModel::Column::Progress), QHeaderView::Stretch);
    connect(model, &QueueModel::moveRequested, this, &QueueView::moveRequested);
    // What was selected stays so when rows come, go and move.
    auto selected = std::make_shared<QStringList>();
    auto current = std::make_shared<QString>();
    connect(model, &QAbstractItemModel::modelAboutToBeReset, this, [this, selected, current] {
        *selected = selectedIds();
        *current = m_list->currentIndex().data(QueueModel::IdRole).toString();
    });
    connect(model, &QAbstractItemModel::modelReset, this, [this, selected, current] {
        const QSignalBlocker quiet(m_list->selectionModel());
        QItemSelection selection;
        for (const QString &id : std::as_const(*selected)) {
            if (const int row = m_model->rowOf(id); row >= 0)
                selection.select(m_model->index(row, 0), m_model->index(row, QueueModel::columns - 1));
        }
        if (const int row = m_model->rowOf(*current); row >= 0)
            m_list->selectionModel()->setCurrentIndex(m_model->index(row, 0), QItemSelectionModel::NoUpdate);
        m_list->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
        m_list->viewport()->update();
    });
    connect(model, &QAbstractItemModel::modelReset, this, &QueueView::showChoice);
    connect(model, &QAbstractItemModel::dataChanged, this, &QueueView::showChoice);
    connect(m_list->selectionModel(), &QItemSelectionModel::selectionChanged, this, &QueueView::showChoice);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &index) {
        if (index.isValid())
            Q_EMIT shown(index.data(QueueModel::IdRole).toString());
    });
    showChoice();
}

void QueueView::setPaused(bool paused)
{
    m_paused = paused;
    m_pause->setText(paused ? tr("Resume") : tr("Pause"));
    m_pause->setAccessibleName(paused ? tr("Resume the queue") : tr("Pause the queue"));
    showChoice();
}

QStringList QueueView::selectedIds() const
{
    QList<QModelIndex> rows = m_list->selectionModel() ? m_list->selectionModel()->selectedRows() : QModelIndexList();
    std::sort(rows.begin(), rows.end());
    QStringList ids;
    for (const QModelIndex &row : std::as_const(rows))
        ids.append(row.data(QueueModel::IdRole).toString());
    return ids;
}

void QueueView::moveBy(int rows)
{
    QStringList ids = selectedIds();
    ids.removeIf([this](const QString &id) {
        const JobRecord *record = m_model->recordAt(m_model->rowOf(id));
        return !record || record->phase != JobPhase::Waiting;
    });
    if (ids.isEmpty())
        return;
    const int edge = rows < 0 ? m_model->rowOf(ids.constFirst()) - 1 : m_model->rowOf(ids.constLast()) + 2;
    const JobRecord *before = m_model->recordAt(edge);
    if (rows < 0 && (!before || before->phase != JobPhase::Waiting))
        return; // the first that waits already
    Q_EMIT moveRequested(ids, before && before->phase == JobPhase::Waiting ? before->job.id : QString());
}

void QueueView::showChoice()
{
    bool active = false;
    bool waiting = false;
    bool ended = false;
    const QStringList ids = selectedIds();
    for (const QString &id : ids) {
        const JobRecord *record = m_model->recordAt(m_model->rowOf(id));
        active |= record && record->isActive();
        waiting |= record && record->phase == JobPhase::Waiting;
        ended |= record && !record->isActive();
    }
    m_stop->setEnabled(active);
    m_retry->setEnabled(ended);
    m_up->setEnabled(waiting);
    m_down->setEnabled(waiting);
    m_summary->setText(m_model ? m_model->summary() : QString());
}

bool QueueView::takesKey(const QKeyEvent &event)
{
    if (event.key() == Qt::Key_Delete)
        Q_EMIT stopRequested(selectedIds());
    else if (event.key() == Qt::Key_R && event.modifiers() == Qt::NoModifier)
        Q_EMIT retryRequested(selectedIds());
    else if (event.modifiers() == Qt::AltModifier && (event.key() == Qt::Key_Up || event.key() == Qt::Key_Down))
        moveBy(event.key() == Qt::Key_Up ? -1 : 1);
    else
        return false;
    return true;
}

/// Before the list, which would take a letter for the beginning of a name.
bool QueueView::eventFilter(QObject *watched, QEvent *event)
{
    return (event->type() == QEvent::KeyPress && takesKey(*static_cast<QKeyEvent *>(event))) ||
           QWidget::eventFilter(watched, event);
}

} // namespace tmx
