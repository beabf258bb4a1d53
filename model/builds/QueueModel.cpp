// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/QueueModel.h"

#include "model/base/TextForm.h"
#include "model/job/RunningBuilds.h"
#include "model/outcome/OutcomeText.h"

#include <QFileInfo>
#include <QMimeData>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

const QString mime = u"application/x-torch-matrix-jobs"_s;

QStringList idsOf(const QList<const JobRecord *> &rows)
{
    QStringList ids;
    for (const JobRecord *record : rows)
        ids.append(record->job.id);
    return ids;
}

} // namespace

QueueModel::QueueModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void QueueModel::setSeen(const std::shared_ptr<const JobsSeen> &seen)
{
    QList<const JobRecord *> rows;
    QHash<QString, const JobRecord *> waiting;
    for (const JobRecord &record : seen->jobs) {
        if (record.phase == JobPhase::Waiting)
            waiting.insert(record.job.id, &record);
        else if (record.isActive())
            rows.append(&record);
    }
    for (const QString &id : seen->queue.active) { // About to start.
        if (const JobRecord *record = waiting.value(id))
            rows.append(record);
    }
    for (const QString &id : seen->queue.waiting) {
        if (const JobRecord *record = waiting.value(id))
            rows.append(record);
    }
    QList<const JobRecord *> ended;
    for (const JobRecord &record : seen->jobs) {
        if (record.outcome)
            ended.append(&record);
    }
    std::stable_sort(ended.begin(), ended.end(), [](const JobRecord *one, const JobRecord *other) {
        return one->outcome->ended > other->outcome->ended;
    });
    rows += ended.first(qMin(ended.size(), mostEnded));

    m_severalRepositories = std::ranges::any_of(
        rows, [&rows](const JobRecord *one) { return one->job.repository != rows.constFirst()->job.repository; });
    const bool sameRows = idsOf(rows) == idsOf(m_rows);
    if (!sameRows)
        beginResetModel();
    const std::shared_ptr<const JobsSeen> before = std::exchange(m_seen, seen); // m_rows points into them
    m_rows = rows;
    if (!sameRows) {
        m_rowById.clear();
        QStringList names;
        for (const JobRecord *record : std::as_const(m_rows)) {
            m_rowById.insert(record->job.id, int(m_rowById.size()));
            names.append(record->job.variant);
        }
        m_names = ShortNames(names);
        endResetModel();
    }
    if (sameRows && !rows.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(int(rows.size()) - 1, columns - 1));
}

const JobRecord *QueueModel::recordAt(int row) const
{
    return row >= 0 && row < m_rows.size() ? m_rows.at(row) : nullptr;
}

int QueueModel::rowOf(const QString &id) const
{
    return m_rowById.value(id, -1);
}

int QueueModel::activeCount() const
{
    return int(std::ranges::count_if(m_rows, &JobRecord::isActive));
}

QString QueueModel::summary() const
{
    int running = 0;
    int waiting = 0;
    int built = 0;
    int failed = 0;
    for (const JobRecord *record : m_rows) {
        if (record->phase == JobPhase::Waiting)
            ++waiting;
        else if (record->isActive())
            ++running;
        else if (record->outcome && record->outcome->build.kind == BuildOutcome::Kind::Built)
            ++built;
        else if (record->outcome && record->outcome->build.kind != BuildOutcome::Kind::Stopped)
            ++failed;
    }
    const QString counts =
        tr("%1 running, %2 waiting, %3 built, %4 failed").arg(running).arg(waiting).arg(built).arg(failed);
    if (m_seen->queue.damaged)
        return tr("Paused: %1 is damaged. Resume writes it again, with the builds as they are listed. %2")
            .arg(m_seen->queueFile, counts);
    if (!m_seen->queue.paused)
        return m_seen->queue.slowed > 0 ? counts + u". "_s + m_seen->queue.slowedText() : counts;
    return m_seen->queue.pausedBy.isEmpty() ? tr("Paused: %1").arg(counts) : tr("Paused by a failure: %1").arg(counts);
}

BuildState QueueModel::stateOf(const JobRecord &record) const
{
    BuildState state = m_seen->progress.value(record.job.id);
    switch (record.phase) {
    case JobPhase::Waiting: state.phase = BuildState::Phase::Queued; break;
    case JobPhase::Running: state.phase = BuildState::Phase::Running; break;
    case JobPhase::Stopping: state.phase = BuildState::Phase::Stopping; break;
    case JobPhase::Lost: state.phase = BuildState::Phase::Failed; break;
    case JobPhase::Ended:
        state.phase = !record.outcome                                             ? BuildState::Phase::Failed
                      : record.outcome->build.kind == BuildOutcome::Kind::Built   ? BuildState::Phase::Built
                      : record.outcome->build.kind == BuildOutcome::Kind::Stopped ? BuildState::Phase::None
                                                                                  : BuildState::Phase::Failed;
        break;
    }
    return state;
}

QString QueueModel::text(const JobRecord &record, Column column) const
{
    const BuildState state = stateOf(record);
    switch (column) {
    case Column::Gpu:
    case Column::Cpu:
    case Column::Cuda:
    case Column::Python:
    case Column::Package: return m_names.part(record.job.variant, *namePartOf(column));
    case Column::State:
        switch (state.phase) {
        case BuildState::Phase::Queued: return tr("waiting");
        case BuildState::Phase::Running: return state.silentMinutes > 0 ? tr("silent") : tr("running");
        case BuildState::Phase::Stopping: return tr("stopping");
        case BuildState::Phase::Built: return tr("built");
        case BuildState::Phase::None: return tr("stopped");
        case BuildState::Phase::Failed:
        case BuildState::Phase::Stale:
        case BuildState::Phase::Published:
        case BuildState::Phase::Elsewhere:
        case BuildState::Phase::FailedElsewhere:
            return record.outcome && record.outcome->build.kind != BuildOutcome::Kind::Lost ? tr("failed") : tr("lost");
        }
        Q_UNREACHABLE_RETURN({});
    case Column::Branch: {
        const QString branch = record.job.here ? tr("%1 (working tree)").arg(record.job.branch) : record.job.branch;
        return m_severalRepositories
                   ? tr("%1: %2", "repository, branch").arg(QFileInfo(record.job.repository).fileName(), branch)
                   : branch;
    }
    case Column::Progress: return record.outcome ? remarkOf(record.outcome->build) : progressText(state);
    case Column::Time:
        if (record.outcome)
            return durationText(record.outcome->build.milliseconds);
        return state.since.isValid() ? durationText(state.since.msecsTo(QDateTime::currentDateTime())) : QString();
    }
    Q_UNREACHABLE_RETURN({});
}

int QueueModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int QueueModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : columns;
}

QVariant QueueModel::data(const QModelIndex &index, int role) const
{
    const JobRecord *record = recordAt(index.row());
    if (!record || index.column() >= columns)
        return {};
    switch (role) {
    case Qt::DisplayRole: return text(*record, Column(index.column()));
    case Qt::ToolTipRole:
        if (index.column() == int(Column::Branch))
            return tr("%1 of %2", "branch, repository").arg(record->job.branch, record->job.repository);
        if (namePartOf(Column(index.column())))
            return record->job.variant;
        return record->outcome && index.column() == int(Column::Progress) ? sentenceOf(record->outcome->build)
                                                                          : text(*record, Column(index.column()));
    case Qt::AccessibleTextRole:
        return Column(index.column()) == Column::Gpu ? record->job.variant : text(*record, Column(index.column()));
    case wholeNameRole: return record->job.variant;
    case IdRole: return record->job.id;
    case JobPhaseRole: return int(record->phase);
    case BuildPhaseRole: return int(stateOf(*record).phase);
    default: return {};
    }
}

QVariant QueueModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section >= columns)
        return {};
    switch (Column(section)) {
    case Column::State: return tr("State");
    case Column::Gpu:
    case Column::Cpu:
    case Column::Cuda:
    case Column::Python:
    case Column::Package: return titleOf(*namePartOf(Column(section)));
    case Column::Branch: return tr("Branch");
    case Column::Progress: return tr("Progress");
    case Column::Time: return tr("Time");
    }
    Q_UNREACHABLE_RETURN({});
}

Qt::ItemFlags QueueModel::flags(const QModelIndex &index) const
{
    const JobRecord *record = recordAt(index.row());
    if (!record)
        return Qt::ItemIsDropEnabled; // Drops are possible between rows and below the last one.
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    if (record->phase == JobPhase::Waiting)
        flags |= Qt::ItemIsDragEnabled;
    return flags;
}

QStringList QueueModel::mimeTypes() const
{
    return {mime};
}

QMimeData *QueueModel::mimeData(const QModelIndexList &indexes) const
{
    QStringList ids;
    for (const QModelIndex &index : indexes) {
        if (const QString id = index.data(IdRole).toString(); !ids.contains(id))
            ids.append(id);
    }
    auto *data = new QMimeData;
    data->setData(mime, ids.join(u'\n').toLatin1());
    return data;
}

bool QueueModel::dropMimeData(const QMimeData *data, Qt::DropAction action, int row, int, const QModelIndex &)
{
    if (action != Qt::MoveAction || !data->hasFormat(mime))
        return false;
    const JobRecord *before = recordAt(row);
    Q_EMIT moveRequested(QString::fromLatin1(data->data(mime)).split(u'\n'), before ? before->job.id : QString());
    return true;
}

} // namespace tmx
