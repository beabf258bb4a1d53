// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/PastBuildsController.h"

#include "model/base/AtomicFile.h"
#include "model/builds/Campaign.h"
#include "model/builds/JobWatch.h"
#include "model/builds/PastBuilds.h"
#include "model/builds/TeamBuilds.h"
#include "model/job/EndedJobs.h"
#include "model/job/LogKeeping.h"
#include "model/workspace/Workspace.h"
#include "views/queue/PastBuildsView.h"

#include <QDesktopServices>
#include <QDir>
#include <QUrl>
#include <QtConcurrent>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct Read {
    Result<QList<BuildRecord>> records;
    QString notice;
    LogUse logs;
};

/// All builds of a repository, including those that ended since the last read.
Result<BuildHistory> caughtUp(const QString &state)
{
    Result<BuildHistory> history = BuildHistory::open(state + u"/builds.sqlite"_s);
    if (!history)
        return history;
    const Result<int> added = recordEndedJobs(*history, state);
    return added ? std::move(history) : added.error();
}

Read readAll(const QString &state, const QString &repository)
{
    Result<BuildHistory> history = caughtUp(state);
    if (!history)
        return {.records = history.error(), .notice = {}, .logs = {}};
    Result<QList<BuildRecord>> records = history->records({.repository = repository});
    if (records)
        records = newestFirst(*records + othersBuilds(repository).builds);
    return {.records = records, .notice = history->notice(), .logs = logUse(state)};
}

/// Writes the page with the state of a branch's builds; returns its path.
Result<QString> writeReport(const Catalog &catalog, const BranchSnapshot &snapshot, const QString &state)
{
    TM_TRY(history, caughtUp(state));
    TM_TRY(campaign, readCampaign(catalog, snapshot, *history));
    const QString page = campaignAsHtml(*campaign);
    const QString path = state + u"/report.html"_s;
    const Result<void> written = writeFileAtomically(path, page.toUtf8(), {});
    return written ? Result<QString>(path) : written.error();
}

} // namespace

PastBuildsController::PastBuildsController(Workspace *workspace, JobWatch *watch, PastBuildsView *view, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_watch(watch)
    , m_view(view)
    , m_model(new PastBuilds(this))
{
    view->setModel(m_model);
    connect(view, &PastBuildsView::appeared, this, &PastBuildsController::read);
    connect(view, &PastBuildsView::exportRequested, this, &PastBuildsController::exportTo);
    connect(view, &PastBuildsView::reportRequested, this, &PastBuildsController::openReport);
    connect(watch, &JobWatch::changed, this, [this] {
        const auto ended =
            std::ranges::count_if(m_watch->seen()->jobs, [](const JobRecord &job) { return job.outcome.has_value(); });
        if (std::exchange(m_ended, ended) != ended && m_view->isVisible())
            read();
    });
}

void PastBuildsController::read()
{
    if (!m_workspace->isOpen())
        return;
    QtConcurrent::run([state = m_watch->state(), repository = m_workspace->info().workTree] {
        return readAll(state, repository);
    }).then(this, [this, asked = ++m_asked](const Read &read) {
        if (asked != m_asked)
            return;
        m_model->setRecords(read.records ? *read.records : QList<BuildRecord>());
        m_view->setNotice(read.records ? read.notice : read.records.error().sentence());
        m_view->setLogs(read.logs.bytes, m_watch->seen()->queue.logLimit);
    });
}

void PastBuildsController::exportTo(const QString &path)
{
    QtConcurrent::run([path, table = toCsv(m_model->shown())] {
        return writeFileAtomically(path, table, {});
    }).then(this, [this, path](const Result<void> &written) {
        if (written)
            Q_EMIT told(tr("Saved the builds as %1.").arg(path));
        else
            Q_EMIT refused(written.error().sentence());
    });
}

void PastBuildsController::openReport()
{
    const std::shared_ptr<const BranchSnapshot> snapshot = m_workspace->snapshot();
    if (!snapshot)
        return;
    QtConcurrent::run([catalog = m_workspace->catalog(), snapshot, state = m_watch->state()] {
        return writeReport(*catalog, *snapshot, state);
    }).then(this, [this](const Result<QString> &path) {
        if (!path)
            Q_EMIT refused(path.error().sentence());
        else if (!QDesktopServices::openUrl(QUrl::fromLocalFile(*path)))
            Q_EMIT told(tr("The report was saved as %1. No program is set up to open it.").arg(*path));
    });
}

} // namespace tmx
