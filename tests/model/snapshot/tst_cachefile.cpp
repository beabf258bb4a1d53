// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/CacheFile.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QRandomGenerator>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace tmx;

class CacheFileTest : public QObject
{
    Q_OBJECT

    static QString fileIn(const QTemporaryDir &folder)
    {
        const QStringList files = QDir(folder.path()).entryList(QDir::Files);
        return files.isEmpty() ? QString() : folder.filePath(files.constFirst());
    }

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    /// Compared with a plain table, over several runs.
    void findsWhatWasInserted()
    {
        QRandomGenerator random(3);
        QTemporaryDir folder;
        QHash<QByteArray, QByteArray> expected;
        for (int start = 0; start < 5; ++start) {
            CacheFile answers(folder.path());
            for (auto it = expected.cbegin(); it != expected.cend(); ++it)
                QCOMPARE(answers.find(it.key()), *it);
            for (int i = 0; i < 50; ++i) {
                const QByteArray key = QByteArray::number(random.bounded(100));
                const QByteArray value(random.bounded(300), char(random.bounded(256)));
                answers.insert(key, value);
                expected.insert(key, value);
            }
            QVERIFY(!answers.find("none"));
        }
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
    }

    void withoutAFolderTheyLastWhileItRuns()
    {
        CacheFile answers({});
        answers.insert("key", "value");
        answers.save();
        QCOMPARE(answers.find("key"), "value");
        QVERIFY(!CacheFile({}).find("key"));
    }

    /// A truncated or changed file is ignored, and the next run writes a valid one.
    void damageIsIgnored()
    {
        QTemporaryDir folder;
        {
            CacheFile answers(folder.path());
            for (int i = 0; i < 20; ++i)
                answers.insert(QByteArray::number(i), QByteArray(100, 'x'));
        }
        QFile file(fileIn(folder));
        QVERIFY(file.open(QIODevice::ReadWrite));
        const QByteArray sound = file.readAll();
        for (qsizetype at = 0; at < sound.size(); at += 97) {
            QByteArray bytes = sound;
            bytes[at] = char(bytes.at(at) ^ 0x55);
            if (at % 2)
                bytes.truncate(at);
            QVERIFY(file.resize(0) && file.seek(0));
            file.write(bytes);
            QVERIFY(file.flush());
            CacheFile answers(folder.path());
            QVERIFY(!answers.find("0"));
            QVERIFY(!answers.find("19"));
        }
        {
            CacheFile answers(folder.path());
            answers.insert("0", "again");
        }
        QCOMPARE(CacheFile(folder.path()).find("0"), "again");
    }

    /// The file is not written again for each few results.
    void writesLittle()
    {
        QTemporaryDir folder;
        QSet<quint64> files; // by time of their writing
        {
            CacheFile answers(folder.path());
            for (int i = 1; i <= 6400; ++i) {
                answers.insert(QByteArray::number(i), "value");
                if (i % 32 == 0) {
                    answers.save(32);
                    struct stat status{};
                    QCOMPARE(::stat(QFile::encodeName(fileIn(folder)).constData(), &status), 0);
                    files.insert(status.st_mtim.tv_nsec + quint64(status.st_mtim.tv_sec) * 1'000'000'000);
                }
            }
        }
        QVERIFY2(files.size() > 5 && files.size() < 60, qPrintable(QString::number(files.size())));
        QCOMPARE(CacheFile(folder.path()).find("6400"), "value");
        QCOMPARE(CacheFile(folder.path()).find("1"), "value");
    }

    /// The most recently used ones stay.
    void isBounded()
    {
        constexpr qsizetype most = 20'000;
        QTemporaryDir folder;
        QRandomGenerator random(5);
        // Answers are compressed.
        const auto noise = [&random](qsizetype size) {
            QByteArray bytes(size, Qt::Uninitialized);
            for (char &byte : bytes)
                byte = char(random.bounded(256));
            return bytes;
        };
        for (int start = 0; start < 4; ++start) {
            CacheFile answers(folder.path(), most);
            if (start > 0)
                QVERIFY(answers.find("used"));
            answers.insert("used", "value");
            for (int i = 0; i < 100; ++i)
                answers.insert(QByteArray::number(100 * start + i), noise(500));
            QVERIFY(answers.find("used"));
        }
        QVERIFY(QFileInfo(fileIn(folder)).size() <= most + 100);
        CacheFile answers(folder.path(), most);
        QVERIFY(answers.find("399"));
        QVERIFY(!answers.find("0"));
        answers.insert("large", noise(most));
        QVERIFY(!answers.find("large"));
    }
};

TM_TEST(CacheFileTest, QCoreApplication)
#include "tst_cachefile.moc"
