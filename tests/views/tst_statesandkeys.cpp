// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/StateWords.h"
#include "tests/support/TestMain.h"
#include "views/hardware/MachineTextDialog.h"
#include "views/help/StatesAndKeys.h"
#include "views/publish/PublishDialog.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

class StatesAndKeysTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QTest::failOnWarning(); }

    /// The legend has every state with a separate sentence.
    void namesEveryState()
    {
        auto *dialog = new StatesAndKeys({});
        dialog->show();
        QVERIFY(QTest::qWaitForWindowExposed(dialog));
        QStringList texts;
        for (const auto *label : dialog->findChildren<QLabel *>())
            texts.append(label->text());
        QSet<QString> meanings;
        for (const RecipeState state : allRecipeStates) {
            QVERIFY2(texts.contains(stateWord(state)), qPrintable(stateWord(state)));
            QVERIFY2(texts.contains(stateMeaning(state)), qPrintable(stateMeaning(state)));
            meanings.insert(stateMeaning(state));
        }
        for (const Fit fit : allFits) {
            QVERIFY(texts.contains(fitWord(fit)) && texts.contains(fitMeaning(fit)));
            meanings.insert(fitMeaning(fit));
        }
        QCOMPARE(meanings.size(), allRecipeStates.size() + allFits.size());
        // Esc closes and deletes it.
        const QPointer<StatesAndKeys> alive = dialog;
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(!alive);
    }

    /// The keys are those of the menus, so they stay up to date.
    void listsTheKeysOfTheMenus()
    {
        QMenuBar bar;
        QMenu *recipe = bar.addMenu(u"Re&cipe"_s);
        recipe->addAction(u"&Generate"_s)->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_G));
        recipe->addAction(u"No key"_s);
        recipe->addSeparator();
        QMenu *more = recipe->addMenu(u"&More"_s);
        more->addAction(u"Fish && chips\u2026"_s)->setShortcut(QKeySequence(Qt::Key_F7));
        const QList<KeyHelp> keys = keysOf(&bar);
        QCOMPARE(keys.size(), 2);
        QCOMPARE(keys.at(0).keys, QKeySequence(Qt::CTRL | Qt::Key_G).toString(QKeySequence::NativeText));
        QCOMPARE(keys.at(0).what, u"Recipe: Generate"_s);
        QCOMPARE(keys.at(1).what, u"Recipe: Fish & chips"_s);
        StatesAndKeys dialog(keys);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        QStringList texts;
        for (const auto *label : dialog.findChildren<QLabel *>())
            texts.append(label->text());
        QVERIFY(texts.contains(u"Recipe: Generate"_s) && texts.contains(u"F7"_s));
    }

    /// A dialog is no larger than the smallest window that it belongs to.
    void dialogsFitTheWindow()
    {
        QWidget window;
        window.resize(853, 533);
        window.show();
        auto *keys = new StatesAndKeys({}, &window);
        auto *machine = new MachineTextDialog(&window);
        auto *publish = new PublishDialog({}, {}, &window);
        for (QWidget *dialog : std::initializer_list<QWidget *>{keys, machine, publish}) {
            dialog->show();
            QVERIFY(QTest::qWaitForWindowExposed(dialog));
            QVERIFY2(dialog->width() <= window.width() && dialog->height() <= window.height(),
                     qPrintable(dialog->windowTitle()));
            dialog->close();
        }
    }
};

TM_TEST(StatesAndKeysTest, QApplication)
#include "tst_statesandkeys.moc"
