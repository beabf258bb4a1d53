// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/FileText.h"
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using tmx::test::Ran;

/// The verb line, and the effect of a settings file on the other verbs: the program itself, on real repositories.
class TestVerbLine : public QObject
{
    Q_OBJECT

    QTemporaryDir m_home;
    QTemporaryDir m_folder;
    QString m_repository;
    int m_count = 0;
    QProcessEnvironment m_environment = test::environmentAt(m_home.path());

    [[nodiscard]] Ran start(const QString &program, const QStringList &arguments) const
    {
        return test::ran(program, arguments, QFileInfo::exists(m_repository) ? m_repository : m_folder.path(),
                         m_environment);
    }
    [[nodiscard]] Ran verb(const QString &words) const { return start(QStringLiteral(TM_PROGRAM), words.split(u' ')); }
    [[nodiscard]] Ran verb(const QStringList &arguments) const { return start(QStringLiteral(TM_PROGRAM), arguments); }
    Ran git(const QString &words) const { return start(u"git"_s, words.split(u' ')); }
    [[nodiscard]] QString settingsFile() const { return m_repository + u"/torch-matrix.toml"_s; }
    [[nodiscard]] static QByteArray read(const QString &path) { return tmx::test::contentOf(path); }
    void writeConfig(const QString &path, const QByteArray &text) const
    {
        test::putFile(m_home.filePath(u".config/torch-matrix/"_s + path), text);
    }
    /// States of all variants of the checked-out branch, by name.
    [[nodiscard]] QMap<QString, QString> states() const
    {
        QMap<QString, QString> states;
        const QJsonArray branches = verb(u"list --json"_s).json()[u"branches"_s].toArray();
        for (const QJsonValue &variant : branches.first()[u"variants"_s].toArray())
            states.insert(variant[u"name"_s].toString(), variant[u"recipe"_s].toString());
        return states;
    }

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning();
        QDir(m_home.filePath(u".config"_s)).removeRecursively();
        m_repository.clear();
        const QString folder = m_folder.filePath(u"sample-%1"_s.arg(++m_count));
        const Ran made = verb({u"sample"_s, folder});
        QVERIFY2(made.exitCode == 0, made.err.constData());
        m_repository = folder;
    }

    void showSaysWhereTheLineIsFrom()
    {
        const Ran shown = verb(u"settings show"_s);
        QCOMPARE(shown.exitCode, 0);
        QCOMPARE(shown.err, QByteArray("settings of main: built in\n"));
        QVERIFY(shown.out.contains("[versions]\npytorch = \"2.8.0\"\n") && shown.out.contains("version = \"12.8\"\n"));
        const QJsonObject json = verb(u"settings show --json --branch cuda-13_0"_s).json();
        QCOMPARE(json[u"source"_s].toString(), u"built-in"_s);
        QCOMPARE(json[u"branch"_s].toString(), u"cuda-13_0"_s);
        QCOMPARE(json[u"promised"_s].toInt(), 59);
        QCOMPARE(json[u"versions"_s][u"pytorch"_s].toString(), u"2.10.0"_s);
        QCOMPARE(json[u"cuda"_s][0][u"attribute"_s].toString(), u"cudaPackages_13"_s);
        QCOMPARE(json[u"pname_prefixes"_s][u"pytorch"_s].toString(), u"pytorch210"_s);
        QCOMPARE(json[u"file"_s].toString(), QString());
        QVERIFY(json[u"insisted"_s].toArray().isEmpty());

        // The output of show is a valid file.
        test::putFile(settingsFile(), shown.out);
        const Ran again = verb(u"settings show"_s);
        QCOMPARE(again.err, QByteArray("settings of main: from torch-matrix.toml\n"));
        QCOMPARE(again.out, shown.out);
    }

    void anInferredLineIsSaidToBeInferredAndSaved()
    {
        QCOMPARE(git(u"checkout -q -b mine cuda-13_0"_s).exitCode, 0);
        const auto before = states();
        QCOMPARE(verb(u"settings show --json"_s).json()[u"source"_s].toString(), u"inferred"_s);
        const Ran saved = verb(u"settings save"_s);
        QVERIFY2(saved.exitCode == 0, saved.err.constData());
        QCOMPARE(git(u"status --porcelain"_s).out, QByteArray("A  torch-matrix.toml\n"));
        QCOMPARE(verb(u"settings show --json"_s).json()[u"source"_s].toString(), u"file"_s);
        QCOMPARE(states(), before);
        QCOMPARE(git(u"commit -qm line"_s).exitCode, 0);
        QCOMPARE(git(u"checkout -q main"_s).exitCode, 0);
        QCOMPARE(verb(u"settings show --json --branch mine"_s).json()[u"source"_s].toString(),
                 u"file"_s); // from the commit
    }

    void aVersionThatNothingSaysIsLeftOpen()
    {
        QCOMPARE(git(u"checkout -q --orphan new"_s).exitCode, 0);
        QCOMPARE(git(u"rm -rqf .flox/pkgs"_s).exitCode, 0);
        test::putFile(m_repository + u"/.flox/pkgs/pytorch-python312-cuda12_6-sm90-avx2.nix"_s, "{ }: { }\n");
        const Ran saved = verb(u"settings save"_s);
        QVERIFY2(saved.exitCode == 0, saved.err.constData());
        QVERIFY(!read(settingsFile()).contains("[versions]"));
        const Ran set = verb(u"settings set versions.pytorch 2.7.1"_s);
        QVERIFY2(set.exitCode == 0, set.err.constData());
        const QJsonObject json = verb(u"settings show --json"_s).json();
        QCOMPARE(json[u"versions"_s][u"pytorch"_s].toString(), u"2.7.1"_s);
        QCOMPARE(json[u"cuda"_s][0][u"version"_s].toString(), u"12.6"_s);
        QCOMPARE(json[u"pythons"_s][0].toString(), u"python312"_s);
    }

    void setChoosesABlas()
    {
        const Ran ran = verb(u"settings set blas mkl"_s);
        QVERIFY2(ran.exitCode == 0, ran.err.constData());
        QVERIFY2(ran.err.contains("14 recipes of other CPUs keep OpenBLAS"), ran.err.constData());
        QCOMPARE(verb(u"settings show --json"_s).json()[u"blas"_s].toString(), u"mkl"_s);
        // Recipes that would change now are distinguished from those that would not.
        const QMap<QString, QString> now = states();
        QCOMPARE(now.values().count(u"current"_s), 14);
        QCOMPARE(now.values().count(u"customised"_s), 30);
        const Ran wrong = verb(u"settings set blas atlas"_s);
        QCOMPARE(wrong.exitCode, 2);
        QVERIFY2(wrong.err.contains("it must be one of default, openblas, mkl"), wrong.err.constData());
    }

    void setChangesOneKeyAndKeepsComments()
    {
        QCOMPARE(verb(u"settings save"_s).exitCode, 0);
        const QByteArray text = "# Ours.\n" + read(settingsFile()).replace("[versions]", "[versions] # checked");
        test::putFile(settingsFile(), text);
        const Ran set = verb(u"settings set versions.pytorch 2.8.1"_s);
        QVERIFY2(set.exitCode == 0, set.err.constData());
        QByteArray expected = text;
        QCOMPARE(read(settingsFile()), expected.replace("2.8.0", "2.8.1"));
        QCOMPARE(git(u"status --porcelain"_s).out, QByteArray("AM torch-matrix.toml\n"));      // what is staged stays
        QVERIFY(states().value(u"pytorch-python313-cuda12_8-sm90-avx2"_s) == "equivalent"_L1); // it says 2.8.0

        // The coverage is rewritten, and its comments would be lost.
        test::putFile(settingsFile(), text.chopped(1) + " # the end\n");
        const Ran coverage = verb(u"settings set coverage.sm70 avx2"_s);
        QCOMPARE(coverage.exitCode, 3);
        QVERIFY2(coverage.err.contains("would lose the comment \"the end\""), coverage.err.constData());
        QCOMPARE(read(settingsFile()), text.chopped(1) + " # the end\n");
        test::putFile(settingsFile(), expected);
        const Ran save = verb(u"settings save"_s);
        QCOMPARE(save.exitCode, 3);
        QCOMPARE(read(settingsFile()), expected);
        QCOMPARE(verb(u"settings set coverage.sm70 avx2 --force"_s).exitCode, 0);
        QCOMPARE(states().value(u"pytorch-python313-cuda12_8-sm70-avx2"_s), u"missing"_s);
        QCOMPARE(verb(u"settings set pythons python313,python312 --json"_s).json()[u"changed"_s].toBool(), true);
        QCOMPARE(states().size(), 2 * 45);
    }

    /// A version that the pin does not contain, without a hash for its source, is reported when it is set, and by the
    /// audit.
    void versionThatThePinDoesNotHold()
    {
        const Ran set = verb(u"settings set versions.pytorch 2.9.1"_s);
        QCOMPARE(set.exitCode, 0);
        const QByteArray sentence =
            "nixpkgs fe5e41d7ff has PyTorch 2.8.0, not 2.9.1, and the source hash of 2.9.1 is not set";
        QVERIFY2(set.err.count(sentence) == 1, set.err.constData());
        const Ran found = verb(u"audit"_s);
        QCOMPARE(found.exitCode, 1);
        QVERIFY2(found.out.count("torch-matrix.toml: error: " + sentence) == 1 &&
                     found.out.contains("[version-not-of-pin]"),
                 found.out.constData());
        QCOMPARE(verb(u"audit --json"_s).json()[u"line_findings"_s].toArray().size(), 1);
        const Ran hash = verb(u"settings set hashes.pytorch sha256-RKiZLHBCneMtZKRgTEuW1K7+Jpi+tx11BMXuS1jC1xQ="_s);
        QVERIFY2(hash.exitCode == 0 && !hash.err.contains("warning"), hash.err.constData());
        QVERIFY(!verb(u"audit"_s).out.contains("version-not-of-pin"));
        // An unknown pin, and one that contains the version.
        QCOMPARE(verb(QStringList{u"settings"_s, u"set"_s, u"hashes.pytorch"_s, QString()}).exitCode, 0);
        QVERIFY(!verb(u"settings set nixpkgs 0123456789012345678901234567890123456789"_s).err.contains("warning"));
        QVERIFY(!verb(u"settings set nixpkgs 6a030d535719c5190187c4cec156f335e95e3211"_s).err.contains("warning"));
    }

    void wrongUseIsSaid_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("said");
        QTest::newRow("nothing") << QStringList{u"line"_s} << 2 << u"A subcommand is required"_s;
        QTest::newRow("no value") << QStringList{u"settings"_s, u"set"_s, u"nixpkgs"_s} << 2 << u"VALUE is required"_s;
        QTest::newRow("key") << QStringList{u"settings"_s, u"set"_s, u"pin"_s, u"x"_s} << 2
                             << u"Could not set pin: there is no such key."_s;
        QTest::newRow("value")
            << QStringList{u"settings"_s, u"set"_s, u"nixpkgs"_s, u"main; rm"_s} << 2
            << u"Could not set nixpkgs: nixpkgs cannot be \"main; rm\"; it must be a commit in full, 40 digits"_s;
        QTest::newRow("set of Python packages")
            << QStringList{u"settings"_s, u"set"_s, u"python_set"_s, u"python31Packages"_s} << 2
            << u"python_set cannot be \"python31Packages\""_s;
        QTest::newRow("family") << QStringList{u"settings"_s, u"set"_s, u"families"_s, u"pytorh"_s} << 2
                                << u"the branch has no recipe of a family \"pytorh\". Did you mean pytorch?"_s;
        QTest::newRow("family that is like no other")
            << QStringList{u"settings"_s, u"set"_s, u"families"_s, u"pytorch,zebra"_s} << 2
            << u"the branch has no recipe of a family \"zebra\". It has"_s;
        QTest::newRow("branch") << QStringList{u"settings"_s, u"show"_s, u"--branch"_s, u"nope"_s} << 3 << u"nope"_s;
    }

    void wrongUseIsSaid()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, exitCode);
        QFETCH(QString, said);
        const Ran ran = verb(arguments);
        QCOMPARE(ran.exitCode, exitCode);
        QVERIFY2(QString::fromUtf8(ran.err).contains(said), ran.err.constData());
        QVERIFY(!QFile::exists(settingsFile()));
    }

    void aBrokenFileIsOneClearError()
    {
        const auto before = states();
        test::putFile(settingsFile(), "pythons = ['python313']\nversions = { pytorch = '2.8.0' }\nnixpkg = 'x'\n");
        const Ran listed = verb(u"list"_s);
        QVERIFY2(listed.err.contains("main: Could not read torch-matrix.toml, line 3: nixpkg is not a known key."),
                 listed.err.constData());
        QCOMPARE(states(), before); // as without it
        const Ran generated = verb(u"generate pytorch-python313-cuda12_8-sm70-avx2"_s);
        QCOMPARE(generated.exitCode, 3);
        QVERIFY2(generated.err.contains("line 3: nixpkg"), generated.err.constData());
        QCOMPARE(verb(u"settings show"_s).exitCode, 1);
        QCOMPARE(verb(u"settings set metadata_rev 1"_s).exitCode, 3);
        const Ran saved = verb(u"settings save"_s);
        QCOMPARE(saved.exitCode, 3);
        QVERIFY(read(settingsFile()).contains("nixpkg ="));
        QCOMPARE(verb(u"settings save --force"_s).exitCode, 0);
        QCOMPARE(verb(u"settings show --json"_s).json()[u"source"_s].toString(), u"file"_s);
    }

    /// A file that crashes toml++ or requests gigabytes of variants gives one sentence, and the branch is listed
    /// without it.
    void aHostileFileIsOneClearError_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("dotted key") << QByteArray("a.").repeated(110'000) + "a = 1\n"
                                    << QByteArray("keys and brackets nest more than 64 levels deep");
        QTest::newRow("lists") << "x = " + QByteArray("[").repeated(110'000)
                               << QByteArray("keys and brackets nest more than 64 levels deep");
        QTest::newRow("inline tables") << QByteArray("x = {").repeated(110'000)
                                       << QByteArray("keys and brackets nest more than 64 levels deep");
        QTest::newRow("large") << QByteArray("#\n").repeated(600'000) << QByteArray("it is too large");
        QByteArray many = "base = 'main'\npythons = [";
        for (int i = 10; i < 100; ++i)
            many += "'python3" + QByteArray::number(i) + "', ";
        many += "]\n";
        for (int i = 0; i < 30; ++i)
            many += "[[cuda]]\nversion = '12." + QByteArray::number(i) + "'\nattribute = 'a'\n";
        QTest::newRow("variants") << many << QByteArray("the limit is 20000");
    }

    void aHostileFileIsOneClearError()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, said);
        test::putFile(settingsFile(), text);
        const Ran listed = verb(u"list"_s);
        QCOMPARE(listed.exitCode, 1);
        QVERIFY2(listed.err.contains("main: Could not read torch-matrix.toml") && listed.err.contains(said),
                 listed.err.left(400).constData());
        QVERIFY(listed.out.contains("sm90"));
        QVERIFY(verb(u"settings set metadata_rev 1"_s).err.contains(said));
        QCOMPARE(verb(u"settings show"_s).exitCode, 1);
        QVERIFY(QFile::remove(settingsFile()));
        writeConfig(u"catalog/lines/main.toml"_s, "branch = 'main'\n" + text);
        const Ran catalog = verb(u"list"_s);
        QCOMPARE(catalog.exitCode, 3);
        QVERIFY2(catalog.err.contains("catalog/lines/main.toml") && catalog.err.size() < 400,
                 catalog.err.left(400).constData());
    }

    void aLinkOrFolderIsNoLineFile()
    {
        test::putFile(m_home.filePath(u"secret"_s), "pythons = ['python312']\nversions = { pytorch = '2.8.0' }\n");
        QVERIFY(QFile::link(m_home.filePath(u"secret"_s), settingsFile()));
        Ran shown = verb(u"settings show"_s);
        QCOMPARE(shown.exitCode, 1);
        QVERIFY2(shown.err.contains("it is a symbolic link"), shown.err.constData());
        QVERIFY(!shown.out.contains("python312"));
        QCOMPARE(verb(u"settings save --force"_s).exitCode, 3);
        QVERIFY(QFileInfo(settingsFile()).isSymLink());
        QVERIFY(QFile::remove(settingsFile()));
        QVERIFY(QDir().mkpath(settingsFile()));
        shown = verb(u"settings show"_s);
        QVERIFY2(shown.err.contains("it is a folder"), shown.err.constData());
        QVERIFY(QDir().rmdir(settingsFile()));
        test::putFile(settingsFile(), QByteArray(3 * 1024 * 1024, '#'));
        QVERIFY(verb(u"settings show"_s).err.contains("it is too large"));
        test::putFile(settingsFile(), QByteArray("\xff\xfe\0", 3));
        QVERIFY(verb(u"settings show"_s).err.contains("it is not UTF-8 text"));
    }

    /// A change to a branch that is not checked out is a commit; the working tree does not change.
    void anotherBranchGetsACommit()
    {
        QCOMPARE(git(u"branch other"_s).exitCode, 0);
        const QByteArray before = git(u"rev-parse HEAD"_s).out;
        const Ran ran = verb(u"settings set metadata_rev 7 --branch other"_s);
        QVERIFY2(ran.exitCode == 0 && ran.err.contains("committed to other as "), ran.err.constData());
        QVERIFY(git(u"show other:torch-matrix.toml"_s).out.contains("metadata_rev = 7"));
        QCOMPARE(git(u"log -1 --format=%s other"_s).out, "Describe the settings of other\n");
        QCOMPARE(verb(u"settings set metadata_rev 8 --branch other"_s).exitCode, 0);
        QCOMPARE(git(u"log -1 --format=%s other"_s).out, "Set metadata_rev to 8 in the settings of other\n");
        QCOMPARE(git(u"rev-parse HEAD"_s).out, before);
        QVERIFY(!QFile::exists(settingsFile()));
        QVERIFY(git(u"status --porcelain"_s).out.isEmpty());
        // As git writes it in full; an empty name is one that a script did not fill in.
        QCOMPARE(verb(u"list --branch refs/heads/other"_s).exitCode, 0);
        for (const QStringList &wrong : {QStringList{u"list"_s, u"--branch"_s, QString()},
                                         QStringList{u"derive"_s, u"x"_s, u"--from"_s, QString()}}) {
            const Ran refused = verb(wrong);
            QCOMPARE(refused.exitCode, 2);
            QVERIFY2(refused.err.contains("the name of a branch is empty"), refused.err.constData());
        }
        for (const auto &[words, said] :
             {std::pair(u"derive x --pytorch banana"_s, "--pytorch banana: that is not a version such as 2.9.1"),
              {u"derive x --pin xyz"_s, "--pin xyz: that is not a commit in full, 40 digits"},
              {u"derive x --python 3.12x"_s, "--python 3.12x: the catalog has no such Python. It has python313"},
              {u"derive x --cuda 14.7"_s, "--cuda 14.7: the catalog has no such toolkit. It has 12.4"},
              {u"derive refs/heads/zz"_s, "Leave \"refs/heads/\" out."},
              {u"derive @"_s, "git has another meaning for that name"}}) {
            const Ran refused = verb(words);
            QVERIFY2(refused.exitCode > 1 && refused.err.contains(said), refused.err.constData());
        }
    }

    /// The coverage of a new torchvision repository: ten rows, six instruction sets, including cells that cannot exist.
    void aFileMayInsistOnWhatCannotExist()
    {
        QCOMPARE(git(u"checkout -q --orphan vision"_s).exitCode, 0);
        QCOMPARE(git(u"rm -rqf .flox/pkgs"_s).exitCode, 0);
        test::putFile(settingsFile(),
                      "base = 'main'\nfamilies = ['torchvision']\n[[coverage]]\n"
                      "rows = ['sm121', 'sm120', 'sm110', 'sm103', 'sm100', 'sm90', 'sm89', 'sm86', 'sm80', 'cpu']\n"
                      "isas = ['avx2', 'avx512', 'avx512bf16', 'avx512vnni', 'armv8_2', 'armv9']\n");
        QCOMPARE(states().size(), 60);
        QCOMPARE(states().values().count(u"missing"_s), 42);
        QCOMPARE(states().values().count(u"unsupported"_s), 3 * 6);
        const QJsonObject json = verb(u"settings show --json"_s).json();
        QCOMPARE(json[u"insisted"_s].toArray().size(), 3 * 6); // CUDA 12.8 knows none of sm103, sm110 and sm121
        const Ran generated = verb(u"generate --all"_s);
        QVERIFY2(generated.exitCode == 0, generated.err.constData());
        const QByteArray recipe = read(m_repository + u"/.flox/pkgs/torchvision-python313-cuda12_8-sm90-avx2.nix"_s);
        QVERIFY(recipe.contains("export FORCE_CUDA=1") && recipe.contains("TorchVision 0.23.0"));
        // Impossible cells are listed and never generated; a request for one is answered with the reason.
        QCOMPARE(QDir(m_repository + u"/.flox/pkgs"_s).entryList({u"*.nix"_s}).size(), 42);
        for (const QString &asked : {u"generate NAME"_s, u"plan --only NAME --apply"_s}) {
            const Ran refused = verb(QString(asked).replace(u"NAME"_s, u"torchvision-python313-cuda12_8-sm103-avx2"_s));
            QVERIFY(refused.exitCode > 1);
            QVERIFY2(refused.err.contains("nvcc 12.8 does not know sm_103"), refused.err.constData());
        }
    }

    /// A family, a GPU and an instruction set that the program does not know: two templates and TOML, no C++.
    void anInventedFamilyAndRowWork()
    {
        writeConfig(u"catalog/families.toml"_s,
                    "[[family]]\nid = \"torchpoem\"\ntitle = \"TorchPoem\"\ncompanion = true\n"
                    "versions = { \"2.8\" = \"1.5.0\" }\n");
        writeConfig(u"catalog/rows.toml"_s,
                    "[[row]]\nid = \"sm88\"\ncapability = \"8.8\"\ngeneration = \"Lovelace, the next\"\n"
                    "products = [\"RTX 4999\"]\nfirst_cuda = \"12.6\"\nplatforms = [\"x86_64-linux\"]\n");
        writeConfig(
            u"templates/torchpoem/gpu.nix"_s,
            "# {{ family.title }} {{ version }} for {{ gpu.title }}\n{ pkgs ? import <nixpkgs> {} }:\nlet\n"
            "{% include \"companion/parts/gpu-target\" %}\n\n{% include \"pytorch/parts/cpu-target\" %}\n\n"
            "{% include \"companion/parts/packages-gpu\" %}\n\n{% include \"companion/parts/torch-gpu\" %}\nin\n"
            "(nixpkgs_pinned.{{ python.set }}.{{ family.attribute }}.override { torch = customPytorch; "
            "}).overrideAttrs (oldAttrs: {\n"
            "{% include \"companion/parts/attributes\" %}\n\n{% include \"companion/parts/passthru-gpu\" %}\n\n"
            "  preConfigure = (oldAttrs.preConfigure or \"\") + ''\n{% include \"companion/parts/cuda-environment\" "
            "%}\n"
            "{% include \"pytorch/parts/isa-environment\" %}\n  '';\n\n{% include \"companion/parts/meta-gpu\" "
            "%}\n})\n");
        writeConfig(u"templates/torchpoem/cpu.nix"_s,
                    "# {{ family.title }} {{ version }} for CPUs\n{ pkgs ? import <nixpkgs> {} }:\nlet\n"
                    "{% include \"pytorch/parts/cpu-target\" %}\n\n{% include \"companion/parts/packages-cpu\" %}\n\n"
                    "{% include \"companion/parts/torch-cpu\" %}\nin\n"
                    "(nixpkgs_pinned.{{ python.set }}.{{ family.attribute }}.override { torch = customPytorch; "
                    "}).overrideAttrs (oldAttrs: {\n"
                    "{% include \"companion/parts/attributes\" %}\n\n{% include \"pytorch/parts/passthru-cpu\" %}\n\n"
                    "  preConfigure = (oldAttrs.preConfigure or \"\") + ''\n{% include "
                    "\"pytorch/parts/isa-environment\" %}\n  '';\n\n"
                    "{% include \"companion/parts/meta-cpu\" %}\n})\n");

        // The new row is in the grid before anything covers it.
        QVERIFY(verb(u"list"_s).out.contains("\nsm88 Lovelace, the next"));
        QCOMPARE(verb(u"settings set families pytorch,torchpoem"_s).exitCode, 0);
        QCOMPARE(verb(u"settings set coverage.sm88 avx2,avx512"_s).exitCode, 0);
        const auto before = states();
        QCOMPARE(before.size(), 2 * (44 + 2));
        QCOMPARE(before.value(u"torchpoem-python313-cuda12_8-sm88-avx512"_s), u"missing"_s);
        QCOMPARE(before.value(u"pytorch-python313-cuda12_8-sm88-avx2"_s), u"missing"_s);

        const Ran generated = verb(u"generate --all --commit"_s);
        QVERIFY2(generated.exitCode == 0, generated.err.constData());
        const auto after = states();
        QCOMPARE(after.values().count(u"current"_s), 2 * 46);
        const QByteArray recipe = read(m_repository + u"/.flox/pkgs/torchpoem-python313-cuda12_8-sm88-avx512.nix"_s);
        QVERIFY2(recipe.startsWith("# TorchPoem 1.5.0 for Lovelace, the next (RTX 4999)\n"), recipe.constData());
        QVERIFY(recipe.contains("gpuArchNum = \"8.8\";") && recipe.contains("gpuTargets = [ gpuArchNum ];"));
        QVERIFY(recipe.contains("    pname = \"pytorch-python313-cuda12_8-sm88-avx512\";\n"));
        QVERIFY(recipe.contains("torchpoem.override { torch = customPytorch; }"));
        QVERIFY(verb(u"show torchpoem-python313-cpu-avx2"_s).out.startsWith("# TorchPoem 1.5.0 for CPUs\n"));

        // The audit knows what both should be, and finds errors in them.
        const Ran sound = verb(u"audit"_s);
        QVERIFY2(sound.exitCode == 0, (sound.out + sound.err).constData());
        const QString file = m_repository + u"/.flox/pkgs/torchpoem-python313-cuda12_8-sm88-avx2.nix"_s;
        test::putFile(file, read(file).replace("\"8.8\"", "\"8.6\""));
        const Ran amiss = verb(u"audit"_s);
        QCOMPARE(amiss.exitCode, 1);
        QVERIFY2(amiss.out.contains("torchpoem-python313-cuda12_8-sm88-avx2.nix:") &&
                     !amiss.out.contains("pytorch-python313-cuda12_8-sm88"),
                 amiss.out.constData());
    }

    void whatIsNoLongerListedIsSaid()
    {
        const Ran set = verb({u"settings"_s, u"set"_s, u"cudas"_s, u""_s});
        QVERIFY2(set.exitCode == 0, set.err.constData());
        QVERIFY2(set.err.contains("warning: 38 variants are no longer listed: pytorch-python313-cuda12_8-"),
                 set.err.constData());
        QVERIFY2(set.err.contains("Their recipes stay."), set.err.constData());
        const Ran again = verb(u"settings set metadata_rev 2"_s);
        QVERIFY2(!again.err.contains("no longer listed"), again.err.constData());
    }

    void aFamilyStaysWithoutItsVersion()
    {
        test::putFile(settingsFile(), verb(u"settings show"_s).out);
        QVERIFY(!read(settingsFile()).contains("families"));
        const Ran set = verb({u"settings"_s, u"set"_s, u"versions.pytorch"_s, u""_s});
        QVERIFY2(set.exitCode == 0, set.err.constData());
        const QJsonObject json = verb(u"settings show --json"_s).json();
        QCOMPARE(json[u"families"_s].toArray(), QJsonArray{u"pytorch"_s});
        QVERIFY(json[u"versions"_s].toObject().isEmpty());
        QCOMPARE(json[u"promised"_s].toInt(), 44);
    }

    void fortyZerosAreNoCommit()
    {
        for (const QString &key : {u"nixpkgs"_s, u"torch_rev"_s}) {
            const Ran ran = verb({u"settings"_s, u"set"_s, key, QString(40, u'0')});
            QCOMPARE(ran.exitCode, 2);
            QVERIFY2(ran.err.contains("it must be a commit in full"), ran.err.constData());
        }
    }

    void aNumberThatIsNoneIsRefusedInWords()
    {
        for (const QString &value : {u"x"_s, u"-1"_s, u"1.5"_s, u"007"_s, u"1\n[evil]"_s, u"99999999999999999999"_s}) {
            const Ran ran = verb({u"settings"_s, u"set"_s, u"metadata_rev"_s, u"--"_s, value});
            QCOMPARE(ran.exitCode, 2);
            QVERIFY2(ran.err.contains("metadata_rev must be a whole number from 0 to 1000000"), ran.err.constData());
        }
        QCOMPARE(verb(u"settings set metadata_rev 7"_s).exitCode, 0);
    }

    void aTemplateThatIsNotThereIsToldWhereTheLineIsRead()
    {
        test::putFile(m_repository + u"/torch-matrix.toml"_s, "base = \"main\"\ncpu_templates = [\"pytorch/ours\"]\n");
        const QByteArray sentence = "torch-matrix.toml, line 2: cpu_templates names \"pytorch/ours\", but there "
                                    "is no such template.";
        for (const QString &words : {u"list"_s, u"audit"_s, u"settings show"_s, u"plan"_s, u"generate --all"_s,
                                     u"settings set metadata_rev 2"_s}) {
            const Ran ran = verb(words);
            QVERIFY2(ran.exitCode != 0 && ran.err.contains(sentence),
                     qPrintable(words + u": "_s + QString::fromUtf8(ran.err)));
        }
        // What would be generated is not printed either; existing recipes are.
        for (const QString &words : {u"generate --stdout "_s, u"show "_s}) {
            const Ran ran = verb(words + u"pytorch-python313-cpu-avx"_s);
            QVERIFY2(ran.exitCode == 3 && ran.out.isEmpty() && ran.err.contains(sentence), qPrintable(words));
        }
        const Ran there = verb(u"show pytorch-python313-cpu-avx2"_s);
        QVERIFY(there.exitCode == 0 && there.err.contains(sentence) && there.out.contains("AVX2"));
        writeConfig(u"templates/pytorch/ours.nix"_s, "# ours\n{ }: { pname = \"{{ pname }}\"; }\n");
        QCOMPARE(verb(u"list"_s).exitCode, 0);
        QCOMPARE(states().value(u"pytorch-python313-cpu-avx2"_s), u"customised"_s);
        QCOMPARE(verb(u"settings set cpu_templates pytorch/theirs"_s).exitCode, 2);
    }

    void templatesOfTheUserGoFirst()
    {
        writeConfig(u"templates/pytorch/cpu-override.nix"_s, "# ours\n{ }: { pname = \"{{ pname }}\"; }\n");
        const auto now = states();
        QCOMPARE(now.value(u"pytorch-python313-cpu-avx2"_s), u"customised"_s);
        QCOMPARE(now.value(u"pytorch-python313-cuda12_8-sm90-avx2"_s), u"current"_s);
        const Ran ran = verb(u"generate --stdout pytorch-python313-cpu-avx2"_s);
        QVERIFY2(ran.exitCode == 0, ran.err.constData());
        QCOMPARE(ran.out, QByteArray("# ours\n{ }: { pname = \"pytorch-python313-cpu-avx2\"; }\n"));
    }
};

TM_TEST(TestVerbLine, QCoreApplication)
#include "tst_verb_settings.moc"
