// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/BuilderProbe.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using State = BuilderAnswer::State;

/// Whether remote builders answer: a stand-in for nix that answers by the store's name. tst_verb_builders has real Nix.
class TestBuilderProbe : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    const QByteArray m_path = qgetenv("PATH");

    static void useBuilders(const QStringList &stores)
    {
        qputenv("NIX_CONFIG", "builders = " + stores.join(u" ; "_s).toUtf8());
    }
    static BuilderReport last(const QSignalSpy &spy) { return spy.constLast().constFirst().value<BuilderReport>(); }

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("HOME", m_folder.path().toUtf8());
        qputenv("NIX_CONF_DIR", m_folder.path().toUtf8());
        QFile nix(m_folder.filePath(u"nix"_s));
        QVERIFY(nix.open(QIODevice::WriteOnly));
        nix.write(
            "#!/bin/sh\n"
            "case \"$*\" in\n"
            "*'store info --store ssh://good'*) echo 'Store URL: ssh://good'; echo 'Version: 2.26.3' ;;\n"
            "*'store info --store ssh://old'*) echo \"error: 'info' is not a recognised command\" >&2; exit 1 ;;\n"
            "*'store ping --store ssh://old'*) echo 'Store URL: ssh://old' ;;\n"
            "*ssh://endless*) exec sleep 1000 ;;\n"
            "*ssh://env*) echo \"error: $NIX_SSHOPTS ($SSH_ASKPASS)\"; exit 1 ;;\n"
            "*) echo 'me@x: Permission denied (publickey).'; echo 'error: failed'; exit 1 ;;\n"
            "esac\n");
        nix.close();
        QVERIFY(nix.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }
    void init()
    {
        QTest::failOnWarning();
        qputenv("PATH", m_folder.path().toUtf8() + ':' + m_path);
    }

    void tellsWhatEachAnswers()
    {
        useBuilders({u"ssh://good"_s, u"old"_s, u"ssh://refusing"_s, u"ssh://env?a=b x86_64-linux /k 3"_s});
        qputenv("NIX_SSHOPTS", "-v");
        qputenv("SSH_ASKPASS", "/bin/false");
        BuilderProbe probe;
        const QSignalSpy changed(&probe, &BuilderProbe::changed);
        QSignalSpy finished(&probe, &BuilderProbe::finished);
        probe.start();
        QVERIFY(finished.isEmpty());
        QVERIFY(finished.wait(30'000));
        const BuilderReport report = last(finished);
        QCOMPARE(report.builders.size(), 4);
        QCOMPARE(answerText(report.builders.at(0)), u"Answers, Nix 2.26.3"_s);
        QCOMPARE(answerText(report.builders.at(1)), u"Answers"_s);
        QCOMPARE(answerText(report.builders.at(2)), u"Does not answer: me@x: Permission denied (publickey)"_s);
        // ssh does not ask for a password, and keeps the user's own options.
        QCOMPARE(report.builders.at(3).problem, u"-v -oBatchMode=yes -oConnectTimeout=10 ()"_s);
        // At first none has answered, in the end all have; one more each time.
        QCOMPARE(changed.size(), 5);
        for (qsizetype i = 0; i < changed.size(); ++i) {
            const auto shown = changed.at(i).constFirst().value<BuilderReport>();
            QCOMPARE(std::count_if(shown.builders.begin(), shown.builders.end(),
                                   [](const BuilderAnswer &answer) { return answer.state != State::Asked; }),
                     i);
        }
        QCOMPARE(finished.size(), 1);
        qunsetenv("NIX_SSHOPTS");
        qunsetenv("SSH_ASKPASS");
    }

    void givesUpWhatSaysNothing()
    {
        useBuilders({u"ssh://endless"_s, u"ssh://good"_s});
        BuilderProbe probe;
        QSignalSpy finished(&probe, &BuilderProbe::finished);
        probe.start(std::chrono::milliseconds(500));
        QVERIFY(finished.wait(60'000));
        QCOMPARE(last(finished).builders.at(0).problem, u"no answer within 0.5 s"_s);
        QCOMPARE(last(finished).builders.at(1).state, State::Answers);
    }

    /// More builders than are asked at a time, repeatedly, with cancellations in between.
    void startsOver()
    {
        useBuilders(QStringList(20, u"ssh://good"_s));
        BuilderProbe probe;
        QSignalSpy finished(&probe, &BuilderProbe::finished);
        QSignalSpy changed(&probe, &BuilderProbe::changed);
        for (int i = 0; i < 3; ++i) {
            probe.start();
            QVERIFY(changed.wait(30'000));
        }
        QVERIFY(finished.isEmpty() && finished.wait(60'000));
        QCOMPARE(last(finished).builders.size(), 20);
        QCOMPARE(last(finished).builders.constLast().state, State::Answers);
        probe.start();
        probe.cancel();
        useBuilders({});
        probe.start();
        QVERIFY(finished.wait(30'000));
        QVERIFY(last(finished).builders.isEmpty());
        QCOMPARE(finished.size(), 2);
    }

    void saysWhatStandsInTheWay()
    {
        useBuilders({u"ssh://good"_s});
        qputenv("PATH", "/nowhere");
        BuilderProbe probe;
        QSignalSpy finished(&probe, &BuilderProbe::finished);
        probe.start();
        QVERIFY(finished.wait(30'000));
        QCOMPARE(last(finished).builders.constFirst().problem, u"nix is not installed here"_s);
        qputenv("NIX_CONFIG", "builders=x");
        probe.start();
        QVERIFY(finished.wait(30'000));
        QCOMPARE(last(finished).remarks.size(), 1);
    }

    void saysWhatItTakes()
    {
        const auto facts = [](const QString &line) { return factsText(parseNixBuilders(line).constFirst()); };
        QCOMPARE(facts(u"ssh://a"_s), u"this machine's system · 1 build at a time"_s);
        QCOMPARE(facts(u"ssh://a x86_64-linux,i686-linux - 4 2.5 kvm,big-parallel cuda"_s),
                 u"x86_64-linux, i686-linux · 4 builds at a time · speed 2.5 · kvm, big-parallel · only builds that "
                 "require cuda"_s);
        const auto uri = [](const QString &line) { return storeUri(parseNixBuilders(line).constFirst()); };
        QCOMPARE(uri(u"me@arm"_s), u"ssh://me@arm"_s);
        QCOMPARE(uri(u"ssh-ng://arm?x=1 - /a&b - - - - c2g="_s),
                 u"ssh-ng://arm?x=1&ssh-key=/a%26b&base64-ssh-public-host-key=c2g%3D"_s);
        for (const QString &whole : {u"daemon"_s, u"auto?x=1"_s, u"/a/b"_s, u"?remote=x"_s})
            QCOMPARE(uri(whole + u" - /key"_s), whole);
        // Lines of one store share its builds.
        const QList<NixBuilder> builders = parseNixBuilders(
            u"a i686-linux - 4 ; a x86_64-linux - 2 ; b x86_64-linux - 1 1 - cuda ; a x86_64-linux - 1"_s);
        const QList<qsizetype> fit = takers(builders, u"x86_64-linux"_s, u"x86_64-linux"_s, {});
        QCOMPARE(fit, (QList<qsizetype>{1, 3}));
        QCOMPARE(atOnceByStore(builders, fit), (QMap<QString, int>{{u"a"_s, 2}}));
    }
};

TM_TEST(TestBuilderProbe, QCoreApplication)
#include "tst_builderprobe.moc"
