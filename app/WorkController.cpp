// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/WorkController.h"

#include "app/Notices.h"
#include "model/workspace/LineSave.h"
#include "model/workspace/Workspace.h"
#include "views/work/CopyForm.h"
#include "views/work/LineChangeForm.h"
#include "views/work/ReadmeForm.h"

#include <QFuture>
#include <QtConcurrent>

namespace tmx {

namespace {

struct DialogWords {
    QString title;
    QString action;
};

DialogWords wordsOf(WorkController::Kind kind, const QString &branch)
{
    switch (kind) {
    case WorkController::Kind::Derive:
        return {WorkController::tr("Derive a line"), WorkController::tr("Create branch")};
    case WorkController::Kind::Migrate:
        return {WorkController::tr("Migrate %1").arg(branch), WorkController::tr("Migrate")};
    case WorkController::Kind::Copy: return {WorkController::tr("Copy to a branch"), WorkController::tr("Copy")};
    case WorkController::Kind::Readme: return {WorkController::tr("README tables"), WorkController::tr("Write")};
    }
    Q_UNREACHABLE_RETURN({});
}

} // namespace

WorkController::WorkController(Workspace *workspace, Notices *notices, QWidget *window)
    : QObject(window)
    , m_workspace(workspace)
    , m_notices(notices)
    , m_window(window)
{
    // What is shown may no longer be what is there.
    const auto refresh = [this] {
        if (m_dialog)
            m_dialog->refresh();
    };
    connect(workspace, &Workspace::snapshotChanged, this, refresh);
    connect(workspace, &Workspace::infoChanged, this, refresh);
}

void WorkController::open(Kind kind, const QStringList &names)
{
    if (!m_workspace->isOpen() || m_dialog)
        return;
    const QString branch = m_workspace->snapshot()->branch;
    if (branch.isEmpty()) {
        m_notices->information(tr("No branch is checked out, so there is none to work on; choose one above."));
        return;
    }
    WorkForm *form = formOf(kind, names);
    if (!form)
        return;
    const auto [title, action] = wordsOf(kind, branch);
    auto *work = new BranchWork(m_workspace->reader(), m_workspace->info().workTree);
    m_dialog = new WorkDialog(title, action, form, work, m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(form, &WorkForm::lineWanted, work, &BranchWork::readLine);
    if (auto *lineForm = qobject_cast<LineChangeForm *>(form)) {
        connect(work, &BranchWork::lineRead, lineForm,
                [lineForm](const LineReading &reading) { lineForm->setLine(reading.line); });
        work->readLine(branch);
    }
    connect(m_dialog, &WorkDialog::done, this, &WorkController::tell);
    m_dialog->open();
    m_dialog->refresh();
}

WorkForm *WorkController::formOf(Kind kind, const QStringList &names)
{
    const QString branch = m_workspace->snapshot()->branch;
    QStringList others;
    for (const BranchRef &ref : m_workspace->info().branches) {
        if (ref.name != branch && !ref.commit.isEmpty())
            others.append(ref.name);
    }
    switch (kind) {
    case Kind::Derive:
    case Kind::Migrate: return lineForm(kind);
    case Kind::Copy: {
        QStringList present;
        for (const QString &name : names) {
            if (const VariantEntry *entry = m_workspace->snapshot()->find(name); entry && entry->present)
                present.append(name);
        }
        if (present.isEmpty()) {
            m_notices->information(tr("Select cells with a recipe first: those are copied."));
            return nullptr;
        }
        if (others.isEmpty()) {
            m_notices->information(tr("There is no other branch to copy to."));
            return nullptr;
        }
        return new CopyForm(branch, present, others);
    }
    case Kind::Readme: return new ReadmeForm(branch, int(others.size()) + 1);
    }
    Q_UNREACHABLE_RETURN(nullptr);
}

LineChangeForm *WorkController::lineForm(Kind kind)
{
    QStringList branches;
    for (const BranchRef &ref : m_workspace->info().branches) {
        if (!ref.commit.isEmpty())
            branches.append(ref.name);
    }
    const auto formKind = kind == Kind::Derive ? LineChangeForm::Kind::Derive : LineChangeForm::Kind::Migrate;
    auto *form = new LineChangeForm(formKind, m_workspace->catalog(), branches, m_workspace->snapshot()->branch);
    QtConcurrent::run([catalog = m_workspace->catalog()] {
        return templatesByFamily(*catalog);
    }).then(form, [form](const QHash<QString, QStringList> &templates) { form->setTemplates(templates); });
    return form;
}

void WorkController::tell(const WorkOutcome &outcome)
{
    QList<Applied> applied;
    for (const WriteReport &report : outcome.reports)
        applied.append(*appliedOf(report));
    const Applied &first = applied.constFirst();
    if (std::holds_alternative<DeriveRequest>(outcome.request)) {
        m_notices->offer(
            tr("Made branch %1 with commit %2: %3.").arg(first.branch, first.commit.left(7), first.subject),
            tr("Show branch"), [this, branch = first.branch] { m_workspace->showBranch(branch); });
    } else if (!std::holds_alternative<ReadmeRequest>(outcome.request)) {
        m_notices->applied(first);
    } else {
        m_notices->offerUndo(applied.size() == 1
                                 ? tr("Wrote README.md, committed to %1 as %2.").arg(first.branch, first.commit.left(7))
                                 : tr("Wrote README.md on %1 branches, each as one commit.").arg(applied.size()),
                             applied);
    }
    m_workspace->refresh();
}

} // namespace tmx
