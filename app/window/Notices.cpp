// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/window/Notices.h"

#include "model/base/Sentences.h"
#include "model/change/Change.h"
#include "model/workspace/Workspace.h"
#include "views/widgets/NoticeBar.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// The commands that print these texts, one per line, to copy into a terminal. At most the first few.
QString showCommands(const QStringList &kept)
{
    constexpr qsizetype most = 3;
    QString lines;
    for (const QString &text : kept.first(qMin(most, kept.size())))
        lines += u'\n' + showCommand(text);
    if (kept.size() > most)
        lines += u'\n' + Notices::tr("and %n more: git ls-tree -r %1", nullptr, int(kept.size() - most))
                             .arg(kept.constFirst().section(u':', 0, 0));
    return lines;
}

} // namespace

Notices::Notices(Workspace *workspace, NoticeBar *bar, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_bar(bar)
{
    connect(workspace, &Workspace::failed, this, [this](OperationId, const Error &error) {
        problem(error.sentence());
        m_unread = true;
    });
    connect(workspace, &Workspace::snapshotChanged, this, [this] {
        if (m_unread || std::exchange(m_repository, m_workspace->info().workTree) != m_workspace->info().workTree)
            m_bar->hide(); // The notice has been read, or belongs to another repository.
        m_unread = false;
    });
    const Operations *operations = workspace->operations();
    connect(operations, &Operations::failed, this, [this](OperationId id, const Error &error) {
        m_undoing.remove(id);
        if (m_watched.remove(id))
            problem(error.sentence());
    });
    connect(operations, &Operations::objected, this, [this](OperationId id) { m_watched.remove(id); });
    connect(operations, &Operations::applied, this, [this](OperationId id, const QList<Applied> &applied) {
        m_watched.remove(id);
        m_output.clear();
        for (const Applied &one : applied)
            m_output += one.outputLines(3);
        if (m_undoing.contains(id))
            tellTaken(applied.value(0), m_undoing.take(id));
    });
    connect(bar, &NoticeBar::actionTriggered, this, [this] {
        if (const auto action = std::exchange(m_action, nullptr))
            action();
    });
}

/// Adds the output of hooks.
QString Notices::withOutput(const QString &sentence)
{
    const QStringList output = std::exchange(m_output, {});
    return output.isEmpty() ? sentence : sentence + u'\n' + output.join(u'\n');
}

void Notices::show(NoticeBar::Kind kind, const QString &sentence, const QString &button)
{
    m_action = nullptr;
    m_offered.clear();
    m_unread = false;
    m_bar->showNotice(kind, sentence, button);
}

void Notices::done(const QString &sentence)
{
    show(NoticeBar::Kind::Done, withOutput(sentence));
}

void Notices::information(const QString &sentence)
{
    show(NoticeBar::Kind::Information, sentence);
}

void Notices::problem(const QString &sentence)
{
    show(NoticeBar::Kind::Problem, sentence);
}

void Notices::offer(const QString &sentence, const QString &button, std::function<void()> action)
{
    show(NoticeBar::Kind::Done, withOutput(sentence), button);
    m_action = std::move(action);
}

void Notices::offerUndo(const QString &sentence, const QList<Applied> &applied)
{
    offer(sentence, tr("Undo"), [this, applied] {
        for (const Applied &one : applied)
            takeBack({one.undo, one.branch, one.subject}, Taking::Undo, one.repository);
    });
    for (const Applied &one : applied) {
        if (!one.undo.isEmpty() && one.repository.isEmpty() && !one.undo.startsWith("refs/"_L1))
            m_offered.append(one.undo);
    }
}

void Notices::takeBack(const UndoStep &step, Taking taking, const QString &repository)
{
    const UndoRequest undo{step.branch, step.commit};
    const QString workTree = repository.isEmpty() ? m_workspace->info().workTree : repository;
    m_undoing.insert(watch(m_workspace->operations()->perform(workTree, undo)), {step, taking, repository});
}

void Notices::keepTrue(const QStringList &undoable)
{
    const bool all = std::ranges::all_of(m_offered, [&](const QString &commit) { return undoable.contains(commit); });
    if (!all) {
        m_offered.clear();
        m_bar->hide();
    }
}

OperationId Notices::watch(OperationId id)
{
    m_watched.insert(id);
    return id;
}

void Notices::applied(const Applied &applied)
{
    if (applied.undo.isEmpty())
        return this->done(tr("%1: done in the working tree. There was nothing to commit.").arg(applied.subject));
    const QString done =
        applied.commit.isEmpty()
            ? tr("%1: done in the working tree. There was nothing to commit.").arg(applied.subject)
            : tr("%1: committed to %2 as %3.").arg(applied.subject, applied.branch, applied.commit.left(7));
    offerUndo(withSaved(done, applied), {applied});
}

QString Notices::withSaved(const QString &done, const Applied &applied)
{
    return applied.kept.isEmpty() ? done
                                  : tr("%1 Uncommitted text was saved: %2").arg(done, showCommands(applied.kept));
}

void Notices::tellTaken(const Applied &applied, const Taken &taken)
{
    const bool undone = taken.taking == Taking::Undo;
    const QString name = taken.step.name.simplified();
    QStringList sentences;
    if (name.isEmpty())
        sentences.append(undone ? tr("Undone.") : tr("Redone."));
    else
        sentences.append(undone ? tr("Undone: %1.", "subject of a commit").arg(name)
                                : tr("Redone: %1.", "subject of a commit").arg(name));
    if (!applied.commit.isEmpty())
        sentences.append(tr("%1 has commit %2 for it.", "branch").arg(applied.branch, applied.commit.left(7)));
    if (applied.movedTo == applied.undo && !applied.undo.isEmpty())
        sentences.append(tr("%1 has the same commit again.", "branch").arg(applied.branch));
    else if (!applied.movedTo.isEmpty())
        sentences.append(tr("The commit was not pushed, so %1 is without it.", "branch").arg(applied.branch));
    if (!applied.restored.isEmpty())
        sentences.append(tr("Restored uncommitted changes: %1.").arg(applied.restored.join(u", "_s)));
    if (!applied.kept.isEmpty()) {
        // What has to be read stays.
        sentences.append(tr("Not restored, because the file has changed since: %1").arg(showCommands(applied.kept)));
        return information(joinedSentences(sentences));
    }
    const UndoStep back{applied.undo, applied.branch, name};
    if (applied.commit.isEmpty() && applied.movedTo.isEmpty())
        return done(joinedSentences(sentences));
    offer(joinedSentences(sentences), undone ? tr("Redo") : tr("Undo"),
          [this, back, undone, repository = taken.repository] {
              takeBack(back, undone ? Taking::Redo : Taking::Undo, repository);
          });
}

} // namespace tmx
