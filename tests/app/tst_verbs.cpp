// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using tmx::test::Ran;

/// The verbs run like by a user: the program itself, its exit code, its two streams.
class TestVerbs : public QObject
{
    Q_OBJECT

    QTemporaryDir m_home;
    QTemporaryDir m_folder;
    QString m_sample;
    int m_count = 0;
    QProcessEnvironment m_environment = test::environmentAt(m_home.path());

    [[nodiscard]] Ran start(const QString &program, const QStringList &arguments, const QString &folder) const
    {
        return test::ran(program, arguments, folder, m_environment);
    }
    [[nodiscard]] Ran verb(const QStringList &arguments, const QString &folder = {}) const
    {
        return start(QStringLiteral(TM_PROGRAM), arguments, folder.isEmpty() ? m_sample : folder);
    }
    Ran git(const QStringList &arguments) const { return start(u"git"_s, arguments, m_sample); }
    [[nodiscard]] QStringList recipes() const
    {
        return QDir(m_sample + u"/.flox/pkgs"_s).entryList({u"*.nix"_s}, QDir::Files);
    }
    [[nodiscard]] bool isClean() const { return git({u"status"_s, u"--porcelain"_s}).out.isEmpty(); }

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning();
        m_sample = m_folder.filePath(u"sample-%1"_s.arg(++m_count));
        const Ran made = verb({u"sample"_s, m_sample}, m_folder.path());
        QVERIFY2(made.exitCode == 0, made.err.constData());
    }

    void initMakesARepository()
    {
        const QString folder = m_folder.filePath(u"new"_s);
        const Ran made =
            verb({u"init"_s, folder, u"--cuda"_s, u"13.0"_s, u"--only"_s, u"pytorch-python313-cpu-avx2"_s});
        QVERIFY2(made.exitCode == 0, made.err.constData());
        QCOMPARE(made.out.trimmed(), folder.toUtf8());
        QVERIFY2(made.err.contains("Begin with pytorch-python313-cpu-avx2"), made.err.constData());
        QCOMPARE(start(u"git"_s, {u"status"_s, u"--porcelain"_s}, folder).out, ""_ba);
        QCOMPARE(verb({u"audit"_s}, folder).exitCode, 0);
        QVERIFY(verb({u"settings"_s, u"show"_s}, folder).out.contains("13.0"));
        QCOMPARE(verb({u"init"_s, folder}).exitCode, 3);
        QCOMPARE(verb({u"init"_s, m_folder.filePath(u"other"_s), u"--set"_s, u"nonsense"_s}).exitCode, 2);
        QVERIFY(!QFile::exists(m_folder.filePath(u"other"_s)));
    }

    void sampleHoldsTheThreeLines()
    {
        const Ran listed = verb({u"list"_s, u"--all-branches"_s, u"--json"_s});
        QCOMPARE(listed.exitCode, 0);
        QMap<QString, int> totals;
        for (const QJsonValue &branch : listed.json()[u"branches"_s].toArray()) {
            totals[branch[u"name"_s].toString()] = int(branch[u"variants"_s].toArray().size());
            QVERIFY(branch[u"unrecognised"_s].toArray().isEmpty());
            QCOMPARE(branch[u"line"_s][u"source"_s].toString(), u"built-in"_s);
            for (const QJsonValue &variant : branch[u"variants"_s].toArray())
                QCOMPARE(variant[u"recipe"_s].toString(), u"current"_s);
        }
        QCOMPARE(totals, (QMap<QString, int>{{u"main"_s, 44}, {u"cuda-12_9"_s, 50}, {u"cuda-13_0"_s, 59}}));
        QVERIFY(isClean());
        QCOMPARE(git({u"fsck"_s, u"--strict"_s}).exitCode, 0);
        QVERIFY(QFile::exists(m_sample + u"/.flox/env.json"_s));
        QVERIFY(QFile::exists(m_sample + u"/.flox/env/manifest.toml"_s));
    }

    /// The verification script for this branch: counts of lines that match a pattern, and of files.
    void cuda13SampleSatisfiesItsVerificationScript()
    {
        QCOMPARE(git({u"checkout"_s, u"-q"_s, u"cuda-13_0"_s}).exitCode, 0);
        int gpu = 0;
        int cpu = 0;
        for (const QString &name : recipes()) {
            QFile file(m_sample + u"/.flox/pkgs/"_s + name);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArrayList lines = file.readAll().split('\n');
            const auto holding = [&lines](const char *pattern) {
                return std::count_if(lines.begin(), lines.end(),
                                     [pattern](const QByteArray &line) { return line.contains(pattern); });
            };
            const bool isCpu = name.contains(u"-cpu-"_s);
            (isCpu ? cpu : gpu) += 1;
            QCOMPARE(holding("version = \"2.10.0\""), 1);
            QCOMPARE(holding("cudaPackages_13"), isCpu ? 0 : 1);
            QCOMPARE(holding("cuda-13.0-clockrate-fix.patch"), isCpu ? 0 : 1);
            QCOMPARE(holding("fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3"), 0);
            QVERIFY(holding("6a030d535719c5190187c4cec156f335e95e3211") > 0);
        }
        QCOMPARE(gpu, 52);
        QCOMPARE(cpu, 7);
    }

    void everySampleRecipeParses()
    {
        for (const QString &branch : {u"main"_s, u"cuda-12_9"_s, u"cuda-13_0"_s}) {
            QCOMPARE(git({u"checkout"_s, u"-q"_s, branch}).exitCode, 0);
            const Ran parsed =
                start(u"nix-instantiate"_s, QStringList{u"--parse"_s} + recipes(), m_sample + u"/.flox/pkgs"_s);
            QVERIFY2(parsed.exitCode == 0, parsed.err.constData());
        }
    }

    void generateWritesWhatIsMissingAndCommitsItAlone()
    {
        const QString name = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        const QString file = u".flox/pkgs/%1.nix"_s.arg(name);
        const QByteArray before = start(u"cat"_s, {file}, m_sample).out;
        QCOMPARE(git({u"rm"_s, u"-q"_s, file}).exitCode, 0);
        QCOMPARE(git({u"commit"_s, u"-qm"_s, u"Take it out"_s}).exitCode, 0);
        QFile other(m_sample + u"/README.md"_s);
        QVERIFY(other.open(QIODevice::Append));
        other.write("edited by hand\n");
        other.close();

        QCOMPARE(verb({u"list"_s, u"--json"_s}).json()[u"branches"_s][0][u"counts"_s][u"missing"_s].toInt(), 1);
        const Ran generated = verb({u"generate"_s, u"--all"_s, u"--commit"_s, u"-m"_s, u"Bring it back"_s});
        QVERIFY2(generated.exitCode == 0, generated.err.constData());
        QCOMPARE(generated.out, name.toUtf8() + '\n');
        QCOMPARE(git({u"show"_s, u"--format=%s"_s, u"--name-status"_s}).out,
                 "Bring it back\n\nA\t" + file.toUtf8() + '\n');
        QCOMPARE(git({u"show"_s, u"HEAD:"_s + file}).out, before);
        QCOMPARE(git({u"status"_s, u"--porcelain"_s}).out, " M README.md\n");
        QCOMPARE(git({u"fsck"_s, u"--strict"_s}).exitCode, 0);
        QCOMPARE(git({u"log"_s, u"-1"_s, u"--format=%an <%ae>"_s}).out, "A Tester <tester@example.org>\n");
    }

    void generateToAnotherBranchLeavesTheWorkTreeAlone()
    {
        const QString name = u"pytorch-python313-cuda13_0-sm89-avx"_s; // not covered, yet possible
        const QByteArray head = git({u"rev-parse"_s, u"HEAD"_s}).out;
        QCOMPARE(verb({u"generate"_s, name, u"--branch"_s, u"cuda-13_0"_s}).exitCode, 3);
        const Ran generated = verb({u"generate"_s, name, u"--branch"_s, u"cuda-13_0"_s, u"--commit"_s});
        QVERIFY2(generated.exitCode == 0, generated.err.constData());
        QCOMPARE(git({u"rev-parse"_s, u"HEAD"_s}).out, head);
        QVERIFY(isClean());
        QCOMPARE(git({u"show"_s, u"--format=%s"_s, u"--name-status"_s, u"cuda-13_0"_s}).out,
                 "Add " + name.toUtf8() + "\n\nA\t.flox/pkgs/" + name.toUtf8() + ".nix\n");
        QCOMPARE(git({u"fsck"_s, u"--strict"_s}).exitCode, 0);
    }

    void listNamesTheFilesThatAreNoVariants()
    {
        QVERIFY(verb({u"list"_s}).err.isEmpty());
        QVERIFY(QFile::copy(m_sample + u"/.flox/pkgs/"_s + recipes().constFirst(),
                            m_sample + u"/.flox/pkgs/my tools.nix"_s));
        const Ran listed = verb({u"list"_s});
        QCOMPARE(listed.exitCode, 0);
        QVERIFY2(listed.err.contains("1 file is no variant on main; --others lists them"), listed.err.constData());
        QVERIFY(!listed.out.contains("my tools"));
        QVERIFY(verb({u"list"_s, u"--others"_s}).out.endsWith("\n.flox/pkgs/my tools.nix\n"));
    }

    void generateNeverOverwrites()
    {
        const QString name = u"pytorch-python313-cpu-avx2"_s;
        QFile recipe(m_sample + u"/.flox/pkgs/%1.nix"_s.arg(name));
        QVERIFY(recipe.open(QIODevice::WriteOnly));
        recipe.write("# mine\n{ }: { }\n");
        recipe.close();
        const Ran generated = verb({u"generate"_s, name});
        QCOMPARE(generated.exitCode, 3);
        QVERIFY2(generated.err.contains("already exists with a different text"), generated.err.constData());
        QVERIFY(recipe.open(QIODevice::ReadOnly));
        QCOMPARE(recipe.readAll(), "# mine\n{ }: { }\n");
        QCOMPARE(verb({u"list"_s, u"--json"_s}).json()[u"branches"_s][0][u"counts"_s][u"modified"_s].toInt(), 1);
    }

    void generateToStandardOutputWritesNothing()
    {
        const QString name = u"pytorch-python313-cuda12_8-sm61-avx512"_s;
        const Ran printed = verb({u"generate"_s, name, u"--stdout"_s});
        QCOMPARE(printed.exitCode, 0);
        QVERIFY(printed.out.contains("pname = \"" + name.toUtf8() + "\""));
        QVERIFY(isClean());
    }

    void showPrintsTheRecipeAloneOnStandardOutput()
    {
        const QString name = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        const Ran shown = verb({u"show"_s, name});
        QCOMPARE(shown.exitCode, 0);
        QCOMPARE(shown.out, git({u"show"_s, u"HEAD:.flox/pkgs/%1.nix"_s.arg(name)}).out);
        QVERIFY(shown.err.contains("H100"));
        const QJsonObject json = verb({u"show"_s, name, u"--json"_s}).json();
        QCOMPARE(json[u"recipe"_s].toString(), u"current"_s);
        QVERIFY(json[u"exists"_s].toBool());
    }

    void invalidVariantsAreRefusedWithTheReason()
    {
        const Ran shown = verb({u"generate"_s, u"pytorch-python313-cuda12_8-sm110-armv9"_s});
        QCOMPARE(shown.exitCode, 3);
        QVERIFY2(shown.err.contains("13.0") && !shown.err.contains(".."), shown.err.constData());
    }

    void detectAndPickSayWhatFits()
    {
        QCOMPARE(verb({u"detect"_s, u"--json"_s}).exitCode, 0);
        const Ran picked = verb({u"pick"_s, u"--json"_s});
        QVERIFY(picked.exitCode == 0 || picked.exitCode == 1);
        QCOMPARE(picked.json()[u"branch"_s].toString(), u"main"_s);
        // Standard output has only the name, for scripts.
        QCOMPARE(QString::fromUtf8(verb({u"pick"_s}).out).trimmed(),
                 picked.json()[u"picks"_s][0][u"name"_s].toString());
    }

    void anotherMachineIsPickedForAndExplained()
    {
        const QString lscpu = QStringLiteral(TM_FIXTURES "/hosts/h100-sapphire-rapids/lscpu.txt");
        QFile text(m_folder.filePath(u"pasted.txt"_s));
        QVERIFY(text.open(QIODevice::WriteOnly));
        QFile cpu(lscpu);
        QVERIFY(cpu.open(QIODevice::ReadOnly));
        text.write(cpu.readAll() + "NVIDIA H100 80GB HBM3, 9.0, 470.82.01\n");
        text.close();
        const Ran detected = verb({u"detect"_s, u"--from"_s, text.fileName(), u"--save"_s, u"rack-1"_s, u"--json"_s});
        QVERIFY2(detected.exitCode == 0, detected.err.constData());
        QCOMPARE(detected.json()[u"driver"_s].toString(), u"470.82.01"_s);

        const Ran explained = verb({u"explain"_s, u"pytorch-python313-cuda12_8-sm90-avx512"_s, u"--on"_s, u"rack-1"_s});
        QCOMPARE(explained.exitCode, 1);
        QVERIFY2(explained.out.contains("525.60.13") && explained.out.contains("470.82.01"), explained.out.constData());
        const Ran cpuOnly =
            verb({u"explain"_s, u"pytorch-python313-cpu-avx512"_s, u"--on"_s, u"rack-1"_s, u"--json"_s});
        QCOMPARE(cpuOnly.exitCode, 0);
        QVERIFY(cpuOnly.json()[u"fit"_s].toString() != u"does-not-run"_s);

        const Ran picked =
            verb({u"pick"_s, u"--on"_s, u"rack-1"_s, u"--all-branches"_s, u"--workload"_s, u"int8"_s, u"--json"_s});
        // CPU variants are picked, but a GPU that nothing uses is a finding.
        QVERIFY2(picked.exitCode == 1, picked.err.constData());
        QVERIFY(!picked.json()[u"branches"_s][0][u"picks"_s].toArray().isEmpty());
        QCOMPARE(picked.json()[u"branches"_s].toArray().size(), 3);
        QStringList uncovered;
        for (const QJsonValue &row : picked.json()[u"uncovered"_s].toArray())
            uncovered.append(row[u"gpu"_s].toString());
        QVERIFY2(uncovered.contains(u"sm87"_s) && !uncovered.contains(u"sm90"_s), qPrintable(uncovered.join(u' ')));
        const Ran none = verb({u"pick"_s, u"--on"_s, u"rack-9"_s});
        QCOMPARE(none.exitCode, 3);
        QVERIFY2(none.err.contains("rack-1"), none.err.constData());
    }

    void unlikeGpusGetAPickEach()
    {
        QFile text(m_folder.filePath(u"two.txt"_s));
        QVERIFY(text.open(QIODevice::WriteOnly));
        QFile cpu(QStringLiteral(TM_FIXTURES "/hosts/h100-sapphire-rapids/lscpu.txt"));
        QVERIFY(cpu.open(QIODevice::ReadOnly));
        text.write(cpu.readAll() +
                   "NVIDIA GeForce RTX 4090, 8.9, 580.95.05\nNVIDIA GeForce RTX 3090, 8.6, 580.95.05\n");
        text.close();
        const Ran picked = verb({u"pick"_s, u"--on"_s, text.fileName(), u"--json"_s});
        QVERIFY2(picked.exitCode == 0, picked.err.constData());
        QStringList each;
        for (const QJsonValue &kind : picked.json()[u"per_gpu"_s].toArray())
            each.append(kind[u"pick"_s][u"gpu"_s].toString());
        QCOMPARE(each, QStringList({u"sm89"_s, u"sm86"_s}));
        QCOMPARE(picked.json()[u"for_all"_s][u"gpu"_s].toString(), u"sm86"_s);
        const Ran spoken = verb({u"pick"_s, u"--on"_s, text.fileName()});
        QCOMPARE(spoken.out.count('\n'), 1); // still one name for the shell
        QVERIFY2(spoken.err.contains("For all of its GPUs: pytorch-python313-cuda12_8-sm86-avx512"),
                 spoken.err.constData());
    }

    void wrongCallsGetOneSentence_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exitCode");
        QTest::newRow("unknown option") << QStringList{u"list"_s, u"--nope"_s} << 2;
        QTest::newRow("misspelt verb, no display") << QStringList{u"lsit"_s} << 2;
        QTest::newRow("no name") << QStringList{u"generate"_s} << 2;
        QTest::newRow("name and --all") << QStringList{u"generate"_s, u"x"_s, u"--all"_s} << 2;
        QTest::newRow("-m without --commit") << QStringList{u"generate"_s, u"--all"_s, u"-m"_s, u"x"_s} << 2;
        QTest::newRow("no such workload") << QStringList{u"pick"_s, u"--workload"_s, u"games"_s} << 2;
        QTest::newRow("no such folder") << QStringList{u"list"_s, u"--repo"_s, u"/nowhere"_s} << 3;
        QTest::newRow("not a repository") << QStringList{u"list"_s, u"--repo"_s, u"/"_s} << 3;
        QTest::newRow("no such branch") << QStringList{u"list"_s, u"--branch"_s, u"nope"_s} << 3;
        QTest::newRow("no variant's name") << QStringList{u"generate"_s, u"../../etc/passwd"_s} << 2;
        QTest::newRow("build of a missing recipe")
            << QStringList{u"build"_s, u"pytorch-python313-cuda12_8-sm61-avx512"_s} << 3;
        QTest::newRow("sample in a folder that is not empty") << QStringList{u"sample"_s, u"."_s} << 3;
    }
    void wrongCallsGetOneSentence()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, exitCode);
        const Ran ran = verb(arguments);
        QCOMPARE(ran.exitCode, exitCode);
        QVERIFY(ran.out.isEmpty());
        QVERIFY2(ran.err.startsWith("torch-matrix: "), ran.err.constData());
        QCOMPARE(ran.err.count('\n'), 1);
        QVERIFY(isClean());
    }

    void helpAndVersion()
    {
        QCOMPARE(verb({u"--help"_s}).exitCode, 0);
        QVERIFY(verb({u"--help"_s}).out.contains("generate"));
        QCOMPARE(verb({u"--version"_s}).exitCode, 0);
        for (const QString &name :
             {u"list"_s, u"show"_s, u"generate"_s, u"detect"_s, u"pick"_s, u"explain"_s, u"build"_s, u"sample"_s})
            QCOMPARE(verb({name, u"--help"_s}).exitCode, 0);
    }
};

TM_TEST(TestVerbs, QCoreApplication)
#include "tst_verbs.moc"
