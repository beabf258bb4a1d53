// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/ScheduleController.h"

#include "model/builds/Estimate.h"
#include "model/builds/JobWatch.h"
#include "model/workspace/Workspace.h"
#include "views/queue/BuildsView.h"

#include <QtConcurrent>

#include <algorithm>

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
        if (record.outcome)
            stamp += u" %1"_s.arg(record.job.id);
        else if (record.isActive())
            stamp += u" %1 %2 %3"_s.arg(record.job.id)
                         .arg(int(record.phase))
                         .arg(seen.progress.value(record.job.id).secondsLeft);
    }
    return stamp;
}

} // namespace

ScheduleController::ScheduleController(Workspace *workspace, JobWatch *watch, BuildsView *view, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_watch(watch)
    , m_view(view)
{
    m_minute.setInterval(1min);
    connect(&m_minute, &QTimer::timeout, this, &ScheduleController::plan);
    connect(view, &BuildsView::appeared, this, &ScheduleController::plan);
    connect(watch, &JobWatch::changed, this, &ScheduleController::planIfChanged);
}

bool ScheduleController::isNeeded() const
{
    return m_view->isVisible() || std::ranges::any_of(m_watch->seen()->jobs, &JobRecord::isActive);
}

void ScheduleController::planIfChanged()
{
    if (stampOf(*m_watch->seen()) != m_planned)
        plan();
}

void ScheduleController::plan()
{
    m_planned = stampOf(*m_watch->seen());
    if (!isNeeded()) {
        m_minute.stop();
        Q_EMIT planned({});
        return;
    }
    m_minute.start();
    QtConcurrent::run([catalog = m_workspace->catalog(), seen = m_watch->seen(), state = m_watch->state()] {
        return std::shared_ptr<const Estimate>(std::make_shared<Estimate>(estimateQueue(*catalog, *seen, state)));
    }).then(this, [this, asked = ++m_asked](const std::shared_ptr<const Estimate> &estimate) {
        if (asked != m_asked)
            return;
        m_view->setEstimate(estimate);
        Q_EMIT planned(estimate);
    });
}

} // namespace tmx
