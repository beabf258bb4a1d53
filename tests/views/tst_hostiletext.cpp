// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/SaveSettings.h"
#include "model/matrix/OverviewModel.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/RenderedText.h"
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/audit/AuditPage.h"
#include "views/compare/BranchChooser.h"
#include "views/compare/FactTable.h"
#include "views/console/BuildConsole.h"
#include "views/grid/MatrixView.h"
#include "views/hardware/HardwarePanel.h"
#include "views/hardware/MachineBar.h"
#include "views/history/HistoryPanel.h"
#include "views/overview/OverviewPanel.h"
#include "views/recipe/RecipePane.h"
#include "views/settings/SettingsPage.h"
#include "views/start/RepositoryBar.h"
#include "views/widgets/CheckList.h"
#include "views/widgets/Label.h"
#include "views/widgets/Message.h"
#include "views/widgets/NoticeBar.h"
#include "views/widgets/Tips.h"
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

const QString hostile = u"<b>bold</b><img src=\"http://localhost/x.png\">"_s;

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
        notice.showNotice(NoticeBar::Kind::Problem, hostile, hostile);
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
        QAction action(hostile);
        pane.clear();
        pane.setBranch(hostile, {{CheckItem::Kind::Blocks, hostile, hostile}}, {&action});
        check(pane);
        shown.text.clear();
        pane.show(shown); // a file that cannot be shown, and why
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
