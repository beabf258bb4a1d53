// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/BranchWork.h"

#include <QFuture>
#include <QPointer>
#include <QtConcurrent>

#include <utility>

namespace tmx {

BranchWork::BranchWork(std::shared_ptr<const SnapshotReader> reader, QString repository, QObject *parent)
    : QObject(parent)
    , m_reader(std::move(reader))
    , m_repository(std::move(repository))
{
    m_writers.setMaxThreadCount(1);
}

BranchWork::~BranchWork()
{
    if (m_stop)
        *m_stop = true;
    m_writers.waitForDone();
}

void BranchWork::setBusy(Busy busy)
{
    if (std::exchange(m_busy, busy) != busy)
        Q_EMIT busyChanged();
}

/// A new token to stop by, and progress of this generation alone; what was under way before is stopped.
WorkHooks BranchWork::hooks()
{
    if (m_stop)
        *m_stop = true;
    m_stop = std::make_shared<std::atomic_bool>(false);
    const auto tell = [self = QPointer(this), generation = m_generation](int done, int total) {
        // The object may go while a worker counts on: what is posted to it goes with it.
        QMetaObject::invokeMethod(QCoreApplication::instance(), [self, generation, done, total] {
            if (self && generation == self->m_generation && self->m_busy != Busy::Idle)
                Q_EMIT self->progressed(done, total);
        });
    };
    return {tell, [stop = m_stop] { return stop->load(); }};
}

template <typename T, typename Done>
void BranchWork::read(std::function<Result<T>(const WorkHooks &)> action, Done done)
{
    if (m_busy == Busy::Writing)
        return;
    const quint64 generation = ++m_generation;
    setBusy(Busy::Reading);
    QtConcurrent::run(std::move(action), hooks()).then(this, [this, generation, done](const Result<T> &result) {
        if (generation != m_generation)
            return;
        setBusy(Busy::Idle);
        if (result)
            done(*result);
        else
            Q_EMIT refused(result.error());
    });
}

void BranchWork::readLine(const QString &branch)
{
    read<LineReading>([catalog = catalog(), path = m_repository,
                       branch](const WorkHooks &) { return readLineOf(catalog, path, branch); },
                      [this](const LineReading &reading) { Q_EMIT lineRead(reading); });
}

void BranchWork::preview(const WorkRequest &request)
{
    read<WorkOffer>([reader = m_reader, path = m_repository,
                     request](const WorkHooks &hooks) { return offerWork(*reader, path, request, hooks); },
                    [this](const WorkOffer &offer) { Q_EMIT offered(offer); });
}

void BranchWork::stop()
{
    if (m_stop)
        *m_stop = true;
    if (m_busy != Busy::Reading)
        return;
    ++m_generation;
    setBusy(Busy::Idle);
    Q_EMIT stopped();
}

void BranchWork::apply(const WorkOffer &offer, const Plan &chosen)
{
    if (m_busy == Busy::Writing)
        return;
    const quint64 generation = ++m_generation;
    setBusy(Busy::Writing);
    QtConcurrent::run(&m_writers, [path = m_repository, offer, chosen, hooks = hooks()] {
        return applyWork(path, offer, chosen, hooks);
    }).then(this, [this, generation](const WorkOutcome &outcome) {
        Q_ASSERT(generation == m_generation); // nothing is read meanwhile
        setBusy(Busy::Idle);
        Q_EMIT applied(outcome);
    });
}

} // namespace tmx
