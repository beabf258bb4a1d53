// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/build/LogLines.h"

#include <QTest>

using namespace Qt::StringLiterals;
using tmx::LogLine;
using tmx::LogLines;

namespace {

QStringList texts(const LogLines &log)
{
    QStringList result;
    for (qsizetype n = log.firstLine(); n < log.endLine(); ++n) {
        result.append(log.text(n));
        if (log.line(n).text != log.text(n))
            result.append(u"line() differs"_s);
    }
    return result;
}

/// "red[31]" as "{1}red": where the foreground changes.
QString styled(const LogLine &line)
{
    QString text = line.text;
    for (auto run = line.runs.crbegin(); run != line.runs.crend(); ++run) {
        const bool plain = run->style.foreground.kind == tmx::AnsiColour::Kind::Default;
        text.insert(run->start, plain ? u"{}"_s : u"{%1}"_s.arg(run->style.foreground.value));
    }
    return text;
}

} // namespace

class tst_LogLines : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void splitsLines_data();
    void splitsLines();
    void isTheSameHoweverItIsCut_data() { splitsLines_data(); }
    void isTheSameHoweverItIsCut();
    void keepsStyles();
    void showsTheLineThatHasNoEnd();
    void cutsALineWithoutEnd();
    void holdsManyLines();
    void dropsTheOldestWhenFull();
    void clears();
};

void tst_LogLines::splitsLines_data()
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
    QTest::newRow("tabs") << u"a\tb\n12345678\tc\n"_s << QStringList{u"a       b"_s, u"12345678        c"_s};
    QTest::newRow("characters of two units") << u"🚀\t🚀\n"_s << QStringList{u"🚀      🚀"_s};
}

void tst_LogLines::splitsLines()
{
    QFETCH(QString, raw);
    QFETCH(QStringList, lines);
    LogLines log;
    log.append(raw);
    QCOMPARE(texts(log), lines);
}

void tst_LogLines::isTheSameHoweverItIsCut()
{
    QFETCH(QString, raw);
    QFETCH(QStringList, lines);
    for (qsizetype size = 1; size <= raw.size(); ++size) {
        LogLines log;
        for (qsizetype at = 0; at < raw.size(); at += size)
            log.append(QStringView(raw).mid(at, size));
        QCOMPARE(texts(log), lines);
    }
}

void tst_LogLines::keepsStyles()
{
    LogLines log;
    log.append(u"plain\n\x1b[31mred \x1b[32mgreen\x1b[0m plain\n\x1b[33mtwo\nlines\x1b[0m\nplain\n");
    QStringList lines;
    for (qsizetype n = 0; n < log.endLine(); ++n)
        lines.append(styled(log.line(n)));
    QCOMPARE(lines, (QStringList{u"plain"_s, u"{1}red {2}green{} plain"_s, u"{3}two"_s, u"{3}lines{}"_s, u"plain"_s}));
    // The style in force when a line is begun again is that of the new text.
    log.clear();
    log.append(u"\x1b[31mred\x1b[32m\rgreen\x1b[0m");
    QCOMPARE(styled(log.line(0)), u"{2}green{}"_s);
}

void tst_LogLines::showsTheLineThatHasNoEnd()
{
    LogLines log;
    log.append(u"a\nb");
    QCOMPARE(log.endLine(), 2);
    QVERIFY(log.isLineEnded(0) && !log.isLineEnded(1));
    log.append(u"c");
    QCOMPARE(log.text(1), u"bc"_s);
    log.append(u"\n");
    QCOMPARE(log.endLine(), 2);
    QVERIFY(log.isLineEnded(1));
    QCOMPARE(log.text(2), QString());
    QCOMPARE(log.text(-1), QString());
}

void tst_LogLines::cutsALineWithoutEnd()
{
    LogLines log;
    for (int i = 0; i < 100; ++i)
        log.append(u"x🚀"_s.repeated(1000));
    QVERIFY(log.lineCount() > 1);
    QVERIFY(log.longestLine() <= 64 * 1024 + 1);
    QCOMPARE(texts(log).join(QString()), u"x🚀"_s.repeated(100000));
    // Exactly at the limit there is one line, not one more that is empty.
    log.clear();
    log.append(QString(64 * 1024, u'x') + u'\n');
    QCOMPARE(log.lineCount(), 1);
}

void tst_LogLines::holdsManyLines()
{
    LogLines log;
    QString chunk;
    for (int i = 0; i < 300000; ++i) {
        chunk += u"line %1 ✓\n"_s.arg(i);
        if (chunk.size() > 60000) {
            log.append(chunk);
            chunk.clear();
        }
    }
    log.append(chunk);
    QCOMPARE(log.lineCount(), 300000);
    for (qsizetype n : {0, 1, 65535, 65536, 131071, 299999})
        QCOMPARE(log.text(n), u"line %1 ✓"_s.arg(n));
}

void tst_LogLines::dropsTheOldestWhenFull()
{
    LogLines log(4 * 1024 * 1024);
    const QString line = QString(990, u'x');
    for (int i = 0; i < 10000; ++i)
        log.append(u"%1 \x1b[31m%2\x1b[0m\n"_s.arg(i, 8).arg(line));
    QCOMPARE(log.endLine(), 10000);
    QVERIFY(log.firstLine() > 5000 && log.firstLine() < 8000);
    QVERIFY(log.text(log.firstLine()).startsWith(u"%1 "_s.arg(log.firstLine(), 8)));
    QCOMPARE(log.line(log.firstLine()).runs.size(), 2);
    QVERIFY(log.text(9999).startsWith(u"    9999 "));
    QCOMPARE(log.text(log.firstLine() - 1), QString());
}

void tst_LogLines::clears()
{
    LogLines log;
    log.append(u"a\n\x1b[31mb");
    log.clear();
    QVERIFY(log.isEmpty());
    log.append(u"c\n");
    QCOMPARE(styled(log.line(0)), u"c"_s);
    QCOMPARE(log.longestLine(), 1);
}

QTEST_GUILESS_MAIN(tst_LogLines)
#include "tst_loglines.moc"
