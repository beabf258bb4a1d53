// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/BlobId.h"
#include "model/job/Needs.h"
#include "model/job/Queue.h"
#include "tests/support/BuildRepository.h"
#include "tests/support/FileText.h"
#include "tests/support/FleetFixture.h"
#include "tests/support/Fuzzing.h"
#include "tests/support/JobProcesses.h"
#include "tests/support/Rounds.h"
#include "tests/support/TestMain.h"
#include "tests/support/TwentyBuilds.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QThread>

#include <algorithm>
#include <csignal>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

/// A recipe of one of four repositories, whose text tests change.
struct Tried {
    QString repository;
    QByteArray package;
    int needs = -1; ///< index of its torch
    int revision = 0;
    bool fails = false;
    QString commit = {};
    QByteArray text = {};
};

bool isBuilt(const JobRecord &record)
{
    return record.outcome && record.outcome->build.kind == BuildOutcome::Kind::Built;
}

/// For a failure: a line for each job.
QByteArray textOf(const QList<JobRecord> &jobs)
{
    QByteArray text;
    const QHash<QString, Hold> holds = holdsOf(jobs);
    for (const JobRecord &record : jobs)
        text += '\n' + record.job.id.toUtf8() + ' ' + record.job.package.toUtf8() + ' ' +
                record.job.recipeId().left(7).toUtf8() + ' ' +
                (record.outcome ? wordOf(record.outcome->build.kind).toUtf8()
                                : "phase " + QByteArray::number(int(record.phase))) +
                ' ' + holds.value(record.job.id).text().toUtf8();
    return text;
}

} // namespace

/// Builds of what is built against others, in several repositories: the program itself, real git, the stand-in for
/// flox.
class VerbDependentsTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<VerbFixture> m_program;
    std::unique_ptr<FleetFixture> m_fleet;
    std::unique_ptr<QTemporaryDir> m_state;

    [[nodiscard]] QString state() const { return m_state->filePath(u"state"_s); }
    [[nodiscard]] QString calls() const { return m_state->filePath(u"calls"_s); }
    [[nodiscard]] QStringList built() const { return floxPackages(calls()); }
    [[nodiscard]] Ran build(const QStringList &arguments) const
    {
        return m_program->verb(QStringList{u"build"_s, u"--repo"_s, m_fleet->path(u"torch"_s)} + arguments);
    }
    void commit(const QString &repository, const QString &branch, QMap<QString, QByteArray> files) const
    {
        files.insert(u".flox/env.json"_s, "{\"name\": \"x\", \"version\": 1}\n");
        files.insert(u".flox/env/manifest.toml"_s, "version = 1\n");
        m_fleet->commit(repository, branch, files);
    }
    /// The torches of branch main, one of which fails if that is so.
    void commitTorches(const QByteArray &revision) const
    {
        QMap<QString, QByteArray> files =
            FleetFixture::torches(newPin, "12_8", "python313", "2.9.1", {"avx2", "avx512"});
        QByteArray &text = files[FleetFixture::fileOf("pytorch-python313-cuda12_8-sm90-avx2")];
        text.replace("cudaSupport = true;", "cudaSupport = true; revision = \"" + revision + "\";");
        text.prepend("# " + revision + '\n');
        commit(u"torch"_s, u"main"_s, files);
    }
    void set(const QString &variable, const QString &value) const
    {
        m_program->set(variable, value);
        qputenv(variable.toLatin1().constData(), value.toUtf8());
    }
    [[nodiscard]] Job jobOf(const Tried &recipe, const QList<Tried> &all) const;
    void change(Tried &recipe, bool fails) const;
    void verifyOrder(const QList<JobRecord> &jobs) const;

private Q_SLOTS:
    void initTestCase() { standInActs({}); }
    void init();
    void cleanup();
    void buildsWhatIsBuiltAgainstIt();
    void startsAgainWhenTheFailureIsCorrected();
    void tellsWhatIsStale();
    void tellsWhatImportsAChangedTorch();
    void chains();
};

static const QString torchName = u"pytorch-python313-cuda12_8-sm90-avx2"_s;
static const QString serveName = u"vllm-python313-cuda12_8-sm90-avx2"_s;

void VerbDependentsTest::init()
{
    QTest::failOnWarning();
    m_program = std::make_unique<VerbFixture>();
    m_fleet = std::make_unique<FleetFixture>();
    m_state = std::make_unique<QTemporaryDir>(inMemory());
    QDir().mkpath(m_state->filePath(u"store"_s));
    set(u"TORCH_MATRIX_STATE"_s, state());
    set(u"TORCH_MATRIX_STANDIN_STORE"_s, m_state->filePath(u"store"_s));
    set(u"TORCH_MATRIX_STANDIN_FLOX_CALLS"_s, calls());
    commit(u"torch"_s, u"old"_s, FleetFixture::torches(oldPin, "12_8", "python311", "2.8.0", {"avx2"}));
    commitTorches("1");
    commit(u"serve"_s, u"main"_s, FleetFixture::served(newPin, "12_8", "python313", "2.9.1", {"avx2", "avx512"}));
    commit(u"serve"_s, u"old"_s, FleetFixture::served(oldPin, "12_8", "python311", "2.8.0", {"avx2"}));
}

void VerbDependentsTest::cleanup()
{
    QTRY_VERIFY(isQuiet(state()));
}

void VerbDependentsTest::buildsWhatIsBuiltAgainstIt()
{
    const QStringList withDependents{torchName, u"--with-dependents"_s, u"--in"_s, m_fleet->path()};
    const Ran dry = build(withDependents + QStringList{u"--dry-run"_s});
    QCOMPARE(dry.exitCode, 0);
    QCOMPARE(
        dry.out.first(dry.out.indexOf("1 recipe:")),
        (torchName + u" of torch@main\n"_s + serveName + u" of serve@main, after "_s + torchName + u'\n').toUtf8());
    QVERIFY(built().isEmpty());
    const Ran first = build(withDependents);
    QVERIFY2(first.exitCode == 0, first.err.constData());
    QCOMPARE(built(), (QStringList{torchName, serveName}));
    // Nothing is built twice.
    const Ran second = build(withDependents);
    QCOMPARE(second.exitCode, 0);
    QCOMPARE(second.err.count("Already built"), 2);
    QCOMPARE(built().size(), 2);
    // A changed torch makes its dependents stale, although their own recipes are the same.
    commitTorches("2");
    QCOMPARE(build(withDependents).exitCode, 0);
    QCOMPARE(built(), (QStringList{torchName, serveName, torchName, serveName}));
    QCOMPARE(build({torchName, u"--in"_s, m_fleet->path()}).exitCode, 2);
}

void VerbDependentsTest::startsAgainWhenTheFailureIsCorrected()
{
    commitTorches("stand-in: fail");
    const QStringList withDependents{torchName, u"--with-dependents"_s, u"--in"_s, m_fleet->path()};
    const Ran failed = build(withDependents);
    QCOMPARE(failed.exitCode, 1);
    QVERIFY2(failed.out.contains("not started: " + torchName.toUtf8() + " was not built"), failed.out.constData());
    QCOMPARE(built(), QStringList{torchName});
    const Ran list = m_program->verb({u"queue"_s, u"--json"_s});
    const QJsonArray jobs = list.json()[u"jobs"_s].toArray();
    QCOMPARE(jobs.size(), 1);
    QCOMPARE(jobs.at(0)[u"after"_s][0].toString(), torchName);
    QCOMPARE(jobs.at(0)[u"hold"_s][u"inVain"_s].toBool(), true);
    QVERIFY(!list.err.contains("the queue continues"));
    // The same again is said before it is tried, and where nothing is tried.
    const Ran dry = build(withDependents + QStringList{u"--dry-run"_s});
    QVERIFY2(dry.err.contains("Failed before with the same recipe: " + torchName.toUtf8() + ". The build failed"),
             dry.err.constData());
    QVERIFY2(
        dry.out.endsWith(" jobs of 5 GB, " + QByteArray::number(QThread::idealThreadCount() * 5) + " GB in all.\n"),
        dry.out.constData());
    QCOMPARE(built(), QStringList{torchName});
    const Ran again = build({torchName});
    QCOMPARE(again.exitCode, 1);
    QVERIFY2(again.err.contains("Failed before with the same recipe"), again.err.constData());
    QCOMPARE(built(), (QStringList{torchName, torchName}));
    m_fleet->git(u"torch"_s, {u"checkout"_s, u"-q"_s, u"-b"_s, u"same"_s});
    const Ran elsewhere = build({torchName});
    QVERIFY2(elsewhere.err.contains("Failed before with the same recipe"), elsewhere.err.constData());
    // What waits starts alone, whoever builds its torch.
    commitTorches("corrected");
    QCOMPARE(build({torchName}).exitCode, 0);
    QTRY_COMPARE(built(), (QStringList{torchName, torchName, torchName, torchName, serveName}));
    QTRY_VERIFY(isQuiet(state()));
    QVERIFY(isBuilt(readJobs(state()).constLast()) && Queue(state()).contents().waiting.isEmpty());
}

void VerbDependentsTest::tellsWhatIsStale()
{
    const QStringList overview{u"overview"_s, u"--stale"_s, m_fleet->path(), u"--json"_s};
    QCOMPARE(build({torchName, u"--with-dependents"_s, u"--in"_s, m_fleet->path()}).exitCode, 0);
    const Ran none = m_program->verb(overview);
    QCOMPARE(none.exitCode, 0);
    QVERIFY(none.json()[u"stale"_s].toArray().isEmpty());
    commitTorches("2");
    const Ran one = m_program->verb(overview);
    QCOMPARE(one.exitCode, 1);
    const QJsonArray stale = one.json()[u"stale"_s].toArray();
    QCOMPARE(stale.size(), 1);
    QCOMPARE(stale.at(0)[u"name"_s].toString(), serveName);
    QCOMPARE(stale.at(0)[u"torch"_s][u"name"_s].toString(), torchName);
    const QJsonArray branches =
        m_program->verb({u"overview"_s, m_fleet->path(), u"--json"_s}).json()[u"branches"_s].toArray();
    for (const QJsonValue &branch : branches) {
        const bool main = branch[u"branch"_s].toString() == u"main"_s;
        QCOMPARE(branch[u"stale"_s].toInt(), main ? 1 : 0); // the torch itself, and vLLM
    }
}

/// A recipe that imports that of its torch.
void VerbDependentsTest::tellsWhatImportsAChangedTorch()
{
    const QByteArray audio = "torchaudio-python313-cuda12_8-sm90-avx2";
    const auto commitBoth = [&](const QByteArray &revision) {
        QMap<QString, QByteArray> files = FleetFixture::torches(newPin, "12_8", "python313", "2.9.1", {"avx2"});
        files[FleetFixture::fileOf(torchName.toUtf8())].replace("cudaSupport = true;",
                                                                "cudaSupport = true; revision = \"" + revision + "\";");
        files.insert(FleetFixture::fileOf(audio),
                     pinnedRecipe(newPin, "12_8",
                                  "(pinned.python313Packages.torchaudio.override { torch = import ./" +
                                      torchName.toUtf8() + ".nix { }; }).overrideAttrs (old: { pname = \"" + audio +
                                      "\"; meta = old.meta // { description = \"torchaudio\"; }; })"));
        commit(u"torch"_s, u"main"_s, files);
    };
    commitBoth("1");
    QCOMPARE(build({torchName, QString::fromLatin1(audio)}).exitCode, 0);
    const QStringList overview{u"overview"_s, u"--stale"_s, m_fleet->path(u"torch"_s), u"--json"_s};
    QVERIFY(m_program->verb(overview).json()[u"stale"_s].toArray().isEmpty());
    commitBoth("2");
    const Ran changed = m_program->verb(overview);
    QCOMPARE(changed.exitCode, 1);
    const QJsonArray stale = changed.json()[u"stale"_s].toArray();
    QVERIFY2(stale.size() == 1 && stale.at(0)[u"name"_s].toString().toLatin1() == audio, changed.out + changed.err);
    QCOMPARE(stale.at(0)[u"torch"_s][u"name"_s].toString(), torchName);
}

Job VerbDependentsTest::jobOf(const Tried &recipe, const QList<Tried> &all) const
{
    Job job;
    job.repository = m_fleet->path(recipe.repository);
    job.branch = u"main"_s;
    job.commit = recipe.commit;
    job.blob = blobId(recipe.text, 40);
    job.recipe = FleetFixture::fileOf(recipe.package);
    job.package = job.variant = QString::fromLatin1(recipe.package);
    job.environment = recordedEnvironment();
    job.created = QDateTime::currentDateTimeUtc();
    if (recipe.needs >= 0)
        job.after.append(jobOf(all.at(recipe.needs), all).key());
    return job;
}

void VerbDependentsTest::change(Tried &recipe, bool fails) const
{
    recipe.fails = fails;
    recipe.text = "{ }: { pname = \"" + recipe.package + "\"; version = \"" + QByteArray::number(++recipe.revision) +
                  (fails ? "\"; } # stand-in: fail\n" : "\"; }\n");
    QFile file(m_fleet->path(recipe.repository) + u'/' + FleetFixture::fileOf(recipe.package));
    QVERIFY(QDir().mkpath(QFileInfo(file).path()) && file.open(QIODevice::WriteOnly));
    file.write(recipe.text);
    file.close();
    m_fleet->git(recipe.repository, {u"add"_s, u"."_s});
    m_fleet->git(recipe.repository, {u"commit"_s, u"-qm"_s, u"Change a recipe"_s});
    recipe.commit = QString::fromLatin1(m_fleet->git(recipe.repository, {u"rev-parse"_s, u"HEAD"_s}));
}

/// Nothing was built before its torch, and nothing twice with the same recipe and the same torch.
void VerbDependentsTest::verifyOrder(const QList<JobRecord> &jobs) const
{
    const JobsByProduct byProduct = jobsByProduct(jobs);
    QStringList done;
    for (const JobRecord &record : jobs) {
        if (!record.outcome || record.outcome->build.kind == BuildOutcome::Kind::Stopped)
            continue;
        const QDateTime began = record.outcome->started;
        QString what = record.job.key();
        for (const QString &need : record.job.after) {
            const JobRecord *newest = nullptr; // when it was queued
            const JobRecord *used = nullptr;
            for (const JobRecord *torch : byProduct.value(productOf(need))) {
                if (torch->job.created < record.job.created)
                    newest = torch;
                if (isBuilt(*torch) && torch->outcome->ended <= began)
                    used = torch;
            }
            QVERIFY2(used && newest && used->job.created >= newest->job.created,
                     (record.job.id.toUtf8() + textOf(jobs)).constData());
            what += u'\n' + used->job.key();
        }
        if (isBuilt(record)) {
            QVERIFY2(!done.contains(what), (what.toUtf8() + textOf(jobs)).constData());
            done.append(what);
        }
    }
}

/// Whatever changes, fails, and is killed in four repositories: nothing is built before its torch, nothing twice, and
/// in the end nothing is left out. TORCH_MATRIX_ROUNDS says how many chains are tried.
void VerbDependentsTest::chains()
{
    const quint32 seed = newSeed();
    QRandomGenerator random(seed);
    QList<Tried> recipes;
    for (const char *isa : {"avx2", "avx512"}) {
        const int torch = int(recipes.size());
        recipes.append({u"chain-torch"_s, QByteArray("pytorch-python313-cuda12_8-sm90-") + isa});
        for (const char *family : {"vllm", "torchvision", "torchaudio"})
            recipes.append({u"chain-%1"_s.arg(QLatin1StringView(family)),
                            QByteArray(family) + "-python313-cuda12_8-sm90-" + isa, torch});
    }
    for (const Tried &recipe : std::as_const(recipes)) {
        if (!QFileInfo::exists(m_fleet->path(recipe.repository)))
            commit(recipe.repository, u"main"_s, {});
    }
    for (Tried &recipe : recipes)
        change(recipe, false);
    const QString program = QStringLiteral(TM_PROGRAM);
    const int rounds = test::rounds(4);
    int kills = 0;
    int jobsInAll = 0;
    for (int round = 0; round < rounds; ++round) {
        QDir(state()).removeRecursively();
        Queue queue(state());
        QVERIFY(queue.change([&](QueueContents &contents) { contents.parallel = 1 + int(random.bounded(3)); }).ok());
        const auto request = [&](const std::function<bool(const Tried &)> &wanted, Again again) {
            QList<Job> jobs;
            for (const bool torches : {true, false}) {
                for (const Tried &recipe : std::as_const(recipes)) {
                    if ((recipe.needs < 0) == torches && wanted(recipe))
                        jobs.append(jobOf(recipe, recipes));
                }
            }
            QVERIFY(queue.add(jobs, again).ok());
            QVERIFY(queue.wake(program).ok());
        };
        const auto isTorch = [](const Tried &recipe) { return recipe.needs < 0; };
        const auto everything = [](const Tried &) { return true; };
        const int steps = 1 + int(random.bounded(3));
        for (int step = 0; step < steps; ++step) {
            for (int changes = int(random.bounded(4)); changes > 0; --changes)
                change(recipes[random.bounded(recipes.size())], random.bounded(3) == 0);
            const quint32 chosen = random.generate();
            request(
                [&](const Tried &recipe) {
                    const qsizetype torch = recipe.needs < 0 ? &recipe - recipes.constData() : recipe.needs;
                    return (chosen >> torch & 1U) != 0 && (recipe.needs < 0 || random.bounded(4) > 0);
                },
                random.bounded(2) ? Again::Failed : Again::No);
            // Until a random build has begun; then the queue, or a build, may be killed.
            const qsizetype builds = floxBuilds(calls()).size() + random.bounded(4);
            QTRY_VERIFY_WITH_TIMEOUT(floxBuilds(calls()).size() >= builds || isQuiet(state()), 60'000);
            if (random.bounded(3) == 0) {
                QList<qint64> victims = processesNamed(state().toUtf8());
                for (const JobFolder &folder : JobFolder::all(state())) {
                    if (random.bounded(3) == 0)
                        victims += processesNamed(folder.path().toUtf8());
                }
                for (const qint64 pid : std::as_const(victims))
                    kills += ::kill(pid_t(pid), SIGKILL) == 0;
                // A job is lost once its runner is gone; until then a request finds it running. The last of its
                // threads takes the lock with it.
                const auto living = [&] {
                    QByteArray lines;
                    for (const qint64 pid : std::as_const(victims))
                        lines += processEntry(pid).lives() ? contentOf(u"/proc/%1/stat"_s.arg(pid)) : QByteArray();
                    for (const JobFolder &folder : JobFolder::all(state())) {
                        const std::optional<JobRunner> runner = folder.runner();
                        if (runner && victims.contains(runner->pid) && folder.runnerLives())
                            lines += folder.path().toUtf8() + " is locked\n";
                    }
                    return lines;
                };
                QTRY_VERIFY2_WITH_TIMEOUT(living().isEmpty(), living().constData(), 120'000);
            }
        }
        for (Tried &recipe : recipes) {
            if (recipe.fails)
                change(recipe, false);
        }
        // With their torches corrected, all that waited starts alone.
        request(isTorch, Again::Failed);
        QTRY_VERIFY_WITH_TIMEOUT(isQuiet(state()), 60'000);
        QVERIFY2(queue.contents().waiting.isEmpty() && queue.contents().active.isEmpty(),
                 textOf(readJobs(state())).constData());
        request(everything, Again::Failed);
        QTRY_VERIFY_WITH_TIMEOUT(isQuiet(state()), 60'000);
        const QList<JobRecord> jobs = readJobs(state());
        jobsInAll += int(jobs.size());
        verifyOrder(jobs);
        if (QTest::currentTestFailed())
            return;
        const JobsByProduct byProduct = jobsByProduct(jobs);
        for (const Tried &recipe : std::as_const(recipes)) {
            const Job job = jobOf(recipe, recipes);
            const QList<const JobRecord *> its = byProduct.value(job.product());
            const auto last =
                std::find_if(its.rbegin(), its.rend(), [](const JobRecord *record) { return isBuilt(*record); });
            QVERIFY2(last != its.rend() && (*last)->job.key() == job.key(),
                     (recipe.package + textOf(jobs)).constData());
            for (const QString &need : job.after)
                QVERIFY2(!usedAnother(**last, need, byProduct.value(productOf(need))),
                         (recipe.package + textOf(jobs)).constData());
        }
    }
    qInfo("%d chains, %d jobs, %d kills", rounds, jobsInAll, kills);
}

TM_TEST(VerbDependentsTest, QCoreApplication)
#include "tst_verb_dependents.moc"
