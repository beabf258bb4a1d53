// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/KnownBuilds.h"

#include "model/base/StateFolder.h"
#include "model/builds/BuildRequest.h"
#include "model/builds/BuildTimes.h"

#include <QFileInfo>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// Seconds of each variant's newest successful build, and for each likenessOf() of the longest.
QHash<QString, qint64> timesOfBuilds()
{
    // BuildHistory::open() would create it.
    if (!QFileInfo::exists(stateFolder() + u"/builds.sqlite"_s))
        return {};
    const Result<BuildHistory> history = BuildHistory::open();
    const Result<QList<BuildRecord>> records = history ? history->records() : history.error();
    if (!records)
        return {};
    QHash<QString, qint64> times;
    for (const VariantTime &time : timesByVariant(*records)) { // The longest come first.
        times.insert(time.variant, std::max(times.value(time.variant), time.seconds));
        qint64 &like = times[likenessOf(time.variant)];
        like = std::max(like, time.seconds);
    }
    return times;
}

} // namespace

KnownBuilds knownBuilds(const BranchSnapshot &snapshot)
{
    const QHash<QString, BuildState> states =
        buildStates(snapshot, readJobs(stateFolder()), otherBuildsOf(snapshot.repository));
    KnownBuilds known{selectBuilds(snapshot, states, BuildSelection::Missing),
                      selectBuilds(snapshot, states, BuildSelection::Stale),
                      {}};
    const QHash<QString, qint64> times = timesOfBuilds();
    for (const VariantEntry &entry : snapshot.entries) {
        const QString name = entry.variant.name();
        if (const qint64 seconds = times.value(name, times.value(likenessOf(name))); seconds > 0)
            known.seconds.insert(name, seconds);
    }
    return known;
}

ExportRequest withBuilds(ExportRequest request, const QString &only, const KnownBuilds &builds)
{
    request.seconds = builds.seconds;
    request.only = only == "all"_L1 ? QString() : only;
    if (only == "missing"_L1)
        request.names = builds.missing;
    else if (only == "stale"_L1)
        request.names = builds.stale;
    else
        request.names.reset();
    return request;
}

} // namespace tmx
