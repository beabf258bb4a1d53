// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/NixCheck.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace tmx;

/// Checks with the real nix-instantiate; a program that hangs is stopped.
class TestNixCheck : public QObject
{
    Q_OBJECT

    QTemporaryDir m_home;
    QByteArray m_path = qgetenv("PATH");

    static NixParseVerdict ask(const QByteArray &text)
    {
        NixCheck check;
        QSignalSpy spy(&check, &NixCheck::finished);
        check.start(text);
        if (!check.isRunning() || (spy.isEmpty() && !spy.wait(60'000)))
            return {false, u"never answered"_s, 0, 0};
        return spy.first().first().value<NixParseVerdict>();
    }

private Q_SLOTS:
    void initTestCase() { qputenv("HOME", m_home.path().toUtf8()); }
    void init() { QTest::failOnWarning(); }
    void cleanup() { qputenv("PATH", m_path); }

    void realNixReads_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("accepted");
        QTest::addColumn<int>("line");
        QTest::newRow("sound") << QByteArray("{ pkgs ? import <nixpkgs> { } }:\npkgs.hello\n") << true << 0;
        QTest::newRow("a brace too few") << QByteArray("{ pkgs }:\nlet\n  a = {\nin a\n") << false << 4;
        QTest::newRow("empty") << QByteArray() << false << 0;
        QTest::newRow("large") << QByteArray("# ") + QByteArray(300'000, 'x') + "\n1\n"
                               << true << 0; // more than one argument may hold
    }
    void realNixReads()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, accepted);
        QFETCH(int, line);
        const NixParseVerdict verdict = ask(text);
        QVERIFY2(verdict.accepted == accepted, qPrintable(verdict.sentence));
        if (line > 0) {
            QCOMPARE(verdict.line, line);
            QVERIFY2(verdict.sentence.startsWith(u"Nix rejects it at line %1"_s.arg(line)),
                     qPrintable(verdict.sentence));
        }
    }

    void wordsOfItsAnswers()
    {
        const NixParseVerdict verdict = readNixParse(
            "warning: x\nerror: syntax error, unexpected end of file\n       at /tmp/x/recipe.nix:12:3:\n", 1);
        QCOMPARE(verdict,
                 (NixParseVerdict{
                     false, u"Nix rejects it at line 12, column 3: syntax error, unexpected end of file."_s, 12, 3}));
        QCOMPARE(readNixParse({}, 7).sentence, u"Nix rejects it: it ended with code 7."_s);
        QVERIFY(readNixParse("whatever", 0).accepted);
    }

    void canBeStopped()
    {
        QFile program(m_home.filePath(u"nix-instantiate"_s));
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write("#!/bin/sh\nexec sleep 600\n");
        program.close();
        QVERIFY(program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        qputenv("PATH", m_home.path().toUtf8() + ':' + m_path);
        NixCheck check;
        QSignalSpy spy(&check, &NixCheck::finished);
        check.start("1");
        check.stop();
        QVERIFY(!check.isRunning());
        check.start("1", 300ms);
        QTRY_COMPARE(spy.size(), 1);
        QCOMPARE(spy.first().first().value<NixParseVerdict>().sentence, u"Nix gave no answer in time."_s);
    }

    void withoutNixThereIsNoProgram()
    {
        qputenv("PATH", "/nowhere");
        QVERIFY(NixCheck::program().isEmpty());
        const NixParseVerdict verdict = ask("1");
        QVERIFY2(!verdict.accepted && verdict.sentence.contains(u"could not be started"_s),
                 qPrintable(verdict.sentence));
    }
};

TM_TEST(TestNixCheck, QCoreApplication)
#include "tst_nixcheck.moc"
