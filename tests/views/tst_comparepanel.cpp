// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/MatrixText.h"
#include "tests/support/BranchContents.h"
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/compare/BranchChooser.h"
#include "views/compare/ComparePanel.h"
#include "views/compare/ComparisonStyle.h"
#include "views/compare/FactChips.h"
#include "views/compare/FactTable.h"
#include "views/compare/Legend.h"
#include "views/compare/SideBySide.h"
#include "views/compare/SideView.h"
#include "views/compare/SidesTable.h"
#include "views/grid/MatrixView.h"
#include "views/theme/Colors.h"
#include "views/widgets/Label.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolButton>

using namespace tmx;
using namespace tmx::testing;
using namespace pane;

namespace {

/// "sm90-avx2=some text": cells of a branch.
ComparedSide sideWith(const QString &label, const QString &cells)
{
    BranchContent content{u"main"_s, QString(40, u'a'), false, {}};
    for (const QString &cell : cells.split(u' ')) {
        const QByteArray body = cell.section(u'=', 1).toUtf8().replace("/", "\n");
        content.files.append(recipeFile(u"pytorch-python313-cuda12_8-"_s + cell.section(u'=', 0, 0),
                                        "{ }: {\n" + body + "\n}\n", false));
    }
    return {label, std::make_shared<const BranchSnapshot>(makeSnapshot(builtInCatalog(), u"/repository"_s, content))};
}

std::shared_ptr<const CountedFacts> compared(const QList<ComparedSide> &sides)
{
    return std::make_shared<const CountedFacts>(std::make_shared<const Comparison>(compareSides(sides)));
}

template <class T>
T *named(QWidget *in, const QString &name)
{
    for (T *widget : in->findChildren<T *>()) {
        if (widget->accessibleName() == name ||
            (qobject_cast<QAbstractButton *>(widget) && qobject_cast<QAbstractButton *>(widget)->text() == name))
            return widget;
    }
    return nullptr;
}

} // namespace

class TestComparePanel : public QObject
{
    Q_OBJECT

    std::unique_ptr<ComparePanel> m_panel;

    [[nodiscard]] MatrixView *grid() const { return m_panel->findChild<MatrixView *>(); }
    [[nodiscard]] QString title() const { return named<QLabel>(m_panel.get(), u"Cell"_s)->text(); }
    [[nodiscard]] SideView *side(const QString &name) const { return named<SideView>(m_panel.get(), name); }
    void clickRecipes()
    {
        auto *button = named<QToolButton>(m_panel.get(), u"&Recipes"_s);
        QTRY_VERIFY(button->isVisible() && !button->rect().isEmpty()); // laid out, so that a click is inside
        QTest::mouseClick(button, Qt::LeftButton);
    }
    void two()
    {
        m_panel->setComparison(
            compared({sideWith(u"main"_s, u"sm90-avx2=a=1; sm90-avx512=a=1;/b=2;/c=3; sm80-avx2=x=1;"_s),
                      sideWith(u"next"_s, u"sm90-avx2=a=1; sm90-avx512=a=7;/b=2;/c=8; sm120-avx2=y=1;"_s)}));
    }

private Q_SLOTS:
    void init()
    {
        failOnWarnings();
        QApplication::setPalette(lightPalette());
        m_panel = std::make_unique<ComparePanel>(builtInCatalog());
        m_panel->resize(1280, 800);
        m_panel->show();
        m_panel->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
    }
    void cleanup() { m_panel.reset(); }

    void beginsWithWhatDiffers()
    {
        two();
        QCOMPARE(title(), u"pytorch-python313-cuda12_8-sm90-avx512"_s);
        QCOMPARE(named<QLabel>(m_panel.get(), u"Totals"_s)->text(),
                 u"2 cells in both: 1 identical, 1 different: a 1 → 7, c 3 → 8."_s);
        // A column for each, and once what both have. The answer is above all that filters, and larger.
        auto *table = m_panel->findChild<SidesTable *>();
        auto *totals = named<QLabel>(m_panel.get(), u"Totals"_s);
        QCOMPARE(table->text(), u"1. main (3) | 2. next (3)\nonly here: 1: sm80 avx2 | 1: sm120 avx2"_s);
        QCOMPARE(named<ElidedLabel>(m_panel.get(), u"What all have"_s)->fullText(),
                 u"The same in both: Python 3.13, CUDA 12.8."_s);
        const auto top = [this](const QWidget *widget) { return widget->mapTo(m_panel.get(), QPoint()).y(); };
        QTRY_VERIFY(top(totals) < top(table) &&
                    top(table) < top(named<QToolButton>(m_panel.get(), u"Only &differences"_s)));
        QVERIFY(totals->fontInfo().pixelSize() > table->fontInfo().pixelSize());
        // At 1280 x 800 nothing but the facts of a cell is below the grid, and that does not scroll.
        auto *recipes = m_panel->findChild<SideBySide *>();
        auto *facts = m_panel->findChild<FactTable *>();
        QVERIFY(!recipes->isVisible() && !facts->verticalScrollBar()->isVisible());
        clickRecipes();
        QTRY_VERIFY(recipes->isVisible() && !table->isVisible());
        QTRY_VERIFY(side(u"Recipe on the left"_s)->toPlainText().contains(u"a=1;"_s));
        QVERIFY(side(u"Recipe on the right"_s)->toPlainText().contains(u"a=7;"_s));
        clickRecipes();
        QTRY_VERIFY(!recipes->isVisible() && table->isVisible());
        m_panel->resize(1280, 1000); // It shows all; what was chosen stays.
        QVERIFY(!recipes->isVisible());
    }

    void aHighWindowShowsTheRecipes()
    {
        m_panel->resize(1280, 1000);
        two();
        QTRY_VERIFY(m_panel->findChild<SideBySide *>()->isVisible() && m_panel->findChild<SidesTable *>()->isVisible());
    }

    // Of three sides the pair is shown that differs most, and the cells that one lacks are named.
    void thePairThatDiffersIsShown()
    {
        m_panel->setComparison(
            compared({sideWith(u"main"_s, u"sm90-avx2=a=1;/b=2; sm80-avx2=a=1; sm80-avx512=a=1;"_s),
                      sideWith(u"same"_s, u"sm90-avx2=a=1;/b=3; sm80-avx2=a=1; sm80-avx512=a=1;"_s),
                      sideWith(u"next"_s, u"sm90-avx2=a=7;/b=8; sm120-avx2=a=1; sm120-avx512=a=1;"_s)}));
        QCOMPARE(title(), u"pytorch-python313-cuda12_8-sm90-avx2"_s);
        QTRY_VERIFY(side(u"Recipe on the right"_s)->toPlainText().contains(u"b=8;"_s));
        QVERIFY(side(u"Recipe on the left"_s)->toPlainText().contains(u"b=2;"_s));
        QCOMPARE(named<QLabel>(m_panel.get(), u"Totals"_s)->text(),
                 u"3 cells, 1 of them in all 3: 2 identical, 1 different: b 2 · 3 · 8, a 1 · 1 · 7."_s);
        auto *table = m_panel->findChild<SidesTable *>();
        QCOMPARE(table->text(), u"1. main (3) | 2. same (3) | 3. next (3)\n"
                                "missing only here: – | – | 2: all of sm80\nonly here: – | – | 2: all of sm120"_s);
        QVERIFY(table->isVisible());
        // A low window has their numbers in a line, and the names in the tooltip.
        m_panel->resize(900, 600);
        m_panel->setComparing(false);
        QVERIFY(!table->isVisible());
        auto *sides = named<QLabel>(m_panel.get(), u"The branches"_s);
        QCOMPARE(sides->text(), u"3. next: missing only here 2; only here 2"_s);
        QVERIFY2(sides->toolTip().contains(u"all of sm80"_s), qPrintable(sides->toolTip()));
    }

    /// Each of six columns has its branch's name and versions, whatever another one lacks.
    void noColumnIsWithoutRoom()
    {
        QString many;
        for (const QString &row : {u"sm75"_s, u"sm80"_s, u"sm86"_s, u"sm90"_s})
            many += u" %1-avx=a=1; %1-avx512=a=1; %1-avx2=a=1;"_s.arg(row);
        QList<ComparedSide> sides;
        for (int i = 0; i < 6; ++i)
            sides.append(sideWith(u"branch-%1"_s.arg(i), i < 4 ? many.trimmed() : u"sm100-avx=a=1; sm90-avx2=a=1;"_s));
        m_panel->setComparison(compared(sides));
        const auto *table = m_panel->findChild<SidesTable *>();
        QTRY_VERIFY(table->isVisible());
        int names = 0;
        for (const auto *label : table->findChildren<ElidedLabel *>()) {
            names += label->text().contains(u"branch-"_s);
            QVERIFY2(!label->text().isEmpty() && !label->text().contains(u'\u2026'), qPrintable(label->fullText()));
            QVERIFY(label->fontMetrics().horizontalAdvance(label->text()) <= label->width());
        }
        QCOMPARE(names, 6);
    }

    void keysWalkTheDifferences()
    {
        two();
        QTest::keyClick(grid(), Qt::Key_F8);
        QCOMPARE(title(), u"pytorch-python313-cuda12_8-sm120-avx2"_s);
        QTRY_VERIFY(side(u"Recipe on the left"_s)->toPlainText().isEmpty() &&
                    side(u"Recipe on the left"_s)->placeholderText() == u"main has no recipe for this cell."_s);
        QTest::keyClick(grid(), Qt::Key_F8);
        QCOMPARE(title(), u"pytorch-python313-cuda12_8-sm80-avx2"_s);
        QTest::keyClick(grid(), Qt::Key_F8, Qt::ShiftModifier);
        QTest::keyClick(grid(), Qt::Key_F8, Qt::ShiftModifier);
        QCOMPARE(title(), u"pytorch-python313-cuda12_8-sm90-avx512"_s);
        auto *next = named<QToolButton>(m_panel.get(), u"Next difference"_s);
        QTRY_VERIFY(!next->rect().isEmpty()); // laid out, so that a click is inside
        QTest::mouseClick(next, Qt::LeftButton);
        QCOMPARE(title(), u"pytorch-python313-cuda12_8-sm120-avx2"_s);
    }

    void aClickShowsTheCell()
    {
        two();
        const QModelIndex index =
            m_panel->model()->indexOf({u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s});
        QTest::mouseClick(grid()->viewport(), Qt::LeftButton, {}, grid()->visualRect(index).center());
        QCOMPARE(title(), u"pytorch-python313-cuda12_8-sm90-avx2"_s);
        // From the grid into the recipes and out again with keys alone.
        QTest::keyClick(grid(), Qt::Key_Return);
        QVERIFY(side(u"Recipe on the left"_s)->hasFocus());
    }

    void changesWithinTheRecipes()
    {
        two();
        clickRecipes();
        auto *both = m_panel->findChild<SideBySide *>();
        QTRY_COMPARE(both->changeCount(), 2);
        QCOMPARE(both->currentChange(), 1);
        side(u"Recipe on the left"_s)->setFocus();
        QTest::keyClick(side(u"Recipe on the left"_s), Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(both->currentChange(), 2);
        QCOMPARE(named<QLabel>(both, u"Position in the changes"_s)->text(), u"Change 2 of 2 in the text"_s);
        QTest::keyClick(side(u"Recipe on the left"_s), Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(both->currentChange(), 2);
        QTest::keyClick(side(u"Recipe on the right"_s), Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(both->currentChange(), 1);
    }

    void theyScrollTogether()
    {
        QString many;
        for (int i = 0; i < 300; ++i)
            many += u"/line%1;"_s.arg(i);
        m_panel->setComparison(
            compared({sideWith(u"main"_s, u"sm90-avx2=a;"_s + many), sideWith(u"next"_s, u"sm90-avx2=b;"_s + many)}));
        clickRecipes();
        QTRY_COMPARE(side(u"Recipe on the right"_s)->blockCount(), 303);
        side(u"Recipe on the left"_s)->verticalScrollBar()->setValue(120);
        QCOMPARE(side(u"Recipe on the right"_s)->verticalScrollBar()->value(), 120);
        side(u"Recipe on the right"_s)->verticalScrollBar()->setValue(7);
        QCOMPARE(side(u"Recipe on the left"_s)->verticalScrollBar()->value(), 7);
    }

    void filters()
    {
        two();
        QCOMPARE(m_panel->model()->rowCount(), 3);
        QTest::mouseClick(named<QToolButton>(m_panel.get(), u"Only &missing"_s), Qt::LeftButton);
        QCOMPARE(m_panel->model()->rowCount(), 2);
        QTest::mouseClick(named<QToolButton>(m_panel.get(), u"Only &missing"_s), Qt::LeftButton);
        QTest::keyClick(named<QToolButton>(m_panel.get(), u"Only &differences"_s), Qt::Key_Space);
        QVERIFY(m_panel->model()->filter().onlyDifferences);
        auto *rows = named<QComboBox>(m_panel.get(), u"Only one GPU"_s);
        QCOMPARE(rows->count(), 4);
        rows->setFocus();
        QTest::keyClick(rows, Qt::Key_Down); // sm80
        QTest::keyClick(rows, Qt::Key_Down); // sm90
        QCOMPARE(m_panel->model()->filter().row, u"sm90"_s);
        QCOMPARE(m_panel->model()->rowCount(), 1);
        QCOMPARE(title(), u"pytorch-python313-cuda12_8-sm90-avx512"_s);
    }

    void ofManySidesTwoAreChosen()
    {
        m_panel->setComparison(compared({sideWith(u"a"_s, u"sm90-avx2=1;"_s), sideWith(u"b"_s, u"sm90-avx2=1;"_s),
                                         sideWith(u"c"_s, u"sm90-avx2=2;"_s), sideWith(u"d"_s, u"sm80-avx2=1;"_s)}));
        clickRecipes();
        auto *left = named<QComboBox>(m_panel.get(), u"Branch on the left"_s);
        auto *right = named<QComboBox>(m_panel.get(), u"Branch on the right"_s);
        QVERIFY(left->isVisible());
        QCOMPARE(left->currentText() + right->currentText(), u"ac"_s); // the first two that differ
        QCOMPARE(right->itemText(3), u"d (none)"_s);
        right->setFocus();
        QTest::keyClick(right, Qt::Key_Up);
        QCOMPARE(right->currentText(), u"b"_s);
        QTRY_COMPARE(m_panel->findChild<SideBySide *>()->changeCount(), 0);
    }

    void theCurrentCellStays()
    {
        two();
        QTest::keyClick(grid(), Qt::Key_F8);
        const QString before = title();
        two();
        QCOMPARE(title(), before);
        m_panel->setComparison(nullptr);
        QVERIFY(title().isEmpty());
        QVERIFY(!named<QPushButton>(m_panel.get(), u"&Export"_s)->isEnabled());
    }

    void whatCountsIsChosen()
    {
        two();
        const auto chips = [this] {
            QList<QToolButton *> chips = m_panel->findChild<FactChips *>()->findChildren<QToolButton *>();
            chips.removeIf([](const QToolButton *chip) { return !chip->isVisible() || !chip->isCheckable(); });
            return chips;
        };
        QStringList words;
        for (const QToolButton *chip : chips())
            words.append(chip->text());
        QCOMPARE(words.size(), 2);
        QVERIFY2(words.at(0).startsWith(u"\u2713 a "_s) && words.at(1).startsWith(u"\u2713 c "_s),
                 qPrintable(words.join(u'\n')));
        QToolButton *first = chips().constFirst();
        first->setFocus();
        QTest::keyClick(first, Qt::Key_Space);
        QVERIFY(!first->isChecked() && first->hasFocus());
        QVERIFY2(first->text().startsWith(u"a "_s), qPrintable(first->text()));
        const auto total = [this] { return named<QLabel>(m_panel.get(), u"Totals"_s)->text(); };
        QVERIFY2(total().contains(u"1 different"_s), qPrintable(total())); // in the other fact
        QTest::mouseClick(chips().constLast(), Qt::LeftButton);
        QVERIFY2(total().contains(u"1 alike but for what is ignored"_s), qPrintable(total()));
        QTest::mouseClick(first, Qt::LeftButton);
        QVERIFY2(total().contains(u"1 different"_s), qPrintable(total()));
        m_panel->setComparison(nullptr);
        QVERIFY(!m_panel->findChild<FactChips *>()->isVisible());
    }

    /// One line of chips; the others are one key away, and the recipes have ten lines at 1280 x 800.
    void chipsLeaveTheRecipesTheirRoom()
    {
        // Two that fit the line are whole, and none is hidden.
        const QString own = u"sm90-avx2=/set=\"packages_for_one_8\";/b=1;"_s;
        const QString next = u"sm90-avx2=/set=\"packages_for_one_9\";/b=2;"_s;
        m_panel->setComparison(compared({sideWith(u"main"_s, own), sideWith(u"next"_s, next)}));
        for (const QToolButton *button : m_panel->findChild<FactChips *>()->findChildren<QToolButton *>())
            QVERIFY2(!button->isVisible() || (button->isCheckable() && !button->text().contains(u'\u2026')),
                     qPrintable(button->text()));
        // Of many the first one that counts is whole, where the line has room for it.
        QString one = u"/base=\"torch_with_cuda_of_python_313\";"_s,
                other = u"/base=\"torch_with_cuda_of_python_3\";"_s;
        for (int i = 0; i < 40; ++i) {
            one += u"/fact%1=1;"_s.arg(i);
            other += u"/fact%1=2;"_s.arg(i);
        }
        m_panel->setComparison(
            compared({sideWith(u"main"_s, u"sm90-avx2="_s + one), sideWith(u"next"_s, u"sm90-avx2="_s + other)}));
        auto *chips = m_panel->findChild<FactChips *>();
        QToolButton *more = nullptr;
        for (QToolButton *button : chips->findChildren<QToolButton *>()) {
            if (button->text().endsWith(u" more"_s))
                more = button;
        }
        QVERIFY(more && more->isVisible());
        for (const QToolButton *button : chips->findChildren<QToolButton *>())
            QVERIFY2(!button->text().startsWith(u"✓ base "_s) || !button->text().contains(u'…'),
                     qPrintable(button->text()));
        const int line = chips->height();
        QVERIFY(line < 40);
        clickRecipes();
        auto *recipe = m_panel->findChild<SideView *>();
        QTRY_VERIFY(recipe->viewport()->height() >= 10 * recipe->fontMetrics().lineSpacing());
        more->setFocus();
        QTest::keyClick(more, Qt::Key_Space);
        QTRY_VERIFY(chips->height() > 2 * line);
        QCOMPARE(more->text(), u"Fewer"_s);
        QTest::keyClick(more, Qt::Key_Space);
        QTRY_COMPARE(chips->height(), line);
    }

    void remoteBranchesThatEqualLocalOnesAreHidden()
    {
        BranchChooser *chooser = m_panel->chooser();
        auto *list = chooser->findChild<QListWidget *>();
        const QString long60 = u"feature/"_s + QString(52, u'x') + u"-end"_s;
        using Kind = BranchSource::Kind;
        chooser->setSources({{Kind::Local, u"main"_s, u"main"_s, QString(40, u'1')},
                             {Kind::Remote, u"origin/main"_s, u"main"_s, QString(40, u'1')},
                             {Kind::Remote, u"origin/next"_s, u"next"_s, QString(40, u'2')},
                             {Kind::Local, long60, long60, QString(40, u'3')}},
                            {});
        QVERIFY(!list->item(0)->isHidden() && list->item(1)->isHidden() && !list->item(2)->isHidden());
        auto *filter = named<QLineEdit>(chooser, u"Filter branches"_s);
        QTest::keyClicks(filter, u"origin"_s);
        QVERIFY(list->item(0)->isHidden() && !list->item(1)->isHidden());
        filter->clear();
        QVERIFY(list->item(2)->text().startsWith(u"next of origin"_s)); // what differs is not cut
        chooser->setChecked({u"origin/main"_s});
        filter->setText(u" "_s);
        QVERIFY(!list->item(1)->isHidden()); // what is checked stays in sight

        for (int row : {0, 2, 3})
            QVERIFY(list->visualItemRect(list->item(row)).height() >= 22);
        const QRect rect = list->visualItemRect(list->item(3));
        QVERIFY(rect.width() <= list->viewport()->width()); // cut in the middle, not at the edge
        QVERIFY(list->item(3)->toolTip().contains(long60));
        two();
        const auto *facts = m_panel->findChild<FactTable *>();
        QVERIFY(facts->rowCount() > 0 && facts->rowHeight(0) >= 22);
        QVERIFY(grid()->rowHeight(0) >= 22);
    }

    /// Names of branches differ in their ends: a narrow list leaves the count of recipes out first.
    void aBranchIsWholeBeforeItsCount()
    {
        BranchChooser chooser;
        const QString name = u"pytorch-2.8-python311"_s;
        const auto drawn = [&](int width, int count) {
            chooser.setSources({{BranchSource::Kind::Local, name, name, QString(40, u'1')}}, {{name, count}});
            chooser.setFixedWidth(width);
            chooser.show();
            auto *list = chooser.findChild<QListWidget *>();
            return list->viewport()->grab(list->visualItemRect(list->item(0))).toImage();
        };
        const int width = chooser.fontMetrics().horizontalAdvance(name);
        QVERIFY(drawn(width + 200, 44) != drawn(width + 200, 55));
        QCOMPARE(drawn(width + 55, 44), drawn(width + 55, 55));
    }

    void branchesAreChecked()
    {
        BranchChooser *chooser = m_panel->chooser();
        auto *list = chooser->findChild<QListWidget *>();
        const auto source = [](const QString &label) {
            return BranchSource{BranchSource::Kind::Local, label, label, QString(40, u'1')};
        };
        chooser->setSources({source(u"main"_s), source(u"next"_s), source(u"old"_s)}, {{u"main"_s, 44}});
        QSignalSpy changed(chooser, &BranchChooser::checkedChanged);
        list->setFocus();
        list->setCurrentRow(1);
        QTest::keyClick(list, Qt::Key_Space);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(chooser->checked(), QStringList{u"next"_s});
        QCOMPARE(list->item(0)->text(), u"main"_s);
        // So does a click on its name, Return, and a click on the box.
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(2)).center());
        QCOMPARE(chooser->checked(), QStringList({u"next"_s, u"old"_s}));
        QCOMPARE(changed.size(), 2);
        // The order in which they were ticked is that of the columns.
        QCOMPARE(list->item(0)->text(), u"main"_s);
        QVERIFY(list->item(1)->text().startsWith(u"1. next"_s) && list->item(2)->text().startsWith(u"2. old"_s));
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(chooser->checked(), QStringList{u"next"_s});
        QCOMPARE(changed.size(), 3);
        const QRect line = list->visualItemRect(list->item(2));
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, QPoint(line.left() + 10, line.center().y()));
        QCOMPARE(chooser->checked(), QStringList({u"next"_s, u"old"_s}));
        QCOMPARE(changed.size(), 4);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, QPoint(line.left() + 10, line.center().y()));
        QCOMPARE(changed.size(), 5);
        // One that went away takes its check mark with it.
        chooser->setSources({source(u"main"_s), source(u"other"_s)}, {});
        QVERIFY(chooser->checked().isEmpty());
        QCOMPARE(changed.size(), 6);
        chooser->setChecked({u"other"_s, u"nothing"_s});
        QCOMPARE(chooser->checked(), QStringList{u"other"_s});

        // What is checked stays in sight.
        QTest::keyClicks(named<QLineEdit>(chooser, u"Filter branches"_s), u"mai"_s);
        QVERIFY(!list->item(0)->isHidden() && !list->item(1)->isHidden());
        chooser->setChecked({});
        QTest::keyClick(named<QLineEdit>(chooser, u"Filter branches"_s), Qt::Key_N);
        QVERIFY(list->item(1)->isHidden());
    }

    void otherRepositoriesAreAskedFor()
    {
        BranchChooser *chooser = m_panel->chooser();
        auto *list = chooser->findChild<QListWidget *>();
        QSignalSpy entered(chooser, &BranchChooser::commitEntered);
        const QString hostile = u"../<b>x\u202e</b>@a@b"_s;
        chooser->setOthers({u"../vision@main"_s, hostile});
        chooser->setSources({{BranchSource::Kind::Local, u"main"_s, u"main"_s, QString(40, u'1')}}, {});
        QCOMPARE(list->count(), 3);
        QCOMPARE(list->item(1)->text(), u"main of vision"_s);
        list->item(1)->setCheckState(Qt::Checked);
        QCOMPARE(entered.size(), 1);
        QCOMPARE(entered.first().first().toString(), u"../vision@main"_s);
        QVERIFY(chooser->checked().isEmpty()); // until it is read
        chooser->setReading(false);
        QCOMPARE(list->item(1)->checkState(), Qt::Unchecked); // it could not be read
        chooser->setSources({{BranchSource::Kind::Local, u"../vision@main"_s, u"main"_s, QString(40, u'1')}}, {});
        chooser->setChecked({u"../vision@main"_s, hostile});
        QCOMPARE(chooser->checked(), QStringList{u"../vision@main"_s});
        QCOMPARE(list->count(), 2);
        QTest::keyClicks(named<QLineEdit>(chooser, u"Filter branches"_s), u"vision"_s);
        QVERIFY(!list->item(0)->isHidden() && list->item(1)->isHidden());
    }

    void commitsAndStop()
    {
        BranchChooser *chooser = m_panel->chooser();
        QSignalSpy entered(chooser, &BranchChooser::commitEntered);
        auto *commit = named<QLineEdit>(chooser, u"Another commit to compare"_s);
        QTest::keyClicks(commit, u" main~1 "_s);
        QTest::keyClick(commit, Qt::Key_Return);
        QTest::keyClick(commit, Qt::Key_Return);
        QCOMPARE(entered.size(), 1);
        QCOMPARE(entered.first().first().toString(), u"main~1"_s);

        QSignalSpy stop(chooser, &BranchChooser::stopRequested);
        QSignalSpy read(chooser, &BranchChooser::readRequested);
        QVERIFY(!named<QToolButton>(chooser, u"Stop"_s)->isVisible());
        chooser->setReading(true);
        chooser->setProgress(2, 9);
        QCOMPARE(named<QLabel>(chooser, u"Reading progress"_s)->text(), u"Reading branch 3 of 9"_s);
        QTest::mouseClick(named<QToolButton>(chooser, u"Stop"_s), Qt::LeftButton);
        QCOMPARE(stop.size(), 1);
        chooser->setReading(false);
        chooser->setStopped(true);
        QTest::mouseClick(named<QToolButton>(chooser, u"Read the rest"_s), Qt::LeftButton);
        QCOMPARE(read.size(), 1);
        QCOMPARE(stop.size(), 1);
    }

    void exports()
    {
        two();
        QSignalSpy asked(m_panel.get(), &ComparePanel::exportRequested);
        const QList<QAction *> actions = named<QPushButton>(m_panel.get(), u"&Export"_s)->menu()->actions();
        actions.first()->trigger();
        actions.last()->trigger();
        QCOMPARE(asked.size(), 2);
        QCOMPARE(asked.at(0).at(1).toBool(), false);
        QCOMPARE(asked.at(1).at(1).toBool(), true);
    }

    void everyControlHasAName()
    {
        two();
        for (QWidget *widget : m_panel->findChildren<QWidget *>()) {
            if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible() || widget->inherits("QScrollBar") ||
                widget->focusProxy())
                continue;
            const auto *button = qobject_cast<QAbstractButton *>(widget);
            if (widget->inherits("QComboBoxPrivateContainer") || widget->objectName().startsWith("qt_"_L1) ||
                widget->inherits("QHeaderView"))
                continue;
            QVERIFY2(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()),
                     widget->metaObject()->className());
        }
    }

    /// The change that most cells have recedes in the picture; the exception stands out, and a reader is told of both.
    void exceptionsStandOut()
    {
        m_panel->setComparison(
            compared({sideWith(u"main"_s, u"sm80-avx2=a=1; sm86-avx2=a=1; sm89-avx2=a=1; sm90-avx2=a=1;"_s),
                      sideWith(u"next"_s, u"sm80-avx2=a=2; sm86-avx2=a=2; sm89-avx2=a=2; sm90-avx2=a=3;"_s)}));
        const auto index = [this](const QString &row) {
            return m_panel->model()->indexOf({u"pytorch"_s, u"python313"_s, u"12.8"_s, row, u"avx2"_s});
        };
        for (const QPalette &palette : {lightPalette(), darkPalette()}) {
            QApplication::setPalette(palette);
            QCoreApplication::sendPostedEvents();
            const QColor tint = likenessStyle(Likeness::Different, Theme::current(palette)).fill;
            const auto tinted = [&](const QString &row) {
                const QImage picture = grid()->viewport()->grab(grid()->visualRect(index(row))).toImage();
                int pixels = 0;
                for (int y = 0; y < picture.height(); ++y) {
                    for (int x = 0; x < picture.width(); ++x)
                        pixels += picture.pixelColor(x, y) == tint;
                }
                return pixels > 100;
            };
            // Of most of the cells no more is drawn than the frame, which is paler, and the sign.
            const auto signedWith = [&](const QString &row) {
                const QImage picture = grid()->viewport()->grab(grid()->visualRect(index(row))).toImage();
                double most = 0;
                for (int y = 6; y < picture.height() - 6; ++y) {
                    for (int x = 6; x < 24; ++x)
                        most = std::max(most, contrast(picture.pixelColor(x, y), palette.color(QPalette::Base)));
                }
                return most >= 4.5;
            };
            for (const QString &row : {u"sm80"_s, u"sm86"_s, u"sm89"_s})
                QVERIFY2(!tinted(row) && signedWith(row), qPrintable(row));
            QVERIFY(tinted(u"sm90"_s) && signedWith(u"sm90"_s));
        }
        // So it is of three that all differ.
        m_panel->setComparison(
            compared({sideWith(u"main"_s, u"sm80-avx2=a=1; sm86-avx2=a=1; sm89-avx2=a=1; sm90-avx2=a=1;"_s),
                      sideWith(u"next"_s, u"sm80-avx2=a=2; sm86-avx2=a=2; sm89-avx2=a=2; sm90-avx2=a=3;"_s),
                      sideWith(u"other"_s, u"sm80-avx2=a=4; sm86-avx2=a=4; sm89-avx2=a=4; sm90-avx2=a=4;"_s)}));
        QCOMPARE(
            m_panel->findChild<Legend *>()->accessibleDescription(),
            u"4 cells: all differ (4), a cell without words: all differ, tinted: in other facts than most cells"_s);
        QCOMPARE(index(u"sm80"_s).data(DeviationRole).toString(), QString());
        QCOMPARE(index(u"sm90"_s).data(DeviationRole).toString(), u"all differ: a"_s);
        m_panel->setComparison(
            compared({sideWith(u"main"_s, u"sm80-avx2=a=1; sm86-avx2=a=1; sm89-avx2=a=1; sm90-avx2=a=1;"_s),
                      sideWith(u"next"_s, u"sm80-avx2=a=2; sm86-avx2=a=2; sm89-avx2=a=2; sm90-avx2=a=3;"_s)}));
        // The legend tells what is there, and letters only where squares may have some.
        const QString legend = m_panel->findChild<Legend *>()->accessibleDescription();
        QCOMPARE(legend, u"4 cells: different (4), a cell without words: differs like most cells"_s);
        QAccessibleTableInterface *table = QAccessible::queryAccessibleInterface(grid())->tableInterface();
        const auto told = [&](const QString &row) {
            const QModelIndex cell = index(row);
            return table->cellAt(cell.row(), cell.column())->text(QAccessible::Name);
        };
        QCOMPARE(told(u"sm80"_s), u"sm80 Ampere datacenter, AVX2: differs like most cells"_s);
        QCOMPARE(told(u"sm90"_s), u"sm90 Hopper, AVX2: different: a"_s);
        QVERIFY(gridAsText(*m_panel->model()).contains(u"differs like most cells"_s));
    }

    /// Of three branches each cell says which one differs from the others, or lacks the recipe.
    void theOddBranchIsNamed()
    {
        m_panel->setComparison(compared(
            {sideWith(u"main"_s, u"sm80-avx2=a=1; sm86-avx2=a=1; sm89-avx2=a=1; sm90-avx2=a=1; sm75-avx2=a=1;"_s),
             sideWith(u"same"_s, u"sm80-avx2=a=1; sm86-avx2=a=1; sm89-avx2=a=2; sm90-avx2=a=1; sm75-avx2=a=1;"_s),
             sideWith(u"next"_s, u"sm80-avx2=a=2; sm86-avx2=a=2; sm89-avx2=a=3; sm100-avx2=a=1; sm75-avx2=a=1;"_s)}));
        const auto words = [this](const QString &row) {
            return m_panel->model()
                ->indexOf({u"pytorch"_s, u"python313"_s, u"12.8"_s, row, u"avx2"_s})
                .data()
                .toString();
        };
        QCOMPARE(words(u"sm75"_s), u"identical"_s);
        QVERIFY2(words(u"sm80"_s).startsWith(u"only next differs"_s), qPrintable(words(u"sm80"_s)));
        QVERIFY2(words(u"sm89"_s).startsWith(u"all differ"_s), qPrintable(words(u"sm89"_s)));
        QCOMPARE(words(u"sm90"_s), u"in 2 of 3, identical"_s);
        QCOMPARE(words(u"sm100"_s), u"only next"_s);
        QCOMPARE(m_panel->findChild<Legend *>()->accessibleDescription(),
                 u"6 cells: identical text (2), all differ (1), only next differs (2), missing there (1), "
                 "only on one branch (1), tinted: in other facts than most cells"_s);
        // The same number is in the head of the table, and in the cell: the picture of an odd one is another one.
        QVERIFY(m_panel->findChild<SidesTable *>()->text().startsWith(u"1. main (5) | 2. same (5) | 3. next (5)"_s));
        const auto drawn = [this](const QString &row) {
            const QModelIndex cell =
                m_panel->model()->indexOf({u"pytorch"_s, u"python313"_s, u"12.8"_s, row, u"avx2"_s});
            const QRect rect = grid()->visualRect(cell);
            return grid()->viewport()->grab(rect).toImage();
        };
        grid()->setCurrentIndex(
            m_panel->model()->indexOf({u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm75"_s, u"avx2"_s}));
        QVERIFY(drawn(u"sm80"_s) == drawn(u"sm86"_s));
        QVERIFY(drawn(u"sm80"_s) != drawn(u"sm89"_s) && drawn(u"sm80"_s) != drawn(u"sm90"_s));
    }

    /// A fact with three values has the beginning of each, and leaves the other facts their place in the line.
    void aChipOfThreeValuesIsNotTheWholeLine()
    {
        const auto cells = [](const QString &python, const QString &pin) {
            QString text = u"sm90-avx2=/base=\"python%1Packages.torch\";/own=\"%2\";"_s.arg(python, pin);
            for (int i = 0; i < 9; ++i)
                text += u"/fact%1=\"%2\";"_s.arg(i).arg(python);
            return text;
        };
        m_panel->setComparison(compared({sideWith(u"main"_s, cells(u"313"_s, u"fe5e41d"_s)),
                                         sideWith(u"next"_s, cells(u"3"_s, u"0182a36"_s)),
                                         sideWith(u"old"_s, cells(u"311"_s, u"fe5e41d"_s))}));
        const auto *chips = m_panel->findChild<FactChips *>();
        QToolButton *base = nullptr;
        int whole = 0;
        for (auto *chip : chips->findChildren<QToolButton *>()) {
            if (chip->text().contains(u"base"_s))
                base = chip;
            whole += chip->isCheckable() && chip->y() < chip->height() && chip->text().startsWith(u"\u2713"_s);
        }
        QVERIFY(base);
        QCOMPARE(base->text().count(u'\u00b7'), 2);
        for (const QString &value : base->text().split(u" \u00b7 "_s))
            QVERIFY2(value.contains(u"pyth"_s), qPrintable(base->text()));
        QVERIFY2(base->width() * 2 < chips->width(), qPrintable(QString::number(base->width())));
        QVERIFY2(whole > 2, qPrintable(QString::number(whole)));
    }

    void followsTheTheme()
    {
        two();
        QApplication::setPalette(darkPalette());
        QCoreApplication::sendPostedEvents();
        const QImage dark = m_panel->grab().toImage();
        QVERIFY(dark.pixelColor(dark.width() / 2, dark.height() - 60).lightness() < 90);
    }

    /// All columns of a real comparison, Metal's recipe and a long branch, without scrolling aside.
    void itFitsASmallWindow()
    {
        const QString side = u"pytorch-2.9-python313-with-a-long-name"_s;
        for (const bool third : {false, true}) {
            QList<ComparedSide> sides;
            for (const QString &label : {u"main"_s, side, u"next"_s}) {
                BranchContent content{label, QString(40, u'a'), false, {}};
                for (const QString &row : {u"sm75"_s, u"sm80"_s, u"sm86"_s, u"sm89"_s, u"sm90"_s, u"sm100"_s}) {
                    for (const Isa &isa : builtInCatalog()->isas)
                        content.files.append(recipeFile(u"pytorch-python313-cuda12_8-%1-%2"_s.arg(row, isa.id),
                                                        "{ }: { a = \"" + (label + row).toUtf8() + "\"; }\n", false));
                }
                content.files.append(recipeFile(u"pytorch-python313-darwin-mps"_s, label.toUtf8(), false));
                sides.append({label, std::make_shared<const BranchSnapshot>(
                                         makeSnapshot(builtInCatalog(), u"/repository"_s, content))});
                if (sides.size() == 2 && !third)
                    break;
            }
            m_panel->setComparison(compared(sides));
            for (const QSize size : {QSize(900, 600), QSize(853, 533)}) {
                m_panel->resize(size);
                QTRY_COMPARE(m_panel->size(), size);
                QTRY_COMPARE(grid()->horizontalScrollBar()->maximum(), 0);
                QTRY_VERIFY2(grid()->viewport()->height() >= 3 * grid()->rowHeight(0),
                             qPrintable(QString::number(grid()->viewport()->height())));
            }
        }
    }
};

TM_TEST(TestComparePanel, QApplication)
#include "tst_comparepanel.moc"
