// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/ScheduleController.h"

#include "model/builds/Estimate.h"
#include "model/builds/JobWatch.h"
#include "model/workspace/Workspace.h"
#include "views/queue/QueueView.h"

#include <QtConcurrent>

#include <chrono>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace tmx {

namespace {

/// Changes whenever the plan would. Builds change their steps twice a second, but their remaining time once a minute.
QString stampOf(const JobsSeen &seen)
{
    QString stamp = u"%1 %2 "_s.arg(seen.queue.parallel).arg(seen.queue.paused) + seen.queue.waiting.join(u' ');
    for (const JobRecord &record : seen.jobs) {
        if (record.isActive())
            stamp += u" %1 %2 %3"_s.arg(record.job.id)
                         .arg(int(record.phase))
                         .arg(seen.progress.value(record.job.id).secondsLeft);
    }
    return stamp;
}

} // namespace

ScheduleController::ScheduleController(Workspace *workspace, JobWatch *watch, QueueView *view, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_watch(watch)
    , m_view(view)
{
    m_minute.setInterval(1min);
    connect(&m_minute, &QTimer::timeout, this, &ScheduleController::plan);
    connect(view, &QueueView::scheduleAppeared, this, &ScheduleController::plan);
    connect(watch, &JobWatch::changed, this, &ScheduleController::planIfChanged);
}

void ScheduleController::planIfChanged()
{
    if (m_view->showsSchedule() && stampOf(*m_watch->seen()) != m_planned)
        plan();
}

void ScheduleController::plan()
{
    if (!m_view->showsSchedule())
        return m_minute.stop();
    m_minute.start();
    m_planned = stampOf(*m_watch->seen());
    QtConcurrent::run([catalog = m_workspace->catalog(), seen = m_watch->seen(), state = m_watch->state()] {
        return std::shared_ptr<const Estimate>(std::make_shared<Estimate>(estimateQueue(*catalog, *seen, state)));
    }).then(this, [this, asked = ++m_asked](const std::shared_ptr<const Estimate> &estimate) {
        if (asked == m_asked)
            m_view->setEstimate(estimate);
    });
}

} // namespace tmx
