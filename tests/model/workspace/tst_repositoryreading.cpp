// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Generate.h"
#include "model/workspace/CellDetail.h"
#include "model/workspace/PickChoices.h"
#include "model/workspace/RepositoryReading.h"
#include "tests/support/BranchContents.h"
#include "tests/support/Requests.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

const QString variant = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
const QString uncovered = u"pytorch-python313-cuda12_8-sm61-avx512"_s;
const QString file = u".flox/pkgs/pytorch-python313-cuda12_8-sm90-avx512.nix"_s;

} // namespace

/// The long actions, against a real repository, judged by git.
class TestReading : public QObject
{
    Q_OBJECT

    static QString stateOf(const SampleFixture &sample, const QString &name)
    {
        const Result<RepositoryReading> reading = readRepository(sample.catalog(), sample.path());
        const VariantEntry *entry = reading ? reading->snapshot->find(name) : nullptr;
        return entry ? toString(entry->state) : u"none"_s;
    }

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void readsFromASubfolder()
    {
        const SampleFixture sample;
        const Result<RepositoryReading> reading = readRepository(sample.catalog(), sample.path(u".flox/pkgs"_s));
        QVERIFY(reading);
        QCOMPARE(reading->info.workTree, QDir(sample.path()).canonicalPath());
        QCOMPARE(reading->snapshot->branch, u"main"_s);
        QVERIFY(reading->snapshot->checkedOut);
        QVERIFY(!reading->watchPaths.isEmpty());
    }

    void saysWhichGpusNoBranchHasARecipeFor()
    {
        const SampleFixture sample;
        const auto ids = [&sample] {
            const Result<BranchRecipes> recipes = readBranchRecipes(sample.catalog(), sample.path());
            QStringList ids;
            for (const GpuRow &row : recipes ? recipes->uncoveredGpus(*sample.catalog()) : QList<GpuRow>())
                ids.append(row.id);
            return ids;
        };
        QVERIFY2(ids().contains(u"sm87"_s), qPrintable(ids().join(u' ')));
        QVERIFY(!ids().contains(u"sm90"_s));
        QVERIFY(!ids().contains(u"sm110"_s)); // another branch's, which is not checked out
        QVERIFY(!ids().contains(u"cpu"_s));
        // A file in the work tree counts before it is committed.
        QFile recipe(sample.path(u".flox/pkgs/pytorch-python313-cuda12_8-sm87-armv8_2.nix"_s));
        QVERIFY(recipe.open(QIODevice::WriteOnly));
        recipe.write("{ }: { }\n");
        recipe.close();
        QVERIFY(!ids().contains(u"sm87"_s));
        QVERIFY(!readBranchRecipes(sample.catalog(), u"/nowhere/at/all"_s));
    }

    void allOrNothingIsWritten()
    {
        const SampleFixture sample;
        sample.takeOut(variant);
        const auto changes =
            ask(sample, GenerateRequest{.names = {variant, u"pytorch-python313-cuda12_8-sm110-armv9"_s}});
        QVERIFY_ERROR(apply(sample, changes), u"13.0"_s);
        QVERIFY(!QFile::exists(sample.path(file)));
        QVERIFY(sample.status().isEmpty());
    }

    void generatingTwiceChangesNothing()
    {
        const SampleFixture sample;
        const auto changes = ask(sample, GenerateRequest{.names = {variant}, .until = ChangeSet::Until::Commit});
        QVERIFY_OK(changes);
        QCOMPARE(changes->files.size(), 1);
        QCOMPARE(changes->files.constFirst().name, variant);
        QVERIFY(changes->files.constFirst().before);
        QCOMPARE(changes->files.constFirst().before, changes->files.constFirst().after);
        QVERIFY(changes->isEmpty());
        // Written but not committed the first time: the second request commits it.
        QVERIFY_OK(apply(sample, ask(sample, GenerateRequest{.names = {uncovered}})));
        const auto again = ask(sample, GenerateRequest{.names = {uncovered}, .until = ChangeSet::Until::Commit});
        QVERIFY_OK(again);
        QCOMPARE(again->files.size(), 1);
        QVERIFY(again->files.constFirst().before);
        QCOMPARE(again->files.constFirst().before, again->files.constFirst().after);
        const auto applied = apply(sample, again);
        QVERIFY_OK(applied);
        QVERIFY(!applied->commit.isEmpty());
        QVERIFY(sample.status().isEmpty());
    }

    /// A user's file with an old form of the name and exactly the text that would be written: nothing is written or
    /// staged next to it.
    void anOldFormWithTheSameTextIsNamed()
    {
        const SampleFixture sample;
        const QString old = u".flox/pkgs/pytorch-py313-cuda12_8-sm90-avx512.nix"_s;
        sample.takeOut(variant);
        const auto rendered = [&] {
            const Result<RepositoryReading> reading = readRepository(sample.catalog(), sample.path());
            return reading->snapshot->find(variant)->rendered;
        }();
        QVERIFY(!rendered.isEmpty());
        sample.write(old, rendered);
        const auto refused =
            apply(sample, ask(sample, GenerateRequest{.names = {variant}, .until = ChangeSet::Until::Commit}));
        QVERIFY(!refused);
        const QString sentence = refused.error().sentence();
        QVERIFY2(sentence.contains(u"under an old form of its name"_s) && sentence.contains(file),
                 qUtf8Printable(sentence));
        QCOMPARE(sample.status(), "?? " + old.toUtf8());
        // It is built and committed under its own name nevertheless.
        QVERIFY_OK(apply(sample, ask(sample, StageRequest{{variant}})));
        QCOMPARE(sample.status(), "A  " + old.toUtf8());
    }

    void whatCannotBeReadIsNeitherBuiltNorCommitted()
    {
        const SampleFixture sample;
        const QString path = sample.path(u".flox/pkgs/%1.nix"_s.arg(uncovered));
        const auto actions = [&sample] {
            const Result<RepositoryReading> reading = readRepository(sample.catalog(), sample.path());
            return actionsFor(*reading->snapshot, *reading->snapshot->find(uncovered));
        };
        QVERIFY(QDir().mkpath(path));
        QVERIFY2(!actions().build.enabled && actions().build.reason.contains(u"folder"_s),
                 qPrintable(actions().build.reason));
        QVERIFY(!actions().commit.enabled && actions().commit.reason.contains(u"folder"_s));
        QVERIFY(QDir().rmdir(path));
        QVERIFY(QFile::link(u"/nowhere/at/all.nix"_s, path));
        QVERIFY(!actions().build.enabled && actions().build.reason.contains(u"link"_s));
        QVERIFY(!actions().commit.enabled);
        QVERIFY(QFile::remove(path));
        sample.write(u".flox/pkgs/%1.nix"_s.arg(uncovered), "\n");
        QVERIFY(!actions().build.enabled && !actions().commit.enabled);
        sample.write(u".flox/pkgs/%1.nix"_s.arg(uncovered), "{ }: { }\n");
        QVERIFY(actions().build.enabled && actions().commit.enabled);
    }

    void anUnresolvedMergeSaysSo()
    {
        const SampleFixture sample;
        const QByteArray text = sample.read(file);
        sample.git({u"checkout"_s, u"-qb"_s, u"other"_s});
        sample.write(file, text + "# theirs\n");
        sample.git({u"commit"_s, u"-qam"_s, u"Theirs"_s});
        sample.git({u"checkout"_s, u"-q"_s, u"main"_s});
        sample.write(file, text + "# ours\n");
        sample.git({u"commit"_s, u"-qam"_s, u"Ours"_s});
        sample.tryGit({u"merge"_s, u"-q"_s, u"other"_s});
        const Result<RepositoryReading> reading = readRepository(sample.catalog(), sample.path());
        QVERIFY(reading);
        const QString reason = reading->snapshot->find(variant)->reason;
        QVERIFY2(reason.contains(u"merge"_s), qPrintable(reason));
    }

    void picksSayWhatTheBranchHas()
    {
        const SampleFixture sample;
        sample.takeOut(variant);
        const QString other = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
        QVERIFY(QFile::link(u"/nix/store/0-x"_s, sample.path(u"result-"_s + other)));
        const auto reasons = [&sample](const QString &name, const QString &branch = {}, const QString &as = {}) {
            Result<RepositoryReading> reading = readRepository(sample.catalog(), sample.path(), branch);
            if (!as.isEmpty())
                reading->builds[name] = {.phase = BuildState::Phase::Published, .text = as};
            MachinePicks machine;
            Pick pick;
            pick.variant = *variantNamed(*sample.catalog(), name);
            machine.picks = {pick};
            tellOfRecipes(machine, *reading->snapshot, reading->builds);
            return machine.picks.first().reasons;
        };
        const QString unknown = u"It is not known whether it is published; \"flox show\" looks it up on the "_s
                                u"network."_s;
        QCOMPARE(reasons(variant), (QStringList{u"Branch main has no recipe for it yet; generate it."_s,
                                                u"It has not been built in this working tree."_s, unknown}));
        const QString there = u"Branch main has its recipe."_s;
        QCOMPARE(reasons(other), (QStringList{there, u"It was built, but its result no longer exists."_s, unknown}));
        QVERIFY(QFile::remove(sample.path(u"result-"_s + other)));
        QVERIFY(QFile::link(sample.path(), sample.path(u"result-"_s + other)));
        QCOMPARE(reasons(other), (QStringList{there, u"It is built: ./result-%1."_s.arg(other), unknown}));
        QCOMPARE(reasons(other, {}, u"lab/"_s + other),
                 (QStringList{there, u"It is published: flox install lab/%1."_s.arg(other)}));
        // Nothing is known about builds of another branch.
        QCOMPARE(reasons(u"pytorch-python313-cuda12_9-sm90-avx2"_s, u"cuda-12_9"_s),
                 (QStringList{u"Branch cuda-12_9 has its recipe."_s, unknown}));
    }

    void commitHoldsTheChosenFilesAndLeavesTheIndex()
    {
        const SampleFixture sample;
        sample.write(u"staged.txt"_s, "somebody's\n");
        sample.git({u"add"_s, u"staged.txt"_s});
        QVERIFY_OK(apply(sample, ask(sample, GenerateRequest{.names = {uncovered}})));
        const Result<RepositoryReading> seen = readRepository(sample.catalog(), sample.path());
        QVERIFY(seen);
        QVERIFY_OK(apply(sample, ask(sample, CommitRequest{{uncovered}, {}, seen->info.headCommit})));
        QCOMPARE(sample.git({u"show"_s, u"--format=%s"_s, u"--name-status"_s}),
                 "Add " + uncovered.toUtf8() + "\n\nA\t.flox/pkgs/" + uncovered.toUtf8() + ".nix");
        QCOMPARE(sample.status(), "A  staged.txt");
        QCOMPARE(stateOf(sample, uncovered), u"current"_s);
    }

    void aMovedHeadStopsTheCommit()
    {
        const SampleFixture sample;
        const Result<RepositoryReading> seen = readRepository(sample.catalog(), sample.path());
        QVERIFY(seen);
        sample.write(file, sample.read(file) + "# mine\n");
        sample.git({u"commit"_s, u"-q"_s, u"--allow-empty"_s, u"-m"_s, u"Meanwhile"_s});
        const QByteArray head = sample.git({u"rev-parse"_s, u"HEAD"_s});
        QVERIFY_ERROR(apply(sample, ask(sample, CommitRequest{{variant}, {}, seen->info.headCommit})),
                      u"moved meanwhile"_s);
        QCOMPARE(sample.git({u"rev-parse"_s, u"HEAD"_s}), head);
        QCOMPARE(stateOf(sample, variant), u"modified"_s);
    }

    void updatesAreCalledUpdates()
    {
        QCOMPARE(commitMessageFor({u"a"_s}), u"Add a\n"_s);
        QCOMPARE(commitMessageFor({u"b"_s, u"a"_s}, u"Update"_s), u"Update 2 recipes\n\na\nb\n"_s);
        const SampleFixture sample;
        sample.write(file, sample.read(file) + "# mine\n");
        const Result<RepositoryReading> seen = readRepository(sample.catalog(), sample.path());
        const auto applied = apply(sample, ask(sample, CommitRequest{{variant}, {}, seen->info.headCommit}));
        QVERIFY_OK(applied);
        QCOMPARE(applied->subject, u"Update "_s + variant);
        QCOMPARE(stateOf(sample, variant), u"equivalent"_s);
    }

    void stagingMakesAnUntrackedRecipeVisibleToFlox()
    {
        const SampleFixture sample;
        const QString path = u".flox/pkgs/%1.nix"_s.arg(uncovered);
        sample.write(path, "{ }: { }\n");
        QVERIFY(sample.status().startsWith("??"));
        QVERIFY_OK(apply(sample, ask(sample, StageRequest{{uncovered}})));
        QCOMPARE(sample.status(), "A  " + path.toUtf8());
        QVERIFY_ERROR(apply(sample, ask(sample, StageRequest{{u"pytorch-python313-cuda12_8-sm61-armv9"_s}})),
                      u"it has no recipe yet"_s);
    }

    void resultsOfEarlierBuildsAreSeen()
    {
        const SampleFixture sample;
        const auto phase = [&sample](const QString &branch = {}) {
            const Result<RepositoryReading> reading = readRepository(sample.catalog(), sample.path(), branch);
            return reading ? toString(reading->builds.value(variant).phase) : reading.error().sentence();
        };
        QCOMPARE(phase(), u"none"_s);
        QVERIFY(QFile::link(u"/nix/store/0-x"_s, sample.path(u"result-"_s + variant)));
        QCOMPARE(phase(), u"built"_s);
        QCOMPARE(phase(u"cuda-12_9"_s), u"none"_s); // results lie in the work tree, which is another branch's
        QFile recipe(sample.path(file));
        QVERIFY(recipe.open(QIODevice::Append));
        QVERIFY(recipe.setFileTime(QDateTime::currentDateTime().addSecs(10), QFileDevice::FileModificationTime));
        recipe.close();
        QCOMPARE(phase(), u"stale"_s);
        QVERIFY(QFile::remove(sample.path(u"result-"_s + variant)));
        sample.write(u"result-"_s + variant, "no link");
        QCOMPARE(phase(), u"none"_s);
    }

    void actionsSayWhyNot()
    {
        const SampleFixture sample;
        sample.takeOut(variant);
        const Result<RepositoryReading> reading = readRepository(sample.catalog(), sample.path());
        QVERIFY(reading);
        const CellActions missing = actionsFor(*reading->snapshot, *reading->snapshot->find(variant));
        QVERIFY(missing.generate.enabled && !missing.commit.enabled && !missing.build.enabled);
        QVERIFY(!missing.commit.reason.isEmpty() && !missing.build.reason.isEmpty());
        const CellActions current =
            actionsFor(*reading->snapshot, *reading->snapshot->find(u"pytorch-python313-cpu-avx2"_s));
        QVERIFY(!current.generate.enabled && !current.commit.enabled && current.build.enabled);

        const Result<RepositoryReading> other = readRepository(sample.catalog(), sample.path(), u"cuda-13_0"_s);
        QVERIFY(other);
        const CellActions elsewhere =
            actionsFor(*other->snapshot, *other->snapshot->find(u"pytorch-python313-cpu-avx2"_s));
        QVERIFY(elsewhere.build.enabled); // its commit, in a working tree of the program's own
    }

    void detailComparesWithHeadAndTemplate()
    {
        const SampleFixture sample;
        sample.write(file, sample.read(file).replace("# ", "#  "));
        const Result<RepositoryReading> reading = readRepository(sample.catalog(), sample.path());
        QVERIFY(reading);
        const CellDetail detail = detailOf(sample.catalog(), reading->snapshot, *reading->snapshot->find(variant));
        QVERIFY(detail.exists && detail.hasCommitted && detail.hasTemplate);
        QVERIFY(!detail.againstHead.isEmpty());
        QCOMPARE(detail.againstHead, detail.againstTemplate); // the sample's recipes are the template's
        QCOMPARE(detail.text, sample.read(file));
    }

    /// The text of a cell that the settings do not list is what generate writes.
    void whatIsNotCoveredIsShownBeforeItIsGenerated()
    {
        const SampleFixture sample;
        const Result<RepositoryReading> reading = readRepository(sample.catalog(), sample.path());
        QVERIFY(reading);
        VariantEntry entry;
        entry.variant = {u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx"_s};
        entry.file = entry.variant.file();
        entry.state = RecipeState::NotCovered;
        QVERIFY(!reading->snapshot->find(entry.variant.name()));
        const CellDetail detail = detailOf(sample.catalog(), reading->snapshot, entry);
        QVERIFY(!detail.exists && detail.actions.generate.enabled);
        const auto written = renderRecipes(sample.catalog(), *reading->snapshot, {entry.variant.name()});
        QVERIFY(written && !detail.text.isEmpty());
        QCOMPARE(detail.text, written->constFirst().second);
        QVERIFY(detail.againstTemplate.isEmpty());
    }

    void whatCannotBeRenderedCannotBeGenerated()
    {
        const SampleFixture sample;
        sample.write(u"torch-matrix.toml"_s, testing::lineWithoutSourceHash());
        const Result<RepositoryReading> reading = readRepository(sample.catalog(), sample.path());
        QVERIFY(reading);
        const VariantEntry *entry = reading->snapshot->find(u"torchvision-python313-cuda12_8-sm90-avx2"_s);
        QVERIFY(entry && entry->state == RecipeState::Missing && entry->rendered.isEmpty());
        const CellDetail detail = detailOf(sample.catalog(), reading->snapshot, *entry);
        QVERIFY(!detail.actions.generate.enabled && detail.text.isEmpty());
        QVERIFY2(detail.actions.generate.reason.contains("no source hash of TorchVision 0.25.0"_L1),
                 qPrintable(detail.actions.generate.reason));
        QCOMPARE(detail.entry.reason, detail.actions.generate.reason);
    }
};

TM_TEST(TestReading, QCoreApplication)
#include "tst_repositoryreading.moc"
