// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/CompareController.h"
#include "app/controllers/WorkController.h"
#include "model/matrix/StateWords.h"
#include "tests/app/DrivenWindow.h"
#include "tests/support/TestMain.h"
#include "views/change/ChangeModel.h"
#include "views/compare/BranchChooser.h"
#include "views/compare/ComparePanel.h"
#include "views/compare/SideBySide.h"
#include "views/goto/GoToDialog.h"
#include "views/overview/OverviewPanel.h"
#include "views/plan/PlanView.h"
#include "views/recipe/CodeView.h"
#include "views/start/RepositoryBar.h"
#include "views/work/WorkDialog.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QApplication>
#include <QButtonGroup>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSplitter>
#include <QTabBar>
#include <QToolButton>
#include <QTreeView>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

const QString missing = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
const QString mine = u"pytorch-python313-cuda12_8-sm90-avx2"_s;

QString focusName(const QWidget *widget)
{
    if (!widget)
        return u"nothing"_s;
    QString name = widget->accessibleName();
    if (const auto *button = qobject_cast<const QAbstractButton *>(widget); button && name.isEmpty())
        name = button->text();
    return u"%1 \"%2\" in %3"_s.arg(QLatin1StringView(widget->metaObject()->className()), name,
                                    widget->parentWidget()
                                        ? QLatin1StringView(widget->parentWidget()->metaObject()->className())
                                        : QLatin1StringView());
}

QStringList sorted(QStringList names)
{
    names.sort();
    return names;
}

/// Part of another control, which has the focus for it.
bool isPart(const QWidget *widget)
{
    const QWidget *parent = widget->parentWidget();
    return qobject_cast<const QLineEdit *>(parent) || qobject_cast<const QTabBar *>(parent) ||
           qobject_cast<const QComboBox *>(parent) || qobject_cast<const QHeaderView *>(widget) ||
           qobject_cast<const QScrollBar *>(widget) || widget->objectName().startsWith(u"qt_"_s) ||
           (qobject_cast<const QAbstractItemView *>(parent) && qobject_cast<const QAbstractButton *>(widget));
}

/// Not in a dock behind another one, which Qt places beyond the window's edge.
bool isInWindow(const QWidget *widget)
{
    for (const QWidget *one = widget; one; one = one->parentWidget()) {
        if (qobject_cast<const QDockWidget *>(one) && (one->geometry().right() < 0 || one->geometry().bottom() < 0))
            return false;
    }
    return widget->isVisible();
}

/// One of several alternatives: Tab reaches the selected one, arrow keys the others.
bool isOtherChoice(const QWidget *widget)
{
    const auto *button = qobject_cast<const QAbstractButton *>(widget);
    return button && button->isCheckable() && !button->isChecked() &&
           (button->autoExclusive() || (button->group() && button->group()->exclusive()));
}

/// Widgets for interaction: they can have the focus, or are a button, a field or a choice and should have it.
bool isControl(const QWidget *widget)
{
    if (!isInWindow(widget) || !widget->isEnabled() || isPart(widget) || isOtherChoice(widget))
        return false;
    const bool works = qobject_cast<const QAbstractButton *>(widget) || qobject_cast<const QLineEdit *>(widget) ||
                       qobject_cast<const QComboBox *>(widget) || qobject_cast<const QAbstractItemView *>(widget);
    return works || (widget->focusPolicy() & Qt::TabFocus && !widget->focusProxy());
}

/// All widgets that Tab reaches until it is back at the start.
QList<QWidget *> walked(QWidget *window)
{
    QList<QWidget *> seen;
    for (int step = 0; step < 400; ++step) {
        QWidget *focus = window->focusWidget();
        if (!focus || seen.contains(focus))
            break;
        seen.append(focus);
        QTest::keyClick(focus, Qt::Key_Tab);
    }
    return seen;
}

void compareWithWhatIsVisible(QWidget *window)
{
    const QList<QWidget *> seen = walked(window);
    QStringList hidden;
    for (const QWidget *widget : seen) {
        if (!isInWindow(widget))
            hidden.append(focusName(widget));
    }
    QVERIFY2(hidden.isEmpty(), qPrintable(u"Tab goes to the hidden "_s + hidden.join(u", "_s)));
    QStringList left;
    for (QWidget *widget : window->findChildren<QWidget *>()) {
        if (isControl(widget) && widget->window() == window && !seen.contains(widget))
            left.append(focusName(widget));
    }
    QVERIFY2(left.isEmpty(), qPrintable(u"Tab leaves out "_s + left.join(u", "_s) + u"; the last was "_s +
                                        focusName(seen.constLast())));
    QVERIFY(seen.size() > 3);
}

} // namespace

/// The window without a mouse, and its information for assistive technology.
class TestWindowKeys : public QObject
{
    Q_OBJECT

    QTemporaryDir m_config;

    static QWidget *focus(const DrivenWindow &driven) { return driven.window->focusWidget(); }

private Q_SLOTS:
    void initTestCase() { qputenv("XDG_CONFIG_HOME", m_config.path().toUtf8()); }
    void init() { QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support )"_s)); }

    /// Ctrl+K goes to a cell by a few letters and runs an action; F6 walks through the parts of the window.
    void goesAnywhere()
    {
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        const auto ask = [&](const QString &letters) {
            QTRY_VERIFY(!driven.window->findChild<GoToDialog *>());
            driven.window->activateWindow();
            QTRY_VERIFY(driven.window->isActiveWindow());
            QTest::keyClick(driven.window.get(), Qt::Key_K, Qt::ControlModifier);
            auto *dialog = driven.window->findChild<GoToDialog *>();
            QVERIFY(dialog);
            QTest::keyClicks(dialog->findChild<QLineEdit *>(), letters);
            QTest::keyClick(dialog->findChild<QLineEdit *>(), Qt::Key_Return);
        };
        ask(u"100 vnni"_s);
        QTRY_COMPARE(driven.grid()->currentName(), u"pytorch-python313-cuda12_8-sm100-avx512vnni"_s);
        QVERIFY(driven.grid()->isAncestorOf(QApplication::focusWidget()));
        QStringList walked;
        for (int i = 0; i < 3; ++i) {
            QTest::keyClick(driven.window.get(), Qt::Key_F6);
            const QWidget *at = QApplication::focusWidget();
            walked.append(driven.grid()->isAncestorOf(at)   ? u"grid"_s
                          : driven.pane()->isAncestorOf(at) ? u"recipe"_s
                                                            : u"build"_s);
        }
        QCOMPARE(walked, (QStringList{u"recipe"_s, u"build"_s, u"grid"_s}));
        ask(u"filter the grid"_s);
        QTRY_VERIFY(qobject_cast<QLineEdit *>(QApplication::focusWidget()));
        const auto *plan = driven.window->findChild<PlanView *>();
        ask(u"plan"_s);
        QTRY_VERIFY(plan->isVisible());
        QTRY_VERIFY(plan->isAncestorOf(QApplication::focusWidget()));
        ask(u"grid"_s);
        QTRY_VERIFY(driven.grid()->isVisible() && !plan->isVisible());
    }

    void tabVisitsWhatIsVisible_data()
    {
        QTest::addColumn<QString>("panel");
        QTest::addColumn<int>("tab");
        for (const QString &panel :
             {u"grid"_s, u"plan"_s, u"settings"_s, u"machine"_s, u"console"_s, u"queue"_s, u"builds"_s})
            QTest::newRow(qPrintable(panel)) << panel << -1;
        for (int tab = 0; tab < 4; ++tab)
            QTest::addRow("recipe %d", tab) << u"recipe"_s << tab;
    }
    void tabVisitsWhatIsVisible()
    {
        QFETCH(const QString, panel);
        QFETCH(const int, tab);
        DrivenWindow driven(missing);
        QTRY_VERIFY(driven.settled());
        driven.click(mine);
        QTRY_COMPARE(driven.pane()->name(), mine);
        driven.window->activateWindow();
        driven.window->raisePanel(panel);
        if (tab >= 0)
            driven.pane()->setTab(RecipePane::Tab(tab));
        QTRY_VERIFY(driven.settled());
        compareWithWhatIsVisible(driven.window.get());
    }
    void tabVisitsTheStartPage()
    {
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled()); // from now on the repository is in the overview
        driven.window = std::make_unique<MainWindow>(driven.sample.catalog());
        driven.window->show();
        driven.window->activateWindow();
        auto *overview = driven.window->findChild<OverviewPanel *>();
        QTRY_VERIFY(overview->table()->isVisible() && !overview->isReading());
        QTRY_VERIFY(driven.window->focusWidget() && driven.window->focusWidget()->isVisible());
        compareWithWhatIsVisible(driven.window.get());
    }

    void escapeClosesFromAnywhere()
    {
        DrivenWindow driven(missing);
        QTRY_VERIFY(driven.settled());
        driven.click(missing);
        QTRY_COMPARE(driven.pane()->name(), missing);
        const auto *field = driven.grid()->findChild<QLineEdit *>();
        for (QWidget *place :
             {static_cast<QWidget *>(driven.table()), static_cast<QWidget *>(driven.pane()->findChild<CodeView *>())}) {
            QTest::keyClick(driven.table(), Qt::Key_F, Qt::ControlModifier);
            QTest::keyClicks(focus(driven), u"sm90"_s);
            driven.bar()->showNotice(NoticeBar::Kind::Information, u"Something to read."_s);
            QVERIFY(place);
            place->setFocus();
            QTest::keyClick(place, Qt::Key_Escape);
            QVERIFY(driven.notice().isEmpty());
            QCOMPARE(field->text(), u"sm90"_s);
            QTest::keyClick(place, Qt::Key_Escape);
            QCOMPARE(field->text(), QString());
        }
    }

    void afterGenerateTheFocusIsWhereCCommits_data()
    {
        QTest::addColumn<QString>("from");
        for (const QString &from : {u"grid"_s, u"button"_s, u"filter"_s})
            QTest::newRow(qPrintable(from)) << from;
    }
    void afterGenerateTheFocusIsWhereCCommits()
    {
        QFETCH(const QString, from);
        DrivenWindow driven(missing);
        QTRY_VERIFY(driven.settled());
        driven.click(missing);
        QTRY_VERIFY(driven.canClick(driven.pane(), u"Generate"_s));
        driven.window->activateWindow();
        if (from == u"grid"_s)
            QTest::keyClick(driven.table(), Qt::Key_G);
        else if (from == u"button"_s)
            QTest::mouseClick(driven.button(driven.pane(), u"Generate"_s), Qt::LeftButton);
        else {
            driven.grid()->focusFilter();
            QTest::keyClick(focus(driven), Qt::Key_G, Qt::ControlModifier);
        }
        QTRY_COMPARE(driven.state(missing), u"untracked"_s);
        QTRY_VERIFY(driven.canClick(driven.pane(), u"Commit"_s));
        QTest::keyClick(focus(driven), Qt::Key_C);
        QTRY_COMPARE(driven.state(missing), u"current"_s);
        QVERIFY(driven.sample.status().isEmpty());
    }

    /// The filter hides a recipe that is no longer missing, but not under the keys that work on it.
    void aGeneratedRecipeStaysInTheFilter_data()
    {
        QTest::addColumn<bool>("alone");
        QTest::newRow("the only one") << true;
        QTest::newRow("one of two") << false;
    }
    void aGeneratedRecipeStaysInTheFilter()
    {
        QFETCH(const bool, alone);
        DrivenWindow driven(missing);
        if (!alone)
            driven.sample.takeOut(mine);
        QTRY_VERIFY(driven.settled() && driven.state(mine) == (alone ? u"current"_s : u"missing"_s));
        driven.click(u"pytorch-python313-cuda12_8-sm80-avx2"_s);
        driven.window->activateWindow();
        auto *filter = driven.grid()->findChild<QLineEdit *>();
        filter->setFocus();
        QTest::keyClicks(filter, u"missing"_s);
        QTest::keyClick(filter, Qt::Key_Return);
        if (!alone)
            driven.click(missing);
        QTRY_COMPARE(driven.grid()->currentName(), missing);
        QTest::keyClick(driven.table(), Qt::Key_G);
        QTRY_COMPARE(driven.state(missing), u"untracked"_s);
        QTRY_VERIFY(driven.settled());
        QCOMPARE(driven.grid()->currentName(), missing);
        QTest::keyClick(driven.window->focusWidget(), Qt::Key_C);
        QTRY_COMPARE(driven.state(missing), u"current"_s);
        QCOMPARE(driven.grid()->currentName(), missing);
        filter->setText(u"missing "_s);
        QTRY_VERIFY(!driven.cell(missing).isValid() || driven.cell(missing).data(DimmedRole).toBool());
        QVERIFY(driven.sample.status().isEmpty());
    }

    void thePanesButtonsActOnTheSelection()
    {
        const QString other = u"pytorch-python313-cuda12_8-sm90-armv9"_s;
        DrivenWindow driven(missing);
        driven.sample.takeOut(other);
        QTRY_VERIFY(driven.settled() && driven.state(other) == u"missing"_s);
        driven.click(mine);
        QTest::mouseClick(driven.table()->viewport(), Qt::LeftButton, Qt::ControlModifier,
                          driven.table()->visualRect(driven.cell(missing)).center());
        QTRY_COMPARE(driven.grid()->selectedNames().size(), 2);
        QTRY_VERIFY(driven.canClick(driven.pane(), u"Generate"_s)); // one of the two
        QVERIFY(!driven.canClick(driven.pane(), u"Commit"_s));
        QTest::mouseClick(driven.table()->viewport(), Qt::LeftButton, Qt::ControlModifier,
                          driven.table()->visualRect(driven.cell(other)).center());
        QTRY_VERIFY(driven.canClick(driven.pane(), u"Generate 2"_s));
        QCOMPARE(driven.button(driven.pane(), u"Generate 2"_s)->accessibleName(), u"Generate 2 recipes"_s);
        QTest::mouseClick(driven.button(driven.pane(), u"Generate 2"_s), Qt::LeftButton);
        QTRY_VERIFY(driven.canClick(driven.pane(), u"Commit 2"_s));
        QTRY_VERIFY(driven.canClick(driven.pane(), u"Build 3"_s));
        QTest::mouseClick(driven.button(driven.pane(), u"Commit 2"_s), Qt::LeftButton);
        QTRY_COMPARE(driven.state(other), u"current"_s);
        QCOMPARE(driven.sample.git({u"show"_s, u"--format="_s, u"--name-only"_s}).split('\n').size(), 2);
        QTest::keyClick(driven.table(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(sorted(QGuiApplication::clipboard()->text().split(u'\n')), sorted({mine, missing, other}));
    }

    // The main job, a plan with undo and redo, a comparison, and a new branch.
    void theWholeWorkWithoutAMouse()
    {
        DrivenWindow driven(missing);
        QTRY_VERIFY(driven.settled());
        driven.window->activateWindow();
        const QWidget *place = driven.window.get();
        const auto press = [&place](Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
            QTest::keyClick(place->focusWidget(), key, modifiers);
        };
        const auto type = [&place](const QString &text) { QTest::keyClicks(place->focusWidget(), text); };
        const auto tabTo = [&place, &press](const auto &wanted) {
            for (int step = 0; step < 200 && !wanted(place->focusWidget()); ++step)
                press(Qt::Key_Tab);
            return wanted(place->focusWidget());
        };
        const auto isNamed = [](const QString &name) {
            return [name](const QWidget *widget) { return widget->accessibleName() == name; };
        };

        press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        type(u"sm90 avx512 missing"_s);
        press(Qt::Key_Return);
        press(Qt::Key_Down);
        QTRY_COMPARE(driven.grid()->currentName(), missing);
        press(Qt::Key_Escape);
        QTRY_VERIFY(driven.table()->model()->rowCount() > 1);
        press(Qt::Key_G);
        QTRY_COMPARE(driven.state(missing), u"untracked"_s);
        press(Qt::Key_C);
        QTRY_COMPARE(driven.state(missing), u"current"_s);

        driven.sample.takeOut(mine);
        QTRY_COMPARE(driven.state(mine), u"missing"_s);
        QVERIFY(tabTo([](const QWidget *widget) {
            const auto *bar = qobject_cast<const QTabBar *>(widget);
            return bar && bar->tabText(0) == u"Grid"_s;
        }));
        press(Qt::Key_Right);
        const auto *plan = driven.window->findChild<PlanView *>();
        QTRY_VERIFY(driven.canClick(plan, u"Apply 1 step"_s));
        QVERIFY(tabTo(isNamed(u"Apply the chosen steps"_s)));
        press(Qt::Key_Space);
        QVERIFY(plan->isAncestorOf(place->focusWidget())); // The button is disabled now.
        QTRY_COMPARE(driven.state(mine), u"current"_s);
        QTRY_VERIFY(driven.settled());
        QTRY_VERIFY(driven.canClick(driven.bar(), u"Undo"_s));
        QVERIFY(plan->isAncestorOf(place->focusWidget()));
        const auto undoable = [&driven](const QString &word) {
            return std::ranges::any_of(driven.window->findChildren<QAction *>(), [&word](const QAction *one) {
                return one->text().startsWith(word) && one->isEnabled();
            });
        };
        QTRY_VERIFY(undoable(u"&Undo \u201cCreate"_s));
        press(Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(driven.state(mine), u"missing"_s);
        QTRY_VERIFY(undoable(u"&Redo"_s));
        press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(driven.state(mine), u"current"_s);
        QVERIFY(driven.sample.status().isEmpty());

        press(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
        const ComparePanel *panel = driven.window->findChild<CompareController *>()->panel();
        QVERIFY(panel && panel->isVisible());
        QTRY_COMPARE(panel->chooser()->checked(), QStringList{u"main"_s});
        place = panel;
        QVERIFY(place->focusWidget());
        QVERIFY(tabTo([](const QWidget *widget) { return qobject_cast<const QListWidget *>(widget); }));
        type(u"cuda-12"_s);
        press(Qt::Key_Space);
        QTRY_COMPARE(panel->chooser()->checked().size(), 2);
        QTRY_VERIFY(panel->model()->comparison() && panel->model()->comparison()->sides.size() == 2);
        // A cell that differs, its recipes side by side, and its name.
        QVERIFY(tabTo(isNamed(u"Comparison, GPU by instruction set"_s)));
        const auto *grid = qobject_cast<const QTableView *>(place->focusWidget());
        press(Qt::Key_Home, Qt::ControlModifier);
        const QModelIndex first = grid->currentIndex();
        press(Qt::Key_F8);
        QVERIFY(grid->currentIndex() != first);
        const QModelIndex second = grid->currentIndex();
        press(Qt::Key_C, Qt::ControlModifier);
        const QString compared = QGuiApplication::clipboard()->text();
        QVERIFY2(compared.startsWith(u"pytorch-python313-"_s), qPrintable(compared));
        press(Qt::Key_F10, Qt::ShiftModifier);
        auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        QVERIFY(menu && menu->actions().size() > 3);
        QGuiApplication::clipboard()->clear();
        QTest::keyClick(menu, Qt::Key_N);
        QCOMPARE(QGuiApplication::clipboard()->text(), compared);
        press(Qt::Key_Return);
        QVERIFY(panel->findChild<SideBySide *>()->isAncestorOf(place->focusWidget()));
        press(Qt::Key_Down);
        press(Qt::Key_F8); // from there too
        QVERIFY(grid->currentIndex() != second);
        press(Qt::Key_Escape);
        QVERIFY(!panel->isVisible());

        place = driven.window.get();
        driven.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(driven.window.get()));
        QTRY_VERIFY(driven.settled());
        press(Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        const auto *work = driven.window->findChild<WorkController *>();
        QTRY_VERIFY(work->dialog() && work->dialog()->isSettled());
        place = work->dialog();
        type(u"next"_s);
        QTRY_VERIFY(driven.canClick(place, u"Create branch"_s));
        QVERIFY(tabTo([](const QWidget *widget) {
            const auto *button = qobject_cast<const QPushButton *>(widget);
            return button && button->text() == u"Create branch"_s;
        }));
        press(Qt::Key_Space);
        QTRY_VERIFY(!work->dialog());
        QCOMPARE(driven.sample.git({u"rev-parse"_s, u"next~1"_s}), driven.sample.git({u"rev-parse"_s, u"main"_s}));
    }

    void theStartPageIsAlone()
    {
        DrivenWindow driven;
        driven.window = std::make_unique<MainWindow>(driven.sample.catalog());
        driven.window->show();
        const auto docks = driven.window->findChildren<QDockWidget *>();
        for (const QDockWidget *dock : docks) // The style leaves out the icons of the usual title bar.
            QVERIFY(dock->titleBarWidget());
        const auto visible = [&docks] {
            return std::ranges::count_if(docks, [](const QDockWidget *dock) { return !dock->isHidden(); });
        };
        QCOMPARE(docks.size(), 2);
        QCOMPARE(visible(), 0);
        driven.window->openRepository(driven.sample.path());
        QTRY_VERIFY(driven.settled());
        QCOMPARE(visible(), 2);
        QVERIFY(driven.pane()->isVisible() && driven.pane()->width() >= 250);
    }
    void theLayoutIsRememberedAndReset()
    {
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        const QSize first(driven.pane()->width(), driven.table()->height());
        const auto dock = [&driven](const QString &name) { return driven.window->findChild<QDockWidget *>(name); };
        dock(u"machine"_s)->hide();
        driven.window->addDockWidget(Qt::LeftDockWidgetArea, dock(u"recipe"_s));
        driven.window->resize(1100, 700);
        // Within the panels: the parts of Audit, and the columns of Plan.
        const auto audit = [&driven] { return driven.window->findChild<QSplitter *>(u"audit"_s); };
        const auto files = [&driven] {
            return driven.window->findChild<PlanView *>()->findChild<QTreeView *>()->columnWidth(ChangeModel::File);
        };
        driven.pane()->setTab(RecipePane::Tab::Audit);
        QTRY_VERIFY(audit()->sizes().constFirst() > 0);
        const QList<int> firstParts = audit()->sizes();
        audit()->setSizes({120, firstParts.at(0) + firstParts.at(1) - 120});
        const QList<int> parts = audit()->sizes();
        QVERIFY(parts != firstParts);
        driven.window->raisePanel(u"plan"_s);
        QTRY_VERIFY(driven.settled());
        const int firstWidth = files();
        driven.window->findChild<PlanView *>()->findChild<QTreeView *>()->setColumnWidth(ChangeModel::File, 333);
        QVERIFY(driven.window->close());
        driven.window = std::make_unique<MainWindow>(driven.sample.catalog());
        driven.window->restoreLayout();
        driven.window->show();
        driven.window->openRepository(driven.sample.path());
        QTRY_VERIFY(driven.settled());
        QCOMPARE(driven.window->height(), 700);
        QVERIFY(dock(u"machine"_s)->isHidden());
        driven.window->raisePanel(u"audit"_s);
        QTRY_VERIFY(qAbs(audit()->sizes().at(0) - parts.at(0)) < 20); // of another height now
        driven.window->raisePanel(u"plan"_s);
        QTRY_VERIFY(driven.settled());
        QCOMPARE(files(), 333);
        QCOMPARE(driven.window->dockWidgetArea(dock(u"recipe"_s)), Qt::LeftDockWidgetArea);
        for (QAction *action : driven.window->findChildren<QAction *>()) {
            if (action->text() == u"Reset &layout"_s)
                action->trigger();
        }
        driven.window->resize(1280, 800);
        QTRY_VERIFY(qAbs(audit()->sizes().at(0) - audit()->sizes().at(1)) < 20); // halves
        QVERIFY(qAbs(files() - firstWidth) < 20);                                // of another width now
        driven.window->raisePanel(u"grid"_s);
        QCOMPARE(driven.window->dockWidgetArea(dock(u"recipe"_s)), Qt::RightDockWidgetArea);
        QVERIFY(!dock(u"machine"_s)->isHidden());
        QTRY_VERIFY(driven.pane()->isVisible());
        QVERIFY(qAbs(driven.pane()->width() - first.width()) < 150);
    }

    void theBranchIsRemembered()
    {
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        const auto reopen = [&driven](const QString &branch = {}) {
            driven.window = std::make_unique<MainWindow>(driven.sample.catalog());
            driven.window->restoreLayout();
            driven.window->show();
            driven.window->openRepository(driven.sample.path(), branch);
        };
        const auto shown = [&driven] {
            return driven.settled() ? driven.window->findChild<RepositoryBar *>()->shownBranch() : QString();
        };
        reopen(u"cuda-12_9"_s);
        QTRY_COMPARE(shown(), u"cuda-12_9"_s);
        reopen();
        QTRY_COMPARE(shown(), u"cuda-12_9"_s);
        reopen(u"main"_s); // who names a branch gets it
        QTRY_COMPARE(shown(), u"main"_s);
        reopen();
        QTRY_COMPARE(shown(), u"main"_s);
        reopen(u"cuda-12_9"_s);
        QTRY_COMPARE(shown(), u"cuda-12_9"_s);
        driven.window.reset();
        driven.sample.git({u"branch"_s, u"-D"_s, u"cuda-12_9"_s}); // gone: what is checked out is shown
        reopen();
        QTRY_COMPARE(shown(), u"main"_s);
        QCOMPARE(driven.notice(), QString());
    }

    void whatsThisSaysSomething()
    {
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        driven.window->raisePanel(u"settings"_s); // makes its page
        const auto help = [&driven](const QString &name) {
            for (const QWidget *widget : driven.window->findChildren<QWidget *>()) {
                if (widget->accessibleName() == name)
                    return widget->whatsThis();
            }
            return QString();
        };
        for (const QString &name : {u"Filter cells by text"_s, u"Coverage: the cells that this branch builds"_s,
                                    u"nixpkgs revision"_s, u"What the branch builds"_s})
            QVERIFY2(!help(name).isEmpty(), qPrintable(name));
        // The chip of each state, of which a customised recipe is one that the sample does not have.
        for (const RecipeState state : allRecipeStates) {
            const QList<QToolButton *> chips = driven.grid()->findChildren<QToolButton *>();
            const auto chip = std::ranges::find_if(
                chips, [state](const QToolButton *one) { return one->text().startsWith(stateWord(state)); });
            QVERIFY2(chip != chips.end(), qPrintable(stateWord(state)));
            QCOMPARE((*chip)->defaultAction()->whatsThis(), stateMeaning(state));
        }
        QVERIFY(stateMeaning(RecipeState::Customised).contains(u"template"_s));
    }

    void theGridIsRead()
    {
        DrivenWindow driven(missing);
        driven.sample.write(u".flox/pkgs/%1.nix"_s.arg(mine), "{ }: broken");
        QTRY_VERIFY(driven.settled() && driven.state(mine) == u"broken"_s);
        QAccessibleInterface *grid = QAccessible::queryAccessibleInterface(driven.table());
        QVERIFY(grid && grid->tableInterface());
        QCOMPARE(grid->tableInterface()->rowCount(), driven.table()->model()->rowCount());
        const auto read = [&](const QString &name, QAccessible::Text text = QAccessible::Name) {
            const QModelIndex cell = driven.cell(name);
            QAccessibleInterface *one = grid->tableInterface()->cellAt(cell.row(), cell.column());
            return one ? one->text(text) : QString();
        };
        QVERIFY2(QRegularExpression(u"sm90.*AVX-512.*: missing$"_s).match(read(missing)).hasMatch(),
                 qPrintable(read(missing)));
        QVERIFY2(QRegularExpression(u"sm90.*AVX2.*: broken, 1 error$"_s).match(read(mine)).hasMatch(),
                 qPrintable(read(mine)));
        // The description says why, as the tooltip does.
        QVERIFY2(read(missing, QAccessible::Description).contains(u"there is no recipe"_s),
                 qPrintable(read(missing, QAccessible::Description)));
        QVERIFY2(read(mine, QAccessible::Description).contains(u"not valid Nix"_s),
                 qPrintable(read(mine, QAccessible::Description)));
        QAccessibleInterface *header = grid->tableInterface()->cellAt(0, 0);
        QVERIFY(header && !header->text(QAccessible::Name).isEmpty());
    }
};

TM_TEST(TestWindowKeys, QApplication)
#include "tst_windowkeys.moc"
