// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/fleet/OthersBuilds.h"

#include "model/base/StateFolder.h"
#include "model/git/GitTask.h"
#include "model/git/RefLines.h"
#include "model/git/Repository.h"
#include "model/job/EndedJobs.h"

#include <QFileInfo>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

/// This account's history with all finished builds; empty if there is no history.
Result<std::optional<BuildHistory>> ownHistory()
{
    // BuildHistory::open() would create it.
    if (!QFileInfo::exists(stateFolder() + u"/builds.sqlite"_s) && !QFileInfo::exists(stateFolder() + u"/jobs"_s))
        return std::optional<BuildHistory>();
    TM_TRY(history, BuildHistory::open());
    TM_CHECK(recordEndedJobs(*history, stateFolder()));
    return std::optional<BuildHistory>(std::move(*history));
}

} // namespace

Result<OwnBuilds> ownBuilds(const QString &path)
{
    OwnBuilds own;
    TM_TRY(repository, Repository::open(path));
    own.workTree = repository->workTree();
    TM_TRY(history, ownHistory());
    if (!*history)
        return own;
    const Result<QList<BuildRecord>> records = (*history)->records({.repository = own.workTree});
    const Result<QList<Publication>> publications = (*history)->publications(own.workTree);
    if (!records || !publications)
        return !records ? records.error() : publications.error();
    own.records = *records;
    own.publications = *publications;
    return own;
}

Result<SharedBuildLines> readOthersBuilds(const QString &workTree)
{
    TM_TRY(lines, readRefLines(workTree, buildsRef));
    if (lines->commit.isEmpty())
        return SharedBuildLines();
    SharedBuildLines others = readSharedBuildLines(lines->files);
    const Result<OwnBuilds> own = ownBuilds(workTree);
    if (!own)
        return others;
    QSet<QString> ids;
    for (const BuildRecord &record : own->records)
        ids.insert(lineIdOf(record.machine, record.job));
    others.builds.removeIf([&ids](const BuildRecord &build) { return ids.contains(build.job); });
    for (BuildRecord &build : others.builds)
        build.repository = own->workTree;
    for (Publication &publication : others.publications)
        publication.repository = own->workTree;
    return others;
}

SharedBuildLines othersBuilds(const QString &workTree)
{
    const Result<SharedBuildLines> others = readOthersBuilds(workTree);
    return others ? *others : SharedBuildLines();
}

QList<BuildRecord> newestFirst(QList<BuildRecord> records)
{
    std::ranges::stable_sort(
        records, [](const QDateTime &a, const QDateTime &b) { return a > b; }, &BuildRecord::ended);
    return records;
}

OtherBuilds otherBuildsOf(const QString &repository)
{
    OtherBuilds other = historyOf(repository);
    const SharedBuildLines others = othersBuilds(repository);
    other.publications += others.publications;
    other.elsewhere += others.builds;
    return other;
}

QString othersStamp(const QString &workTree)
{
    QString stamp;
    for (const QString &file : filesOfRef(workTree, buildsRef)) {
        const QFileInfo info(file);
        stamp += u"%1 %2 "_s.arg(info.size()).arg(info.lastModified().toMSecsSinceEpoch());
    }
    return stamp;
}

} // namespace tmx
