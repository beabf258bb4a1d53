// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/TeamBuilds.h"

#include "model/base/Sentences.h"
#include "model/base/StateFolder.h"
#include "model/base/Surface.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/builds/PublishPlan.h"
#include "model/git/RefLines.h"
#include "model/job/GitAnswer.h"
#include "model/job/Job.h"
#include "model/outcome/OutcomeText.h"

#include <QCryptographicHash>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

constexpr int mostTries = 20; ///< others push at the same time

/// The error lines are in the folders of the jobs, as long as these exist.
QList<BuildRecord> withErrors(QList<BuildRecord> records)
{
    for (BuildRecord &record : records) {
        if (!isFailure(record.outcome))
            continue;
        if (const auto outcome = JobFolder::of(stateFolder(), record.job).outcome())
            record.error = firstErrorOf(outcome->build);
    }
    return records;
}

/// Summarises what is known now. `before`: what was known earlier.
Result<SharedBuilds> sharedNow(const QString &workTree, const SharedBuildLines &before, SharedBuilds shared)
{
    TM_TRY(lines, readRefLines(workTree, buildsRef));
    const SharedBuildLines read = readSharedBuildLines(lines->files);
    QSet<QString> machines;
    for (const BuildRecord &build : read.builds)
        machines.insert(build.machine);
    shared.builds = int(read.builds.size());
    shared.machines = int(machines.size());
    shared.leftOut = read.leftOut;
    const qsizetype own = readSharedBuildLines(shared.lines).builds.size();
    shared.added = std::max(0, shared.builds - int(before.builds.size() + own));
    return shared;
}

Result<QString> fetchInto(const QString &workTree, const QString &remote,
                          const std::function<void(const GitProgress &)> &tell, const std::function<bool()> &stop)
{
    return runGitTask(workTree, {.kind = GitTask::Kind::FetchBuilds, .remote = remote}, tell, stop);
}

} // namespace

Result<QString> machineLabel(const QString &workTree)
{
    const QString chosen = QString::fromUtf8(
        gitAnswer(workTree, {u"config"_s, u"--get"_s, u"torch-matrix.machine"_s}).value_or(QByteArray()).trimmed());
    if (!chosen.isEmpty()) {
        if (hasForm(chosen, machineForm))
            return chosen;
        return Error{Tr::tr("read"), u"torch-matrix.machine"_s,
                     Tr::tr("\"%1\" is not a name of letters, digits and -_.+@").arg(chosen),
                     forSurface(Tr::tr("Choose another one: git config torch-matrix.machine NAME."),
                                Tr::tr("Change torch-matrix.machine in Git's configuration."))};
    }
    const QByteArray id =
        QCryptographicHash::hash("torch-matrix machine\n" + machineId().toUtf8(), QCryptographicHash::Sha256);
    return u"m-"_s + QString::fromLatin1(id.toHex().first(8));
}

QString summaryOf(const SharedBuilds &shared)
{
    int own = 0;
    for (const QByteArrayList &lines : shared.lines)
        own += int(lines.size());
    return joinedSentences(
        {shared.pushed ? Tr::tr("Added %n builds, checks and publications of this machine.", nullptr, own) : QString(),
         Tr::tr("The shared list has %1 builds from %n machines; %2 of them, by others, are new here.", nullptr,
                int(shared.machines))
             .arg(QString::number(shared.builds), QString::number(shared.added)),
         shared.leftOut > 0 ? Tr::tr("%n older lines are not read.", nullptr, shared.leftOut) : QString()});
}

Result<SharedBuilds> buildsToPush(const QString &workTree, const QString &remote)
{
    const Result<OwnBuilds> own = ownBuilds(workTree);
    const Result<QString> label = machineLabel(workTree);
    const Result<RefLines> lines = readRefLines(workTree, buildsRef);
    if (!own || !label || !lines)
        return !own ? own.error() : !label ? label.error() : lines.error();
    SharedBuilds shared;
    shared.remote = remote;
    shared.lines = sharedBuildLinesOf(withErrors(own->records), own->publications, *label,
                                      readSharedBuildLines(lines->files), QDateTime::currentDateTimeUtc());
    return shared;
}

Result<SharedBuilds> pullBuilds(const QString &workTree, const QString &remote,
                                const std::function<void(const GitProgress &)> &tell, const std::function<bool()> &stop)
{
    TM_TRY(from, buildsRemote(workTree, remote, GitTask::Kind::FetchBuilds));
    TM_TRY(before, readRefLines(workTree, buildsRef));
    TM_CHECK(fetchInto(workTree, *from, tell, stop));
    TM_TRY(merged, addRefLines(workTree, buildsRef, {}, fetchedBuildsRef(*from), u"Merge the builds of others"_s));
    return sharedNow(workTree, readSharedBuildLines(before->files), {.remote = *from});
}

Result<SharedBuilds> pushBuilds(const QString &workTree, const QString &remote,
                                const std::function<void(const GitProgress &)> &tell, const std::function<bool()> &stop)
{
    TM_TRY(to, buildsRemote(workTree, remote, GitTask::Kind::PushBuilds));
    Result<SharedBuilds> shared = buildsToPush(workTree, *to);
    const Result<RefLines> before = readRefLines(workTree, buildsRef);
    if (!shared || !before)
        return !shared ? shared.error() : before.error();
    shared->pushed = true;
    const SharedBuildLines known = readSharedBuildLines(before->files);
    QString merged; // the remote's commit that ours contains
    for (int i = 0;; ++i) {
        TM_CHECK(fetchInto(workTree, *to, tell, stop));
        TM_TRY(added, addRefLines(workTree, buildsRef, shared->lines, fetchedBuildsRef(*to), u"Add builds"_s));
        if (added->isEmpty())
            return sharedNow(workTree, known, *shared); // There are no builds anywhere.
        TM_TRY(theirs, readRefLines(workTree, fetchedBuildsRef(*to)));
        if (theirs->commit == *added)
            return sharedNow(workTree, known, *shared);
        const Result<QString> pushed =
            runGitTask(workTree, {.kind = GitTask::Kind::PushBuilds, .remote = *to}, tell, stop);
        if (pushed)
            return sharedNow(workTree, known, *shared);
        // The next fetch tells whether somebody else pushed first.
        if (i >= mostTries || (i > 0 && theirs->commit == merged) || (stop && stop()))
            return pushed.error();
        merged = theirs->commit;
    }
}

} // namespace tmx
