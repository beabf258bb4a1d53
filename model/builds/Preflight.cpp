// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/Preflight.h"

#include "model/base/Process.h"
#include "model/base/Programs.h"
#include "model/base/Sentences.h"
#include "model/base/ShortList.h"
#include "model/base/Surface.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/fleet/BuildMemory.h"
#include "model/fleet/BuiltRecipes.h"
#include "model/hardware/HostFiles.h"
#include "model/hardware/MachineStore.h"
#include "model/job/Engine.h"
#include "model/job/GitAnswer.h"
#include "model/outcome/OutcomeText.h"

#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QRegularExpression>
#include <QStorageInfo>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qint64 gigabyte = 1'000'000'000;
constexpr qint64 diskOfABuild = 20 * gigabyte;
constexpr qint64 leastDisk = gigabyte / 2; ///< with less, not even the sources can be unpacked

QString gigabytes(qint64 bytes)
{
    return QLocale().toString(double(bytes) / gigabyte, 'f', 1) + u" GB"_s;
}

void addEngine(QList<PreflightItem> &items, const PreflightProbes &probes)
{
    if (!probes.missingProgram.isEmpty())
        items.append({u"engine"_s, true,
                      Tr::tr("No program named %1 is on PATH. Install it, or build on this machine.")
                          .arg(probes.missingProgram)});
    else if (probes.engineVersion.isEmpty())
        items.append({u"engine"_s, true, sentenceOf(engineMissing(probes.engine))});
    if (probes.engine == BuildEngine::Nix && probes.usesNixpkgs && !probes.nixpkgs)
        items.append(
            {u"nixpkgs"_s, true,
             forSurface(Tr::tr("The recipe needs <nixpkgs>, and Nix finds none. Build with --own-pin or flox, or set "
                               "NIX_PATH=nixpkgs=PATH."),
                        Tr::tr("The recipe needs <nixpkgs>, and Nix finds none. Build with the recipe's own pin, or "
                               "with flox."))});
    if (!probes.building.problem.isEmpty())
        items.append({u"settings"_s, probes.engine == BuildEngine::Nix, probes.building.problem});
}

void addFiles(QList<PreflightItem> &items, const PreflightProbes &probes)
{
    if (!probes.git)
        items.append({u"git"_s, true, Tr::tr("No program named git is on PATH. Install Git, then build again.")});
    if (probes.engine == BuildEngine::Flox && !probes.environment)
        items.append({u"environment"_s, true,
                      forSurface(Tr::tr("There is no Flox environment. Run flox init and commit .flox."),
                                 Tr::tr("There is no Flox environment. Create one with flox and commit .flox."))});
    else if (probes.git && probes.engine == BuildEngine::Flox && probes.ownTree && !probes.environmentTracked)
        items.append({u"environment"_s, true,
                      Tr::tr("git does not track the Flox environment, so a build from the commit has none. Commit "
                             ".flox/env.json and .flox/env.")});
    if (!probes.recipe)
        items.append({u"recipe"_s, true, Tr::tr("There is no recipe for %1. Generate it.").arg(probes.package)});
    else if (probes.git && !probes.recipeTracked)
        items.append({u"recipe"_s, true,
                      Tr::tr("git does not track the recipe of %1. Add it to the index.").arg(probes.package)});
    if (probes.auditErrors > 0)
        items.append(
            {u"audit"_s, false,
             (probes.auditOfOther ? Tr::tr("The audit finds %n errors in the uncommitted text, which is not "
                                           "built. The first one: %1",
                                           nullptr, probes.auditErrors)
                                  : Tr::tr("The audit finds %n errors. The first one: %1", nullptr, probes.auditErrors))
                 .arg(probes.firstAuditError)});
}

/// The features in a recipe's requiredSystemFeatures. Ignores comments.
QStringList requiredFeatures(const QByteArray &recipe)
{
    static const QRegularExpression comment(u"#[^\\n]*"_s);
    static const QRegularExpression list(uR"(\brequiredSystemFeatures\s*=\s*\[([^\]]*)\])"_s);
    static const QRegularExpression quoted(u"\"([^\"]+)\""_s);
    const QString text = QString::fromUtf8(recipe).remove(comment);
    QStringList features;
    for (auto lists = list.globalMatch(text); lists.hasNext();) {
        for (auto words = quoted.globalMatch(lists.next().captured(1)); words.hasNext();)
            features.append(words.next().captured(1));
    }
    features.removeDuplicates();
    return features;
}

bool isOwnSystem(const PreflightProbes &probes)
{
    return probes.platform == probes.host.architecture || probes.host.nixSystems.contains(probes.platform) ||
           probes.building.platforms.contains(probes.platform);
}

bool hasOwnFeatures(const PreflightProbes &probes)
{
    const std::optional<QStringList> &own = probes.building.features;
    return !own ||
           std::ranges::all_of(probes.features, [&own](const QString &feature) { return own->contains(feature); });
}

void addDisk(QList<PreflightItem> &items, const PreflightProbes &probes)
{
    const qint64 needed = diskOfABuild * std::max(1, probes.parallel);
    const auto add = [&](const QString &path, qint64 free, qint64 wanted) {
        if (free >= 0 && free < wanted)
            items.append({u"disk"_s, free < leastDisk,
                          Tr::tr("The disk of %1 has %2 left, and a build may need %3. Free space first.")
                              .arg(path, gigabytes(free), gigabytes(wanted))});
    };
    if (probes.oneDisk)
        return add(probes.storePath, probes.storeFree, needed * 2);
    add(probes.storePath, probes.storeFree, needed);
    add(probes.temporaryPath, probes.temporaryFree, needed);
}

void addMemory(QList<PreflightItem> &items, const PreflightProbes &probes)
{
    const HostReport &host = probes.host;
    if (host.memoryBytes <= 0 || host.cores <= 0)
        return;
    const int jobs = probes.fixedJobs > 0 ? probes.fixedJobs : probes.cores > 0 ? probes.cores : host.cores;
    const int cores = jobs * std::max(1, probes.parallel);
    const qint64 needed = cores * probes.jobGigabytes * gigabyte;
    if (needed <= host.memoryBytes + gigabyte)
        return;
    if (probes.fixedJobs > 0) {
        items.append({u"memory"_s, false,
                      Tr::tr("%1 jobs may take %2 of memory, and %3 has %4. Lower %5 in the recipe.")
                          .arg(cores)
                          .arg(gigabytes(needed), probes.machine, gigabytes(host.memoryBytes), probes.fixedBy.text())});
        return;
    }
    items.append({u"memory"_s, false,
                  Tr::tr("%1 cores may take %2 of memory, and %3 has %4. Build with %5.")
                      .arg(cores)
                      .arg(gigabytes(needed), probes.machine, gigabytes(host.memoryBytes),
                           u"--cores %1"_s.arg(proposedCores(host, probes.jobGigabytes, probes.parallel)))});
}

} // namespace

int proposedCores(const HostReport &host, int gigabytes, int parallel)
{
    parallel = std::max(1, parallel);
    if (host.cores <= 0)
        return 0;
    const int own = std::max(1, host.cores / parallel);
    if (host.memoryBytes <= 0)
        return own;
    // A machine sold with 64 GB reports a little less.
    const qint64 room = (host.memoryBytes + gigabyte) / parallel / (gigabytes * gigabyte);
    return int(std::clamp<qint64>(room, 1, own));
}

Builders buildersFor(const PreflightProbes &probes)
{
    const QString &own = probes.host.architecture;
    const bool known = !probes.platform.isEmpty() && !own.isEmpty();
    return {.own = !known || (probes.building.here && hasOwnFeatures(probes) && isOwnSystem(probes)),
            .remote = takers(probes.building.builders, probes.platform.isEmpty() ? own : probes.platform, own,
                             probes.features)};
}

std::optional<PreflightItem> platformItem(const PreflightProbes &probes)
{
    if (const Builders builders = buildersFor(probes); builders.own || !builders.remote.isEmpty())
        return {};
    if (probes.cluster)
        return PreflightItem{u"platform"_s, false,
                             Tr::tr("%1 is for %2, and nodes are expected to be %3 as this machine. Build it apart "
                                    "from others, with a partition or a constraint for its nodes.")
                                 .arg(probes.package, probes.platform, probes.host.architecture)};
    if (isOwnSystem(probes) && hasOwnFeatures(probes))
        return PreflightItem{u"platform"_s, true,
                             Tr::tr("Nix builds nothing on this machine (max-jobs = 0), and no remote builder takes "
                                    "%1. Raise max-jobs in nix.conf, or add a remote builder.")
                                 .arg(probes.package)};
    if (isOwnSystem(probes))
        return PreflightItem{u"feature"_s, true,
                             Tr::tr("%1 requires %2, which neither this machine nor a remote builder offers. Add it to "
                                    "system-features in nix.conf, or add a remote builder.")
                                 .arg(probes.package, probes.features.join(u", "_s))};
    const QString &own = probes.host.architecture;
    const auto unfit = std::ranges::find_if(probes.building.builders, [&](const NixBuilder &builder) {
        return builder.maxJobs > 0 && builder.isFor(probes.platform, own);
    });
    if (unfit != probes.building.builders.end())
        return PreflightItem{u"platform"_s, true,
                             Tr::tr("%1 is for %2, and the remote builder %3 does not accept it because of %4. "
                                    "Change its features, or add a remote builder.")
                                 .arg(probes.package, probes.platform, unfit->store,
                                      unfit->featuresAgainst(probes.features).join(u", "_s))};
    return PreflightItem{u"platform"_s, true,
                         Tr::tr("%1 is for %2, %3 is %4, and none of its remote builders is for it. "
                                "Build it on another machine, or add a remote builder.")
                             .arg(probes.package, probes.platform, probes.machine, own)};
}

QList<PreflightItem> preflight(const PreflightProbes &probes)
{
    QList<PreflightItem> items;
    addEngine(items, probes);
    addFiles(items, probes);
    if (const auto item = platformItem(probes))
        items.append(*item);
    addDisk(items, probes);
    addMemory(items, probes);
    return items;
}

PreflightProbes probeMachine(BuildEngine engine)
{
    PreflightProbes probes;
    probes.engine = engine;
    probes.machine = placeText({});
    if (const QString program = findProgram(programOf(engine)); !program.isEmpty()) {
        const ProcessRun run =
            runProcess({.program = program, .arguments = {u"--version"_s}, .timeout = std::chrono::seconds(20)}, 4096);
        static const QRegularExpression number(uR"(\d+(\.\d+)+)"_s);
        const QString version = number.match(QString::fromUtf8(run.output)).captured();
        probes.engineVersion = version.isEmpty() ? u"?"_s : version;
    }
    if (const QString nix = findProgram(u"nix-instantiate"_s); engine == BuildEngine::Nix && !nix.isEmpty())
        probes.nixpkgs =
            runProcess(
                {.program = nix, .arguments = {u"--find-file"_s, u"nixpkgs"_s}, .timeout = std::chrono::seconds(20)},
                4096)
                .outcome.succeeded();
    probes.host = readHostFiles(u"/"_s).host;
    probes.storePath = QFileInfo::exists(u"/nix/store"_s) ? u"/nix/store"_s : u"/"_s;
    probes.temporaryPath = QFileInfo::exists(u"/nix/var/nix/builds"_s) ? u"/nix/var/nix/builds"_s : QDir::tempPath();
    const QStorageInfo store(probes.storePath);
    const QStorageInfo temporary(probes.temporaryPath);
    probes.storeFree = store.isValid() ? store.bytesAvailable() : -1;
    probes.temporaryFree = temporary.isValid() ? temporary.bytesAvailable() : -1;
    probes.oneDisk = store.rootPath() == temporary.rootPath();
    return probes;
}

PreflightProbes probePlace(const Place &place, BuildEngine engine)
{
    PreflightProbes probes;
    probes.engine = engine;
    probes.machine = placeText(place);
    // Engine, Nix's packages and disks belong to the other machine: a build there reports what is missing.
    probes.engineVersion = u"?"_s;
    probes.nixpkgs = true;
    const QString program = place.kind == Place::Kind::Slurm ? u"sbatch"_s : u"ssh"_s;
    if (findProgram(program).isEmpty())
        probes.missingProgram = program;
    probes.cluster = place.kind == Place::Kind::Slurm;
    if (probes.cluster)
        probes.host.architecture = readHostFiles(u"/"_s).host.architecture;
    if (place.kind == Place::Kind::Ssh) {
        if (const Result<HostReport> report = MachineStore().load(place.host))
            probes.host = *report;
    }
    return probes;
}

void addVariant(PreflightProbes &probes, const Catalog &catalog, const Variant &variant)
{
    const GpuRow *row = catalog.row(variant.row);
    probes.gpu = row && row->isGpu();
    const Isa *isa = catalog.isa(variant.isa);
    if (isa)
        probes.platform = isa->platform;
    else if (const QString named = systemInName(variant); !named.isEmpty())
        probes.platform = named;
    else if (row && row->platforms.size() == 1)
        probes.platform = row->platforms.constFirst();
}

void addRecipe(PreflightProbes &probes, const Catalog &catalog, const BranchSnapshot &snapshot, const Job &job)
{
    probes.package = job.package;
    const VariantEntry *entry = snapshot.findPackage(job.variant);
    if (!entry)
        return;
    const QByteArray &text = job.here || entry->committed.isEmpty() ? entry->text : entry->committed;
    probes.usesNixpkgs = needsNixpkgs(text);
    if (const QString own = ownNixPath(*entry); !own.isEmpty())
        probes.nixpkgs |= job.environment.value(u"NIX_PATH"_s) == own;
    probes.features = requiredFeatures(text);
    addVariant(probes, catalog, entry->variant);
    if (const QStringList systems = entry->systems(catalog); systems.size() == 1)
        probes.platform = systems.constFirst();
}

namespace {

void addCompileJobs(PreflightProbes &probes, const Catalog &catalog, const VariantEntry &entry, int cores)
{
    probes.jobGigabytes = gigabytesOfACore(probes.gpu);
    const BuildMemory memory = buildMemory(catalog, entry, cores, {probes.host.cores, probes.host.memoryBytes});
    for (const CompiledPackage &package : memory.packages) {
        probes.jobGigabytes = std::max(probes.jobGigabytes, int(package.jobMemory / gigabyte));
        if (!package.fixedBy.isEmpty() && package.jobs > probes.fixedJobs) {
            probes.fixedJobs = package.jobs;
            probes.fixedBy = package.fixedBy;
        }
    }
}

struct SizedJob {
    int proposedCores = 0; ///< 0: unknown
    BuildMemory memory;
};

/// Gives a job without a choice of cores those that are proposed, and its memory. `probes`: with addCompileJobs().
SizedJob sizeJob(const Catalog &catalog, const VariantEntry *entry, Job &job, const PreflightProbes &probes,
                 int parallel, EarlierPeaks &peaks)
{
    const bool slurm = job.place.kind == Place::Kind::Slurm;
    SizedJob sized;
    sized.proposedCores =
        slurm ? std::max(probes.fixedJobs, usualSlurmCores) : proposedCores(probes.host, probes.jobGigabytes, parallel);
    if (job.cores == 0 && sized.proposedCores > 0 && (slurm || sized.proposedCores < probes.host.cores))
        job.cores = sized.proposedCores;
    if (entry)
        sized.memory = buildMemory(catalog, *entry, job.cores, {probes.host.cores, probes.host.memoryBytes},
                                   peaks.of(job.variant));
    if (isDoneHere(job))
        job.memory = sized.memory.needed();
    return sized;
}

} // namespace

void sizeJob(const Catalog &catalog, const VariantEntry &entry, Job &job, PreflightProbes probes, int parallel,
             EarlierPeaks &peaks)
{
    addCompileJobs(probes, catalog, entry, job.cores);
    sizeJob(catalog, &entry, job, probes, parallel, peaks);
}

PreflightProbes probeJob(PreflightProbes probes, const Catalog &catalog, const BranchSnapshot &snapshot, const Job &job,
                         const CommittedPaths &paths)
{
    const auto there = [&job, &paths](const QString &path) {
        return job.here ? isTracked(job.repository, path) : paths.has(job.repository, job.commit, path);
    };
    const QDir tree(job.repository);
    probes.git = !findProgram(u"git"_s).isEmpty();
    probes.ownTree = !job.here;
    probes.cores = job.cores;
    if (job.place.isHere()) // Another machine has its own builders.
        probes.building = nixBuilding(environmentOf(job, QProcessEnvironment::systemEnvironment()));
    probes.environmentTracked = there(u".flox/env.json"_s) && there(u".flox/env"_s);
    probes.environment = probes.environmentTracked || tree.exists(u".flox/env.json"_s);
    probes.recipeTracked = there(job.recipe);
    probes.recipe = probes.recipeTracked || tree.exists(job.recipe);
    addRecipe(probes, catalog, snapshot, job);
    if (const VariantEntry *entry = snapshot.findPackage(job.variant)) {
        addCompileJobs(probes, catalog, *entry, job.cores);
        probes.auditOfOther = hasUnbuiltChanges(*entry) && !job.here;
        for (const Finding &finding : entry->findings) {
            if (finding.severity != Severity::Error)
                continue;
            if (probes.auditErrors++ == 0)
                probes.firstAuditError = placedSentence(finding);
        }
    }
    return probes;
}

namespace {

/// Jobs that are left out for one reason.
struct LeftOutJobs {
    PreflightItem item; ///< of the first one
    QStringList packages;
};

void leaveOut(QList<LeftOutJobs> &leftOut, const PreflightItem &item, const QString &package)
{
    const auto reasonOf = [](const PreflightItem &one, const QString &name) {
        return QString(one.sentence).remove(name);
    };
    const auto alike = std::ranges::find_if(leftOut, [&](const LeftOutJobs &group) {
        return reasonOf(group.item, group.packages.constFirst()) == reasonOf(item, package);
    });
    if (alike == leftOut.end())
        leftOut.append({item, {package}});
    else
        alike->packages.append(package);
}

/// A sentence that names a place in the recipe.
struct SaidPlace {
    QString rest; ///< the sentence without the place
    SettingPlace place;
    qsizetype item = 0;
};

/// Copies of a recipe differ in the line: they have one sentence with the lines of all.
void addOnce(QList<PreflightItem> &items, const PreflightItem &item, const SettingPlace &place, QList<SaidPlace> &said)
{
    const QString text = place.isEmpty() ? QString() : place.text();
    if (items.contains(item))
        return;
    if (text.isEmpty() || !item.sentence.contains(text)) {
        items.append(item);
        return;
    }
    const QString rest = QString(item.sentence).remove(text);
    const auto known = std::ranges::find(said, rest, &SaidPlace::rest);
    if (known == said.end()) {
        said.append({rest, place, items.size()});
        items.append(item);
        return;
    }
    const QString before = known->place.text();
    known->place.addLines(place);
    items[known->item].sentence.replace(before, known->place.text());
}

/// Asks Slurm for the resources of a job. Where the user names the nodes of one job, they may be of any system.
void askSlurm(Job &job, PreflightProbes &probes, qint64 memory, OtherPlatforms others)
{
    const bool named = std::ranges::any_of(job.sbatch, [](const QString &option) {
        return option.startsWith("--partition="_L1) || option.startsWith("--constraint="_L1);
    });
    if (named && others == OtherPlatforms::Block)
        probes.platform.clear();
    job.sbatch = withResources(job.sbatch, job.cores, memory > 0 ? memory : job.cores * probes.jobGigabytes * gigabyte);
}

void addLeftOut(const QList<LeftOutJobs> &leftOut, BuildPlan &plan)
{
    for (const LeftOutJobs &group : leftOut) {
        const QString others = shortList(group.packages.mid(1));
        plan.items.append(
            {group.item.id, false,
             joinedSentences({group.item.sentence,
                              others.isEmpty() ? QString() : Tr::tr("Left out for the same reason: %1.").arg(others)}),
             true});
    }
}

/// Adds the result of preflightJobs() for the plan's jobs to the plan.
void examine(const Catalog &catalog, const BranchSnapshot &snapshot, OtherPlatforms others,
             const MachineAndQueue &place, BuildPlan &plan)
{
    QList<Job> &jobs = plan.wanted.jobs;
    QList<Job> kept;
    QList<LeftOutJobs> leftOut;
    QList<BuildMemory> memories;
    std::optional<PreflightProbes> machine;
    std::optional<Place> probed;
    const CommittedPaths paths;
    EarlierPeaks peaks;
    QList<SaidPlace> said;
    for (Job job : std::as_const(jobs)) {
        if (!machine || machine->engine != job.engine || probed != job.place)
            machine = job.place.isHere() ? place.probe(job.engine) : probePlace(job.place, job.engine);
        probed = job.place;
        plan.engineVersion = machine->engineVersion;
        PreflightProbes probes = probeJob(*machine, catalog, snapshot, job, paths);
        probes.parallel = place.parallel;
        job.builders = atOnceByStore(probes.building.builders, buildersFor(probes).remote);
        const bool slurm = job.place.kind == Place::Kind::Slurm;
        const auto [proposed, memory] =
            sizeJob(catalog, snapshot.findPackage(job.variant), job, probes, place.parallel, peaks);
        probes.cores = job.cores;
        if (slurm)
            askSlurm(job, probes, memory.needed(), others);
        QList<PreflightItem> items = preflight(probes);
        const auto elsewhere = std::ranges::find_if(
            items, [](const PreflightItem &item) { return item.id == "platform"_L1 || item.id == "feature"_L1; });
        if (elsewhere != items.end() && others == OtherPlatforms::LeaveOut) {
            // Other problems do not matter then.
            leaveOut(leftOut, *elsewhere, job.package);
            continue;
        }
        plan.cores = plan.cores == 0 ? proposed : std::min(plan.cores, proposed);
        kept.append(job);
        if (slurm || isDoneHere(job))
            memories.append(memory);
        for (const PreflightItem &item : std::as_const(items))
            addOnce(plan.items, item, probes.fixedBy, said);
    }
    if (kept.isEmpty() && !jobs.isEmpty() && jobs.constFirst().place.kind == Place::Kind::Slurm)
        return examine(catalog, snapshot, OtherPlatforms::Block, place, plan); // There may be nodes for them.
    addLeftOut(leftOut, plan);
    plan.memory = memoryParagraphs(memories);
    jobs = kept;
}

} // namespace

int atOnce(const QueueContents &queue, qsizetype more)
{
    const qsizetype builds = more + queue.waiting.size() + queue.active.size();
    return int(std::clamp<qsizetype>(builds, 1, std::max(1, queue.parallel)));
}

QList<PreflightItem> preflightJobs(const Catalog &catalog, const BranchSnapshot &snapshot, QList<Job> &jobs,
                                   OtherPlatforms others, const MachineAndQueue &place)
{
    BuildPlan plan;
    plan.wanted.jobs = jobs;
    examine(catalog, snapshot, others, place, plan);
    jobs = plan.wanted.jobs;
    return plan.items;
}

bool BuildPlan::blocks() const
{
    return std::any_of(items.begin(), items.end(), [](const PreflightItem &item) { return item.blocks; });
}

bool BuildPlan::isSound() const
{
    return wanted.errors.isEmpty() &&
           std::ranges::all_of(items, [](const PreflightItem &item) { return item.id == "failed"_L1; });
}

std::optional<PreflightItem> failedBefore(const QString &state, const WantedBuilds &wanted)
{
    const QMap<QString, BuildOutcome> failures =
        wanted.again == Again::No ? QMap<QString, BuildOutcome>() : failuresBefore(state, wanted.jobs);
    if (failures.isEmpty())
        return {};
    return PreflightItem{u"failed"_s, false,
                         Tr::tr("Failed before with the same recipe: %1. %2")
                             .arg(shortList(failures.keys()), sentenceOf(failures.first()))};
}

BuildPlan planBuilds(const Catalog &catalog, const BranchSnapshot &snapshot, const QString &state,
                     const BuildRequest &request, MachineAndQueue place)
{
    BuildPlan plan;
    plan.wanted = wantedBuilds(snapshot, state, request);
    place.parallel = atOnce(Queue(state).contents(), plan.wanted.jobs.size());
    const OtherPlatforms others =
        request.chooses() || request.names.size() > 1 ? OtherPlatforms::LeaveOut : OtherPlatforms::Block;
    examine(catalog, snapshot, others, place, plan);
    if (const auto item = failedBefore(state, plan.wanted))
        plan.items.append(*item);
    for (const QString &name : MachineStore().names()) {
        if (isSshHost(name))
            plan.machines.append(toString(Place{Place::Kind::Ssh, name}));
    }
    for (const NixBuilder &builder : nixBuilding(QProcessEnvironment::systemEnvironment()).builders)
        plan.builders.append(toLine(builder));
    if (request.wish.here)
        plan.uncommitted = uncommittedFiles(snapshot.repository);
    return plan;
}

} // namespace tmx
