// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/MatrixModel.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/Snapshots.h"
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/grid/GridPanel.h"

#include <QApplication>
#include <QLineEdit>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

class ColourByMachineTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { pane::failOnWarnings(); }
    void isASwitchThatNeedsAMachine();
};

void ColourByMachineTest::isASwitchThatNeedsAMachine()
{
    MatrixModel model(builtInCatalog());
    model.setSnapshot(shared(branchOf(u"cuda-13_0"_s)));
    GridPanel panel;
    panel.setModel(&model);
    panel.resize(860, 760);
    panel.show();
    panel.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    QToolButton *button = nullptr;
    for (auto *one : panel.findChildren<QToolButton *>()) {
        if (one->text().startsWith(u"Colour by"_s))
            button = one;
    }
    QVERIFY(button);
    QVERIFY(!button->isEnabled()); // no machine yet
    QCOMPARE(button->accessibleName(), u"Colour by this machine"_s);
    QSignalSpy changed(&panel, &GridPanel::colourByMachineChanged);
    panel.setMachine(u"gpu-box"_s);
    QVERIFY(button->isEnabled());
    QVERIFY(button->toolTip().contains(u"gpu-box"_s));
    // From the field before it, by Tab and Space.
    panel.findChild<QLineEdit *>()->setFocus();
    for (int i = 0; i < 4 && QApplication::focusWidget() != button; ++i)
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), button);
    QTest::keyClick(button, Qt::Key_Space);
    QVERIFY(panel.coloursByMachine());
    QCOMPARE(changed, QList<QVariantList>{{true}});
    // The machine goes: so does the colour.
    panel.setMachine({});
    QVERIFY(!panel.coloursByMachine());
    QVERIFY(!button->isEnabled());
    QCOMPARE(changed, (QList<QVariantList>{{true}, {false}}));
}

TM_TEST(ColourByMachineTest, QApplication)
#include "tst_colourbymachine.moc"
