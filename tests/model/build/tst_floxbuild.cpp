// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/build/FloxBuild.h"
#include "tests/support/BuildRepository.h"

#include <QRegularExpression>
#include <QSignalSpy>

#include <csignal>

using namespace Qt::StringLiterals;
using tmx::BuildOutcome;
using tmx::BuildState;
using tmx::FloxBuild;
using Kind = tmx::BuildOutcome::Kind;
using Phase = tmx::BuildState::Phase;

namespace {

struct Run {
    FloxBuild build;
    QSignalSpy finished{&build, &FloxBuild::finished};
    QSignalSpy states{&build, &FloxBuild::stateChanged};
    QString text;
    qsizetype largestChunk = 0;

    Run()
    {
        QObject::connect(&build, &FloxBuild::text, &build, [this](const QString &chunk) {
            text += chunk;
            largestChunk = std::max(largestChunk, chunk.size());
        });
    }
    BuildOutcome outcome() const { return finished.at(0).at(0).value<BuildOutcome>(); }
    QStringList phases() const
    {
        QStringList names;
        for (const QList<QVariant> &arguments : states) {
            const QString name = tmx::toString(arguments.at(0).value<BuildState>().phase);
            if (names.isEmpty() || names.constLast() != name)
                names.append(name);
        }
        return names;
    }
};

bool ended(qint64 pid)
{
    QFile stat(u"/proc/%1/stat"_s.arg(pid));
    if (!stat.open(QIODevice::ReadOnly))
        return true;
    const QByteArray text = stat.readAll();
    return text.mid(text.lastIndexOf(')') + 2).startsWith('Z');
}

} // namespace

class tst_FloxBuild : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning();
        standInActs({});
    }

    void builds();
    void runsExactlyThatCommand();
    void saysWhenItWasBuilt();
    void refusesAnUntrackedRecipe();
    void buildsWhatIsOnlyInTheIndex();
    void explainsWhyNot_data();
    void explainsWhyNot();
    void checksTheName_data();
    void checksTheName();
    void saysThatFloxIsMissing();
    void followsTheSteps();
    void decodesHalvesOfCharacters();
    void deliversABurst();
    void stops();
    void stopsChildrenThatIgnoreSignals();
    void stopsWhenDestroyed();
    void buildsAgain();
    void buildsAgainFromTheSlotOfTheLast();
};

void tst_FloxBuild::builds()
{
    const BuildRepository repository;
    Run run;
    run.build.start(repository.path(), repository.package());
    QVERIFY(run.build.isRunning());
    QCOMPARE(tmx::toString(run.build.state().phase), u"running"_s);
    QVERIFY(run.build.state().since.isValid());
    QTRY_COMPARE(run.finished.count(), 1);
    QCOMPARE(run.outcome().kind, Kind::Built);
    QCOMPARE(run.outcome().exitCode, 0);
    QVERIFY(!run.outcome().alreadyBuilt);
    QCOMPARE(run.outcome().resultLinks,
             (QStringList{u"./result-pytorch-python313-cpu-avx2"_s, u"./result-pytorch-python313-cpu-avx2-dev"_s}));
    QVERIFY(!run.build.isRunning());
    QCOMPARE(tmx::toString(run.build.state().phase), u"built"_s);
    QCOMPARE(run.build.state().text, u"./result-pytorch-python313-cpu-avx2"_s);
    QCOMPARE(run.phases(), (QStringList{u"running"_s, u"built"_s}));
    QVERIFY(run.text.startsWith(u"Building python3.13-pytorch-python313-cpu-avx2-2.8.0 in Nix expression mode\nthis "
                                u"derivation will be built:\n"));
    QVERIFY(run.text.endsWith(
        u"⚡︎ Built outputs:\n./result-pytorch-python313-cpu-avx2, ./result-pytorch-python313-cpu-avx2-dev\n"));
    QVERIFY(QFileInfo(repository.path() + u"/result-pytorch-python313-cpu-avx2"_s).isSymLink());
}

void tst_FloxBuild::runsExactlyThatCommand()
{
    const BuildRepository repository;
    const QString calls = repository.path() + u"/calls"_s;
    qputenv("TORCH_MATRIX_STANDIN_FLOX_CALLS", calls.toUtf8());
    Run run;
    run.build.start(repository.path(), repository.package());
    QTRY_COMPARE(run.finished.count(), 1);
    qunsetenv("TORCH_MATRIX_STANDIN_FLOX_CALLS");
    QFile file(calls);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(file.readAll()), u"build\t-d\t%1\t%2\n"_s.arg(repository.path(), repository.package()));
}

void tst_FloxBuild::saysWhenItWasBuilt()
{
    standInActs("already,one-output");
    const BuildRepository repository;
    Run run;
    run.build.start(repository.path(), repository.package());
    QTRY_COMPARE(run.finished.count(), 1);
    QVERIFY(run.outcome().alreadyBuilt);
    QVERIFY(run.outcome().sentence.contains(u"already"));
}

void tst_FloxBuild::refusesAnUntrackedRecipe()
{
    const BuildRepository repository;
    repository.git({u"rm"_s, u"-q"_s, u"--cached"_s, repository.recipe()});
    Run run;
    run.build.start(repository.path(), repository.package());
    QTRY_COMPARE(run.finished.count(), 1);
    QCOMPARE(run.outcome().kind, Kind::Untracked);
    QCOMPARE(run.outcome().exitCode, 1);
    QCOMPARE(tmx::toString(run.build.state().phase), u"failed"_s);
    QVERIFY(run.text.contains(u"Nix expression: 'pytorch-python313-cpu-avx2' defined in '%1/%2'"_s.arg(
        repository.path(), repository.recipe())));
    QVERIFY(!QFileInfo(repository.path() + u"/result-pytorch-python313-cpu-avx2"_s).isSymLink());
}

void tst_FloxBuild::buildsWhatIsOnlyInTheIndex()
{
    const BuildRepository repository;
    repository.write(u".flox/pkgs/pytorch-python313-cpu-avx512.nix"_s, "{ }: { }\n");
    repository.git({u"add"_s, u".flox"_s});
    Run run;
    run.build.start(repository.path(), u"pytorch-python313-cpu-avx512"_s);
    QTRY_COMPARE(run.finished.count(), 1);
    QCOMPARE(run.outcome().kind, Kind::Built);
    QVERIFY(run.text.contains(u"is dirty"));
}

void tst_FloxBuild::explainsWhyNot_data()
{
    QTest::addColumn<QByteArray>("behaviour");
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QString>("says");
    QTest::newRow("compiler") << QByteArray("fail") << Kind::CompileError
                              << u"in buildPhase, at step 7 of 12: '_mm512_reduce_add_ps' was not declared"_s;
    QTest::newRow("compiler in colour") << QByteArray("fail,colour") << Kind::CompileError
                                        << u"'_mm512_reduce_add_ps' was not declared"_s;
    QTest::newRow("older Nix") << QByteArray("fail-old") << Kind::CompileError
                               << u"'_mm512_reduce_add_ps' was not declared"_s;
    QTest::newRow("out of memory") << QByteArray("oom") << Kind::OutOfMemory << u"Try fewer cores."_s;
    QTest::newRow("builder out of memory") << QByteArray("oom-builder") << Kind::OutOfMemory << u"Try fewer cores."_s;
    QTest::newRow("crash") << QByteArray("crash") << Kind::Crashed << u"signal 6"_s;
}

void tst_FloxBuild::explainsWhyNot()
{
    QFETCH(QByteArray, behaviour);
    QFETCH(Kind, kind);
    QFETCH(QString, says);
    standInActs(behaviour);
    const BuildRepository repository;
    Run run;
    run.build.start(repository.path(), repository.package());
    QTRY_COMPARE(run.finished.count(), 1);
    QCOMPARE(run.outcome().kind, kind);
    QVERIFY2(run.outcome().sentence.contains(says), qPrintable(run.outcome().sentence));
    QVERIFY(run.outcome().lastErrors.size() <= 20);
    QCOMPARE(tmx::toString(run.build.state().phase), u"failed"_s);
    QCOMPARE(run.build.state().text, run.outcome().sentence);
}

void tst_FloxBuild::checksTheName_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name : {"", "-d", "--help", "../x", "a/b", "a b", "a.b", "A", "a;b", "a\nb", "a\n", "ä", "_x"})
        QTest::newRow(QByteArray(name).replace('\n', "\\n").constData()) << QString::fromUtf8(name);
}

void tst_FloxBuild::checksTheName()
{
    QFETCH(QString, name);
    const BuildRepository repository;
    const QString calls = repository.path() + u"/calls"_s;
    qputenv("TORCH_MATRIX_STANDIN_FLOX_CALLS", calls.toUtf8());
    Run run;
    run.build.start(repository.path(), name);
    QCOMPARE(run.finished.count(), 0);
    QTRY_COMPARE(run.finished.count(), 1);
    qunsetenv("TORCH_MATRIX_STANDIN_FLOX_CALLS");
    QCOMPARE(run.outcome().kind, Kind::UnknownPackage);
    QVERIFY(!QFile::exists(calls));
    QVERIFY(!run.build.isRunning());
}

void tst_FloxBuild::saysThatFloxIsMissing()
{
    const BuildRepository repository;
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", "/nowhere");
    Run run;
    run.build.start(repository.path(), repository.package());
    QCOMPARE(FloxBuild::floxProgram(), QString());
    qputenv("PATH", path);
    QTRY_COMPARE(run.finished.count(), 1);
    QCOMPARE(run.outcome().kind, Kind::FloxMissing);
    QVERIFY(run.outcome().sentence.contains(u"https://flox.dev/docs"));
    QCOMPARE(tmx::toString(run.build.state().phase), u"none"_s);
    QVERIFY(FloxBuild::floxProgram().startsWith(QLatin1StringView(TM_STANDINS)));
}

void tst_FloxBuild::followsTheSteps()
{
    standInActs("steps:40,nested,slow:1");
    const BuildRepository repository;
    Run run;
    run.build.start(repository.path(), repository.package());
    QTRY_VERIFY(run.build.state().total == 40 && run.build.state().step > 5);
    QCOMPARE(run.build.state().text, u"buildPhase"_s);
    QTRY_COMPARE(run.finished.count(), 1);
    int last = 0;
    for (const QList<QVariant> &arguments : run.states) {
        const auto state = arguments.at(0).value<BuildState>();
        if (state.phase != Phase::Running || state.total != 40)
            continue;
        QVERIFY(state.step >= last); // neither the nested project nor magma set it back
        last = state.step;
    }
    QCOMPARE(last, 40);
    QVERIFY(run.outcome().milliseconds >= 1000);
}

void tst_FloxBuild::decodesHalvesOfCharacters()
{
    standInActs("halves");
    const BuildRepository repository;
    Run run;
    run.build.start(repository.path(), repository.package());
    QTRY_COMPARE(run.finished.count(), 1);
    QVERIFY(run.text.contains(u"The CXX compiler is ‘g++’ — naïve façade ✓\n"));
    QVERIFY(!run.text.contains(QChar(QChar::ReplacementCharacter)));
    QCOMPARE(run.outcome().resultLinks.size(), 2);
}

void tst_FloxBuild::deliversABurst()
{
    standInActs("burst:100000");
    const BuildRepository repository;
    Run run;
    run.build.start(repository.path(), repository.package());
    QTRY_COMPARE_WITH_TIMEOUT(run.finished.count(), 1, 60000);
    QCOMPARE(run.outcome().kind, Kind::Built);
    QCOMPARE(run.text.count(u"] Building CXX object "_s), 100000);
    QVERIFY(run.text.contains(u"[100000/100000] "));
    QVERIFY(run.largestChunk <= 64 * 1024);
    QVERIFY2(run.states.count() < 2000, qPrintable(QString::number(run.states.count()))); // not one a line
}

void tst_FloxBuild::stops()
{
    standInActs("hold");
    const BuildRepository repository;
    Run run;
    run.build.start(repository.path(), repository.package());
    QTRY_COMPARE(run.build.state().step, 12);
    run.build.stop();
    QCOMPARE(tmx::toString(run.build.state().phase), u"stopping"_s);
    run.build.stop();
    QTRY_COMPARE(run.finished.count(), 1);
    QCOMPARE(run.outcome().kind, Kind::Stopped);
    QVERIFY(run.text.endsWith(u"error: interrupted by the user\n✘ ERROR: Build failed\n"));
    QCOMPARE(run.phases(), (QStringList{u"running"_s, u"stopping"_s, u"none"_s}));
}

void tst_FloxBuild::stopsChildrenThatIgnoreSignals()
{
    standInActs("children,stubborn");
    const BuildRepository repository;
    Run run;
    run.build.start(repository.path(), repository.package());
    static const QRegularExpression child(u"child (\\d+)\n"_s);
    QTRY_COMPARE(run.text.count(child), 4);
    QList<qint64> pids;
    for (const QRegularExpressionMatch &match : child.globalMatch(run.text))
        pids.append(match.captured(1).toLongLong());
    for (qint64 pid : pids)
        QVERIFY(!ended(pid));
    run.build.stop(std::chrono::milliseconds(100));
    QTRY_COMPARE(run.finished.count(), 1);
    QCOMPARE(run.outcome().kind, Kind::Stopped);
    for (qint64 pid : pids)
        QVERIFY2(ended(pid), qPrintable(QString::number(pid)));
}

void tst_FloxBuild::stopsWhenDestroyed()
{
    standInActs("children,stubborn");
    const BuildRepository repository;
    QString text;
    {
        Run run;
        run.build.start(repository.path(), repository.package());
        QTRY_COMPARE(run.text.count(u"child "_s), 4);
        text = run.text;
    }
    static const QRegularExpression child(u"child (\\d+)\n"_s);
    for (const QRegularExpressionMatch &match : child.globalMatch(text))
        QTRY_VERIFY(ended(match.captured(1).toLongLong()));
}

void tst_FloxBuild::buildsAgain()
{
    const BuildRepository repository;
    Run run;
    standInActs("fail");
    run.build.start(repository.path(), repository.package());
    QTRY_COMPARE(run.finished.count(), 1);
    QCOMPARE(tmx::toString(run.build.state().phase), u"failed"_s);
    standInActs("");
    run.build.start(repository.path(), repository.package());
    QCOMPARE(run.build.state().step, 0);
    QTRY_COMPARE(run.finished.count(), 2);
    QCOMPARE(tmx::toString(run.build.state().phase), u"built"_s);
    QVERIFY(run.finished.at(1).at(0).value<BuildOutcome>().lastErrors.isEmpty());
}

void tst_FloxBuild::buildsAgainFromTheSlotOfTheLast()
{
    const BuildRepository repository;
    Run run;
    connect(&run.build, &FloxBuild::finished, this, [&] {
        if (run.finished.count() < 3)
            run.build.start(repository.path(), repository.package());
    });
    run.build.start(repository.path(), u"no-such-package"_s);
    QTRY_COMPARE(run.finished.count(), 3);
    QCOMPARE(run.outcome().kind, Kind::UnknownPackage);
    QCOMPARE(run.finished.at(2).at(0).value<BuildOutcome>().kind, Kind::Built);
}

QTEST_GUILESS_MAIN(tst_FloxBuild)
#include "tst_floxbuild.moc"
