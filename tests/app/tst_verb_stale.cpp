// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/Queue.h"
#include "tests/support/JobProcesses.h"
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>
#include <QJsonArray>

#include <algorithm>
#include <csignal>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

/// What became of builds, by every verb that tells or uses it.
class VerbStaleTest : public QObject
{
    Q_OBJECT

    const QString m_hopper = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
    const QString m_ampere = u"pytorch-python313-cuda12_8-sm80-avx2"_s;
    std::unique_ptr<VerbFixture> m_fixture;
    QTemporaryDir m_folder;

    [[nodiscard]] QString state() const { return m_folder.filePath(u"state"_s); }
    void commit() const
    {
        m_fixture->git({u"add"_s, u"-A"_s});
        m_fixture->git({u"commit"_s, u"-qm"_s, u"Change it"_s});
    }
    void writeTable(const QByteArray &rows) const
    {
        m_fixture->write(u".flox/pkgs/lib/rows.nix"_s, "{\n" + rows + "}\n");
    }
    /// Gives the sample's recipe an attribute with a row of the table.
    void takeRow(const QString &name, const QByteArray &row) const
    {
        const QString file = u".flox/pkgs/%1.nix"_s.arg(name);
        QByteArray text = m_fixture->read(file);
        const qsizetype at = text.indexOf("pname = ");
        QVERIFY(at > 0);
        m_fixture->write(file, text.insert(at, "row = (import ./lib/rows.nix).\"" + row + "\";\n    "));
    }
    /// Names of both recipes with that word in an array of a verb's JSON.
    [[nodiscard]] QStringList stale(const QJsonArray &array, const QString &key) const
    {
        QStringList names;
        for (const QJsonValue &one : array) {
            if (const QString name = one[u"name"_s].toString();
                (name == m_hopper || name == m_ampere) && (key.isEmpty() || one[key].toString() == "stale"_L1))
                names.append(name);
        }
        names.sort();
        return names;
    }
    void verifyStale(QStringList names) const
    {
        names.sort();
        const auto json = [this](const QStringList &words) {
            return m_fixture->verb(words + QStringList{u"--json"_s}).json();
        };
        QCOMPARE(stale(json({u"report"_s})[u"cells"_s].toArray(), u"state"_s), names);
        QCOMPARE(json({u"report"_s})[u"counts"_s][u"stale"_s].toInt(), names.size());
        const Ran estimate = m_fixture->verb({u"estimate"_s, u"--only"_s, u"stale"_s, u"--json"_s});
        QVERIFY2(estimate.json()[u"builds"_s].toArray().size() == names.size(), estimate.out + estimate.err);
        const Ran build = m_fixture->verb({u"build"_s, u"--stale"_s, u"--dry-run"_s});
        for (const QString &name : {m_hopper, m_ampere})
            QCOMPARE(build.out.contains(name.toUtf8() + " of "), names.contains(name));
        const Ran exported = m_fixture->verb({u"export"_s, u"github"_s, u"--only"_s, u"stale"_s});
        for (const QString &name : {m_hopper, m_ampere})
            QCOMPARE(exported.out.contains(name.toUtf8()), names.contains(name));
        for (int look = 0; look < 2; ++look) { // the second from the cache
            const QJsonArray listed = json({u"list"_s})[u"branches"_s].toArray();
            QCOMPARE(listed.size(), 1);
            QCOMPARE(stale(listed.at(0)[u"variants"_s].toArray(), u"build"_s), names);
        }
        const QJsonArray branches = json({u"overview"_s, m_fixture->sample()})[u"branches"_s].toArray();
        for (const QJsonValue &branch : branches) {
            if (branch[u"checkedOut"_s].toBool())
                QCOMPARE(branch[u"stale"_s].toInt(), names.size());
        }
    }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning();
        QDir().mkpath(m_folder.filePath(u"store"_s));
        m_fixture = std::make_unique<VerbFixture>();
        m_fixture->set(u"TORCH_MATRIX_STATE"_s, state());
        m_fixture->set(u"TORCH_MATRIX_STANDIN_STORE"_s, m_folder.filePath(u"store"_s));
        m_fixture->set(u"PATH"_s, QStringLiteral(TM_STANDINS) + u':' + qEnvironmentVariable("PATH"));
        m_fixture->write(u".flox/env/manifest.lock"_s, "{}\n");
        writeTable("  \"80\" = \"8.0\";\n  \"90\" = \"9.0\";\n");
        takeRow(m_hopper, "90");
        takeRow(m_ampere, "80");
        commit();
        QCOMPARE(m_fixture->verb({u"build"_s, m_hopper, m_ampere}).exitCode, 0);
    }
    void cleanupTestCase() { QTRY_VERIFY(isQuiet(state())); }

    void whatChangesNothingIsNot()
    {
        verifyStale({});
        const QString file = u".flox/pkgs/%1.nix"_s.arg(m_hopper);
        m_fixture->write(file, m_fixture->read(file) + "# A comment\n");
        writeTable("  # Another one\n  \"80\" = \"8.0\";\n  \"90\" = \"9.0\";\n");
        commit();
        verifyStale({});
        // A row that neither takes, and the rows in another order.
        writeTable("  \"100\" = \"10.0\";\n  \"90\" = \"9.0\";\n  \"80\" = \"8.0\";\n");
        commit();
        verifyStale({});
        // Nor is it built again by its name.
        const Ran again = m_fixture->verb({u"build"_s, m_hopper});
        QCOMPARE(again.err.count("Already built"), 1);
    }

    void aBranchOfTheSameRecipesHasTheirBuilds()
    {
        m_fixture->git({u"checkout"_s, u"-qb"_s, u"topic"_s});
        verifyStale({});
        QCOMPARE(m_fixture->verb({u"report"_s, u"--json"_s}).json()[u"counts"_s][u"built"_s].toInt(), 2);
        const Ran missing = m_fixture->verb({u"build"_s, u"--missing"_s, u"--dry-run"_s});
        QVERIFY2(!missing.out.contains(m_hopper.toUtf8() + " of "), missing.out.constData());
        m_fixture->git({u"checkout"_s, u"-q"_s, u"main"_s});
    }

    void whatItBuildsIs()
    {
        writeTable("  \"80\" = \"8.6\";\n  \"90\" = \"9.0\";\n");
        commit();
        verifyStale({m_ampere});
        // Whether or not the results are still there.
        QVERIFY(QDir(m_folder.filePath(u"store"_s)).removeRecursively());
        QDir().mkpath(m_folder.filePath(u"store"_s));
        verifyStale({m_ampere});
    }

    void whatChangedWhileItWasBuiltIs()
    {
        m_fixture->set(u"TORCH_MATRIX_STANDIN_FLOX"_s, u"slow:1"_s);
        QCOMPARE(m_fixture->verb({u"build"_s, m_hopper, u"--again"_s, u"--detach"_s}).exitCode, 0);
        writeTable("  \"80\" = \"8.0\";\n  \"90\" = \"9.0a\";\n");
        commit();
        QTRY_VERIFY(isQuiet(state()));
        verifyStale({m_hopper});
    }

    /// In the morning: the first verb that tells of builds says it, starts what waits, and has what was lost.
    void afterTheMachineDied_data()
    {
        QTest::addColumn<QStringList>("verb");
        QTest::newRow("report") << QStringList{u"report"_s};
        QTest::newRow("builds") << QStringList{u"builds"_s};
        QTest::newRow("overview") << QStringList{u"overview"_s, m_fixture->sample()};
    }
    void afterTheMachineDied()
    {
        QFETCH(const QStringList, verb);
        m_fixture->set(u"TORCH_MATRIX_STANDIN_FLOX"_s, u"hold"_s);
        QCOMPARE(m_fixture->verb({u"build"_s, m_hopper, m_ampere, u"--again"_s, u"--detach"_s}).exitCode, 0);
        const auto numberOf = [this](JobPhase phase) {
            const QList<JobRecord> jobs = readJobs(state());
            return std::ranges::count(jobs, phase, &JobRecord::phase);
        };
        QTRY_COMPARE(numberOf(JobPhase::Running), 1);
        QTRY_VERIFY(JobFolder::all(state()).constLast().phase() == JobPhase::Waiting);
        QVERIFY(!m_fixture->verb(verb).err.contains("queue continues"));
        for (int tries = 0; tries < 3; ++tries) {
            const QList<JobFolder> folders = JobFolder::all(state());
            for (const qint64 pid : processesNamed(state().toUtf8()))
                ::kill(pid_t(pid), SIGKILL);
            for (const JobFolder &folder : folders) {
                for (const qint64 pid : processesNamed(folder.path().toUtf8()))
                    ::kill(pid_t(pid), SIGKILL);
                for (const ProcessEntry &one :
                     processesWith("TORCH_MATRIX_JOB=" + folder.path().toUtf8(), processTable()))
                    ::kill(pid_t(one.pid), SIGKILL);
            }
        }
        QTRY_COMPARE(numberOf(JobPhase::Lost), 1);
        m_fixture->set(u"TORCH_MATRIX_STANDIN_FLOX"_s, {});
        const Ran morning = m_fixture->verb(verb);
        QVERIFY2(morning.err.contains("the queue continues now"), morning.err.constData());
        QTRY_VERIFY(isQuiet(state()));
        QCOMPARE(m_fixture->verb({u"build"_s, m_hopper, u"--again"_s, u"--detach"_s}).exitCode, 0);
        QCOMPARE(m_fixture->verb({u"queue"_s, u"stop"_s}).exitCode, 0);
        QTRY_VERIFY(isQuiet(state()));
        QCOMPARE(numberOf(JobPhase::Waiting), 0);
    }

    /// What was stopped or lost has its reason in the report, and is a finding.
    void reportsWhatWasStoppedAndLost()
    {
        QTemporaryDir other;
        m_fixture->set(u"TORCH_MATRIX_STATE"_s, other.filePath(u"state"_s));
        // A link that none of its jobs made counts as a build of the file that is there.
        for (const QString &name : {m_hopper, m_ampere})
            QFile::remove(m_fixture->sample() + u"/result-"_s + name);
        QCOMPARE(m_fixture->verb({u"report"_s}).exitCode, 0);
        QCOMPARE(m_fixture->verb({u"queue"_s, u"pause"_s}).exitCode, 0);
        QCOMPARE(m_fixture->verb({u"build"_s, m_hopper, u"--detach"_s}).exitCode, 0);
        QCOMPARE(m_fixture->verb({u"queue"_s, u"stop"_s}).exitCode, 0);
        const Ran report = m_fixture->verb({u"report"_s});
        QCOMPARE(report.exitCode, 1);
        QVERIFY2(report.out.contains("1 stopped") && report.out.contains("| stopped "), report.out.constData());
        const QByteArray failures = report.out.mid(report.out.indexOf("### Failures"));
        QVERIFY2(failures.contains(m_hopper.toUtf8()), failures.constData());
        m_fixture->set(u"TORCH_MATRIX_STATE"_s, state());
    }
};

TM_TEST(VerbStaleTest, QCoreApplication)
#include "tst_verb_stale.moc"
