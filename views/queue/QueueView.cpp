// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/queue/QueueView.h"

#include "model/builds/QueueModel.h"
#include "views/queue/QueueStateDelegate.h"
#include "views/widgets/Buttons.h"
#include "views/widgets/Tips.h"
#include "views/widgets/Views.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QSpinBox>
#include <QTreeView>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int mostParallel = 64;

} // namespace

QueueView::QueueView(QWidget *parent)
    : BuildsPage(tr("Queue of builds"), parent)
    , m_list(new QTreeView)
    , m_pause(makeTool(tr("Pause"), tr("Pause the queue"), tr("Start no more builds; running builds continue")))
    , m_stop(makeTool(tr("Stop"), tr("Stop the selected builds"), tr("Stop the selected builds (Del)")))
    , m_stopAll(makeTool(tr("Stop all"), tr("Stop all builds"),
                         tr("Stop all running and waiting builds "
                            "(Shift+Del)")))
    , m_retry(makeTool(tr("Retry"), tr("Retry the selected builds"), tr("Queue the selected builds again (R)")))
    , m_up(makeArrow(Qt::UpArrow, tr("Build earlier"), tr("Build earlier (Alt+Up)")))
    , m_down(makeArrow(Qt::DownArrow, tr("Build later"), tr("Build later (Alt+Down)")))
    , m_parallel(makeNumber(0, mostParallel, tr("Builds at a time"),
                            tr("Number of builds that run at a time on each machine. Auto: as many as Nix's "
                               "remote builders have slots for, or one without builders")))
    , m_stopAtFailure(new QCheckBox(tr("Pause at a failure")))
{
    makeList();
    makeTools();

    connect(m_pause, &QToolButton::clicked, this, [this] { Q_EMIT pauseRequested(!m_paused); });
    connect(m_stop, &QToolButton::clicked, this, [this] { Q_EMIT stopRequested(selectedIds()); });
    connect(m_stopAll, &QToolButton::clicked, this, &QueueView::stopAllRequested);
    connect(m_retry, &QToolButton::clicked, this, [this] { Q_EMIT retryRequested(selectedIds()); });
    connect(m_up, &QToolButton::clicked, this, [this] { moveBy(-1); });
    connect(m_down, &QToolButton::clicked, this, [this] { moveBy(1); });
    connect(m_parallel, &QSpinBox::valueChanged, this, &QueueView::parallelRequested);
    connect(m_stopAtFailure, &QCheckBox::clicked, this, &QueueView::stopAtFailureRequested);
}

void QueueView::makeList()
{
    styleView(m_list);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAllColumnsShowFocus(true);
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_list->setDragDropMode(QAbstractItemView::InternalMove);
    m_list->setDragDropOverwriteMode(false);
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->setAccessibleName(tr("Builds"));
}

void QueueView::makeTools()
{
    m_parallel->setKeyboardTracking(false);
    m_parallel->setPrefix(tr("At a time: ", "builds"));
    m_parallel->setSpecialValueText(tr("At a time: auto", "builds"));
    describe(m_stopAtFailure, m_stopAtFailure->text(),
             tr("Pause the queue when a build fails; running builds "
                "continue"));
    arrange({m_pause, m_stop, m_stopAll, m_retry, m_up, m_down, m_parallel, m_stopAtFailure}, m_list, m_list,
            tr("No builds yet. Select cells and press B."));
}

void QueueView::setModel(QueueModel *model)
{
    m_model = model;
    m_list->setModel(model);
    m_list->setItemDelegateForColumn(int(QueueModel::Column::State),
                                     new QueueStateDelegate(QueueModel::BuildPhaseRole, this));
    QHeaderView *header = m_list->header();
    fitColumns(header, {int(QueueModel::Column::Branch), int(QueueModel::Column::Progress)});
    connect(model, &QueueModel::moveRequested, this, &QueueView::moveRequested);
    // Selected jobs stay selected when rows are added, removed and moved.
    auto selected = std::make_shared<QStringList>();
    auto current = std::make_shared<QString>();
    connect(model, &QAbstractItemModel::modelAboutToBeReset, this, [this, selected, current] {
        *selected = selectedIds();
        *current = m_list->currentIndex().data(QueueModel::IdRole).toString();
    });
    connect(model, &QAbstractItemModel::modelReset, this, [this, selected, current] {
        const QSignalBlocker quiet(m_list->selectionModel());
        const QItemSelection selection = rowsOf(*selected);
        if (const int row = m_model->rowOf(*current); row >= 0)
            m_list->selectionModel()->setCurrentIndex(m_model->index(row, 0), QItemSelectionModel::NoUpdate);
        m_list->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
        m_list->viewport()->update();
    });
    const auto showNames = [this, header] { this->showNames(header, int(QueueModel::Column::Gpu), m_model->names()); };
    connect(model, &QAbstractItemModel::modelReset, this, showNames);
    showNames();
    connect(model, &QAbstractItemModel::modelReset, this, &QueueView::showChoice);
    connect(model, &QAbstractItemModel::modelReset, this, &QueueView::countChanged);
    connect(model, &QAbstractItemModel::dataChanged, this, &QueueView::showChoice);
    connect(model, &QAbstractItemModel::dataChanged, this, [this, active = -1]() mutable {
        if (std::exchange(active, activeCount()) != activeCount())
            Q_EMIT countChanged();
    });
    connect(m_list->selectionModel(), &QItemSelectionModel::selectionChanged, this, &QueueView::showChoice);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &index) {
        if (index.isValid())
            Q_EMIT shown(index.data(QueueModel::IdRole).toString());
    });
    showChoice();
}

/// Joins adjacent rows to one range: a selection of a thousand ranges is a thousand times slower.
QItemSelection QueueView::rowsOf(const QStringList &ids) const
{
    QList<int> rows;
    for (const QString &id : ids) {
        if (const int row = m_model->rowOf(id); row >= 0)
            rows.append(row);
    }
    std::sort(rows.begin(), rows.end());
    QItemSelection selection;
    for (qsizetype first = 0, next = 0; first < rows.size(); first = next) {
        next = first + 1;
        while (next < rows.size() && rows.at(next) == rows.at(next - 1) + 1)
            ++next;
        selection.select(m_model->index(rows.at(first), 0), m_model->index(rows.at(next - 1), QueueModel::columns - 1));
    }
    return selection;
}

void QueueView::setContents(const QueueContents &contents)
{
    m_paused = contents.paused;
    m_pause->setText(m_paused ? tr("Resume") : tr("Pause"));
    describe(m_pause, m_paused ? tr("Resume the queue") : tr("Pause the queue"),
             m_paused ? tr("Start the waiting builds") : tr("Start no more builds; running builds continue"));
    if (!m_parallel->hasFocus()) { // Or the user is typing.
        const QSignalBlocker quiet(m_parallel);
        m_parallel->setValue(contents.parallel);
    }
    m_stopAtFailure->setChecked(contents.stopAtFailure);
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
        return; // It is already the first waiting job.
    Q_EMIT moveRequested(ids, before && before->phase == JobPhase::Waiting ? before->job.id : QString());
}

void QueueView::showChoice()
{
    bool active = false;
    bool waiting = false;
    bool ended = false;
    const QModelIndexList rows =
        m_list->selectionModel() ? m_list->selectionModel()->selectedRows() : QModelIndexList();
    for (const QModelIndex &row : rows) {
        const JobRecord *record = m_model->recordAt(row.row());
        active |= record && record->isActive();
        waiting |= record && record->phase == JobPhase::Waiting;
        ended |= record && !record->isActive();
    }
    m_stop->setEnabled(active);
    m_stopAll->setEnabled(m_model && m_model->hasActive());
    m_retry->setEnabled(ended);
    m_up->setEnabled(waiting);
    m_down->setEnabled(waiting);
    const bool any = m_model && m_model->rowCount() > 0;
    showBuilds(any, any ? m_model->summary() : QString());
}

void QueueView::select(const QString &id)
{
    if (const int row = m_model ? m_model->rowOf(id) : -1; row >= 0)
        m_list->setCurrentIndex(m_model->index(row, 0));
}

bool QueueView::has(const QString &id) const
{
    return m_model && m_model->rowOf(id) >= 0;
}

int QueueView::activeCount() const
{
    return m_model ? m_model->activeCount() : 0;
}

bool QueueView::takesKey(const QKeyEvent &event)
{
    if (event.key() == Qt::Key_Delete && event.modifiers() == Qt::ShiftModifier)
        Q_EMIT stopAllRequested();
    else if (event.key() == Qt::Key_Delete)
        Q_EMIT stopRequested(selectedIds());
    else if (event.key() == Qt::Key_R && event.modifiers() == Qt::NoModifier)
        Q_EMIT retryRequested(selectedIds());
    else if (event.modifiers() == Qt::AltModifier && (event.key() == Qt::Key_Up || event.key() == Qt::Key_Down))
        moveBy(event.key() == Qt::Key_Up ? -1 : 1);
    else
        return false;
    return true;
}

/// Handles keys before the list, which would search for a name by the typed letter.
bool QueueView::eventFilter(QObject *watched, QEvent *event)
{
    return (event->type() == QEvent::KeyPress && takesKey(*static_cast<QKeyEvent *>(event))) ||
           BuildsPage::eventFilter(watched, event);
}

} // namespace tmx
