// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/WorkController.h"

#include "app/controllers/SettingsController.h"
#include "app/window/Notices.h"
#include "app/window/RecentRepositories.h"
#include "model/base/ShortList.h"
#include "model/change/Generate.h"
#include "model/change/SaveSettings.h"
#include "model/workspace/Workspace.h"
#include "views/settings/SettingsForm.h"
#include "views/work/CopyForm.h"
#include "views/work/ExportForm.h"
#include "views/work/IgnoreForm.h"
#include "views/work/LikeForm.h"
#include "views/work/ReadmeForm.h"
#include "views/work/SaveForm.h"
#include "views/work/SentenceForm.h"
#include "views/work/SettingsChangeForm.h"
#include "views/work/UndoForm.h"

#include <QFuture>
#include <QtConcurrent>

namespace tmx {

namespace {

/// The name of a single recipe, which the dialog does not list; else the number of recipes.
QString recipesOf(const QStringList &names)
{
    return names.size() == 1 ? names.constFirst() : WorkController::tr("%n recipes", nullptr, int(names.size()));
}

} // namespace

WorkController::WorkController(Workspace *workspace, Notices *notices, QWidget *window)
    : QObject(window)
    , m_workspace(workspace)
    , m_notices(notices)
    , m_window(window)
{
    // The shown state may be outdated.
    const auto refresh = [this] {
        if (m_dialog)
            m_dialog->refresh();
    };
    connect(workspace, &Workspace::snapshotChanged, this, refresh);
    connect(workspace, &Workspace::infoChanged, this, refresh);
}

QStringList WorkController::branches() const
{
    QStringList names;
    for (const BranchRef &branch : m_workspace->info().branches) {
        if (!branch.commit.isEmpty())
            names.append(branch.name);
    }
    return names;
}

void WorkController::open(Kind kind, const QStringList &names)
{
    if (!m_workspace->isOpen() || m_dialog)
        return;
    const QString branch = m_workspace->snapshot()->branch;
    if (branch.isEmpty())
        return m_notices->information(tr("No branch is checked out. Choose one above."));
    switch (kind) {
    case Kind::Derive:
    case Kind::Migrate: return openSettingsChange(kind);
    case Kind::Copy: return openCopy(names);
    case Kind::Like: return openLike(names);
    case Kind::Delete: return openDelete(names);
    case Kind::Discard: return openDiscard(names);
    case Kind::Export: return openExport();
    case Kind::Undo: return openUndo();
    case Kind::Readme: {
        const auto others = branches().size() - qsizetype(branches().contains(branch));
        return show(tr("README tables"), tr("Write"), new ReadmeForm(branch, int(others) + 1));
    }
    }
}

void WorkController::saveSettings(const QString &branch, const Settings &settings)
{
    if (!m_dialog)
        show(tr("Save the settings of %1").arg(branch), tr("Commit"), new SaveForm(branch, settings));
}

void WorkController::show(const QString &title, const QString &action, WorkForm *form)
{
    m_dialog = new WorkDialog(title, action, form, m_workspace->operations(), m_workspace->info().workTree, m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &WorkDialog::applied, this, &WorkController::tell);
    m_dialog->open();
    m_dialog->refresh();
}

/// The change of the open dialog, which is that of `branch`, may be made on other branches too.
void WorkController::offerBranches(const QString &branch)
{
    QtConcurrent::run(branchPlaces, m_workspace->info().workTree, branch)
        .then(m_dialog.get(),
              [dialog = m_dialog.get()](const QList<BranchPlace> &places) { dialog->offerBranches(places); });
}

void WorkController::openExport()
{
    const std::shared_ptr<const BranchSnapshot> snapshot = m_workspace->snapshot();
    auto *form = new ExportForm(snapshot->branch);
    QtConcurrent::run([snapshot] { return knownBuilds(*snapshot); }).then(form, [form](const KnownBuilds &builds) {
        form->setBuilds(builds);
    });
    show(tr("Export CI of %1").arg(snapshot->branch), tr("Commit"), form);
}

void WorkController::openUndo()
{
    constexpr qsizetype most = 200;
    const QString branch = m_workspace->snapshot()->branch;
    auto *form = new UndoForm(branch);
    QtConcurrent::run(commitsOf, m_workspace->info().workTree, branch, most)
        .then(form, [form](const Result<QList<BranchCommit>> &commits) {
            if (commits)
                form->setCommits(*commits);
            else
                form->setTrouble(commits.error().sentence());
        });
    show(tr("History of %1").arg(branch), tr("Undo"), form);
}

void WorkController::openCopy(const QStringList &names)
{
    const BranchSnapshot &snapshot = *m_workspace->snapshot();
    QStringList present;
    for (const QString &name : names) {
        if (const VariantEntry *entry = snapshot.find(name); entry && entry->present)
            present.append(name);
    }
    QStringList others = branches();
    others.removeAll(snapshot.branch);
    if (present.isEmpty())
        return m_notices->information(tr("Select cells with a recipe to copy first."));
    if (others.isEmpty())
        return m_notices->information(tr("There is no other branch to copy to."));
    show(tr("Copy to a branch"), tr("Copy"), new CopyForm(snapshot.branch, present, others));
}

void WorkController::openLike(const QStringList &names)
{
    const BranchSnapshot &snapshot = *m_workspace->snapshot();
    GenerateRequest request;
    request.branch = snapshot.branch;
    for (const QString &name : names) {
        const VariantEntry *entry = snapshot.find(name);
        if (!entry || !entry->present)
            request.names.append(name);
    }
    // A branch that is not checked out can only be written to by a commit.
    request.until = snapshot.checkedOut ? ChangeSet::Until::Index : ChangeSet::Until::Commit;
    if (request.names.isEmpty())
        return m_notices->information(tr("Select cells without a recipe first."));
    const QString &first = request.names.constFirst();
    const QStringList references = referencesFor(*m_workspace->catalog(), snapshot, first);
    if (references.isEmpty())
        return m_notices->information(tr("The branch has no recipe that %1 could be generated from.").arg(first));
    show(tr("Generate like another recipe"), snapshot.checkedOut ? tr("Generate") : tr("Commit"),
         new LikeForm(request, references));
}

void WorkController::openDelete(const QStringList &names)
{
    const BranchSnapshot &snapshot = *m_workspace->snapshot();
    DeleteRequest request{snapshot.branch, {}};
    bool committed = false;
    for (const QString &name : names) {
        const VariantEntry *entry = snapshot.find(name);
        if (!entry || !entry->present)
            continue;
        request.names.append(name);
        committed = committed || !entry->committed.isEmpty();
    }
    if (request.names.isEmpty())
        return m_notices->information(tr("Select cells with a recipe first."));
    const QString what = recipesOf(request.names);
    show(tr("Delete recipes"), tr("Delete"),
         new SentenceForm(request,
                          committed
                              ? tr("Deletes %1 and commits the deletion to branch %2. Edit > Undo reverts it.")
                                    .arg(what, snapshot.branch)
                              : tr("Deletes %1, which was never committed. The text is saved first; Undo in the notice "
                                   "restores it.")
                                    .arg(what)));
}

void WorkController::openDiscard(const QStringList &names)
{
    const BranchSnapshot &snapshot = *m_workspace->snapshot();
    DiscardRequest request;
    for (const QString &name : names) {
        const VariantEntry *entry = snapshot.find(name);
        if (entry && entry->present && entry->fileStatus != FileStatus::Clean)
            request.names.append(name);
    }
    if (request.names.isEmpty())
        return m_notices->information(tr("The selected recipes have no uncommitted changes."));
    show(tr("Discard changes"), tr("Discard"),
         new SentenceForm(request, tr("Discards the uncommitted changes of %1. The discarded text is saved first; "
                                      "Undo in the notice restores it.")
                                       .arg(recipesOf(request.names))));
}

void WorkController::ignoreRule(const QString &rule, const QStringList &recipes)
{
    if (m_workspace->isOpen() && !m_dialog)
        show(tr("Ignore findings of %1").arg(rule), tr("Commit"),
             new IgnoreForm(m_workspace->snapshot()->branch, rule, recipes));
}

void WorkController::fixRule(const QString &rule)
{
    if (!m_workspace->isOpen() || m_dialog)
        return;
    const QString branch = m_workspace->snapshot()->branch;
    show(tr("Fix all findings of %1").arg(rule), tr("Commit"),
         new SentenceForm(FixRequest{.branch = branch, .finding = {}, .rule = rule},
                          tr("Fixes every finding of %1 on branch %2 in place. The ticked recipes become one "
                             "commit.")
                              .arg(rule, branch)));
    offerBranches(branch);
}

void WorkController::openSettingsChange(Kind kind)
{
    const BranchSnapshot &snapshot = *m_workspace->snapshot();
    const bool derives = kind == Kind::Derive;
    auto *form = new SettingsChangeForm(derives ? SettingsChangeForm::Kind::Derive : SettingsChangeForm::Kind::Migrate,
                                        m_workspace->catalog(), branches(), snapshot.branch);
    QtConcurrent::run([catalog = m_workspace->catalog()] {
        return templatesByFamily(*catalog);
    }).then(form, [form](const QHash<QString, QStringList> &templates) { form->form()->setTemplates(templates); });
    offerPins(m_workspace->catalog(), form->form());
    offerHashes(m_workspace->catalog(), form->form());
    connect(form, &SettingsChangeForm::settingsWanted, this,
            [this, form](const QString &from) { readSettings(form, from); });
    show(derives ? tr("Derive a branch") : tr("Change version or pin of %1").arg(snapshot.branch),
         derives ? tr("Create branch") : tr("Change"), form);
    offerBranches(snapshot.branch);
    form->setSettings(snapshot.settings);
}

void WorkController::readSettings(SettingsChangeForm *form, const QString &branch)
{
    QtConcurrent::run(readSettingsOf, m_workspace->catalog(), m_workspace->info().workTree, branch)
        .then(form, [form, branch, dialog = m_dialog.get()](const Result<SettingsReading> &reading) {
            if (form->branch() != branch)
                return; // Another branch was chosen meanwhile.
            if (reading)
                form->setSettings(reading->settings);
            else
                dialog->refuse(reading.error());
        });
}

void WorkController::tell(const ChangeRequest &request, const QList<Applied> &applied)
{
    const Applied &first = applied.constFirst();
    const QString commit = first.commit.left(7);
    if (!first.repository.isEmpty()) {
        QStringList places;
        for (const Applied &one : applied)
            places.append(BranchPlace{one.repository, one.branch}.label());
        m_notices->offerUndo(tr("Committed to %n branches: %1.", nullptr, int(applied.size())).arg(shortList(places)),
                             applied);
    } else if (std::holds_alternative<DeriveRequest>(request)) {
        m_notices->offer(tr("Created branch %1 with commit %2: %3.").arg(first.branch, commit, first.subject),
                         tr("Show branch"), [this, branch = first.branch] { m_workspace->showBranch(branch); });
    } else if (std::holds_alternative<SettingsRequest>(request)) {
        m_notices->offerUndo(tr("Saved the settings of %1, committed as %2.").arg(first.branch, commit), applied);
        Q_EMIT settingsSaved(first.branch);
    } else if (std::holds_alternative<GenerateRequest>(request) && first.commit.isEmpty()) {
        m_notices->done(Notices::withSaved(
            tr("Generated and added to the index: %1. Press C to commit.").arg(first.written.join(tr(", "))), first));
    } else if (std::holds_alternative<UndoRequest>(request)) {
        m_notices->undone(first);
    } else if (!std::holds_alternative<ReadmeRequest>(request)) {
        m_notices->applied(first);
    } else {
        m_notices->offerUndo(
            applied.size() == 1
                ? tr("Wrote README.md, committed to %1 as %2.").arg(first.branch, commit)
                : tr("Wrote README.md on %n branches, each as one commit.", nullptr, int(applied.size())),
            applied);
    }
}

} // namespace tmx
