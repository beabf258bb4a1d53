// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/settings/LineFile.h"
#include "model/workspace/BranchWork.h"
#include "tests/support/Results.h"
#include "tests/support/SampleFixture.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::SampleFixture;
using Action = PlanStep::Action;

namespace {

const QString mine = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
const QString cpu = u"pytorch-python313-cpu-avx"_s; // promised by cuda-13_0 alone
const QString otherPin(40, u'c');

QString path(const QString &name)
{
    return u".flox/pkgs/%1.nix"_s.arg(name);
}

Plan with(Plan plan, const QString &file, bool chosen)
{
    for (PlanStep &step : plan.steps) {
        if (step.file == file)
            step.chosen = chosen;
    }
    return plan;
}

Result<WorkOffer> offer(const SampleFixture &f, const WorkRequest &request)
{
    return offerWork(f.catalog(), f.path(), request);
}

} // namespace

class TestWorkOffer : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void deriveMakesABranch()
    {
        const SampleFixture f;
        const DeriveRequest request{
            u"main"_s, u"next"_s, {.versions = {{u"pytorch"_s, u"2.10.0"_s}}, .cudas = QStringList{u"13.0"_s}}};
        const auto made = offer(f, request);
        QVERIFY_OK(made);
        QCOMPARE(summaryOf(*made, made->plan),
                 u"36 recipes created, 6 rewritten, 38 deleted, torch-matrix.toml written."_s);
        QCOMPARE(made->notes,
                 (QStringList{u"No longer promised, since they cannot exist: pytorch-python313-cuda13_0-sm61-avx, "
                              "pytorch-python313-cuda13_0-sm61-avx2."_s}));
        QVERIFY(made->after.value(lineFileName).contains("2.10.0"));
        QCOMPARE(whyNot(*made, made->plan), QString());
        const WorkOutcome outcome = applyWork(f.path(), *made, made->plan);
        QVERIFY2(!outcome.error, qPrintable(outcome.error ? outcome.error->sentence() : QString()));
        QCOMPARE(outcome.reports.size(), 1);
        QCOMPARE(f.git({u"rev-parse"_s, u"next"_s}), outcome.reports.first().commit.toLatin1());
        QCOMPARE(f.git({u"rev-list"_s, u"--count"_s, u"main..next"_s}), "1"_ba);
        QCOMPARE(f.git({u"ls-tree"_s, u"--name-only"_s, u"next:.flox/pkgs"_s}).split('\n').size(), 42);
        QVERIFY(f.status().isEmpty());
        f.git({u"fsck"_s, u"--strict"_s});
        // The same again cannot be: the name is taken, and the offer says so.
        const auto again = offer(f, request);
        QVERIFY_OK(again);
        QVERIFY2(again->nameProblem.contains(u"There is a branch of that name already"_s),
                 qPrintable(again->nameProblem));
        QCOMPARE(whyNot(*again, again->plan), again->nameProblem);
    }

    void namesAreJudged_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("why");
        QTest::newRow("none") << QString() << u"has no name yet"_s;
        QTest::newRow("not git's") << u"a..b"_s << u"Git does not allow that name"_s;
        QTest::newRow("taken") << u"cuda-12_9"_s << u"There is a branch of that name already"_s;
        QTest::newRow("in the way") << u"main/next"_s << u"The branch main stands in its way"_s;
        QTest::newRow("free") << u"line/next"_s << QString();
    }
    void namesAreJudged()
    {
        static const SampleFixture f;
        QFETCH(QString, name);
        QFETCH(QString, why);
        const auto made = offer(f, DeriveRequest{u"main"_s, name, {}});
        QVERIFY_OK(made);
        QVERIFY2(why.isEmpty() ? made->nameProblem.isEmpty() : made->nameProblem.contains(why),
                 qPrintable(made->nameProblem));
    }

    void whatIsNotCarriedOverIsListedApart()
    {
        const SampleFixture f;
        f.write(path(mine), f.read(path(mine)) + "# mine\n");
        f.git({u"commit"_s, u"-qam"_s, u"Mine"_s});
        const auto made = offer(f, DeriveRequest{u"main"_s, u"next"_s, {.pin = otherPin}});
        QVERIFY_OK(made);
        QCOMPARE(made->groups.value(path(mine)), u"Customised on main"_s);
        QCOMPARE(std::ranges::count(made->groups, u"Customised on main"_s), 1);
    }

    void aBranchThatIsNotCheckedOut()
    {
        const SampleFixture f;
        const QByteArray head = f.git({u"rev-parse"_s, u"HEAD"_s});
        const auto made = offer(f, MigrateRequest{u"cuda-12_9"_s, {.pin = otherPin}});
        QVERIFY_OK(made);
        QVERIFY(!applyWork(f.path(), *made, made->plan).error);
        QCOMPARE(f.git({u"show"_s, u"--format="_s, u"--name-only"_s, u"cuda-12_9"_s}).split('\n').size(), 51);
        QCOMPARE(f.git({u"rev-parse"_s, u"HEAD"_s}), head);
        QVERIFY(f.status().isEmpty());
    }

    void whatIsMissingIsOneSentence()
    {
        const SampleFixture f;
        QVERIFY_ERROR(offer(f, DeriveRequest{u"cuda-13_0"_s, u"next"_s, {.versions = {{u"pytorch"_s, u"2.11.0"_s}}}}),
                      u"hash"_s);
    }

    void migrateLeavesCustomisedRecipes()
    {
        const SampleFixture f;
        f.write(path(mine), f.read(path(mine)) + "# mine\n");
        f.git({u"commit"_s, u"-qam"_s, u"Mine"_s});
        const auto nothing = offer(f, MigrateRequest{u"main"_s, {}});
        QVERIFY_OK(nothing);
        QVERIFY(!whyNot(*nothing, nothing->plan).isEmpty());

        const MigrateRequest request{u"main"_s, {.pin = otherPin}};
        const auto made = offer(f, request);
        QVERIFY_OK(made);
        QCOMPARE(made->groups.value(path(mine)), u"Customised"_s);
        QCOMPARE(summaryOf(*made, made->plan),
                 u"43 recipes rewritten, 1 left alone unless ticked, torch-matrix.toml written."_s);
        const QByteArray before = f.git({u"rev-parse"_s, u"HEAD:%1"_s.arg(path(mine))});
        QVERIFY(!applyWork(f.path(), *made, made->plan).error);
        QCOMPARE(f.git({u"rev-parse"_s, u"HEAD:%1"_s.arg(path(mine))}), before);
        QCOMPARE(f.git({u"show"_s, u"--format="_s, u"--name-only"_s}).split('\n').size(), 44);
        QVERIFY(f.status().isEmpty());
        // What was offered before the branch moved is refused, and nothing is lost.
        const WorkOutcome late = applyWork(f.path(), *made, with(made->plan, path(mine), true));
        QVERIFY(late.error && late.reports.isEmpty());
        f.git({u"fsck"_s, u"--strict"_s});
    }

    void copyRendersForTheTarget()
    {
        const SampleFixture f;
        const auto made = offer(f, CopyRequest{u"cuda-13_0"_s, u"main"_s, {cpu}});
        QVERIFY_OK(made);
        QCOMPARE(summaryOf(*made, made->plan), u"1 recipe created."_s);
        const WorkOutcome outcome = applyWork(f.path(), *made, made->plan);
        QVERIFY(!outcome.error);
        QCOMPARE(f.git({u"show"_s, u"--format="_s, u"--name-status"_s}), "A\t" + path(cpu).toUtf8());
        QVERIFY(f.git({u"show"_s, u"HEAD:%1"_s.arg(path(cpu))})
                    .contains("fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3")); // main's pin
        QVERIFY_ERROR(offer(f, CopyRequest{u"main"_s, u"main"_s, {cpu}}),
                      u"that is the branch that it is copied from"_s);
    }

    void readmeOfEachBranch()
    {
        const SampleFixture f;
        f.git({u"checkout"_s, u"-q"_s, u"cuda-12_9"_s});
        f.write(u"README.md"_s, "<!-- torch-matrix: begin -->\n");
        f.git({u"commit"_s, u"-qam"_s, u"Half"_s});
        f.git({u"checkout"_s, u"-q"_s, u"main"_s});
        const auto made = offer(f, ReadmeRequest{});
        QVERIFY_OK(made);
        QStringList states;
        for (const PlanStep &step : made->plan.steps)
            states.append(step.name + ": "_L1 + made->groups.value(step.file));
        QCOMPARE(states,
                 (QStringList{u"cuda-12_9: Cannot be written"_s, u"cuda-13_0: No markers"_s, u"main: No markers"_s}));
        QVERIFY(!whyNot(*made, made->plan).isEmpty()); // markers are put where somebody says so
        const Plan chosen = with(with(made->plan, u"main:README.md"_s, true), u"cuda-13_0:README.md"_s, true);
        QCOMPARE(summaryOf(*made, chosen), u"README.md is written on 2 branches, each as one commit."_s);
        const WorkOutcome outcome = applyWork(f.path(), *made, chosen);
        QVERIFY(!outcome.error);
        QCOMPARE(outcome.reports.size(), 2);
        for (const WriteReport &report : outcome.reports) {
            QCOMPARE(f.git({u"rev-parse"_s, report.branch}), report.commit.toLatin1());
            QCOMPARE(f.git({u"show"_s, u"--format="_s, u"--name-only"_s, report.branch}), "README.md"_ba);
        }
        QVERIFY(f.status().isEmpty());
        const auto again = offer(f, ReadmeRequest{{u"main"_s}});
        QVERIFY_OK(again);
        QCOMPARE(summaryOf(*again, again->plan), u"Nothing has to be written."_s);
    }

    void readmeStopsAtTheBranchThatMoved()
    {
        const SampleFixture f;
        const auto made = offer(f, ReadmeRequest{});
        QVERIFY_OK(made);
        Plan all = made->plan;
        for (PlanStep &step : all.steps)
            step.chosen = true;
        f.git({u"commit"_s, u"-q"_s, u"--allow-empty"_s, u"-m"_s, u"Meanwhile"_s}); // main, the last by name
        const WorkOutcome outcome = applyWork(f.path(), *made, all);
        QCOMPARE(outcome.reports.size(), 2);
        QVERIFY(outcome.error);
        QCOMPARE(f.git({u"log"_s, u"-1"_s, u"--format=%s"_s, u"main"_s}), "Meanwhile"_ba);
    }

    void aLaterQuestionDropsTheAnswerBefore()
    {
        const SampleFixture f;
        BranchWork work(std::make_shared<const SnapshotReader>(f.catalog()), f.path());
        QSignalSpy offered(&work, &BranchWork::offered);
        QSignalSpy progressed(&work, &BranchWork::progressed);
        QSignalSpy stopped(&work, &BranchWork::stopped);
        work.preview(ReadmeRequest{});
        work.preview(DeriveRequest{u"main"_s, u"one"_s, {}});
        work.preview(DeriveRequest{u"main"_s, u"two"_s, {}});
        QTRY_VERIFY(work.busy() == BranchWork::Busy::Idle);
        QCOMPARE(offered.size(), 1);
        QCOMPARE(std::get<DeriveRequest>(offered.first().first().value<WorkOffer>().request).name, u"two"_s);
        QVERIFY(!progressed.isEmpty());
        work.preview(ReadmeRequest{});
        work.stop();
        QVERIFY(work.busy() == BranchWork::Busy::Idle);
        QCOMPARE(stopped.size(), 1);
        // What was stopped is not told later either.
        QSignalSpy lines(&work, &BranchWork::lineRead);
        work.readLine(u"main"_s);
        QTRY_COMPARE(lines.size(), 1);
        QCOMPARE(offered.size(), 1);
    }
};

QTEST_GUILESS_MAIN(TestWorkOffer)
#include "tst_workoffer.moc"
