// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/Job.h"
#include "model/job/LogFollower.h"
#include "model/job/LogKeeping.h"
#include "model/log/LogFile.h"
#include "model/log/LogSearch.h"
#include "model/log/PackedLog.h"
#include "model/outcome/OutcomeText.h"
#include "tests/support/FileText.h"
#include "tests/support/Fuzzing.h"
#include "tests/support/KillAt.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

constexpr qsizetype piece = 1024 * 1024;

/// Lines that a compressor makes little of, some of them long.
QByteArray randomLog(Fuzzing &fuzzing, qsizetype size)
{
    QByteArray text;
    while (text.size() < size) {
        QByteArray line = "torch> [" + QByteArray::number(fuzzing.below(6000)) + "/6000] ";
        for (int words = fuzzing.below(40); words >= 0; --words)
            line += QByteArray::number(fuzzing.below(1 << 30), 36) + ' ';
        text += line + (fuzzing.below(50) == 0 ? '\r' : '\n');
    }
    return text.first(size);
}

QByteArray readAll(const QString &log)
{
    const std::unique_ptr<QIODevice> device = openLog(log);
    return device ? device->readAll() : QByteArray("nothing");
}

} // namespace

/// Compressed logs read as before; old ones are removed by age and size, and nothing else is.
class tst_LogKeeping : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_state;
    int m_count = 0;

    [[nodiscard]] QString state() const { return m_state->path(); }
    /// Older ones ended so many days ago; its outcome says which it is.
    JobFolder job(const QByteArray &log, std::optional<double> endedDaysAgo)
    {
        Job job;
        job.id = u"20260101-000000-%1"_s.arg(++m_count, 6, 10, QLatin1Char('0'));
        job.repository = u"/r"_s;
        job.commit = job.blob = QString(40, u'1');
        job.recipe = u".flox/pkgs/x.nix"_s;
        job.package = job.variant = u"x"_s;
        job.created = QDateTime::currentDateTimeUtc();
        const Result<JobFolder> folder = JobFolder::create(state(), job);
        if (!folder)
            qFatal("%s", qPrintable(folder.error().sentence()));
        putFile(folder->logFile(), log);
        if (!endedDaysAgo)
            return *folder;
        JobOutcome outcome;
        outcome.build.sentence = u"The build failed: %1."_s.arg(job.id);
        outcome.started = outcome.ended = QDateTime::currentDateTimeUtc();
        static_cast<void>(folder->writeOutcome(outcome));
        QFile file(folder->file(u"outcome.json"_s));
        if (!file.open(QIODevice::ReadWrite) ||
            !file.setFileTime(QDateTime::currentDateTime().addMSecs(-qint64(*endedDaysAgo * 86'400'000)),
                              QFileDevice::FileModificationTime))
            qFatal("no time");
        return *folder;
    }
    /// "p" plain, "z" compressed, "-" gone, "!" both or a draft; in the order of the jobs.
    [[nodiscard]] QString forms() const
    {
        QString forms;
        for (const JobFolder &folder : JobFolder::all(state())) {
            const bool plain = QFile::exists(folder.logFile());
            const bool packed = QFile::exists(packedPath(folder.logFile()));
            const bool draft = QFile::exists(packedPath(folder.logFile()) + u".part"_s);
            forms += draft || (plain && packed) ? u'!' : plain ? u'p' : packed ? u'z' : u'-';
        }
        return forms;
    }

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning();
        m_state = std::make_unique<QTemporaryDir>(inMemory());
        m_count = 0;
    }

    void readsWhatItCompressed()
    {
        Fuzzing fuzzing(newSeed());
        QList<qsizetype> sizes{0, 1, piece - 1, piece, piece + 1, 2 * piece};
        for (int i = 0; i < fuzzInputs(3); ++i)
            sizes.append(fuzzing.below(4 * piece));
        for (const qsizetype size : std::as_const(sizes)) {
            const QByteArray text = randomLog(fuzzing, size);
            const QString log = m_state->filePath(u"log"_s);
            putFile(log, text);
            const LogIndex index = indexMore(log, {}, text.size() + 1);
            QVERIFY(packLog(log));
            QCOMPARE(QDir(state()).entryList(QDir::Files), QStringList{u"log.gz"_s});
            const std::unique_ptr<QIODevice> device = openLog(log);
            QVERIFY(device);
            QCOMPARE(device->size(), text.size());
            QVERIFY(device->readAll() == text);
            for (int i = 0; i < 200 && size > 0; ++i) {
                const qint64 from = fuzzing.below(size + 1);
                const qint64 count = fuzzing.below(i % 10 == 0 ? 2 * piece : 300);
                QVERIFY(device->seek(from));
                QVERIFY(device->read(count) == text.mid(from, count));
            }
            // The lines of the view do not depend on who indexed them.
            const LogIndex again = indexMore(log, {}, text.size() + 1);
            QCOMPARE(again.lineCount(), index.lineCount());
            const QString copy = m_state->filePath(u"copy"_s);
            QVERIFY(copyLog(log, copy));
            QVERIFY(contentOf(copy) == text);
            QVERIFY(!copyLog(log, copy)); // never over another file
            LogReader packed(log);
            LogReader plain(copy);
            for (qsizetype block = 0; block < index.blockCount(); ++block) {
                const QList<LogLine> a = packed.lines(again, block);
                const QList<LogLine> b = plain.lines(index, block);
                QCOMPARE(a.size(), b.size());
                for (qsizetype line = 0; line < a.size(); ++line)
                    QCOMPARE(a.at(line).text, b.at(line).text);
            }
            // gzip reads it too, as a normal file.
            QProcess gzip;
            gzip.start(u"gzip"_s, {u"-dc"_s, packedPath(log)});
            QVERIFY(gzip.waitForFinished());
            QCOMPARE(gzip.readAllStandardError(), QByteArray());
            QVERIFY(gzip.readAllStandardOutput() == text);
            QDir(state()).removeRecursively();
            QDir().mkpath(state());
        }
    }

    void showsACompressedLog()
    {
        Fuzzing fuzzing(newSeed());
        const QByteArray text = randomLog(fuzzing, 3 * piece);
        const JobFolder folder = job(text, 30);
        LogFile before;
        before.open(folder.logFile());
        QTRY_COMPARE(before.index().size(), text.size());
        const QString first = before.text(0);
        tidyLogs(state(), usualLogLimit);
        QCOMPARE(forms(), u"z"_s);
        LogFile after;
        after.open(folder.logFile());
        QTRY_COMPARE(after.index().size(), text.size());
        QCOMPARE(after.endLine(), before.endLine());
        for (const qsizetype line : {qsizetype(0), after.endLine() / 2, after.endLine() - 1})
            QCOMPARE(after.text(line), before.text(line)); // the view that was open reads on, too
        QCOMPARE(after.lineAt(2 * piece), before.lineAt(2 * piece));
        QByteArray followed;
        LogFollower follower(folder);
        for (QByteArray bytes = follower.read(); !bytes.isEmpty(); bytes = follower.read())
            followed += bytes;
        QVERIFY(followed == text);
    }

    void compressesOldOnes()
    {
        const QByteArray log = QByteArray("a line of a log\n").repeated(1000);
        for (int i = 0; i < 3; ++i)
            job(log, 8);
        for (int i = 0; i < 22; ++i)
            job(log, 6.0 - i * 0.1);
        const JobFolder runs = job(log, {});
        tidyLogs(state(), usualLogLimit);
        QCOMPARE(forms(), u"zzz"_s + u"zz"_s + QString(20, u'p') + u"p"_s);
        QCOMPARE(logUse(state()).logs, 26);
        QCOMPARE(logUse(state()).packed, 5);
        tidyLogs(state(), usualLogLimit); // nothing more to do
        QCOMPARE(forms(), u"zzz"_s + u"zz"_s + QString(20, u'p') + u"p"_s);
        QCOMPARE(contentOf(runs.logFile()), log);
    }

    void removesTheOldestAboveTheLimit()
    {
        Fuzzing fuzzing(newSeed());
        QList<JobFolder> folders;
        for (int i = 0; i < 6; ++i)
            folders.append(job(randomLog(fuzzing, 200'000), 6 - i));
        const JobFolder runs = job(randomLog(fuzzing, 500'000), {});
        const qint64 all = logUse(state()).bytes;
        tidyLogs(state(), all);
        QCOMPARE(forms(), u"ppppppp"_s);
        // Compression comes first, because it may be sufficient.
        QCOMPARE(tidyLogs(state(), all - 1), 0);
        QCOMPARE(forms(), u"zpppppp"_s);
        tidyLogs(state(), 500'000 + 200'000);
        QVERIFY2(forms().endsWith(u"zp"_s) && forms().startsWith(u'-'), qPrintable(forms()));
        QVERIFY(logUse(state()).bytes <= 700'000);
        // The running one is not touched, although it alone exceeds the limit; the others keep their outcome.
        QCOMPARE(tidyLogs(state(), 0), 0); // no limit
        const QString before = forms();
        const auto left = before.count(u'z');
        QCOMPARE(tidyLogs(state(), 1, OldLogs::Count), left);
        QCOMPARE(forms(), before);
        QCOMPARE(tidyLogs(state(), 1), left);
        QCOMPARE(forms(), u"------p"_s);
        QCOMPARE(contentOf(runs.logFile()).size(), 500'000);
        for (const JobFolder &folder : std::as_const(folders)) {
            QVERIFY(sentenceOf(folder.outcome()->build).contains(folder.id()));
            QVERIFY(folder.job());
            QVERIFY(storedLog(folder.logFile()).isEmpty());
        }
    }

    void losesNothingWhenItIsKilled()
    {
        Fuzzing fuzzing(newSeed());
        const QByteArray text = randomLog(fuzzing, piece + 1000);
        int kills = 0;
        for (int n = 1;; ++n) {
            QDir(state() + u"/jobs"_s).removeRecursively();
            const JobFolder old = job(text, 30);
            const JobFolder young = job(text, 1);
            const bool killed = killAtChange(n, [this] {
                tidyLogs(state(), usualLogLimit);
                return 0;
            });
            QVERIFY2(readAll(old.logFile()) == text, QByteArray::number(n));
            QVERIFY2(readAll(young.logFile()) == text, QByteArray::number(n));
            tidyLogs(state(), usualLogLimit); // whatever was left is put in order
            QCOMPARE(forms(), u"zp"_s);
            QVERIFY2(readAll(old.logFile()) == text, QByteArray::number(n));
            if (!killed)
                break;
            ++kills;
        }
        QVERIFY2(kills >= 5, QByteArray::number(kills));
    }

    void readsDamagedOnes()
    {
        Fuzzing fuzzing(newSeed());
        const QByteArray text = randomLog(fuzzing, 2 * piece + 5000);
        const QString log = m_state->filePath(u"log"_s);
        putFile(log, text);
        QVERIFY(packLog(log));
        const QByteArray good = contentOf(packedPath(log));
        for (int i = 0; i < fuzzInputs(60); ++i) {
            QByteArray bad = good;
            for (int changes = fuzzing.below(4); changes >= 0; --changes)
                bad[fuzzing.below(i % 2 ? 40 : bad.size())] = char(fuzzing.below(256));
            if (i % 3 == 0)
                bad.truncate(fuzzing.below(bad.size()));
            putFile(packedPath(log), bad);
            // Never another text: the bytes read are those at their offset.
            const std::unique_ptr<QIODevice> device = openLog(log);
            QVERIFY(device);
            QVERIFY(device->size() <= text.size());
            for (const qint64 place : {qint64(0), qint64(piece) + 5, 2 * qint64(piece) + 100}) {
                if (!device->seek(std::min(place, device->size())))
                    continue;
                const qint64 from = device->pos();
                const QByteArray got = device->read(1000);
                QVERIFY(got == text.mid(from, got.size()));
            }
            const LogIndex index = indexMore(log, {}, 10 * piece);
            LogReader reader(log);
            for (qsizetype block = 0; block < index.blockCount(); ++block)
                static_cast<void>(reader.lines(index, block));
        }
    }
};

TM_TEST(tst_LogKeeping, QCoreApplication)
#include "tst_logkeeping.moc"
