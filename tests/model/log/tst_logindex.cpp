// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/log/LogFile.h"
#include "model/log/LogSearch.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

/// "red[31]" as "{1}red": where the foreground changes.
QString styled(const LogLine &line)
{
    QString text = line.text;
    for (auto run = line.runs.crbegin(); run != line.runs.crend(); ++run) {
        const bool plain = run->style.foreground.kind == AnsiColour::Kind::Default;
        text.insert(run->start, plain ? u"{}"_s : u"{%1}"_s.arg(run->style.foreground.value));
    }
    return text;
}

} // namespace

class tst_LogIndex : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    QString written(const QByteArray &bytes) const
    {
        QFile file(m_folder.filePath(u"log"_s));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write the log");
        return file.fileName();
    }
    static QList<LogLine> linesOf(const QString &path, const LogIndex &index)
    {
        LogReader reader(path);
        QList<LogLine> lines;
        for (qsizetype block = 0; block < index.blockCount(); ++block)
            lines += reader.lines(index, block);
        return lines;
    }
    static QStringList textsOf(const QList<LogLine> &lines)
    {
        QStringList texts;
        for (const LogLine &line : lines)
            texts.append(line.text);
        return texts;
    }
    [[nodiscard]] QList<LogLine> read(const QByteArray &bytes, qsizetype piece = 0) const
    {
        LogIndex index;
        for (qsizetype at = 0; at < bytes.size(); at += std::max<qsizetype>(1, piece ? piece : bytes.size()))
            index.read(QByteArrayView(bytes).mid(at, piece ? piece : bytes.size()));
        return linesOf(written(bytes), index);
    }

    static LogIndex readInPieces(const QByteArray &bytes, QRandomGenerator &random)
    {
        LogIndex index;
        for (qsizetype at = 0; at < bytes.size();) {
            const qsizetype size = std::min<qsizetype>(1 + random.bounded(5000), bytes.size() - at);
            index.read(QByteArrayView(bytes).sliced(at, size));
            at += size;
        }
        return index;
    }

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void splitsLines_data()
    {
        QTest::addColumn<QString>("raw");
        QTest::addColumn<QStringList>("lines");
        QTest::newRow("nothing") << QString() << QStringList();
        QTest::newRow("lines") << u"a\n\nb\n"_s << QStringList{u"a"_s, QString(), u"b"_s};
        QTest::newRow("no newline at the end") << u"a\nb"_s << QStringList{u"a"_s, u"b"_s};
        QTest::newRow("CR LF") << u"a\r\nb\r\n"_s << QStringList{u"a"_s, u"b"_s};
        QTest::newRow("overwritten") << u"10%\r50%\r100%\ndone\n"_s << QStringList{u"100%"_s, u"done"_s};
        QTest::newRow("overwritten, return last") << u"10%\r50%\r\n"_s << QStringList{u"50%"_s};
        QTest::newRow("overwritten, erased") << u"long text\r\x1b[Kshort\n"_s << QStringList{u"short"_s};
        QTest::newRow("overwritten, still open") << u"10%\r50%\r"_s << QStringList{u"50%"_s};
        QTest::newRow("tabs") << u"a\tb\n12345678\tc\n"_s << QStringList{u"a       b"_s, u"12345678        c"_s};
        QTest::newRow("characters of two units") << u"🚀\t🚀\n"_s << QStringList{u"🚀      🚀"_s};
        QTest::newRow("cursor moves and titles") << u"\x1b[2J\x1b[10;3Ha\x1b]0;title\x07"
                                                    "b\x1b[1A\nc\n"_s
                                                 << QStringList{u"ab"_s, u"c"_s};
    }

    /// The lines do not depend on how the bytes are split.
    void splitsLines()
    {
        QFETCH(QString, raw);
        QFETCH(QStringList, lines);
        const QByteArray bytes = raw.toUtf8();
        for (qsizetype piece = 0; piece <= bytes.size(); ++piece)
            QCOMPARE(textsOf(read(bytes, piece)), lines);
    }

    /// Any bytes, split anywhere, give the same index; each line is limited; reading them neither adds nor loses lines.
    void readsAnyBytes()
    {
        QRandomGenerator random(20);
        const QByteArrayList words{"\n",
                                   "\r",
                                   "\r\n",
                                   "\r\r",
                                   "\x1b[31m",
                                   "\x1b[",
                                   "\x1b]0;t\x07",
                                   "\xff",
                                   "\xc3",
                                   "\xf0\x9f\x9a\x80",
                                   "\t",
                                   QByteArray(300, 'x'),
                                   QByteArray(70'000, 'y'),
                                   QByteArray(70'000, '\r'),
                                   QByteArray(500, '\n')};
        for (int round = 0; round < 60; ++round) {
            QByteArray bytes;
            for (int i = 0; i < 400; ++i)
                bytes += random.bounded(40) == 0 ? words.at(random.bounded(int(words.size())))
                                                 : words.at(random.bounded(11));
            LogIndex whole;
            whole.read(bytes);
            const LogIndex pieces = readInPieces(bytes, random);
            QCOMPARE(pieces.lineCount(), whole.lineCount());
            QCOMPARE(pieces.blockCount(), whole.blockCount());
            const QList<LogLine> lines = linesOf(written(bytes), whole);
            QCOMPARE(lines.size(), whole.lineCount());
            for (const LogLine &line : lines) {
                QVERIFY(line.text.size() <= LogIndex::longestLine * 8);
                for (const QChar c : line.text)
                    QVERIFY2(c.unicode() >= 0x20 && c.unicode() != 0x7F, qPrintable(QString::number(c.unicode())));
            }
        }
    }

    /// Lines of any length, dense and sparse, in pieces of any size, are those that split() finds.
    void splitsAsSplitDoes()
    {
        QRandomGenerator random(22);
        for (int round = 0; round < 60; ++round) {
            const int density = 1 + random.bounded(round % 3 == 0 ? 4 : 150);
            QByteArray bytes(random.bounded(20'000), 'x');
            for (char &byte : bytes)
                byte = random.bounded(density) == 0 ? '\n' : char('a' + random.bounded(26));
            QStringList expected = QString::fromLatin1(bytes).split(u'\n');
            if (expected.constLast().isEmpty())
                expected.removeLast();
            const auto longest =
                std::max_element(expected.cbegin(), expected.cend(),
                                 [](const auto &one, const auto &other) { return one.size() < other.size(); });
            const LogIndex index = readInPieces(bytes, random);
            QCOMPARE(index.lineCount(), expected.size());
            QCOMPARE(index.longestSeen(), longest == expected.cend() ? 0 : longest->size());
            QCOMPARE(textsOf(linesOf(written(bytes), index)), expected);
        }
    }

    void keepsStyles()
    {
        QStringList lines;
        for (const LogLine &line :
             read("plain\n\x1b[31mred \x1b[32mgreen\x1b[0m plain\n\x1b[33mtwo\nlines\x1b[0m\nplain\n"))
            lines.append(styled(line));
        QCOMPARE(lines,
                 (QStringList{u"plain"_s, u"{1}red {2}green{} plain"_s, u"{3}two"_s, u"{3}lines"_s, u"plain"_s}));
        // When a line is restarted, the current style applies to the new text.
        QCOMPARE(styled(read("\x1b[31mred\x1b[32m\rgreen\x1b[0m").constFirst()), u"{2}green"_s);
        // A colour that stays on continues in the next block.
        const QList<LogLine> many = read("\x1b[31m" + QByteArray("red\n").repeated(300));
        QCOMPARE(styled(many.at(299)), u"{1}red"_s);
    }

    void cutsALineWithoutEnd()
    {
        const QString text = u"x🚀"_s.repeated(100'000);
        const QList<LogLine> lines = read(text.toUtf8());
        QVERIFY(lines.size() > 1);
        QString joined;
        for (const LogLine &line : lines) {
            QVERIFY(line.text.toUtf8().size() <= LogIndex::longestLine + 3);
            joined += line.text;
        }
        QCOMPARE(joined, text);
        // Exactly at the limit there is one line, not one more that is empty.
        QCOMPARE(read(QByteArray(LogIndex::longestLine, 'x') + '\n').size(), 1);
    }

    void showsTheLastOfAMillionStates()
    {
        QByteArray bytes = "first\n";
        for (int i = 0; i < 1'000'000; ++i)
            bytes += "\r" + QByteArray::number(i) + "%";
        const QList<LogLine> lines = read(bytes + "\nlast\n");
        QCOMPARE(textsOf(lines), (QStringList{u"first"_s, u"999999%"_s, u"last"_s}));
        QCOMPARE(read("a" + QByteArray(2'000'000, '\r') + "\nb\n").size(), 2);
    }

    void findsTheLineOfAByte()
    {
        QByteArray bytes;
        QList<qint64> starts;
        for (int i = 0; i < 3000; ++i) {
            starts.append(bytes.size());
            bytes += QByteArray("x").repeated(i % 97) + "\n";
        }
        LogIndex index;
        index.read(bytes);
        LogReader reader(written(bytes));
        for (int i = 0; i < 3000; ++i) {
            QCOMPARE(reader.lineAt(index, starts.at(i)), i);
            QCOMPARE(reader.lineAt(index, starts.at(i) + i % 97), i);
        }
        QCOMPARE(reader.lineAt(index, bytes.size() + 10), 2999);
        QCOMPARE(reader.lineAt(index, -1), 0);
    }

    void keepsItsIndexSmall()
    {
        LogIndex index;
        const QByteArray chunk = QByteArray(99, 'x').append('\n').repeated(10'000);
        for (int i = 0; i < 100; ++i)
            index.read(chunk);
        QCOMPARE(index.lineCount(), 1'000'000);
        QVERIFY2(index.blockCount() < 4000, qPrintable(QString::number(index.blockCount())));
    }

    void followsAFileThatGrows()
    {
        const QString path = m_folder.filePath(u"growing"_s);
        QFile file(path);
        LogFile log;
        QSignalSpy grew(&log, &LogFile::grew);
        QSignalSpy restarted(&log, &LogFile::restarted);
        log.open(path); // is not there yet
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
        file.write("one\ntw");
        QTRY_COMPARE(log.endLine(), 2);
        QCOMPARE(log.text(1), u"tw"_s);
        QVERIFY(!log.isLineEnded(1));
        file.write("o\nthree\n");
        QTRY_COMPARE(log.endLine(), 3);
        QCOMPARE(log.text(1), u"two"_s);
        QCOMPARE(log.text(2), u"three"_s);
        QCOMPARE(log.text(3), QString());
        QCOMPARE(log.text(-1), QString());
        log.hideBefore(2);
        QCOMPARE(log.firstLine(), 2);
        QCOMPARE(log.lineCount(), 1);
        QCOMPARE(log.text(1), QString());
        // Another build's log in its place.
        QCOMPARE(restarted.count(), 1);
        file.resize(0);
        file.seek(0);
        file.write("new\n");
        QTRY_COMPARE(restarted.count(), 2);
        QTRY_COMPARE(log.text(0), u"new"_s);
        QCOMPARE(log.firstLine(), 0);
        log.open({});
        QVERIFY(log.isEmpty());
        QVERIFY(grew.count() >= 3);
    }

    void searches_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("sensitive");
        QTest::addColumn<bool>("expression");
        QTest::addColumn<int>("count");
        QTest::newRow("words") << u"line 12"_s << true << false << 111;
        QTest::newRow("any case") << u"LINE 12"_s << false << false << 111;
        QTest::newRow("wrong case") << u"LINE 12"_s << true << false << 0;
        QTest::newRow("twice a line") << u"e"_s << true << false << 3000 + 1;
        QTest::newRow("expression") << u"^line 1?7$"_s << true << true << 2;
        QTest::newRow("expression, any case") << u"L[I]NE 29\\d\\d"_s << false << true << 100;
        QTest::newRow("empty matches") << u"x*"_s << true << true << 0;
        QTest::newRow("no expression") << u"(["_s << true << true << 0;
        QTest::newRow("Kelvin") << u"kelvin"_s << false << false << 1;
        QTest::newRow("coloured") << u"colour"_s << false << false << 1;
        QTest::newRow("nothing") << QString() << false << false << 0;
    }

    void searches()
    {
        QFETCH(QString, text);
        QFETCH(bool, sensitive);
        QFETCH(bool, expression);
        QFETCH(int, count);
        QByteArray bytes;
        for (int i = 0; i < 3000; ++i)
            bytes += "line " + QByteArray::number(i) + "\n";
        const QString path = written(bytes + "\u212Aelvin\nco\x1b[31mlour");
        const LogIndex index = indexMore(path, {}, 1'000'000);
        const LogPattern pattern(text, sensitive ? Qt::CaseSensitive : Qt::CaseInsensitive, expression);
        const LogMatches all = searchLog(path, index, pattern, 0, 1'000'000, 1'000'000, {});
        QCOMPARE(all.matches.size(), count);
        QCOMPARE(all.next, 3002);
        QCOMPARE(pattern.error().isEmpty(), text != "(["_L1);
        // Searching in pieces finds the same.
        qsizetype found = 0;
        for (qsizetype next = 0; next < 3002;) {
            const LogMatches piece = searchLog(path, index, pattern, next, 777, 1'000'000, {});
            found += piece.matches.size();
            QVERIFY(piece.next > next);
            next = piece.next;
        }
        QCOMPARE(found, count);
        QCOMPARE(searchLog(path, index, pattern, 0, 1'000'000, 1'000'000, [] { return true; }).matches.size(), 0);
        QVERIFY(searchLog(path, index, pattern, 0, 1'000'000, 5, {}).matches.size() <= 5);
    }

    /// A large log is read by several cores, from line to line, and on from where the last reading ended.
    void readsPartsAtOnce()
    {
        QRandomGenerator random(21);
        const QByteArrayList words{"word ", "\r", "\r\n", "\n", "\x1b[31m", "\xc3\xa4", QByteArray(300, '-')};
        QByteArray bytes;
        while (bytes.size() < 14'000'000) {
            bytes += words.at(random.bounded(words.size()));
            if (random.bounded(100'000) == 0)
                bytes += QByteArray(200'000, 'x'); // a line that is cut
        }
        const QString path = written(bytes);
        LogIndex whole;
        whole.read(bytes);
        const LogIndex first = indexMore(path, {}, 9'000'001);
        QCOMPARE(first.size(), 9'000'001);
        for (const LogIndex &index : {indexMore(path, {}, bytes.size()), indexMore(path, first, bytes.size())}) {
            QCOMPARE(index.size(), bytes.size());
            QCOMPARE(index.lineCount(), whole.lineCount());
            QCOMPARE(index.longestSeen(), whole.longestSeen());
            LogReader reader(path);
            const auto line = [&reader](const LogIndex &of, qsizetype number) {
                const qsizetype block = of.blockOfLine(number);
                return reader.lines(of, block).at(number - of.block(block).line);
            };
            for (int sample = 0; sample < 300; ++sample) {
                const qsizetype number = random.bounded(whole.lineCount());
                QCOMPARE(line(index, number).text, line(whole, number).text);
            }
        }
    }

    void givesUpAnEndlessExpression()
    {
        const LogPattern pattern(u"(x+x+)+y"_s, Qt::CaseSensitive, true);
        QVERIFY(pattern.in(QString(5000, u'x')).isEmpty());
    }
};

TM_TEST(tst_LogIndex, QCoreApplication)
#include "tst_logindex.moc"
