// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/SaveSettings.h"
#include "tests/support/BranchContents.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

/// What is said of a line while it is edited.
class SaveSettingsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void aSoundLineIsCounted()
    {
        QCOMPARE(judgeSettings(*builtInCatalog(), *builtInCatalog()->settings(u"main"_s)),
                 (SettingsVerdict{{}, {}, 44, 0}));
    }

    void aVersionThatThePinDoesNotHoldIsAWarning()
    {
        Settings settings = *builtInCatalog()->settings(u"main"_s);
        settings.set(&Profile::version, u"2.9.0"_s);
        const SettingsVerdict verdict = judgeSettings(*builtInCatalog(), settings);
        QVERIFY(verdict.problem.isEmpty());
        QCOMPARE(verdict.promised, 44);
        QVERIFY2(verdict.warning.startsWith(u"nixpkgs fe5e41d7ff has PyTorch 2.8.0, not 2.9.0"_s),
                 qPrintable(verdict.warning));
    }

    void whatCannotBeSavedIsAProblem()
    {
        Settings settings = *builtInCatalog()->settings(u"main"_s);
        settings.set(&Profile::pin, NixpkgsPin{u"x"_s, {}, {}});
        settings.set(&Profile::version, u"2.9.0"_s);
        const SettingsVerdict verdict = judgeSettings(*builtInCatalog(), settings);
        QVERIFY2(verdict.problem.contains(u"nixpkgs"_s), qPrintable(verdict.problem));
        QVERIFY(verdict.warning.isEmpty());
        settings = *builtInCatalog()->settings(u"main"_s);
        settings.set(&Profile::templateName, u"pytorch/none"_s);
        QVERIFY(judgeSettings(*builtInCatalog(), settings).problem.contains(u"there is no such template"_s));
    }
};

TM_TEST(SaveSettingsTest, QCoreApplication)
#include "tst_savesettings.moc"
