// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/log/AnsiText.h"
#include "model/log/OutputDecoder.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace Qt::StringLiterals;
using tmx::AnsiColour;
using tmx::AnsiParser;
using tmx::AnsiRun;
using tmx::AnsiStyle;
using tmx::AnsiText;

namespace {

QString colourText(const AnsiColour &colour)
{
    switch (colour.kind) {
    case AnsiColour::Kind::Default: return {};
    case AnsiColour::Kind::Indexed: return QString::number(colour.value);
    case AnsiColour::Kind::Rgb: return u'#' + QString::number(colour.value, 16).rightJustified(6, u'0');
    }
    Q_UNREACHABLE_RETURN({});
}

/// "{b f1 g#00ff00}" where the style changes, so that a failure reads like the text it is about.
QString shown(const AnsiText &text)
{
    QString result = text.text;
    for (auto run = text.runs.crbegin(); run != text.runs.crend(); ++run) {
        QStringList words;
        const AnsiStyle &s = run->style;
        if (s.bold)
            words << u"b"_s;
        if (s.dim)
            words << u"d"_s;
        if (s.italic)
            words << u"i"_s;
        if (s.underline)
            words << u"u"_s;
        if (s.inverse)
            words << u"v"_s;
        if (s.foreground.kind != AnsiColour::Kind::Default)
            words << u'f' + colourText(s.foreground);
        if (s.background.kind != AnsiColour::Kind::Default)
            words << u'g' + colourText(s.background);
        result.insert(run->start, u'{' + words.join(u' ') + u'}');
    }
    return result;
}

} // namespace

class tst_Ansi : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void parses_data();
    void parses();
    void isTheSameHoweverItIsCut_data() { parses_data(); }
    void isTheSameHoweverItIsCut();
    void survivesSequencesWithoutEnd();
    void decodesCharactersThatAreCut();
    void replacesWhatIsNoUtf8();
    void readsLines();
    void readsLinesThatAreCut();
};

void tst_Ansi::parses_data()
{
    QTest::addColumn<QString>("raw");
    QTest::addColumn<QString>("expected");
    QTest::newRow("plain") << u"one\ntwo\tthree\r\n"_s << u"one\ntwo\tthree\r\n"_s;
    QTest::newRow("colour and reset") << u"\x1b[31mred\x1b[0m plain"_s << u"{f1}red{} plain"_s;
    QTest::newRow("empty is reset") << u"\x1b[1mx\x1b[my"_s << u"{b}x{}y"_s;
    QTest::newRow("bright, background") << u"\x1b[92;44mx\x1b[39my\x1b[49mz"_s << u"{f10 g4}x{g4}y{}z"_s;
    QTest::newRow("bright background") << u"\x1b[107mx\x1b[0m"_s << u"{g15}x{}"_s;
    QTest::newRow("attributes") << u"\x1b[1;2;3;4;7mx\x1b[22my\x1b[23;24;27mz"_s << u"{b d i u v}x{i u v}y{}z"_s;
    QTest::newRow("256") << u"\x1b[38;5;208mx\x1b[48;5;16;1my"_s << u"{f208}x{b f208 g16}y"_s;
    QTest::newRow("true colour") << u"\x1b[38;2;1;2;255;4mx"_s << u"{u f#0102ff}x"_s;
    QTest::newRow("colons") << u"\x1b[38:2::1:2:255mx\x1b[38:2:9:9:9my\x1b[38:5:9mz"_s
                            << u"{f#0102ff}x{f#090909}y{f9}z"_s;
    QTest::newRow("256 out of range") << u"\x1b[38;5;999mx"_s << u"{f255}x"_s;
    QTest::newRow("256 cut short") << u"\x1b[38mx\x1b[38;5my"_s << u"x{f0}y"_s;
    QTest::newRow("unknown SGR") << u"\x1b[73;5;31mx"_s << u"{f1}x"_s;
    QTest::newRow("private CSI ending in m") << u"\x1b[>4;2mx\x1b[?25ly"_s << u"xy"_s;
    QTest::newRow("erase, cursor") << u"a\x1b[Kb\x1b[2Jc\x1b[10;20Hd"_s << u"abcd"_s;
    QTest::newRow("gcc") << u"\x1b[01;31m\x1b[Kerror: \x1b[m\x1b[Kbad"_s << u"{b f1}error: {}bad"_s;
    QTest::newRow("title, BEL") << u"a\x1b]0;title\x07"
                                   "b"_s
                                << u"ab"_s;
    QTest::newRow("link, ST") << u"\x1b]8;;https://x\x1b\\text\x1b]8;;\x1b\\."_s << u"text."_s;
    QTest::newRow("charset") << u"\x1b(Bx\x1b=y"_s << u"xy"_s;
    QTest::newRow("lone escape before a newline") << u"a\x1b\nb"_s << u"a\nb"_s;
    QTest::newRow("newline in CSI") << u"a\x1b[3\nb"_s << u"a\nb"_s;
    QTest::newRow("newline in a title") << u"a\x1b]0;never ended\nb"_s << u"a\nb"_s;
    QTest::newRow("control characters") << u"a\x07\x08\x0b\x7f\u009b"
                                           "b"_s
                                        << u"ab"_s;
    QTest::newRow("icons") << u"✘ ⚡︎ naïve 🚀"_s << u"✘ ⚡︎ naïve 🚀"_s;
    QTest::newRow("no run without change") << u"\x1b[0mx\x1b[31m\x1b[39my"_s << u"xy"_s;
}

void tst_Ansi::parses()
{
    QFETCH(QString, raw);
    QFETCH(QString, expected);
    AnsiParser parser;
    QCOMPARE(shown(parser.parse(raw)), expected);
}

void tst_Ansi::isTheSameHoweverItIsCut()
{
    QFETCH(QString, raw);
    QFETCH(QString, expected);
    for (qsizetype size = 1; size < raw.size(); ++size) {
        AnsiParser parser;
        AnsiText whole;
        for (qsizetype at = 0; at < raw.size(); at += size) {
            const AnsiText part = parser.parse(QStringView(raw).mid(at, size));
            for (const AnsiRun &run : part.runs) {
                // A cut between two sequences shows a style that no character has.
                if (!whole.runs.isEmpty() && whole.runs.constLast().start == whole.text.size() + run.start)
                    whole.runs.removeLast();
                const AnsiStyle before = whole.runs.isEmpty() ? AnsiStyle() : whole.runs.constLast().style;
                if (!(run.style == before))
                    whole.runs.append({whole.text.size() + run.start, run.style});
            }
            whole.text += part.text;
        }
        QCOMPARE(shown(whole), expected);
    }
}

void tst_Ansi::survivesSequencesWithoutEnd()
{
    AnsiParser parser;
    const QString digits(1000000, u'1');
    QVERIFY(parser.parse(u"\x1b["_s + digits).text.size() < digits.size());
    QCOMPARE(parser.parse(u"x\nafter\n"_s).text.right(7), u"\nafter\n"_s);
    QCOMPARE(parser.parse(u"\x1b]"_s + digits).text, QString());
    QCOMPARE(parser.parse(u"\nafter"_s).text, u"\nafter"_s);
}

void tst_Ansi::decodesCharactersThatAreCut()
{
    const QString text = u"naïve ⚡︎ 🚀 ✓"_s;
    const QByteArray bytes = text.toUtf8();
    for (qsizetype size = 1; size < bytes.size(); ++size) {
        tmx::OutputDecoder decoder;
        QString decoded;
        for (qsizetype at = 0; at < bytes.size(); at += size)
            decoded += decoder.decode(QByteArrayView(bytes).sliced(at, std::min(size, bytes.size() - at)));
        QCOMPARE(decoded + decoder.flush(), text);
    }
}

void tst_Ansi::replacesWhatIsNoUtf8()
{
    tmx::OutputDecoder decoder;
    QCOMPARE(decoder.decode("a\xff"
                            "b"),
             u"a\uFFFD"
             "b"_s);
    QCOMPARE(decoder.decode("caf\xc3"), u"caf"_s);
    QCOMPARE(decoder.flush(), u"\uFFFD"_s);
    QCOMPARE(decoder.flush(), QString());
    // The byte after an unfinished character is not part of it.
    QCOMPARE(decoder.decode("a\xe2\x9a"), u"a"_s);
    QCOMPARE(decoder.decode("\nb\x80\x80\x80\x80\xf0\x9f"), u"\uFFFD\uFFFD\nb\uFFFD\uFFFD\uFFFD\uFFFD"_s);
    QCOMPARE(decoder.decode("\x9a\x80"), u"🚀"_s);
}

void tst_Ansi::readsLines()
{
    tmx::LineReader reader;
    QCOMPARE(reader.read(u"one\r\n\n  \ntwo\rthree\x1b[31m red\x1b[0m\nlast"),
             (QStringList{u"one"_s, u"two"_s, u"three red"_s}));
    QCOMPARE(reader.flush(), QStringList{u"last"_s});
    QCOMPARE(reader.flush(), QStringList());
    // A line without end is given out in parts rather than kept.
    QStringList lines;
    for (int i = 0; i < 100; ++i)
        lines += reader.read(QString(10000, u'x'));
    QVERIFY(lines.size() > 10);
    lines += reader.flush();
    QCOMPARE(lines.join(QString()).size(), 1000000);
}

void tst_Ansi::readsLinesThatAreCut()
{
    const QString text = u"one\x1b[1mbold\x1b[0m\r\ntwo\nthree"_s;
    for (qsizetype size = 1; size < text.size(); ++size) {
        tmx::LineReader reader;
        QStringList lines;
        for (qsizetype at = 0; at < text.size(); at += size)
            lines += reader.read(QStringView(text).mid(at, size));
        lines += reader.flush();
        QCOMPARE(lines, (QStringList{u"onebold"_s, u"two"_s, u"three"_s}));
    }
}

TM_TEST(tst_Ansi, QCoreApplication)
#include "tst_ansi.moc"
