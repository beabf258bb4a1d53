// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/MatrixModel.h"
#include "model/matrix/MatrixRoles.h"
#include "model/matrix/MatrixText.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/Snapshots.h"
#include "tests/support/TestMain.h"
#include "views/grid/GridPanel.h"
#include "views/theme/Theme.h"
#include "views/widgets/Label.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

QString nameOf(const QString &row, const QString &isa)
{
    return row == u"cpu" ? u"pytorch-python313-cpu-"_s + isa : u"pytorch-python313-cuda13_0-%1-%2"_s.arg(row, isa);
}

/// A window as users have it: the grid beside a pane, with the actions' keys in a menu too.
struct Window {
    Window()
    {
        snapshot = branchOf(u"cuda-13_0"_s);
        put(snapshot, u"sm90"_s, u"avx2"_s, RecipeState::Missing);
        put(snapshot, u"sm90"_s, u"avx512"_s, RecipeState::Untracked, u"Not committed yet."_s);
        put(snapshot, u"sm100"_s, u"avx2"_s, RecipeState::Modified);
        put(snapshot, u"sm100"_s, u"armv9"_s, RecipeState::Missing);
        model.setSnapshot(shared(snapshot));
        panel = new GridPanel;
        panel->setModel(&model);
        window.setCentralWidget(panel);
        menuAction = window.menuBar()->addAction(u"Generate"_s);
        menuAction->setShortcut(Qt::Key_G);
        window.resize(860, 760); // 1280 x 800 less a recipe pane and the window's own
        window.show();
        window.activateWindow();
        view = panel->findChild<QTableView *>();
        filter = panel->findChild<QLineEdit *>();
    }
    [[nodiscard]] bool isReady()
    {
        if (!QTest::qWaitForWindowActive(&window))
            return false;
        view->setFocus();
        return view->hasFocus();
    }
    [[nodiscard]] QPoint at(const QString &row, const QString &isa) const
    {
        const QModelIndex source = model.indexOf(nameOf(row, isa));
        return view->visualRect(view->model()->index(source.row(), source.column())).center();
    }
    void click(const QString &row, const QString &isa, Qt::KeyboardModifiers modifiers = {}) const
    {
        QTest::mouseClick(view->viewport(), Qt::LeftButton, modifiers, at(row, isa));
    }
    [[nodiscard]] QToolButton *chip(const QString &word) const
    {
        for (auto *button : panel->findChildren<QToolButton *>()) {
            if (button->text().startsWith(word) && button->isVisible())
                return button;
        }
        return nullptr;
    }
    [[nodiscard]] QString grid() const { return gridAsText(*view->model()); }
    [[nodiscard]] QAction *menuEntry(const QString &text) const
    {
        const auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        for (QAction *action : menu ? menu->actions() : QList<QAction *>()) {
            if (action->text().remove(u'&').startsWith(text))
                return action;
        }
        return nullptr;
    }

    BranchSnapshot snapshot;
    MatrixModel model{builtInCatalog()};
    QMainWindow window;
    GridPanel *panel = nullptr;
    QTableView *view = nullptr;
    QLineEdit *filter = nullptr;
    QAction *menuAction = nullptr;
};

} // namespace

class GridTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        // What the offscreen platform says of windows and menus.
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support )"_s));
        m_window = std::make_unique<Window>();
        QVERIFY(m_window->isReady());
    }
    void cleanup() { m_window.reset(); }

    void wholeGridIsSeen();
    void itFitsASmallScreen();
    void clickTellsTheCell();
    void selectionByMouse();
    void walksByKeys();
    void selectionByKeys();
    void lettersJumpToRows();
    void enterAndSpaceOpen();
    void actionKeys();
    void menuByKeyboard();
    void menuByMouse();
    void copies();
    void metalTakesTheRow();
    void textFilter();
    void stateButtons();
    void emptyFilterSaysSo();
    void selectors();
    void choicesAreWhole();
    void slicesAreTabs();
    void allToolkits();
    void aMarkIsItsToolkit();
    void slicesStandSideBySide();
    void theWidthChoosesTheSlices();
    void goesToAName();
    void refreshKeepsSelectionAndScroll();
    void sliceTellsTheNewName();
    void summaryLine();
    void everyControlHasAName();
    void themeSwitchesLive();

private:
    /// The selector or the tabs of that name.
    template <class Widget>
    [[nodiscard]] Widget *slices(const QString &name) const
    {
        const QList<Widget *> all = m_window->panel->findChildren<Widget *>();
        const auto found = std::ranges::find(all, name, &QWidget::accessibleName);
        return found == all.end() ? nullptr : *found;
    }

    std::unique_ptr<Window> m_window;
};

void GridTest::wholeGridIsSeen()
{
    QCOMPARE(m_window->view->horizontalScrollBar()->maximum(), 0);
    QCOMPARE(m_window->view->verticalScrollBar()->maximum(), 0);
    for (int row = 0; row < m_window->model.rowCount(); ++row)
        QVERIFY(m_window->view->rowHeight(row) >= 30);
    // Too narrow for words, the glyphs remain; narrower still, it scrolls, and nothing is squeezed.
    m_window->window.resize(600, 600);
    QTRY_COMPARE(m_window->view->horizontalScrollBar()->maximum(), 0);
    m_window->window.resize(500, 300);
    m_window->view->setMaximumWidth(300);
    QTRY_VERIFY(m_window->view->horizontalScrollBar()->maximum() > 0);
    QVERIFY(m_window->view->verticalScrollBar()->maximum() > 0);
}

/// Beside a recipe of 300 pixels, in a window of 853: with the longest names, and with something to choose of each.
void GridTest::itFitsASmallScreen()
{
    constexpr int room = 540;
    BranchSnapshot companion = branchOf(u"cuda-13_0"_s);
    companion.entries.clear();
    put(companion, Variant{u"torchvision"_s, u"python313"_s, u"13.0"_s, u"sm90"_s, u"avx2"_s}, RecipeState::Current);
    m_window->model.setSnapshot(shared(companion));
    QVERIFY2(m_window->panel->minimumSizeHint().width() <= room,
             qPrintable(QString::number(m_window->panel->minimumSizeHint().width())));
    // What cannot be chosen is a word, and whole where there is room.
    const auto *word = slices<ElidedLabel>(u"Family"_s);
    QVERIFY(word && word->isVisible());
    m_window->window.resize(room, 480);
    QTRY_COMPARE(m_window->panel->width(), room);
    QCOMPARE(word->text(), word->fullText());
    for (const QString &family : {u"pytorch"_s, u"torchvision"_s}) {
        for (const QString &python : {u"python312"_s, u"python313"_s}) {
            for (const QString &cuda : {u"12.9"_s, u"13.0"_s})
                put(companion, Variant{family, python, cuda, u"sm90"_s, u"avx2"_s}, RecipeState::Current);
        }
    }
    m_window->model.setSnapshot(shared(companion));
    QVERIFY2(m_window->panel->minimumSizeHint().width() <= room,
             qPrintable(QString::number(m_window->panel->minimumSizeHint().width())));
}

void GridTest::clickTellsTheCell()
{
    QSignalSpy current(m_window->panel, &GridPanel::currentChanged);
    m_window->click(u"sm90"_s, u"avx2"_s);
    QCOMPARE(current.size(), 1);
    QCOMPARE(current.first().first().toString(), nameOf(u"sm90"_s, u"avx2"_s));
    QCOMPARE(m_window->panel->currentName(), nameOf(u"sm90"_s, u"avx2"_s));
    QCOMPARE(m_window->panel->selectedNames(), QStringList{nameOf(u"sm90"_s, u"avx2"_s)});
    m_window->click(u"sm90"_s, u"avx2"_s);
    QCOMPARE(current.size(), 1);
    // An impossible cell can be viewed (its reason), but not selected.
    m_window->click(u"sm110"_s, u"avx2"_s);
    QCOMPARE(m_window->panel->currentName(), nameOf(u"sm110"_s, u"avx2"_s));
    QCOMPARE(m_window->panel->selectedNames(), QStringList());
}

void GridTest::selectionByMouse()
{
    m_window->click(u"sm90"_s, u"avx2"_s);
    m_window->click(u"sm100"_s, u"avx512"_s, Qt::ShiftModifier);
    QCOMPARE(m_window->panel->selectedNames(),
             (QStringList{nameOf(u"sm90"_s, u"avx2"_s), nameOf(u"sm90"_s, u"avx512"_s), nameOf(u"sm100"_s, u"avx2"_s),
                          nameOf(u"sm100"_s, u"avx512"_s)}));
    m_window->click(u"sm90"_s, u"avx512"_s, Qt::ControlModifier);
    QCOMPARE(m_window->panel->selectedNames().size(), 3);
    m_window->click(u"cpu"_s, u"armv9"_s, Qt::ControlModifier);
    QCOMPARE(m_window->panel->selectedNames().last(), nameOf(u"cpu"_s, u"armv9"_s));
    // A click on a row's header selects the possible cells.
    const QModelIndex thor = m_window->model.indexOf(nameOf(u"sm110"_s, u"armv9"_s));
    QTest::mouseClick(m_window->view->verticalHeader()->viewport(), Qt::LeftButton, {},
                      QPoint(20, m_window->view->verticalHeader()->sectionViewportPosition(thor.row()) + 10));
    QCOMPARE(m_window->panel->selectedNames(),
             (QStringList{nameOf(u"sm110"_s, u"armv8_2"_s), nameOf(u"sm110"_s, u"armv9"_s)}));
}

void GridTest::walksByKeys()
{
    m_window->click(u"sm90"_s, u"avx512"_s);
    QTest::keyClick(m_window->view, Qt::Key_Right);
    QCOMPARE(m_window->panel->currentName(), nameOf(u"sm90"_s, u"avx512bf16"_s));
    QTest::keyClick(m_window->view, Qt::Key_Down);
    QCOMPARE(m_window->panel->currentName(), nameOf(u"sm100"_s, u"avx512bf16"_s));
    QTest::keyClick(m_window->view, Qt::Key_Home);
    QCOMPARE(m_window->panel->currentName(), nameOf(u"sm100"_s, u"avx"_s));
    QTest::keyClick(m_window->view, Qt::Key_End);
    QCOMPARE(m_window->panel->currentName(), nameOf(u"sm100"_s, u"armv9"_s));
    QTest::keyClick(m_window->view, Qt::Key_Home, Qt::ControlModifier);
    QCOMPARE(m_window->panel->currentName(), nameOf(u"sm75"_s, u"avx"_s));
    QTest::keyClick(m_window->view, Qt::Key_End, Qt::ControlModifier);
    QCOMPARE(m_window->panel->currentName(), nameOf(u"cpu"_s, u"armv9"_s));
    // Keys move through impossible cells as well: their reason is shown there.
    m_window->click(u"sm110"_s, u"armv8_2"_s);
    QTest::keyClick(m_window->view, Qt::Key_Left);
    QCOMPARE(m_window->panel->currentName(), nameOf(u"sm110"_s, u"avx512vnni"_s));
    QCOMPARE(m_window->panel->selectedNames(), QStringList());
    // Tab leaves the grid.
    QTest::keyClick(m_window->view, Qt::Key_Tab);
    QVERIFY(!m_window->view->hasFocus());
}

void GridTest::selectionByKeys()
{
    m_window->click(u"sm90"_s, u"avx2"_s);
    QTest::keyClick(m_window->view, Qt::Key_Right, Qt::ShiftModifier);
    QTest::keyClick(m_window->view, Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(m_window->panel->selectedNames().size(), 4);
    QTest::keyClick(m_window->view, Qt::Key_A, Qt::ControlModifier);
    // 59 promised, 8 not covered; the hatched ones stay out.
    QCOMPARE(m_window->panel->selectedNames().size(), 59 + 8);
}

void GridTest::lettersJumpToRows()
{
    m_window->click(u"sm75"_s, u"avx512"_s);
    QTest::keyClicks(m_window->view, u"sm9"_s);
    QCOMPARE(m_window->panel->currentName(), nameOf(u"sm90"_s, u"avx512"_s));
    QTest::keyClick(m_window->view, Qt::Key_Up); // another key ends a jump
    QTest::keyClicks(m_window->view, u"sm12"_s);
    QCOMPARE(m_window->panel->currentName(), nameOf(u"sm120"_s, u"avx512"_s));
    QTest::keyClick(m_window->view, Qt::Key_Up);
    QTest::keyClicks(m_window->view, u"hop"_s);
    QCOMPARE(m_window->panel->currentName(), nameOf(u"sm90"_s, u"avx512"_s));
}

void GridTest::enterAndSpaceOpen()
{
    QSignalSpy activated(m_window->panel, &GridPanel::activated);
    m_window->click(u"sm90"_s, u"avx2"_s);
    QTest::keyClick(m_window->view, Qt::Key_Return);
    QTest::keyClick(m_window->view, Qt::Key_Space);
    QTest::mouseDClick(m_window->view->viewport(), Qt::LeftButton, {}, m_window->at(u"sm90"_s, u"avx2"_s));
    QCOMPARE(activated.size(), 3);
    QCOMPARE(activated.last().first().toString(), nameOf(u"sm90"_s, u"avx2"_s));
    QCOMPARE(m_window->panel->selectedNames().size(), 1); // Space opened it and took nothing out of the selection
}

void GridTest::actionKeys()
{
    QSignalSpy generate(m_window->panel, &GridPanel::generateRequested);
    QSignalSpy commit(m_window->panel, &GridPanel::commitRequested);
    QSignalSpy build(m_window->panel, &GridPanel::buildRequested);
    QSignalSpy inMenu(m_window->menuAction, &QAction::triggered);
    QTest::keyClick(m_window->view, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(m_window->view, Qt::Key_C);
    QCOMPARE(commit.takeFirst().first().toStringList(),
             (QStringList{nameOf(u"sm90"_s, u"avx512"_s), nameOf(u"sm100"_s, u"avx2"_s)}));
    m_window->click(u"sm90"_s, u"avx2"_s);
    m_window->click(u"sm100"_s, u"armv9"_s, Qt::ShiftModifier);
    QTest::keyClick(m_window->view, Qt::Key_G);
    QCOMPARE(generate.takeFirst().first().toStringList(),
             (QStringList{nameOf(u"sm90"_s, u"avx2"_s), nameOf(u"sm100"_s, u"armv9"_s)}));
    QCOMPARE(inMenu.size(), 0); // the grid's own key, not an ambiguous one
    QTest::keyClick(m_window->view, Qt::Key_B);
    QCOMPARE(build.takeFirst().first().toStringList(), m_window->panel->selectedNames());
    // Nothing in the selection can be generated: all of it is requested, so that the window can say why not.
    m_window->click(u"sm80"_s, u"avx2"_s);
    QTest::keyClick(m_window->view, Qt::Key_G);
    QCOMPARE(generate.takeFirst().first().toStringList(), QStringList{nameOf(u"sm80"_s, u"avx2"_s)});
    // In a text field they are letters.
    m_window->filter->setFocus();
    QTest::keyClicks(m_window->filter, u"b"_s);
    QCOMPARE(build.size(), 0);
    QCOMPARE(m_window->filter->text(), u"b"_s);
}

void GridTest::menuByKeyboard()
{
    QSignalSpy generate(m_window->panel, &GridPanel::generateRequested);
    m_window->click(u"sm90"_s, u"avx2"_s);
    QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(1, 1), m_window->view->mapToGlobal(QPoint(1, 1)));
    QApplication::sendEvent(m_window->view->viewport(), &event);
    QTRY_VERIFY(QApplication::activePopupWidget());
    QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Escape);
    QTRY_VERIFY(!QApplication::activePopupWidget());
    QTest::keyClick(m_window->view, Qt::Key_F10, Qt::ShiftModifier); // the other key for it
    QTRY_VERIFY(QApplication::activePopupWidget());
    // At the cell, not at the corner of the view.
    const QPoint cell = m_window->view->viewport()->mapToGlobal(m_window->at(u"sm90"_s, u"avx2"_s));
    QVERIFY((QApplication::activePopupWidget()->pos() - cell).manhattanLength() < 20);
    QVERIFY(m_window->menuEntry(u"Generate recipe"_s)->isEnabled());
    QVERIFY(!m_window->menuEntry(u"Commit"_s)->isEnabled());
    QVERIFY(!m_window->menuEntry(u"Build"_s)->isEnabled());
    QVERIFY(m_window->menuEntry(u"Generate recipe"_s)->text().endsWith(u"\tG, Ctrl+G"_s)); // both of its keys
    QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_G);
    QTRY_COMPARE(generate.size(), 1);
}

void GridTest::menuByMouse()
{
    m_window->click(u"sm90"_s, u"avx2"_s);
    m_window->click(u"sm100"_s, u"armv9"_s, Qt::ShiftModifier);
    QContextMenuEvent event(QContextMenuEvent::Mouse, m_window->at(u"sm90"_s, u"avx512"_s), QPoint(50, 50));
    QApplication::sendEvent(m_window->view->viewport(), &event);
    QTRY_VERIFY(QApplication::activePopupWidget());
    QVERIFY(m_window->menuEntry(u"Generate 2 recipes"_s));
    QVERIFY(m_window->menuEntry(u"Commit 2 recipes"_s));
    QSignalSpy commit(m_window->panel, &GridPanel::commitRequested);
    m_window->menuEntry(u"Commit 2 recipes"_s)->trigger();
    QCOMPARE(commit.size(), 1);
    QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Escape);
    QTRY_VERIFY(!QApplication::activePopupWidget());
}

void GridTest::copies()
{
    m_window->click(u"sm80"_s, u"avx2"_s);
    m_window->click(u"sm80"_s, u"avx512"_s, Qt::ShiftModifier);
    QContextMenuEvent event(QContextMenuEvent::Mouse, m_window->at(u"sm80"_s, u"avx2"_s), QPoint(50, 50));
    QApplication::sendEvent(m_window->view->viewport(), &event);
    QTRY_VERIFY(QApplication::activePopupWidget());
    m_window->menuEntry(u"Copy 2 package names"_s)->trigger();
    QCOMPARE(QApplication::clipboard()->text(), nameOf(u"sm80"_s, u"avx2"_s) + u'\n' + nameOf(u"sm80"_s, u"avx512"_s));
    m_window->menuEntry(u"Copy flox command"_s)->trigger();
    QCOMPARE(QApplication::clipboard()->text(),
             u"flox build "_s + nameOf(u"sm80"_s, u"avx2"_s) + u' ' + nameOf(u"sm80"_s, u"avx512"_s));
    QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Escape);
    m_window->click(u"sm90"_s, u"avx2"_s);
    m_window->click(u"sm90"_s, u"avx512"_s, Qt::ShiftModifier);
    QTest::keyClick(m_window->view, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), nameOf(u"sm90"_s, u"avx2"_s) + u'\n' + nameOf(u"sm90"_s, u"avx512"_s));
}

/// Metal has no instruction set, so its cell spans the row, and it has no column of its own.
void GridTest::metalTakesTheRow()
{
    const Variant metal{u"pytorch"_s, u"python313"_s, {}, u"darwin-mps"_s, {}};
    VariantEntry entry;
    entry.variant = metal;
    entry.file = metal.file();
    entry.present = true;
    entry.state = RecipeState::Current;
    const int columns = m_window->view->model()->columnCount();
    m_window->snapshot.entries.insert(metal.name(), entry);
    m_window->model.setSnapshot(shared(m_window->snapshot));
    QCOMPARE(m_window->view->model()->columnCount(), columns);
    const int row = m_window->view->model()->rowCount() - 1;
    QCOMPARE(m_window->view->columnSpan(row, 0), columns);
    const QRect last = m_window->view->visualRect(m_window->view->model()->index(row, columns - 1));
    m_window->view->scrollTo(m_window->view->model()->index(row, 0));
    QTest::mouseClick(m_window->view->viewport(), Qt::LeftButton, {},
                      m_window->view->visualRect(m_window->view->model()->index(row, 0)).center());
    QCOMPARE(m_window->panel->currentName(), metal.name());
    QCOMPARE(m_window->panel->selectedNames(), QStringList{metal.name()});
    QTest::keyClick(m_window->view, Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(m_window->panel->selectedNames().count(metal.name()), 1);
    QVERIFY(last.isValid());
    // A filter that hides columns keeps the span over the remaining ones.
    QTest::keyClick(m_window->view, Qt::Key_F, Qt::ControlModifier);
    QTest::keyClicks(m_window->filter, u"python313 missing"_s);
    QVERIFY(m_window->view->model()->columnCount() < columns);
    QCOMPARE(m_window->view->columnSpan(0, 0), 1);
    QTest::keyClick(m_window->filter, Qt::Key_Escape);
    QCOMPARE(m_window->view->columnSpan(row, 0), columns);
}

void GridTest::textFilter()
{
    const auto widths = [this] {
        QList<int> widths;
        for (int column = 0; column < m_window->view->model()->columnCount(); ++column)
            widths.append(m_window->view->columnWidth(column));
        return widths;
    };
    const QList<int> before = widths();
    QTest::keyClick(m_window->view, Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(m_window->filter->hasFocus());
    QTest::keyClicks(m_window->filter, u"h200 bf16"_s);
    QCOMPARE(m_window->grid(), u"             avx512bf16\nsm90 Hopper  current\n"_s);
    QTest::keyClick(m_window->filter, Qt::Key_Return);
    QVERIFY(m_window->view->hasFocus());
    QTest::keyClick(m_window->view, Qt::Key_F, Qt::ControlModifier);
    QTest::keyClick(m_window->filter, Qt::Key_Escape);
    QVERIFY(m_window->view->hasFocus());
    QCOMPARE(m_window->filter->text(), QString());
    QCOMPARE(m_window->grid(), gridAsText(m_window->model));
    QTRY_COMPARE(widths(), before);
}

void GridTest::stateButtons()
{
    QVERIFY(m_window->chip(u"missing 2"_s));
    QVERIFY(m_window->chip(u"current 55"_s));
    QVERIFY(!m_window->chip(u"broken"_s)); // there is none
    QTest::mouseClick(m_window->chip(u"missing"_s), Qt::LeftButton);
    QCOMPARE(m_window->grid(), uR"(                            avx2        armv9
sm90 Hopper                 missing     (current)
sm100 Blackwell datacenter  (modified)  missing
)"_s);
    // A pressed button stays, even after its last cell is gone.
    put(m_window->snapshot, u"sm90"_s, u"avx2"_s, RecipeState::Current);
    put(m_window->snapshot, u"sm100"_s, u"armv9"_s, RecipeState::Current);
    m_window->model.setSnapshot(shared(m_window->snapshot));
    QVERIFY(m_window->chip(u"missing 0"_s));
    QCOMPARE(m_window->grid(), u"             avx2\nsm90 Hopper  current\n"_s); // The current cell stays, too.
    m_window->chip(u"missing"_s)->setFocus();
    QTest::keyClick(m_window->chip(u"missing"_s), Qt::Key_Space);
    QCOMPARE(m_window->grid(), gridAsText(m_window->model));
    QTRY_VERIFY(!m_window->chip(u"missing"_s));
}

void GridTest::emptyFilterSaysSo()
{
    m_window->click(u"sm90"_s, u"avx512"_s);
    const QString current = m_window->panel->currentName();
    const QImage before = m_window->view->viewport()->grab().toImage();
    QTest::keyClicks(m_window->filter, u"no such thing"_s);
    QCOMPARE(m_window->view->model()->rowCount(), 0);
    QCOMPARE(m_window->panel->currentName(), QString());
    QCOMPARE(m_window->panel->selectedNames(), QStringList());
    const QImage text = m_window->view->viewport()->grab().toImage();
    m_window->filter->clear();
    QCOMPARE(m_window->panel->currentName(), current); // it is shown again
    QCOMPARE(m_window->view->viewport()->grab().toImage().size(), before.size());
    bool written = false; // words in the middle, where an empty view would be one colour
    for (int x = 0; x < text.width() && !written; ++x) {
        for (int y = text.height() / 2 - 20; y < text.height() / 2 + 20; ++y)
            written = written || text.pixel(x, y) != text.pixel(0, 0);
    }
    QVERIFY(written);
}

void GridTest::selectors()
{
    for (const auto *box : m_window->panel->findChildren<QComboBox *>())
        QVERIFY(!box->isVisible() ||
                box->accessibleName() ==
                    u"What the cells show"_s); // one family, one Python, one toolkit: nothing to choose
    put(m_window->snapshot, Variant{u"pytorch"_s, u"python312"_s, u"13.0"_s, u"sm90"_s, u"avx2"_s},
        RecipeState::Customised);
    put(m_window->snapshot, Variant{u"torchvision"_s, u"python313"_s, u"13.0"_s, u"sm90"_s, u"avx2"_s},
        RecipeState::Customised);
    m_window->model.setSnapshot(shared(m_window->snapshot));
    m_window->window.resize(640, 480); // no room for tabs
    QTRY_VERIFY(std::ranges::none_of(m_window->panel->findChildren<QTabBar *>(), &QWidget::isVisible));
    QStringList shown;
    QComboBox *python = nullptr;
    for (auto *box : m_window->panel->findChildren<QComboBox *>()) {
        if (!box->isVisible() || box->accessibleName() == u"What the cells show"_s)
            continue;
        QStringList items;
        for (int i = 0; i < box->count(); ++i)
            items.append(box->itemText(i).section(" ("_L1, 0, 0));
        shown.append(box->accessibleName() + u": "_s + items.join(u", "_s));
        if (box->accessibleName() == u"Python")
            python = box;
    }
    QCOMPARE(shown, (QStringList{u"Family: PyTorch, TorchVision, All families"_s,
                                 u"Python: Python 3.13, Python 3.12, All Pythons"_s}));
    QCOMPARE(python->itemText(1), u"Python 3.12 (1)"_s);
    // The shortest form of a name is whole, in large letters too.
    QFont large = m_window->window.font();
    large.setPointSizeF(large.pointSizeF() * 1.5);
    m_window->window.setFont(large);
    m_window->model.setSnapshot(shared(m_window->snapshot));
    m_window->window.resize(600, 480);
    QApplication::processEvents();
    const auto *family = slices<QComboBox>(u"Family"_s);
    QStyleOptionComboBox option;
    option.initFrom(family);
    const QRect room =
        family->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, family);
    QVERIFY2(room.width() - 2 >= family->fontMetrics().horizontalAdvance(u"PyTorch"_s),
             qPrintable(QString::number(room.width())));
    python->setFocus();
    QTest::keyClick(python, Qt::Key_Down);
    QCOMPARE(m_window->model.slice().python, u"python312"_s);
    QCOMPARE(m_window->view->model()->rowCount(), 1);
    QVERIFY(python->hasFocus());
}

/// Three versions of a family differ at the end of their titles: no choice is cut while the filter has room to give.
void GridTest::choicesAreWhole()
{
    for (const QString &family : {u"torchvision025"_s, u"torchvision026"_s, u"torchvision027"_s}) {
        for (const QString &cuda : {u"12.8"_s, u"12.9"_s, u"13.0"_s})
            put(m_window->snapshot, Variant{family, u"python313"_s, cuda, u"sm90"_s, u"avx2"_s}, RecipeState::Current);
    }
    m_window->model.setSnapshot(shared(m_window->snapshot));
    m_window->model.setSlice({u"torchvision027"_s, u"python313"_s, u"12.8"_s});
    for (const int width : {860, 1040}) {
        m_window->window.resize(width, 760);
        for (const QString &name : {u"Family"_s, u"CUDA"_s}) {
            const auto *box = slices<QComboBox>(name);
            QTRY_VERIFY2(!box->isVisible() || box->width() >= box->sizeHint().width(),
                         qPrintable(u"%1 at %2: %3"_s.arg(name).arg(width).arg(box->width())));
        }
    }
}

/// Where there is room, tabs with the counts and gaps of every slice; they never keep the window wide.
void GridTest::slicesAreTabs()
{
    put(m_window->snapshot, Variant{u"pytorch"_s, u"python313"_s, u"12.9"_s, u"sm90"_s, u"avx2"_s},
        RecipeState::Missing);
    put(m_window->snapshot, Variant{u"pytorch"_s, u"python313"_s, u"12.9"_s, u"sm90"_s, u"avx512"_s},
        RecipeState::Current);
    Finding error;
    error.severity = Severity::Error;
    m_window->snapshot.entries[u"pytorch-python313-cuda12_9-sm90-avx512"_s].findings = {error};
    m_window->model.setSnapshot(shared(m_window->snapshot));
    const auto tabs = [this] { return slices<QTabBar>(u"CUDA"_s); };
    QVERIFY(tabs() && slices<QComboBox>(u"CUDA"_s));
    m_window->window.resize(1600, 760);
    QTRY_VERIFY(tabs()->isVisible() && !slices<QComboBox>(u"CUDA"_s)->isVisible());
    QCOMPARE(tabs()->currentIndex(), slices<QComboBox>(u"CUDA"_s)->currentIndex());
    const int other = tabs()->count() - 2;
    QCOMPARE(tabs()->tabText(other), u"12.9 · 8 · 1 missing"_s);
    QVERIFY(tabs()->tabToolTip(other).contains(u"(8, 1 missing, \u2297 1)"_s));
    QTest::mouseClick(tabs(), Qt::LeftButton, {}, tabs()->tabRect(other).center());
    QCOMPARE(m_window->model.slice().cuda, u"12.9"_s);
    tabs()->setFocus();
    QTest::keyClick(tabs(), Qt::Key_Right);
    QCOMPARE(m_window->model.slice().cuda, MatrixSlice::every());
    QVERIFY(tabs()->hasFocus());
    m_window->window.resize(500, 480);
    QTRY_VERIFY(!tabs()->isVisible() && slices<QComboBox>(u"CUDA"_s)->isVisible());
    QCOMPARE(slices<QComboBox>(u"CUDA"_s)->currentData().toString(), MatrixSlice::every());
    // The filter takes no room that the tabs need, and no tab is cut.
    int widths = 0;
    for (int width = 500; width < 1300; width += 20) {
        m_window->window.resize(width, 480);
        QApplication::processEvents();
        const auto *box = slices<QComboBox>(u"CUDA"_s);
        const auto *bar = tabs()->parentWidget();
        const int spare = bar->width() - bar->sizeHint().width() +
                          std::max(0, m_window->filter->width() - m_window->filter->sizeHint().width());
        if (tabs()->isVisible())
            QVERIFY2(tabs()->width() >= tabs()->sizeHint().width(), qPrintable(QString::number(width)));
        else
            QVERIFY2(spare < tabs()->sizeHint().width() - box->sizeHint().width(), qPrintable(QString::number(width)));
        widths += tabs()->isVisible();
    }
    QVERIFY(widths > 10 && widths < 40);
}

void GridTest::allToolkits()
{
    put(m_window->snapshot, Variant{u"pytorch"_s, u"python313"_s, u"12.9"_s, u"sm90"_s, u"avx2"_s},
        RecipeState::Missing);
    put(m_window->snapshot, Variant{u"pytorch"_s, u"python313"_s, u"12.9"_s, u"sm90"_s, u"avx512"_s},
        RecipeState::Current);
    m_window->model.setSnapshot(shared(m_window->snapshot));
    m_window->window.resize(500, 760);
    auto *toolkits = slices<QComboBox>(u"CUDA"_s);
    QTRY_VERIFY(toolkits && toolkits->isVisible());
    QCOMPARE(toolkits->itemText(toolkits->count() - 1), u"All toolkits (60, 3 missing)"_s);
    toolkits->setFocus();
    QTest::keyClick(toolkits, Qt::Key_End);
    QCOMPARE(m_window->model.slice().cuda, MatrixSlice::every());
    m_window->window.resize(860, 760);
    const QString there = nameOf(u"sm90"_s, u"avx2"_s), other = u"pytorch-python313-cuda12_9-sm90-avx2"_s;
    // G applies to the cell's variants without a recipe; the others are left out.
    m_window->click(u"sm90"_s, u"avx2"_s);
    QCOMPARE(m_window->panel->selectedNames(), (QStringList{there, other}));
    QSignalSpy generate(m_window->panel, &GridPanel::generateRequested);
    QTest::keyClick(m_window->view, Qt::Key_G);
    QCOMPARE(generate.takeFirst().first().toStringList(), (QStringList{there, other}));
    m_window->click(u"sm90"_s, u"avx512"_s);
    QSignalSpy commit(m_window->panel, &GridPanel::commitRequested);
    QTest::keyClick(m_window->view, Qt::Key_C);
    QCOMPARE(commit.takeFirst().first().toStringList(), QStringList{nameOf(u"sm90"_s, u"avx512"_s)});
    // Variants of a cell that the filter hides are left out.
    QTest::keyClicks(m_window->filter, u"cuda12_9"_s);
    QTest::keyClick(m_window->filter, Qt::Key_Down);
    m_window->panel->setCurrentName(other);
    QCOMPARE(m_window->panel->selectedNames(), QStringList{other});
    QCOMPARE(m_window->filter->text(), u"cuda12_9"_s);
    m_window->panel->clearFilter();
    // Enter opens the grid of the variant that the pane shows; the menu offers the others'.
    QCOMPARE(m_window->panel->currentName(), other);
    QTest::keyClick(m_window->view, Qt::Key_Return);
    QCOMPARE(m_window->model.slice().cuda, u"12.9"_s);
    QCOMPARE(m_window->panel->currentName(), other);
    m_window->model.setSlice({u"pytorch"_s, u"python313"_s, MatrixSlice::every()});
    QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(1, 1), m_window->view->mapToGlobal(QPoint(1, 1)));
    QApplication::sendEvent(m_window->view->viewport(), &event);
    QTRY_VERIFY(QApplication::activePopupWidget());
    QAction *grids = m_window->menuEntry(u"Open the grid of"_s);
    QVERIFY(grids && grids->menu());
    QStringList entries;
    for (const QAction *entry : grids->menu()->actions())
        entries.append(entry->text());
    QCOMPARE(entries, (QStringList{u"CUDA 13.0: missing"_s, u"CUDA 12.9: missing"_s}));
    QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_O);
    QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Return);
    QTRY_COMPARE(m_window->model.slice().cuda, u"13.0"_s);
    QCOMPARE(m_window->panel->currentName(), there);
}

void GridTest::aMarkIsItsToolkit()
{
    const QString other = u"pytorch-python313-cuda12_9-sm90-avx2"_s;
    put(m_window->snapshot, Variant{u"pytorch"_s, u"python313"_s, u"12.9"_s, u"sm90"_s, u"avx2"_s},
        RecipeState::Missing);
    put(m_window->snapshot, Variant{u"pytorch"_s, u"python313"_s, u"12.9"_s, u"sm90"_s, u"avx512"_s},
        RecipeState::Current);
    m_window->model.setSnapshot(shared(m_window->snapshot));
    m_window->model.setSlice({u"pytorch"_s, u"python313"_s, MatrixSlice::every()});
    m_window->click(u"sm80"_s, u"avx2"_s);
    const QPoint middle = m_window->at(u"sm90"_s, u"avx2"_s);
    const QPoint left = middle - QPoint(15, 0), right = middle + QPoint(15, 0);
    QSignalSpy current(m_window->panel, &GridPanel::currentChanged);
    QTest::mouseClick(m_window->view->viewport(), Qt::LeftButton, {}, right);
    QCOMPARE(m_window->panel->currentName(), other);
    QCOMPARE(current.size(), 1);
    QTest::mouseClick(m_window->view->viewport(), Qt::LeftButton, {}, left);
    QCOMPARE(m_window->panel->currentName(), nameOf(u"sm90"_s, u"avx2"_s));
    QCOMPARE(current.size(), 2);
    QTest::mouseDClick(m_window->view->viewport(), Qt::LeftButton, {}, right);
    QCOMPARE(m_window->model.slice().cuda, u"12.9"_s);
    QCOMPARE(m_window->panel->currentName(), other);
}

void GridTest::slicesStandSideBySide()
{
    const auto named = [](const QString &cuda, const QString &row, const QString &isa) {
        return row == u"cpu"_s ? nameOf(row, isa) : u"pytorch-python313-cuda%1-%2-%3"_s.arg(cuda, row, isa);
    };
    for (const QString &row : {u"sm90"_s, u"sm100"_s})
        put(m_window->snapshot, Variant{u"pytorch"_s, u"python313"_s, u"12.9"_s, row, u"avx2"_s},
            row == u"sm90"_s ? RecipeState::Missing : RecipeState::Current);
    m_window->model.setSnapshot(shared(m_window->snapshot));
    const QString there = named(u"13_0"_s, u"sm90"_s, u"armv9"_s), other = named(u"12_9"_s, u"sm90"_s, u"avx2"_s);
    QVERIFY(m_window->panel->setCurrentName(there));
    QVERIFY(!m_window->chip(u"Side by side"_s));
    m_window->window.resize(2560, 1440);
    QTRY_VERIFY(m_window->model.isSideBySide());
    QAbstractItemModel *shown = m_window->view->model();
    const auto group = [&](int column) { return shown->headerData(column, Qt::Horizontal, GroupRole).toString(); };
    QCOMPARE(group(0), u"CUDA 13.0 · 2 missing"_s);
    QCOMPARE(group(shown->columnCount() - 1), u"CUDA 12.9 · 1 missing"_s);
    QCOMPARE(m_window->view->horizontalScrollBar()->maximum(), 0);
    QCOMPARE(m_window->panel->currentName(), there);
    // Arrows go from one into the next; G is for the cell that is there.
    QTest::keyClick(m_window->view, Qt::Key_Right);
    QCOMPARE(m_window->panel->currentName(), named(u"12_9"_s, u"sm90"_s, u"avx"_s));
    QTest::keyClick(m_window->view, Qt::Key_Right);
    QCOMPARE(m_window->panel->currentName(), other);
    QSignalSpy generate(m_window->panel, &GridPanel::generateRequested);
    QTest::keyClick(m_window->view, Qt::Key_G);
    QCOMPARE(generate.takeFirst().first().toStringList(), QStringList{other});
    // A selection over both.
    m_window->click(u"sm90"_s, u"avx2"_s);
    const QModelIndex second =
        shown->index(m_window->view->currentIndex().row(), m_window->model.indexOf(other).column());
    QTest::mouseClick(m_window->view->viewport(), Qt::LeftButton, Qt::ControlModifier,
                      m_window->view->visualRect(second).center());
    QCOMPARE(m_window->panel->selectedNames(), (QStringList{named(u"13_0"_s, u"sm90"_s, u"avx2"_s), other}));
    QVERIFY(second.data(Qt::AccessibleTextRole).toString().contains(u"CUDA 12.9 missing"_s));
    // What is built without CUDA is there once; where it would stand again, the cell says where it is.
    QCOMPARE(m_window->model.index(m_window->model.indexOf(nameOf(u"cpu"_s, u"avx2"_s)).row(), second.column())
                 .data(Qt::AccessibleTextRole)
                 .toString(),
             u"cpu, AVX2: It is built without CUDA: see CUDA 13.0."_s);
    QTest::keyClick(m_window->view, Qt::Key_A, Qt::ControlModifier);
    QStringList all = m_window->panel->selectedNames();
    QCOMPARE(all.removeDuplicates(), 0);
    // A filter leaves the groups that have something.
    QTest::keyClicks(m_window->filter, u"cuda12_9 missing"_s);
    QCOMPARE(shown->columnCount(), 1);
    QCOMPARE(group(0), u"CUDA 12.9 · 1 missing"_s);
    QTest::keyClick(m_window->filter, Qt::Key_Escape);
    // The button shows them as marks of one grid, and back; the cell stays.
    QVERIFY(m_window->panel->setCurrentName(other));
    QTest::mouseClick(m_window->chip(u"Side by side"_s), Qt::LeftButton);
    QVERIFY(!m_window->model.isSideBySide() && m_window->model.slice().isOverview());
    QCOMPARE(m_window->panel->currentName(), other);
    QTest::mouseClick(m_window->chip(u"Side by side"_s), Qt::LeftButton);
    QVERIFY(m_window->model.isSideBySide());
    QCOMPARE(m_window->panel->currentName(), other);
    for (const Lens lens : allLenses) {
        m_window->panel->setLens(lens);
        QVERIFY(!m_window->view->grab().isNull());
    }
}

/// Until the user chooses a toolkit, the width does; then the window keeps the choice.
void GridTest::theWidthChoosesTheSlices()
{
    const QString other = u"pytorch-python313-cuda12_9-sm90-avx2"_s;
    put(m_window->snapshot, Variant{u"pytorch"_s, u"python313"_s, u"12.9"_s, u"sm90"_s, u"avx2"_s},
        RecipeState::Current);
    m_window->model.setSnapshot(shared(m_window->snapshot));
    m_window->window.resize(2560, 1440);
    QTRY_VERIFY(m_window->model.isSideBySide());
    QVERIFY(m_window->panel->setCurrentName(other));
    m_window->window.resize(860, 760);
    QTRY_COMPARE(m_window->model.slice().cuda, u"12.9"_s);
    QCOMPARE(m_window->panel->currentName(), other);
    m_window->window.resize(2560, 1440);
    QTRY_VERIFY(m_window->model.isSideBySide());
    QCOMPARE(m_window->panel->currentName(), other);
    auto *toolkits = slices<QTabBar>(u"CUDA"_s);
    QTRY_VERIFY(toolkits && toolkits->isVisible());
    QTest::mouseClick(toolkits, Qt::LeftButton, {}, toolkits->tabRect(0).center());
    QCOMPARE(m_window->model.slice().cuda, u"13.0"_s);
    QVERIFY(!m_window->model.isSideBySide());
    m_window->window.resize(860, 760);
    m_window->window.resize(2560, 1440);
    QVERIFY(!m_window->model.isSideBySide());
    QTest::mouseClick(m_window->chip(u"Side by side"_s), Qt::LeftButton);
    QVERIFY(m_window->model.isSideBySide());
}

void GridTest::goesToAName()
{
    QVERIFY(!m_window->panel->setCurrentName(u"hello"_s));
    QVERIFY(!m_window->panel->setCurrentName(u"pytorch-python313-cuda12_4-sm90-avx2"_s)); // no such toolkit here
    put(m_window->snapshot, Variant{u"pytorch"_s, u"python312"_s, u"13.0"_s, u"sm90"_s, u"avx2"_s},
        RecipeState::Customised);
    m_window->model.setSnapshot(shared(m_window->snapshot));
    QVERIFY(m_window->panel->setCurrentName(u"pytorch-python312-cuda13_0-sm90-avx2"_s));
    QCOMPARE(m_window->model.slice().python, u"python312"_s);
    QVERIFY(m_window->panel->setCurrentName(nameOf(u"sm90"_s, u"avx2"_s)));
    QCOMPARE(m_window->panel->selectedNames(), QStringList{nameOf(u"sm90"_s, u"avx2"_s)});
    // If the filter hides or dims it, the filter is cleared.
    QTest::keyClicks(m_window->filter, u"sm75"_s);
    QVERIFY(m_window->panel->setCurrentName(nameOf(u"sm90"_s, u"avx2"_s)));
    QCOMPARE(m_window->filter->text(), QString());
    QTest::mouseClick(m_window->chip(u"missing"_s), Qt::LeftButton);
    QVERIFY(m_window->panel->setCurrentName(nameOf(u"sm90"_s, u"armv9"_s)));
    QCOMPARE(m_window->panel->currentName(), nameOf(u"sm90"_s, u"armv9"_s));
    // Its row is not shown, because the branch has nothing in it.
    QVERIFY(m_window->panel->setCurrentName(nameOf(u"sm87"_s, u"armv8_2"_s)));
    QCOMPARE(m_window->panel->currentName(), nameOf(u"sm87"_s, u"armv8_2"_s));
    QVERIFY(m_window->model.showsAll());
}

void GridTest::refreshKeepsSelectionAndScroll()
{
    m_window->view->setMaximumWidth(300);
    m_window->window.resize(500, 360);
    QTRY_VERIFY(m_window->view->verticalScrollBar()->maximum() > 0);
    m_window->view->verticalScrollBar()->setValue(40);
    m_window->view->horizontalScrollBar()->setValue(30);
    m_window->click(u"sm90"_s, u"avx512"_s);
    m_window->click(u"sm100"_s, u"avx512bf16"_s, Qt::ControlModifier);
    const QStringList selected = m_window->panel->selectedNames();
    const int scroll = m_window->view->verticalScrollBar()->value();
    QSignalSpy current(m_window->panel, &GridPanel::currentChanged);
    put(m_window->snapshot, u"sm90"_s, u"avx512"_s, RecipeState::Modified);
    m_window->model.setSnapshot(shared(m_window->snapshot));
    m_window->model.setBuildStates({{nameOf(u"sm90"_s, u"avx512"_s), {BuildState::Phase::Running, 1, 2, {}, {}}}});
    QCOMPARE(m_window->panel->selectedNames(), selected);
    QCOMPARE(m_window->panel->currentName(), nameOf(u"sm100"_s, u"avx512bf16"_s));
    QCOMPARE(m_window->view->verticalScrollBar()->value(), scroll);
    QCOMPARE(m_window->view->horizontalScrollBar()->value(), 30);
    QCOMPARE(current.size(), 0);
}

void GridTest::sliceTellsTheNewName()
{
    m_window->click(u"sm90"_s, u"avx2"_s);
    QSignalSpy current(m_window->panel, &GridPanel::currentChanged);
    m_window->model.setSnapshot(shared(branchOf(u"main"_s))); // the same cell of another branch is another variant
    QCOMPARE(current.size(), 1);
    QCOMPARE(current.first().first().toString(), u"pytorch-python313-cuda12_8-sm90-avx2"_s);
}

void GridTest::summaryLine()
{
    QStringList texts;
    for (const auto *label : m_window->panel->findChildren<QLabel *>())
        texts.append(label->text());
    QVERIFY2(texts.contains(u"59 variants: 55 current · 1 modified · 1 new · 2 missing"_s),
             qPrintable(texts.join(u'|')));
}

void GridTest::everyControlHasAName()
{
    for (const auto *widget : m_window->panel->findChildren<QWidget *>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible() || widget->inherits("QHeaderView"))
            continue;
        const auto *button = qobject_cast<const QToolButton *>(widget);
        QVERIFY2(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()) ||
                     widget == m_window->panel,
                 widget->metaObject()->className());
    }
}

void GridTest::themeSwitchesLive()
{
    const QPalette before = QApplication::palette();
    const auto restore = qScopeGuard([&before] { QApplication::setPalette(before); });
    QPalette dark(QColor(0x3c3f41), QColor(0x2b2d30));
    dark.setColor(QPalette::Base, QColor(0x1e1f22));
    dark.setColor(QPalette::Text, QColor(0xdfe1e5));
    const QImage icon = m_window->chip(u"current"_s)->icon().pixmap(16).toImage();
    const auto corner = [this] { return m_window->view->grab().toImage().pixelColor(2, 2); };
    const auto cell = [this] {
        return m_window->view->viewport()->grab().toImage().pixelColor(m_window->at(u"sm80"_s, u"avx2"_s) +
                                                                       QPoint(30, 12));
    };
    QApplication::setPalette(dark);
    QTRY_COMPARE(corner(), QColor(0x1e1f22));
    QCOMPARE(cell(), Theme::current(dark).recipe(RecipeState::Current).fill);
    QVERIFY(m_window->chip(u"current"_s)->icon().pixmap(16).toImage() != icon);
    QApplication::setPalette(before);
    QTRY_COMPARE(cell(), Theme::current(before).recipe(RecipeState::Current).fill);
    QCOMPARE(m_window->chip(u"current"_s)->icon().pixmap(16).toImage(), icon);
}

TM_TEST(GridTest, QApplication)
#include "tst_grid.moc"
