// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"

#include <QApplication>
#include <QFile>
#include <QIcon>
#include <QImage>
#include <QTest>

using namespace Qt::StringLiterals;

class TestIcons : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void theProgramsIconIsInTheProgram_data()
    {
        QTest::addColumn<int>("size");
        for (const int size : {16, 22, 32, 48, 128})
            QTest::addRow("%d", size) << size;
    }
    void theProgramsIconIsInTheProgram()
    {
        QFETCH(int, size);
        const QImage image = QIcon(u":/torch-matrix/icons/torch-matrix.svg"_s).pixmap(QSize(size, size), 1.0).toImage();
        QCOMPARE(image.size(), QSize(size, size));
        // The flame lies over the middle cell; a cell without it is the colour of slate.
        const QColor flame = image.pixelColor(size * 30 / 64, size * 28 / 64);
        QVERIFY2(flame.red() > 200 && flame.blue() < flame.red(), qPrintable(flame.name()));
        const QColor cell = image.pixelColor(size * 10 / 64, size * 52 / 64);
        QVERIFY2(cell.blue() > cell.red(), qPrintable(cell.name()));
        QCOMPARE(image.pixelColor(0, 0).alpha() < 128, true);
    }
};

TM_TEST(TestIcons, QApplication)
#include "tst_icons.moc"
