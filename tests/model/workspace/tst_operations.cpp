// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Change.h"
#include "model/settings/SettingsFile.h"
#include "model/workspace/Operations.h"
#include "tests/support/Results.h"
#include "tests/support/SampleFixture.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::SampleFixture;

namespace {

const QString mine = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
const QString cpu = u"pytorch-python313-cpu-avx"_s; // promised by cuda-13_0 alone
const QString otherPin = QString(20, u'c') + QString(20, u'd');

QString path(const QString &name)
{
    return u".flox/pkgs/%1.nix"_s.arg(name);
}

Result<QList<ChangeSet>> prepared(const SampleFixture &f, const ChangeRequest &request)
{
    return prepare(SnapshotReader(f.catalog()), f.path(), request);
}

/// All files of these branches chosen.
QList<ChangeSet> choosing(QList<ChangeSet> changes, const QStringList &branches)
{
    for (ChangeSet &change : changes) {
        for (ChangedFile &file : change.files)
            file.chosen = file.possible && branches.contains(change.branch);
    }
    return changes;
}

struct Outcome {
    QList<Applied> applied;
    std::optional<Error> error;
};

/// The results that apply() reports for its own operation.
Outcome apply(const SampleFixture &f, const QList<ChangeSet> &changes)
{
    Operations operations(std::make_shared<const SnapshotReader>(f.catalog()));
    std::optional<Outcome> outcome;
    OperationId id = 0;
    QObject::connect(&operations, &Operations::applied, &operations,
                     [&](OperationId of, const QList<Applied> &applied, const std::optional<Error> &error) {
                         if (of == id)
                             outcome = Outcome{applied, error};
                     });
    QObject::connect(&operations, &Operations::failed, &operations, [&](OperationId of, const Error &error) {
        if (of == id)
            outcome = Outcome{{}, error};
    });
    id = operations.apply(f.path(), changes);
    return QTest::qWaitFor([&] { return outcome.has_value(); }, 30'000) ? *outcome : Outcome{{}, Error{}};
}

} // namespace

class TestOperations : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void deriveMakesABranch()
    {
        const SampleFixture f;
        const DeriveRequest request{
            u"main"_s, u"next"_s, {.versions = {{u"pytorch"_s, u"2.10.0"_s}}, .cudas = QStringList{u"13.0"_s}}, true};
        const auto made = prepared(f, request);
        QVERIFY_OK(made);
        QCOMPARE(
            summary(*made),
            u"6 recipes rewritten, 36 renamed, 2 deleted, torch-matrix.toml written. nixpkgs fe5e41d is replaced by 6a030d5 in 42 recipes."_s);
        QCOMPARE(made->constFirst().dropped,
                 (QStringList{u"pytorch-python313-cuda12_8-sm61-avx"_s, u"pytorch-python313-cuda12_8-sm61-avx2"_s}));
        QVERIFY(made->constFirst().find(settingsFileName)->after->contains("2.10.0"));
        QCOMPARE(whyNot(*made), QString());
        const Outcome outcome = apply(f, *made);
        QVERIFY2(!outcome.error, qPrintable(outcome.error ? outcome.error->sentence() : QString()));
        QCOMPARE(outcome.applied.size(), 1);
        QCOMPARE(f.git({u"rev-parse"_s, u"next"_s}), outcome.applied.first().commit.toLatin1());
        QCOMPARE(f.git({u"rev-list"_s, u"--count"_s, u"main..next"_s}), "1"_ba);
        QCOMPARE(f.git({u"ls-tree"_s, u"--name-only"_s, u"next:.flox/pkgs"_s}).split('\n').size(), 42);
        QVERIFY(f.status().isEmpty());
        f.git({u"fsck"_s, u"--strict"_s});
        // The same again is impossible: the name is taken, and the prepared change says so.
        const auto again = prepared(f, request);
        QVERIFY_OK(again);
        QVERIFY2(whyNot(*again).contains(u"branch with that name already exists"_s), qPrintable(whyNot(*again)));
        QVERIFY(apply(f, *again).error); // and it is refused
    }

    void namesAreJudged_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("why");
        QTest::newRow("none") << QString() << u"has no name yet"_s;
        QTest::newRow("not git's") << u"a..b"_s << u"it does not allow that name"_s;
        QTest::newRow("taken") << u"cuda-12_9"_s << u"branch with that name already exists"_s;
        QTest::newRow("in the way") << u"main/next"_s << u"t conflicts with the branch main"_s;
        QTest::newRow("free") << u"line/next"_s << QString();
    }
    void namesAreJudged()
    {
        static const SampleFixture f;
        QFETCH(QString, name);
        QFETCH(QString, why);
        const auto made = prepared(f, DeriveRequest{u"main"_s, name, {}});
        QVERIFY_OK(made);
        const std::optional<Error> &refusal = made->constFirst().refusal;
        QCOMPARE(refusal.has_value(), !why.isEmpty());
        QVERIFY2(!refusal || refusal->sentence().contains(why), qPrintable(whyNot(*made)));
    }

    void whatIsNotCarriedOverIsListedApart()
    {
        const SampleFixture f;
        // It fetches no nixpkgs that could be replaced.
        f.write(path(mine), "{ pkgs ? import <nixpkgs> { } }: pkgs.python313Packages.torch\n");
        f.git({u"commit"_s, u"-qam"_s, u"Mine"_s});
        DeriveRequest request{u"main"_s, u"next"_s, {.pin = otherPin, .keys = {{u"metadata_rev"_s, u"3"_s}}}};
        const auto unasked = prepared(f, request);
        QVERIFY_OK(unasked);
        QVERIFY(unasked->constFirst().refusal);
        request.render = true;
        const auto made = prepared(f, request);
        QVERIFY_OK(made);
        QVERIFY(!made->constFirst().refusal);
        QCOMPARE(made->constFirst().find(path(mine))->group, u"Customised on main"_s);
        QCOMPARE(std::ranges::count(made->constFirst().files, u"Customised on main"_s, &ChangedFile::group), 1);
    }

    void aBranchThatIsNotCheckedOut()
    {
        const SampleFixture f;
        const QByteArray head = f.git({u"rev-parse"_s, u"HEAD"_s});
        const auto made = prepared(f, MigrateRequest{u"cuda-12_9"_s, {.pin = otherPin}});
        QVERIFY_OK(made);
        QVERIFY(!apply(f, *made).error);
        QCOMPARE(f.git({u"show"_s, u"--format="_s, u"--name-only"_s, u"cuda-12_9"_s}).split('\n').size(), 51);
        QCOMPARE(f.git({u"rev-parse"_s, u"HEAD"_s}), head);
        QVERIFY(f.status().isEmpty());
    }

    void whatIsMissingIsOneSentence()
    {
        const SampleFixture f;
        QVERIFY_ERROR(
            prepared(f, DeriveRequest{u"cuda-13_0"_s, u"next"_s, {.versions = {{u"pytorch"_s, u"2.11.0"_s}}}}),
            u"hash"_s);
    }

    void migrateLeavesCustomisedRecipes()
    {
        const SampleFixture f;
        f.write(path(mine),
                f.read(path(mine)).replace("  meta = oldAttrs.meta", "  doCheck = true;\n  meta = oldAttrs.meta"));
        f.git({u"commit"_s, u"-qam"_s, u"Mine"_s});
        const MigrateRequest request{u"main"_s, {.pin = otherPin}};
        const auto made = prepared(f, request);
        QVERIFY_OK(made);
        QCOMPARE(made->constFirst().find(path(mine))->group, u"Customised"_s);
        QCOMPARE(
            summary(*made),
            u"43 recipes rewritten, 1 unchanged unless ticked, torch-matrix.toml written. nixpkgs fe5e41d is replaced by ccccccc in 43 recipes."_s);
        const QByteArray before = f.git({u"rev-parse"_s, u"HEAD:%1"_s.arg(path(mine))});
        QVERIFY(!apply(f, *made).error);
        QCOMPARE(f.git({u"rev-parse"_s, u"HEAD:%1"_s.arg(path(mine))}), before);
        QCOMPARE(f.git({u"show"_s, u"--format="_s, u"--name-only"_s}).split('\n').size(), 44);
        QVERIFY(f.status().isEmpty());
        // A change prepared before the branch moved is refused, and nothing is lost.
        const Outcome late = apply(f, choosing(*made, {u"main"_s}));
        QVERIFY(late.error && late.applied.isEmpty());
        f.git({u"fsck"_s, u"--strict"_s});
    }

    void copyRendersForTheTarget()
    {
        const SampleFixture f;
        const auto made = prepared(f, CopyRequest{u"cuda-13_0"_s, u"main"_s, {cpu}});
        QVERIFY_OK(made);
        QCOMPARE(summary(*made), u"1 recipe created."_s);
        const Outcome outcome = apply(f, *made);
        QVERIFY(!outcome.error);
        QCOMPARE(f.git({u"show"_s, u"--format="_s, u"--name-status"_s}), "A\t" + path(cpu).toUtf8());
        QVERIFY(f.git({u"show"_s, u"HEAD:%1"_s.arg(path(cpu))})
                    .contains("fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3")); // main's pin
        QVERIFY_ERROR(prepared(f, CopyRequest{u"main"_s, u"main"_s, {cpu}}), u"it is also the branch to copy from"_s);
    }

    void readmeOfEachBranch()
    {
        const SampleFixture f;
        f.git({u"checkout"_s, u"-q"_s, u"cuda-12_9"_s});
        f.write(u"README.md"_s, "<!-- torch-matrix: begin -->\n");
        f.git({u"commit"_s, u"-qam"_s, u"Half"_s});
        f.git({u"checkout"_s, u"-q"_s, u"main"_s});
        const auto made = prepared(f, ReadmeRequest{});
        QVERIFY_OK(made);
        QStringList states;
        for (const ChangeSet &change : *made)
            states.append(change.branch + ": "_L1 + change.files.constFirst().group);
        QCOMPARE(states,
                 (QStringList{u"cuda-12_9: Cannot be written"_s, u"cuda-13_0: No markers"_s, u"main: No markers"_s}));
        QVERIFY(!whyNot(*made).isEmpty()); // markers are only added on request
        const QList<ChangeSet> chosen = choosing(*made, {u"main"_s, u"cuda-13_0"_s});
        QCOMPARE(summary(chosen), u"README.md is written on 2 branches, each as one commit."_s);
        const Outcome outcome = apply(f, chosen);
        QVERIFY(!outcome.error);
        QCOMPARE(outcome.applied.size(), 2);
        for (const Applied &report : outcome.applied) {
            QCOMPARE(f.git({u"rev-parse"_s, report.branch}), report.commit.toLatin1());
            QCOMPARE(f.git({u"show"_s, u"--format="_s, u"--name-only"_s, report.branch}), "README.md"_ba);
        }
        QVERIFY(f.status().isEmpty());
        const auto again = prepared(f, ReadmeRequest{{u"main"_s}, false});
        QVERIFY_OK(again);
        QCOMPARE(summary(*again), u"Nothing has to be written."_s);
    }

    void readmeStopsAtTheBranchThatMoved()
    {
        const SampleFixture f;
        const auto made = prepared(f, ReadmeRequest{});
        QVERIFY_OK(made);
        const QList<ChangeSet> all = choosing(*made, {u"main"_s, u"cuda-12_9"_s, u"cuda-13_0"_s});
        f.git({u"commit"_s, u"-q"_s, u"--allow-empty"_s, u"-m"_s, u"Meanwhile"_s}); // main, the last by name
        const Outcome outcome = apply(f, all);
        QCOMPARE(outcome.applied.size(), 2);
        QVERIFY(outcome.error);
        QCOMPARE(f.git({u"log"_s, u"-1"_s, u"--format=%s"_s, u"main"_s}), "Meanwhile"_ba);
    }

    void eachAnswerBearsItsId()
    {
        const SampleFixture f;
        Operations operations(std::make_shared<const SnapshotReader>(f.catalog()));
        QSignalSpy prepared(&operations, &Operations::prepared);
        QSignalSpy failed(&operations, &Operations::failed);
        QSignalSpy progressed(&operations, &Operations::progressed);
        const OperationId stopped = operations.prepare(f.path(), ReadmeRequest{});
        operations.stop(stopped);
        const OperationId wrong = operations.prepare(u"/nowhere"_s, PlanRequest{});
        const OperationId plan = operations.prepare(f.path(), PlanRequest{u"main"_s});
        const OperationId derive = operations.prepare(f.path(), DeriveRequest{u"main"_s, u"two"_s, {}});
        QVERIFY(stopped && wrong && plan && derive && plan != derive);
        QTRY_COMPARE(prepared.size(), 2);
        QTRY_COMPARE(failed.size(), 1);
        QCOMPARE(failed.first().first().toULongLong(), wrong);
        for (const QVariantList &answer : std::as_const(prepared)) {
            const auto changes = answer.at(1).value<QList<ChangeSet>>();
            QCOMPARE(changes.size(), 1);
            QCOMPARE(changes.constFirst().branch, answer.first().toULongLong() == plan ? u"main"_s : u"two"_s);
        }
        for (const QVariantList &progress : std::as_const(progressed))
            QVERIFY(progress.first().toULongLong() != stopped);
        QVERIFY(!operations.isWriting());
    }

    // One after another: the second sees what the first has written.
    void whatIsPerformedWaitsItsTurn()
    {
        const SampleFixture f;
        f.takeOut(mine);
        Operations operations(std::make_shared<const SnapshotReader>(f.catalog()));
        QSignalSpy applied(&operations, &Operations::applied);
        QSignalSpy failed(&operations, &Operations::failed);
        GenerateRequest generate;
        generate.branch = u"main"_s;
        generate.names = {mine};
        QList<OperationId> ids = {operations.perform(f.path(), generate), operations.perform(f.path(), generate),
                                  operations.perform(f.path(), StageRequest{{mine}})};
        QVERIFY(operations.isWriting());
        QTRY_COMPARE(applied.size(), 3);
        QVERIFY(failed.isEmpty());
        for (int i = 0; i < 3; ++i)
            QCOMPARE(applied.at(i).first().toULongLong(), ids.at(i));
        QCOMPARE(applied.at(0).at(1).value<QList<Applied>>().constFirst().written, QStringList{mine});
        QVERIFY(applied.at(1).at(1).value<QList<Applied>>().isEmpty()); // it was there already
        QCOMPARE(f.status(), "A  " + path(mine).toUtf8());
        QVERIFY(!operations.isWriting());
    }
};

TM_TEST(TestOperations, QCoreApplication)
#include "tst_operations.moc"
