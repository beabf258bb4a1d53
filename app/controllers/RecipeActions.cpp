// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/RecipeActions.h"

#include "app/window/Notices.h"
#include "model/change/Generate.h"
#include "model/matrix/MatrixModel.h"
#include "model/workspace/Workspace.h"
#include "views/widgets/Message.h"

#include <QInputDialog>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

RecipeActions::RecipeActions(const Parts &parts, QObject *parent)
    : QObject(parent)
    , m_parts(parts)
{
    Operations *operations = parts.workspace->operations();
    connect(operations, &Operations::applied, this, [this](OperationId id, const QList<Applied> &applied) {
        if (m_started.remove(id))
            tell(applied.value(0));
    });
    connect(operations, &Operations::failed, this, [this](OperationId id) { m_started.remove(id); });
    connect(operations, &Operations::objected, this, [this](OperationId id, const QList<ChangeSet> &changes) {
        if (m_started.contains(id))
            askOfErrors(m_started.take(id), changes);
    });
}

CellActions RecipeActions::actionsOf(const QString &name) const
{
    if (!m_parts.workspace->isOpen())
        return {};
    // The snapshot has variants of other slices too; a cell without a recipe is only in the grid.
    const BranchSnapshot &snapshot = *m_parts.workspace->snapshot();
    const VariantEntry *known = snapshot.find(name);
    if (!known && !m_parts.matrix->indexOf(name).isValid())
        return {};
    return actionsFor(snapshot, known ? *known : m_parts.matrix->entryOf(name));
}

RecipeActions::Place RecipeActions::shown() const
{
    const BranchSnapshot &snapshot = *m_parts.workspace->snapshot();
    return {m_parts.workspace->info().workTree, snapshot.branch, snapshot.checkedOut};
}

QStringList RecipeActions::allowed(const QStringList &names, ActionState CellActions::*action,
                                   const QString &noneOfMany)
{
    QStringList wanted;
    QString reason;
    for (const QString &name : names) {
        const ActionState state = actionsOf(name).*action;
        if (state.enabled)
            wanted.append(name);
        else
            reason = state.reason;
    }
    if (wanted.isEmpty() && !names.isEmpty())
        m_parts.notices->information(names.size() == 1 ? u"%1: %2"_s.arg(names.first(), reason) : noneOfMany);
    return wanted;
}

void RecipeActions::generate(const QStringList &names)
{
    const QStringList wanted =
        allowed(names, &CellActions::generate, tr("None of the selected cells is missing a recipe."));
    if (wanted.isEmpty())
        return;
    const Place place = shown();
    if (place.checkedOut)
        return write(place, wanted);
    const QString question =
        wanted.size() == 1
            ? tr("Branch %1 is not checked out, so there is no working tree to write to. Commit the recipe "
                 "directly to it?")
            : tr("Branch %1 is not checked out, so there is no working tree to write to. Commit %n recipes "
                 "directly to it?",
                 nullptr, int(wanted.size()));
    ask(m_parts.window, {tr("Commit to %1").arg(place.branch), question.arg(place.branch), tr("Commit")}, this,
        [this, place, wanted] { write(place, wanted); });
}

void RecipeActions::generateAllMissing()
{
    const BranchSnapshot &snapshot = *m_parts.workspace->snapshot();
    if (snapshot.settingsError)
        return m_parts.notices->problem(tr("Nothing can be generated. %1").arg(snapshot.settingsError->sentence()));
    QStringList names;
    for (const VariantEntry &entry : snapshot.entries) {
        if (entry.state == RecipeState::Missing)
            names.append(entry.variant.name());
    }
    if (names.isEmpty())
        return m_parts.notices->information(tr("Nothing is missing on %1.").arg(snapshot.branch));
    const Place place = shown();
    if (!place.checkedOut)
        return generate(names); // it asks for confirmation
    ask(m_parts.window,
        {tr("Generate all missing recipes"),
         names.size() == 1 ? tr("Write the recipe of %1 into the working tree?").arg(names.first())
                           : tr("Write %n recipes into the working tree?", nullptr, int(names.size())),
         tr("Generate")},
        this, [this, place, names] { write(place, names); });
}

void RecipeActions::write(const Place &place, const QStringList &names)
{
    GenerateRequest request;
    request.branch = place.branch;
    request.names = names;
    // A branch that is not checked out can only be written to by a commit.
    request.until = place.checkedOut ? ChangeSet::Until::Index : ChangeSet::Until::Commit;
    perform(place, request);
}

void RecipeActions::perform(const Place &place, const ChangeRequest &request)
{
    const RepositoryInfo &now = m_parts.workspace->info();
    if (place.checkedOut && now.workTree == place.repository && now.headBranch != place.branch)
        return m_parts.notices->problem(tr("Nothing was done: branch %1 is no longer checked out.").arg(place.branch));
    start(place.repository, m_parts.workspace->operations()->perform(place.repository, request));
}

void RecipeActions::start(const QString &repository, OperationId id)
{
    m_started.insert(m_parts.notices->watch(id), repository);
}

void RecipeActions::askOfErrors(const QString &repository, QList<ChangeSet> changes)
{
    QStringList errors;
    for (ChangeSet &one : changes) {
        errors += one.chosenErrors();
        one.forced = true;
    }
    constexpr qsizetype shown = 5;
    QStringList lines = errors.first(std::min(errors.size(), shown));
    if (errors.size() > shown)
        lines.append(tr("and %n more", nullptr, int(errors.size() - shown)));
    ask(m_parts.window,
        {tr("Write recipes with errors"),
         tr("The audit finds errors in the new text:\n\n%1\n\nWrite it anyway?").arg(lines.join(u'\n')), tr("Write"),
         true},
        this, [this, repository, changes] {
            start(repository, m_parts.workspace->operations()->apply(repository, changes));
        });
}

void RecipeActions::commit(const QStringList &names)
{
    const QStringList wanted =
        allowed(names, &CellActions::commit, tr("The selected recipes have no uncommitted changes."));
    if (!wanted.isEmpty())
        perform(shown(), CommitRequest{wanted, {}, m_parts.workspace->info().headCommit});
}

void RecipeActions::commitWithMessage(const QStringList &names)
{
    const QStringList wanted =
        allowed(names, &CellActions::commit, tr("The selected recipes have no uncommitted changes."));
    if (wanted.isEmpty())
        return;
    auto *dialog = new QInputDialog(m_parts.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Commit"));
    dialog->setLabelText(tr("Commit message"));
    dialog->setOption(QInputDialog::UsePlainTextEditForTextInput);
    dialog->setTextValue(commitMessageFor(*m_parts.workspace->snapshot(), wanted).trimmed());
    dialog->setOkButtonText(tr("Commit"));
    dialog->resize(560, 240); // a line of 72 characters
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, wanted, place = shown(), head = m_parts.workspace->info().headCommit](const QString &message) {
                if (!message.trimmed().isEmpty())
                    perform(place, CommitRequest{wanted, message, head});
            });
    dialog->open();
}

void RecipeActions::tell(const Applied &applied)
{
    const QString what =
        applied.written.size() == 1 ? applied.written.first() : tr("%n recipes", nullptr, int(applied.written.size()));
    if (!applied.commit.isEmpty())
        m_parts.notices->offerUndo(tr("Committed %1 to %2 as %3.").arg(what, applied.branch, applied.commit.left(7)),
                                   {applied});
    else if (applied.written.isEmpty())
        m_parts.notices->done(tr("All recipes exist already."));
    else
        m_parts.notices->offerUndo(
            Notices::withSaved(tr("Generated and added to the index: %1. Press C to commit.").arg(what), applied),
            {applied});
}

} // namespace tmx
