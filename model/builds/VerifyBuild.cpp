// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/VerifyBuild.h"

#include "model/base/AtomicFile.h"
#include "model/base/StateFolder.h"
#include "model/base/Surface.h"
#include "model/base/Tr.h"
#include "model/job/EndedJobs.h"
#include "model/job/Job.h"

#include <QFileInfo>
#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

BuildFilter builtOf(const BranchSnapshot &snapshot, const QString &variant)
{
    return {.repository = snapshot.repository,
            .branch = snapshot.branch,
            .variant = variant,
            .outcome = wordOf(BuildOutcome::Kind::Built)};
}

/// The error for a variant without a result.
Error notBuilt(bool was, const VariantEntry &entry)
{
    return {Tr::tr("verify"), entry.package(),
            was ? Tr::tr("its result no longer exists; Nix's garbage collector may have deleted it")
                : Tr::tr("it was not built here"),
            forSurface((was ? Tr::tr("\"torch-matrix build --again %1\" builds it again.")
                            : Tr::tr("\"torch-matrix build %1\" builds it; --result names a result from elsewhere."))
                           .arg(entry.package()),
                       was ? Tr::tr("Build it again.") : Tr::tr("Build it first."))};
}

} // namespace

VerifyExpectation expectationOf(const Catalog &catalog, const BranchSnapshot &snapshot, const Variant &variant)
{
    return expectationOf(catalog, variant, snapshot.settings.profileOf(torchVariantOf(variant)).version,
                         snapshot.settings.profileOf(variant).version);
}

Result<void> keepVerification(BuildHistory &history, const VerifiedBuild &verified, const BranchSnapshot &snapshot,
                              const QString &variant)
{
    if (verified.job.isEmpty())
        return {};
    QJsonObject json = toJson(verified.verification);
    json.insert(u"name"_s, variant);
    json.insert(u"branch"_s, snapshot.branch);
    json.insert(u"job"_s, verified.job);
    const JobFolder folder = JobFolder::of(stateFolder(), verified.job);
    if (QFileInfo::exists(folder.path()))
        TM_CHECK(writeFileAtomically(folder.file(u"verify.json"_s), QJsonDocument(json).toJson(), {}));
    return history.setVerified(verified.job, verified.verification.passed(), verified.verification.closure);
}

Result<VerifiedBuild> verifyBuild(const Catalog &catalog, const BranchSnapshot &snapshot, const VariantEntry &entry,
                                  BuildHistory &history, const std::function<bool()> &stop)
{
    TM_CHECK(recordEndedJobs(history, stateFolder()));
    VerifiedBuild verified;
    QString path;
    const Result<QList<BuildRecord>> records = history.records(builtOf(snapshot, entry.variant.name()));
    for (const BuildRecord &record : records ? *records : QList<BuildRecord>()) {
        const std::optional<JobOutcome> outcome = JobFolder::of(stateFolder(), record.job).outcome();
        for (const QString &result : {outcome ? outcome->build.resultLinks.value(0) : QString(), record.result}) {
            if (path.isEmpty() && !result.isEmpty() && QFileInfo::exists(result)) {
                path = result;
                verified.job = record.job;
            }
        }
    }
    if (path.isEmpty())
        path = snapshot.repository + u"/result-"_s + entry.package();
    if (verified.job.isEmpty() && !QFileInfo::exists(path))
        return notBuilt(records && !records->isEmpty(), entry);
    TM_TRY(verification, verifyResult(path, expectationOf(catalog, snapshot, entry.variant), stop));
    verified.verification = *verification;
    TM_CHECK(keepVerification(history, verified, snapshot, entry.variant.name()));
    return verified;
}

} // namespace tmx
