// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/Branches.h"

#include "model/base/PathWatcher.h"

#include <QThreadPool>
#include <QtConcurrent>

#include <algorithm>
#include <atomic>

namespace tmx {

namespace {

bool sameReading(const BranchesReading &a, const BranchesReading &b)
{
    const auto same = [](const ReadBranch &x, const ReadBranch &y) {
        return x.source == y.source && (x.snapshot == y.snapshot || *x.snapshot == *y.snapshot);
    };
    return a.repository == b.repository && a.stopped == b.stopped && std::ranges::equal(a.branches, b.branches, same);
}

} // namespace

struct Branches::Private {
    std::shared_ptr<const Catalog> catalog;
    std::shared_ptr<SnapshotCache> cache = std::make_shared<SnapshotCache>();
    QString path;
    BranchesReading reading;
    quint64 generation = 0;
    bool busy = false;
    bool readAgain = false; ///< something moved while we were reading
    bool watching = false;
    std::shared_ptr<std::atomic_bool> stopAsked; ///< of the reading under way
    QThreadPool pool;                            ///< one reading at a time; it spreads over the global pool
    PathWatcher watcher{std::chrono::milliseconds(150)};
};

Branches::Branches(std::shared_ptr<const Catalog> catalog, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>())
{
    d->catalog = std::move(catalog);
    d->pool.setMaxThreadCount(1);
    connect(&d->watcher, &PathWatcher::moved, this, &Branches::refresh);
}

Branches::~Branches()
{
    if (d->stopAsked)
        *d->stopAsked = true;
    d->pool.waitForDone();
}

const std::shared_ptr<const Catalog> &Branches::catalog() const
{
    return d->catalog;
}

const BranchesReading &Branches::reading() const
{
    return d->reading;
}

bool Branches::isReading() const
{
    return d->busy;
}

void Branches::open(const QString &path)
{
    if (path != d->path) {
        d->path = path;
        if (d->stopAsked)
            *d->stopAsked = true;
        d->cache = std::make_shared<SnapshotCache>();
        d->reading = {};
        Q_EMIT changed();
    }
    start();
}

void Branches::refresh()
{
    if (d->path.isEmpty())
        return;
    if (d->busy) {
        d->readAgain = true;
        return;
    }
    start();
}

void Branches::stop()
{
    d->readAgain = false;
    d->watcher.forget();
    if (d->stopAsked)
        *d->stopAsked = true;
}

void Branches::setWatching(bool watching)
{
    if (watching == d->watching)
        return;
    d->watching = watching;
    watch();
    if (watching)
        refresh(); // what moved while nobody looked
}

void Branches::start()
{
    const quint64 generation = ++d->generation;
    const bool wasBusy = d->busy;
    d->busy = true;
    d->readAgain = false;
    d->stopAsked = std::make_shared<std::atomic_bool>(false);
    if (!wasBusy)
        Q_EMIT readingChanged(true);
    WorkHooks hooks;
    hooks.stop = [stop = d->stopAsked] { return stop->load(); };
    // The destructor waits for the workers, so `this` is there as long as they are.
    hooks.progress = [this, generation](int done, int total) {
        QMetaObject::invokeMethod(this, [this, generation, done, total] {
            if (generation == d->generation)
                Q_EMIT progressed(done, total);
        });
    };
    QtConcurrent::run(&d->pool, [catalog = d->catalog, path = d->path, cache = d->cache, hooks] {
        return readBranches(catalog, path, *cache, {}, hooks);
    }).then(this, [this, generation](const Result<BranchesReading> &result) {
        if (generation == d->generation)
            take(result);
    });
}

void Branches::take(const Result<BranchesReading> &result)
{
    d->busy = false;
    Q_EMIT readingChanged(false);
    if (!result) {
        Q_EMIT failed(result.error());
        return;
    }
    const bool moved = !sameReading(d->reading, *result);
    d->reading = *result;
    watch();
    if (moved)
        Q_EMIT changed();
    for (const Error &error : std::as_const(d->reading.errors))
        Q_EMIT failed(error);
    if (d->readAgain)
        d->watcher.moveSoon();
}

void Branches::watch()
{
    d->watcher.setPaths(d->watching ? d->reading.watchPaths : QStringList());
}

} // namespace tmx
