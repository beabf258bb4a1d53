// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/LineController.h"

#include "model/change/SaveSettings.h"
#include "model/workspace/Workspace.h"
#include "views/line/LinePage.h"

#include <QFuture>
#include <QtConcurrent>

#include <chrono>

namespace tmx {

LineController::LineController(Workspace *workspace, LinePage *page, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_page(page)
{
    m_settle.setSingleShot(true);
    m_settle.setInterval(std::chrono::milliseconds(120));
    connect(&m_settle, &QTimer::timeout, this, &LineController::judge);
    connect(workspace, &Workspace::snapshotChanged, this, &LineController::takeSnapshot);
    connect(page, &LinePage::edited, this, [this] {
        if (m_page->isEdited())
            m_drafts.insert(placeOf(branch()), m_page->line());
        else
            m_drafts.remove(placeOf(branch()));
        ++m_generation;
        m_settle.start();
    });
    connect(page, &LinePage::saveRequested, this, [this] { Q_EMIT saveRequested(branch(), m_page->line()); });
    QtConcurrent::run([catalog = workspace->catalog()] {
        return templatesByFamily(*catalog);
    }).then(this, [this](const QHash<QString, QStringList> &templates) { m_page->setTemplates(templates); });
}

QString LineController::placeOf(const QString &branch) const
{
    return m_workspace->info().workTree + u'\n' + branch;
}

QString LineController::branch() const
{
    return m_workspace->isOpen() ? m_workspace->snapshot()->branch : QString();
}

void LineController::forgetDraft(const QString &branch)
{
    m_drafts.remove(placeOf(branch));
}

void LineController::takeSnapshot()
{
    const Line &saved = m_workspace->snapshot()->line;
    m_page->setLine(saved, m_drafts.value(placeOf(branch()), saved));
    m_page->setFileTrouble(m_workspace->snapshot()->lineError);
    judge();
}

void LineController::judge()
{
    const quint64 generation = ++m_generation;
    m_judging = true;
    QtConcurrent::run([catalog = m_workspace->catalog(), line = m_page->line()] {
        return judgeLine(*catalog, line);
    }).then(this, [this, generation](const LineVerdict &verdict) {
        if (generation != m_generation)
            return;
        m_judging = false;
        m_page->setVerdict(verdict);
        Q_EMIT judged();
    });
}

} // namespace tmx
