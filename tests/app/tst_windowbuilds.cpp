// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/BuildController.h"
#include "app/window/Appearance.h"
#include "model/builds/PastBuilds.h"
#include "model/builds/QueueModel.h"
#include "model/catalog/ShortNames.h"
#include "model/fleet/KnownRepositories.h"
#include "model/workspace/Workspace.h"
#include "tests/app/DrivenWindow.h"
#include "tests/support/FileText.h"
#include "tests/support/FleetFixture.h"
#include "tests/support/SshServer.h"
#include "tests/support/TestMain.h"
#include "views/console/BuildConsole.h"
#include "views/console/ConsoleView.h"
#include "views/console/OutcomeBar.h"
#include "views/console/TeamLogPage.h"
#include "views/publish/PublishDialog.h"
#include "views/queue/BuildChart.h"
#include "views/queue/BuildDialog.h"
#include "views/queue/PastBuildsView.h"
#include "views/queue/QueueView.h"
#include "views/queue/ScheduleChart.h"
#include "views/queue/SlurmForm.h"
#include "views/recipe/CodeView.h"
#include "views/start/RepositoryBar.h"
#include "views/widgets/CheckList.h"
#include "views/widgets/Label.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QScrollBar>
#include <QSettings>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <csignal>
#include <ranges>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

const QByteArray samplePin = "fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3"; ///< of branch main
const QString onEveryBranch = u"pytorch-python313-cpu-avx2"_s;

void showBranch(const DrivenWindow &driven, const QString &branch)
{
    driven.window->openRepository(driven.sample.path(), branch);
}

QAction *actionWith(const QMenu *menu, const QString &text)
{
    for (QAction *action : menu->actions()) {
        if (action->text() == text)
            return action;
    }
    return nullptr;
}

QMenu *menuWith(const MainWindow &window, const QString &text)
{
    for (QMenu *menu : window.findChildren<QMenu *>()) {
        if (actionWith(menu, text))
            return menu;
    }
    return nullptr;
}

template <class Widget>
Widget *named(const QWidget *in, const QString &name)
{
    for (Widget *widget : in->findChildren<Widget *>()) {
        if (widget->accessibleName() == name)
            return widget;
    }
    qFatal("nothing is named %s", qPrintable(name));
}

bool shows(const DrivenWindow &driven, const QString &branch)
{
    return driven.settled() && driven.window->windowTitle().contains(u" %1 "_s.arg(branch));
}

void buildWithOptions(const DrivenWindow &driven)
{
    driven.click(onEveryBranch);
    QTest::keyClick(driven.window.get(), Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
}

} // namespace

/// Builds and the branches that the grid shows meanwhile.
class TestWindowBuilds : public QObject
{
    Q_OBJECT

    QByteArray m_path = qgetenv("PATH");
    QTemporaryDir m_folder;

    [[nodiscard]] QByteArray calls() const { return tmx::test::contentOf(m_folder.filePath(u"calls"_s)); }

private Q_SLOTS:
    void initTestCase() { qputenv("XDG_CONFIG_HOME", m_folder.path().toUtf8()); }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support )"_s));
        qputenv("PATH", QByteArray(TM_STANDINS ":") + m_path);
        qunsetenv("TORCH_MATRIX_STANDIN_FLOX");
        qputenv("TORCH_MATRIX_STANDIN_FLOX_CALLS", m_folder.filePath(u"calls"_s).toUtf8());
        QFile::remove(m_folder.filePath(u"calls"_s));
    }

    void aRunningBuildShowsOnItsBranchAlone()
    {
        qputenv("TORCH_MATRIX_STANDIN_FLOX", "slow:600,steps:3");
        DrivenWindow driven;
        QTRY_VERIFY(shows(driven, u"main"_s));
        driven.click(onEveryBranch);
        QTest::keyClick(driven.table(), Qt::Key_B);
        QTRY_COMPARE(driven.build(onEveryBranch), u"running"_s);
        showBranch(driven, u"cuda-12_9"_s);
        QTRY_VERIFY(shows(driven, u"cuda-12_9"_s));
        QVERIFY(driven.cell(onEveryBranch).isValid());
        QCOMPARE(driven.build(onEveryBranch), u"none"_s);
        // The state of this build does not belong to the shown branch.
        auto *builds = driven.window->findChild<BuildController *>();
        builds->stop();
        QTRY_VERIFY(!builds->isRunning());
        QCOMPARE(driven.build(onEveryBranch), u"none"_s);
    }

    /// Waiting builds without a process that starts them, after a restart of the machine: the window starts it again.
    void startsAnAbandonedQueueAgain()
    {
        DrivenWindow driven;
        QTRY_VERIFY(shows(driven, u"main"_s));
        const auto *workspace = driven.window->findChild<Workspace *>();
        const Result<Job> job = jobFor(*workspace->snapshot(), onEveryBranch, {});
        QVERIFY(job.ok());
        // With the recipe's own pin, <nixpkgs> is what the recipe fetches.
        BuildWish own;
        own.ownPin = true;
        const VariantEntry &entry = *workspace->snapshot()->find(onEveryBranch);
        const Result<Job> pinned = jobFor(*workspace->snapshot(), onEveryBranch, own);
        QVERIFY(pinned.ok());
        QCOMPARE(pinned->environment.value(u"NIX_PATH"_s), u"nixpkgs="_s + entry.facts->pins.constFirst().url.value);
        VariantEntry several = entry;
        auto facts = std::make_shared<RecipeFacts>(*entry.facts);
        facts->pins.append(facts->pins.constFirst());
        several.facts = facts;
        QCOMPARE(ownNixPath(several), QString());
        Queue queue(driven.jobFolder.path());
        QVERIFY(!queue.isServed());
        // Queued but not woken: the process was killed in between.
        QVERIFY(queue.add({*job}, Again::No).ok());
        QTRY_COMPARE(driven.build(onEveryBranch), u"built"_s);
        // A queue that the user paused stays paused.
        QTRY_VERIFY(isQuiet(driven.jobFolder.path()));
        QVERIFY(queue.change([](QueueContents &contents) { contents.paused = true; }).ok());
        Job other = *job;
        other.variant = other.package = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        other.recipe = u".flox/pkgs/%1.nix"_s.arg(other.package);
        QVERIFY(queue.add({other}, Again::No).ok());
        QTRY_COMPARE(driven.build(other.variant), u"queued"_s);
        QVERIFY(!queue.isServed());
        QCOMPARE(readJobs(driven.jobFolder.path()).size(), 2);
        QVERIFY(queue.clear().ok());
    }

    void aStopThatIsIgnoredIsFollowedByAKill()
    {
        qputenv("TORCH_MATRIX_STANDIN_FLOX", "hold,stubborn");
        DrivenWindow driven;
        QTRY_VERIFY(shows(driven, u"main"_s));
        driven.click(onEveryBranch);
        QTest::keyClick(driven.table(), Qt::Key_B);
        QTRY_COMPARE(driven.build(onEveryBranch), u"running"_s);
        const auto *console = driven.window->findChild<BuildConsole *>();
        driven.window->raisePanel(u"console"_s);
        QTRY_VERIFY(driven.canClick(console, u"Stop"_s));
        QVERIFY(!driven.button(console, u"Kill now"_s));
        QTRY_VERIFY(!console->view()->log().isEmpty()); // it ignores signals from here on
        QTest::mouseClick(driven.button(console, u"Stop"_s), Qt::LeftButton);
        QTRY_VERIFY(driven.canClick(console, u"Kill now"_s));
        QTest::mouseClick(driven.button(console, u"Kill now"_s), Qt::LeftButton);
        QTRY_VERIFY(!driven.button(console, u"Kill now"_s));
        QTRY_VERIFY(readJobs(driven.jobFolder.path()).constFirst().outcome);
        const QList<JobRecord> jobs = readJobs(driven.jobFolder.path());
        QCOMPARE(jobs.constFirst().folder.stopLevel(), killLevel);
        QCOMPARE(jobs.constFirst().outcome->signal, SIGKILL);
    }

    void comingBackShowsTheRunningBuildAtOnce()
    {
        qputenv("TORCH_MATRIX_STANDIN_FLOX", "slow:600,steps:3");
        DrivenWindow driven;
        QTRY_VERIFY(shows(driven, u"main"_s));
        driven.click(onEveryBranch);
        QTest::keyClick(driven.table(), Qt::Key_B);
        QTRY_COMPARE(driven.build(onEveryBranch), u"running"_s);
        showBranch(driven, u"cuda-12_9"_s);
        QTRY_VERIFY(shows(driven, u"cuda-12_9"_s));
        showBranch(driven, u"main"_s);
        QTRY_VERIFY(shows(driven, u"main"_s));
        QCOMPARE(driven.build(onEveryBranch), u"running"_s);
        auto *builds = driven.window->findChild<BuildController *>();
        builds->stop();
        QTRY_COMPARE(driven.build(onEveryBranch), u"none"_s);
    }

    void aFailureIsStillThereOnReturn()
    {
        qputenv("TORCH_MATRIX_STANDIN_FLOX", "fail");
        DrivenWindow driven;
        QTRY_VERIFY(shows(driven, u"main"_s));
        driven.click(onEveryBranch);
        QTest::keyClick(driven.table(), Qt::Key_B);
        QTRY_COMPARE(driven.build(onEveryBranch), u"failed"_s);
        showBranch(driven, u"cuda-12_9"_s);
        QTRY_VERIFY(shows(driven, u"cuda-12_9"_s));
        QCOMPARE(driven.build(onEveryBranch), u"none"_s);
        showBranch(driven, u"main"_s);
        QTRY_VERIFY(shows(driven, u"main"_s));
        QCOMPARE(driven.build(onEveryBranch), u"failed"_s);
        QVERIFY(driven.cell(onEveryBranch).data(Qt::ToolTipRole).toString().contains(u"failed"_s));
        // What can be done about it is in the pane; the same is in the cell's menu.
        driven.click(onEveryBranch);
        QTRY_VERIFY(driven.canClick(driven.pane(), u"Log"_s));
        QTest::mouseClick(driven.button(driven.pane(), u"Copy errors"_s), Qt::LeftButton);
        QVERIFY(!QGuiApplication::clipboard()->text().isEmpty());
        QTest::mouseClick(driven.button(driven.pane(), u"Log"_s), Qt::LeftButton);
        QTRY_VERIFY(driven.window->findChild<BuildConsole *>()->isVisible());
        QTRY_VERIFY(!driven.window->findChild<BuildConsole *>()->view()->log().isEmpty());
    }

    /// From the pane, from the cell's menu and in the queue.
    void aFailedBuildIsRetriedByKeys()
    {
        DrivenWindow driven;
        QTRY_VERIFY(shows(driven, u"main"_s));
        driven.window->activateWindow();
        const auto press = [&driven](Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
            QTest::keyClick(driven.window->focusWidget(), key, modifiers);
        };
        const auto tabTo = [&driven, &press](const QWidget *wanted) {
            for (int step = 0; step < 200 && driven.window->focusWidget() != wanted; ++step)
                press(Qt::Key_Tab);
            return driven.window->focusWidget() == wanted;
        };
        const auto retry = [&driven]() -> QPushButton * {
            for (QPushButton *button : driven.pane()->findChildren<QPushButton *>()) {
                if (button->text().startsWith(u"Retry"_s) && button->isVisible())
                    return button;
            }
            return nullptr;
        };
        const auto failByKeys = [&](const QString &name) {
            qputenv("TORCH_MATRIX_STANDIN_FLOX", "oom");
            driven.window->raisePanel(u"grid"_s);
            QVERIFY(driven.grid()->setCurrentName(name));
            driven.table()->setFocus();
            press(Qt::Key_B);
            QTRY_COMPARE(driven.build(name), u"failed"_s);
            QTRY_VERIFY(retry());
            qputenv("TORCH_MATRIX_STANDIN_FLOX", "");
        };
        const QString hopper = u"pytorch-python313-cuda12_8-sm90-"_s;
        failByKeys(onEveryBranch);
        QVERIFY(tabTo(retry()));
        press(Qt::Key_Space);
        QTRY_COMPARE(driven.build(onEveryBranch), u"built"_s);

        failByKeys(hopper + u"avx2"_s);
        press(Qt::Key_F10, Qt::ShiftModifier);
        auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        QVERIFY(menu);
        QAction *entry = actionWith(menu, retry()->text());
        QVERIFY(entry && entry->isEnabled());
        for (qsizetype step = 0; menu->activeAction() != entry && step < menu->actions().size(); ++step)
            QTest::keyClick(menu, Qt::Key_Down);
        QTest::keyClick(menu, Qt::Key_Return);
        QTRY_COMPARE(driven.build(hopper + u"avx2"_s), u"built"_s);

        failByKeys(hopper + u"avx512"_s);
        driven.window->raisePanel(u"queue"_s);
        auto *queue = driven.window->findChild<QueueView *>();
        QVERIFY(tabTo(queue->list()));
        press(Qt::Key_Home);
        QTRY_COMPARE(queue->list()->currentIndex().data().toString(), u"failed"_s);
        press(Qt::Key_R);
        QTRY_COMPARE(driven.build(hopper + u"avx512"_s), u"built"_s);
    }

    void anotherBranchIsBuiltWithoutACheckOut()
    {
        DrivenWindow driven;
        showBranch(driven, u"cuda-12_9"_s);
        QTRY_VERIFY(shows(driven, u"cuda-12_9"_s));
        driven.click(onEveryBranch);
        QTest::keyClick(driven.table(), Qt::Key_B);
        QTRY_COMPARE(driven.build(onEveryBranch), u"built"_s);
        QVERIFY2(!calls().contains(driven.sample.path().toUtf8() + '\t'), calls().constData());
        QCOMPARE(driven.sample.git({u"symbolic-ref"_s, u"--short"_s, u"HEAD"_s}).trimmed(), "main"_ba);
        QVERIFY(QFile::symLinkTarget(driven.sample.path(u"result-"_s + onEveryBranch)).isEmpty());
        showBranch(driven, u"main"_s);
        QTRY_VERIFY(shows(driven, u"main"_s));
        QCOMPARE(driven.build(onEveryBranch), u"none"_s);
    }

    void severalAreQueuedAndShown()
    {
        qputenv("TORCH_MATRIX_STANDIN_FLOX", "slow:600,steps:3");
        DrivenWindow driven;
        QTRY_VERIFY(shows(driven, u"main"_s));
        driven.click(onEveryBranch);
        QTest::keyClick(driven.table(), Qt::Key_Right, Qt::ShiftModifier);
        const QStringList names = driven.grid()->selectedNames();
        QCOMPARE(names.size(), 2);
        QTest::keyClick(driven.table(), Qt::Key_B);
        QTRY_COMPARE(driven.build(names.at(0)), u"running"_s);
        QTRY_COMPARE(driven.build(names.at(1)), u"queued"_s);
        auto *list = driven.window->findChild<QueueView *>()->list();
        QTRY_COMPARE(list->model()->rowCount(), 2);
        const auto state = [list](int row) { return list->model()->index(row, 0).data().toString(); };
        QTRY_COMPARE(state(0), u"running"_s);
        QCOMPARE(state(1), u"waiting"_s);
        // Del stops the one that waits, R queues it again.
        list->setCurrentIndex(list->model()->index(1, 0));
        QTest::keyClick(list, Qt::Key_Delete);
        QTRY_COMPARE(state(1), u"stopped"_s);
        QCOMPARE(driven.build(names.at(1)), u"none"_s);
        QTest::keyClick(list, Qt::Key_R);
        QTRY_COMPARE(list->model()->rowCount(), 3);
        QTRY_COMPARE(driven.build(names.at(1)), u"queued"_s);
    }

    /// One dialog shows everything that would fail before anything is queued.
    void whatWouldFailIsShownFirst()
    {
        qputenv("TORCH_MATRIX_STANDIN_FLOX", "slow:600,steps:3");
        DrivenWindow driven;
        auto *builds = driven.window->findChild<BuildController *>();
        builds->setProbe([](BuildEngine engine) {
            PreflightProbes probes = roomyMachine(engine);
            if (engine == BuildEngine::Nix)
                probes.engineVersion.clear();
            probes.storeFree = probes.temporaryFree = 1'000'000'000;
            probes.oneDisk = true;
            probes.host.cores = 64;
            probes.host.memoryBytes = 16'000'000'000;
            return probes;
        });
        QTRY_VERIFY(shows(driven, u"main"_s));
        driven.click(onEveryBranch);
        QTest::keyClick(driven.table(), Qt::Key_B);
        const auto dialog = [&driven] { return driven.window->findChild<BuildDialog *>(); };
        QTRY_VERIFY(dialog() && dialog()->isVisible());
        auto *checks = dialog()->findChild<CheckList *>();
        QCOMPARE(checks->items().size(), 2);
        QVERIFY2(checks->items().at(1).sentence.startsWith(u"1 recipe: torch: 8 jobs of 2 GB, 16 GB in all."_s),
                 qPrintable(checks->items().at(1).sentence));
        QVERIFY(checks->items().constFirst().kind == CheckItem::Kind::Warns);
        QVERIFY2(checks->items().constFirst().sentence.contains(u"1.0 GB left"_s),
                 qPrintable(checks->items().constFirst().sentence));
        auto *cores = named<QSpinBox>(dialog(), u"Cores for each build"_s);
        QCOMPARE(cores->text(), u"Proposed: 8"_s);
        // More cores than the memory allows: reported immediately.
        cores->setFocus();
        QTest::keyClick(cores, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(cores, u"20"_s);
        QTRY_COMPARE(checks->items().size(), 3);
        QVERIFY2(checks->items().at(2).sentence.contains(u"20 jobs of 2 GB, 40 GB in all. This machine has 16 GB."_s),
                 qPrintable(checks->items().at(2).sentence));
        QVERIFY(checks->items().at(1).sentence.contains(u"20 cores may take 40.0 GB"_s));
        QTRY_VERIFY(driven.canClick(dialog(), u"&Build"_s));
        // Blocking conditions come first, and nothing can be queued.
        auto *engine = named<QComboBox>(dialog(), u"Build engine"_s);
        QCOMPARE(engine->currentText(), u"flox build (1.14.0)"_s); // as the stand-in says
        engine->setFocus();
        QTest::keyClick(engine, Qt::Key_Down);
        QTRY_VERIFY(checks->items().constFirst().kind == CheckItem::Kind::Blocks);
        QCOMPARE(engine->currentText(), u"nix-build"_s);
        QVERIFY(checks->items().constFirst().sentence.contains(u"nix-build"_s));
        QVERIFY(!driven.canClick(dialog(), u"&Build"_s));
        QTest::keyClick(engine, Qt::Key_Up);
        QTRY_VERIFY(driven.canClick(dialog(), u"&Build"_s));
        QCOMPARE(driven.build(onEveryBranch), u"none"_s);
        QVERIFY(!builds->isRunning());
        QTest::mouseClick(driven.button(dialog(), u"&Build"_s), Qt::LeftButton);
        QTRY_COMPARE(driven.build(onEveryBranch), u"running"_s);
        const QList<JobRecord> jobs = readJobs(driven.jobFolder.path());
        QCOMPARE(jobs.size(), 1);
        QCOMPARE(jobs.constFirst().job.cores, 20);
    }

    /// flox passes its own nixpkgs: the box says so, and nix-build gets the recipe's pin.
    void theOwnPinIsChosenInTheDialog()
    {
        DrivenWindow driven;
        QTRY_VERIFY(shows(driven, u"main"_s));
        buildWithOptions(driven);
        const auto dialog = [&driven] { return driven.window->findChild<BuildDialog *>(); };
        QTRY_VERIFY(dialog() && dialog()->isVisible());
        const QList<QCheckBox *> boxes = dialog()->findChildren<QCheckBox *>();
        const auto own =
            std::ranges::find_if(boxes, [](const QCheckBox *box) { return box->text().contains(u"&pin"); });
        QVERIFY(own != boxes.end());
        auto *engine = named<QComboBox>(dialog(), u"Build engine"_s);
        QVERIFY(!(*own)->isEnabled() && (*own)->text().contains(u"nix-build only"_s));
        QTest::keyClick(engine, Qt::Key_Down);
        QVERIFY((*own)->isEnabled() && !(*own)->text().contains(u"nix-build only"_s));
        QTRY_VERIFY(!dialog()->isWaiting()); // It may lack <nixpkgs>.
        (*own)->setFocus();
        QTest::keyClick(*own, Qt::Key_Space);
        QTRY_VERIFY(driven.canClick(dialog(), u"&Build"_s));
        QTest::keyClick(engine, Qt::Key_Up);
        QTRY_VERIFY(!(*own)->isEnabled() && !dialog()->request().wish.ownPin);
        QTest::keyClick(engine, Qt::Key_Down);
        QTRY_VERIFY(dialog()->request().wish.ownPin && driven.canClick(dialog(), u"&Build"_s));
        Queue paused(driven.jobFolder.path());
        QVERIFY(paused.change([](QueueContents &contents) { contents.paused = true; }).ok());
        QTest::mouseClick(driven.button(dialog(), u"&Build"_s), Qt::LeftButton);
        QTRY_COMPARE(readJobs(driven.jobFolder.path()).size(), 1);
        const Job job = readJobs(driven.jobFolder.path()).constFirst().job;
        QVERIFY2(job.environment[u"NIX_PATH"_s].startsWith(u"nixpkgs="_s), qPrintable(job.environment[u"NIX_PATH"_s]));
    }

    /// Each reason stands once, under one word, and nothing of the list is cut.
    void whatIsLeftOutIsSaidOnce()
    {
        DrivenWindow driven;
        driven.window->findChild<BuildController *>()->setProbe([](BuildEngine engine) {
            PreflightProbes probes = roomyMachine(engine);
            probes.host.architecture = u"x86_64-linux"_s;
            probes.storeFree = probes.temporaryFree = 1'000'000'000;
            return probes;
        });
        QTRY_VERIFY(shows(driven, u"main"_s));
        const QList<QAction *> actions = driven.window->findChildren<QAction *>();
        const auto all = std::ranges::find_if(
            actions, [](const QAction *action) { return action->text() == u"Build &all shown"_s; });
        QVERIFY(all != actions.end());
        (*all)->trigger();
        const auto dialog = [&driven] { return driven.window->findChild<BuildDialog *>(); };
        QTRY_VERIFY(dialog() && dialog()->isVisible());
        const auto *checks = dialog()->findChild<CheckList *>();
        const QList<CheckItem> items = checks->items();
        QCOMPARE(std::ranges::count(items, u"Left out"_s, &CheckItem::word), 1);
        QVERIFY(std::ranges::find(items, u"Left out"_s, &CheckItem::word) <
                std::ranges::find(items, u"May fail"_s, &CheckItem::word)); // what is certain first
        for (const CheckItem &item : items)
            QVERIFY2(!item.sentence.startsWith(u"Left out:"_s), qPrintable(item.sentence));
        QTRY_VERIFY(!checks->verticalScrollBar()->isVisible());
    }

    /// Like `build --with-dependents`.
    void whatIsBuiltAgainstItIsBuiltAfterIt()
    {
        const QString torch = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
        const QString serve = u"vllm-python313-cuda12_8-sm90-avx2"_s;
        FleetFixture fleet;
        QMap<QString, QByteArray> files = FleetFixture::served(samplePin, "12_8", "python313", "2.8.0", {"avx2"});
        files.insert(u".flox/env.json"_s, "{\"name\": \"x\", \"version\": 1}\n");
        files.insert(u".flox/env/manifest.toml"_s, "version = 1\n");
        fleet.commit(u"serve"_s, u"main"_s, files);
        addRepositories({fleet.path(u"serve"_s)});
        const auto restore = qScopeGuard([&fleet] { forgetRepository(fleet.path(u"serve"_s)); });
        DrivenWindow driven;
        QTRY_VERIFY(shows(driven, u"main"_s));
        driven.click(torch);
        const QString entry = u"Build with &dependents…"_s;
        actionWith(menuWith(*driven.window, entry), entry)->trigger();
        const auto dialog = [&driven] { return driven.window->findChild<BuildDialog *>(); };
        QTRY_VERIFY(dialog() && dialog()->isVisible());
        QTRY_VERIFY(driven.canClick(dialog(), u"&Build 2"_s));
        const QList<CheckItem> items = dialog()->findChild<CheckList *>()->items();
        const QString told = std::ranges::find(items, u"Dependents"_s, &CheckItem::word)->sentence;
        QVERIFY2(told.contains(u"1 of serve@main"_s) && told.contains(u"2 builds take"_s), qPrintable(told));
        // Without the tick it is one build again.
        auto *box = named<QCheckBox>(dialog(), {});
        for (QCheckBox *one : dialog()->findChildren<QCheckBox *>())
            box = one->isChecked() ? one : box;
        QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
        QTRY_VERIFY(driven.canClick(dialog(), u"&Build"_s));
        QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
        QTRY_VERIFY(driven.canClick(dialog(), u"&Build 2"_s));
        QTest::mouseClick(driven.button(dialog(), u"&Build 2"_s), Qt::LeftButton);
        const auto built = [&driven] {
            QStringList names;
            for (const JobRecord &record : readJobs(driven.jobFolder.path())) {
                if (record.outcome && record.outcome->build.kind == BuildOutcome::Kind::Built)
                    names.append(record.job.variant);
            }
            return names;
        };
        QTRY_COMPARE(built(), QStringList({torch, serve}));
        const QList<JobRecord> jobs = readJobs(driven.jobFolder.path());
        QCOMPARE(jobs.constLast().job.after, QStringList{jobs.constFirst().job.key()});
    }

    /// Like `build --builders`: a line, none, or Nix's configuration; a line that Nix cannot read is refused.
    void remoteBuildersAreChosenInTheDialog()
    {
        qputenv("NIX_CONFIG", "max-jobs = 0\nbuilders = ssh://set-up x86_64-linux - 3");
        const auto restore = qScopeGuard([] { qunsetenv("NIX_CONFIG"); });
        DrivenWindow driven;
        QTRY_VERIFY(shows(driven, u"main"_s));
        buildWithOptions(driven);
        const auto dialog = [&driven] { return driven.window->findChild<BuildDialog *>(); };
        QTRY_VERIFY(dialog() && dialog()->isVisible());
        auto *builders = named<QComboBox>(dialog(), u"Nix's remote builders for these builds"_s);
        QCOMPARE(builders->currentText(), u"From Nix's configuration"_s);
        QCOMPARE(builders->itemText(2), u"ssh://set-up x86_64-linux - 3 1 - - -"_s);
        const auto *checks = dialog()->findChild<CheckList *>();
        QTRY_VERIFY(driven.canClick(dialog(), u"&Build"_s));
        const auto refused = [&](const QString &why) {
            QTRY_VERIFY(!driven.canClick(dialog(), u"&Build"_s) && checks->items().size() == 1 &&
                        checks->items().constFirst().kind == CheckItem::Kind::Blocks &&
                        checks->items().constFirst().sentence.contains(why));
        };
        builders->setCurrentIndex(1);
        refused(u"no remote builder takes"_s);
        builders->setFocus();
        const auto type = [&](const QString &text) {
            QTest::keyClick(builders, Qt::Key_A, Qt::ControlModifier);
            QTest::keyClicks(builders, text);
        };
        type(u"ssh://mine # it"_s);
        refused(u"one line without comments"_s);
        type(u"ssh://mine x86_64-linux - 2"_s);
        QTRY_VERIFY(driven.canClick(dialog(), u"&Build"_s));
        // Another machine has builders of its own.
        auto *where = named<QComboBox>(dialog(), u"Machine that builds"_s);
        where->setEditText(u"gpu-box"_s);
        QTRY_VERIFY(!builders->isEnabled() && driven.canClick(dialog(), u"&Build"_s));
        QVERIFY(!dialog()->request().wish.builders);
        where->setCurrentIndex(0);
        QTRY_VERIFY(builders->isEnabled() && driven.canClick(dialog(), u"&Build"_s));
        Queue paused(driven.jobFolder.path());
        QVERIFY(paused.change([](QueueContents &contents) { contents.paused = true; }).ok());
        QTest::mouseClick(driven.button(dialog(), u"&Build"_s), Qt::LeftButton);
        QTRY_COMPARE(readJobs(driven.jobFolder.path()).size(), 1);
        const Job job = readJobs(driven.jobFolder.path()).constFirst().job;
        QVERIFY2(job.environment[u"NIX_CONFIG"_s].endsWith(u"\nbuilders = ssh://mine x86_64-linux - 2"_s),
                 qPrintable(job.environment[u"NIX_CONFIG"_s]));
        QCOMPARE(job.builders, (QMap<QString, int>{{u"ssh://mine"_s, 2}}));
    }

    void elsewhereIsChosenInTheDialog()
    {
        DrivenWindow driven;
        QTRY_VERIFY(shows(driven, u"main"_s));
        buildWithOptions(driven);
        const auto dialog = [&driven] { return driven.window->findChild<BuildDialog *>(); };
        QTRY_VERIFY(dialog() && dialog()->isVisible());
        auto *where = named<QComboBox>(dialog(), u"Machine that builds"_s);
        auto *form = dialog()->findChild<SlurmForm *>();
        QCOMPARE(where->currentText(), u"This machine"_s);
        QVERIFY(!form->isVisible());
        const auto type = [&](const QString &text) {
            where->setFocus();
            QTest::keyClick(where, Qt::Key_A, Qt::ControlModifier);
            QTest::keyClicks(where, text);
        };
        // A word that ssh would take for an option is not a host.
        type(u"-oProxyCommand=x"_s);
        auto *checks = dialog()->findChild<CheckList *>();
        QTRY_VERIFY(checks->items().size() == 1 && checks->items().constFirst().kind == CheckItem::Kind::Blocks);
        QVERIFY2(checks->items().constFirst().sentence.contains(u"not a host name"_s),
                 qPrintable(checks->items().constFirst().sentence));
        QVERIFY(!driven.canClick(dialog(), u"&Build"_s));
        type(u"gpu-box"_s);
        QTRY_VERIFY(driven.canClick(dialog(), u"&Build"_s));
        QCOMPARE(toString(dialog()->request().wish.place), u"ssh:gpu-box"_s);
        type(u"Slurm"_s);
        QTRY_VERIFY(form->isVisible());
        // The dialog grows: every field of it can be seen.
        QTRY_VERIFY(form->visibleRegion().boundingRect().height() == form->height());
        QTRY_COMPARE(named<QSpinBox>(dialog(), u"Cores for each build"_s)->text(), u"Proposed: 8"_s);
        auto *partition = named<QLineEdit>(dialog(), u"Partition"_s);
        partition->setFocus();
        QTest::keyClicks(partition, u"gpu"_s);
        const auto *command = form->findChild<QPlainTextEdit *>();
        QTRY_VERIFY2(command->toPlainText().contains(u"--partition=gpu"_s) &&
                         command->toPlainText().contains(u"--array=0-0"_s),
                     qPrintable(command->toPlainText()));
        QTRY_VERIFY(driven.canClick(dialog(), u"&Build"_s));
        QVERIFY(readJobs(driven.jobFolder.path()).isEmpty());
        Queue paused(driven.jobFolder.path());
        QVERIFY(paused.change([](QueueContents &contents) { contents.paused = true; }).ok());
        QTest::mouseClick(driven.button(dialog(), u"&Build"_s), Qt::LeftButton);
        QTRY_COMPARE(readJobs(driven.jobFolder.path()).size(), 1);
        const Job job = readJobs(driven.jobFolder.path()).constFirst().job;
        QCOMPARE(toString(job.place), u"slurm"_s);
        QVERIFY(job.sbatch.contains(u"--partition=gpu"_s));
        // The next time the dialog has the same options.
        QVERIFY(paused.clear().ok());
        QTRY_COMPARE(driven.build(onEveryBranch), u"none"_s);
        QTRY_VERIFY(!dialog());
        driven.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(driven.window.get()));
        buildWithOptions(driven);
        QTRY_VERIFY2(dialog() && dialog()->isVisible(), qPrintable(driven.build(onEveryBranch)));
        QCOMPARE(named<QLineEdit>(dialog(), u"Partition"_s)->text(), u"gpu"_s);
        QTest::keyClick(dialog(), Qt::Key_Escape);
        QTRY_VERIFY(!dialog());
    }

    void aDialogThatIsLeftQueuesNothing()
    {
        DrivenWindow driven;
        QTRY_VERIFY(shows(driven, u"main"_s));
        buildWithOptions(driven);
        const auto dialog = [&driven] { return driven.window->findChild<BuildDialog *>(); };
        QTRY_VERIFY(dialog() && dialog()->isVisible());
        const auto *checks = dialog()->findChild<CheckList *>();
        QCOMPARE(checks->items().size(), 2);
        QVERIFY(checks->items().constFirst().kind == CheckItem::Kind::Holds);
        QTest::keyClick(dialog(), Qt::Key_Escape);
        QTRY_VERIFY(!dialog());
        QVERIFY(!driven.window->findChild<BuildController *>()->isRunning());
        QVERIFY(readJobs(driven.jobFolder.path()).isEmpty());
    }

    /// The audit's errors are part of that list.
    void aRecipeWithErrorsIsAskedAbout()
    {
        DrivenWindow driven;
        QTRY_VERIFY(shows(driven, u"main"_s));
        const QString broken = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        const QString file = u".flox/pkgs/%1.nix"_s.arg(broken);
        driven.sample.write(file, driven.sample.read(file).replace("\"9.0\"", "\"sm_90\""));
        driven.sample.git({u"commit"_s, u"-qam"_s, u"Break one"_s});
        QTRY_VERIFY(driven.settled() && driven.cell(broken).data(ProblemCountRole).toInt() > 0);
        driven.click(broken);
        QTest::keyClick(driven.table(), Qt::Key_B);
        const auto dialog = [&driven] { return driven.window->findChild<BuildDialog *>(); };
        QTRY_VERIFY(dialog() && dialog()->isVisible());
        QVERIFY(dialog()->findChild<CheckList *>()->items().constFirst().sentence.startsWith(u"The audit finds"_s));
        QVERIFY(driven.canClick(dialog(), u"&Build"_s)); // a warning: the user may continue
        QTest::keyClick(dialog(), Qt::Key_Escape);
    }

    void theWorkingTreeIsSaidToBeDirty()
    {
        DrivenWindow driven;
        QTRY_VERIFY(shows(driven, u"main"_s));
        const QString file = u".flox/pkgs/%1.nix"_s.arg(onEveryBranch);
        driven.sample.write(file, driven.sample.read(file) + "# mine\n");
        QTRY_COMPARE(driven.state(onEveryBranch), u"modified"_s);
        QTRY_VERIFY(driven.settled());
        driven.click(onEveryBranch);
        QTest::keyClick(driven.window.get(), Qt::Key_B, Qt::ControlModifier | Qt::AltModifier);
        QTRY_VERIFY2(driven.notice().contains(u"uncommitted changes: "_s + file), qPrintable(driven.notice()));
        QTRY_COMPARE(driven.build(onEveryBranch), u"built"_s);
    }

    void allThatFailedAreBuiltAgain()
    {
        qputenv("TORCH_MATRIX_STANDIN_FLOX", "fail");
        DrivenWindow driven;
        QTRY_VERIFY(shows(driven, u"main"_s));
        driven.click(onEveryBranch);
        QTest::keyClick(driven.table(), Qt::Key_B);
        QTRY_COMPARE(driven.build(onEveryBranch), u"failed"_s);
        auto *builds = driven.window->findChild<BuildController *>();
        QTRY_COMPARE(builds->count(BuildSelection::Failed), 1);
        QCOMPARE(builds->count(BuildSelection::Stale), 0);
        QVERIFY(builds->count(BuildSelection::Missing) > 20);
        QCOMPARE(builds->count(BuildSelection::All), builds->count(BuildSelection::Missing) + 1);
        qputenv("TORCH_MATRIX_STANDIN_FLOX", "");
        QMenu *menu = menuWith(*driven.window, u"Build all &failed"_s);
        QVERIFY(menu);
        menu->popup({});
        QAction *failed = actionWith(menu, u"Build all &failed (1)"_s);
        QVERIFY(failed && failed->isEnabled());
        QVERIFY(!actionWith(menu, u"Build all s&tale (0)"_s)->isEnabled());
        failed->trigger();
        menu->close();
        QTRY_COMPARE(driven.build(onEveryBranch), u"built"_s);
        QTRY_COMPARE(builds->count(BuildSelection::Failed), 0);
    }

    void theQueueIsSetWithMouseAndKeys()
    {
        qputenv("TORCH_MATRIX_STANDIN_FLOX", "slow:600,steps:3");
        DrivenWindow driven;
        QTRY_VERIFY(shows(driven, u"main"_s));
        driven.click(u"pytorch-python313-cuda12_8-sm90-avx2"_s);
        QTest::keyClick(driven.table(), Qt::Key_Right, Qt::ShiftModifier);
        QTest::keyClick(driven.table(), Qt::Key_Down, Qt::ShiftModifier);
        QVERIFY(driven.grid()->selectedNames().size() >= 4);
        QTest::keyClick(driven.table(), Qt::Key_B);
        driven.window->raisePanel(u"queue"_s);
        auto *queue = driven.window->findChild<QueueView *>();
        QAbstractItemModel *rows = queue->list()->model();
        const auto state = [rows](int row) { return rows->index(row, 0).data().toString(); };
        const auto name = [rows](int row) { return rows->index(row, 1).data().toString(); };
        QTRY_VERIFY(rows->rowCount() >= 4 && state(0) == u"running"_s);
        QCOMPARE(state(1), u"waiting"_s);
        const Queue stored(driven.jobFolder.path());
        auto *atFailure = queue->findChild<QCheckBox *>();
        QTest::mouseClick(atFailure, Qt::LeftButton, {}, {8, atFailure->height() / 2});
        QTRY_VERIFY(stored.contents().stopAtFailure);
        // Alt+Down moves the second below the third.
        const QString second = name(1);
        queue->list()->setCurrentIndex(rows->index(1, 0));
        QTest::keyClick(queue->list(), Qt::Key_Down, Qt::AltModifier);
        QTRY_COMPARE(name(2), second);
        const auto tool = [queue](const QString &accessible) -> QToolButton * {
            for (QToolButton *one : queue->findChildren<QToolButton *>()) {
                if (one->accessibleName() == accessible)
                    return one;
            }
            return nullptr;
        };
        QTest::mouseClick(tool(u"Pause the queue"_s), Qt::LeftButton);
        QTRY_VERIFY(stored.contents().paused);
        QTRY_VERIFY(tool(u"Resume the queue"_s));
        QTest::mouseClick(tool(u"Resume the queue"_s), Qt::LeftButton);
        QTRY_VERIFY(!stored.contents().paused);
        auto *parallel = queue->findChild<QSpinBox *>();
        parallel->setFocus();
        QTest::keyClick(parallel, Qt::Key_Up);
        QTRY_COMPARE(stored.contents().parallel, 1);
        QTest::keyClick(parallel, Qt::Key_Up);
        QTRY_COMPARE(stored.contents().parallel, 2);
        QTRY_COMPARE(state(1), u"running"_s);
        QTest::mouseClick(tool(u"Stop all builds"_s), Qt::LeftButton);
        QTRY_VERIFY(QApplication::activeModalWidget());
        QTest::mouseClick(driven.button(QApplication::activeModalWidget(), u"Stop all"_s), Qt::LeftButton);
        QTRY_VERIFY(!driven.window->findChild<BuildController *>()->isRunning());
        QTRY_COMPARE(state(0), u"stopped"_s);
        QVERIFY(!tool(u"Stop all builds"_s)->isEnabled());
    }

    /// All conditions before the first call, then one package after the other.
    void severalArePublished()
    {
        DrivenWindow driven;
        QTRY_VERIFY(shows(driven, u"main"_s));
        driven.click(u"pytorch-python313-cuda12_8-sm90-avx2"_s);
        QTest::keyClick(driven.table(), Qt::Key_Right, Qt::ShiftModifier);
        const QStringList names = driven.grid()->selectedNames();
        QCOMPARE(names.size(), 2);
        const auto publish = [&driven] {
            QTest::keyClick(driven.window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        };
        const auto dialog = [&driven] { return driven.window->findChild<PublishDialog *>(); };
        publish();
        QTRY_VERIFY(dialog() && dialog()->isVisible());
        const auto missing = [&dialog] {
            QStringList sentences;
            for (const CheckItem &item : dialog()->findChild<CheckList *>()->items()) {
                if (item.kind != CheckItem::Kind::Holds)
                    sentences.append(item.sentence);
            }
            return sentences.join(u'\n');
        };
        QVERIFY2(missing().contains(u"has no upstream branch"_s), qPrintable(missing()));
        QVERIFY(missing().contains(u"is not pushed"_s));
        QVERIFY(!driven.canClick(dialog(), u"&Publish 2"_s));
        QVERIFY(missing().contains(u"is not locked"_s));
        driven.sample.write(u".flox/env/manifest.lock"_s, "{}\n");
        driven.sample.git({u"add"_s, u".flox/env/manifest.lock"_s});
        driven.sample.git({u"commit"_s, u"-qm"_s, u"Lock the environment"_s});
        const QTemporaryDir remote;
        driven.sample.git({u"init"_s, u"-q"_s, u"--bare"_s, remote.path()});
        driven.sample.git({u"remote"_s, u"add"_s, u"origin"_s, remote.path()});
        driven.sample.git({u"push"_s, u"-q"_s, u"-u"_s, u"origin"_s, u"main"_s});
        QTest::mouseClick(driven.button(dialog(), u"&Check again"_s), Qt::LeftButton);
        QTRY_COMPARE(missing(), QString());
        auto *organisation = dialog()->findChild<QLineEdit *>();
        organisation->setFocus();
        QTest::keyClicks(organisation, u"lab"_s);
        QTRY_VERIFY(dialog()->plan().organisation == u"lab"_s && driven.canClick(dialog(), u"&Publish 2"_s));
        QVERIFY2(!calls().contains("publish"), calls().constData());
        QTest::mouseClick(driven.button(dialog(), u"&Publish 2"_s), Qt::LeftButton);
        const auto state = [&dialog](int row) {
            return dialog()->findChild<QTableView *>()->model()->index(row, 1).data().toString();
        };
        QTRY_COMPARE(state(1), u"published as lab/"_s + names.at(1));
        QCOMPARE(state(0), u"published as lab/"_s + names.at(0));
        QCOMPARE(calls().count("publish\t"), 2);
        QTRY_VERIFY(driven.canClick(dialog(), u"Copy install command"_s));
        QTest::mouseClick(driven.button(dialog(), u"Copy install command"_s), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 u"flox install lab/%1\nflox install lab/%2"_s.arg(names.at(0), names.at(1)));
        QVERIFY(dialog()->findChild<QLabel *>()->text().startsWith(u"2 of 44 recipes"_s));
        QTRY_VERIFY(driven.canClick(dialog(), u"Close"_s));
        QTest::keyClick(dialog(), Qt::Key_Escape);
        QTRY_COMPARE(driven.build(names.at(0)), u"published"_s);
        QTRY_COMPARE(driven.build(names.at(1)), u"published"_s);
        // The organisation is remembered, and nothing is published twice.
        QTRY_VERIFY(!dialog());
        driven.window->activateWindow();
        QTRY_VERIFY(driven.window->isActiveWindow());
        publish();
        QTRY_VERIFY(dialog() && dialog()->isVisible());
        QCOMPARE(dialog()->plan().organisation, u"lab"_s);
        QVERIFY(!driven.canClick(dialog(), u"&Publish"_s));
        QVERIFY(state(0).contains(u"not changed since"_s));
        QTest::keyClick(dialog(), Qt::Key_Escape);
        QTRY_VERIFY(!dialog());
        // What is built is chosen by the menu, as by `publish --built`.
        driven.click(u"pytorch-python313-cuda12_8-sm86-avx2"_s);
        QTest::keyClick(driven.table(), Qt::Key_B);
        QTRY_COMPARE(driven.build(u"pytorch-python313-cuda12_8-sm86-avx2"_s), u"built"_s);
        const QString entry = u"P&ublish all that is built…"_s;
        QMenu *const menu = menuWith(*driven.window, entry);
        QAction *const action = actionWith(menu, entry);
        const auto count = [&] {
            Q_EMIT menu->aboutToShow(); // which tells how many there are
            return action->text();
        };
        QTRY_VERIFY(count().contains(u'1'));
        action->trigger();
        QTRY_VERIFY(dialog() && dialog()->isVisible());
        QCOMPARE(dialog()->wish().variants, QStringList{u"pytorch-python313-cuda12_8-sm86-avx2"_s});
        QTest::keyClick(dialog(), Qt::Key_Escape);
    }

    /// Finished builds in a table: filtered, opened in the console with the keyboard, saved; and the limit for logs.
    void pastBuildsAreListedFilteredAndOpened()
    {
        DrivenWindow driven;
        QTRY_VERIFY(shows(driven, u"main"_s));
        const QString hopper = u"pytorch-python313-cuda12_8-sm90-"_s;
        const auto buildOne = [&driven](const QString &name, const QString &end) {
            driven.click(name);
            QTest::keyClick(driven.table(), Qt::Key_B);
            QTRY_COMPARE(driven.build(name), end);
        };
        buildOne(hopper + u"avx2"_s, u"built"_s);
        qputenv("TORCH_MATRIX_STANDIN_FLOX", "fail");
        buildOne(hopper + u"avx512"_s, u"failed"_s);
        auto *view = driven.window->findChild<PastBuildsView *>();
        driven.window->raisePanel(u"builds"_s);
        QTableView *table = view->table();
        QTRY_COMPARE(table->model()->rowCount(), 2);
        const auto name = [table](int row) {
            return table->model()->index(row, int(PastBuilds::Column::Gpu)).data(wholeNameRole).toString();
        };
        QCOMPARE(name(0), hopper + u"avx512"_s);
        QCOMPARE(name(1), hopper + u"avx2"_s);

        // Nothing is selected or queued on the next day: the pane says what failed, Builds lists what ended.
        MainWindow morning(driven.sample.catalog());
        morning.resize(1280, 800);
        morning.show();
        morning.openRepository(driven.sample.path());
        const auto *digest = morning.findChild<RecipePane *>()->findChild<CheckList *>();
        QTRY_VERIFY(!digest->items().isEmpty() && digest->items().constFirst().word == u"Failed 1"_s);
        QVERIFY2(digest->items().constFirst().sentence.startsWith(u"sm90 avx512: "_s),
                 qPrintable(digest->items().constFirst().sentence));

        // The one that failed is the current one, and its log is beside it; the grid keeps its cell.
        morning.raisePanel(u"builds"_s);
        const auto *log = morning.findChild<BuildConsole *>();
        QTRY_VERIFY(!log->view()->log().isEmpty());
        const QModelIndex newest = morning.findChild<PastBuildsView *>()->table()->currentIndex();
        QCOMPARE(newest.siblingAtColumn(int(PastBuilds::Column::Gpu)).data(wholeNameRole).toString(),
                 hopper + u"avx512"_s);
        QVERIFY(morning.findChild<GridPanel *>()->currentName() != hopper + u"avx512"_s);

        auto *text = view->findChild<QLineEdit *>();
        text->setFocus();
        QTest::keyClicks(text, u"avx2"_s);
        QTRY_COMPARE(table->model()->rowCount(), 1);
        table->setFocus();
        table->setCurrentIndex(table->model()->index(0, 0));
        QTRY_COMPARE(driven.window->findChild<GridPanel *>()->currentName(), hopper + u"avx2"_s);
        QTest::keyClick(table, Qt::Key_Return);
        const auto *console = driven.window->findChild<BuildConsole *>();
        QTRY_VERIFY(console->isVisible() && console->view()->log().path().contains(u"jobs"_s));
        QTRY_VERIFY(!console->view()->log().isEmpty());

        const QTemporaryDir folder;
        const QString path = folder.filePath(u"builds.csv"_s);
        Q_EMIT view->exportRequested(path);
        QTRY_VERIFY(QFile::exists(path));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray csv = file.readAll();
        QCOMPARE(csv.count("\r\n"), 2);
        QVERIFY(csv.contains("sm90-avx2,"));

        driven.window->raisePanel(u"builds"_s);
        QStringList outcomes;
        for (const QComboBox *choice : view->findChildren<QComboBox *>()) {
            for (int i = 0; i < choice->count(); ++i)
                outcomes.append(choice->itemText(i));
        }
        QVERIFY(outcomes.contains(u"compile error"_s) && !outcomes.contains(u"compile-error"_s));
        QVERIFY(std::ranges::any_of(view->findChildren<QLabel *>(), [](const QLabel *label) {
            return label->isVisible() && label->text().contains(u" of 5.0 GiB."_s);
        }));
    }

    /// What failed last night is the current build when the page opens, and where its log is stands beside it.
    void aFailureOfTheTeamIsShown()
    {
        DrivenWindow driven({}, SampleKind::Story);
        QTRY_VERIFY(shows(driven, u"main"_s));
        driven.window->raisePanel(u"builds"_s);
        const auto *console = driven.window->findChild<BuildConsole *>();
        const auto says = [console](const QString &sentence) {
            return std::ranges::any_of(console->findChildren<QLabel *>(), [&sentence](const QLabel *label) {
                return label->isVisible() && label->text().remove(u'\u2060').startsWith(sentence);
            });
        };
        QTRY_VERIFY(says(u"pytorch-python313-cuda12_8-sm89-avx512: compile error"_s));
        QVERIFY(says(u"‘_mm512_reduce_add_ph’ was not declared in this scope"_s));
        QVERIFY(says(u"Its log is on sample-box: ~/.local/state/torch-matrix/jobs/"_s));
        QTest::mouseClick(driven.button(console, u"Copy path"_s), Qt::LeftButton);
        QVERIFY(QGuiApplication::clipboard()->text().startsWith(u"sample-box:~/.local/state/torch-matrix/jobs/"_s));
        QTableView *table = driven.window->findChild<PastBuildsView *>()->table();
        const QModelIndex failed = table->currentIndex();
        QCOMPARE(failed.siblingAtColumn(int(PastBuilds::Column::Outcome)).data().toString(), u"compile error"_s);
        QVERIFY(!driven.grid()->currentName().endsWith(u"sm89-avx512"_s));
        // The day is one picture, in which it is marked; a click on another bar makes that build current.
        auto *chart = driven.window->findChild<ScheduleChart *>();
        const auto jobOf = [table](const QString &variant) {
            const auto *past = qobject_cast<const PastBuilds *>(table->model());
            for (int row = 0; row < past->rowCount(); ++row) {
                if (past->recordAt(row)->variant.endsWith(variant))
                    return past->recordAt(row)->job;
            }
            return QString();
        };
        QTRY_VERIFY(chart->isVisible() && !chart->barOf(jobOf(u"sm89-avx512"_s)).isEmpty());
        QCOMPARE(chart->lanes(), (QStringList{u"sample-box"_s, u"sample-box"_s}));
        QCOMPARE(chart->current(), jobOf(u"sm89-avx512"_s));
        QTRY_VERIFY(driven.settled()); // The bars stay where they are.
        QTest::mouseClick(chart->viewport(), Qt::LeftButton, {}, chart->barOf(jobOf(u"sm86-avx512"_s)).center());
        QTRY_VERIFY(says(u"pytorch-python313-cuda12_8-sm86-avx512: built"_s));
        QTRY_VERIFY(driven.settled());
        QTest::mouseClick(chart->viewport(), Qt::LeftButton, {}, chart->barOf(jobOf(u"sm89-avx512"_s)).center());
        QTRY_COMPARE(table->currentIndex().row(), failed.row());
        // Another one that is made current is shown, and stays when the page is shown again.
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Up);
        QVERIFY(says(u"pytorch-python313-cuda12_8-sm90-avx2: built"_s));
        driven.window->raisePanel(u"grid"_s);
        driven.window->raisePanel(u"builds"_s);
        QTRY_VERIFY(driven.settled());
        QVERIFY(says(u"pytorch-python313-cuda12_8-sm90-avx2: built"_s));
    }

    /// From the cell that failed for the team to the first error in its log, by mouse and keys.
    void theTeamsLogIsOpened()
    {
        const QByteArray path = qgetenv("PATH");
        const auto restore = qScopeGuard([&path] {
            qputenv("PATH", path);
            QSettings().remove(u"logHosts"_s);
        });
        const SshServer ssh({});
        qputenv("PATH", ssh.bin().toUtf8() + ':' + path);
        const QString failed = u"pytorch-python313-cuda12_8-sm89-avx512"_s;
        DrivenWindow driven({}, SampleKind::Story);
        QTRY_COMPARE(driven.build(failed), u"failed-elsewhere"_s);
        driven.click(failed);
        QTRY_VERIFY(driven.canClick(driven.pane(), u"Log"_s));
        QVERIFY(!driven.button(driven.pane(), u"Copy errors"_s));
        QTest::mouseClick(driven.button(driven.pane(), u"Log"_s), Qt::LeftButton);
        auto *console = driven.window->findChild<BuildConsole *>();
        const TeamLogPage *page = console->teamLog();
        QTRY_VERIFY(page->isVisible() && driven.settled());
        const QTableView *table = driven.window->findChild<PastBuildsView *>()->table();
        QTRY_COMPARE(table->currentIndex().data(wholeNameRole).toString(), failed);

        const auto *recipe = page->findChild<CodeView *>();
        QVERIFY(recipe->isVisible() && recipe->toPlainText().contains(u"sm89"_s));

        // Nobody is called sample-box.
        auto *host = page->findChild<QLineEdit *>();
        QCOMPARE(host->text(), u"sample-box"_s);
        const auto problem = [page] {
            const Banner *banner = page->findChild<Banner *>();
            return banner->isVisible() ? banner->text() : QString();
        };
        QTest::mouseClick(driven.button(page, u"Fetch &log"_s), Qt::LeftButton);
        QTRY_VERIFY(problem().startsWith(u"Could not fetch the log from sample-box: "_s));
        QTRY_VERIFY(host->isVisible());

        const auto *past = qobject_cast<const PastBuilds *>(table->model());
        const QString there = past->recordAt(table->currentIndex().row())->jobThere;
        putFile(ssh.there() + u"/torch-matrix/jobs/%1/log"_s.arg(there),
                QByteArray("cc -c fine.cpp\n").repeated(500) +
                    "python3.13-torch> aten/src/x.cpp:7:3: error: ‘_mm512_reduce_add_ph’ was not declared in this "
                    "scope\nerror: builder for '/nix/store/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-python3.13-torch.drv' "
                    "failed with exit code 1\n");
        host->setFocus();
        host->selectAll();
        QTest::keyClicks(host, u"gpu-box"_s);
        QTest::keyClick(host, Qt::Key_Return);
        QTRY_VERIFY(console->view()->isVisible() && !console->view()->log().isEmpty());
        const auto *bar = console->findChild<OutcomeBar *>();
        QTRY_VERIFY(bar->isVisible());
        QVERIFY2(bar->sentence().contains(u"_mm512_reduce_add_ph"_s), qPrintable(bar->sentence()));
        for (const QToolButton *button : bar->findChildren<QToolButton *>())
            QVERIFY(!button->isVisible() || !button->text().startsWith(u"Retry"_s));

        // It is kept, and the host is proposed for the next one.
        QTableView *list = driven.window->findChild<PastBuildsView *>()->table();
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Up);
        QTRY_VERIFY(page->isVisible());
        QCOMPARE(host->text(), u"gpu-box"_s);
        QTest::keyClick(list, Qt::Key_Down);
        QTRY_VERIFY(bar->isVisible() && !page->isVisible());
    }

    /// From the key that writes a missing cell's recipe to its build; screenshots.sh makes an animation of it.
    void aMissingCellIsBuilt()
    {
        const QString name = u"pytorch-python313-cuda12_8-sm90-avx512"_s; // missing in the story
        DrivenWindow driven({}, SampleKind::Story);
        driven.window->resize(1080, 680);
        int drawn = 0;
        const auto draw = [&] {
            if (const QString folder = qEnvironmentVariable("TORCH_MATRIX_PICTURES"); !folder.isEmpty()) {
                QTRY_VERIFY(driven.settled());
                driven.window->grab().save(u"%1/job-%2.png"_s.arg(folder).arg(++drawn));
            }
        };
        QTRY_VERIFY(shows(driven, u"main"_s));
        driven.click(name);
        QTRY_COMPARE(driven.state(name), u"missing"_s);
        draw();
        QTest::keyClick(driven.table(), Qt::Key_G);
        QTRY_COMPARE(driven.state(name), u"untracked"_s);
        draw();
        driven.table()->setFocus();
        QTest::keyClick(driven.table(), Qt::Key_C);
        QTRY_COMPARE(driven.state(name), u"current"_s);
        draw();
        qputenv("TORCH_MATRIX_STANDIN_FLOX", "slow:4,steps:600,colour");
        QTest::keyClick(driven.table(), Qt::Key_B);
        const auto *console = driven.window->findChild<BuildConsole *>();
        QTRY_VERIFY(console->view()->log().index().size() > 1000);
        draw();
        QTRY_COMPARE(driven.build(name), u"built"_s);
        QVERIFY(!driven.sample.status().contains(name.toUtf8()));
        draw();
    }

    /// A queue with a running, a waiting, a failed and a done build, on both screens; TORCH_MATRIX_PICTURES names a
    /// folder for the pictures.
    void theQueueIsReadable_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("dark");
        for (const QSize size : {QSize(900, 600), QSize(1280, 800), QSize(1920, 1080)}) {
            for (const bool dark : {false, true}) {
                if (test::isCompleteRun() || dark == (size.width() == 900)) // each size once
                    QTest::addRow("%dx%d %s", size.width(), size.height(), dark ? "dark" : "light") << size << dark;
            }
        }
    }

    void theQueueIsReadable()
    {
        QFETCH(QSize, size);
        QFETCH(bool, dark);
        apply(dark ? Appearance::Dark : Appearance::Light);
        DrivenWindow driven({}, SampleKind::Story);
        driven.window->resize(size);
        const auto buildOne = [&driven](const QString &name) {
            driven.click(name);
            QTest::keyClick(driven.table(), Qt::Key_B);
        };
        QTRY_VERIFY(shows(driven, u"main"_s));
        const QString blackwell = u"pytorch-python313-cuda12_8-sm100-"_s;
        buildOne(blackwell + u"avx2"_s);
        QTRY_COMPARE(driven.build(blackwell + u"avx2"_s), u"built"_s);
        qputenv("TORCH_MATRIX_STANDIN_FLOX", "fail");
        buildOne(blackwell + u"avx512"_s);
        QTRY_COMPARE(driven.build(blackwell + u"avx512"_s), u"failed"_s);
        qputenv("TORCH_MATRIX_STANDIN_FLOX", "slow:900,steps:5800,colour");
        buildOne(blackwell + u"avx512bf16"_s);
        QTRY_COMPARE(driven.build(blackwell + u"avx512bf16"_s), u"running"_s);
        buildOne(blackwell + u"avx512vnni"_s);
        QTRY_COMPARE(driven.build(blackwell + u"avx512vnni"_s), u"queued"_s);
        QCOMPARE(driven.window->size(), size);
        auto *console = driven.window->findChild<BuildConsole *>();
        QTRY_VERIFY(console->view()->log().index().size() > 4000);
        QVERIFY(driven.window->minimumSizeHint().width() <= 900 && driven.window->minimumSizeHint().height() <= 600);
        const auto draw = [&](const QString &name) {
            QCOMPARE(driven.window->size(), size);
            if (const QString folder = qEnvironmentVariable("TORCH_MATRIX_PICTURES"); !folder.isEmpty()) {
                QCoreApplication::processEvents(); // laid out
                driven.window->grab().save(
                    u"%1/%2-%3-%4.png"_s.arg(folder, name).arg(size.width()).arg(dark ? u"dark"_s : u"light"_s));
            }
        };
        for (const QString &panel : {u"console"_s, u"builds"_s, u"queue"_s}) {
            driven.window->raisePanel(panel);
            draw(panel);
        }
        const auto *queue = driven.window->findChild<QueueView *>();
        QTreeView *list = queue->list();
        QCOMPARE(list->model()->rowCount(), 4);
        // In a high window what ended stands below what runs and waits.
        QCOMPARE(driven.window->findChild<PastBuildsView *>()->isVisible(), size.height() > 1000);
        for (int row = 0; row < 4; ++row) {
            // Each is seen, with its state and its whole name; in a low window the last one after scrolling.
            const QModelIndex name = list->model()->index(row, int(QueueModel::Column::Gpu));
            if (size.height() <= 600)
                list->scrollTo(name.siblingAtColumn(0));
            QVERIFY2(list->viewport()->rect().contains(list->visualRect(name.siblingAtColumn(0))),
                     qPrintable(name.data().toString()));
            QVERIFY(list->columnWidth(name.column()) >= list->fontMetrics().horizontalAdvance(name.data().toString()));
        }
        for (const QWidget *tool : queue->findChildren<QAbstractButton *>())
            QVERIFY(queue->rect().contains(QRect(tool->mapTo(queue, QPoint()), tool->size())));
        // The log of the failed one, with its outcome.
        const QModelIndexList failed =
            list->model()->match(list->model()->index(0, int(QueueModel::Column::Gpu)), wholeNameRole,
                                 blackwell + u"avx512"_s, 1, Qt::MatchFixedString);
        QCOMPARE(failed.size(), 1);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(failed.constFirst()).center());
        driven.window->raisePanel(u"console"_s);
        QTRY_VERIFY(console->isVisible());
        QTRY_VERIFY(console->view()->log().index().size() < 4000);
        // The views next to it show the same build.
        auto *derivations = console->findChild<QTableView *>();
        QTRY_VERIFY(derivations->model()->rowCount() > 0);
        QVERIFY(!derivations->model()->index(0, 0).data().toString().contains(u"avx512bf16"_s));
        draw(u"failed"_s);
        apply(Appearance::Light);
    }

    /// Twenty builds, two at a time, as a schedule; the chart and the table have one current build.
    void theScheduleIsReadable_data() { theQueueIsReadable_data(); }

    void theScheduleIsReadable()
    {
        QFETCH(QSize, size);
        QFETCH(bool, dark);
        apply(dark ? Appearance::Dark : Appearance::Light);
        qputenv("TORCH_MATRIX_STANDIN_FLOX", "hold");
        DrivenWindow driven;
        driven.window->resize(size);
        QTRY_VERIFY(shows(driven, u"main"_s));
        QVERIFY(Queue(driven.jobFolder.path()).change([](QueueContents &contents) { contents.parallel = 2; }));
        {
            Result<BuildHistory> history = BuildHistory::open(driven.jobFolder.filePath(u"builds.sqlite"_s));
            QVERIFY(history);
            BuildRecord build;
            build.job = u"1"_s;
            build.variant = build.package = onEveryBranch;
            build.machine = machineId();
            build.started = QDateTime::fromSecsSinceEpoch(1'700'000'000);
            build.ended = build.started.addSecs(2700);
            build.outcome = BuildOutcome::Kind::Built;
            QVERIFY(history->record(build));
        }
        QStringList names;
        for (const QString &row :
             {u"cuda12_8-sm80-"_s, u"cuda12_8-sm90-"_s, u"cuda12_8-sm100-"_s, u"cuda12_8-sm120-"_s, u"cpu-"_s}) {
            for (const QString &isa : {u"avx2"_s, u"avx512"_s, u"avx512bf16"_s, u"avx512vnni"_s})
                names.append(u"pytorch-python313-"_s + row + isa);
        }
        driven.window->findChild<BuildController *>()->build(names);
        auto *queue = driven.window->findChild<QueueView *>();
        QTRY_COMPARE(queue->list()->model()->rowCount(), 20);
        QTRY_COMPARE(queue->list()->model()->index(1, 0).data().toString(), u"running"_s);
        driven.window->raisePanel(u"queue"_s);
        auto *chart = driven.window->findChild<ScheduleChart *>();
        QTRY_VERIFY(chart->isVisible());
        QTRY_COMPARE(chart->lanes(), (QStringList{u"this machine, 1"_s, u"this machine, 2"_s}));
        QCOMPARE(driven.window->size(), size);
        const auto idAt = [queue](int row) {
            return queue->list()->model()->index(row, 0).data(QueueModel::IdRole).toString();
        };
        const auto fits = [&](int row) { return chart->viewport()->rect().contains(chart->barOf(idAt(row))); };
        QTRY_VERIFY(std::ranges::all_of(std::views::iota(0, 20), fits)); // what starts now is planned a moment later
        QTest::mouseClick(chart->viewport(), Qt::LeftButton, {}, chart->barOf(idAt(2)).center());
        QCOMPARE(queue->selectedIds(), QStringList{idAt(2)});
        QTest::keyClick(chart, Qt::Key_Right);
        QCOMPARE(queue->selectedIds(), QStringList{chart->current()});
        QVERIFY(chart->current() != idAt(2));
        const auto labels = driven.window->findChildren<QLabel *>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel *label) {
            return label->text().startsWith(u"20 builds take about "_s) &&
                   label->text().contains(u"4 from similar builds here, 16 are defaults"_s);
        }));
        if (const QString folder = qEnvironmentVariable("TORCH_MATRIX_PICTURES"); !folder.isEmpty()) {
            QCoreApplication::processEvents(); // laid out
            driven.window->grab().save(
                u"%1/schedule-%2-%3.png"_s.arg(folder).arg(size.width()).arg(dark ? u"dark"_s : u"light"_s));
        }
        // The tools act on the current one, which is then no longer planned.
        const QString stopped = chart->current();
        QTest::keyClick(chart, Qt::Key_Delete);
        QTRY_VERIFY(chart->barOf(stopped).isEmpty());
        QVERIFY(Queue(driven.jobFolder.path()).clear());
        apply(Appearance::Light);
    }

    /// A night of 20 builds, two at a time, as charts; the filter applies there too, and every choice is made with
    /// keys.
    void pastBuildsAreDrawn_data() { theQueueIsReadable_data(); }

    void pastBuildsAreDrawn()
    {
        QFETCH(QSize, size);
        QFETCH(bool, dark);
        apply(dark ? Appearance::Dark : Appearance::Light);
        DrivenWindow driven;
        driven.window->resize(size);
        QTRY_VERIFY(shows(driven, u"main"_s));
        {
            Result<BuildHistory> history = BuildHistory::open(driven.jobFolder.filePath(u"builds.sqlite"_s));
            QVERIFY(history);
            const QDateTime evening = QDateTime::fromSecsSinceEpoch(1'700'000'000);
            for (int i = 0; i < 20; ++i) {
                BuildRecord build;
                build.job = QString::number(i);
                build.variant = build.package = u"pytorch-python313-cuda12_8-sm%1-%2"_s.arg(
                    QStringList{u"80"_s, u"86"_s, u"89"_s, u"90"_s, u"120"_s}.at(i / 4),
                    QStringList{u"avx2"_s, u"avx512"_s, u"avx512bf16"_s, u"avx512vnni"_s}.at(i % 4));
                build.repository = driven.window->findChild<Workspace *>()->info().workTree;
                build.branch = u"main"_s;
                build.queued = evening.addSecs(i);
                build.started = evening.addSecs(20 + qint64(i / 2) * 5400);
                build.ended = build.started.addSecs(3000 + (i * 1597) % 2300);
                build.outcome = i == 7 ? BuildOutcome::Kind::OutOfMemory : BuildOutcome::Kind::Built;
                QVERIFY(history->record(build));
            }
        }
        auto *view = driven.window->findChild<PastBuildsView *>();
        Q_EMIT view->appeared(); // the history was read before
        driven.window->raisePanel(u"builds"_s);
        QTRY_COMPARE(view->table()->model()->rowCount(), 20);
        // What no build has takes no room; the one that failed has its reason in the outcome.
        for (const auto column : {PastBuilds::Column::Why, PastBuilds::Column::Memory, PastBuilds::Column::Size})
            QVERIFY(view->table()->isColumnHidden(int(column)));
        QVERIFY(!view->table()->isColumnHidden(int(PastBuilds::Column::Branch)));
        auto *form = view->findChild<QComboBox *>(); // the first tool
        QCOMPARE(form->currentText(), u"Table"_s);
        form->setFocus();
        for (const QString &name : {u"Build times"_s, u"The queue over time"_s}) {
            QTest::keyClick(form, Qt::Key_Down);
            const BuildChart *shown = nullptr;
            for (const BuildChart *chart : view->findChildren<BuildChart *>())
                shown = chart->isVisible() ? chart : shown;
            QVERIFY(shown && shown->currentWidget()->accessibleName() == name);
            QCOMPARE(driven.window->size(), size);
            if (const QString folder = qEnvironmentVariable("TORCH_MATRIX_PICTURES"); !folder.isEmpty()) {
                QCoreApplication::processEvents(); // laid out
                driven.window->grab().save(
                    u"%1/%2-%3-%4.png"_s.arg(folder, name.section(u' ', 0, 1).replace(u' ', u'-'))
                        .arg(size.width())
                        .arg(dark ? u"dark"_s : u"light"_s));
            }
            const QString all = shown->currentWidget()->accessibleDescription();
            QVERIFY2(all.contains(name.startsWith(u"The"_s) ? u"at most 20 builds, 2 of them at once"_s
                                                            : u"Variants: 19."_s),
                     qPrintable(all));
            auto *text = view->findChild<QLineEdit *>();
            QTest::keyClicks(text, u"sm90"_s);
            QTRY_VERIFY(shown->currentWidget()->accessibleDescription() != all);
            text->clear();
            QTRY_COMPARE(shown->currentWidget()->accessibleDescription(), all);
        }
        apply(Appearance::Light);
    }

    /// While waiting for the index, another failure does not prevent the build.
    void anUnrelatedFailureStopsNoBuild()
    {
        DrivenWindow driven;
        QTRY_VERIFY(shows(driven, u"main"_s));
        driven.click(onEveryBranch);
        QTest::keyClick(driven.table(), Qt::Key_B);
        auto *builds = driven.window->findChild<BuildController *>();
        QVERIFY(builds->isRunning());
        QVERIFY(calls().isEmpty());
        auto *workspace = driven.window->findChild<Workspace *>();
        const Error error{u"open"_s, u"x"_s, u"it is not there"_s, {}};
        Q_EMIT workspace->failed(newOperation(), error);
        Q_EMIT workspace->operations()->failed(newOperation(), error);
        Q_EMIT workspace->operations()->applied(newOperation(), {Applied{}}, {});
        QVERIFY(builds->isRunning());
        QTRY_COMPARE(driven.build(onEveryBranch), u"built"_s);
    }

    void anOldFormOfTheNameIsBuiltByItsOwnName()
    {
        const QString package = u"pytorch-py313-cpu-avx2"_s;
        DrivenWindow driven;
        driven.sample.git({u"mv"_s, u".flox/pkgs/%1.nix"_s.arg(onEveryBranch), u".flox/pkgs/%1.nix"_s.arg(package)});
        driven.sample.git({u"commit"_s, u"-qm"_s, u"Rename"_s});
        QTRY_COMPARE(driven.cell(onEveryBranch).data(PackageRole).toString(), package);
        QTRY_VERIFY(driven.settled());
        driven.click(onEveryBranch);
        QTest::keyClick(driven.table(), Qt::Key_B);
        QTRY_COMPARE(driven.build(onEveryBranch), u"built"_s);
        QVERIFY2(calls().trimmed().endsWith(package.toUtf8()), calls().constData());
        QVERIFY(!QFile::symLinkTarget(driven.sample.path(u"result-"_s + package)).isEmpty());
    }
};

TM_TEST(TestWindowBuilds, QApplication)
#include "tst_windowbuilds.moc"
