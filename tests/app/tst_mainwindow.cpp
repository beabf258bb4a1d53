// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/BuildController.h"
#include "app/window/Appearance.h"
#include "app/window/MainWindow.h"
#include "model/fleet/KnownRepositories.h"
#include "model/hardware/MachineStore.h"
#include "model/matrix/MatrixModel.h"
#include "model/matrix/MatrixRoles.h"
#include "model/outcome/BuildOutcome.h"
#include "model/outcome/BuildState.h"
#include "model/snapshot/RecipeState.h"
#include "model/workspace/Workspace.h"
#include "tests/app/DrivenWindow.h"
#include "tests/support/TestMain.h"
#include "views/console/BuildConsole.h"
#include "views/grid/GridPanel.h"
#include "views/hardware/HardwarePanel.h"
#include "views/hardware/MachineBar.h"
#include "views/queue/BuildDialog.h"
#include "views/recipe/RecipePane.h"
#include "views/start/RepositoryBar.h"
#include "views/widgets/CheckList.h"
#include "views/widgets/NoticeBar.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

using Driven = DrivenWindow;

namespace {

const QString variant = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
const QString recipeFile = u".flox/pkgs/pytorch-python313-cuda12_8-sm90-avx512.nix"_s;

} // namespace

class TestMainWindow : public QObject
{
    Q_OBJECT

    QByteArray m_path = qgetenv("PATH");
    QTemporaryDir m_config;

    /// From here on builds go to the stand-in, which takes `seconds`.
    void buildWithTheStandIn(int seconds = 0) const
    {
        qputenv("PATH", QByteArray(TM_STANDINS ":") + m_path);
        if (seconds > 0)
            qputenv("TORCH_MATRIX_STANDIN_FLOX", "slow:" + QByteArray::number(seconds));
    }
    static void startBuild(const Driven &driven)
    {
        QTRY_VERIFY(driven.settled());
        driven.click(variant);
        QTest::keyClick(driven.table(), Qt::Key_B);
        QTRY_COMPARE(driven.build(variant), u"running"_s);
    }

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("XDG_CONFIG_HOME", m_config.path().toUtf8()); // no setting and no machine of this user
        apply(Appearance::Light);
    }
    void init()
    {
        // The offscreen platform says this of every window with a smallest size.
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support propagateSizeHints)"_s));
        qputenv("PATH", m_path);
        qunsetenv("TORCH_MATRIX_STANDIN_FLOX");
    }

    void opensOnTheCheckedOutBranch()
    {
        Driven driven;
        QTRY_VERIFY(driven.settled());
        QVERIFY(driven.window->windowTitle().contains(u"main"_s));
        QCOMPARE(driven.state(variant), u"current"_s);
        QVERIFY(driven.notice().isEmpty());
    }

    /// Nothing is watched before a repository has been read once.
    void aChangeDuringTheFirstReadingShows()
    {
        Driven driven;
        driven.sample.takeOut(variant);
        QTRY_VERIFY(driven.cell(variant).isValid());
        QTRY_COMPARE(driven.state(variant), u"missing"_s);
    }

    void recentRepositoriesAreOffered()
    {
        QSettings(u"torch-matrix"_s, u"torch-matrix"_s).remove(u"recentRepositories"_s);
        Driven first;
        QTRY_VERIFY(first.settled());
        Driven second;
        QTRY_VERIFY(second.settled());
        QMenu *recent = nullptr;
        for (QMenu *menu : second.window->findChildren<QMenu *>()) {
            if (menu->title() == u"Open re&cent"_s)
                recent = menu;
        }
        QVERIFY(recent);
        Q_EMIT recent->aboutToShow();
        QCOMPARE(recent->actions().size(), 2);
        QVERIFY(recent->actions().at(0)->text().contains(second.sample.path()));
        recent->actions().at(1)->trigger();
        QTRY_VERIFY(second.settled());
        QTRY_COMPARE(second.window->findChild<MatrixModel *>()->snapshot()->repository,
                     QDir(first.sample.path()).canonicalPath());
        // A repository that can no longer be opened is reported once, and forgotten.
        second.window->openRepository(u"/nowhere"_s);
        QTRY_VERIFY(second.notice().contains(u"/nowhere"_s));
        Q_EMIT recent->aboutToShow();
        QCOMPARE(recent->actions().size(), 2);
    }

    /// Another failure does not forget the repository that is being opened.
    void anUnrelatedFailureForgetsNoRepository()
    {
        QSettings(u"torch-matrix"_s, u"torch-matrix"_s).remove(u"recentRepositories"_s);
        Driven first;
        QTRY_VERIFY(first.settled());
        Driven second;
        QTRY_VERIFY(second.settled());
        const QString path = first.sample.path();
        const QStringList both = knownRepositories();
        QCOMPARE(both.size(), 2);
        second.window->openRepository(path);
        Q_EMIT second.window->findChild<Workspace *>()->failed(newOperation(),
                                                               Error{u"commit"_s, u"x"_s, u"it is not there"_s, {}});
        QVERIFY(second.notice().contains(u"it is not there"_s));
        second.window->openRepository(second.sample.path()); // the first is never opened
        QTRY_VERIFY(second.settled());
        QCOMPARE(knownRepositories(), both);
    }

    void theSummaryFollowsTheFilter()
    {
        Driven driven;
        QTRY_VERIFY(driven.settled());
        const auto summary = [&driven] {
            for (const QLabel *label : driven.grid()->findChildren<QLabel *>()) {
                if (label->accessibleName().contains(u"variants"_s))
                    return label->accessibleName();
            }
            return QString();
        };
        QVERIFY2(summary().startsWith(u"44 variants"_s), qPrintable(summary()));
        QTest::keyClick(driven.table(), Qt::Key_F, Qt::ControlModifier);
        QTest::keyClicks(driven.window->focusWidget(), u"sm90 avx2"_s);
        QTRY_VERIFY2(summary().startsWith(u"1 found. 44 variants"_s), qPrintable(summary()));
        QTest::keyClick(driven.window->focusWidget(), Qt::Key_Escape);
        QTRY_VERIFY(summary().startsWith(u"44 variants"_s));
    }

    void theFirstKeyIsTheGrids()
    {
        Driven driven;
        QTRY_VERIFY(driven.settled());
        QVERIFY(driven.grid()->currentName().isEmpty());
        QTest::keyClick(driven.window->focusWidget(), Qt::Key_Down);
        QVERIFY(!driven.grid()->currentName().isEmpty());
        QTest::keyClick(driven.window->focusWidget(), Qt::Key_C);
        QVERIFY(driven.window->windowTitle().contains(u"main"_s));
    }

    void threeClicksFromMissingToCommitted()
    {
        Driven driven(variant);
        QTRY_VERIFY(driven.settled());
        QCOMPARE(driven.state(variant), u"missing"_s);
        const QByteArray others = driven.sample.git({u"ls-tree"_s, u"-r"_s, u"HEAD"_s});

        driven.click(variant);
        QTRY_VERIFY(driven.canClick(driven.pane(), u"Generate"_s));
        QTest::mouseClick(driven.button(driven.pane(), u"Generate"_s), Qt::LeftButton);
        QTRY_VERIFY(driven.canClick(driven.pane(), u"Commit"_s));
        QCOMPARE(driven.sample.status(), "A  " + recipeFile.toUtf8());
        QTest::mouseClick(driven.button(driven.pane(), u"Commit"_s), Qt::LeftButton);
        QTRY_COMPARE(driven.state(variant), u"current"_s);

        QCOMPARE(driven.sample.git({u"show"_s, u"--format=%s"_s, u"--name-status"_s}),
                 "Add " + variant.toUtf8() + "\n\nA\t" + recipeFile.toUtf8());
        QCOMPARE(driven.sample.git({u"ls-tree"_s, u"-r"_s, u"HEAD~1"_s}), others);
        QVERIFY(driven.sample.status().isEmpty());
        driven.sample.git({u"fsck"_s, u"--strict"_s});
        QTRY_VERIFY(driven.notice().contains(u"Committed"_s));
    }

    void whatAHookPrintsIsShown()
    {
        Driven driven(variant);
        const QString hook = u".git/hooks/pre-commit"_s;
        driven.sample.write(hook, "#!/bin/sh\nprintf 'all 44 \\033[31mrecipes\\033[0m are tidy\\n'\n");
        QFile::setPermissions(driven.sample.path(hook), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        QTRY_VERIFY(driven.settled());
        driven.click(variant);
        QTest::keyClick(driven.table(), Qt::Key_G);
        QTRY_COMPARE(driven.state(variant), u"untracked"_s);
        QTest::keyClick(driven.table(), Qt::Key_C);
        QTRY_VERIFY(driven.notice().contains(u"Committed"_s));
        // The text that the hook printed, without what would change a terminal.
        QVERIFY2(driven.notice().endsWith(u"all 44 [31mrecipes[0m are tidy"_s), qPrintable(driven.notice()));
    }

    void threeKeysFromMissingToCommitted()
    {
        Driven driven(variant);
        QTRY_VERIFY(driven.settled());
        driven.click(u"pytorch-python313-cuda12_8-sm90-avx2"_s);
        QTest::keyClick(driven.table(), Qt::Key_Right);
        QCOMPARE(driven.grid()->currentName(), variant);
        QTest::keyClick(driven.table(), Qt::Key_G);
        QTRY_COMPARE(driven.state(variant), u"untracked"_s);
        QTest::keyClick(driven.table(), Qt::Key_C);
        QTRY_COMPARE(driven.state(variant), u"current"_s);
        QCOMPARE(driven.sample.git({u"show"_s, u"--format="_s, u"--name-only"_s}), recipeFile.toUtf8());
        QVERIFY(driven.sample.status().isEmpty());
        QCOMPARE(driven.grid()->currentName(), variant);
    }

    void editsOutsideAreShown()
    {
        Driven driven;
        QTRY_VERIFY(driven.settled());
        const QByteArray text = driven.sample.read(recipeFile);
        driven.sample.write(recipeFile, text + "# by hand\n");
        QTRY_COMPARE(driven.state(variant), u"modified"_s);
        driven.sample.write(recipeFile, text);
        QTRY_COMPARE(driven.state(variant), u"current"_s);
        QVERIFY(QFile::remove(driven.sample.path(recipeFile)));
        QTRY_COMPARE(driven.state(variant), u"modified"_s);
        driven.sample.git({u"checkout"_s, u"-q"_s, u"--"_s, recipeFile});
        QTRY_COMPARE(driven.state(variant), u"current"_s);
        // A commit and a checkout in a terminal show as well.
        driven.sample.takeOut(variant);
        QTRY_COMPARE(driven.state(variant), u"missing"_s);
        driven.sample.git({u"checkout"_s, u"-q"_s, u"cuda-12_9"_s});
        QTRY_VERIFY(driven.window->windowTitle().contains(u"cuda-12_9"_s));
    }

    void anotherBranchIsShownWithoutCheckout()
    {
        Driven driven;
        QTRY_VERIFY(driven.settled());
        auto *branches = driven.window->findChild<RepositoryBar *>()->findChild<QComboBox *>();
        QVERIFY(branches);
        branches->setFocus();
        QTest::keyClicks(branches, u"cuda-13"_s);
        QTRY_VERIFY(driven.window->windowTitle().contains(u"cuda-13_0"_s));
        QTRY_VERIFY(driven.settled());
        QCOMPARE(driven.state(u"pytorch-python313-cuda13_0-sm121-armv9"_s), u"current"_s);
        QCOMPARE(driven.sample.git({u"symbolic-ref"_s, u"--short"_s, u"HEAD"_s}), "main");
        QVERIFY(driven.sample.status().isEmpty());
    }

    void anotherMachineColoursTheGrid()
    {
        QFile cpu(QStringLiteral(TM_FIXTURES "/hosts/h100-sapphire-rapids/lscpu.txt"));
        QVERIFY(cpu.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(cpu.readAll()) + u"NVIDIA H100 80GB HBM3, 9.0, 470.82.01\n"_s;
        Driven driven;
        QTRY_VERIFY(driven.settled());
        auto *panel = driven.window->findChild<HardwarePanel *>();
        driven.window->raisePanel(u"machine"_s);
        MachineBar *bar = panel->machines();
        Q_EMIT bar->textGiven(text);
        QTRY_COMPARE(bar->shown().kind, MachineRef::Kind::Text);
        QTRY_VERIFY(driven.settled());

        QTest::keyClick(driven.table(), Qt::Key_4, Qt::ControlModifier);
        const auto fit = [&driven](const QString &name) {
            const LensFace face = driven.cell(name).data(PartsRole).value<QList<MatrixPart>>().first().face;
            return std::holds_alternative<Fit>(face.sign) ? fitWord(std::get<Fit>(face.sign)) : QString();
        };
        const QString cpuOnly = u"pytorch-python313-cpu-avx512"_s;
        QTRY_COMPARE(fit(variant), u"no"_s);
        const QString tip = driven.cell(variant).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(u"525.60.13 or newer; this machine has 470.82.01"_s), qPrintable(tip));
        QCOMPARE(fit(cpuOnly), u"runs"_s);
        // A newer driver, the same machine: the cells follow.
        Q_EMIT bar->textGiven(QString(text).replace(u"470.82.01"_s, u"580.95.05"_s));
        QTRY_COMPARE(fit(variant), u"exact"_s);
        QTRY_VERIFY(driven.settled());
        // Kept under a name, and shown from there; then forgotten.
        Q_EMIT bar->saveRequested(u"rack-1"_s);
        QTRY_COMPARE(bar->shown(), (MachineRef{MachineRef::Kind::Saved, u"rack-1"_s}));
        QCOMPARE(MachineStore().names(), QStringList{u"rack-1"_s});
        QTRY_VERIFY(driven.settled());
        {
            Driven again; // another window begins with it
            QTRY_VERIFY(again.settled());
            QTRY_COMPARE(again.window->findChild<MachineBar *>()->shown().name, u"rack-1"_s);
        }
        Q_EMIT bar->forgetRequested(u"rack-1"_s);
        QTRY_COMPARE(bar->shown(), MachineRef());
        QVERIFY(MachineStore().names().isEmpty());
        // A text without a machine gives one sentence in the panel, and the shown report stays.
        Q_EMIT bar->textGiven(u"hello"_s);
        const auto problem = [panel] {
            for (const QLabel *label : panel->findChildren<QLabel *>()) {
                if (label->accessibleName() == u"What failed"_s && label->isVisible())
                    return label->text();
            }
            return QString();
        };
        QTRY_VERIFY(!problem().isEmpty());
        QTRY_VERIFY(driven.settled());
        QCOMPARE(bar->shown(), MachineRef());
    }

    void aMachineThatIsGoneIsToldAndThisOneShown()
    {
        QSettings().setValue(u"machine"_s, u"gone"_s);
        Driven driven;
        QTRY_VERIFY(driven.settled());
        driven.window->raisePanel(u"machine"_s);
        const auto *bar = driven.window->findChild<MachineBar *>();
        QCOMPARE(bar->shown(), MachineRef());
        const auto labels = bar->findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.cbegin(), labels.cend(),
                            [](const QLabel *label) { return label->text().contains(u"gone"_s); }));
        QVERIFY(!QSettings().contains(u"machine"_s));
    }

    void theWorkloadDecidesTheOrder()
    {
        Driven driven;
        QTRY_VERIFY(driven.settled());
        QFile cpu(QStringLiteral(TM_FIXTURES "/hosts/h100-sapphire-rapids/lscpu.txt"));
        QVERIFY(cpu.open(QIODevice::ReadOnly));
        MachineBar *bar = driven.window->findChild<MachineBar *>();
        Q_EMIT bar->textGiven(QString::fromUtf8(cpu.readAll()) + u"NVIDIA H100 80GB HBM3, 9.0, 580.95.05\n"_s);
        const auto fits = [&driven] {
            for (const QLabel *label : driven.window->findChild<HardwarePanel *>()->findChildren<QLabel *>()) {
                if (label->accessibleName() == u"What fits"_s)
                    return label->text();
            }
            return QString();
        };
        QTRY_COMPARE(fits(), variant);
        Q_EMIT bar->workloadChosen(Workload::Int8Inference);
        QTRY_COMPARE(fits(), u"pytorch-python313-cuda12_8-sm90-avx512vnni"_s);
        Q_EMIT bar->workloadChosen(Workload::General);
        QTRY_COMPARE(fits(), variant);
    }

    /// With a branch in it, for any view and panel in front. 853 x 533 is what 1280 x 800 pixels at 144 dpi can show.
    void fitsASmallScreen()
    {
        Driven driven;
        QTRY_VERIFY(driven.settled());
        driven.click(variant);
        QTRY_VERIFY(driven.settled());
        for (const QString &panel :
             {u"grid"_s, u"plan"_s, u"settings"_s, u"audit"_s, u"machine"_s, u"queue"_s, u"console"_s}) {
            driven.window->raisePanel(panel);
            QTRY_VERIFY(driven.settled());
            QStringList wide;
            for (const QWidget *widget : driven.window->findChildren<QWidget *>()) {
                const QSize least = widget->minimumSizeHint().expandedTo(widget->minimumSize());
                if (least.width() > 330 || least.height() > 300)
                    wide.append(u"%1 %2 %3x%4"_s
                                    .arg(QString::fromLatin1(widget->metaObject()->className()), widget->objectName())
                                    .arg(least.width())
                                    .arg(least.height()));
            }
            const QSize least = driven.window->minimumSizeHint();
            QVERIFY2(
                least.width() <= 853 && least.height() <= 533,
                qPrintable(u"%1: %2x%3\n%4"_s.arg(panel).arg(least.width()).arg(least.height()).arg(wide.join(u'\n'))));
        }
        for (const QSize size : {QSize(900, 600), QSize(853, 533)}) {
            driven.window->resize(size);
            QTRY_COMPARE(driven.window->size(), size);
        }
    }

    void aBuildRunsAndShows()
    {
        buildWithTheStandIn();
        Driven driven(variant);
        QTRY_VERIFY(driven.settled());
        driven.click(variant);
        QTest::keyClick(driven.table(), Qt::Key_G);
        QTRY_COMPARE(driven.state(variant), u"untracked"_s);
        QTest::keyClick(driven.table(), Qt::Key_B);
        QTRY_COMPARE(driven.build(variant), u"built"_s);
        // Another window, or this one tomorrow, sees it too.
        MainWindow later(driven.sample.catalog());
        later.openRepository(driven.sample.path());
        QTRY_VERIFY(later.isSettled());
        auto *again = later.findChild<GridPanel *>()->findChild<QTableView *>();
        const QModelIndex cell = driven.cell(variant);
        QCOMPARE(
            toString(BuildState::Phase(again->model()->index(cell.row(), cell.column()).data(BuildPhaseRole).toInt())),
            u"built"_s);
        QVERIFY(QFile::symLinkTarget(driven.sample.path(u"result-"_s + variant))
                    .startsWith(driven.jobFolder.filePath(u"store/"_s)));
        QVERIFY2(driven.notice().isEmpty() || !driven.notice().contains(u"Could not"_s),
                 qUtf8Printable(driven.notice()));
    }

    void aBuildCanBeStopped()
    {
        buildWithTheStandIn(600);
        Driven driven;
        startBuild(driven);
        QTest::keyClick(driven.window.get(), Qt::Key_Period, Qt::ControlModifier);
        QTRY_COMPARE(driven.build(variant), u"none"_s); // neither built nor failed
        QVERIFY(!driven.notice().contains(u"Could not"_s));
    }

    void theQuestionAboutARunningBuildEndsWithTheBuild()
    {
        buildWithTheStandIn(600);
        Driven driven;
        startBuild(driven);
        auto *builds = driven.window->findChild<BuildController *>();
        QVERIFY(builds);
        QVERIFY(!driven.window->close());
        QPointer<QWidget> question = QApplication::activeModalWidget();
        QVERIFY(question);
        QVERIFY(!driven.window->close()); // asked once
        QCOMPARE(driven.window->findChildren<QMessageBox *>().size(), 1);
        builds->stop();
        QTRY_VERIFY(!builds->isRunning());
        QTRY_VERIFY(!question);
        QVERIFY(driven.window->isVisible());
    }

    void aRunningBuildIsLeftOnlyWhenSomebodySaysSo()
    {
        buildWithTheStandIn(600);
        Driven driven;
        startBuild(driven);
        QVERIFY(!driven.window->close());
        QTest::keyClick(QApplication::activeModalWidget(), Qt::Key_Escape);
        QTRY_VERIFY(!QApplication::activeModalWidget());
        QVERIFY(driven.window->isVisible() && driven.window->findChild<BuildController *>()->isRunning());
        QVERIFY(!driven.window->close());
        QTest::mouseClick(driven.button(QApplication::activeModalWidget(), u"Close"_s), Qt::LeftButton);
        QTRY_VERIFY(!driven.window->isVisible());
        // It goes on, and the next window finds it.
        driven.window.reset();
        MainWindow later(driven.sample.catalog());
        later.openRepository(driven.sample.path());
        QTRY_VERIFY(later.findChild<BuildController *>()->isRunning());
        QTRY_COMPARE(later.findChild<BuildController *>()->package(), variant);
    }

    void generatingOnAnotherBranchAsksByName()
    {
        Driven driven;
        QTRY_VERIFY(driven.settled());
        const QString other = u"pytorch-python313-cuda13_0-sm90-avx"_s;
        const QByteArray before = driven.sample.git({u"rev-parse"_s, u"cuda-13_0"_s});
        driven.window->openRepository(driven.sample.path(), u"cuda-13_0"_s);
        QTRY_VERIFY(driven.cell(other).isValid());
        QTRY_VERIFY(driven.settled());
        QString question;
        const auto answer = [&](QMessageBox::ButtonRole role) {
            driven.click(other);
            QTest::keyClick(driven.table(), Qt::Key_G);
            auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
            QVERIFY(box);
            question = box->text();
            for (QAbstractButton *button : box->buttons()) {
                if (box->buttonRole(button) == role)
                    return button->click();
            }
            box->reject();
        };
        answer(QMessageBox::RejectRole);
        QVERIFY2(question.endsWith(u"Commit the recipe directly to it?"_s), qUtf8Printable(question));
        QCOMPARE(driven.state(other), u"not-covered"_s);
        QCOMPARE(driven.sample.git({u"rev-parse"_s, u"cuda-13_0"_s}), before);
        answer(QMessageBox::AcceptRole);
        QTRY_COMPARE(driven.state(other), u"current"_s);
        QCOMPARE(driven.sample.git({u"rev-parse"_s, u"cuda-13_0~1"_s}), before);
        QVERIFY(driven.sample.status().isEmpty());
    }

    /// An answer applies to the branch that was shown when the question was asked, whatever is shown meanwhile.
    void anAnswerIsAboutTheBranchThatWasAskedAbout()
    {
        Driven driven;
        QTRY_VERIFY(driven.settled());
        const QString other = u"pytorch-python313-cuda13_0-sm90-avx"_s;
        const QByteArray main = driven.sample.git({u"rev-parse"_s, u"main"_s});
        const QByteArray before = driven.sample.git({u"rev-parse"_s, u"cuda-13_0"_s});
        driven.window->openRepository(driven.sample.path(), u"cuda-13_0"_s);
        QTRY_VERIFY(driven.cell(other).isValid());
        QTRY_VERIFY(driven.settled());
        driven.click(other);
        QTest::keyClick(driven.table(), Qt::Key_G);
        QWidget *question = QApplication::activeModalWidget();
        QVERIFY(question);
        driven.window->openRepository(driven.sample.path(), u"main"_s);
        QTRY_VERIFY(driven.window->windowTitle().contains(u" main "_s) && driven.settled());
        QTest::mouseClick(driven.button(question, u"Commit"_s), Qt::LeftButton);
        QTRY_VERIFY(driven.sample.git({u"rev-parse"_s, u"cuda-13_0"_s}) != before);
        QCOMPARE(driven.sample.git({u"rev-parse"_s, u"cuda-13_0~1"_s}), before);
        QCOMPARE(driven.sample.git({u"show"_s, u"--format="_s, u"--name-only"_s, u"cuda-13_0"_s}),
                 u".flox/pkgs/%1.nix"_s.arg(other).toUtf8());
        QTRY_VERIFY(driven.settled());
        QCOMPARE(driven.sample.git({u"rev-parse"_s, u"main"_s}), main);
        QVERIFY(driven.sample.status().isEmpty());
    }

    /// A change for the working tree of one branch is not written to the working tree of another.
    void anotherCheckoutMeanwhileRefusesTheAnswer()
    {
        Driven driven(variant);
        QTRY_VERIFY(driven.settled());
        const QByteArray refs = driven.sample.git({u"for-each-ref"_s, u"refs/heads"_s});
        QTest::keyClick(driven.window.get(), Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
        QWidget *question = QApplication::activeModalWidget();
        QVERIFY(question);
        driven.sample.git({u"checkout"_s, u"-q"_s, u"cuda-12_9"_s});
        QTRY_VERIFY(driven.window->windowTitle().contains(u"cuda-12_9"_s) && driven.settled());
        QTest::mouseClick(driven.button(question, u"Generate"_s), Qt::LeftButton);
        QTRY_VERIFY2(driven.notice().contains(u"main is no longer checked out"_s), qPrintable(driven.notice()));
        QTRY_VERIFY(driven.settled());
        QVERIFY(driven.sample.status().isEmpty());
        QCOMPARE(driven.sample.git({u"for-each-ref"_s, u"refs/heads"_s}), refs);
    }

    void withoutFloxTheActionSaysSo()
    {
        Driven driven;
        QTRY_VERIFY(driven.settled());
        qputenv("PATH", "/nowhere");
        driven.click(variant);
        QTest::keyClick(driven.table(), Qt::Key_B);
        const auto dialog = [&driven] { return driven.window->findChild<BuildDialog *>(); };
        QTRY_VERIFY(dialog() && dialog()->isVisible());
        const CheckItem first = dialog()->findChild<CheckList *>()->items().constFirst();
        QVERIFY(first.kind == CheckItem::Kind::Blocks);
        QVERIFY2(first.sentence.contains(u"flox.dev"_s), qPrintable(first.sentence));
        QVERIFY(!driven.canClick(dialog(), u"&Build"_s));
    }

    void theSameKeySearchesWhereTheFocusIs()
    {
        Driven driven;
        QTRY_VERIFY(driven.settled());
        driven.click(variant);
        QTRY_VERIFY(driven.settled());
        QTest::keyClick(driven.table(), Qt::Key_F, Qt::ControlModifier);
        QVERIFY(qobject_cast<QLineEdit *>(driven.window->focusWidget()));
        QVERIFY(driven.grid()->isAncestorOf(driven.window->focusWidget()));
        QTest::keyClick(driven.table(), Qt::Key_Return); // to the recipe
        QVERIFY(driven.pane()->isAncestorOf(driven.window->focusWidget()));
        QTest::keyClick(driven.window->focusWidget(), Qt::Key_F, Qt::ControlModifier);
        QVERIFY(qobject_cast<QLineEdit *>(driven.window->focusWidget()));
        QVERIFY(driven.pane()->isAncestorOf(driven.window->focusWidget()));
    }

    void everyControlHasANameForScreenReaders()
    {
        Driven driven;
        QTRY_VERIFY(driven.settled());
        driven.click(variant);
        QTRY_VERIFY(driven.settled());
        for (QWidget *widget : driven.window->findChildren<QWidget *>()) {
            if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible())
                continue;
            QAccessibleInterface *described = QAccessible::queryAccessibleInterface(widget);
            QVERIFY2(described && !described->text(QAccessible::Name).isEmpty(),
                     qPrintable(QLatin1StringView(widget->metaObject()->className()) + u" in "_s +
                                QLatin1StringView(widget->parentWidget()->metaObject()->className())));
        }
    }

    void whatFailsIsSaidInOneSentence()
    {
        SampleFixture sample;
        MainWindow window(sample.catalog());
        window.show();
        window.openRepository(u"/nowhere"_s);
        const auto said = [&window] {
            return std::ranges::count_if(window.findChildren<QLabel *>(), [](const QLabel *label) {
                return label->isVisible() && label->text().contains(u"/nowhere"_s);
            });
        };
        QTRY_COMPARE(said(), 1); // on the start page, and not in a notice too
        QVERIFY(window.findChild<NoticeBar *>(u"notice"_s)->text().isEmpty());
    }

    void appearanceChangesLive()
    {
        Driven driven;
        QTRY_VERIFY(driven.settled());
        const QImage light = driven.window->grab().toImage();
        apply(Appearance::Dark);
        QTRY_VERIFY(driven.window->grab().toImage().pixelColor(5, 5).lightness() < 80);
        apply(Appearance::Light);
        QTRY_COMPARE(driven.window->grab().toImage().pixelColor(5, 5), light.pixelColor(5, 5));
    }
};

TM_TEST(TestMainWindow, QApplication)
#include "tst_mainwindow.moc"
