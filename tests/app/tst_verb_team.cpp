// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// A team's builds: builds push and pull, between real clones.
#include "model/job/Job.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QSysInfo>

#include <array>
#include <memory>
#include <vector>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::Ran;
using tmx::test::VerbFixture;

namespace {

const QString hopper = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
const QString ampere = u"pytorch-python313-cuda12_8-sm80-avx2"_s;

/// A person with a clone and a state folder.
struct Member {
    QTemporaryDir state;
    VerbFixture fixture;

    Member(const QString &name, const QString &origin)
    {
        QDir(fixture.sample()).removeRecursively();
        QDir().mkpath(fixture.sample());
        fixture.git({u"clone"_s, u"--quiet"_s, origin, u"."_s});
        fixture.git({u"config"_s, u"torch-matrix.machine"_s, name});
        fixture.set(u"TORCH_MATRIX_STATE"_s, state.path());
    }
    /// A finished build. Its log and its reason contain what must stay local.
    void addJob(const QString &variant, BuildOutcome::Kind kind) const
    {
        Job job;
        job.repository = QFileInfo(fixture.sample()).canonicalFilePath();
        job.branch = u"main"_s;
        job.commit = QString::fromLatin1(fixture.git({u"rev-parse"_s, u"HEAD"_s}).out.trimmed());
        job.recipe = u".flox/pkgs/%1.nix"_s.arg(variant);
        job.blob = QString::fromLatin1(fixture.git({u"rev-parse"_s, u"HEAD:"_s + job.recipe}).out.trimmed());
        job.package = job.variant = variant;
        job.created = QDateTime::currentDateTimeUtc();
        const Result<JobFolder> folder = JobFolder::create(state.path(), job);
        QVERIFY_OK(folder);
        JobOutcome outcome;
        outcome.build.kind = kind;
        outcome.build.sentence = u"It ended on %1 in %2."_s.arg(QSysInfo::machineHostName(), state.path());
        outcome.started = job.created;
        outcome.ended = job.created.addSecs(3600);
        QVERIFY_OK(folder->writeOutcome(outcome));
    }
    [[nodiscard]] Ran verb(const QStringList &arguments) const { return fixture.verb(arguments); }
    [[nodiscard]] QString buildOf(const QString &variant) const
    {
        const QJsonArray all = verb({u"list"_s, u"--json"_s})
                                   .json()
                                   .value(u"branches"_s)
                                   .toArray()
                                   .first()
                                   .toObject()
                                   .value(u"variants"_s)
                                   .toArray();
        for (const QJsonValue &one : all) {
            if (one.toObject().value(u"name"_s) == variant)
                return one.toObject().value(u"build"_s).toString();
        }
        return u"no such variant"_s;
    }
    [[nodiscard]] qsizetype known() const
    {
        return verb({u"builds"_s, u"--team"_s, u"--limit"_s, u"0"_s, u"--json"_s})
            .json()
            .value(u"builds"_s)
            .toArray()
            .size();
    }
};

} // namespace

class VerbTeamTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_bare = m_folder.filePath(u"bare.git"_s);
    std::unique_ptr<VerbFixture> m_origin;
    std::unique_ptr<Member> m_ada;
    std::unique_ptr<Member> m_bob;

    [[nodiscard]] QByteArray inBare(const QStringList &arguments) const
    {
        return m_origin->git(QStringList{u"--git-dir"_s, m_bare} + arguments).out;
    }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning();
        m_origin = std::make_unique<VerbFixture>();
        m_origin->git({u"clone"_s, u"--quiet"_s, u"--bare"_s, m_origin->sample(), m_bare});
    }

    void init()
    {
        m_origin->git({u"--git-dir"_s, m_bare, u"update-ref"_s, u"-d"_s, u"refs/torch-matrix/builds"_s});
        m_ada = std::make_unique<Member>(u"ada-box"_s, m_bare);
        m_bob = std::make_unique<Member>(u"bob-box"_s, m_bare);
    }

    /// What this machine added is counted apart from what others had added.
    void aPushCountsWhatItAdds()
    {
        m_ada->addJob(hopper, BuildOutcome::Kind::Built);
        m_ada->addJob(ampere, BuildOutcome::Kind::Built);
        QCOMPARE(m_ada->verb({u"builds"_s, u"push"_s}).exitCode, 0);
        m_bob->addJob(hopper, BuildOutcome::Kind::Built);
        for (const char *words :
             {"Added 1 build, check or publication of this machine. The shared list has 3 builds from 2 "
              "machines; 2 of them, by others, are new here.",
              "Added 0 builds, checks and publications of this machine. The shared list has 3 builds "
              "from 2 machines; 0 of them, by others, are new here."}) {
            const Ran pushed = m_bob->verb({u"builds"_s, u"push"_s});
            QVERIFY2(pushed.err.contains(words), pushed.err.constData());
        }
        for (const auto &[verb, words] : {std::pair(u"pull"_s, "Could not fetch builds from nosuch"),
                                          {u"push"_s, "Could not share builds with nosuch"}}) {
            const Ran refused = m_bob->verb({u"builds"_s, verb, u"nosuch"_s});
            QVERIFY2(refused.exitCode == 3 && refused.err.contains(words), refused.err.constData());
        }
    }

    void othersSeeWhatWasBuilt()
    {
        m_ada->addJob(hopper, BuildOutcome::Kind::Built);
        m_ada->addJob(ampere, BuildOutcome::Kind::OutOfMemory);
        QCOMPARE(m_bob->buildOf(hopper), u"none"_s);
        const Ran pushed = m_ada->verb({u"builds"_s, u"push"_s});
        QVERIFY2(pushed.exitCode == 0, pushed.err.constData());
        QVERIFY2(pushed.err.contains("Added 2 builds, checks and publications of this machine. The shared list has 2 "
                                     "builds from 1 machine; 0 of them, by others, are new here."),
                 pushed.err.constData());
        const Ran pulled = m_bob->verb({u"builds"_s, u"pull"_s});
        QVERIFY2(pulled.exitCode == 0, pulled.err.constData());
        QVERIFY2(pulled.err.startsWith("The shared list has 2 builds") &&
                     pulled.err.contains("2 of them, by others, are new here"),
                 pulled.err.constData());

        QCOMPARE(m_bob->buildOf(hopper), u"elsewhere"_s);
        QCOMPARE(m_bob->buildOf(ampere), u"failed-elsewhere"_s);
        const Ran report = m_bob->verb({u"report"_s});
        QVERIFY2(report.out.contains("built 1:00:00 (ada-box)"), report.out.constData());
        QVERIFY2(report.out.contains("failed: out of memory (ada-box)"), report.out.constData());
        QCOMPARE(m_bob->verb({u"builds"_s}).out, QByteArray()); // of this account
        const Ran team = m_bob->verb({u"builds"_s, u"--team"_s});
        QVERIFY2(team.out.contains(hopper.toUtf8() + "  on ada-box"), team.out.constData());
        // It is still missing here.
        const Ran exported = m_bob->verb({u"export"_s, u"github"_s, u"--only"_s, u"missing"_s});
        QVERIFY2(exported.out.contains(hopper.toUtf8()), (exported.out + exported.err).constData());

        // A build of another recipe: the report shows it as stale, the grid shows nothing.
        m_bob->fixture.write(u".flox/pkgs/%1.nix"_s.arg(hopper),
                             "# changed\n" + m_bob->fixture.read(u".flox/pkgs/%1.nix"_s.arg(hopper)));
        m_bob->fixture.git({u"commit"_s, u"-qam"_s, u"Change a recipe"_s});
        QCOMPARE(m_bob->buildOf(hopper), u"none"_s);
        QVERIFY(m_bob->verb({u"report"_s}).out.contains("stale"));
        // Ada's own builds stay hers.
        QCOMPARE(m_ada->known(), 2);
    }

    void nothingElseLeaves()
    {
        m_ada->addJob(hopper, BuildOutcome::Kind::OutOfMemory);
        const Ran dry = m_ada->verb({u"builds"_s, u"push"_s, u"--dry-run"_s});
        QCOMPARE(dry.exitCode, 0);
        QCOMPARE(dry.out.count('\n'), 1);
        QCOMPARE(inBare({u"for-each-ref"_s, u"refs/torch-matrix"_s}), QByteArray());
        QCOMPARE(m_ada->verb({u"builds"_s, u"push"_s}).exitCode, 0);
        const QByteArray all = inBare({u"log"_s, u"-p"_s, u"--format=fuller"_s, u"refs/torch-matrix/builds"_s});
        QVERIFY(all.contains(dry.out.trimmed()));
        for (const QString &word : {m_ada->state.path(), m_ada->fixture.sample(), QSysInfo::machineHostName(),
                                    QString::fromLatin1(machineId().toLatin1()), u"It ended on"_s})
            QVERIFY2(word.isEmpty() || !all.contains(word.toUtf8()), qPrintable(word));
    }

    /// Both push simultaneously and repeatedly, while they build.
    void losesNothingOfTwoAtATime()
    {
        const std::array members{m_ada.get(), m_bob.get()};
        constexpr int rounds = 4;
        for (int round = 0; round < rounds; ++round) {
            std::vector<std::unique_ptr<QProcess>> pushes;
            for (Member *member : members) {
                member->addJob(hopper, BuildOutcome::Kind::Failed);
                pushes.push_back(std::make_unique<QProcess>());
                pushes.back()->setProcessEnvironment(member->fixture.environment());
                pushes.back()->setWorkingDirectory(member->fixture.sample());
                pushes.back()->start(QStringLiteral(TM_PROGRAM), {u"builds"_s, u"push"_s});
            }
            for (const auto &push : pushes) {
                QVERIFY(push->waitForFinished(120'000));
                QVERIFY2(push->exitCode() == 0, push->readAllStandardError().constData());
            }
        }
        for (Member *member : members) {
            QCOMPARE(member->verb({u"builds"_s, u"pull"_s}).exitCode, 0);
            QCOMPARE(member->known(), 2 * rounds);
        }
        QCOMPARE(inBare({u"fsck"_s, u"--strict"_s, u"--no-dangling"_s}), QByteArray());
        const Member third(u"third"_s, m_bare);
        QCOMPARE(third.verb({u"builds"_s, u"pull"_s}).exitCode, 0);
        QCOMPARE(third.known(), 2 * rounds);
    }

    void saysWhatCannotBe()
    {
        m_ada->addJob(hopper, BuildOutcome::Kind::Built);
        const Ran none = m_ada->verb({u"builds"_s, u"push"_s, u"nowhere"_s});
        QCOMPARE(none.exitCode, 3);
        QVERIFY2(none.err.contains("no remote of that name"), none.err.constData());
        m_ada->fixture.git({u"config"_s, u"torch-matrix.machine"_s, u"a b"_s});
        QVERIFY(m_ada->verb({u"builds"_s, u"push"_s}).err.contains("torch-matrix.machine"));
        m_ada->fixture.git({u"config"_s, u"--unset"_s, u"torch-matrix.machine"_s});
        QVERIFY(m_ada->verb({u"builds"_s, u"push"_s, u"-n"_s}).out.contains("\"machine\":\"m-"));
        m_ada->fixture.git({u"remote"_s, u"set-url"_s, u"origin"_s, m_folder.filePath(u"gone"_s)});
        const Ran gone = m_ada->verb({u"builds"_s, u"pull"_s});
        QCOMPARE(gone.exitCode, 3);
        QVERIFY2(gone.err.contains("gone"), gone.err.constData());
        m_ada->fixture.git({u"remote"_s, u"remove"_s, u"origin"_s});
        QVERIFY(m_ada->verb({u"builds"_s, u"pull"_s}).err.contains("no remote"));
        m_ada->fixture.git({u"update-ref"_s, u"refs/torch-matrix/builds"_s, u"HEAD"_s}); // somebody else's
        const Ran strange = m_ada->verb({u"builds"_s, u"--team"_s});
        QCOMPARE(strange.exitCode, 3);
        QVERIFY2(strange.err.contains("git update-ref -d refs/torch-matrix/builds"), strange.err.constData());
        // A variant is not a word of the verb.
        QCOMPARE(m_ada->verb({u"builds"_s, u"foo"_s}).exitCode, 2);
    }
};

TM_TEST(VerbTeamTest, QCoreApplication)
#include "tst_verb_team.moc"
