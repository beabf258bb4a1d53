// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/RepositoryNews.h"
#include "tests/support/SampleFixture.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::SampleFixture;

class TestRepositoryNews : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void whatChanged_data()
    {
        QTest::addColumn<BranchTips>("before");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("never seen") << BranchTips() << u"On main."_s;
        QTest::newRow("the same") << BranchTips{{u"main"_s, u"1"_s}, {u"next"_s, u"2"_s}}
                                  << u"On main. No new commits."_s;
        QTest::newRow("moved") << BranchTips{{u"main"_s, u"0"_s}, {u"next"_s, u"2"_s}}
                               << u"On main. New commits on main."_s;
        QTest::newRow("added and gone") << BranchTips{{u"main"_s, u"1"_s}, {u"old"_s, u"2"_s}}
                                        << u"On main. New branches: next. Deleted branches: old."_s;
        QTest::newRow("many gone") << BranchTips{{u"main"_s, u"1"_s}, {u"next"_s, u"2"_s}, {u"a"_s, {}},
                                                 {u"b"_s, {}},        {u"c"_s, {}},        {u"d"_s, {}}}
                                   << u"On main. Deleted branches: a, b, c and 1 more."_s;
    }
    void whatChanged()
    {
        QFETCH(const BranchTips, before);
        RepositoryInfo now;
        now.headBranch = u"main"_s;
        now.branches = {{u"main"_s, u"1"_s}, {u"next"_s, u"2"_s}};
        QTEST(tmx::whatChanged(now, before), "sentence");
    }

    void ofARepository()
    {
        const SampleFixture sample;
        const QString main = QString::fromUtf8(sample.git({u"rev-parse"_s, u"main"_s}));
        const BranchTips seen{{u"main"_s, main}};
        QCOMPARE(newsOf(sample.path(), seen), u"On main. New branches: cuda-12_9, cuda-13_0."_s);
        sample.git({u"commit"_s, u"-q"_s, u"--allow-empty"_s, u"-m"_s, u"More"_s});
        QVERIFY(newsOf(sample.path(), seen).contains(u"New commits on main."_s));
        QCOMPARE(newsOf(sample.path() + u"/gone"_s, seen), u"The folder is gone."_s);
        const QTemporaryDir none;
        QVERIFY(newsOf(none.path(), seen).contains(none.path())); // why not
    }
};

TM_TEST(TestRepositoryNews, QCoreApplication)
#include "tst_repositorynews.moc"
