// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/FileText.h"
#include "tests/support/Fuzzing.h"
#include "tests/support/TestMain.h"

#include "model/base/Process.h"
#include "model/base/TerminalText.h"
#include "model/job/Job.h"
#include "model/log/LogFile.h"
#include "model/log/NinjaProgress.h"
#include "model/log/OutputDecoder.h"
#include "model/outcome/OutcomeReader.h"
#include "model/outcome/OutcomeText.h"

#include <QCoreApplication>
#include <QTimeZone>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

/// Whether the text has something that a terminal would interpret: an escape other than colours, or a control character
/// other than tab, newline and carriage return.
bool isObeyed(const QByteArray &text)
{
    for (qsizetype i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text.at(i));
        if (c == 0x1b) {
            const qsizetype end = text.indexOf('m', i);
            const QByteArray colour = text.mid(i, end - i);
            if (end < 0 || !colour.startsWith("\x1b[") ||
                colour.mid(2).toStdString().find_first_not_of("0123456789;:") != std::string::npos)
                return true;
            i = end;
        } else if ((c < 0x20 && c != '\n' && c != '\t' && c != '\r') || c == 0x7f) {
            return true;
        }
    }
    return false;
}

QList<LogLine> linesOf(const QString &path, const LogIndex &index)
{
    LogReader reader(path);
    QList<LogLine> lines;
    for (qsizetype block = 0; block < index.blockCount(); ++block)
        lines += reader.lines(index, block);
    return lines;
}

} // namespace

/// Randomly changed build logs: reading them in any pieces gives the same lines, the same progress and an outcome in
/// words, and only text and colours reach a terminal.
class LogFuzzTest : public QObject
{
    Q_OBJECT
    quint32 m_seed = 0;

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }
    void initTestCase() { m_seed = newSeed(); }

    void logs()
    {
        Fuzzing fuzzing(m_seed);
        const QByteArrayList corpus = corpusOf(u"build"_s);
        const QTemporaryDir folder(inMemory());
        const int count = fuzzInputs(6'000);
        for (int i = 0; i < count; ++i) {
            const QByteArray log = fuzzing.input(corpus);
            const auto where = [&] { return "input " + QByteArray::number(i) + '\n' + log.toHex(); };
            OutputDecoder whole;
            OutputDecoder pieces;
            LogIndex asWhole;
            LogIndex asPieces;
            LineReader reader;
            NinjaProgress progress;
            OutcomeReader outcome(u"pytorch-python313-cpu-avx2"_s);
            TerminalStream stream;
            QByteArray printed;
            QString decoded = whole.decode(log);
            decoded += whole.flush();
            QString inPieces;
            asWhole.read(log);
            const auto take = [&](const QStringList &lines) {
                for (const QString &line : lines) {
                    progress.read(line);
                    outcome.read(line);
                }
            };
            for (qsizetype at = 0; at < log.size();) {
                const QByteArray piece = log.mid(at, 1 + fuzzing.below(40));
                at += piece.size();
                const QString text = pieces.decode(piece);
                inPieces += text;
                asPieces.read(piece);
                take(reader.read(text));
                printed += stream.add(piece);
            }
            inPieces += pieces.flush();
            QVERIFY2(inPieces == decoded, where());
            take(reader.flush());
            printed += stream.end();
            QVERIFY2(!isObeyed(printed), where());
            QVERIFY2(!isObeyed(terminalText(log).replace('\r', "")), where());
            tmx::test::putFile(folder.filePath(u"log"_s), log);
            const QList<LogLine> lines = linesOf(folder.filePath(u"log"_s), asWhole);
            const QList<LogLine> again = linesOf(folder.filePath(u"log"_s), asPieces);
            QVERIFY2(lines.size() == again.size(), where());
            for (qsizetype line = 0; line < lines.size(); ++line)
                QVERIFY2(lines.at(line).text == again.at(line).text && lines.at(line).runs == again.at(line).runs,
                         where());
            ProcessOutcome process;
            process.started = true;
            process.exitCode = fuzzing.below(3);
            const BuildOutcome ended = outcome.outcome(process, {});
            QVERIFY2(!sentenceOf(ended).isEmpty() && ended.lastErrors.size() <= 20, where());
            QVERIFY2(progress.step() >= 0 && progress.total() >= 0, where());
        }
        qInfo("total: %d inputs", count);
    }

    void jobFiles()
    {
        Fuzzing fuzzing(m_seed);
        Job job;
        job.id = u"20260131-101112-3f9a2c"_s;
        job.repository = u"/home/somebody/build-pytorch"_s;
        job.branch = u"main"_s;
        job.commit = QString(40, u'a');
        job.blob = QString(40, u'b');
        job.recipe = u".flox/pkgs/pytorch-python313-cpu-avx2.nix"_s;
        job.package = job.variant = u"pytorch-python313-cpu-avx2"_s;
        job.created = QDateTime::fromSecsSinceEpoch(1'760'000'000, QTimeZone::UTC);
        JobOutcome outcome;
        outcome.build.sentence = u"Built."_s;
        outcome.build.resultLinks = QStringList{u"/state/result-1"_s};
        outcome.storePaths = QStringList{u"/nix/store/abc-torch"_s};
        outcome.started = outcome.ended = job.created;
        const QByteArrayList corpus{toJson(job), toJson(outcome)};
        QVERIFY(jobFromJson(corpus.at(0)) && outcomeFromJson(corpus.at(1)));
        const int count = fuzzInputs(4'000);
        int read = 0;
        for (int i = 0; i < count; ++i) {
            const QByteArray text = fuzzing.input(corpus);
            const auto where = [&] { return "input " + QByteArray::number(i) + '\n' + text.toHex(); };
            const Result<Job> asJob = jobFromJson(text);
            const Result<JobOutcome> asOutcome = outcomeFromJson(text);
            read += asJob.ok() + asOutcome.ok();
            QVERIFY2(asJob ? jobFromJson(toJson(*asJob)).ok() : !asJob.error().why.isEmpty(), where());
            QVERIFY2(asOutcome ? outcomeFromJson(toJson(*asOutcome)).ok() : !asOutcome.error().why.isEmpty(), where());
        }
        qInfo("total: %d inputs, %d of them read", count, read);
    }
};

TM_TEST(LogFuzzTest, QCoreApplication)
#include "tst_logfuzz.moc"
