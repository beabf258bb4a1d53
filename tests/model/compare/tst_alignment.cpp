// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/compare/Alignment.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QStringList>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

class AlignmentTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void aligns_data()
    {
        QTest::addColumn<QByteArray>("left");
        QTest::addColumn<QByteArray>("right");
        QTest::addColumn<QString>("lines");
        QTest::newRow("equal") << "a\nb\n"_ba << "a\nb\n"_ba << u"1=1 2=2"_s;
        QTest::newRow("both empty") << ""_ba << ""_ba << QString();
        QTest::newRow("one empty") << ""_ba << "a\nb\n"_ba << u"0!1 0!2"_s;
        QTest::newRow("changed") << "a\nb\nc\n"_ba << "a\nx\nc\n"_ba << u"1=1 2!2 3=3"_s;
        QTest::newRow("inserted") << "a\nc\n"_ba << "a\nb\nc\n"_ba << u"1=1 0!2 2=3"_s;
        QTest::newRow("more on the left") << "a\nb\nc\nd\n"_ba << "a\nx\nd\n"_ba << u"1=1 2!2 3!0 4=3"_s;
        QTest::newRow("two changes, far apart")
            << "x\n1\n2\n3\n4\n5\n6\n7\n8\n9\ny\n"_ba << "z\n1\n2\n3\n4\n5\n6\n7\n8\n9\nz\n"_ba
            << u"1!1 2=2 3=3 4=4 5=5 6=6 7=7 8=8 9=9 10=10 11!11"_s;
        QTest::newRow("no final line end") << "a\nb"_ba << "a\nb\n"_ba << u"1=1 2!2"_s;
    }
    void aligns()
    {
        QFETCH(QByteArray, left);
        QFETCH(QByteArray, right);
        QFETCH(QString, lines);
        QStringList words;
        for (const AlignedLine &line : alignTexts(left, right))
            words.append(u"%1%2%3"_s.arg(line.left).arg(QChar(line.changed ? u'!' : u'=')).arg(line.right));
        QCOMPARE(words.join(u' '), lines);
    }
};

TM_TEST(AlignmentTest, QCoreApplication)
#include "tst_alignment.moc"
