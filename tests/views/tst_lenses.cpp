// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/MatrixModel.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/Snapshots.h"
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/grid/GridPanel.h"
#include "views/grid/StateFilterBar.h"

#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

class LensesTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { pane::failOnWarnings(); }
    void areChosenByKeys();
    void buildStatesAreChips();
};

void LensesTest::areChosenByKeys()
{
    MatrixModel model(builtInCatalog());
    model.setSnapshot(shared(branchOf(u"cuda-13_0"_s)));
    GridPanel panel;
    panel.setModel(&model);
    panel.resize(860, 760);
    panel.show();
    panel.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    QComboBox *lens = nullptr;
    for (auto *box : panel.findChildren<QComboBox *>()) {
        if (box->accessibleName() == u"What the cells show"_s)
            lens = box;
    }
    QVERIFY(lens);
    QVERIFY(!panel.offers(Lens::Machine)); // no machine yet
    // From the filter, by Tab and arrows.
    panel.findChild<QLineEdit *>()->setFocus();
    for (int i = 0; i < 4 && QApplication::focusWidget() != lens; ++i)
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), lens);
    QTest::keyClick(lens, Qt::Key_Down);
    QVERIFY(model.lens() == Lens::Build);
    for (int i = 0; i < 2; ++i)
        QTest::keyClick(lens, Qt::Key_Down);
    QVERIFY(model.lens() == Lens::Time); // over the machine's
    const QString hostile = u"<b>gpu & box</b>"_s;
    panel.setMachine(hostile);
    QTest::keyClick(lens, Qt::Key_Up);
    QVERIFY(model.lens() == Lens::Machine);
    const QString tip = lens->itemData(int(Lens::Machine), Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(u"gpu"_s) && !tip.contains(hostile), qPrintable(tip));
    // The machine goes, and its lens with it.
    panel.setMachine({});
    QVERIFY(model.lens() == Lens::Recipe);
    QCOMPARE(lens->currentText(), u"Recipe"_s);
    QVERIFY(!panel.offers(Lens::Machine));
}

void LensesTest::buildStatesAreChips()
{
    BranchSnapshot snapshot = branchOf(u"main"_s);
    MatrixModel model(builtInCatalog());
    model.setSnapshot(shared(snapshot));
    GridPanel panel;
    panel.setModel(&model);
    panel.resize(860, 760);
    panel.show();
    auto *bar = panel.findChild<StateFilterBar *>();
    const auto chip = [bar](const QString &text) {
        for (QToolButton *button : bar->findChildren<QToolButton *>()) {
            if (button->text() == text && button->isVisible())
                return button;
        }
        return static_cast<QToolButton *>(nullptr);
    };
    QVERIFY(!chip(u"failed 1"_s));
    const QString failed = u"pytorch-python313-cuda12_8-sm90-avx2"_s, built = u"pytorch-python313-cpu-avx2"_s;
    model.setBuildStates(
        {{failed, {.phase = BuildState::Phase::Failed}}, {built, {.phase = BuildState::Phase::Built}}});
    QTRY_VERIFY(chip(u"failed 1"_s) && chip(u"built 1"_s));
    const auto *table = panel.findChild<QTableView *>();
    QTest::mouseClick(chip(u"failed 1"_s), Qt::LeftButton);
    QCOMPARE(table->model()->rowCount(), 1);
    QCOMPARE(table->model()->index(0, 0).data(VariantNameRole).toString(), failed);
    QTest::mouseClick(chip(u"built 1"_s), Qt::LeftButton); // one or the other
    QCOMPARE(table->model()->rowCount(), 2);
    panel.clearFilter();
    QCOMPARE(table->model()->rowCount(), model.rowCount());
    // Where they have no room in one line they take another one: none is behind an arrow, or cut.
    QHash<QString, BuildState> all;
    int phase = int(BuildState::Phase::Queued);
    for (const VariantEntry &entry : snapshot.entries) {
        if (phase <= int(BuildState::Phase::FailedElsewhere))
            all.insert(entry.variant.name(), {.phase = BuildState::Phase(phase++)});
    }
    const int line = bar->height();
    model.setBuildStates(all);
    panel.resize(500, 760);
    const auto whole = [bar] {
        return std::ranges::all_of(bar->findChildren<QToolButton *>(), [bar](const QToolButton *button) {
            return !button->isVisible() ||
                   (bar->rect().contains(button->geometry()) && button->width() >= button->sizeHint().width());
        });
    };
    QTRY_VERIFY(whole() && bar->height() > line);
}

TM_TEST(LensesTest, QApplication)
#include "tst_lenses.moc"
