// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/goto/GoToDialog.h"

#include <QApplication>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QSignalSpy>
#include <QTest>

using namespace tmx;
using namespace Qt::StringLiterals;

class GoToDialogTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { pane::failOnWarnings(); }

    void isUsedByKeys()
    {
        QList<GoToTarget> targets;
        for (int i = 0; i < 60; ++i)
            targets.append({GoToTarget::Kind::Cell, u"cell-%1"_s.arg(i), u"cell-%1"_s.arg(i), {}});
        targets.append({GoToTarget::Kind::Branch, u"<b>&x\n"_s, u"<b>&x\n"_s, u"branch"_s});
        QPointer<GoToDialog> dialog = new GoToDialog(targets);
        dialog->show();
        QVERIFY(QTest::qWaitForWindowExposed(dialog));
        auto *words = dialog->findChild<QLineEdit *>();
        auto *list = dialog->findChild<QListWidget *>();
        QVERIFY(!words->accessibleName().isEmpty() && !list->accessibleName().isEmpty());
        QCOMPARE(list->currentRow(), 0);
        QTest::keyClick(words, Qt::Key_Down);
        QCOMPARE(list->currentRow(), 1);
        QTest::keyClick(words, Qt::Key_PageDown);
        QVERIFY(list->currentRow() > 2);
        QTest::keyClick(words, Qt::Key_Up);
        QTest::keyClicks(words, u"nothing has it"_s);
        QCOMPARE(list->count(), 1);
        QTest::keyClick(words, Qt::Key_Return); // which goes nowhere
        QVERIFY(dialog->isVisible());
        words->clear();
        QTest::keyClicks(words, u"<b>"_s);
        QCOMPARE(list->item(0)->text(), u"<b>&x   branch"_s); // as it is, on one line
        QSignalSpy chosen(dialog, &GoToDialog::chosen);
        QTest::keyClick(words, Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.at(0).at(0).value<GoToTarget>().id, u"<b>&x\n"_s);
        QTRY_VERIFY(!dialog);
    }
};

TM_TEST(GoToDialogTest, QApplication)
#include "tst_gotodialog.moc"
