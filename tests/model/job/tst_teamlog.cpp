// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// Logs of the team's builds, from a real sshd.
#include "model/job/Job.h"
#include "model/job/SharedBuildLines.h"
#include "model/job/TeamLog.h"
#include "model/log/PackedLog.h"
#include "tests/support/FileText.h"
#include "tests/support/Results.h"
#include "tests/support/SshServer.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QScopeGuard>
#include <QTest>

#include <memory>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::contentOf;
using tmx::test::putFile;

class TeamLogTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<tmx::test::SshServer> m_ssh;
    QTemporaryDir m_folder;
    QByteArray m_path = qgetenv("PATH");
    const QString m_job = u"20261122-153012-0413f9"_s;

    [[nodiscard]] QString file() const { return m_folder.filePath(u"fetched"_s); }
    [[nodiscard]] QString logThere(const QString &job) const
    {
        return m_ssh->there() + u"/torch-matrix/jobs/%1/log"_s.arg(job);
    }
    [[nodiscard]] BuildRecord build() const
    {
        BuildRecord record;
        record.job = lineIdOf(machineId(), m_job);
        record.jobThere = m_job;
        return record;
    }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning();
        m_ssh = std::make_unique<tmx::test::SshServer>(QStringList());
        qputenv("PATH", m_ssh->bin().toUtf8() + ':' + m_path);
        for (const QString &job : {u"20250101-000000-aaaaaa"_s, m_job})
            putFile(logThere(job), "log of " + job.toUtf8() + '\n');
    }
    void cleanupTestCase() { qputenv("PATH", m_path); }
    void cleanup() { QFile::remove(file()); }

    void comesOverSsh()
    {
        const QByteArray text = QByteArray("#torch-matrix log 3\nline\r\x1b[31m\0\xff\n", 32).repeated(100'000);
        putFile(logThere(m_job), text);
        qint64 came = 0;
        qint64 all = 0;
        QVERIFY_OK(fetchTeamLog(build(), u"gpu-box"_s, file(), [&](qint64 now, qint64 whole) {
            QVERIFY(now >= came);
            came = now;
            all = whole;
        }));
        QVERIFY(contentOf(file()) == text);
        QCOMPARE(came, text.size());
        QCOMPARE(all, text.size());
        // Logs older than a week are compressed there.
        QVERIFY_OK(packLog(logThere(m_job)));
        QVERIFY_OK(fetchTeamLog(build(), u"gpu-box"_s, file()));
        QVERIFY(contentOf(file()) == text);
    }

    /// Lines of an older version have only the id.
    void isFoundByItsId()
    {
        if (machineId().isEmpty())
            return; // as in some containers
        putFile(logThere(m_job), "it\n");
        BuildRecord record = build();
        record.jobThere.clear();
        QCOMPARE(teamLogPath(record), QString());
        QVERIFY_OK(fetchTeamLog(record, u"gpu-box"_s, file()));
        QCOMPARE(contentOf(file()), "it\n");
    }

    void saysWhyNot_data()
    {
        QTest::addColumn<QString>("host");
        QTest::addColumn<QString>("job");
        QTest::addColumn<QString>("says");
        QTest::newRow("no log") << u"gpu-box"_s << u"20251122-153012-0413f9"_s
                                << u"Could not fetch the log from gpu-box: it has no log of this build."_s;
        QTest::newRow("no id") << u"gpu-box"_s << QString() << u"it has no log of this build."_s;
        QTest::newRow("no answer") << u"nobody-home"_s << m_job << u"Connection refused"_s;
        QTest::newRow("an option") << u"-oProxyCommand=x"_s << m_job << u"that is not a host name"_s;
    }
    void saysWhyNot()
    {
        QFETCH(const QString, host);
        QFETCH(const QString, job);
        QFETCH(const QString, says);
        BuildRecord record = build();
        record.job = QString(16, u'0');
        record.jobThere = job;
        const Result<void> fetched = fetchTeamLog(record, host, file());
        QVERIFY(!fetched);
        QVERIFY2(fetched.error().sentence().contains(says), qPrintable(fetched.error().sentence()));
    }

    void isStopped()
    {
        const Result<void> fetched = fetchTeamLog(build(), u"gpu-box"_s, file(), {}, [] { return true; });
        QVERIFY(!fetched);
        QVERIFY2(fetched.error().why == "it was stopped"_L1, qPrintable(fetched.error().sentence()));
        const QString nowhere = m_folder.filePath(u"no/folder"_s);
        const Result<void> unwritten = fetchTeamLog(build(), u"gpu-box"_s, nowhere);
        QVERIFY(!unwritten && unwritten.error().sentence().contains(nowhere));
    }
};

TM_TEST(TeamLogTest, QCoreApplication)
#include "tst_teamlog.moc"
