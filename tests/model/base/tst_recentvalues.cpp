// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/RecentValues.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QStringList>
#include <QTest>
#include <QThread>

using namespace Qt::StringLiterals;
using namespace tmx;

class RecentValuesTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void findsWhatWasInserted()
    {
        RecentValues<QString, QStringList> values(10);
        QVERIFY(!values.find(u"a"_s));
        values.insert(u"a"_s, {u"1"_s});
        QCOMPARE(values.find(u"a"_s), QStringList{u"1"_s});
        values.insert(u"a"_s, {u"2"_s});
        QCOMPARE(values.find(u"a"_s), QStringList{u"2"_s});
        QCOMPARE(values.size(), 1);
    }

    void dropsTheLeastRecentlyUsed()
    {
        RecentValues<int, int> values(10);
        for (int key = 0; key < 10; ++key)
            values.insert(key, key);
        QVERIFY(values.find(0)); // used again
        values.insert(10, 10, 3);
        QVERIFY(values.find(0));
        for (const int gone : {1, 2, 3})
            QVERIFY(!values.find(gone));
        QVERIFY(values.find(4));
        QCOMPARE(values.size(), 8);
    }

    void whatCostsMoreThanAllIsNotKept()
    {
        RecentValues<int, int> values(10);
        values.insert(1, 1);
        values.insert(2, 2, 11);
        QVERIFY(!values.find(2));
        QVERIFY(values.find(1));
    }

    void servesSeveralThreads()
    {
        RecentValues<int, QByteArray> values(64);
        QList<QThread *> threads;
        std::atomic_int wrong = 0;
        for (int number = 0; number < 4; ++number) {
            threads.append(QThread::create([&values, &wrong] {
                for (int i = 0; i < 20'000; ++i) {
                    const int key = i % 100;
                    if (const auto value = values.find(key))
                        wrong += *value != QByteArray::number(key);
                    else
                        values.insert(key, QByteArray::number(key));
                }
            }));
            threads.constLast()->start();
        }
        for (QThread *thread : threads) {
            thread->wait();
            delete thread;
        }
        QCOMPARE(wrong, 0);
        QVERIFY(values.size() <= 64);
    }
};

TM_TEST(RecentValuesTest, QCoreApplication)
#include "tst_recentvalues.moc"
