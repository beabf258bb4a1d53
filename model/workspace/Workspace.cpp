// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/Workspace.h"

#include "model/base/PathWatcher.h"
#include "model/workspace/PlanOperations.h"
#include "model/workspace/UndoOperations.h"

#include <QFuture>
#include <QThreadPool>
#include <QtConcurrent>

namespace tmx {

struct Workspace::Private {
    std::shared_ptr<const Catalog> catalog;
    QString path;   ///< what was asked to be opened; the work tree's root once it is open
    QString branch; ///< what is asked to be shown; empty = what is checked out
    RepositoryInfo info;
    std::shared_ptr<const BranchSnapshot> snapshot;
    QHash<QString, BuildState> builds;
    quint64 generation = 0; ///< of the last reading that was asked for
    bool reading = false;
    bool readAgain = false; ///< something changed while we were reading
    int writing = 0;
    QThreadPool writers;
    PathWatcher watcher{std::chrono::milliseconds(120)};
};

Workspace::Workspace(std::shared_ptr<const Catalog> catalog, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>())
{
    d->catalog = std::move(catalog);
    d->writers.setMaxThreadCount(1);
    connect(&d->watcher, &PathWatcher::moved, this, &Workspace::refresh);
}

Workspace::~Workspace()
{
    d->writers.waitForDone();
}

const std::shared_ptr<const Catalog> &Workspace::catalog() const
{
    return d->catalog;
}

const RepositoryInfo &Workspace::info() const
{
    return d->info;
}

const std::shared_ptr<const BranchSnapshot> &Workspace::snapshot() const
{
    return d->snapshot;
}

const QHash<QString, BuildState> &Workspace::builds() const
{
    return d->builds;
}

bool Workspace::isOpen() const
{
    return d->snapshot != nullptr;
}

bool Workspace::isBusy() const
{
    return d->reading || d->writing > 0;
}

void Workspace::open(const QString &path, const QString &branch)
{
    startReading(path, branch);
}

void Workspace::showBranch(const QString &branch)
{
    if (isOpen())
        startReading(d->info.workTree, branch);
}

void Workspace::refresh()
{
    if (!isOpen())
        return;
    // A reading under way may have passed the file that changed; asking again at once would starve under constant
    // change.
    if (d->reading) {
        d->readAgain = true;
        return;
    }
    startReading(d->info.workTree, d->branch);
}

void Workspace::startReading(const QString &path, const QString &branch)
{
    const quint64 generation = ++d->generation;
    d->reading = true;
    d->readAgain = false;
    if (!isOpen() || branch != d->branch)
        Q_EMIT busyChanged(branch.isEmpty() ? tr("Reading %1").arg(path) : tr("Reading branch %1").arg(branch));
    QtConcurrent::run(readRepository, d->catalog, path, branch)
        .then(this, [this, generation, branch](const Result<Reading> &reading) {
            if (generation == d->generation)
                takeReading(reading, branch);
        });
}

void Workspace::takeReading(const Result<Reading> &reading, const QString &branch)
{
    d->reading = false;
    if (!reading) {
        // The branch that was shown may be gone (deleted, renamed): what is checked out is always there.
        const bool wasShown = isOpen() && branch == d->branch && !branch.isEmpty();
        if (wasShown)
            d->branch.clear();
        Q_EMIT busyChanged({});
        Q_EMIT failed(reading.error());
        if (wasShown)
            startReading(d->info.workTree, {});
        return;
    }
    const bool first = !isOpen() || reading->info.workTree != d->info.workTree;
    // Whoever looks at the checked-out branch and checks out another in a terminal goes on looking at what is checked
    // out.
    d->branch = reading->snapshot->checkedOut ? QString() : branch;
    const bool infoMoved = d->info != reading->info;
    const bool contentMoved = first || *d->snapshot != *reading->snapshot || d->builds != reading->builds;
    d->info = reading->info;
    d->builds = reading->builds;
    if (contentMoved)
        d->snapshot = reading->snapshot;
    d->watcher.setPaths(reading->watchPaths);
    if (d->writing == 0)
        Q_EMIT busyChanged({});
    if (first)
        Q_EMIT opened();
    if (infoMoved)
        Q_EMIT infoChanged();
    if (contentMoved)
        Q_EMIT snapshotChanged();
    // Nothing was watched while a repository was read for the first time.
    if (d->readAgain || first)
        d->watcher.moveSoon();
}

template <typename T, typename Done>
void Workspace::write(const QString &what, std::function<Result<T>()> action, Done done)
{
    ++d->writing;
    Q_EMIT busyChanged(what);
    QtConcurrent::run(&d->writers, std::move(action)).then(this, [this, done](const Result<T> &result) {
        --d->writing;
        if (d->writing == 0 && !d->reading)
            Q_EMIT busyChanged({});
        if (!result)
            Q_EMIT failed(result.error());
        else
            done(result);
        // Not left to the watcher: what was just written shows at once, and what failed is shown as it is now.
        refresh();
    });
}

void Workspace::generate(const QStringList &names)
{
    if (!isOpen() || names.isEmpty())
        return;
    write<WriteReport>(
        names.size() == 1 ? tr("Generating a recipe") : tr("Generating %n recipes", nullptr, int(names.size())),
        [catalog = d->catalog, path = d->info.workTree, branch = d->snapshot->branch, names] {
            return generateRecipes(catalog, path, branch, names);
        },
        [this](const Result<WriteReport> &report) { Q_EMIT generated(*report); });
}

void Workspace::commit(const QStringList &names, const QString &message)
{
    if (!isOpen() || names.isEmpty())
        return;
    write<WriteReport>(
        names.size() == 1 ? tr("Committing a recipe") : tr("Committing %n recipes", nullptr, int(names.size())),
        [catalog = d->catalog, path = d->info.workTree, names, message, head = d->info.headCommit] {
            return commitRecipes(catalog, path, names, message, head);
        },
        [this](const Result<WriteReport> &report) { Q_EMIT committed(*report); });
}

void Workspace::applyPlan(const Plan &plan, const std::shared_ptr<const BranchSnapshot> &snapshot)
{
    if (!isOpen())
        return;
    write<CommitResult>(
        tr("Applying the plan"),
        [path = d->info.workTree, plan, snapshot] { return tmx::applyPlan(path, plan, *snapshot); },
        [this](const Result<CommitResult> &done) { Q_EMIT planApplied(reportOf(*done)); });
}

void Workspace::saveLine(const LineOffer &offer)
{
    if (!isOpen())
        return;
    write<WriteReport>(
        tr("Saving the line"), [path = d->info.workTree, offer] { return commitLine(path, offer); },
        [this](const Result<WriteReport> &report) { Q_EMIT lineSaved(*report); });
}

void Workspace::undoCommit(const QString &branch, const QString &commit)
{
    if (!isOpen())
        return;
    write<UndoResult>(
        tr("Taking it back"),
        [path = d->info.workTree, branch, commit]() -> Result<UndoResult> {
            const Result<UndoReading> undo = readUndo(path, branch, commit);
            return undo ? applyUndo(*undo) : undo.error();
        },
        [this](const Result<UndoResult> &done) { Q_EMIT undone(reportOf(*done, done->restored)); });
}

void Workspace::rewrite(const RewriteOffer &offer)
{
    if (!isOpen())
        return;
    write<WriteReport>(
        tr("Changing a recipe"), [path = d->info.workTree, offer] { return applyOffer(path, offer); },
        [this, offer](const Result<WriteReport> &report) { Q_EMIT rewritten(offer, *report); });
}

void Workspace::stage(const QStringList &names)
{
    if (!isOpen() || names.isEmpty())
        return;
    write<void>(
        names.size() == 1 ? tr("Adding a recipe to the index")
                          : tr("Adding %n recipes to the index", nullptr, int(names.size())),
        [catalog = d->catalog, path = d->info.workTree, names] { return stageRecipes(catalog, path, names); },
        [this, names](const Result<void> &) { Q_EMIT staged(names); });
}

} // namespace tmx
