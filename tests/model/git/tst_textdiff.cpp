// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/TextDiff.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

/// One line a difference line: kind, old and new number, text.
QString asText(const QList<DiffLine> &lines)
{
    QStringList words;
    for (const DiffLine &line : lines) {
        QString sign;
        switch (line.kind) {
        case DiffLine::Kind::Context: sign = u" "_s; break;
        case DiffLine::Kind::Added: sign = u"+"_s; break;
        case DiffLine::Kind::Removed: sign = u"-"_s; break;
        case DiffLine::Kind::HunkHeader: sign = u"@"_s; break;
        }
        words.append(u"%1 %2 %3 %4"_s.arg(sign).arg(line.oldLine).arg(line.newLine).arg(line.text));
    }
    return words.join(u'\n');
}

} // namespace

class TestTextDiff : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void difference_data()
    {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        QTest::addColumn<QString>("difference");
        QTest::newRow("equal") << "a\nb\n"_ba << "a\nb\n"_ba << QString();
        QTest::newRow("both empty") << QByteArray() << QByteArray() << QString();
        QTest::newRow("new text") << QByteArray() << "a\n"_ba << u"@ 0 1 @@ -0,0 +1 @@\n+ 0 1 a"_s;
        QTest::newRow("gone text") << "a\n"_ba << QByteArray() << u"@ 1 0 @@ -1 +0,0 @@\n- 1 0 a"_s;
        QTest::newRow("one line") << "a\nb\nc\n"_ba << "a\nB\nc\n"_ba
                                  << u"@ 1 1 @@ -1,3 +1,3 @@\n  1 1 a\n- 2 0 b\n+ 0 2 B\n  3 3 c"_s;
        QTest::newRow("not ASCII") << "é\n"_ba << "ö\n"_ba << u"@ 1 1 @@ -1 +1 @@\n- 1 0 é\n+ 0 1 ö"_s;
        QTest::newRow("CRLF stays visible") << "a\n"_ba << "a\r\n"_ba << u"@ 1 1 @@ -1 +1 @@\n- 1 0 a\n+ 0 1 a\r"_s;
        QTest::newRow("a NUL is text as well")
            << "a\0\n"_ba << "b\n"_ba << (u"@ 1 1 @@ -1 +1 @@\n- 1 0 a"_s + QChar(u'\0') + u"\n+ 0 1 b"_s);
    }
    void difference()
    {
        QFETCH(const QByteArray, before);
        QFETCH(const QByteArray, after);
        QTEST(asText(diffTexts(before, after)), "difference");
    }

    void sayingThatTheLastLineHasNoEnd()
    {
        const QList<DiffLine> lines = diffTexts("a\nb", "a\nb\n");
        QCOMPARE(lines.size(), 5);
        QCOMPARE(lines.at(2).kind, DiffLine::Kind::Removed);
        QCOMPARE(lines.at(3).kind, DiffLine::Kind::Context);
        QVERIFY(lines.at(3).text.contains(u"No newline at end of file"_s));
        QCOMPARE(lines.at(4).kind, DiffLine::Kind::Added);
    }

    void context()
    {
        QByteArray before;
        for (int i = 1; i <= 40; ++i)
            before += QByteArray::number(i) + '\n';
        QByteArray after = before;
        after.replace("\n10\n", "\nten\n").replace("\n30\n", "\nthirty\n");
        const auto headers = [&](int lines) {
            QStringList found;
            for (const DiffLine &line : diffTexts(before, after, lines)) {
                if (line.kind == DiffLine::Kind::HunkHeader)
                    found.append(line.text);
            }
            return found;
        };
        QCOMPARE(headers(0), QStringList({u"@@ -10 +10 @@"_s, u"@@ -30 +30 @@"_s}));
        QCOMPARE(headers(3), QStringList({u"@@ -7,7 +7,7 @@"_s, u"@@ -27,7 +27,7 @@"_s}));
        QCOMPARE(headers(1000), QStringList({u"@@ -1,40 +1,40 @@"_s}));
        QCOMPARE(headers(-1), headers(0));
    }
};

TM_TEST(TestTextDiff, QCoreApplication)
#include "tst_textdiff.moc"
