// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/compare/Companions.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;
using namespace tmx;

class CompanionsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void fits()
    {
        const StatedTorch torch{true, false, u"2.9.1"_s, u"aaa"_s};
        const auto needing = [](const QString &version, const QString &pin) {
            return StatedTorch{false, true, version, pin};
        };
        QCOMPARE(fitOf(needing(u"2.9.1"_s, u"aaa"_s), torch), TorchFit::Same);
        QCOMPARE(fitOf(needing(u"2.9"_s, u"bbb"_s), torch), TorchFit::OtherPin);
        QCOMPARE(fitOf(needing(u"2.9.1"_s, {}), torch), TorchFit::OtherPin);
        QCOMPARE(fitOf(needing(u"2.8.0"_s, u"aaa"_s), torch), TorchFit::Other);
        QCOMPARE(fitOf(needing({}, u"aaa"_s), torch), TorchFit::Unknown);
        // One nixpkgs has one torch.
        StatedTorch own = torch;
        own.fromPin = true;
        StatedTorch its = needing({}, u"aaa"_s);
        its.fromPin = true;
        QCOMPARE(fitOf(its, own), TorchFit::Same);
        its.pin = u"bbb"_s;
        QCOMPARE(fitOf(its, own), TorchFit::Unknown);
    }
};

TM_TEST(CompanionsTest, QCoreApplication)
#include "tst_companions.moc"
