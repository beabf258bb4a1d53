// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/JobWatch.h"
#include "model/builds/PastBuilds.h"
#include "model/builds/QueueModel.h"
#include "model/change/SaveSettings.h"
#include "model/matrix/MatrixModel.h"
#include "model/matrix/MatrixSlices.h"
#include "model/matrix/OverviewModel.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/RenderedText.h"
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/audit/AuditPage.h"
#include "views/audit/ProblemsView.h"
#include "views/compare/BranchChooser.h"
#include "views/compare/FactTable.h"
#include "views/console/BuildConsole.h"
#include "views/goto/GoToDialog.h"
#include "views/grid/GridPanel.h"
#include "views/grid/MatrixView.h"
#include "views/hardware/HardwarePanel.h"
#include "views/hardware/MachineBar.h"
#include "views/history/HistoryPanel.h"
#include "views/overview/OverviewPanel.h"
#include "views/plan/PlanView.h"
#include "views/queue/BuildsView.h"
#include "views/queue/PastBuildsView.h"
#include "views/queue/QueueView.h"
#include "views/recipe/RecipePane.h"
#include "views/settings/SettingsPage.h"
#include "views/start/RepositoryBar.h"
#include "views/start/StartPage.h"
#include "views/widgets/CheckList.h"
#include "views/widgets/Label.h"
#include "views/widgets/Message.h"
#include "views/widgets/NoticeBar.h"
#include "views/widgets/Tips.h"
#include "views/work/UndoForm.h"
#include "views/work/UpstreamDialog.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QStandardItemModel>
#include <QToolTip>

using namespace tmx;
using namespace tmx::test;
using namespace pane;

namespace {

/// Markup, characters that control a terminal or turn the direction of what follows, and more than any window shows.
const QString markup = u"<b>bold</b><img src=\"http://localhost/x.png\">"_s; ///< where only the program's words are
const QString hostile = markup + QChar(0x1b) + u"[2J"_s + QChar(0x202e) + u"\r\n"_s + QString(600, u'x');

Finding finding()
{
    Finding bad;
    bad.rule = hostile;
    bad.severity = Severity::Error;
    bad.sentence = hostile;
    bad.advice = hostile;
    bad.line = 1;
    return bad;
}

} // namespace

/// A file name, a branch, a subject, an author, an error or a comment with markup is shown literally.
class TestHostileText : public QObject
{
    Q_OBJECT

    void check(QWidget &widget)
    {
        widget.resize(900, 600);
        widget.show();
        QTRY_VERIFY(widget.isVisible());
        QCOMPARE(renderedIn(&widget), QStringList());
        QVERIFY(!widget.grab().isNull());
        QVERIFY2(widget.minimumSizeHint().width() <= 900, // A text does not widen a window.
                 qPrintable(QString::number(widget.minimumSizeHint().width())));
    }
    static std::shared_ptr<const BranchSnapshot> snapshot()
    {
        auto snapshot = std::make_shared<BranchSnapshot>();
        snapshot->branch = hostile;
        for (const QString &cuda : {u'1' + hostile, u'2' + hostile}) {
            VariantEntry entry;
            entry.variant = {hostile, hostile, cuda, u"sm90"_s, hostile};
            entry.state = RecipeState::Broken;
            entry.reason = entry.file = hostile;
            entry.findings = {finding()};
            entry.present = entry.covered = true;
            snapshot->entries.insert(entry.variant.name(), entry);
        }
        return snapshot;
    }

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s)); }
    void cleanup() { QToolTip::hideText(); }

    // A test of the test: it finds rendered markup.
    void findsWhatIsRendered()
    {
        QLabel label(hostile);
        QCOMPARE(renderedIn(&label).size(), 1);
        QWidget tip;
        tip.setToolTip(hostile);
        QCOMPARE(renderedIn(&tip).size(), 1);
    }

    void aTooltipIsShownToTheLetter()
    {
        QCOMPARE(plainToolTip(u"main, 3 recipes"_s), u"main, 3 recipes"_s);
        QVERIFY(Qt::mightBeRichText(hostile) && !renders(plainToolTip(hostile)));
        QVERIFY(plainToolTip(hostile).contains(u"&lt;img"_s));
    }

    void theGrid()
    {
        QStandardItemModel model(2, 2);
        for (int row = 0; row < 2; ++row) {
            for (int column = 0; column < 2; ++column)
                model.setData(model.index(row, column), hostile, Qt::ToolTipRole);
            model.setHeaderData(row, Qt::Vertical, hostile, Qt::ToolTipRole);
            model.setHeaderData(row, Qt::Horizontal, hostile, Qt::ToolTipRole);
        }
        MatrixView view;
        view.setModel(&model);
        check(view);
        QVERIFY(tipAt(&view, view.visualRect(model.index(0, 0)).center()).contains(u"&lt;img"_s));
        QVERIFY(tipsOf(view.horizontalHeader()).constFirst().contains(u"&lt;img"_s));
    }

    void slicesOfTheGrid()
    {
        MatrixModel model(testing::builtInCatalog());
        model.setSnapshot(snapshot());
        model.setVerdicts({hostile, {{snapshot()->entries.firstKey(), {Fit::DoesNotRun, hostile}}}});
        GridPanel panel;
        panel.setModel(&model);
        panel.setMachine(hostile);
        check(panel);
        for (const Lens lens : allLenses) {
            model.setLens(lens);
            check(panel);
        }
        model.setSlice({MatrixSlice::every(), MatrixSlice::every(), MatrixSlice::every()});
        check(panel);
        model.setSideBySide(true);
        check(panel);
    }

    void problemsAndPlaces()
    {
        ProblemsView problems;
        problems.setProblems(testing::builtInCatalog(), snapshot());
        check(problems);
        auto *places = new GoToDialog({{GoToTarget::Kind::Cell, hostile, hostile, hostile},
                                       {GoToTarget::Kind::Branch, hostile, hostile, hostile}});
        check(*places);
        delete places;
        UndoForm undo(hostile);
        undo.setCommits({{hostile, {{}, hostile, hostile, QDateTime::currentDateTime()}, true}});
        check(undo);
        StartPage start;
        start.setProblem(hostile);
        start.setBusy(hostile);
        check(start);
    }

    void builds()
    {
        auto seen = std::make_shared<JobsSeen>();
        JobRecord job;
        job.job.id = job.job.variant = job.job.package = job.job.branch = job.job.repository = hostile;
        job.phase = JobPhase::Waiting;
        seen->queue.waiting = {hostile};
        seen->jobs = {job};
        QueueModel queue;
        queue.setSeen(seen);
        BuildRecord record;
        record.job = record.variant = record.package = record.branch = record.reason = record.machine = hostile;
        record.ended = QDateTime::currentDateTime();
        record.outcome = BuildOutcome::Kind::Failed;
        PastBuilds past;
        past.setRecords({record});
        BuildsView view;
        view.queue()->setModel(&queue);
        view.pastBuilds()->setModel(&past);
        view.showList(view.queue());
        check(view);
        view.showList(view.pastBuilds());
        check(view);
    }

    void planAndItsGroups()
    {
        ChangedFile file;
        file.path = file.reason = file.group = file.name = hostile;
        file.before = "one\n";
        file.after = "two\n";
        file.chosen = true;
        ChangeSet plan;
        plan.branch = plan.message = hostile;
        plan.files = {file, file};
        plan.files[1].group = hostile + u'2';
        PlanView view;
        view.setPlan(plan);
        check(view);
        view.setProblem(hostile);
        check(view);
    }

    void headAndNotices()
    {
        RepositoryBar bar;
        bar.setRepository({u"/home/"_s + hostile, {}, hostile, {}, false, {{hostile, {}, true, {}, hostile, 1, 1}}},
                          hostile);
        Settings settings;
        settings.branch = hostile;
        Profile profile;
        profile.version = hostile;
        profile.pin.revision = hostile;
        settings.profiles.insert({u"pytorch"_s, u"python313"_s, u"cpu"_s}, profile);
        bar.setSettings(settings);
        bar.setBusy(hostile);
        check(bar);
        bar.setGitWork(hostile, 50);
        check(bar);
        UpstreamDialog dialog(hostile, {hostile}, nullptr);
        check(dialog);
        NoticeBar notice;
        notice.showNotice(NoticeBar::Kind::Problem, hostile, markup);
        check(notice);
    }

    void recipeAndAudit()
    {
        RecipePaneContent shown = content();
        shown.name = shown.stateSentence = shown.file = shown.hardware = hostile;
        shown.facts.gpu = shown.facts.useCase = shown.facts.buildCommand = hostile;
        shown.facts.products = shown.facts.flags = {hostile};
        shown.findings = {finding()};
        RecipePane pane;
        pane.show(shown);
        pane.setActions({{true, hostile}, {false, hostile}, {false, hostile}});
        pane.audit()->showTrouble(hostile);
        for (const auto tab :
             {RecipePane::Tab::Recipe, RecipePane::Tab::Changes, RecipePane::Tab::Facts, RecipePane::Tab::Audit}) {
            pane.setTab(tab);
            check(pane);
        }
        ChangedFile file;
        file.path = file.reason = hostile;
        file.before = "one\n";
        file.after = "two\n";
        ChangeSet changes;
        changes.branch = changes.message = hostile;
        changes.files = {file};
        changes.warnings = {hostile};
        changes.errors = {hostile};
        pane.audit()->showProposal(hostile, {changes});
        check(pane);
        QAction action(markup);
        pane.clear();
        pane.setBranch(hostile, {{CheckItem::Kind::Blocks, hostile, hostile}}, {&action});
        check(pane);
        shown.text.clear();
        pane.show(shown); // a file that cannot be shown, and why
        check(pane);
        BuildState failed{BuildState::Phase::Failed};
        failed.text = failed.cause = failed.job = hostile;
        failed.retry = markup;
        pane.setBuild(failed);
        check(pane);
    }

    void overview()
    {
        BranchSummary summary;
        summary.toolkits = {hostile};
        summary.pins = {{hostile, 1, {}}};
        const auto fleet = std::make_shared<Fleet>();
        fleet->branches = {{u"/work/"_s + hostile, {hostile}, std::make_shared<const BranchSummary>(summary), {}}};
        OverviewModel model;
        model.setFleet(fleet);
        OverviewPanel panel(&model);
        panel.setProblem(hostile);
        check(panel);
    }

    void history()
    {
        HistoryStep step{{hostile, hostile, hostile, QDateTime(QDate(2026, 1, 2), QTime(3, 4), QTimeZone::UTC), hostile,
                          hostile, recipeText()},
                         recipeText() + "#",
                         {{hostile, hostile, hostile, hostile}}};
        HistoryPanel panel;
        panel.setHistory({hostile, hostile, {step}, true});
        check(panel);
        panel.setMessage(hostile);
        check(panel);
    }

    void comparison()
    {
        BranchChooser chooser;
        chooser.setSources({{BranchSource::Kind::Local, hostile, hostile, hostile}}, {});
        chooser.setOthers({hostile, hostile + u"@x"_s});
        check(chooser);
        FactTable facts;
        facts.setFacts({{hostile, hostile, {hostile, {}}, true}}, {hostile, hostile}, {true, false});
        check(facts);
    }

    void machine()
    {
        HardwarePanel panel(testing::builtInCatalog());
        panel.machines()->setMachines({hostile}, {MachineRef::Kind::Ssh, hostile});
        panel.setDetecting(hostile);
        HostReport report;
        report.name = report.cpuModel = report.driver = hostile;
        report.gpus = {{hostile, {}, hostile, {}, hostile}};
        report.remarks = {hostile};
        panel.setReport(report, {MachineRef::Kind::Ssh, hostile});
        Pick pick;
        pick.variant = {u"pytorch"_s, u"python313"_s, {}, u"cpu"_s, u"avx2"_s};
        pick.reasons = {hostile, hostile};
        panel.setPicks(hostile, {.picks = {pick, pick}, .doNotRun = {pick}});
        panel.setUncovered({hostile});
        panel.setFailed(hostile);
        check(panel);
        panel.setPicks(hostile, {.whyNothing = hostile});
        check(panel);
    }

    void console()
    {
        BuildConsole console;
        console.startBuild(hostile);
        console.setState({BuildState::Phase::Running, 0, 0, {}, hostile});
        check(console);
        BuildOutcome outcome;
        outcome.sentence = hostile;
        outcome.lastErrors = {hostile};
        console.setOutcome(outcome);
        check(console);
        console.showFloxMissing(hostile + u" https://flox.dev/docs"_s);
        check(console);
    }

    void settings()
    {
        SettingsPage page(testing::builtInCatalog());
        Settings settings;
        settings.branch = hostile;
        Profile profile;
        profile.version = profile.pin.revision = profile.release = profile.cudaAttribute = hostile;
        profile.cells = {{hostile, hostile}};
        for (const QString &build : {u'1' + hostile, u"cpu"_s, u"metal"_s})
            settings.profiles.insert({hostile, hostile, build}, profile);
        page.setSettings(settings, settings);
        page.setFileTrouble(hostile);
        SettingsVerdict verdict;
        verdict.problem = hostile;
        page.setVerdict(verdict);
        check(page);
    }

    void questions()
    {
        QWidget window;
        window.show();
        bool done = false;
        QMessageBox *box = ask(&window, {hostile, hostile, hostile}, &window, [&done] { done = true; });
        QCOMPARE(box->textFormat(), Qt::PlainText);
        QCOMPARE(box->text(), hostile);
        box->reject();
        QVERIFY(!done);
        box = ask(&window, {hostile, hostile, hostile}, &window, [&done] { done = true; });
        box->defaultButton()->click();
        QTRY_VERIFY(done);
        box = ask(&window, {hostile, hostile, hostile, true}, &window, [] {});
        QCOMPARE(box->defaultButton(), box->button(QMessageBox::Cancel)); // Return takes nothing away
        box->reject();
        QCOMPARE(tell(&window, hostile, hostile)->textFormat(), Qt::PlainText);
    }
};

TM_TEST(TestHostileText, QApplication)
#include "tst_hostiletext.moc"
