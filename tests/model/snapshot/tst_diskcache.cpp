// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/DiskCache.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

QStringList filesIn(const QString &folder)
{
    return QDir(folder).entryList(QDir::Files | QDir::Hidden);
}

} // namespace

class DiskCacheTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void findsWhatWasInserted()
    {
        QTemporaryDir folder;
        const DiskCache cache(folder.filePath(u"a/b"_s));
        QVERIFY(!cache.find("key"));
        cache.insert("key", "value");
        cache.insert("empty", "");
        QCOMPARE(cache.find("key"), "value");
        QCOMPARE(cache.find("empty"), QByteArray(""));
        QVERIFY(!cache.find("ke"));
        cache.insert("key", "another");
        QCOMPARE(DiskCache(cache.folder()).find("key"), "another");
        QCOMPARE(filesIn(cache.folder()).size(), 2);
    }

    void damageIsAMiss_data()
    {
        QTest::addColumn<int>("cut");
        QTest::addColumn<int>("flip");
        QTest::newRow("cut") << 3 << -1;
        QTest::newRow("empty") << 1000 << -1;
        QTest::newRow("a byte of the value") << 0 << 1;
        QTest::newRow("a byte of the digest") << 0 << 10;
    }
    void damageIsAMiss()
    {
        QFETCH(int, cut);
        QFETCH(int, flip);
        QTemporaryDir folder;
        const DiskCache cache(folder.path());
        cache.insert("key", "value");
        QFile file(folder.filePath(filesIn(folder.path()).constFirst()));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QByteArray bytes = file.readAll();
        bytes.chop(cut);
        if (flip >= 0)
            bytes[bytes.size() - flip] = char(bytes[bytes.size() - flip] ^ 1);
        QVERIFY(file.resize(0) && file.seek(0));
        file.write(bytes);
        file.close();
        QVERIFY(!cache.find("key"));
        cache.insert("key", "value");
        QCOMPARE(cache.find("key"), "value");
    }

    void isBounded()
    {
        QTemporaryDir folder;
        const DiskCache cache(folder.path(), 10'000);
        for (int i = 0; i < 40; ++i)
            cache.insert(QByteArray::number(i), QByteArray(1000, 'x'));
        qint64 total = 0;
        for (const QString &name : filesIn(folder.path()))
            total += QFileInfo(folder.filePath(name)).size();
        QVERIFY2(total <= 10'000, qPrintable(QString::number(total)));
        QVERIFY(cache.find("39"));
        QVERIFY(filesIn(folder.path()).size() > 3); // and more than the newest; which ones depends on the clock's ticks
        // Each run of the program begins with a look at the folder.
        for (int i = 40; i < 80; ++i)
            DiskCache(folder.path(), 10'000).insert(QByteArray::number(i), QByteArray(1000, 'x'));
        QVERIFY2(filesIn(folder.path()).size() < 10, qPrintable(QString::number(filesIn(folder.path()).size())));
        cache.insert("large", QByteArray(20'000, 'x'));
        QVERIFY(!cache.find("large"));
    }

    void aFolderThatCannotBeIsAMiss()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(u"file"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const DiskCache cache(folder.filePath(u"file/below"_s));
        cache.insert("key", "value");
        QVERIFY(!cache.find("key"));
    }

    void manyAtOnce()
    {
        QTemporaryDir folder;
        const DiskCache cache(folder.path());
        QThreadPool pool;
        pool.setMaxThreadCount(8);
        std::atomic_int wrong = 0;
        for (int i = 0; i < 400; ++i) {
            pool.start([&cache, &wrong, i] {
                const QByteArray key = QByteArray::number(i % 7);
                cache.insert(key, key.repeated(500));
                const auto found = cache.find(key);
                wrong += found && *found != key.repeated(500);
            });
        }
        pool.waitForDone();
        QCOMPARE(wrong, 0);
    }

    void anotherVersionIsAnotherProgram()
    {
        QCoreApplication::setApplicationVersion(u"1.0.0 (abc1234)"_s);
        const QByteArray one = programFingerprint();
        QVERIFY(one.contains("1.0.0 (abc1234)"));
        QCOMPARE(programFingerprint(), one);
        QCoreApplication::setApplicationVersion(u"1.0.0 (def5678)"_s);
        QVERIFY(programFingerprint() != one);
    }

    void anotherLanguageIsAnotherProgram()
    {
        const QLocale before;
        const auto restore = qScopeGuard([&before] {
            QLocale::setDefault(before);
            qunsetenv("TORCH_MATRIX_TRANSLATIONS");
        });
        const QByteArray one = programFingerprint();
        QLocale::setDefault(QLocale(u"de_DE"_s));
        const QByteArray german = programFingerprint();
        QVERIFY(german != one);
        QTemporaryDir folder;
        qputenv("TORCH_MATRIX_TRANSLATIONS", folder.path().toUtf8());
        QFile file(folder.filePath(u"torch-matrix_de.qm"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QByteArray empty = programFingerprint();
        file.write("another");
        file.close();
        QVERIFY(programFingerprint() != german);
        QVERIFY(programFingerprint() != empty);
    }
};

TM_TEST(DiskCacheTest, QCoreApplication)
#include "tst_diskcache.moc"
