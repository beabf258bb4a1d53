// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/compare/NamedSides.h"

#include "model/base/PathWatcher.h"

#include <QThreadPool>
#include <QtConcurrent>

#include <algorithm>

namespace tmx {

struct NamedSides::Private {
    std::shared_ptr<const Catalog> catalog;
    std::shared_ptr<SnapshotCache> cache = std::make_shared<SnapshotCache>();
    QString repository;
    QList<ReadBranch> sides;
    QStringList words; ///< by side: what it was named by
    int reading = 0;   ///< workers that are under way or wait
    bool watching = false;
    QThreadPool pool;
    PathWatcher watcher{std::chrono::milliseconds(150)};
};

NamedSides::NamedSides(std::shared_ptr<const Catalog> catalog, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>())
{
    d->catalog = std::move(catalog);
    d->pool.setMaxThreadCount(1);
    connect(&d->watcher, &PathWatcher::moved, this, &NamedSides::refresh);
}

NamedSides::~NamedSides()
{
    d->pool.waitForDone();
}

void NamedSides::open(const QString &repository)
{
    if (repository == d->repository)
        return;
    d->repository = repository;
    d->sides.clear();
    d->words.clear();
    watch();
}

void NamedSides::add(const QString &words)
{
    ++d->reading;
    QtConcurrent::run(&d->pool, [catalog = d->catalog, repository = d->repository, words, cache = d->cache] {
        return readSideAnywhere(catalog, repository, words, repository, *cache);
    }).then(this, [this, repository = d->repository, words](const Result<ReadBranch> &side) {
        --d->reading;
        if (repository == d->repository)
            take(words, side);
    });
}

void NamedSides::refresh()
{
    for (const QString &words : std::as_const(d->words))
        add(words);
}

void NamedSides::setWatching(bool watching)
{
    if (watching == d->watching)
        return;
    d->watching = watching;
    watch();
    if (watching)
        refresh(); // what moved while nobody looked
}

const QList<ReadBranch> &NamedSides::sides() const
{
    return d->sides;
}

bool NamedSides::isReading() const
{
    return d->reading > 0;
}

void NamedSides::take(const QString &words, const Result<ReadBranch> &side)
{
    const qsizetype at = d->words.indexOf(words);
    if (!side) {
        if (at >= 0) {
            d->words.removeAt(at);
            d->sides.removeAt(at);
            watch();
            Q_EMIT changed();
        }
        Q_EMIT failed(side.error());
        return;
    }
    if (at < 0) {
        d->words.append(words);
        d->sides.append(*side);
        watch();
        Q_EMIT added(side->source.label);
        return;
    }
    const bool same = d->sides.at(at).source == side->source && *d->sides.at(at).snapshot == *side->snapshot;
    d->sides[at] = *side;
    watch(); // a ref's folder may be another one
    if (!same)
        Q_EMIT changed();
}

void NamedSides::watch()
{
    QStringList paths;
    if (d->watching) {
        for (const ReadBranch &side : std::as_const(d->sides))
            paths += side.watchPaths;
    }
    d->watcher.setPaths(paths);
}

} // namespace tmx
