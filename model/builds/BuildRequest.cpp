// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/BuildRequest.h"

#include "model/base/BlobId.h"
#include "model/base/NearestNames.h"
#include "model/base/Programs.h"
#include "model/base/Sentences.h"
#include "model/base/ShortList.h"
#include "model/base/Surface.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/job/Engine.h"
#include "model/job/Needs.h"
#include "model/outcome/OutcomeText.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

BuildEngine usualEngine()
{
    const bool nixAlone =
        findProgram(programOf(BuildEngine::Flox)).isEmpty() && !findProgram(programOf(BuildEngine::Nix)).isEmpty();
    return nixAlone ? BuildEngine::Nix : BuildEngine::Flox;
}

bool isSelected(const VariantEntry &entry, const QHash<QString, BuildState> &states, BuildSelection selection,
                bool again)
{
    using Phase = BuildState::Phase;
    if (entry.committed.isEmpty())
        return false;
    const Phase phase = states.value(entry.variant.name()).phase;
    const bool neverHere = phase == Phase::None || phase == Phase::Elsewhere || phase == Phase::FailedElsewhere;
    switch (selection) {
    case BuildSelection::Missing: return neverHere;
    case BuildSelection::Stale: return phase == Phase::Stale;
    case BuildSelection::Failed: return phase == Phase::Failed;
    case BuildSelection::All:
        return neverHere || phase == Phase::Stale || phase == Phase::Failed ||
               (again && (phase == Phase::Built || phase == Phase::Published));
    }
    Q_UNREACHABLE_RETURN(false);
}

} // namespace

std::optional<Error> cannotBuild(const VariantEntry &entry)
{
    if (!isBuildableName(entry.package()))
        return Error{Tr::tr("build"), entry.variant.name(),
                     Tr::tr("\"%1\" is not the name of a package that flox can build").arg(entry.package()),
                     forSurface(Tr::tr("Give it its canonical name: torch-matrix plan --apply."),
                                Tr::tr("Plan gives it its canonical name."))};
    if (const Finding *error = entry.firstError())
        return Error{Tr::tr("build"), entry.variant.name(),
                     Tr::tr("the audit finds an error in it (%1)").arg(error->rule), placedSentence(*error)};
    return {};
}

bool isBuildersLine(const QString &builders)
{
    static const QRegularExpression unusable(u"[\\p{Cc}#]"_s);
    return !builders.contains(unusable);
}

QString ownNixPath(const VariantEntry &entry)
{
    const QList<PinFacts> pins = entry.facts ? entry.facts->pins : QList<PinFacts>();
    const bool one = pins.size() == 1 && pins.constFirst().url.known && !pins.constFirst().url.value.isEmpty();
    return one ? u"nixpkgs="_s + pins.constFirst().url.value : QString();
}

QMap<QString, QString> environmentFor(const BuildWish &wish)
{
    QMap<QString, QString> environment = recordedEnvironment();
    if (wish.builders) {
        QString &config = environment[u"NIX_CONFIG"_s];
        config = withNixSetting(config, u"builders = "_s + *wish.builders);
    }
    return environment;
}

namespace {

Result<void> checkWish(const BuildWish &wish)
{
    if (!placeNamed(toString(wish.place)))
        return Error{Tr::tr("build on"), wish.place.host, Tr::tr("that is not a host name"),
                     Tr::tr("Give a host, user@host, a name from your ssh configuration, or slurm.")};
    if (wish.builders && !isBuildersLine(*wish.builders))
        return Error{Tr::tr("build with the builders"), wish.builders->simplified(),
                     Tr::tr("Nix takes one line without comments"), Tr::tr("Separate builders with semicolons.")};
    return {};
}

} // namespace

Result<Job> jobFor(const BranchSnapshot &snapshot, const QString &variant, const BuildWish &wish)
{
    const VariantEntry *entry = snapshot.findPackage(variant);
    const auto failed = [&](const QString &why, const QString &remedy) {
        return Error{Tr::tr("build"), variant, why, remedy};
    };
    if (!entry || !entry->present || (entry->text.isEmpty() && entry->committed.isEmpty())) {
        const QString generate = forSurface(
            snapshot.checkedOut ? Tr::tr("Generate it first: torch-matrix generate %1 --commit.").arg(variant)
                                : Tr::tr("Generate it first: torch-matrix generate %1 --branch %2 --commit.")
                                      .arg(variant, snapshot.title()),
            Tr::tr("Generate and commit it first."));
        const QString meant = entry ? QString() : meantSentence(variant, snapshot.entries.keys());
        return failed(Tr::tr("branch %1 has no recipe for it").arg(snapshot.title()),
                      joinedSentences({meant, generate}));
    }
    if (!isBuildableName(entry->package()))
        return *cannotBuild(*entry);
    if (wish.here && !snapshot.checkedOut)
        return failed(Tr::tr("branch %1 is not checked out").arg(snapshot.title()),
                      Tr::tr("Check it out, or build its commit."));
    if (!wish.here && entry->committed.isEmpty())
        return failed(Tr::tr("its recipe is not committed"),
                      forSurface(Tr::tr("Commit it, or build the working tree (--here)."),
                                 Tr::tr("Commit it, or build the working tree.")));
    if (snapshot.commit.isEmpty())
        return failed(Tr::tr("branch %1 has no commit yet").arg(snapshot.title()), Tr::tr("Commit the recipes first."));
    Job job;
    job.repository = canonicalRepository(snapshot.repository);
    job.branch = snapshot.branch;
    job.commit = snapshot.commit;
    const RecipeSource source = wish.here ? shownSource(snapshot, *entry) : entry->committedSource();
    job.blob = blobId(source.text, snapshot.commit.size());
    job.identity = buildIdentity(source, snapshot.commit.size());
    job.meaning = meaningOf(*entry, source);
    job.imports = !source.digest().isEmpty();
    job.recipe = entry->file;
    job.package = entry->package();
    job.variant = variant;
    // The engines installed here do not matter for another machine.
    job.engine = wish.engine.value_or(wish.place.isHere() ? usualEngine() : BuildEngine::Flox);
    job.stability = wish.stability;
    job.cores = wish.cores;
    job.here = wish.here;
    job.place = wish.place;
    if (job.here && !job.place.isHere())
        return failed(Tr::tr("%1 has no working tree to build").arg(placeText(job.place)),
                      Tr::tr("Commit the recipe, and build its commit."));
    TM_CHECK(checkWish(wish));
    if (job.place.kind == Place::Kind::Slurm) {
        TM_TRY(options, slurmOptions(wish.slurm));
        job.sbatch = *options;
    }
    job.environment = environmentFor(wish);
    if (wish.ownPin) {
        const QString path = ownNixPath(*entry);
        if (path.isEmpty())
            return failed(Tr::tr("it fetches no nixpkgs of its own, or several"),
                          Tr::tr("Build it with another nixpkgs."));
        job.environment.insert(u"NIX_PATH"_s, path);
    }
    job.created = QDateTime::currentDateTimeUtc();
    return job;
}

bool isOf(const Job &job, const BranchSnapshot &snapshot)
{
    return job.branch == snapshot.branch && job.repository == canonicalRepository(snapshot.repository);
}

QStringList selectBuilds(const BranchSnapshot &snapshot, const QHash<QString, BuildState> &states,
                         BuildSelection selection, bool again)
{
    QStringList chosen;
    for (const VariantEntry &entry : snapshot.entries) {
        if (isSelected(entry, states, selection, again) && !cannotBuild(entry))
            chosen.append(entry.variant.name());
    }
    return chosen;
}

WantedBuilds wantedBuilds(const BranchSnapshot &snapshot, const QString &state, const BuildRequest &request)
{
    WantedBuilds wanted;
    QStringList names = request.names;
    const QList<JobRecord> before = readJobs(state);
    const JobsByProduct byProduct = jobsByProduct(before);
    if (request.chooses()) {
        const QHash<QString, BuildState> states = buildStates(snapshot, before, otherBuildsOf(snapshot.repository));
        for (const BuildSelection selection : request.selections) {
            names += selectBuilds(snapshot, states, selection, request.again);
            for (const VariantEntry &entry : snapshot.entries) {
                if (const auto why = cannotBuild(entry); why && isSelected(entry, states, selection, request.again))
                    wanted.errors.append(*why);
            }
        }
    }
    names.removeDuplicates();
    for (const QString &name : std::as_const(names)) {
        Result<Job> job = jobFor(snapshot, name, request.wish);
        if (!job) {
            wanted.errors.append(job.error());
            continue;
        }
        takeKnownIdentity(*job, byProduct);
        wanted.jobs.append(*job);
    }
    const bool failed = !request.chooses() || request.selections.contains(BuildSelection::Failed);
    wanted.again = request.again || request.wish.here ? Again::All : failed ? Again::Failed : Again::No;
    return wanted;
}

QString summaryOf(const QList<QueuedJob> &queued)
{
    using What = QueuedJob::What;
    QList<const QueuedJob *> built;
    QList<const QueuedJob *> failed;
    QList<const QueuedJob *> waiting;
    for (const QueuedJob &one : queued) {
        if (one.what == What::BuiltBefore)
            built.append(&one);
        else if (one.what == What::FailedBefore)
            failed.append(&one);
        else if (one.what == What::AlreadyQueued)
            waiting.append(&one);
    }
    QStringList sentences;
    if (const qsizetype begun = queued.size() - built.size() - failed.size() - waiting.size();
        queued.size() > 1 && begun > 0 && begun < queued.size())
        sentences.append(Tr::tr("Queued: %1 of %2.").arg(begun).arg(queued.size()));
    QStringList again;
    for (const QueuedJob &one : queued) {
        if (one.failure)
            again.append(one.record.job.package);
    }
    if (!again.isEmpty())
        sentences.append(Tr::tr("Failed before with the same recipe, and tried again: %1.").arg(shortList(again)));
    if (built.size() == 1)
        sentences.append(Tr::tr("%1 was built already; the result is %2.")
                             .arg(built.first()->record.job.package, built.first()->record.result()));
    else if (!built.isEmpty())
        sentences.append(Tr::tr("Built already: %1.").arg(built.size()));
    if (waiting.size() == 1)
        sentences.append(Tr::tr("%1 is in the queue already.").arg(waiting.first()->record.job.package));
    else if (!waiting.isEmpty())
        sentences.append(Tr::tr("In the queue already: %1.").arg(waiting.size()));
    if (!failed.isEmpty()) {
        QStringList packages;
        for (const QueuedJob *one : std::as_const(failed))
            packages.append(one->record.job.package);
        sentences.append(Tr::tr("Failed before and has not changed since: %1. %2 Retry builds it anyway.")
                             .arg(shortList(packages), sentenceOf(failed.constFirst()->record.outcome->build)));
    }
    return sentences.join(u' ');
}

} // namespace tmx
