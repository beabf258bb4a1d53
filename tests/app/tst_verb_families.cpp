// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QTest>

using namespace Qt::StringLiterals;
using tmx::test::Ran;
using tmx::test::VerbFixture;

/// Repositories whose families nobody declared, and repositories without a matrix.
class VerbFamiliesTest : public QObject
{
    Q_OBJECT

    /// Replaces the branch main, which has built-in settings, by these files.
    static void fill(const VerbFixture &fixture, const QHash<QString, QByteArray> &files)
    {
        fixture.git({u"rm"_s, u"-rq"_s, u".flox/pkgs"_s});
        for (auto it = files.cbegin(); it != files.cend(); ++it)
            fixture.write(it.key(), *it);
        fixture.git({u"add"_s, u"."_s});
        fixture.git({u"commit"_s, u"-qm"_s, u"Keep other packages"_s});
    }

    static QByteArray recipeOf(const QString &name, const QString &package)
    {
        return u"{ pkgs }:\npkgs.%2.overrideAttrs { pname = \"%1\"; }\n"_s.arg(name, package).toUtf8();
    }

    /// A library, and packages with a version, with a pairing, for every GPU, without ISA and for ARM.
    static QHash<QString, QByteArray> manyFamilies()
    {
        QHash<QString, QByteArray> files;
        for (const auto &[name, package] :
             {std::pair{u"magma-cuda12_9-sm90-avx2"_s, u"magma"_s},
              {u"vllm-python312-cuda12_9-sm90"_s, u"python312Packages.vllm"_s},
              {u"vllm-python312-cuda12_9-sm121-arm64"_s, u"python312Packages.vllm"_s},
              {u"vllm-python312-cuda12_9-all-avx2"_s, u"python312Packages.vllm"_s},
              {u"onnx-runtime123-python313-cpu-avx2"_s, u"python313Packages.onnxruntime"_s},
              {u"onnx-runtime122-python313-cpu-avx2"_s, u"python313Packages.onnxruntime"_s},
              {u"torchaudio211-pt212-python313-cpu-avx2"_s, u"python313Packages.torchaudio"_s}})
            files.insert(u".flox/pkgs/%1.nix"_s.arg(name), recipeOf(name, package));
        files.insert(u".flox/pkgs/lib/flags.nix"_s, "{ avx2 = [ \"-mavx2\" ]; }\n");
        files.insert(u".flox/pkgs/hello.nix"_s, "{ hello }: hello\n");
        return files;
    }

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void packagesWithoutAMatrixAreListed()
    {
        const VerbFixture fixture;
        fill(fixture,
             {{u".flox/pkgs/hello.nix"_s, "{ hello }: hello\n"},
              {u".flox/pkgs/tools/default.nix"_s, "{ jq }: jq\n"},
              {u".flox/pkgs/tools/help.nix"_s, "{ }\n"},
              {u".flox/pkgs/web/server/small.nix"_s, "{ nginx }: nginx.override (import ../../lib/flags.nix)\n"},
              {u".flox/pkgs/torch210-cxx11-cu130-aarch64-linux.nix"_s, "{ hello }: hello\n"},
              {u".flox/pkgs/lib/flags.nix"_s, "{ }\n"}});
        const Ran listed = fixture.verb({u"list"_s});
        QCOMPARE(listed.exitCode, 0);
        QCOMPARE(listed.out, "hello\ntools\ntorch210-cxx11-cu130-aarch64-linux\nweb.server.small\n"
                             "lib/flags.nix (1 package imports it)\n"_ba);
        QVERIFY2(listed.err.contains("main has no matrix. A matrix is a set of packages"), listed.err.constData());
        const QJsonObject branch =
            fixture.verb({u"list"_s, u"--json"_s}).json()[u"branches"_s].toArray().at(0).toObject();
        QCOMPARE(branch[u"matrix"_s].toBool(true), false);
        QCOMPARE(branch[u"packages"_s].toArray(),
                 (QJsonArray{u"hello"_s, u"tools"_s, u"torch210-cxx11-cu130-aarch64-linux"_s, u"web.server.small"_s}));
        QCOMPARE(branch[u"variants"_s].toArray(), QJsonArray());
        const Ran shown = fixture.verb({u"show"_s, u"hello"_s});
        QCOMPARE(shown.exitCode, 0);
        QCOMPARE(shown.out, fixture.read(u".flox/pkgs/hello.nix"_s));
    }

    void nothingIsInventedWithoutAMatrix()
    {
        const VerbFixture fixture;
        fill(fixture, {{u".flox/pkgs/hello.nix"_s, "{ hello }: hello\n"}});
        const QByteArray head = fixture.git({u"rev-parse"_s, u"HEAD"_s}).out;
        for (const QStringList &arguments : {QStringList{u"generate"_s, u"--all"_s},
                                             {u"generate"_s, u"--all"_s, u"--commit"_s},
                                             {u"plan"_s},
                                             {u"plan"_s, u"--apply"_s},
                                             {u"readme"_s, u"--place"_s, u"--apply"_s},
                                             {u"settings"_s, u"save"_s},
                                             {u"settings"_s, u"set"_s, u"pythons"_s, u"python313"_s}}) {
            const Ran ran = fixture.verb(arguments);
            QVERIFY2(ran.exitCode == 3, qPrintable(arguments.join(u' ') + QString::fromUtf8(ran.err)));
            QVERIFY2(ran.err.contains("has no matrix"), qPrintable(arguments.join(u' ') + QString::fromUtf8(ran.err)));
        }
        QCOMPARE(fixture.git({u"status"_s, u"--porcelain"_s}).out, ""_ba);
        QCOMPARE(fixture.git({u"rev-parse"_s, u"HEAD"_s}).out, head);
    }

    void anAuditThatPlacedNothingSaysSo()
    {
        const VerbFixture fixture;
        fill(fixture, {{u".flox/pkgs/hello.nix"_s, "{ hello }: hello\n"}, {u".flox/pkgs/jq.nix"_s, "{ jq }: jq\n"}});
        const Ran audited = fixture.verb({u"audit"_s});
        QCOMPARE(audited.exitCode, 1);
        QVERIFY2(audited.err.contains("2 packages are no variants"), audited.err.constData());
        QCOMPARE(fixture.verb({u"audit"_s, u"--json"_s}).json()[u"unplaced"_s].toArray(),
                 (QJsonArray{u"hello"_s, u"jq"_s}));
    }

    void settingsThatAreNamedAreUsed()
    {
        const VerbFixture fixture;
        fill(fixture, {{u"torch-matrix.toml"_s, "base = \"main\"\n"}});
        const Ran listed = fixture.verb({u"list"_s, u"--json"_s});
        const QJsonObject branch = listed.json()[u"branches"_s].toArray().at(0).toObject();
        QCOMPARE(branch[u"counts"_s][u"missing"_s].toInt(), 44);
        QCOMPARE(fixture.verb({u"generate"_s, u"--all"_s}).exitCode, 0);
    }

    void everyFamilyIsPlaced()
    {
        const VerbFixture fixture;
        const QHash<QString, QByteArray> files = manyFamilies();
        fill(fixture, files);
        const QJsonObject branch =
            fixture.verb({u"list"_s, u"--json"_s}).json()[u"branches"_s].toArray().at(0).toObject();
        QCOMPARE(branch[u"line"_s][u"source"_s].toString(), u"inferred"_s);
        QStringList present;
        for (const QJsonValue &variant : branch[u"variants"_s].toArray()) {
            if (variant[u"recipe"_s].toString() != "missing"_L1 && variant[u"recipe"_s].toString() != "not-covered"_L1)
                present.append(variant[u"file"_s].toString());
        }
        QCOMPARE(present.size(), files.size() - 2);
        QCOMPARE(branch[u"unrecognised"_s].toArray(), QJsonArray{u".flox/pkgs/hello.nix"_s});
        const Ran grid = fixture.verb({u"list"_s});
        QVERIFY2(grid.err.contains("1 file is no variant"), grid.err.constData());
        QVERIFY2(!grid.err.contains("hello.nix"), grid.err.constData());
        QVERIFY(fixture.verb({u"list"_s, u"--others"_s}).out.endsWith("\n.flox/pkgs/hello.nix\n"));
        const Ran vllm = fixture.verb({u"list"_s, u"--family"_s, u"vllm"_s});
        QVERIFY2(vllm.out.contains("none") && vllm.out.contains("arm64") && vllm.out.contains("\nall "),
                 vllm.out.constData());
        QVERIFY2(!vllm.out.contains("magma"), vllm.out.constData());
        const Ran nothing = fixture.verb({u"list"_s, u"--version"_s, u"9"_s});
        QCOMPARE(nothing.out, ""_ba);
        QVERIFY2(nothing.err.contains("no variant matches. It has ") && nothing.err.contains("CUDA 12.9"),
                 nothing.err.constData());
    }

    void slicesAreChosenByParts_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<int>("count");
        QTest::newRow("family") << QStringList{u"--family"_s, u"onnx-runtime"_s} << 2;
        QTest::newRow("version") << QStringList{u"--family"_s, u"onnx-runtime"_s, u"--version"_s, u"1.23"_s} << 1;
        QTest::newRow("no Python") << QStringList{u"--python"_s, u"none"_s} << 1;
        QTest::newRow("toolkit") << QStringList{u"--cuda"_s, u"12.9"_s} << 4;
        QTest::newRow("pairing") << QStringList{u"--family"_s, u"torchaudio211-pt212"_s} << 1;
    }

    void slicesAreChosenByParts()
    {
        QFETCH(QStringList, options);
        QFETCH(int, count);
        const VerbFixture fixture;
        fill(fixture, manyFamilies());
        const QJsonObject listed = fixture.verb(QStringList{u"list"_s, u"--json"_s} + options).json();
        int present = 0;
        for (const QJsonValue &variant : listed[u"branches"_s].toArray().at(0)[u"variants"_s].toArray())
            present += !variant[u"hole"_s].toBool();
        QCOMPARE(present, count);
        const QJsonObject audited = fixture.verb(QStringList{u"audit"_s, u"--json"_s} + options).json();
        QCOMPARE(audited[u"recipes"_s].toArray().size(), count);
    }

    /// Everything but templates works for a family that nobody declared.
    void anUnknownFamilyIsNoDeadEnd()
    {
        const VerbFixture fixture;
        fill(fixture, manyFamilies());
        const Ran shown = fixture.verb({u"show"_s, u"magma-cuda12_9-sm90-avx2"_s});
        QVERIFY2(shown.exitCode == 0 && shown.out.contains("pkgs.magma"), shown.err.constData());
        QCOMPARE(fixture.verb({u"history"_s, u"vllm-python312-cuda12_9-sm90"_s}).exitCode, 0);
        const Ran generated = fixture.verb({u"generate"_s, u"magma-cuda12_9-sm80-avx2"_s});
        QCOMPARE(generated.exitCode, 3);
        QVERIFY2(generated.err.contains("no template was learned from the recipes of magma"),
                 generated.err.constData());
        QVERIFY(fixture.verb({u"audit"_s}).exitCode <= 1);
        QVERIFY(fixture.verb({u"plan"_s}).exitCode <= 1);
        QVERIFY(fixture.verb({u"readme"_s, u"--place"_s}).exitCode <= 1);
        QVERIFY(fixture.verb({u"compare"_s, u"main"_s, u"cuda-12_9"_s}).exitCode <= 1);
        QVERIFY(fixture.verb({u"pick"_s, u"--json"_s}).exitCode <= 3);
    }

    /// The template of recipes for AVX2 has no words for an older CPU: the nearest recipe is the model, as with --like.
    void whatTheTemplateLacksIsMadeOfARecipe()
    {
        const VerbFixture fixture;
        const QByteArray text = R"({ pkgs ? import <nixpkgs> { } }:
let
  flags = [ ISA ];
in
(pkgs.python313Packages.fastmath.override { cudaSupport = false; }).overrideAttrs (old: {
  pname = "NAME";
  preConfigure = (old.preConfigure or "") + ''
    export CXXFLAGS="${pkgs.lib.concatStringsSep " " flags} $CXXFLAGS"
    export CFLAGS="${pkgs.lib.concatStringsSep " " flags} $CFLAGS"
  '';
  meta = old.meta // { platforms = [ "x86_64-linux" ]; };
})
)";
        const auto recipe = [&text](const QString &name, const QByteArray &flags) {
            return QByteArray(text).replace("NAME", name.toUtf8()).replace("ISA", flags);
        };
        const QString base = u"fastmath-python313-cpu-"_s;
        const QString folder = u".flox/pkgs/"_s;
        fill(fixture,
             {{folder + base + u"avx2.nix"_s, recipe(base + u"avx2"_s, "\"-mavx2\" \"-mfma\" \"-mf16c\"")},
              {folder + base + u"avx512.nix"_s,
               recipe(base + u"avx512"_s, "\"-mavx512f\" \"-mavx512dq\" \"-mavx512vl\" \"-mavx512bw\" \"-mfma\"")}});
        const QString avx = base + u"avx"_s;
        const Ran made = fixture.verb({u"generate"_s, avx});
        QVERIFY2(made.exitCode == 0, made.err.constData());
        QVERIFY2(made.err.contains("It is made from " + (base + u"avx2"_s).toUtf8()), made.err.constData());
        const QByteArray written = fixture.read(folder + avx + u".nix"_s);
        QVERIFY2(written.contains("pname = \"" + avx.toUtf8() + '"') && !written.contains("\"-mavx2\""),
                 written.constData());
    }

    /// A version of a family that has no recipe here changes nothing, and nobody has to follow it.
    void theVersionOfAnotherFamilyConcernsNobody()
    {
        const VerbFixture fixture;
        fill(fixture, manyFamilies());
        const Ran migrated = fixture.verb({u"migrate"_s, u"--pytorch"_s, u"2.10.0"_s});
        QVERIFY2(migrated.err.contains("The branch has no recipes of pytorch: version 2.10.0 of it changes"),
                 migrated.err.constData());
        QCOMPARE(fixture.verb({u"settings"_s, u"save"_s}).exitCode, 0);
        const QByteArray before = fixture.verb({u"plan"_s, u"--all"_s}).out;
        QCOMPARE(fixture.verb({u"settings"_s, u"set"_s, u"versions.pytorch"_s, u"2.10.0"_s}).exitCode, 0);
        const Ran planned = fixture.verb({u"plan"_s, u"--all"_s});
        QVERIFY2(!planned.out.contains("versions.pytorch"), planned.out.constData());
        QCOMPARE(planned.out, before);
    }

    /// Settings that were saved cover the same variants as those that were inferred.
    void settingsOfAnyFamilyAreSaved()
    {
        const VerbFixture fixture;
        fill(fixture, manyFamilies());
        const auto names = [&fixture] {
            QStringList list;
            const QJsonObject listed = fixture.verb({u"list"_s, u"--json"_s}).json();
            for (const QJsonValue &variant : listed[u"branches"_s].toArray().at(0)[u"variants"_s].toArray()) {
                if (!variant[u"hole"_s].toBool())
                    list.append(variant[u"name"_s].toString() + u' ' + variant[u"recipe"_s].toString());
            }
            return list;
        };
        const QStringList before = names();
        const Ran saved = fixture.verb({u"settings"_s, u"save"_s});
        QVERIFY2(saved.exitCode == 0, saved.err.constData());
        QVERIFY(fixture.read(u"torch-matrix.toml"_s).contains("\"none\""));
        QCOMPARE(names(), before);
    }
};

TM_TEST(VerbFamiliesTest, QCoreApplication)
#include "tst_verb_families.moc"
