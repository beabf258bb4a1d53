// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/Workspace.h"

#include "model/base/PathWatcher.h"
#include "model/git/Repository.h"

#include <QFuture>
#include <QtConcurrent>

#include <atomic>
#include <utility>

namespace tmx {

struct Workspace::Private {
    std::shared_ptr<const SnapshotReader> reader;
    QString path;   ///< the path to open; once it is open, the root of the working tree
    QString branch; ///< the branch to show; empty = the checked-out branch
    RepositoryInfo info;
    std::shared_ptr<const BranchSnapshot> snapshot;
    QHash<QString, BuildState> builds;
    OperationId reading = 0;                                                                 ///< id of the current read
    std::shared_ptr<std::atomic_bool> stopAsked = std::make_shared<std::atomic_bool>(false); ///< cancels the last read
    bool readAgain = false; ///< something changed during the read
    Operations operations{reader};
    PathWatcher watcher{std::chrono::milliseconds(120)};
};

Workspace::Workspace(const std::shared_ptr<const Catalog> &catalog, QObject *parent)
    : QObject(parent)
    , d(new Private{.reader = std::make_shared<const SnapshotReader>(catalog)})
{
    connect(&d->watcher, &PathWatcher::moved, this, &Workspace::refresh);
    connect(&d->operations, &Operations::writingChanged, this, [this] {
        if (d->operations.isWriting())
            Q_EMIT busyChanged(tr("Writing"));
        else if (!d->reading)
            Q_EMIT busyChanged({});
    });
    // Do not wait for the watcher: show a write at once, and the current state after a failed one.
    connect(&d->operations, &Operations::applied, this, &Workspace::refresh);
    connect(&d->operations, &Operations::failed, this, &Workspace::refresh);
}

Workspace::~Workspace()
{
    *d->stopAsked = true;
}

const std::shared_ptr<const Catalog> &Workspace::catalog() const
{
    return d->reader->catalog();
}

const std::shared_ptr<const SnapshotReader> &Workspace::reader() const
{
    return d->reader;
}

Operations *Workspace::operations() const
{
    return &d->operations;
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
    return d->reading || d->operations.isWriting();
}

OperationId Workspace::open(const QString &path, const QString &branch)
{
    return startReading(path, branch, true);
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
    // The current read may already have passed the changed file. Restarting it at once would never finish under
    // constant changes.
    if (d->reading) {
        d->readAgain = true;
        return;
    }
    startReading(d->info.workTree, d->branch);
}

OperationId Workspace::startReading(const QString &path, const QString &branch, bool recovers)
{
    const OperationId id = newOperation();
    d->reading = id;
    d->readAgain = false;
    *d->stopAsked = true; // cancels the read that this one replaces
    d->stopAsked = std::make_shared<std::atomic_bool>(false);
    if (!isOpen() || branch != d->branch)
        Q_EMIT busyChanged(branch.isEmpty() ? tr("Reading %1").arg(path) : tr("Reading branch %1").arg(branch));
    QtConcurrent::run([reader = d->reader, path, branch, recovers, stop = d->stopAsked] {
        if (const Result<Repository> opened = recovers ? Repository::open(path) : Error{})
            opened->recover();
        return readRepository(*reader, path, branch, {{}, [stop] { return stop->load(); }});
    }).then(this, [this, id, branch](const Result<RepositoryReading> &reading) {
        // A missing repository is detected so fast that this may run before the caller has the id.
        const auto take = [this, id, branch, reading] {
            if (id == d->reading)
                takeReading(reading, branch);
        };
        QMetaObject::invokeMethod(this, take, Qt::QueuedConnection);
    });
    return id;
}

void Workspace::takeReading(const Result<RepositoryReading> &reading, const QString &branch)
{
    const OperationId id = std::exchange(d->reading, 0);
    if (!reading) {
        // The shown branch may have been deleted or renamed; the checked-out branch always exists.
        const bool wasShown = isOpen() && branch == d->branch && !branch.isEmpty();
        if (wasShown)
            d->branch.clear();
        Q_EMIT busyChanged({});
        Q_EMIT failed(id, reading.error());
        if (wasShown)
            startReading(d->info.workTree, {});
        return;
    }
    const bool first = !isOpen() || reading->info.workTree != d->info.workTree;
    // If the checked-out branch is shown and another is checked out in a terminal, show the new checked-out branch.
    d->branch = reading->snapshot->checkedOut ? QString() : branch;
    const bool infoMoved = d->info != reading->info;
    const bool contentMoved = first || *d->snapshot != *reading->snapshot || d->builds != reading->builds;
    d->info = reading->info;
    d->builds = reading->builds;
    if (contentMoved)
        d->snapshot = reading->snapshot;
    d->watcher.setPaths(reading->watchPaths);
    if (!d->operations.isWriting())
        Q_EMIT busyChanged({});
    if (first)
        Q_EMIT opened();
    if (infoMoved)
        Q_EMIT infoChanged();
    if (contentMoved)
        Q_EMIT snapshotChanged();
    // Nothing was watched during the first read of a repository.
    if (d->readAgain || first)
        d->watcher.moveSoon();
}

} // namespace tmx
