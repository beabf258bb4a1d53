// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/Preflight.h"

#include "model/hardware/HostFiles.h"
#include "model/hardware/VariantPicker.h"
#include "model/job/GitAnswer.h"
#include "model/snapshot/SnapshotReader.h"
#include "tests/support/BuildRepository.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/FleetFixture.h"
#include "tests/support/GitFixture.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>

#include <functional>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

constexpr qint64 gigabyte = 1'000'000'000;

/// Nothing is wrong.
PreflightProbes sound()
{
    PreflightProbes probes;
    probes.package = u"x"_s;
    probes.engineVersion = u"1.14.0"_s;
    probes.environment = probes.environmentTracked = probes.recipe = probes.recipeTracked = true;
    probes.platform = u"x86_64-linux"_s;
    probes.host.architecture = u"x86_64-linux"_s;
    probes.host.cores = 16;
    probes.host.memoryBytes = 128 * gigabyte;
    probes.gpu = true;
    probes.usesNixpkgs = true;
    probes.nixpkgs = true;
    probes.storePath = u"/nix/store"_s;
    probes.temporaryPath = u"/tmp"_s;
    probes.storeFree = probes.temporaryFree = 21 * gigabyte;
    return probes;
}

} // namespace

using Change = std::function<void(PreflightProbes &)>;

class tst_Preflight : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    /// The system of a recipe whose name has no instruction set is the one that it is written for.
    void systemOfRecipe()
    {
        const auto recipe = [](const QByteArray &system, const QByteArray &platforms) -> QByteArray {
            return "{ }:\nlet\n  nixpkgs = import (fetchTarball \"https://github.com/NixOS/nixpkgs/archive/" +
                   QByteArray(40, '1') + ".tar.gz\") {\n    config.cudaSupport = true;\n" +
                   (system.isEmpty() ? QByteArray() : "    system = \"" + system + "\";\n") +
                   "  };\nin\nnixpkgs.gadget.overrideAttrs (old: {\n  meta = old.meta // { " +
                   (platforms.isEmpty() ? QByteArray() : "platforms = [ " + platforms + " ];") + " };\n})\n";
        };
        const QByteArray arm = "\"aarch64-linux\"";
        const QByteArray x86 = "\"x86_64-linux\"";
        const struct {
            QString name;
            QByteArray text;
            QString platform; ///< empty: unknown
        } cases[] = {
            {u"gadget-cuda12_8-sm80"_s, recipe("aarch64-linux", {}), u"aarch64-linux"_s},
            {u"gadget-cuda12_8-sm86"_s, recipe({}, arm), u"aarch64-linux"_s},
            {u"gadget-cuda12_8-sm89"_s, recipe({}, x86), u"x86_64-linux"_s},
            {u"gadget-cuda12_8-sm90"_s, recipe("x86_64-linux", x86 + ' ' + arm), u"x86_64-linux"_s},
            {u"gadget-cuda12_8-sm100"_s, recipe({}, x86 + ' ' + arm), {}},
            {u"gadget-cuda12_8-sm120"_s, recipe({}, {}), {}},
            {u"gadget-cuda12_8-sm90-arm64"_s, recipe({}, {}), u"aarch64-linux"_s},
            {u"gadget-cuda12_8-all"_s, recipe({}, arm), u"aarch64-linux"_s},
            {u"gadget-cuda12_8-sm90-avx2"_s, recipe({}, arm), u"x86_64-linux"_s},
        };
        GitFixture fixture;
        for (const auto &[name, text, platform] : cases)
            fixture.write(u".flox/pkgs/%1.nix"_s.arg(name), text);
        fixture.git({u"add"_s, u"--all"_s, u"--force"_s});
        fixture.git({u"commit"_s, u"--quiet"_s, u"-m"_s, u"Add recipes"_s});
        const auto catalog = testing::builtInCatalog();
        const auto read = SnapshotReader(catalog).read(fixture.path(), {}, {});
        QVERIFY(read.ok());
        for (const auto &[name, text, platform] : cases) {
            Job job;
            job.variant = job.package = name;
            PreflightProbes probes;
            addRecipe(probes, *catalog, *read->snapshot, job);
            QVERIFY2(probes.platform == platform, qPrintable(name + u": "_s + probes.platform));
            HostReport host;
            host.architecture = u"aarch64-linux"_s;
            host.gpus = {{.name = u"GPU"_s, .capability = u"9.0"_s}};
            const VariantEntry &entry = *read->snapshot->find(name);
            const QStringList systems = entry.systems(*catalog);
            const Pick pick = judge(*catalog, host, {.variant = entry.variant, .systems = systems});
            if (entry.variant.row == "sm90"_L1 && entry.variant.isa.isEmpty())
                QCOMPARE(pick.reasons.join(u' ').contains("It is built for x86_64-linux; this machine is aarch64"_L1),
                         platform == "x86_64-linux"_L1);
        }
    }

    void namesEachTroubleAlone_data()
    {
        QTest::addColumn<Change>("change");
        QTest::addColumn<QStringList>("ids");
        QTest::addColumn<bool>("blocks");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const Change &change, const QStringList &ids, bool blocks,
                            const QString &says) { QTest::newRow(name) << change << ids << blocks << says; };
        row("nothing", [](PreflightProbes &) {}, {}, false, {});
        row("no flox", [](PreflightProbes &p) { p.engineVersion.clear(); }, {u"engine"_s}, true, u"named flox"_s);
        row(
            "no nix",
            [](PreflightProbes &p) {
                p.engine = BuildEngine::Nix;
                p.engineVersion.clear();
            },
            {u"engine"_s}, true, u"named nix-build"_s);
        row(
            "no nixpkgs",
            [](PreflightProbes &p) {
                p.engine = BuildEngine::Nix;
                p.nixpkgs = false;
            },
            {u"nixpkgs"_s}, true, u"<nixpkgs>"_s);
        row(
            "no sbatch", [](PreflightProbes &p) { p.missingProgram = u"sbatch"_s; }, {u"engine"_s}, true,
            u"No program named sbatch is on PATH"_s);
        row(
            "a saved machine of another platform",
            [](PreflightProbes &p) {
                p.machine = u"arm-box"_s;
                p.engineVersion = u"?"_s;
                p.host.architecture = u"aarch64-linux"_s;
            },
            {u"platform"_s}, true, u"x is for x86_64-linux, arm-box is aarch64-linux"_s);
        row("no nixpkgs for flox", [](PreflightProbes &p) { p.nixpkgs = false; }, {}, false, {});
        row(
            "no environment", [](PreflightProbes &p) { p.environment = p.environmentTracked = false; },
            {u"environment"_s}, true, u"flox init"_s);
        row(
            "environment not tracked", [](PreflightProbes &p) { p.environmentTracked = false; }, {u"environment"_s},
            true, u"Commit .flox/env.json"_s);
        row("environment not tracked, built here",
            [](PreflightProbes &p) {
                p.environmentTracked = false;
                p.ownTree = false;
            },
            {}, false, {});
        row("no environment for nix",
            [](PreflightProbes &p) {
                p.engine = BuildEngine::Nix;
                p.environment = false;
            },
            {}, false, {});
        row(
            "no recipe", [](PreflightProbes &p) { p.recipe = p.recipeTracked = false; }, {u"recipe"_s}, true,
            u"no recipe for x"_s);
        row(
            "no git", [](PreflightProbes &p) { p.git = p.recipeTracked = p.environmentTracked = false; }, {u"git"_s},
            true, u"No program named git is on PATH"_s);
        row(
            "recipe not tracked", [](PreflightProbes &p) { p.recipeTracked = false; }, {u"recipe"_s}, true,
            u"git does not track the recipe of x"_s);
        row(
            "audit",
            [](PreflightProbes &p) {
                p.auditErrors = 1;
                p.firstAuditError = u"It is bad."_s;
            },
            {u"audit"_s}, false, u"It is bad."_s);
        row(
            "audit of another text",
            [](PreflightProbes &p) {
                p.auditErrors = 1;
                p.auditOfOther = true;
                p.firstAuditError = u"It is bad."_s;
            },
            {u"audit"_s}, false, u"uncommitted text, which is not built. The first one: It is bad."_s);
        row(
            "another platform", [](PreflightProbes &p) { p.platform = u"aarch64-linux"_s; }, {u"platform"_s}, true,
            u"is for aarch64-linux"_s);
        row("emulated",
            [](PreflightProbes &p) {
                p.platform = u"aarch64-linux"_s;
                p.host.nixSystems = {u"x86_64-linux"_s, u"aarch64-linux"_s};
            },
            {}, false, {});
        row("remote builder",
            [](PreflightProbes &p) {
                p.platform = u"aarch64-linux"_s;
                p.building.builders = parseNixBuilders(u"ssh://arm aarch64-linux"_s);
            },
            {}, false, {});
        row(
            "a remote builder whose name is a platform",
            [](PreflightProbes &p) {
                p.platform = u"aarch64-linux"_s;
                p.building.builders = parseNixBuilders(u"ssh://aarch64-linux x86_64-linux"_s);
            },
            {u"platform"_s}, true, u"none of its remote builders is for it"_s);
        row(
            "a remote builder without the feature",
            [](PreflightProbes &p) {
                p.platform = u"aarch64-linux"_s;
                p.features = {u"big-parallel"_s};
                p.building.builders = parseNixBuilders(u"ssh://arm aarch64-linux"_s);
            },
            {u"platform"_s}, true, u"the remote builder ssh://arm does not accept it because of big-parallel"_s);
        row("a remote builder with the feature",
            [](PreflightProbes &p) {
                p.features = {u"big-parallel"_s};
                p.building.features = QStringList();
                p.building.builders = parseNixBuilders(u"ssh://big - - 1 1 big-parallel"_s);
            },
            {}, false, {});
        row(
            "nothing is built here",
            [](PreflightProbes &p) {
                p.building.here = false;
                p.building.builders = parseNixBuilders(u"ssh://arm aarch64-linux"_s);
            },
            {u"platform"_s}, true, u"max-jobs = 0"_s);
        row("nothing is built here, but elsewhere",
            [](PreflightProbes &p) {
                p.building.here = false;
                p.building.builders = parseNixBuilders(u"ssh://big x86_64-linux"_s);
            },
            {}, false, {});
        row("another platform that this machine builds",
            [](PreflightProbes &p) {
                p.platform = u"i686-linux"_s;
                p.building.platforms = {u"i686-linux"_s};
            },
            {}, false, {});
        row(
            "settings that Nix refuses", [](PreflightProbes &p) { p.building.problem = u"Nix refuses line 1."_s; },
            {u"settings"_s}, false, u"Nix refuses line 1."_s);
        row(
            "settings that Nix refuses, and nix-build",
            [](PreflightProbes &p) {
                p.engine = BuildEngine::Nix;
                p.building.problem = u"Nix refuses line 1."_s;
            },
            {u"settings"_s}, true, u"Nix refuses line 1."_s);
        row(
            "a feature that nobody has",
            [](PreflightProbes &p) {
                p.features = {u"big-parallel"_s};
                p.building.features = QStringList();
            },
            {u"feature"_s}, true, u"which neither this machine nor a remote builder offers"_s);
        row(
            "store full", [](PreflightProbes &p) { p.storeFree = 19 * gigabyte; }, {u"disk"_s}, false,
            u"The disk of /nix/store has 19.0 GB left"_s);
        row(
            "temporary folder full", [](PreflightProbes &p) { p.temporaryFree = gigabyte; }, {u"disk"_s}, false,
            u"/tmp has 1.0 GB"_s);
        row(
            "nothing left", [](PreflightProbes &p) { p.storeFree = gigabyte / 5; }, {u"disk"_s}, true,
            u"has 0.2 GB left"_s);
        row(
            "both on one disk",
            [](PreflightProbes &p) {
                p.oneDisk = true;
                p.storeFree = 39 * gigabyte;
            },
            {u"disk"_s}, false, u"need 40.0 GB"_s);
        row(
            "two at a time",
            [](PreflightProbes &p) {
                p.parallel = 2;
                p.cores = 8;
            },
            {u"disk"_s, u"disk"_s}, false, u"need 40.0 GB"_s);
        row("disk not known", [](PreflightProbes &p) { p.storeFree = p.temporaryFree = -1; }, {}, false, {});
        row(
            "memory", [](PreflightProbes &p) { p.host.memoryBytes = 32 * gigabyte; }, {u"memory"_s}, false,
            u"--cores 6"_s);
        row("memory, few cores asked for",
            [](PreflightProbes &p) {
                p.host.memoryBytes = 32 * gigabyte;
                p.cores = 6;
            },
            {}, false, {});
        row("memory, no GPU",
            [](PreflightProbes &p) {
                p.host.memoryBytes = 32 * gigabyte;
                p.gpu = false;
                p.jobGigabytes = 2;
            },
            {}, false, {});
    }

    void namesEachTroubleAlone()
    {
        QFETCH(Change, change);
        QFETCH(QStringList, ids);
        QFETCH(bool, blocks);
        QFETCH(QString, says);
        PreflightProbes probes = sound();
        change(probes);
        const QList<PreflightItem> items = preflight(probes);
        QStringList found;
        for (const PreflightItem &item : items) {
            found.append(item.id);
            QCOMPARE(item.blocks, blocks);
            QVERIFY2(item.sentence.endsWith(u'.'), qPrintable(item.sentence));
        }
        QCOMPARE(found, ids);
        if (!items.isEmpty())
            QVERIFY2(items.constFirst().sentence.contains(says), qPrintable(items.constFirst().sentence));
    }

    /// One build needs the disk and memory of one, however many the queue may run at a time.
    void countsTheBuildsThatRunTogether()
    {
        QueueContents queue;
        queue.parallel = 3;
        QCOMPARE(atOnce(queue, 0), 1);
        QCOMPARE(atOnce(queue, 1), 1);
        QCOMPARE(atOnce(queue, 9), 3);
        queue.waiting = {u"a"_s};
        QCOMPARE(atOnce(queue, 1), 2);
        queue.parallel = 0; // of a damaged file
        QCOMPARE(atOnce(queue, 4), 1);
    }

    void proposesCores()
    {
        HostReport host;
        QCOMPARE(proposedCores(host, 5), 0);
        host.cores = 64;
        QCOMPARE(proposedCores(host, 5), 64); // memory is not known
        host.memoryBytes = 64 * gigabyte;
        QCOMPARE(proposedCores(host, 5), 13);
        QCOMPARE(proposedCores(host, 2), 32);
        QCOMPARE(proposedCores(host, 5, 2), 6);
        host.memoryBytes = gigabyte;
        QCOMPARE(proposedCores(host, 5), 1);
        host.cores = 2;
        host.memoryBytes = 512 * gigabyte;
        QCOMPARE(proposedCores(host, 5), 2);
        QCOMPARE(proposedCores(host, 5, 8), 1);
        // More memory or fewer builds never give fewer cores, and memory is never exceeded.
        for (int cores = 1; cores < 70; cores += 7) {
            int before = 0;
            for (qint64 memory = 1; memory < 400; memory += 13) {
                host.cores = cores;
                host.memoryBytes = memory * gigabyte;
                const int proposed = proposedCores(host, 5);
                QVERIFY(proposed >= std::max(1, before) && proposed <= cores);
                QVERIFY(proposed == 1 || proposed * 5 <= memory + 1);
                before = proposed;
            }
        }
    }

    void looksAtAJob()
    {
        standInActs("");
        const BuildRepository repository;
        const auto head = [&repository] {
            return QString::fromLatin1(gitAnswer(repository.path(), {u"rev-parse"_s, u"HEAD"_s})->trimmed());
        };
        BranchSnapshot snapshot;
        VariantEntry &entry = snapshot.entries[repository.package()];
        entry.variant = testing::torchOn("", "cpu", "avx2");
        entry.committed = "{ torch }: torch\n";
        entry.findings = {{.severity = Severity::Warning, .sentence = u"A warning."_s},
                          {.severity = Severity::Error, .sentence = u"An error."_s}};
        Job job;
        job.repository = repository.path();
        job.recipe = repository.recipe();
        job.package = job.variant = repository.package();
        job.commit = head();
        const PreflightProbes machine = probeMachine(BuildEngine::Flox);
        QCOMPARE(machine.engineVersion, u"1.14.0"_s);
        QVERIFY(machine.host.cores > 0 && machine.host.memoryBytes > 0);
        QVERIFY(machine.storeFree >= 0 && machine.temporaryFree >= 0);
        const Catalog &catalog = *testing::builtInCatalog();
        PreflightProbes probes = probeJob(machine, catalog, snapshot, job);
        QVERIFY(probes.environment && probes.environmentTracked && probes.recipe && probes.recipeTracked);
        QCOMPARE(probes.platform, u"x86_64-linux"_s);
        QVERIFY(!probes.gpu && probes.usesNixpkgs);
        QCOMPARE(probes.auditErrors, 1);
        QCOMPARE(probes.firstAuditError, u"An error."_s);
        QVERIFY(!probeJob(machine, catalog, snapshot, job).auditOfOther);
        entry.fileStatus = FileStatus::Modified;
        QVERIFY(probeJob(machine, catalog, snapshot, job).auditOfOther);
        job.here = true;
        QVERIFY(!probeJob(machine, catalog, snapshot, job).auditOfOther);
        job.here = false;
        entry.fileStatus = FileStatus::Clean;

        // Removed from the index, they are still in the commit; a build of the working tree lacks them.
        repository.git({u"rm"_s, u"-q"_s, u"--cached"_s, u".flox/env.json"_s, repository.recipe()});
        QVERIFY(probeJob(machine, catalog, snapshot, job).environmentTracked);
        job.here = true;
        probes = probeJob(machine, catalog, snapshot, job);
        QVERIFY(probes.environment && !probes.environmentTracked && probes.recipe && !probes.recipeTracked);
        job.here = false;
        const QString first = job.commit;
        repository.git({u"commit"_s, u"-qm"_s, u"x"_s});
        job.commit = head();
        const CommittedPaths paths;
        QVERIFY(paths.has(repository.path(), first, u".flox/env.json"_s));
        QVERIFY(paths.has(repository.path(), first, u".flox/env"_s)); // a folder
        QVERIFY(!paths.has(repository.path(), first, u".flox/en"_s));
        QVERIFY(!paths.has(repository.path(), job.commit, u".flox/env.json"_s));
        QVERIFY(!paths.has(repository.path(), u"no-commit"_s, u".flox/env.json"_s));
        probes = probeJob(machine, catalog, snapshot, job);
        QVERIFY(probes.environment && !probes.environmentTracked && probes.recipe && !probes.recipeTracked);
        QList<Job> jobs{job, job};
        QStringList ids;
        for (const PreflightItem &item : preflightJobs(catalog, snapshot, jobs))
            ids.append(item.id);
        ids.removeAll(u"disk"_s); // this machine's
        QCOMPARE(ids, (QStringList{u"environment"_s, u"recipe"_s, u"audit"_s}));
        QCOMPARE(jobs.size(), 2);

        // A variant for another machine is an error if it is named, and left out if it is one of several.
        const bool x86 = machine.host.architecture == "x86_64-linux"_L1;
        snapshot.entries[repository.package()].variant = testing::torchOn("", "cpu", x86 ? "armv9" : "avx2");
        QList<Job> named{job};
        QList<Job> chosen{job};
        const auto platform = [](const PreflightItem &item) { return item.id == "platform"_L1; };
        const QList<PreflightItem> blocking = preflightJobs(catalog, snapshot, named);
        QVERIFY(std::any_of(blocking.begin(), blocking.end(), platform));
        QCOMPARE(named.size(), 1);
        for (const PreflightItem &item : preflightJobs(catalog, snapshot, chosen, OtherPlatforms::LeaveOut))
            QVERIFY(!platform(item) || (!item.blocks && item.leftOut));
        QVERIFY(chosen.isEmpty());
        // Each reason once.
        chosen = {job, job, job};
        chosen[1].package = u"second"_s;
        chosen[2].package = u"third"_s;
        const QList<PreflightItem> alike = preflightJobs(catalog, snapshot, chosen, OtherPlatforms::LeaveOut);
        QCOMPARE(std::ranges::count_if(alike, platform), 1);
        QVERIFY(std::ranges::find_if(alike, platform)->sentence.endsWith(u"for the same reason: second, third."_s));
        QVERIFY(chosen.isEmpty());
    }

    /// Slurm is asked for the cores and the memory that the recipe takes, for nodes like this machine.
    void asksSlurmForWhatARecipeTakes()
    {
        const bool x86 = readHostFiles(u"/"_s).host.architecture == "x86_64-linux"_L1;
        const QString own = x86 ? u"avx2"_s : u"armv9"_s;
        BranchSnapshot snapshot;
        const auto add = [&](const QString &row, const QString &isa, const QByteArray &package) {
            const Variant variant{u"vllm"_s, u"python313"_s, u"12.8"_s, row, isa};
            VariantEntry &entry = snapshot.entries[variant.name()];
            entry.variant = variant;
            entry.committed =
                pinnedRecipe(newPin, "12_8", "pinned.python313Packages.vllm.overrideAttrs (old: { " + package + " })");
            entry.facts = std::make_shared<const RecipeFacts>(readFacts(entry.committed));
            Job job;
            job.place.kind = Place::Kind::Slurm;
            job.package = job.variant = variant.name();
            return job;
        };
        const Job fixed = add(u"sm90"_s, own, "NIX_BUILD_CORES = 16;");
        const Job free = add(u"sm80"_s, own, {});
        const Job plain = add(u"cpu"_s, own, {});
        const Job other = add(u"sm90"_s, x86 ? u"armv9"_s : u"avx2"_s, {});
        Job told = free;
        told.cores = 4;
        const Catalog &catalog = *testing::builtInCatalog();
        QList<Job> jobs{fixed, free, plain, told, other};
        const auto platform = [](const PreflightItem &item) { return item.id == "platform"_L1; };
        QList<PreflightItem> items = preflightJobs(catalog, snapshot, jobs, OtherPlatforms::LeaveOut);
        QCOMPARE(jobs.size(), 4);
        QCOMPARE(jobs.at(0).sbatch, (QStringList{u"--cpus-per-task=16"_s, u"--mem=128G"_s}));
        QCOMPARE(jobs.at(0).cores, 16);
        QCOMPARE(jobs.at(1).sbatch, (QStringList{u"--cpus-per-task=8"_s, u"--mem=64G"_s}));
        QCOMPARE(jobs.at(2).sbatch, (QStringList{u"--cpus-per-task=8"_s, u"--mem=16G"_s}));
        QCOMPARE(jobs.at(3).sbatch, (QStringList{u"--cpus-per-task=4"_s, u"--mem=32G"_s}));
        QVERIFY(std::ranges::find_if(items, platform)->leftOut);
        // A named one is built, with a warning; so are several that are all for other nodes.
        for (const OtherPlatforms others : {OtherPlatforms::Block, OtherPlatforms::LeaveOut}) {
            jobs = {other};
            items = preflightJobs(catalog, snapshot, jobs, others);
            QCOMPARE(jobs.size(), 1);
            const auto item = std::ranges::find_if(items, platform);
            QVERIFY(item != items.end() && !item->blocks && !item->leftOut);
        }
    }
};

TM_TEST(tst_Preflight, QCoreApplication)
#include "tst_preflight.moc"
