// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/Branches.h"

#include "model/base/PathWatcher.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>
#include <QtConcurrent>

#include <algorithm>
#include <atomic>
#include <utility>

namespace tmx {

namespace {

bool sameReading(const BranchesReading &a, const BranchesReading &b)
{
    const auto same = [](const ReadBranch &x, const ReadBranch &y) {
        return x.source == y.source && (x.snapshot == y.snapshot || *x.snapshot == *y.snapshot);
    };
    return a.repository == b.repository && a.stopped == b.stopped && std::ranges::equal(a.branches, b.branches, same);
}

/// Reads the branches and the named sides; without `branches` only the named sides.
Result<BranchesReading> readThem(const SnapshotReader &reader, const QString &path, const QStringList &named,
                                 bool branches, const WorkHooks &hooks)
{
    TM_TRY(sources, branches ? branchesOf(path, WorkTreeAs::OwnSide, true) : Result<BranchSources>(BranchSources()));
    if (branches)
        sources->watchPaths = watchPathsOf({BranchSource::Kind::WorkTree, {}, {}, {}, path});
    for (const QString &words : named) {
        const Result<BranchSource> source = sideNamed(path, words, path);
        if (!source) {
            sources->unread.append({words, source.error()});
            continue;
        }
        sources->sources.append(*source);
        if (source->elsewhere)
            sources->watchPaths += watchPathsOf(*source);
    }
    return reader.readAll(*sources, hooks);
}

} // namespace

struct Branches::Private {
    std::shared_ptr<const SnapshotReader> reader;
    QString path;
    QStringList named; ///< notation of the named sides
    QStringList asked; ///< the named sides that have not been read yet
    BranchesReading reading;
    quint64 generation = 0;
    bool busy = false;
    bool readAgain = false; ///< something changed during the read
    bool watching = false;
    std::shared_ptr<std::atomic_bool> stopAsked = std::make_shared<std::atomic_bool>(false); ///< cancels the last read
    QThreadPool pool; ///< one read at a time; it uses the global pool for its parts
    PathWatcher watcher{std::chrono::milliseconds(150)};
};

Branches::Branches(std::shared_ptr<const SnapshotReader> reader, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>())
{
    d->reader = std::move(reader);
    d->pool.setMaxThreadCount(1);
    connect(&d->watcher, &PathWatcher::moved, this, &Branches::refresh);
}

Branches::~Branches()
{
    *d->stopAsked = true;
    d->pool.waitForDone();
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
        d->named.clear();
        d->asked.clear();
        d->reading = {};
        Q_EMIT changed();
    }
    start(What::All);
}

void Branches::add(const QString &words)
{
    if (d->named.contains(words))
        return;
    d->named.append(words);
    d->asked.append(words);
    if (!d->busy)
        start(What::NamedSides);
}

void Branches::refresh()
{
    if (d->path.isEmpty())
        return;
    if (d->busy)
        d->readAgain = true;
    else
        start(What::All);
}

void Branches::stop()
{
    d->readAgain = false;
    d->watcher.forget();
    *d->stopAsked = true;
}

void Branches::setWatching(bool watching)
{
    if (watching == d->watching)
        return;
    d->watching = watching;
    watch();
    if (watching)
        refresh(); // Read what changed while nothing was watched.
}

void Branches::start(What what)
{
    const quint64 generation = ++d->generation;
    const bool wasBusy = std::exchange(d->busy, true);
    d->readAgain = false;
    *d->stopAsked = true; // Cancels a read whose result is no longer needed.
    d->stopAsked = std::make_shared<std::atomic_bool>(false);
    if (!wasBusy)
        Q_EMIT readingChanged(true);
    WorkHooks hooks;
    hooks.stop = [stop = d->stopAsked] { return stop->load(); };
    hooks.progress = [self = QPointer(this), generation](int done, int total) {
        QMetaObject::invokeMethod(QCoreApplication::instance(), [self, generation, done, total] {
            if (self && generation == self->d->generation)
                Q_EMIT self->progressed(done, total);
        });
    };
    QtConcurrent::run(&d->pool, [reader = d->reader, path = d->path, named = d->named, all = what == What::All, hooks] {
        return readThem(*reader, path, named, all, hooks);
    }).then(this, [this, generation, what, named = d->named](const Result<BranchesReading> &result) {
        // Queued in the event loop: if the read ended before this is attached, Qt would call it immediately.
        QMetaObject::invokeMethod(
            this,
            [this, generation, what, named, result] {
                if (generation == d->generation)
                    take(what, named, result);
            },
            Qt::QueuedConnection);
    });
}

void Branches::take(What what, const QStringList &named, const Result<BranchesReading> &result)
{
    d->busy = false;
    Q_EMIT readingChanged(false);
    if (!result) {
        Q_EMIT failed(result.error());
        return;
    }
    BranchesReading reading = *result;
    if (what == What::NamedSides) {
        reading = d->reading;
        reading.branches.removeIf([&named](const ReadBranch &side) { return named.contains(side.source.label); });
        reading.branches += result->branches;
        reading.watchPaths += result->watchPaths;
    } else if (reading.stopped) { // The read may have stopped before the named sides.
        for (const ReadBranch &side : std::as_const(d->reading.branches)) {
            if (named.contains(side.source.label) && !reading.find(side.source.label))
                reading.branches.append(side);
        }
    }
    QList<Error> errors;
    for (const UnreadBranch &unread : result->unread)
        errors.append(d->named.removeAll(unread.branch) > 0 ? unread.error : unread.named());
    QStringList added;
    for (const QString &words : named) {
        if (reading.find(words)) {
            if (d->asked.removeAll(words) > 0)
                added.append(words);
        } else { // The side cannot be read, or the user cancelled it.
            d->named.removeAll(words);
            d->asked.removeAll(words);
        }
    }
    const bool moved = !sameReading(d->reading, reading);
    d->reading = reading;
    watch();
    if (d->readAgain)
        d->watcher.moveSoon();
    else if (!d->asked.isEmpty())
        start(What::NamedSides); // They were named meanwhile.
    if (moved)
        Q_EMIT changed();
    for (const QString &label : std::as_const(added))
        Q_EMIT this->added(label);
    for (const Error &error : std::as_const(errors))
        Q_EMIT failed(error);
}

void Branches::watch()
{
    d->watcher.setPaths(d->watching ? d->reading.watchPaths : QStringList());
}

} // namespace tmx
