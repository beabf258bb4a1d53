// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/fleet/PinDates.h"

#include "model/git/OpenRepository.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>

#include <git2.h>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qint64 mostLock = qint64(8) << 20;

/// Empty if it is no JSON object.
QJsonObject lockIn(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.read(mostLock)).object() : QJsonObject();
}

void take(QHash<QString, QDate> &dates, const QString &revision, const QDateTime &when)
{
    if (when.isValid())
        dates.insert(revision, when.toUTC().date());
}

QHash<QString, QDate> lockedDates(const QString &workTree)
{
    QHash<QString, QDate> dates;
    for (const QJsonValue &package : lockIn(workTree + u"/.flox/env/manifest.lock"_s)[u"packages"_s].toArray())
        take(dates, package[u"rev"_s].toString(),
             QDateTime::fromString(package[u"rev_date"_s].toString(), Qt::ISODate));
    for (const QJsonValue &node : lockIn(workTree + u"/flake.lock"_s)[u"nodes"_s].toObject()) {
        const QJsonValue locked = node[u"locked"_s];
        if (const qint64 seconds = locked[u"lastModified"_s].toInteger(); seconds > 0)
            take(dates, locked[u"rev"_s].toString(), QDateTime::fromSecsSinceEpoch(seconds));
    }
    return dates;
}

/// Of a commit in the clone's own objects: nothing is fetched.
QDateTime committedAt(const OpenRepository &repository, const QString &revision)
{
    git_oid id;
    if (!holdsObject(repository, revision) || git_oid_fromstr(&id, revision.toLatin1().constData()) < 0)
        return {};
    git_commit *found = nullptr;
    if (git_commit_lookup(&found, repository.git(), &id) < 0)
        return {};
    const GitCommit commit(found);
    return QDateTime::fromSecsSinceEpoch(git_commit_time(commit.get()));
}

} // namespace

QHash<QString, QDate> pinDates(const QStringList &repositories, const QStringList &revisions)
{
    QHash<QString, QDate> known;
    for (const QString &path : repositories) {
        const QHash<QString, QDate> locked = lockedDates(path);
        const Result<OpenRepository> repository = openRepository(path);
        for (const QString &revision : revisions) {
            if (known.contains(revision))
                continue;
            if (locked.contains(revision))
                known.insert(revision, locked.value(revision));
            else if (repository && revision.size() >= 40)
                take(known, revision, committedAt(*repository, revision));
        }
    }
    return known;
}

} // namespace tmx
