// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/branches/Branches.h"

#include <QFileSystemWatcher>
#include <QSet>
#include <QThreadPool>
#include <QTimer>
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
    QThreadPool pool; ///< one reading at a time; it spreads over the global pool
    QFileSystemWatcher watcher;
    QTimer settle;
};

Branches::Branches(std::shared_ptr<const Catalog> catalog, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>())
{
    d->catalog = std::move(catalog);
    d->pool.setMaxThreadCount(1);
    // A fetch moves many refs, each through a lock file: they are one refresh.
    d->settle.setSingleShot(true);
    d->settle.setInterval(150);
    connect(&d->settle, &QTimer::timeout, this, &Branches::refresh);
    const auto moved = [this] { d->settle.start(); };
    connect(&d->watcher, &QFileSystemWatcher::fileChanged, this, moved);
    connect(&d->watcher, &QFileSystemWatcher::directoryChanged, this, moved);
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
    d->settle.stop();
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
        d->settle.start();
}

void Branches::watch()
{
    const QStringList watched = d->watcher.files() + d->watcher.directories();
    const QSet<QString> present(watched.begin(), watched.end());
    const QSet<QString> wanted =
        d->watching ? QSet<QString>(d->reading.watchPaths.begin(), d->reading.watchPaths.end()) : QSet<QString>();
    if (const QStringList gone = (present - wanted).values(); !gone.isEmpty())
        d->watcher.removePaths(gone);
    if (const QStringList added = (wanted - present).values(); !added.isEmpty())
        d->watcher.addPaths(added);
}

} // namespace tmx
