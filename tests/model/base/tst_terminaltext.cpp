// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/TerminalText.h"
#include "tests/support/TestMain.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRandomGenerator>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

class TerminalTextTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void showsWhatATerminalWouldObey_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("shown");
        const auto row = [](const char *name, const QByteArray &text, const QByteArray &shown) {
            QTest::newRow(name) << text << shown;
        };
        row("plain", "Käse, 日本, 🎉\tx\n", "Käse, 日本, 🎉\tx\n");
        row("escape", "\x1b[31mred", "\\x1b[31mred");
        row("bell and null", QByteArray("\x07\0", 2), "\\x07\\x00");
        row("delete", "\x7f", "\\x7f");
        row("C1", "\xc2\x9b", "\\u009b");
        row("line ends", "a\r\nb\rc\r", "a\r\nb\\x0dc\\x0d");
        row("bidirectional", "\xe2\x80\xae\xe2\x81\xa9\xd8\x9c\xe2\x80\x8e", "\\u202e\\u2069\\u061c\\u200e");
        row("separators", "\xe2\x80\xa8", "\\u2028");
        row("no UTF-8", "\xff\xc3(\xe2\x82", "\\xff\\xc3(\\xe2\\x82");
        row("too long a form", "\xc0\x9b\xe0\x80\x9b", "\\xc0\\x9b\\xe0\\x80\\x9b");
        row("surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80");
        row("beyond Unicode", "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
    }
    void showsWhatATerminalWouldObey()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, shown);
        QCOMPARE(terminalText(text), shown);
        QCOMPARE(terminalText(shown), shown);
    }

    /// What is looked at eight bytes at a time is found at any place.
    void findsASignAnywhere()
    {
        for (qsizetype before = 0; before < 20; ++before) {
            for (qsizetype after = 0; after < 20; ++after) {
                const QByteArray head = QByteArray("0123456789\n~ABCDEFGHIJ").first(before);
                const QByteArray tail = QByteArray(after, '~');
                QCOMPARE(terminalText(head + tail), head + tail);
                QCOMPARE(terminalText(head + "\x1b" + tail), head + "\\x1b" + tail);
                QCOMPARE(terminalText(head + "\x7f" + tail), head + "\\x7f" + tail);
                QCOMPARE(terminalText(head + "\xc2\x9b" + tail), head + "\\u009b" + tail);
                QCOMPARE(terminalText(head + "\xc3\xa4" + tail), head + "\xc3\xa4" + tail);
            }
        }
    }

    void jsonReadsBack()
    {
        const QString text = QString::fromUtf8("\x1b[2J\x7f\xc2\x9b\xe2\x80\xae K\xc3\xa4se");
        const QByteArray document = QJsonDocument(QJsonObject{{u"a"_s, text}}).toJson();
        const QByteArray safe = terminalJson(document);
        QVERIFY2(safe.contains("\\u001b[2J\\u007f\\u009b\\u202e K\xc3\xa4se"), safe);
        QCOMPARE(QJsonDocument::fromJson(safe).object().value(u"a"_s).toString(), text);
    }

    // A real shell reads each word back as it was.
    void aShellReadsTheWordBack()
    {
        const QString signs = u"aZ09_./:@+- '\"\\$`!*?[]{}()<>|&;#~=%^,\n\tä"_s;
        QRandomGenerator random(QRandomGenerator::global()->generate());
        QString command;
        QString words;
        for (int round = 0; round < 500; ++round) {
            QString word;
            for (int length = 1 + random.bounded(8); length > 0; --length)
                word += signs.at(random.bounded(signs.size()));
            command += u"printf '%s\\0' "_s + shellWord(word) + u'\n';
            words += word + QChar(0);
        }
        QProcess shell;
        shell.start(u"sh"_s, {u"-s"_s});
        shell.write(command.toUtf8());
        shell.closeWriteChannel();
        QVERIFY(shell.waitForFinished());
        QCOMPARE(QString::fromUtf8(shell.readAllStandardOutput()), words);
        QCOMPARE(shellWord(u"refs/a:b.nix"_s), u"refs/a:b.nix"_s);
        QCOMPARE(shellWord({}), u"''"_s);
    }

    // A stream in any pieces is the stream in one; colours stay, and nothing else of escapes.
    void streamsInPieces()
    {
        const QByteArray text =
            "\x1b[1;31mred\x1b[0m \x1b[2J 1 of 2\r2 of 2\n\x1b]0;t\x07 \xe2\x80\xae K\xc3\xa4se\x1b[";
        const QByteArray shown =
            "\x1b[1;31mred\x1b[0m \\x1b[2J 1 of 2\r2 of 2\n\\x1b]0;t\\x07 \\u202e K\xc3\xa4se\\x1b[";
        QRandomGenerator random(1);
        for (int round = 0; round < 200; ++round) {
            TerminalStream stream;
            QByteArray printed;
            for (qsizetype at = 0; at < text.size();) {
                const QByteArray piece = text.mid(at, 1 + random.bounded(8));
                at += piece.size();
                printed += stream.add(piece);
            }
            QCOMPARE(printed + stream.end(), shown);
        }
        TerminalStream plain(TerminalStream::Colours::LeaveOut);
        QByteArray printed = plain.add(text.first(3)); // in the middle of a colour
        printed += plain.add(text.sliced(3));
        printed += plain.end();
        QCOMPARE(printed, QByteArray(shown).replace("\x1b[1;31m", "").replace("\x1b[0m", ""));
    }
};

TM_TEST(TerminalTextTest, void)
#include "tst_terminaltext.moc"
