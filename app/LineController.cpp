// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/LineController.h"

#include "app/Notices.h"
#include "model/settings/LineFile.h"
#include "model/workspace/Workspace.h"
#include "views/DiffDialog.h"
#include "views/line/LinePage.h"

#include <QFuture>
#include <QtConcurrent>

#include <chrono>

using namespace Qt::StringLiterals;

namespace tmx {

LineController::LineController(Workspace *workspace, LinePage *page, Notices *notices, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_page(page)
    , m_notices(notices)
{
    m_settle.setSingleShot(true);
    m_settle.setInterval(std::chrono::milliseconds(120));
    connect(&m_settle, &QTimer::timeout, this, &LineController::judge);
    connect(workspace, &Workspace::snapshotChanged, this, &LineController::takeSnapshot);
    connect(page, &LinePage::edited, this, [this] {
        if (m_page->isEdited())
            m_drafts.insert(place(), m_page->line());
        else
            m_drafts.remove(place());
        ++m_generation;
        m_settle.start();
    });
    connect(page, &LinePage::saveRequested, this, &LineController::offer);
    connect(workspace->operations(), &Operations::applied, this, [this](OperationId id, const QList<Applied> &applied) {
        if (id != m_saving)
            return;
        const Applied &saved = applied.constFirst();
        m_page->setBusy(false);
        m_drafts.remove(m_workspace->info().workTree + u'\n' + saved.branch);
        m_notices->offerUndo(tr("Saved the line of %1, committed as %2.").arg(saved.branch, saved.commit.left(7)),
                             {saved});
    });
    connect(workspace->operations(), &Operations::failed, this, [this](OperationId id) {
        if (id == m_saving)
            m_page->setBusy(false);
    });
    QtConcurrent::run([catalog = workspace->catalog()] {
        return templatesByFamily(*catalog);
    }).then(this, [this](const QHash<QString, QStringList> &templates) { m_page->setTemplates(templates); });
}

QString LineController::place() const
{
    return m_workspace->info().workTree + u'\n' + (m_workspace->isOpen() ? m_workspace->snapshot()->branch : QString());
}

void LineController::takeSnapshot()
{
    const Line &saved = m_workspace->snapshot()->line;
    m_page->setLine(saved, m_drafts.value(place(), saved));
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

void LineController::offer()
{
    m_page->setBusy(true);
    QtConcurrent::run(offerLine, m_workspace->catalog(), m_workspace->info().workTree, m_workspace->snapshot()->branch,
                      m_page->line())
        .then(this, [this](const Result<LineOffer> &made) {
            if (made)
                return ask(*made);
            m_page->setBusy(false);
            m_notices->information(made.error().sentence());
        });
}

void LineController::ask(const LineOffer &offer)
{
    if (offer.diff.isEmpty()) {
        m_page->setBusy(false);
        m_notices->information(tr("Branch %1 has that line already.").arg(offer.branch));
        return;
    }
    QString sentence =
        tr("This is committed to branch %1 as torch-matrix.toml, and nothing else with it.").arg(offer.branch);
    if (offer.lostComments == 1)
        sentence += u' ' + tr("1 line of comments goes with what is written anew.");
    else if (offer.lostComments > 1)
        sentence += u' ' + tr("%1 lines of comments go with what is written anew.").arg(offer.lostComments);
    auto *dialog = new DiffDialog(
        {tr("Save the line of %1").arg(offer.branch), sentence, tr("Commit"), offer.diff, offer.after, lineFileName},
        m_page);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, offer] {
        m_saving = m_workspace->operations()->run(tr("Saving the line"), [path = m_workspace->info().workTree, offer] {
            return appliedOf(commitLine(path, offer));
        });
    });
    connect(dialog, &QDialog::rejected, this, [this] { m_page->setBusy(false); });
    dialog->open();
}

} // namespace tmx
