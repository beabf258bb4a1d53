// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/SharedBuildLines.h"
#include "tests/support/Fuzzing.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>
#include <QTimeZone>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

const QDateTime now(QDate(2026, 3, 1), QTime(12, 0), QTimeZone::UTC);

/// An attempt with all that must stay here in it.
BuildRecord randomRecord(tmx::test::Fuzzing &random)
{
    BuildRecord record;
    record.job = u"job-%1"_s.arg(random.below(1'000'000'000));
    record.package = record.variant = u"pytorch-python313-cuda12_8-sm%1-avx2"_s.arg(random.below(130));
    record.blob = u"%1"_s.arg(random.below(1'000'000'000), 40, 16, QChar(u'0'));
    record.commit = u"%1"_s.arg(random.below(1'000'000'000), 40, 16, QChar(u'0'));
    record.branch = random.below(2) ? u"main"_s : u"pytorch-2.9/next"_s;
    record.repository = u"/home/secret/work/build-pytorch"_s;
    record.machine = u"0123456789abcdef0123456789abcdef"_s;
    record.engine = random.below(2) ? u"flox"_s : u"nix"_s;
    record.queued = now.addSecs(-random.below(100'000'000));
    record.started = record.queued.addSecs(random.below(1000));
    record.ended = record.started.addSecs(random.below(10'000));
    record.outcome = random.below(3) ? BuildOutcome::Kind::Built : BuildOutcome::Kind::OutOfMemory;
    record.reason = u"Out of memory on secret-host."_s;
    record.log = u"/home/secret/.local/state/log"_s;
    if (record.outcome == BuildOutcome::Kind::Built)
        record.result = random.below(4) ? u"/nix/store/%1-torch"_s.arg(random.below(1'000'000), 32, 10, QChar(u'0'))
                                        : u"/home/secret/store/torch"_s;
    record.peakMemory = 123;
    if (random.below(2)) {
        record.verified = random.below(2) ? u"passed"_s : u"failed"_s;
        record.size = random.below(1'000'000);
    }
    return record;
}

QList<BuildRecord> randomRecords(tmx::test::Fuzzing &random, int count)
{
    QList<BuildRecord> records;
    for (int i = 0; i < count; ++i)
        records.append(randomRecord(random));
    return records;
}

QByteArray joined(const QMap<QString, QByteArrayList> &files)
{
    QByteArray all;
    for (const QByteArrayList &lines : files)
        all += lines.join('\n') + '\n';
    return all;
}

/// What others know of a record.
BuildRecord shared(BuildRecord record, const QString &label)
{
    record.job = lineIdOf(record.machine, record.job);
    record.machine = label;
    record.repository.clear();
    record.log.clear();
    record.peakMemory = 0;
    record.reason = plainWordOf(record.outcome);
    record.elsewhere = true;
    if (!record.result.startsWith(u"/nix/store/"_s))
        record.result.clear();
    return record;
}

} // namespace

class BuildLineTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QTest::failOnWarning(); }

    void othersReadWhatWasWritten()
    {
        tmx::test::Fuzzing random(tmx::test::newSeed());
        for (int round = 0; round < 50; ++round) {
            QList<BuildRecord> records = randomRecords(random, 1 + random.below(30));
            const auto lines = sharedBuildLinesOf(records, {}, u"box.1"_s, {}, now);
            const SharedBuildLines read = readSharedBuildLines(lines);
            QCOMPARE(read.builds.size(), records.size());
            for (const BuildRecord &record : std::as_const(records)) {
                const BuildRecord expected = shared(record, u"box.1"_s);
                const auto found = std::ranges::find(read.builds, expected.job, &BuildRecord::job);
                QVERIFY(found != read.builds.end());
                QCOMPARE(*found, expected);
            }
            QVERIFY(std::ranges::is_sorted(
                read.builds, [](const QDateTime &a, const QDateTime &b) { return a > b; }, &BuildRecord::ended));
            for (const auto &[name, file] : lines.asKeyValueRange())
                QVERIFY(QRegularExpression(u"^[0-9]{4}-[0-9]{2}$"_s).match(name).hasMatch());
        }
    }

    void nothingElseLeaves()
    {
        tmx::test::Fuzzing random(tmx::test::newSeed());
        const QList<BuildRecord> records = randomRecords(random, 200);
        const QByteArray text = joined(sharedBuildLinesOf(
            records, {{u"/home/secret/x"_s, u"main"_s, u"pkg"_s, QString(40, u'a'), u"org/pkg"_s, now}}, u"box"_s, {},
            now));
        QVERIFY(text.contains("org/pkg"));
        for (const char *word : {"secret", "/home", "log", "0123456789abcdef0123456789abcdef", "memory on", "job-"})
            QVERIFY2(!text.contains(word), word);
    }

    /// The first error line goes along, without what it tells of the machine; lines of before have none.
    void theErrorLineIsShared_data()
    {
        QTest::addColumn<BuildOutcome::Kind>("kind");
        QTest::addColumn<QString>("error");
        QTest::addColumn<QString>("read");
        using Kind = BuildOutcome::Kind;
        const auto row = [](const char *name, Kind kind, const QString &error, const QString &read) {
            QTest::newRow(name) << kind << error << read;
        };
        row("plain", Kind::CompileError, u"‘_mm512_x’ was not declared in this scope"_s,
            u"‘_mm512_x’ was not declared in this scope"_s);
        row("path", Kind::CompileError, u"/home/secret/aten/x.cpp:3: no such file '/home/secret/y.h'"_s,
            u"x.cpp:3: no such file 'y.h'"_s);
        row("option", Kind::CompileError, u"-I/home/secret/include is wrong"_s, u"include is wrong"_s);
        row("address", Kind::HashMismatch, u"of https://me:secret@host/x.tar is wrong"_s, u"of … is wrong"_s);
        row("words", Kind::OutOfMemory, u"I/O error"_s, u"I/O error"_s);
        row("none", Kind::CompileError, {}, {});
        row("network", Kind::Network, u"secret-host does not answer"_s, {});
        row("machine", Kind::Lost, u"secret-host does not answer"_s, {});
        row("built", Kind::Built, u"secret"_s, {});
        row("long", Kind::CompileError, QString(500, u'x'), QString(160, u'x'));
    }
    void theErrorLineIsShared()
    {
        QFETCH(const BuildOutcome::Kind, kind);
        QFETCH(const QString, error);
        QFETCH(const QString, read);
        tmx::test::Fuzzing random(tmx::test::newSeed());
        BuildRecord record = randomRecord(random);
        record.job = u"20261122-153012-0413f9"_s;
        record.outcome = kind;
        record.error = error;
        const auto files = sharedBuildLinesOf({record}, {}, u"box"_s, {}, now);
        QVERIFY(!joined(files).contains("secret"));
        const SharedBuildLines shared = readSharedBuildLines(files);
        QCOMPARE(shared.builds.size(), 1);
        QCOMPARE(shared.builds.constFirst().error, read);
        QCOMPARE(shared.builds.constFirst().reason, read.isEmpty() ? plainWordOf(kind) : read);
        QCOMPARE(shared.builds.constFirst().jobThere, record.job);
    }

    /// Anybody who can push writes such a line.
    void aHostileErrorIsOneLineOfText()
    {
        tmx::test::Fuzzing random(tmx::test::newSeed());
        BuildRecord record = randomRecord(random);
        record.outcome = BuildOutcome::Kind::CompileError;
        const auto files = sharedBuildLinesOf({record}, {}, u"box"_s, {}, now);
        QJsonObject line = QJsonDocument::fromJson(files.first().constFirst()).object();
        line.insert(u"error"_s, u"a\nb\x1b[31m\u202ec<b>"_s + QString(300, u'd'));
        line.insert(u"job"_s, u"../../etc"_s);
        const SharedBuildLines read =
            readSharedBuildLines({{files.firstKey(), {QJsonDocument(line).toJson(QJsonDocument::Compact)}}});
        QCOMPARE(read.builds.size(), 1);
        QVERIFY(read.builds.constFirst().error.startsWith(u"a b[31mc<b>ddd"_s));
        QCOMPARE(read.builds.constFirst().error.size(), 160);
        QCOMPARE(read.builds.constFirst().jobThere, QString());
    }

    void sharesOnce()
    {
        tmx::test::Fuzzing random(tmx::test::newSeed());
        QList<BuildRecord> records = randomRecords(random, 40);
        const Publication publication{{}, u"main"_s, u"pkg"_s, QString(40, u'a'), u"org/pkg"_s, now};
        auto files = sharedBuildLinesOf(records, {publication}, u"box"_s, {}, now);
        QCOMPARE(sharedBuildLinesOf(records, {publication}, u"box"_s, readSharedBuildLines(files), now),
                 decltype(files)());
        // A verification that was made since is one line more, and the last word.
        records.first().verified = records.first().verified == "passed"_L1 ? u"failed"_s : u"passed"_s;
        const auto more =
            sharedBuildLinesOf(records, {publication}, u"box"_s, readSharedBuildLines(files), now.addSecs(1));
        QCOMPARE(joined(more).count('\n'), 1);
        for (const auto &[name, lines] : more.asKeyValueRange())
            files[name] += lines;
        const SharedBuildLines read = readSharedBuildLines(files);
        const auto found =
            std::ranges::find(read.builds, lineIdOf(records.first().machine, records.first().job), &BuildRecord::job);
        QVERIFY(found != read.builds.end());
        QCOMPARE(found->verified, records.first().verified);
    }

    void jobsOfOtherMachinesHaveOtherIds()
    {
        QVERIFY(lineIdOf(u"a"_s, u"1"_s) != lineIdOf(u"b"_s, u"1"_s));
        QVERIFY(lineIdOf(u"a"_s, u"1"_s) != lineIdOf(u"a"_s, u"2"_s));
    }

    void readsTheNewestFirst()
    {
        tmx::test::Fuzzing random(tmx::test::newSeed());
        const auto good = sharedBuildLinesOf(randomRecords(random, 1), {}, u"box"_s, {}, now);
        QMap<QString, QByteArrayList> files = good;
        for (const QString &other : {u"0000-01"_s, u"a colleague's notes"_s})
            files.insert(other, QByteArrayList(200'000, "{}"));
        const SharedBuildLines read = readSharedBuildLines(files);
        QCOMPARE(read.builds, readSharedBuildLines(good).builds);
        QCOMPARE(read.builds.size(), 1);
        QVERIFY(read.leftOut > 200'000);
    }

    void passesOverBadLines()
    {
        tmx::test::Fuzzing random(tmx::test::newSeed());
        const QList<BuildRecord> records = randomRecords(random, 20);
        const auto good = sharedBuildLinesOf(records, {}, u"box"_s, {}, now);
        QByteArrayList corpus;
        for (const QByteArrayList &lines : good)
            corpus += lines;
        const int inputs = tmx::test::fuzzInputs(2000);
        for (int i = 0; i < inputs; ++i) {
            QByteArrayList lines;
            for (int line = 0; line < 5; ++line)
                lines.append(random.input(corpus));
            const SharedBuildLines read = readSharedBuildLines({{u"2026-01"_s, lines}});
            for (const BuildRecord &record : read.builds) {
                QVERIFY(QRegularExpression(u"\\A[0-9a-f]{16}\\z"_s).match(record.job).hasMatch());
                for (const QString &word : {record.variant, record.package, record.machine, record.engine})
                    QVERIFY(!word.contains(QRegularExpression(u"[\\x00-\\x1f/<>]"_s)));
                QVERIFY(record.result.isEmpty() || record.result.startsWith(u"/nix/store/"_s));
                QVERIFY(record.ended.isValid());
            }
        }
        qInfo("total: %d inputs", inputs);
        QByteArray deep = QByteArray("[").repeated(100'000);
        QVERIFY(readSharedBuildLines({{u"2026-01"_s, {deep, "", "null", "{}", "[]", "{\"kind\":\"build\"}"}}})
                    .builds.isEmpty());
    }
};

TM_TEST(BuildLineTest, QCoreApplication)
#include "tst_sharedbuildlines.moc"
