// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/RefLines.h"
#include "tests/support/Fuzzing.h"
#include "tests/support/GitFixture.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QMutex>
#include <QTest>
#include <QThread>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::GitFixture;

namespace {

using Files = QMap<QString, QByteArrayList>;
const QString ref = u"refs/torch-matrix/builds"_s;

Files randomFiles(tmx::test::Fuzzing &random)
{
    Files files;
    for (int i = random.below(20); i >= 0; --i)
        files[u"2026-%1"_s.arg(1 + random.below(3), 2, 10, QChar(u'0'))].append("line " +
                                                                                QByteArray::number(random.below(30)));
    return files;
}

Files united(const QList<Files> &all)
{
    Files files;
    for (const Files &one : all) {
        for (const auto &[name, lines] : one.asKeyValueRange()) {
            files[name] += lines;
            std::ranges::sort(files[name]);
            files[name].erase(std::ranges::unique(files[name]).begin(), files[name].end());
        }
    }
    return files;
}

} // namespace

class RefLinesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QTest::failOnWarning(); }

    void holdsAllThatWasAdded()
    {
        tmx::test::Fuzzing random(tmx::test::newSeed());
        const GitFixture f;
        f.commitFile(u"a.txt"_s, "one\n");
        QCOMPARE(readRefLines(f.path(), ref)->commit, QString());
        QList<Files> added;
        for (int i = 0; i < 10; ++i) {
            added.append(randomFiles(random));
            const Result<QString> commit = addRefLines(f.path(), ref, added.constLast(), {}, u"Add"_s);
            QVERIFY_OK(commit);
            const Result<RefLines> read = readRefLines(f.path(), ref);
            QVERIFY_OK(read);
            QCOMPARE(read->files, united(added));
            QCOMPARE(read->commit, *commit);
            QCOMPARE(*addRefLines(f.path(), ref, added.constFirst(), {}, u"Again"_s), *commit);
        }
        QCOMPARE(f.git({u"fsck"_s, u"--strict"_s}), QByteArray());
        // No branch, index or file is touched.
        QCOMPARE(f.git({u"status"_s, u"--porcelain"_s}), QByteArray());
    }

    void mergesInEitherOrder()
    {
        tmx::test::Fuzzing random(tmx::test::newSeed());
        for (int round = 0; round < 5; ++round) {
            const GitFixture f;
            const QStringList refs{u"refs/x/a"_s, u"refs/x/b"_s};
            const Files base = randomFiles(random);
            const Files sides[] = {randomFiles(random), randomFiles(random)};
            QVERIFY_OK(addRefLines(f.path(), refs.at(0), base, {}, u"Base"_s));
            QVERIFY_OK(addRefLines(f.path(), refs.at(1), {}, refs.at(0), u"Base"_s));
            for (int side = 0; side < 2; ++side)
                QVERIFY_OK(addRefLines(f.path(), refs.at(side), sides[side], {}, u"Side"_s));
            for (int side = 0; side < 2; ++side) {
                const QString merged = u"refs/x/merged%1"_s.arg(side);
                QVERIFY_OK(addRefLines(f.path(), merged, {}, refs.at(side), u"Copy"_s));
                const Result<QString> commit = addRefLines(f.path(), merged, {}, refs.at(1 - side), u"Merge"_s);
                QVERIFY_OK(commit);
                QCOMPARE(readRefLines(f.path(), merged)->files, united({base, sides[0], sides[1]}));
                // Both are in its history, so that either is a fast forward.
                for (const QString &one : refs)
                    f.git({u"merge-base"_s, u"--is-ancestor"_s, one, merged});
            }
        }
    }

    void losesNothingOfManyAtATime()
    {
        const GitFixture f;
        QList<QThread *> threads;
        QStringList errors;
        QMutex mutex;
        for (int i = 0; i < 6; ++i) {
            threads.append(QThread::create([&, i] {
                for (int n = 0; n < 5; ++n) {
                    const auto added = addRefLines(
                        f.path(), ref, {{u"all"_s, {"line " + QByteArray::number(i) + ' ' + QByteArray::number(n)}}},
                        {}, u"Add"_s);
                    const QMutexLocker lock(&mutex);
                    if (!added)
                        errors.append(added.error().sentence());
                }
            }));
            threads.constLast()->start();
        }
        for (QThread *thread : std::as_const(threads)) {
            thread->wait();
            delete thread;
        }
        QCOMPARE(errors, QStringList());
        QCOMPARE(readRefLines(f.path(), ref)->files.value(u"all"_s).size(), 30);
        QCOMPARE(f.git({u"rev-list"_s, u"--count"_s, ref}), "30");
    }

    void refusesWhatItDidNotWrite()
    {
        const GitFixture f;
        f.commitFile(u"folder/a.txt"_s, "one\n");
        f.git({u"update-ref"_s, ref, u"HEAD"_s});
        QVERIFY(!readRefLines(f.path(), ref).ok());
        const Result<QString> added = addRefLines(f.path(), ref, {{u"a"_s, {"b"}}}, {}, u"Add"_s);
        QVERIFY(!added.ok());
        QVERIFY(added.error().sentence().contains(u"something other than files"_s));
        QCOMPARE(f.git({u"rev-parse"_s, ref}), f.head().toLatin1());
        // Of a tree, no commit.
        f.git({u"update-ref"_s, ref, u"HEAD^{tree}"_s});
        QVERIFY(!readRefLines(f.path(), ref).ok());
    }

    /// More than fits: the oldest months are left out, in each clone the same ones; a colleague's file counts last.
    void leavesOutTheOldestMonths()
    {
        const GitFixture f;
        const QByteArray line(4000, 'x');
        for (int month = 1; month <= 7; ++month) {
            QByteArray text;
            for (int i = 0; i < 3000; ++i)
                text += QByteArray::number(month * 10000 + i) + line + '\n';
            f.write(u"2026-0%1"_s.arg(month), text);
        }
        f.write(u"notes"_s, "of a colleague\n");
        f.git({u"add"_s, u"."_s});
        f.git({u"commit"_s, u"-qm"_s, u"Much"_s});
        f.git({u"update-ref"_s, ref, u"HEAD"_s});
        const Result<RefLines> read = readRefLines(f.path(), ref);
        QVERIFY_OK(read);
        QVERIFY(read->files.contains(u"2026-07"_s) && !read->files.contains(u"2026-01"_s));
        const QMap<QString, QByteArrayList> added{{u"2026-08"_s, {"new"}}};
        const Result<QString> commit = addRefLines(f.path(), ref, added, {}, u"Add"_s);
        QVERIFY_OK(commit);
        const QStringList names = readRefLines(f.path(), ref)->files.keys();
        QCOMPARE(names, (QStringList{u"2026-04"_s, u"2026-05"_s, u"2026-06"_s, u"2026-07"_s, u"2026-08"_s}));
        QCOMPARE(*addRefLines(f.path(), ref, added, {}, u"Add"_s), *commit); // It stays so.
    }

    void readsNothingOfGigabytes()
    {
        const GitFixture f;
        QByteArray big(80 << 20, 'x');
        f.commitFile(u"big"_s, big);
        f.git({u"update-ref"_s, ref, u"HEAD"_s});
        const Result<RefLines> read = readRefLines(f.path(), ref);
        QVERIFY(!read.ok());
        QVERIFY(read.error().sentence().contains(u"larger than 64 MiB"_s));
    }
};

TM_TEST(RefLinesTest, QCoreApplication)
#include "tst_reflines.moc"
