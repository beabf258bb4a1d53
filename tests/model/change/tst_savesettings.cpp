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
        QCOMPARE(judgeLine(*builtInCatalog(), *builtInCatalog()->line(u"main"_s)), (LineVerdict{{}, {}, 44, 0}));
    }

    void aVersionThatThePinDoesNotHoldIsAWarning()
    {
        Settings line = *builtInCatalog()->line(u"main"_s);
        line.set(&Profile::version, u"2.9.0"_s);
        const LineVerdict verdict = judgeLine(*builtInCatalog(), line);
        QVERIFY(verdict.problem.isEmpty());
        QCOMPARE(verdict.promised, 44);
        QVERIFY2(verdict.warning.startsWith(u"nixpkgs fe5e41d7ff has PyTorch 2.8.0, not 2.9.0"_s),
                 qPrintable(verdict.warning));
    }

    void whatCannotBeSavedIsAProblem()
    {
        Settings line = *builtInCatalog()->line(u"main"_s);
        line.set(&Profile::pin, NixpkgsPin{u"x"_s, {}, {}});
        line.set(&Profile::version, u"2.9.0"_s);
        const LineVerdict verdict = judgeLine(*builtInCatalog(), line);
        QVERIFY2(verdict.problem.contains(u"nixpkgs"_s), qPrintable(verdict.problem));
        QVERIFY(verdict.warning.isEmpty());
        line = *builtInCatalog()->line(u"main"_s);
        line.set(&Profile::templateName, u"pytorch/none"_s);
        QVERIFY(judgeLine(*builtInCatalog(), line).problem.contains(u"there is no such template"_s));
    }
};

TM_TEST(SaveSettingsTest, QCoreApplication)
#include "tst_savesettings.moc"
