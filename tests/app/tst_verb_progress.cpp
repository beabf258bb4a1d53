// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// The progress of long verbs in a terminal, and Ctrl+C.
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using tmx::test::Ran;
using tmx::test::VerbFixture;

namespace {

/// A program whose standard error is a terminal.
class InTerminal
{
public:
    InTerminal(const VerbFixture &f, const QStringList &arguments)
    {
        m_master = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
        if (m_master < 0 || ::grantpt(m_master) != 0 || ::unlockpt(m_master) != 0)
            qFatal("no terminal can be had");
        const int slave = ::open(::ptsname(m_master), O_RDWR | O_NOCTTY | O_CLOEXEC);
        m_process.setWorkingDirectory(f.sample());
        m_process.setProcessEnvironment(f.environment());
        m_process.setChildProcessModifier([slave] { ::dup2(slave, STDERR_FILENO); });
        m_process.start(QStringLiteral(TM_PROGRAM), arguments);
        m_started = m_process.waitForStarted();
        ::close(slave); // once the program has ended there is nothing to wait for
    }
    ~InTerminal() { ::close(m_master); }
    Q_DISABLE_COPY_MOVE(InTerminal)

    [[nodiscard]] bool started() const { return m_started; }
    /// New output; waits for some, or for the end of the program.
    [[nodiscard]] QByteArray read() const
    {
        char bytes[4096];
        const ssize_t count = ::read(m_master, bytes, sizeof bytes);
        return {bytes, qMax(ssize_t(0), count)};
    }
    void interrupt() const { ::kill(pid_t(m_process.processId()), SIGINT); }
    [[nodiscard]] int exitCode()
    {
        return m_process.waitForFinished(120'000) && m_process.exitStatus() == QProcess::NormalExit
                   ? m_process.exitCode()
                   : -1;
    }
    /// All that is left.
    [[nodiscard]] QByteArray rest() const
    {
        QByteArray all;
        for (QByteArray more = read(); !more.isEmpty(); more = read())
            all += more;
        return all;
    }

private:
    QProcess m_process;
    int m_master = -1;
    bool m_started = false;
};

/// Enough recipes to have time for a Ctrl+C.
void promiseThousands(const VerbFixture &f)
{
    QByteArrayList pythons;
    for (int minor = 10; minor < 100; ++minor)
        pythons.append("\"python3" + QByteArray::number(minor) + '"');
    f.write(u"torch-matrix.toml"_s, "base = \"main\"\npythons = [" + pythons.join(", ") + "]\n");
    f.git({u"add"_s, u"torch-matrix.toml"_s});
    f.git({u"commit"_s, u"-qm"_s, u"Promise thousands"_s});
}

QByteArray state(const VerbFixture &f)
{
    return f.git({u"for-each-ref"_s}).out + f.git({u"status"_s, u"--porcelain"_s}).out +
           f.git({u"ls-files"_s, u"--stage"_s}).out;
}

} // namespace

class TestVerbProgress : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void aTerminalIsToldAndNobodyElse()
    {
        const VerbFixture f;
        QVERIFY(!f.verb({u"plan"_s}).err.contains('%'));
        InTerminal terminal(f, {u"plan"_s});
        QVERIFY(terminal.started());
        QCOMPARE(terminal.exitCode(), 0);
        const QByteArray said = terminal.rest();
        QVERIFY2(said.startsWith("\rReading the recipes: "), said.constData());
        QVERIFY2(said.endsWith("\r\033[Kmain: nothing to do\r\n"),
                 said.constData()); // and the line is gone when there is something to say
    }

    void aStopLeavesEverythingAsItWas_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("plan") << QStringList{u"plan"_s, u"--apply"_s};
        QTest::newRow("derive") << QStringList{u"derive"_s, u"next"_s, u"--set"_s, u"metadata_rev=2"_s, u"--apply"_s};
        QTest::newRow("migrate") << QStringList{u"migrate"_s, u"--pin"_s, QString(20, u'c') + QString(20, u'd'),
                                                u"--apply"_s};
        QTest::newRow("copy") << QStringList{u"copy"_s, u"pytorch-python313-cpu-avx2"_s, u"--from"_s, u"cuda-12_9"_s,
                                             u"--apply"_s};
    }
    void aStopLeavesEverythingAsItWas()
    {
        QFETCH(const QStringList, arguments);
        const VerbFixture f;
        promiseThousands(f);
        const QByteArray before = state(f);
        InTerminal terminal(f, arguments);
        QVERIFY(terminal.started());
        QByteArray said;
        for (QByteArray more = terminal.read(); !more.isEmpty();
             more = said.contains(" %") ? QByteArray() : terminal.read())
            said += more;
        QVERIFY2(said.contains(" %"), said.constData());
        terminal.interrupt();
        QCOMPARE(terminal.exitCode(), 3);
        said += terminal.rest();
        QVERIFY2(said.contains("it was stopped. Nothing was changed."), said.constData());
        QCOMPARE(state(f), before);
        QVERIFY(!QFile::exists(f.sample() + u"/.git/index.lock"_s));
    }

    /// Ctrl+C while git waits for a hook: neither the branch nor a file has changed, and the same command completes it
    /// later.
    void aStopInTheMiddleOfACommit_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("generate") << QStringList{u"generate"_s, u"--all"_s, u"--commit"_s};
        QTest::newRow("plan") << QStringList{u"plan"_s, u"--apply"_s};
        QTest::newRow("derive") << QStringList{u"derive"_s, u"next"_s, u"--set"_s, u"metadata_rev=2"_s, u"--apply"_s};
        QTest::newRow("migrate") << QStringList{u"migrate"_s, u"--pin"_s, QString(20, u'c') + QString(20, u'd'),
                                                u"--apply"_s};
    }
    void aStopInTheMiddleOfACommit()
    {
        QFETCH(const QStringList, arguments);
        const VerbFixture f;
        f.git({u"rm"_s, u"-q"_s, u".flox/pkgs/pytorch-python313-cpu-avx2.nix"_s});
        f.git({u"commit"_s, u"-qm"_s, u"Take one out"_s});
        const QString hook = u".git/hooks/pre-commit"_s;
        f.write(hook, "#!/bin/sh\ntouch '" + f.sample().toUtf8() + "/.git/asked'\nsleep 600\n");
        QFile::setPermissions(f.sample() + u'/' + hook, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        const QByteArray before = state(f);
        InTerminal terminal(f, arguments);
        QVERIFY(terminal.started());
        QTRY_VERIFY(QFile::exists(f.sample() + u"/.git/asked"_s));
        terminal.interrupt();
        QCOMPARE(terminal.exitCode(), 3);
        const QByteArray said = terminal.rest();
        QVERIFY2(said.contains("it was stopped. Nothing was changed."), said.constData());
        QCOMPARE(state(f), before);
        for (const QString &lock : {u"index.lock"_s, u"HEAD.lock"_s, u"refs/heads/main.lock"_s})
            QVERIFY2(!QFile::exists(f.sample() + u"/.git/"_s + lock), qPrintable(lock));
        QCOMPARE(f.git({u"worktree"_s, u"list"_s}).out.count('\n'), 1);

        f.write(hook, "#!/bin/sh\nexit 0\n");
        const Ran again = f.verb(arguments);
        QVERIFY2(again.exitCode == 0, again.err.constData());
        QVERIFY(state(f) != before);
        QCOMPARE(f.git({u"fsck"_s, u"--strict"_s}).exitCode, 0);
    }
};

TM_TEST(TestVerbProgress, QCoreApplication)
#include "tst_verb_progress.moc"
