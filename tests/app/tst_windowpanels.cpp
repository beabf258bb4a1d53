// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/window/Panels.h"
#include "app/window/WindowOptions.h"
#include "model/builds/PastBuilds.h"
#include "model/workspace/Workspace.h"
#include "tests/app/DrivenWindow.h"
#include "tests/support/GitFixture.h"
#include "tests/support/TestMain.h"
#include "views/compare/FactTable.h"
#include "views/grid/MatrixHeader.h"
#include "views/grid/PackageList.h"
#include "views/plan/PlanView.h"
#include "views/queue/BuildsView.h"
#include "views/queue/PastBuildsView.h"
#include "views/queue/QueueView.h"
#include "views/queue/ScheduleChart.h"
#include "views/widgets/CheckList.h"
#include "views/widgets/EmptyPage.h"
#include "views/widgets/Label.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QProcess>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTreeWidget>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

struct Ended {
    int status = -1;
    QString output;
    QString error;
};

/// The window's program, until it ends by itself.
Ended runWindow(const QStringList &arguments, const QString &home)
{
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
    environment.insert(u"XDG_CONFIG_HOME"_s, home);
    environment.insert(u"TORCH_MATRIX_STATE"_s, home + u"/state"_s);
    program.setProcessEnvironment(environment);
    program.start(QStringLiteral(TM_PROGRAM) + u"-window"_s, arguments);
    if (!program.waitForFinished(60'000)) {
        program.kill();
        program.waitForFinished();
        return {-1, {}, u"it did not end"_s};
    }
    return {program.exitCode(), QString::fromUtf8(program.readAllStandardOutput()),
            QString::fromUtf8(program.readAllStandardError())};
}

/// Completely visible: not below the edge of its container.
bool isReadable(const QWidget *widget)
{
    return widget->isVisible() && widget->height() >= widget->fontMetrics().height() &&
           widget->visibleRegion().boundingRect().height() >= widget->fontMetrics().height();
}

} // namespace

/// The panels around the grid at several sizes, and the options that the window is started with.
class TestWindowPanels : public QObject
{
    Q_OBJECT

    QTemporaryDir m_config;

private Q_SLOTS:
    void initTestCase() { qputenv("XDG_CONFIG_HOME", m_config.path().toUtf8()); }
    void init() { QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support )"_s)); }

    void theQueueIsReadable_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("900x600") << QSize(900, 600);
        QTest::newRow("1280x800") << QSize(1280, 800);
        QTest::newRow("1400x900") << QSize(1400, 900);
        QTest::newRow("1920x1080") << QSize(1920, 1080);
    }
    void theQueueIsReadable()
    {
        QFETCH(const QSize, size);
        DrivenWindow driven;
        driven.window->resize(size);
        QTRY_VERIFY(driven.settled());
        const auto *builds = driven.window->findChild<BuildsView *>();
        QVERIFY(!builds->isVisible());
        for (QTabBar *bar : driven.window->findChildren<QTabBar *>()) {
            for (int i = 0; i < bar->count(); ++i) {
                if (bar->tabText(i) == u"Builds"_s)
                    QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(i).center());
            }
        }
        QTRY_VERIFY(builds->isVisible());
        // Without a build it says what it is for.
        const auto *empty = builds->findChild<EmptyPage *>();
        for (const QLabel *label : empty->findChildren<QLabel *>())
            QTRY_VERIFY2(isReadable(label), qPrintable(label->text()));
        // Once: neither the lists nor the chart say it too, also if one of them is asked for.
        for (const QString &list : {u"builds"_s, u"queue"_s, u"schedule"_s}) {
            driven.window->raisePanel(list);
            QVERIFY(empty->isVisible() && !driven.window->findChild<PastBuildsView *>()->isVisible() &&
                    !driven.window->findChild<ScheduleChart *>()->isVisible());
        }
        QVERIFY(!driven.pane()->isVisible()); // builds have the whole width
        driven.window->raisePanel(u"grid"_s);
        QTRY_VERIFY(driven.pane()->isVisible());
        QVERIFY(driven.table()->viewport()->height() > 100);
        // So have a plan, which shows its changes itself, and settings.
        for (const QString &view : {u"plan"_s, u"settings"_s}) {
            driven.window->raisePanel(view);
            QTRY_VERIFY(!driven.pane()->isVisible());
            driven.window->raisePanel(u"recipe"_s);
            QTRY_VERIFY(driven.pane()->isVisible());
        }
    }

    /// Before a cell is selected the pane says what the branch lacks, and the button beside it does the next step.
    void thePaneTellsOfTheBranchFirst()
    {
        const QString taken = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        DrivenWindow driven(taken);
        QTRY_COMPARE(driven.state(taken), u"missing"_s);
        QTRY_VERIFY(driven.settled());
        const auto *digest = driven.pane()->findChild<CheckList *>();
        QVERIFY(digest->isVisible());
        const QList<CheckItem> items = digest->items();
        QCOMPARE(items.size(), 2);
        QCOMPARE(items.at(0).word, u"Missing 1"_s);
        QCOMPARE(items.at(0).sentence, u"sm90 avx512"_s);
        QCOMPARE(items.at(1).sentence, u"0 of 43 recipes"_s);
        // A layout shows new buttons when control returns to the event loop.
        QPushButton *next = nullptr;
        QTRY_VERIFY(next = driven.button(driven.pane(), u"Generate all missing recipes…"_s));
        QVERIFY(driven.button(driven.pane(), u"Build all never built"_s));
        QVERIFY(!driven.button(driven.pane(), u"Build all failed"_s));
        QTest::mouseClick(next, Qt::LeftButton);
        const auto review = [&driven] { return driven.window->findChild<QDialog *>(); };
        QTRY_VERIFY(review() && review()->isVisible());
        QTest::keyClick(review(), Qt::Key_Escape);
        driven.click(taken);
        QTRY_COMPARE(driven.pane()->name(), taken);
        QVERIFY(!digest->isVisible());
    }

    /// Parts keep their shares of a window that becomes larger.
    void partsAreProportional()
    {
        DrivenWindow driven;
        driven.window->resize(1000, 700);
        QTRY_VERIFY(driven.settled());
        const QWidget *dock = driven.pane()->parentWidget();
        const double before = double(dock->width()) / 1000;
        driven.window->resize(2000, 1200);
        QTRY_VERIFY(qAbs(double(dock->width()) / 2000 - before) < 0.02);
        driven.window->raisePanel(u"builds"_s);
        const auto *list = driven.window->findChild<PastBuildsView *>();
        QTRY_VERIFY2(list->width() > 600, qPrintable(QString::number(list->width())));
    }
    /// In every view and dialog, with a failed build, findings and a step to do.
    void everyColumnHasRoomForItsHead()
    {
        DrivenWindow driven({}, SampleKind::Story);
        QTRY_VERIFY(driven.settled());
        int heads = 0;
        const auto narrow = [&heads](const QWidget *in) {
            QStringList narrow;
            for (const QHeaderView *head : in->findChildren<QHeaderView *>()) {
                // Those of the grids have a short form of each name.
                if (!head->isVisible() || head->orientation() != Qt::Horizontal || !head->model() ||
                    qobject_cast<const MatrixHeader *>(head))
                    continue;
                ++heads;
                for (int section = 0; section < head->count(); ++section) {
                    const QString text = head->model()->headerData(section, Qt::Horizontal).toString();
                    if (!head->isSectionHidden(section) &&
                        head->sectionSize(section) < head->fontMetrics().horizontalAdvance(text) + 4)
                        narrow.append(u"%1: %2"_s.arg(text).arg(head->sectionSize(section)));
                }
            }
            return narrow.join(u", "_s);
        };
        for (const QString &panel : Panels::names()) {
            driven.window->raisePanel(panel);
            QCoreApplication::processEvents();
            QTRY_VERIFY2(narrow(driven.window.get()).isEmpty(), qPrintable(panel + narrow(driven.window.get())));
        }
        driven.window->selectWhenThere(u"pytorch-python313-cuda12_8-sm80-avx2"_s);
        const auto opened = [&driven]() -> QWidget * {
            for (QWidget *one : QApplication::topLevelWidgets()) {
                if (one != driven.window.get() && one->isVisible())
                    return one;
            }
            return nullptr;
        };
        for (const QString &text : {u"Recipe's history"_s, u"History and undo"_s, u"Overview of repositories"_s,
                                    u"Change version or pin"_s, u"Build with options"_s, u"Generate all missing"_s}) {
            QTRY_VERIFY(driven.settled());
            QAction *action = nullptr;
            for (QAction *one : driven.window->findChildren<QAction *>()) {
                if (one->text().remove(u'&').startsWith(text) && one->isEnabled())
                    action = one;
            }
            QVERIFY2(action, qPrintable(text));
            action->trigger();
            QTRY_VERIFY2(opened(), qPrintable(text));
            for (int turn = 0; turn < 20; ++turn)
                QCoreApplication::processEvents();
            QTRY_VERIFY2(narrow(opened()).isEmpty(), qPrintable(text + narrow(opened())));
            opened()->close();
            QTRY_VERIFY(!opened());
        }
        driven.window->compareBranches({u"main"_s, u"cuda-12_9"_s});
        QTRY_VERIFY(opened() && opened()->findChild<FactTable *>()->isVisible());
        QTRY_VERIFY2(narrow(opened()).isEmpty(), qPrintable(narrow(opened())));
        QVERIFY2(heads > 10, qPrintable(QString::number(heads)));
    }

    /// In every view at every size: what is elided has a tooltip with the whole text, and what is scrolled has no room.
    void nothingIsCut_data()
    {
        theQueueIsReadable_data();
        QTest::newRow("2560x1440") << QSize(2560, 1440);
    }
    void nothingIsCut()
    {
        QFETCH(const QSize, size);
        DrivenWindow driven({}, SampleKind::Story);
        driven.window->resize(size);
        QTRY_VERIFY(driven.settled());
        driven.grid()->setCurrentName(u"pytorch-python313-cuda12_8-sm86-avx2"_s); // has a warning
        int seen = 0;
        const auto wrong = [&driven, &seen]() -> QString {
            for (const QLabel *label : driven.window->findChildren<QLabel *>()) {
                if (!isReadable(label) || label->wordWrap() || label->text().isEmpty())
                    continue;
                ++seen;
                if (label->sizeHint().width() > label->width() && label->toolTip().isEmpty())
                    return u"label: "_s + label->text();
            }
            for (const QAbstractButton *button : driven.window->findChildren<QAbstractButton *>()) {
                if (!isReadable(button) || button->text().isEmpty())
                    continue;
                ++seen;
                if (button->fontMetrics().size(Qt::TextShowMnemonic, button->text()).width() > button->width() &&
                    button->toolTip().isEmpty())
                    return u"button: "_s + button->text();
            }
            for (const auto *area : driven.window->findChildren<QAbstractScrollArea *>()) {
                if (!area->isVisible())
                    continue;
                const auto needless = [&seen](const QScrollBar *bar, Qt::ScrollBarPolicy policy) {
                    ++seen;
                    return bar->isVisible() && policy == Qt::ScrollBarAsNeeded && bar->maximum() == bar->minimum();
                };
                if (needless(area->verticalScrollBar(), area->verticalScrollBarPolicy()))
                    return u"vertical bar: "_s + QLatin1StringView(area->metaObject()->className());
                if (needless(area->horizontalScrollBar(), area->horizontalScrollBarPolicy()))
                    return u"horizontal bar: "_s + QLatin1StringView(area->metaObject()->className());
            }
            return {};
        };
        for (const QString &panel : Panels::names()) {
            driven.window->raisePanel(panel);
            QTRY_VERIFY(driven.settled());
            QTRY_VERIFY2(wrong().isEmpty(), qPrintable(panel + u", "_s + wrong()));
        }
        QVERIFY2(seen > 100, qPrintable(QString::number(seen)));
    }

    /// A notice takes room from the view: no button, no summary and not the line of the builds is below it.
    void aNoticeCoversNothing_data() { theQueueIsReadable_data(); }
    void aNoticeCoversNothing()
    {
        QFETCH(const QSize, size);
        DrivenWindow driven(u"pytorch-python313-cuda12_8-sm90-avx512"_s);
        driven.window->resize(size);
        QTRY_VERIFY(driven.settled());
        for (const QString &panel : {u"grid"_s, u"plan"_s, u"problems"_s, u"builds"_s, u"settings"_s}) {
            driven.window->raisePanel(panel);
            driven.bar()->showNotice(NoticeBar::Kind::Information, u"a long sentence "_s.repeated(20));
            QTRY_VERIFY(driven.bar()->height() >= driven.bar()->heightForWidth(driven.bar()->width()));
            const auto placeOf = [&driven](const QWidget *widget) {
                return QRect(widget->mapTo(driven.window.get(), QPoint()), widget->size());
            };
            const QRect notice = placeOf(driven.bar());
            QVERIFY(driven.window->rect().contains(notice) && driven.window->size() == size);
            for (const QWidget *widget : driven.window->findChildren<QWidget *>()) {
                if (!widget->isVisible() || widget->isAncestorOf(driven.bar()) || driven.bar()->isAncestorOf(widget))
                    continue;
                const QRect seen = widget->visibleRegion().boundingRect().translated(placeOf(widget).topLeft());
                QVERIFY2(!seen.intersects(notice),
                         qPrintable(panel + u' ' + QLatin1StringView(widget->metaObject()->className())));
            }
            for (const Label *line : driven.window->findChildren<Label *>()) {
                if (line->parentWidget()->isVisible() && line->accessibleName() == u"Builds"_s)
                    QVERIFY2(isReadable(line), qPrintable(panel));
            }
            driven.bar()->hide();
        }
    }
    // A branch without a matrix: its packages, and what a matrix is.
    void packagesInsteadOfAGrid()
    {
        const GitFixture plain;
        const QByteArray hello = "{ pkgs ? import <nixpkgs> { } }:\nlet\n  pinned = import (fetchTarball {\n    url = "
                                 "\"https://github.com/NixOS/nixpkgs/archive/"
                                 "0123456789abcdef0123456789abcdef01234567.tar.gz\";\n  }) { };\nin\n"
                                 "pinned.hello\n";
        plain.commitFile(u".flox/pkgs/hello.nix"_s, hello);
        plain.commitFile(u".flox/pkgs/cow.nix"_s, "{ pkgs ? import <nixpkgs> { } }:\npkgs.cowsay\n");
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        auto *packages = driven.window->findChild<PackageList *>();
        QVERIFY(packages && !packages->isVisible());
        driven.window->openRepository(plain.path());
        QTRY_VERIFY(packages->isVisible());
        QVERIFY(!driven.window->findChild<GridPanel *>()->isVisible());
        const auto *list = packages->findChild<QTreeWidget *>();
        QTRY_COMPARE(list->topLevelItemCount(), 2);
        QCOMPARE(list->topLevelItem(1)->text(0), u"hello"_s);
        QCOMPARE(list->topLevelItem(1)->text(1), u"0123456789"_s);
        QVERIFY(packages->setCurrentName(u"hello"_s));
        QTRY_COMPARE(driven.window->findChild<RecipePane *>()->name(), u"hello"_s);
        // What chooses a cell of the grid elsewhere, as Go to and the log do, chooses a package here.
        driven.window->selectWhenThere(u"cow"_s);
        QTRY_COMPARE(driven.window->findChild<RecipePane *>()->name(), u"cow"_s);
        QCOMPARE(packages->selectedNames(), QStringList{u"cow"_s});
        QVERIFY(packages->isVisible() && !driven.window->findChild<GridPanel *>()->isVisible());
        driven.window->openRepository(driven.sample.path());
        QTRY_VERIFY(driven.window->findChild<GridPanel *>()->isVisible());
        QVERIFY(!packages->isVisible());
    }

    /// Each is where its title says: what is of a recipe, a branch, a build; none has a count that a key cannot show.
    void entriesAreInTheirMenus()
    {
        DrivenWindow driven({}, SampleKind::Story);
        QTRY_VERIFY(driven.settled());
        const auto plain = [](const QAction *action) { return action->text().remove(u'&').remove(u'…'); };
        QMap<QString, QStringList> entries;
        for (const QAction *menu : driven.window->menuBar()->actions()) {
            for (const QAction *action : menu->menu()->actions())
                entries[plain(menu)].append(plain(action));
        }
        for (const auto &[menu, entry] :
             std::initializer_list<std::pair<QString, QString>>{{u"Recipe"_s, u"Recipe's history"_s},
                                                                {u"Branch"_s, u"Compare branches"_s},
                                                                {u"Branch"_s, u"History and undo"_s},
                                                                {u"Build"_s, u"Build all shown"_s},
                                                                {u"View"_s, u"Detect this machine"_s}}) {
            QVERIFY2(entries.value(menu).contains(entry), qPrintable(entries.value(menu).join(u'|')));
            for (const auto &[other, texts] : entries.asKeyValueRange())
                QVERIFY2(other == menu || !texts.contains(entry), qPrintable(other));
        }
        for (const QString &entry : entries.value(u"Build"_s))
            QVERIFY2(!entry.contains(u'('), qPrintable(entry));
    }

    /// Nothing in the tools of the past builds sets anything, and the outcome is a small sign and a word.
    void pastBuildsAreQuiet()
    {
        DrivenWindow driven({}, SampleKind::Story);
        driven.window->resize(1280, 800);
        QTRY_VERIFY(driven.settled());
        driven.window->raisePanel(u"builds"_s);
        const auto *past = driven.window->findChild<PastBuildsView *>();
        const QTableView *table = past->table();
        QTRY_VERIFY(past->isVisible() && table->model()->rowCount() == 4);
        QVERIFY(past->findChildren<QAbstractSpinBox *>().isEmpty());
        // What failed is chosen; in a low window it is scrolled into view.
        const auto isSeen = [table] {
            const QRect row = table->visualRect(table->currentIndex());
            return table->currentIndex().row() == 3 && table->viewport()->rect().contains(row);
        };
        QTRY_VERIFY(isSeen());
        driven.window->resize(960, 540);
        QTRY_VERIFY(driven.window->height() == 540 && isSeen());
        driven.window->resize(1280, 800);
        QTRY_VERIFY(driven.window->height() == 800 && isSeen());
        for (int row = 0; row < 4; ++row) {
            if (row == table->currentIndex().row())
                continue;
            const QRect cell = table->visualRect(table->model()->index(row, int(PastBuilds::Column::Outcome)));
            const QImage picture = table->viewport()->grab(cell).toImage();
            int coloured = 0;
            for (int y = 0; y < picture.height(); ++y) {
                for (int x = 0; x < picture.width(); ++x)
                    coloured += picture.pixelColor(x, y).hslSaturation() > 100 &&
                                std::abs(picture.pixelColor(x, y).lightness() - 128) < 90;
            }
            QVERIFY2(coloured > 0 && coloured < picture.width() * picture.height() / 10,
                     qPrintable(QString::number(coloured)));
        }
    }

    void aQueueThatIsRaisedFirstIsReadable()
    {
        DrivenWindow driven({}, SampleKind::Story);
        driven.window = std::make_unique<MainWindow>(driven.sample.catalog());
        driven.window->resize(1280, 800);
        driven.window->raisePanel(u"queue"_s);
        driven.window->openRepository(driven.sample.path()); // without one the start page is alone
        driven.window->show();
        const auto *queue = driven.window->findChild<QueueView *>();
        QTRY_VERIFY(queue->isVisible() && queue->height() >= 120);
    }

    /// Screenshots wait for it: also if the last event is a read that finds nothing new.
    void aReadingThatFindsNothingNewIsTold()
    {
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        auto *workspace = driven.window->findChild<Workspace *>();
        for (int round = 0; round < 3; ++round) {
            QTRY_VERIFY(driven.settled());
            QSignalSpy settled(driven.window.get(), &MainWindow::settled);
            workspace->refresh();
            QVERIFY(!driven.settled());
            QTRY_VERIFY(!settled.isEmpty() && driven.settled());
        }
    }

    /// A cell stays in place, so that a key press or click reaches it.
    void aNoticeDoesNotMoveTheGrid_data() { theQueueIsReadable_data(); }
    void aNoticeDoesNotMoveTheGrid()
    {
        QFETCH(const QSize, size);
        const QString name = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        DrivenWindow driven(name);
        driven.window->resize(size);
        QTRY_VERIFY(driven.settled());
        driven.click(name);
        QTRY_COMPARE(driven.pane()->name(), name);
        const auto place = [&driven, &name] {
            const QTableView *table = driven.table();
            return table->visualRect(driven.cell(name))
                .translated(table->viewport()->mapTo(driven.window.get(), QPoint()));
        };
        const QRect before = place();
        QVERIFY(!driven.bar()->isVisible());
        QTest::keyClick(driven.table(), Qt::Key_G);
        QTRY_COMPARE(driven.state(name), u"untracked"_s);
        QTRY_VERIFY(driven.settled());
        QTest::keyClick(driven.table(), Qt::Key_C);
        QTRY_VERIFY2(driven.notice().startsWith(u"Committed "_s), qPrintable(driven.notice()));
        QVERIFY(driven.bar()->isVisible() && driven.canClick(driven.bar(), u"Undo"_s));
        QTRY_VERIFY(driven.settled());
        QCOMPARE(place(), before);
        driven.bar()->hide();
        QCoreApplication::processEvents();
        QCOMPARE(place(), before);
        // Nor does one of two lines; all rows are still seen, or scrolled to.
        const QTableView *table = driven.table();
        const bool scrolled = table->verticalScrollBar()->maximum() > 0;
        driven.bar()->showNotice(NoticeBar::Kind::Done, u"line\nline"_s, u"Redo"_s);
        QTRY_VERIFY(driven.bar()->height() > 2 * driven.bar()->fontMetrics().height());
        QCoreApplication::processEvents();
        QCOMPARE(place(), before);
        QCOMPARE(table->verticalScrollBar()->maximum() > 0, scrolled);
    }

    void undoAndRedoOutliveTheWindow()
    {
        const QString name = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        DrivenWindow driven(name);
        QTRY_VERIFY(driven.settled());
        const auto action = [&driven](const QString &word) -> QAction * {
            for (QAction *one : driven.window->findChildren<QAction *>()) {
                if (one->text().startsWith(word) && one->isEnabled())
                    return one;
            }
            return nullptr;
        };
        QVERIFY(!action(u"&Undo"_s) && !action(u"&Redo"_s));
        driven.click(name);
        QTest::keyClick(driven.table(), Qt::Key_G);
        QTRY_COMPARE(driven.state(name), u"untracked"_s);
        QTest::keyClick(driven.table(), Qt::Key_C);
        QTRY_COMPARE(driven.state(name), u"current"_s);
        QTRY_VERIFY(action(u"&Undo"_s));
        QTRY_VERIFY(!driven.notice().isEmpty());
        QVERIFY(driven.bar()->visibleRegion().boundingRect().height() > 20);
        const QString subject = QString::fromUtf8(driven.sample.git({u"log"_s, u"-1"_s, u"--format=%s"_s}));
        QVERIFY2(action(u"&Undo"_s)->text().contains(subject.left(20)), qPrintable(action(u"&Undo"_s)->text()));
        QTRY_VERIFY(driven.settled());

        QTest::keyClick(driven.table(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(driven.state(name), u"missing"_s);
        QTRY_VERIFY(action(u"&Redo"_s));
        QVERIFY(!action(u"&Undo"_s));
        QTRY_VERIFY2(driven.notice().contains(subject), qPrintable(driven.notice()));

        driven.window = std::make_unique<MainWindow>(driven.sample.catalog());
        driven.window->show();
        driven.window->openRepository(driven.sample.path());
        QTRY_VERIFY(driven.settled());
        QTRY_VERIFY(action(u"&Redo"_s));
        QTest::keyClick(driven.table(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(driven.state(name), u"current"_s);
        QTRY_VERIFY(action(u"&Undo"_s));
        QVERIFY(!action(u"&Redo"_s));
    }
    void undoAndRedoOfAFileThatIsNotCommitted()
    {
        const QString name = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        DrivenWindow driven(name);
        QTRY_VERIFY(driven.settled());
        driven.click(name);
        QTest::keyClick(driven.table(), Qt::Key_G);
        QTRY_COMPARE(driven.state(name), u"untracked"_s);
        QFile file(driven.sample.path(u".flox/pkgs/%1.nix"_s.arg(name)));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        file.close();
        const auto canUndo = [&driven](const QString &word) {
            return std::ranges::any_of(driven.window->findChildren<QAction *>(), [&word](const QAction *one) {
                return one->text().startsWith(word) && one->isEnabled();
            });
        };
        QTRY_VERIFY(canUndo(u"&Undo"_s));
        QTest::keyClick(driven.table(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(driven.state(name), u"missing"_s);
        QVERIFY(!file.exists());
        QTRY_VERIFY(canUndo(u"&Redo"_s));
        QTest::keyClick(driven.table(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(driven.state(name), u"untracked"_s);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), text);
        // A text that the user wrote since is not lost.
        QTRY_VERIFY(canUndo(u"&Undo"_s));
        file.close();
        QVERIFY(file.open(QIODevice::Append));
        file.write("# mine\n");
        file.close();
        QTRY_VERIFY(driven.settled());
        QTest::keyClick(driven.table(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY(!driven.notice().isEmpty());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), text + "# mine\n");
    }
    void theMenuOfACellCopiesItsPath()
    {
        const QString name = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        DrivenWindow driven;
        QTRY_VERIFY(driven.settled());
        driven.click(name);
        const auto choose = [&driven](const QString &text) {
            QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, {});
            QApplication::sendEvent(driven.table(), &event);
            auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
            QVERIFY(menu);
            for (QAction *entry : menu->actions()) {
                if (entry->text() == text && entry->isEnabled()) {
                    entry->trigger();
                    menu->close();
                    return;
                }
            }
            menu->close();
            QFAIL("no such entry");
        };
        choose(u"Copy p&ath"_s);
        QCOMPARE(QGuiApplication::clipboard()->text(), driven.sample.path(u".flox/pkgs/%1.nix"_s.arg(name)));
        choose(u"&History\u2026"_s);
        QTRY_VERIFY(std::ranges::any_of(QApplication::topLevelWidgets(), [&driven](const QWidget *one) {
            return one != driven.window.get() && one->isVisible() && one->windowTitle().contains(u"istory"_s);
        }));
    }
    void anOfferOfUndoGoesWhenItIsUntrue()
    {
        const QString name = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        DrivenWindow driven(name);
        QTRY_VERIFY(driven.settled());
        driven.window->raisePanel(u"plan"_s);
        const auto *plan = driven.window->findChild<PlanView *>();
        QTRY_VERIFY(driven.canClick(plan, u"Apply 1 step"_s));
        QTest::mouseClick(driven.button(plan, u"Apply 1 step"_s), Qt::LeftButton);
        QTRY_VERIFY2(driven.canClick(driven.bar(), u"Undo"_s), qPrintable(driven.notice()));
        driven.sample.git({u"reset"_s, u"-q"_s, u"--hard"_s, u"HEAD~1"_s});
        QTRY_COMPARE(driven.notice(), QString());
    }

    void optionsAreAnswered_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("says");
        const QString picture = m_config.filePath(u"picture.png"_s);
        QTest::newRow("help") << QStringList{u"--help"_s} << 0 << u"--screenshot"_s;
        QTest::newRow("version") << QStringList{u"--version"_s} << 0 << u"torch-matrix 1."_s;
        QTest::newRow("option") << QStringList{u"--bogus"_s} << 2 << u"bogus"_s;
        QTest::newRow("panel") << QStringList{u"--panel"_s, u"bogus"_s} << 2 << u"queue"_s;
        QTest::newRow("dialog") << QStringList{u"--dialog"_s, u"bogus"_s, u"--screenshot"_s, picture} << 2
                                << u"\"bogus\""_s;
        QTest::newRow("dialog that cannot be opened")
            << QStringList{u"--dialog"_s, u"Commit with message"_s, u"--screenshot"_s, picture} << 3
            << u"Commit with message"_s;
        QTest::newRow("branch") << QStringList{u"--branch"_s, u"bogus"_s, u"--screenshot"_s, picture} << 3
                                << u"branch bogus"_s;
        QTest::newRow("dialog and branch")
            << QStringList{u"--branch"_s,     u"bogus"_s, u"--dialog"_s, u"Change version or pin"_s,
                           u"--screenshot"_s, picture}
            << 3 << u"branch bogus"_s;
        QTest::newRow("picture") << QStringList{u"--screenshot"_s, picture} << 0 << QString();
    }
    void optionsAreAnswered()
    {
        QFETCH(const QStringList, options);
        QFETCH(const int, status);
        QFETCH(const QString, says);
        const SampleFixture sample;
        const Ended ended = runWindow(QStringList{sample.path()} + options, m_config.path());
        QVERIFY2(ended.status == status, qPrintable(u"%1 %2"_s.arg(ended.status).arg(ended.error)));
        QVERIFY2((status == 0 ? ended.output : ended.error).contains(says), qPrintable(ended.error));
        const QFileInfo picture(m_config.filePath(u"picture.png"_s));
        QCOMPARE(picture.exists(), status == 0 && options.contains(u"--screenshot"_s));
    }
    void aSettingsFileOpensItsFolder()
    {
        const SampleFixture sample;
        QFile file(sample.path() + u"/torch-matrix.toml"_s);
        QVERIFY(file.open(QIODevice::WriteOnly));
        const auto options = WindowOptions::parse({u"torch-matrix"_s, file.fileName()});
        QVERIFY(options);
        QCOMPARE(options->folder, sample.path());
        QVERIFY(!WindowOptions::parse({u"torch-matrix"_s, sample.path() + u"/README.md"_s}));
    }
    void aFolderThatIsNoRepositoryEndsThePicture()
    {
        const QTemporaryDir empty;
        const Ended ended =
            runWindow({empty.path(), u"--screenshot"_s, m_config.filePath(u"none.png"_s)}, m_config.path());
        QCOMPARE(ended.status, 3);
        QVERIFY2(ended.error.contains(empty.path()), qPrintable(ended.error));
    }
};

TM_TEST(TestWindowPanels, QApplication)
#include "tst_windowpanels.moc"
