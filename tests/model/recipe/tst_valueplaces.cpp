// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/ValuePlaces.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace tmx;

class ValuePlacesTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    /// Only what states a value is a place of it.
    void places_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("count");
        const auto row = [](const char *text, int count) { QTest::newRow(text) << QByteArray(text) << count; };
        row("{ cuda ? \"12.8\" }: cuda", 1);
        row("{ cuda = \"12.8\"; text = \"CUDA 12.8 and 12.8\"; }", 3);
        row("{ a = \"12.8.1\"; b = \"112.8\"; c = \"12.80\"; d = \"2.12.8\"; }", 0);
        row("# 12.8\n{ \"12.8\" = 1; /* 12.8 */ }", 0);
        row("{ lib, cuda }: lib.versionAtLeast cuda \"12.8\"", 0);
        row("{ lib, cuda }: lib.versionOlder \"12.8\" cuda || cuda == \"12.8\"", 0);
        row("{ cuda }: if cuda != \"12.8\" then \"12.8\" else builtins.elem cuda [ \"12.8\" ]", 1);
        row("{ cuda }: builtins.compareVersions cuda \"12.8\" >= 0", 0);
        row("{ f }: f \"12.8\"", 1);
    }
    void places()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const int, count);
        const QList<quint32> found = placesOfValue(text, "12.8");
        QCOMPARE(found.size(), count);
        for (const quint32 at : found)
            QCOMPARE(text.sliced(at, 4), QByteArray("12.8"));
    }

    /// A set of packages whose name goes on is another one.
    void placesOfSets()
    {
        const QByteArray text = "{ a = \"cudaPackages_13_1\"; b = \"cudaPackages_13\"; c = f: f.cudaPackages_13; }";
        QCOMPARE(placesOfValue(text, "cudaPackages_13").size(), 2);
        QCOMPARE(placesOfValue("{ a = \"12_8_1\"; b = \"cuda12_8\"; }", "12_8").size(), 1);
    }
};

TM_TEST(ValuePlacesTest, QCoreApplication)
#include "tst_valueplaces.moc"
