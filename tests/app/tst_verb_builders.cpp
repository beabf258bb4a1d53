// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// Nix's remote builders: real Nix with two stores on this machine, the second one behind a real sshd.
#include "model/job/Queue.h"
#include "model/outcome/OutcomeText.h"
#include "tests/support/JobProcesses.h"
#include "tests/support/SshServer.h"
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>
#include <QJsonArray>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;
using Kind = BuildOutcome::Kind;

/// This machine builds nothing, and has its store in a separate folder; the builder's store is at the actual paths, so
/// that a result's link leads into it.
class VerbBuildersTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<VerbFixture> m_fixture;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<SshServer> m_ssh;
    const QString m_path = qEnvironmentVariable("PATH");
    const QString m_name = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
    const QString m_other = u"pytorch-python313-cuda12_8-sm80-avx2"_s;
    const QByteArray m_endless = "1000042"; ///< in seconds; a unique argument of sleep

    [[nodiscard]] QString path(const QString &name) const { return m_folder->filePath(name); }
    [[nodiscard]] QString state() const { return path(u"state"_s); }

    /// A derivation that needs a feature. Its shell has no PATH of its own.
    void commit(const QString &name, const QByteArray &feature, const QByteArray &script) const
    {
        m_fixture->write(u".flox/pkgs/%1.nix"_s.arg(name),
                         "derivation {\n  name = \"" + name.toUtf8() +
                             "\"; system = \"x86_64-linux\"; builder = \"/bin/sh\";\n"
                             "  requiredSystemFeatures = [ \"" +
                             feature + "\" ];\n  args = [ \"-c\" \"PATH=/usr/bin:/bin; echo begun; " + script +
                             "\" ];\n  folder = \"" + m_folder->path().toUtf8() + "\";\n}\n");
        m_fixture->git({u"commit"_s, u"-qam"_s, u"Build something tiny"_s});
    }
    void useBuilders(const QString &builders) const
    {
        tmx::test::putFile(path(u"conf/nix.conf"_s),
                           "sandbox = false\nbuild-users-group =\nsubstituters =\nmax-jobs = 0\n");
        tmx::test::putFile(path(u"conf/machines"_s), builders.toUtf8() + '\n');
    }
    [[nodiscard]] Ran built(const QStringList &names) const
    {
        return m_fixture->verb(QStringList{u"build"_s, u"--engine"_s, u"nix"_s} + names);
    }
    [[nodiscard]] JobRecord latest() const
    {
        const QList<JobRecord> all = readJobs(state());
        return all.isEmpty() ? JobRecord() : all.constLast();
    }
    /// The outcome of a failed build.
    [[nodiscard]] BuildOutcome outcome(const Ran &ran) const
    {
        const JobRecord record = latest();
        if (ran.exitCode != 1 || !record.outcome)
            qFatal("%s%s", ran.out.constData(), ran.err.constData());
        return record.outcome->build;
    }
    static void killAll(const QList<qint64> &pids)
    {
        for (const qint64 pid : pids)
            ::kill(pid_t(pid), SIGKILL);
    }

private Q_SLOTS:
    void initTestCase() { m_fixture = std::make_unique<VerbFixture>(); }

    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        const QString store = path(u"nix/store"_s);
        tmx::test::putFile(path(u"there-conf/nix.conf"_s), "sandbox = false\nbuild-users-group =\nsubstituters =\n"
                                                           "extra-system-features = only-there\n");
        m_ssh = std::make_unique<SshServer>(QStringList{
            u"NIX_STORE_DIR="_s + store, u"NIX_STATE_DIR="_s + path(u"nix/var"_s),
            u"NIX_LOG_DIR="_s + path(u"nix/log"_s), u"NIX_CONF_DIR="_s + path(u"there-conf"_s), u"PATH="_s + m_path});
        m_fixture->set(u"PATH"_s, m_ssh->bin() + u':' + m_path);
        m_fixture->set(u"TORCH_MATRIX_STATE"_s, state());
        m_fixture->set(u"NIX_STORE_DIR"_s, store);
        m_fixture->set(u"NIX_STATE_DIR"_s, path(u"here/var"_s));
        m_fixture->set(u"NIX_LOG_DIR"_s, path(u"here/log"_s));
        m_fixture->set(u"NIX_CONF_DIR"_s, path(u"conf"_s));
        m_fixture->set(u"NIX_REMOTE"_s, u"local?root="_s + path(u"here/root"_s));
        useBuilders(u"ssh-ng://gpu-box - - 2 1 only-there"_s);
    }

    void cleanup()
    {
        for (int i = 0; i < 3; ++i)
            QCOMPARE(m_fixture->verb({u"queue"_s, u"stop"_s}).exitCode, 0);
        killAll(processesNamed(m_endless));
        QTRY_VERIFY(isQuiet(state()));
        m_ssh.reset();
        QProcess::execute(u"chmod"_s, {u"-R"_s, u"u+w"_s, m_folder->path()});
        m_folder.reset();
    }

    void buildsWhereTheFeatureIs_data()
    {
        QTest::addColumn<QString>("store");
        QTest::newRow("Nix's own protocol") << u"ssh-ng://gpu-box"_s;
        QTest::newRow("the older one") << u"ssh://gpu-box"_s;
    }
    void buildsWhereTheFeatureIs()
    {
        QFETCH(QString, store);
        useBuilders(store + u" - - 2 1 only-there"_s);
        commit(m_name, "only-there", "echo made > $out");
        const Ran ran = built({m_name});
        QVERIFY2(ran.exitCode == 0, ran.err.constData());
        QVERIFY2(ran.out.contains(" on '" + store.toUtf8() + "'"), ran.out.constData());
        const JobRecord record = latest();
        QCOMPARE(record.job.builders, (QMap<QString, int>{{store, 2}}));
        QCOMPARE(record.outcome->build.kind, Kind::Built);
        QVERIFY(record.hasResult());
        QFile there(record.outcome->storePaths.constFirst());
        QVERIFY(there.open(QIODevice::ReadOnly));
        QCOMPARE(there.readAll(), QByteArray("made\n"));
        QVERIFY(there.fileName().startsWith(path(u"nix/store/"_s)));
        QVERIFY(QFileInfo::exists(path(u"here/root/nix/store/"_s) + QFileInfo(there.fileName()).fileName()));
    }

    void saysWhoAnswers()
    {
        useBuilders(u"ssh-ng://gpu-box x86_64-linux - 2 1 only-there\nssh-ng://nobody-home aarch64-linux - 4 3"_s);
        const Ran ran = m_fixture->verb({u"detect"_s, u"--builders"_s, u"--json"_s});
        QCOMPARE(ran.exitCode, 1);
        const QJsonArray builders = ran.json()[u"remoteBuilders"_s].toArray();
        QCOMPARE(builders.size(), 2);
        QCOMPARE(builders.at(0)[u"answers"_s], QJsonValue(true));
        QVERIFY(!builders.at(0)[u"nixVersion"_s].toString().isEmpty());
        QCOMPARE(builders.at(1)[u"answers"_s], QJsonValue(false));
        QVERIFY(builders.at(1)[u"problem"_s].toString().endsWith(u"Connection refused"_s));
        QCOMPARE(builders.at(1)[u"maxJobs"_s], QJsonValue(4));
        const Ran text = m_fixture->verb({u"detect"_s, u"--builders"_s});
        QVERIFY2(text.out.contains("builder   ssh-ng://nobody-home\n"), text.out.constData());
        QVERIFY2(text.out.contains("aarch64-linux · 4 builds at a time · speed 3\n"), text.out.constData());
        useBuilders(u"ssh-ng://gpu-box"_s);
        QCOMPARE(m_fixture->verb({u"detect"_s, u"--builders"_s}).exitCode, 0);
        useBuilders({});
        QVERIFY(m_fixture->verb({u"detect"_s, u"--builders"_s}).err.contains("no remote builders"));
    }

    /// And builds once it is there again, without a request to retry what failed.
    void saysWhoIsDown()
    {
        commit(m_name, "only-there", "echo made > $out # down");
        useBuilders(u"ssh-ng://nobody-home - - 1 1 only-there"_s);
        const BuildOutcome down = outcome(built({m_name}));
        QCOMPARE(down.kind, Kind::Network);
        QVERIFY2(sentenceOf(down).startsWith(
                     u"The remote builder ssh-ng://nobody-home cannot be used: connect to host 127.0.0.1 port "_s) &&
                     sentenceOf(down).contains(u"Connection refused. Log in"_s),
                 qPrintable(sentenceOf(down)));
        useBuilders(u"ssh-ng://gpu-box - - 1 1 only-there"_s);
        const Ran ran = built({m_name});
        QVERIFY2(ran.exitCode == 0, ran.err.constData());
    }

    void saysWhoLacksTheFeature()
    {
        commit(m_name, "ghost", "echo made > $out");
        const Ran refused = built({m_name});
        QCOMPARE(refused.exitCode, 3);
        QVERIFY2(refused.err.contains("requires ghost, which neither this machine nor a remote builder offers"),
                 refused.err.constData());
        QVERIFY(readJobs(state()).isEmpty());
        // Its line claims a feature that it lacks.
        useBuilders(u"ssh-ng://gpu-box - - 1 1 ghost"_s);
        const BuildOutcome unfit = outcome(built({m_name}));
        QCOMPARE(unfit.kind, Kind::NoBuilder);
        QVERIFY2(sentenceOf(unfit).startsWith(
                     u"The remote builder ssh-ng://gpu-box does not accept the build: x86_64-linux with the features "_s
                     u"ghost "_s),
                 qPrintable(sentenceOf(unfit)));
        QVERIFY(!latest().wouldFailAgain());
    }

    void saysWhoWasLost_data()
    {
        QTest::addColumn<QString>("store");
        QTest::addColumn<QByteArray>("killed");
        QTest::newRow("Nix's daemon") << u"ssh-ng://gpu-box"_s << QByteArray("nix-daemon");
        QTest::newRow("Nix of the older protocol") << u"ssh://gpu-box"_s << QByteArray("nix-store");
        QTest::newRow("the connection") << u"ssh-ng://gpu-box"_s << QByteArray("sshd-session");
        QTest::newRow("the older one's connection") << u"ssh://gpu-box"_s << QByteArray("sshd-session");
    }
    void saysWhoWasLost()
    {
        QFETCH(QString, store);
        QFETCH(QByteArray, killed);
        useBuilders(store + u" - - 1 1 only-there"_s);
        commit(m_name, "only-there", "exec sleep " + m_endless);
        QCOMPARE(m_fixture->verb({u"build"_s, u"--engine"_s, u"nix"_s, u"--detach"_s, m_name}).exitCode, 0);
        QTRY_VERIFY(!processesNamed(m_endless).isEmpty());
        m_ssh->killThere(killed);
        QTRY_VERIFY(latest().phase == JobPhase::Ended);
        const BuildOutcome lost = latest().outcome->build;
        QCOMPARE(lost.kind, Kind::Network);
        QVERIFY2(sentenceOf(lost).startsWith(u"The remote builder %1 was lost during the build: "_s.arg(store)),
                 qPrintable(sentenceOf(lost)));
    }

    /// Each of them waits for the other one, so they only end if both run.
    void buildsAsManyAtATimeAsTheBuilderTakes()
    {
        const auto waitsFor = [](const QByteArray &own, const QByteArray &other) -> QByteArray {
            return "echo > $folder/" + own + "; until [ -e $folder/" + other + " ]; do sleep 0.1; done; echo > $out";
        };
        commit(m_name, "only-there", waitsFor("one", "two"));
        commit(m_other, "only-there", waitsFor("two", "one"));
        const Ran ran = built({m_name, m_other});
        QVERIFY2(ran.exitCode == 0, ran.err.constData());
    }
};

TM_TEST(VerbBuildersTest, QCoreApplication)
#include "tst_verb_builders.moc"
