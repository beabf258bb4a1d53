// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/RetriedBuilds.h"

#include "model/builds/BuildRequest.h"
#include "tests/support/Results.h"
#include "tests/support/SampleFixture.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

using Kind = BuildOutcome::Kind;

/// Which recipe, of which commit, a retry builds.
class TestRetriedBuilds : public QObject
{
    Q_OBJECT

    const QString m_name = u"pytorch-python313-cpu-avx2"_s;
    const QString m_other = u"pytorch-python313-cpu-avx512"_s;
    const SnapshotReader m_reader{testing::builtInCatalog()};
    std::unique_ptr<SampleFixture> m_sample;
    int m_jobs = 0;

    [[nodiscard]] static QString fileOf(const QString &name) { return u".flox/pkgs/%1.nix"_s.arg(name); }
    [[nodiscard]] QString head() const
    {
        return QString::fromLatin1(m_sample->git({u"rev-parse"_s, u"HEAD"_s})).trimmed();
    }
    void commit() const
    {
        m_sample->git({u"add"_s, u"-A"_s});
        m_sample->git({u"commit"_s, u"-qm"_s, u"Change it"_s});
    }
    /// Gives the recipe an attribute, and commits it.
    void change(const QString &name, const QByteArray &value) const
    {
        QByteArray text = m_sample->read(fileOf(name));
        m_sample->write(fileOf(name), text.insert(text.indexOf("pname = "), "changed = " + value + ";\n    "));
        commit();
    }
    JobRecord ended(const QString &name, Kind kind)
    {
        JobRecord record;
        const auto read = m_reader.read(m_sample->path());
        record.job = *jobFor(*read->snapshot, name, {});
        record.job.id = QString::number(++m_jobs);
        record.job.cores = m_jobs; // tells whose job it is
        record.phase = JobPhase::Ended;
        record.outcome = JobOutcome{.build = {.kind = kind}};
        return record;
    }
    [[nodiscard]] RetriedBuilds retried(const QList<JobRecord> &jobs, RetryChoice choice) const
    {
        return retriedBuilds(m_reader, jobs, jobs, choice);
    }

private Q_SLOTS:
    void initTestCase() { QTest::failOnWarning(); }
    void init() { m_sample = std::make_unique<SampleFixture>(); }

    void aChangedRecipeIsTakenFromItsBranch_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<bool>("current");
        for (const char *what : {"nothing", "a comment", "another recipe", "deleted"})
            QTest::newRow(what) << QString::fromLatin1(what) << false;
        for (const char *what : {"an attribute", "what it imports", "on another checked-out branch"})
            QTest::newRow(what) << QString::fromLatin1(what) << true;
    }
    void aChangedRecipeIsTakenFromItsBranch()
    {
        QFETCH(QString, what);
        QFETCH(bool, current);
        m_sample->write(u".flox/pkgs/lib/rows.nix"_s, "{ a = \"1\"; b = \"2\"; }\n");
        change(m_name, "(import ./lib/rows.nix).a");
        for (const Kind kind : {Kind::CompileError, Kind::Lost}) {
            const JobRecord before = ended(m_name, kind);
            const QString then = head();
            const QString file = fileOf(m_name);
            if (what == "a comment"_L1)
                m_sample->write(file, m_sample->read(file) + "# Another\n");
            else if (what == "another recipe"_L1)
                change(m_other, "true");
            else if (what == "an attribute"_L1 || what == "on another checked-out branch"_L1)
                change(m_name, "{ x = " + QByteArray::number(m_jobs) + "; }.x");
            else if (what == "what it imports"_L1)
                m_sample->write(u".flox/pkgs/lib/rows.nix"_s, "{ a = \"" + QByteArray::number(m_jobs + 5) + "\"; }\n");
            else if (what == "deleted"_L1)
                m_sample->git({u"rm"_s, u"-q"_s, file});
            if (what != "another recipe"_L1 && what != "nothing"_L1 && m_sample->status().size() > 0)
                commit();
            const QString now = head();
            if (what == "on another checked-out branch"_L1)
                m_sample->git({u"checkout"_s, u"-qB"_s, u"other"_s, u"HEAD~1"_s});
            const bool useless = kind == Kind::CompileError && !current;
            for (const RetryChoice choice : {RetryChoice::Named, RetryChoice::MaySucceed}) {
                const RetriedBuilds again = retried({before}, choice);
                const bool left = useless && choice == RetryChoice::MaySucceed;
                QCOMPARE(again.useless, left ? QStringList{m_name} : QStringList());
                QCOMPARE(again.jobs.size(), left ? 0 : 1);
                QCOMPARE(again.current.size(), current ? 1 : 0);
                QCOMPARE(again.currentText().contains(u"%1 (%2)"_s.arg(m_name, now.left(7))), current);
                if (left)
                    continue;
                const Job &job = again.jobs.constFirst();
                QCOMPARE(job.commit, current ? now : then);
                QCOMPARE(job.key() == before.job.key(), !current);
                QCOMPARE(job.cores, before.job.cores);
                QVERIFY(job.id.isEmpty());
            }
            if (what == "on another checked-out branch"_L1)
                m_sample->git({u"checkout"_s, u"-q"_s, u"main"_s});
            if (what == "deleted"_L1)
                return;
        }
    }

    /// The builds of older recipes become one, and none where the recipe of now has its own.
    void eachRecipeIsBuiltOnce()
    {
        QList<JobRecord> jobs{ended(m_name, Kind::Lost), ended(m_other, Kind::Lost)};
        change(m_name, "1");
        jobs.append(ended(m_name, Kind::CompileError));
        change(m_name, "2");
        const RetriedBuilds again = retried(jobs, RetryChoice::MaySucceed);
        QCOMPARE(again.jobs.size(), 2);
        QCOMPARE(again.jobs.constFirst().package, m_other);
        QCOMPARE(again.jobs.constLast().commit, head());
        QCOMPARE(again.jobs.constLast().cores, jobs.constLast().job.cores);
        QCOMPARE(again.current.size(), 1);
        for (const Kind kind : {Kind::Built, Kind::CompileError, Kind::Stopped}) {
            QList<JobRecord> more = jobs;
            more.append(ended(m_name, kind));
            const RetriedBuilds rest = retriedBuilds(m_reader, jobs, more, RetryChoice::MaySucceed);
            QCOMPARE(rest.jobs.size(), 1);
            QCOMPARE(rest.jobs.constFirst().package, m_other);
            QCOMPARE(retriedBuilds(m_reader, jobs, more, RetryChoice::Named).jobs.size(), 2);
        }
    }

    void whatCannotBeReadIsBuiltAsItWas()
    {
        JobRecord gone = ended(m_name, Kind::Lost);
        gone.job.branch = u"gone"_s;
        JobRecord detached = ended(m_name, Kind::Lost);
        detached.job.branch.clear();
        JobRecord nowhere = ended(m_name, Kind::Lost);
        nowhere.job.repository = u"/nonexistent"_s;
        const QString then = head();
        change(m_name, "1");
        const RetriedBuilds again = retried({gone, detached, nowhere}, RetryChoice::MaySucceed);
        QCOMPARE(again.jobs.size(), 3);
        for (const Job &job : again.jobs)
            QCOMPARE(job.commit, then);
        QVERIFY(again.current.isEmpty() && again.currentText().isEmpty());
    }
};

TM_TEST(TestRetriedBuilds, QCoreApplication)
#include "tst_retriedbuilds.moc"
