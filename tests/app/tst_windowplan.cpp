// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/Workspace.h"
#include "tests/app/DrivenWindow.h"
#include "tests/support/TestMain.h"
#include "views/change/ChangeModel.h"
#include "views/change/ChangeView.h"
#include "views/plan/PlanView.h"
#include "views/settings/CoverageGrid.h"
#include "views/settings/CoverageModel.h"
#include "views/settings/SettingsPage.h"
#include "views/widgets/ViewTabs.h"

#include <QApplication>
#include <QDialog>
#include <QFile>
#include <QRegularExpression>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTreeView>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

const QString one = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
const QString other = u"pytorch-python313-cpu-avx2"_s;
const QString settingsFile = u"torch-matrix.toml"_s;

QString pathOf(const QString &name)
{
    return u".flox/pkgs/%1.nix"_s.arg(name);
}

/// Clicks the tab of a view of the branch.
void goTo(const DrivenWindow &driven, const QString &view)
{
    for (ViewTabs *views : driven.window->findChildren<ViewTabs *>()) {
        for (int i = 0; i < views->count(); ++i) {
            if (views->tabText(i) == view && views->viewAt(i)->objectName() == view.toLower())
                return QTest::mouseClick(views->tabBar(), Qt::LeftButton, {}, views->tabBar()->tabRect(i).center());
        }
    }
    QFAIL("no such view");
}

} // namespace

/// Plan and settings, from the tab to the commit and back; git judges.
class TestWindowPlan : public QObject
{
    Q_OBJECT

    QTemporaryDir m_config;

private Q_SLOTS:
    void initTestCase() { qputenv("XDG_CONFIG_HOME", m_config.path().toUtf8()); }
    void init() { QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support propagateSizeHints)"_s)); }

    void aPlanBecomesOneCommitAndIsTakenBack()
    {
        DrivenWindow driven;
        driven.sample.takeOut(one);
        driven.sample.takeOut(other);
        const QByteArray before = driven.sample.git({u"rev-parse"_s, u"HEAD^{tree}"_s});
        QTRY_COMPARE(driven.state(other), u"missing"_s);
        QTRY_VERIFY(driven.settled());
        goTo(driven, u"Plan"_s);
        auto *view = driven.window->findChild<PlanView *>();
        QTRY_COMPARE(view->changes()->changes().value(0).chosen().value(ChangeAction::Create), 2);
        // A step shows its cell beside it.
        auto *tree = view->findChild<QTreeView *>();
        const QModelIndex create = view->changes()->model()->indexOf(ChangeAction::Create);
        for (int i = 0; i < view->changes()->model()->rowCount(create); ++i) {
            const QModelIndex step = view->changes()->model()->index(i, 0, create);
            if (step.data(ChangeModel::NameRole).toString() == other)
                QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(step).center());
        }
        QTRY_COMPARE(driven.pane()->name(), other);

        QTRY_VERIFY(driven.canClick(view, u"Apply 2 steps"_s));
        QTest::mouseClick(driven.button(view, u"Apply 2 steps"_s), Qt::LeftButton);
        QTRY_VERIFY2(driven.notice().contains(u"committed to main"_s), qPrintable(driven.notice()));
        QTRY_COMPARE(driven.state(one), u"current"_s);
        const QByteArray changed = driven.sample.git({u"show"_s, u"--format="_s, u"--name-status"_s});
        QCOMPARE(changed, "A\t" + pathOf(other).toUtf8() + "\nA\t" + pathOf(one).toUtf8());
        QVERIFY(driven.sample.status().isEmpty());
        QTRY_VERIFY(!driven.canClick(view, u"Apply 2 steps"_s));

        QTRY_VERIFY(driven.canClick(driven.window.get(), u"Undo"_s));
        QTest::mouseClick(driven.button(driven.window.get(), u"Undo"_s), Qt::LeftButton);
        QTRY_COMPARE(driven.state(one), u"missing"_s);
        QCOMPARE(driven.sample.git({u"rev-parse"_s, u"HEAD^{tree}"_s}), before);
        QVERIFY(driven.sample.status().isEmpty());
        driven.sample.git({u"fsck"_s, u"--strict"_s});
    }

    /// What the branch needs is shown before the texts of what can be chosen besides, which takes long on many recipes;
    /// nothing without its text can be chosen, and a choice stays when the branch is planned again.
    void whatIsNeededIsShownFirst()
    {
        DrivenWindow driven({}, SampleKind::Story);
        driven.sample.git({u"checkout"_s, u"-qf"_s, u"torchvision"_s});
        const QString changed = u"torchvision-python313-cuda12_8-sm90-avx2"_s;
        driven.sample.write(pathOf(changed),
                            "# The vision of sm90\n{ pkgs ? import <nixpkgs> { } }:\n"
                            "import ./lib/vision.nix { inherit pkgs; sm = \"90\"; isa = \"avx2\"; }\n");
        driven.sample.git({u"commit"_s, u"-qam"_s, u"Other words"_s});
        const auto *workspace = driven.window->findChild<Workspace *>();
        QTRY_VERIFY(workspace->snapshot() && workspace->snapshot()->branch == u"torchvision"_s);
        QTRY_VERIFY(driven.settled());
        auto *view = driven.window->findChild<PlanView *>();
        const auto step = [view, &changed] {
            const QList<ChangedFile> files = view->changes()->changes().value(0).files;
            const auto file = std::ranges::find(files, changed, &ChangedFile::name);
            return file == files.end() ? ChangedFile() : *file;
        };
        QList<bool> possible;
        connect(view->changes()->model(), &QAbstractItemModel::modelReset, this, [&] {
            if (const ChangedFile file = step(); !file.name.isEmpty()) {
                possible.append(file.possible);
                QCOMPARE(file.possible, file.after != file.before);
            }
        });
        goTo(driven, u"Plan"_s);
        QTRY_VERIFY(possible.size() > 1 && driven.settled());
        QCOMPARE(possible, (QList<bool>{false, true}));
        QVERIFY(step().action == ChangeAction::Rewrite);
        view->changes()->choose(true);
        QVERIFY(step().chosen);
        const qsizetype before = possible.size();
        driven.sample.takeOut(u"torchvision-python313-cuda12_8-sm80-avx2"_s);
        QTRY_VERIFY(possible.size() > before && driven.settled());
        QVERIFY(step().chosen);
        QVERIFY(!possible.mid(before).contains(false));
    }

    /// What README.md counts is right for the steps that are chosen, also if they are applied at once.
    void aPartOfThePlanCountsRight()
    {
        DrivenWindow driven;
        driven.sample.write(u"README.md"_s, "# Builds\n\nThis branch has 44 variants.\n");
        driven.sample.git({u"commit"_s, u"-q"_s, u"-a"_s, u"-m"_s, u"Count"_s});
        driven.sample.takeOut(one);
        driven.sample.takeOut(other);
        QTRY_COMPARE(driven.state(other), u"missing"_s);
        QTRY_VERIFY(driven.settled());
        goTo(driven, u"Plan"_s);
        auto *view = driven.window->findChild<PlanView *>();
        QTRY_COMPARE(view->plan().chosen().value(ChangeAction::Create), 2);
        QVERIFY(!view->plan().find(u"README.md"_s)); // it is right again after both
        auto *tree = view->findChild<QTreeView *>();
        const auto tick = [&] {
            const QModelIndex create = view->changes()->model()->indexOf(ChangeAction::Create);
            for (int i = 0; i < view->changes()->model()->rowCount(create); ++i) {
                const QModelIndex step = view->changes()->model()->index(i, 0, create);
                if (step.data(ChangeModel::NameRole).toString() == one)
                    tree->setCurrentIndex(step);
            }
            QTest::keyClick(tree, Qt::Key_Space);
        };
        tick();
        QTRY_VERIFY(view->plan().find(u"README.md"_s));
        QVERIFY(view->plan().find(u"README.md"_s)->after->contains("has 43 variants"));
        tick();
        QTRY_VERIFY(!view->plan().find(u"README.md"_s));
        tick();
        QTRY_VERIFY(driven.canClick(view, u"Apply 1 step"_s));
        QTest::mouseClick(driven.button(view, u"Apply 1 step"_s), Qt::LeftButton);
        QTRY_VERIFY2(driven.notice().contains(u"committed to main"_s), qPrintable(driven.notice()));
        QCOMPARE(driven.sample.git({u"show"_s, u"--format="_s, u"--name-status"_s}),
                 "A\t" + pathOf(other).toUtf8() + "\nM\tREADME.md");
        QVERIFY(driven.sample.read(u"README.md"_s).contains("has 43 variants"));
    }

    // A file that was never committed: only chosen explicitly, saved when it is deleted, and restored.
    void whatWasNeverCommittedIsKeptAndPutBack()
    {
        DrivenWindow driven;
        const QString magma = one + u"-magma"_s;
        driven.sample.write(pathOf(magma), "mine alone\n");
        const QByteArray head = driven.sample.git({u"rev-parse"_s, u"HEAD"_s});
        QTRY_VERIFY(driven.settled());
        goTo(driven, u"Plan"_s);
        auto *view = driven.window->findChild<PlanView *>();
        QTRY_VERIFY(view->changes()->model()->indexOf(ChangeAction::Delete).isValid());
        QTRY_VERIFY(driven.settled() && view->plan().find(pathOf(magma)) &&
                    view->plan().find(pathOf(magma))->before == "mine alone\n");
        QVERIFY(view->changes()->changes().constFirst().isEmpty());
        const QModelIndex step =
            view->changes()->model()->index(0, 0, view->changes()->model()->indexOf(ChangeAction::Delete));
        QVERIFY(step.siblingAtColumn(ChangeModel::Reason).data().toString().startsWith(u"It was never committed. "));
        auto *tree = view->findChild<QTreeView *>();
        tree->setFocus();
        tree->setCurrentIndex(step);
        QTest::keyClick(tree, Qt::Key_Space);
        QTRY_VERIFY(driven.canClick(view, u"Apply 1 step"_s));
        QTest::mouseClick(driven.button(view, u"Apply 1 step"_s), Qt::LeftButton);
        QTRY_VERIFY2(driven.notice().contains(u"There was nothing to commit"_s), qPrintable(driven.notice()));
        QVERIFY(!QFile::exists(driven.sample.path(pathOf(magma))));
        QCOMPARE(driven.sample.git({u"rev-parse"_s, u"HEAD"_s}), head);
        const QString command = driven.notice().section(u"git "_s, 1).section(u'\n', 0, 0);
        QCOMPARE(driven.sample.git(command.split(u' ')), "mine alone");

        QTRY_VERIFY(driven.canClick(driven.window.get(), u"Undo"_s));
        QTest::mouseClick(driven.button(driven.window.get(), u"Undo"_s), Qt::LeftButton);
        QTRY_VERIFY(QFile::exists(driven.sample.path(pathOf(magma))));
        QCOMPARE(driven.sample.read(pathOf(magma)), "mine alone\n");
        QTRY_VERIFY2(driven.notice().contains(u"Restored uncommitted changes"_s), qPrintable(driven.notice()));
        QCOMPARE(driven.sample.git({u"rev-parse"_s, u"HEAD"_s}), head);
    }

    void anotherBranchIsPlannedWithoutCheckout()
    {
        DrivenWindow driven;
        driven.sample.git({u"checkout"_s, u"-q"_s, u"cuda-12_9"_s});
        driven.sample.takeOut(other);
        driven.sample.git({u"checkout"_s, u"-q"_s, u"main"_s});
        QTRY_VERIFY(driven.settled());
        driven.window->openRepository(driven.sample.path(), u"cuda-12_9"_s);
        QTRY_VERIFY(driven.window->windowTitle().contains(u"cuda-12_9"_s));
        goTo(driven, u"Plan"_s);
        auto *view = driven.window->findChild<PlanView *>();
        QTRY_VERIFY(driven.canClick(view, u"Apply 1 step"_s));
        QTest::mouseClick(driven.button(view, u"Apply 1 step"_s), Qt::LeftButton);
        QTRY_COMPARE(driven.sample.git({u"ls-tree"_s, u"--name-only"_s, u"cuda-12_9"_s, pathOf(other)}),
                     pathOf(other).toUtf8());
        QCOMPARE(driven.sample.git({u"symbolic-ref"_s, u"--short"_s, u"HEAD"_s}), "main");
        QVERIFY(driven.sample.status().isEmpty());
    }

    void aLineIsChangedSavedAndTakenBack()
    {
        const QString promised = u"pytorch-python313-cpu-avx"_s;
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        const QByteArray head = driven.sample.git({u"rev-parse"_s, u"HEAD"_s});
        goTo(driven, u"Settings"_s);
        auto *page = driven.window->findChild<SettingsPage *>();
        auto *grid = page->findChild<CoverageGrid *>();
        QModelIndex cell;
        for (int i = 0; i < grid->model()->rowCount(); ++i) {
            if (grid->model()->headerData(i, Qt::Vertical, CoverageModel::AxisIdRole) == u"cpu"_s)
                cell = grid->model()->index(i, 0);
        }
        grid->setCurrentIndex(cell);
        grid->setFocus();
        QTest::keyClick(grid, Qt::Key_Space);
        QTRY_VERIFY(driven.canClick(page, u"Save…"_s));
        QTest::mouseClick(driven.button(page, u"Save…"_s), Qt::LeftButton);
        QTRY_VERIFY(QApplication::activeModalWidget());
        QCOMPARE(driven.sample.git({u"rev-parse"_s, u"HEAD"_s}), head); // it only shows so far
        QWidget *dialog = QApplication::activeModalWidget();
        QTRY_VERIFY(driven.canClick(dialog, u"Commit"_s));
        QTest::mouseClick(driven.button(dialog, u"Commit"_s), Qt::LeftButton);
        QTRY_COMPARE(driven.state(promised), u"missing"_s);
        QCOMPARE(driven.sample.git({u"show"_s, u"--format="_s, u"--name-status"_s}),
                 QByteArray("A\t" + settingsFile.toUtf8()));
        QVERIFY(driven.sample.status().isEmpty());
        QTRY_VERIFY(!page->isEdited());
        QVERIFY(page->settings().source == Settings::Source::File);

        QTRY_VERIFY(driven.canClick(driven.window.get(), u"Undo"_s));
        QTest::mouseClick(driven.button(driven.window.get(), u"Undo"_s), Qt::LeftButton);
        QTRY_VERIFY2(driven.notice().startsWith(u"Undone: "_s), qPrintable(driven.notice()));
        QVERIFY2(driven.notice().contains(u"was not pushed, so main is without it."_s), qPrintable(driven.notice()));
        QCOMPARE(driven.sample.git({u"rev-parse"_s, u"HEAD"_s}), head);
        QTRY_VERIFY(page->settings().source == Settings::Source::BuiltIn);
        QVERIFY(!QFile::exists(driven.sample.path(settingsFile)));
        QVERIFY(driven.sample.status().isEmpty());
        QTRY_VERIFY(driven.canClick(driven.window.get(), u"Redo"_s));
        QTest::mouseClick(driven.button(driven.window.get(), u"Redo"_s), Qt::LeftButton);
        QTRY_VERIFY2(driven.notice().contains(u"main has the same commit again."_s), qPrintable(driven.notice()));
        QVERIFY(driven.sample.status().isEmpty());
    }

    void draftsOfALineAreKeptByBranch()
    {
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        goTo(driven, u"Settings"_s);
        auto *page = driven.window->findChild<SettingsPage *>();
        auto *grid = page->findChild<CoverageGrid *>();
        grid->setCurrentIndex(grid->model()->index(0, 2));
        grid->setFocus();
        QTest::keyClick(grid, Qt::Key_Space);
        const Settings draft = page->settings();
        QVERIFY(page->isEdited());
        driven.window->openRepository(driven.sample.path(), u"cuda-12_9"_s);
        QTRY_COMPARE(page->settings().branch, u"cuda-12_9"_s);
        QVERIFY(!page->isEdited());
        driven.window->openRepository(driven.sample.path(), u"main"_s);
        QTRY_COMPARE(page->settings(), draft);
    }
};

TM_TEST(TestWindowPlan, QApplication)
#include "tst_windowplan.moc"
