// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/HistoryController.h"

#include "model/compare/History.h"
#include "model/workspace/Workspace.h"
#include "views/history/HistoryPanel.h"

#include <QtConcurrent>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {
constexpr int mostCommits = 200;
}

HistoryController::HistoryController(Workspace *workspace, QWidget *window)
    : QObject(window)
    , m_workspace(workspace)
    , m_window(window)
{
}

HistoryController::~HistoryController()
{
    if (m_stop)
        *m_stop = true;
}

void HistoryController::open(const QString &name)
{
    if (!m_workspace->isOpen() || name.isEmpty())
        return;
    if (!m_panel) {
        m_panel = std::make_unique<HistoryPanel>();
        m_panel->setWindowFlag(Qt::Window);
        m_panel->setObjectName(u"history"_s);
        m_panel->resize(QSize(1060, 640).boundedTo(m_window->size()));
    }
    m_panel->setWindowTitle(tr("History of %1").arg(name));
    m_panel->setMessage(tr("Reading the history of %1\u2026").arg(name));
    m_panel->show();
    m_panel->raise();
    m_panel->activateWindow();
    m_panel->setFocus(Qt::ActiveWindowFocusReason);

    if (m_stop)
        *m_stop = true;
    m_stop = std::make_shared<std::atomic_bool>(false);
    const quint64 generation = ++m_generation;
    const auto read = [catalog = m_workspace->catalog(), path = m_workspace->info().workTree,
                       branch = m_workspace->snapshot()->branch, name, stop = m_stop] {
        return historyOf(*catalog, path, branch, name, mostCommits, [stop] { return stop->load(); });
    };
    QtConcurrent::run(read).then(this, [this, generation](const Result<CellHistory> &history) {
        if (generation != m_generation)
            return;
        if (history)
            m_panel->setHistory(*history);
        else
            m_panel->setMessage(history.error().sentence());
    });
}

} // namespace tmx
