// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
//
// What is read of recipes that people write, in every shape that is met.
#include "model/recipe/RecipeFacts.h"
#include "tests/support/TestMain.h"

#include <QFile>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

/// One line a fact: "12 cpu_flags -mavx2 -mfma".
QString asText(const RecipeFacts &facts)
{
    QStringList lines;
    for (const Fact &fact : facts.rows())
        lines.append(u"%1 %2 %3"_s.arg(fact.line).arg(fact.id, fact.value));
    return lines.join(u'\n');
}

QByteArray fixture(const QString &path)
{
    QFile file(QStringLiteral(TM_FIXTURES "/") + path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no fixture %s", qPrintable(path));
    return file.readAll();
}

} // namespace

class RecipeFactsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void rows_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char *name, const QByteArray &text, const QString &expected) {
            QTest::newRow(name) << text << expected;
        };
        row("no Nix", "{ a = ", u"1 error unexpected end of the file, expected an expression"_s);
        row("nothing of a package", "{ }: { }", {});
        row("a number", "1", {});
        row("attribute of an argument", "{ torch }: torch.override { cudaSupport = false; }",
            u"1 attribute torch\n1 cuda_support false"_s);
        row("python313.pkgs", "{ pkgs }: pkgs.python313.pkgs.torch", u"1 attribute python313Packages.torch"_s);
        row("with", "{ pkgs }: with pkgs; python3Packages.torch", u"1 attribute python3Packages.torch"_s);
        row("aliases by let",
            "{ pkgs }:\nlet\n  py = pkgs.python312Packages;\n  base = py.torch;\n  targets = [ arch ];\n  arch = "
            "\"8.6\";\nin\n"
            "base.override {\n  gpuTargets = targets;\n}",
            u"4 attribute python312Packages.torch\n6 gpu_targets 8.6"_s);
        row("override by a function", "{ torch }: torch.override (old: { cudaSupport = true; })",
            u"1 attribute torch\n1 cuda_support true"_s);
        row("overrideAttrs with two arguments",
            "{ torch }: torch.overrideAttrs (final: prev: { pname = \"a\" + \"b\"; })",
            u"1 attribute torch\n1 pname ab"_s);
        row("overrideAttrs with a set", "{ torch }: torch.overrideAttrs { pname = \"a\"; }",
            u"1 attribute torch\n1 pname a"_s);
        row("the last one wins", "{ torch }: (torch.overrideAttrs { pname = \"a\"; }).overrideAttrs { pname = \"b\"; }",
            u"1 attribute torch\n1 pname b"_s);
        row("pin by string",
            "let p = import (fetchTarball \"https://github.com/NixOS/nixpkgs/archive/abc123.tar.gz\") { }; in p.torch",
            u"1 pin abc123\n1 attribute torch"_s);
        row("pin by fetchFromGitHub",
            "{ pkgs }: (import (pkgs.fetchFromGitHub { owner = \"NixOS\"; repo = \"nixpkgs\"; rev = \"abc\"; sha256 = "
            "\"x\"; }) { }).torch",
            u"1 pin abc\n1 pin_sha256 x\n1 attribute torch"_s);
        row("pin put together",
            "let rev = \"abc\"; in (import (builtins.fetchTarball {\n url = "
            "\"https://github.com/NixOS/nixpkgs/archive/${rev}.tar.gz\";\n})"
            " { config.allowUnfree = true; }).torch",
            u"1 pin abc\n3 config allowUnfree=true\n3 attribute torch"_s);
        row("words in comments and descriptions are no facts",
            "{ torch }:\n# gpuTargets = [ \"9.0\" ]; export CXXFLAGS=\"-mavx2\"\ntorch.overrideAttrs (old: {\n  "
            "preConfigure = ''\n"
            "    # export CXXFLAGS=\"-mavx512f $CXXFLAGS\"\n    echo \"export CFLAGS=-mfma\"\n  '';\n"
            "  meta = old.meta // { description = \"cudaSupport = true\"; };\n})",
            u"1 attribute torch\n8 description cudaSupport = true"_s);
        row("toolkit by an argument",
            "{ torch, cudaPackages_12_6 }: torch.override { cudaPackages = cudaPackages_12_6; }",
            u"1 attribute torch"_s);
        row("toolkit by its package set", "{ pkgs }: pkgs.cudaPackages_12_6.pkgs.python3Packages.torch",
            u"1 toolkit cudaPackages_12_6\n1 attribute python3Packages.torch"_s);
        row("extend",
            "{ pkgs }: (pkgs.extend (final: prev: { cudaPackages = prev.cudaPackages_12_9; })).python3Packages.torch",
            u"1 toolkit cudaPackages_12_9\n1 attribute python3Packages.torch"_s);
        row("magma taken away", "{ pkgs }: (pkgs.extend (final: prev: { magma = null; })).torch",
            u"1 magma_patch null\n1 attribute torch"_s);
        row("extensions of all Pythons",
            "{ pkgs }: (pkgs.extend (final: prev: { pythonPackagesExtensions = prev.pythonPackagesExtensions ++ [ (pf: "
            "pp: { torch = "
            "pp.torch.overrideAttrs { version = \"2.9.0\"; }; }) ]; })).python3Packages.torch",
            u"1 torch_overlay pythonPackagesExtensions\n1 torch_version 2.9.0\n1 attribute python3Packages.torch\n1 version 2.9.0"_s);
        row("one set with another torch",
            "{ pkgs }: (pkgs.extend (final: prev: { python313Packages = prev.python313Packages // { torch = "
            "prev.python313Packages.torch.override { gpuTargets = [ \"9.0\" ]; }; }; })).python313Packages.torch",
            u"1 torch_overlay python313Packages\n1 attribute python313Packages.torch\n1 gpu_targets 9.0"_s);
        row("flags by the wrapper's variable",
            "{ torch }: torch.overrideAttrs { env.NIX_CFLAGS_COMPILE = \"-mavx2\"; }",
            u"1 attribute torch\n1 cpu_flags -mavx2\n1 environment NIX_CFLAGS_COMPILE=-mavx2"_s);
        row("flags in one go",
            "{ torch }: torch.overrideAttrs (old: { preConfigure = ''\n  export CXXFLAGS=\"-mavx2\" CFLAGS=\"$CFLAGS "
            "-mfma\"\n''; })",
            u"1 attribute torch\n2 cpu_flags -mavx2"_s);
        row("flags of another variable",
            "{ torch }: torch.overrideAttrs (old: { preConfigure = ''\n  CPU=\"-mavx2 -mfma\"\n  export "
            "CXXFLAGS=\"$CPU "
            "$CXXFLAGS\"\n''; })",
            u"1 attribute torch\n2 cpu_flags -mavx2 -mfma\n2 environment CPU=-mavx2 -mfma"_s);
        row("from scratch",
            "{ python3Packages }: python3Packages.buildPythonPackage rec { pname = \"torch\"; version = \"2.9.0\"; }",
            u"1 attribute buildPythonPackage\n1 version 2.9.0\n1 pname torch"_s);
        row("metadata revision",
            "{ torch }: torch.overrideAttrs (o: { postInstall = (o.postInstall or \"\") + ''\n  echo 3 > "
            "$out/.metadata-rev\n''; })",
            u"1 attribute torch\n2 metadata_rev 3"_s);
        row("platforms of nixpkgs", "{ torch, lib }: torch.overrideAttrs { meta.platforms = lib.platforms.linux; }",
            u"1 attribute torch\n1 platforms "_s);
        row("what is not understood in a row of several",
            "{ torch, m }: torch.overrideAttrs { passthru = { cpuISA = \"avx2\"; gpuArch = m.capability; }; }",
            u"1 attribute torch\n1 passthru cpuISA=avx2 gpuArch=?"_s);
        row("an array of the shell is no environment",
            "{ torch, m }: torch.overrideAttrs (old: {\n  postFixup = (old.postFixup or \"\") + \"\n    refs=(${m})\n"
            "    export A=1 B=${m}-x\n  \"; })",
            u"1 attribute torch\n4 environment A=1 B=?-x"_s);
        row("a companion's sibling", "{ torchvision }: torchvision.override { torch = import ./pytorch-x.nix { }; }",
            u"1 attribute torchvision\n1 torch_source ./pytorch-x.nix"_s);
        row("a companion's callPackage",
            "{ torchvision, callPackage }: torchvision.override { torch = callPackage ./pytorch-x.nix { }; }",
            u"1 attribute torchvision\n1 torch_source ./pytorch-x.nix"_s);
        row("a companion's catalog",
            "{ torchaudio, catalogs }: torchaudio.override { torch = catalogs.acme.pytorch-x; }",
            u"1 attribute torchaudio\n1 torch_source catalogs.acme.pytorch-x"_s);
        row("a companion's own",
            "{ torchaudio, torch }: torchaudio.override { torch = torch.override { gpuTargets = [ \"9.0\" ]; }; }",
            u"1 attribute torchaudio\n1 torch_source built in this file\n1 torch_targets 9.0"_s);
        row("a companion's something", "{ torchaudio, x }: torchaudio.override { torch = 1; }",
            u"1 attribute torchaudio\n1 torch_source something else"_s);
    }

    void rows()
    {
        QFETCH(const QByteArray, text);
        QFETCH(QString, expected);
        if (expected.endsWith(u"platforms "_s))
            expected.chop(u"\n1 platforms "_s.size()); // stated, and not known
        QCOMPARE(asText(readFacts(text)), expected);
    }

    // A GPU target that is an argument of the file has no place; its list does.
    void everyRowHasALine()
    {
        for (const QByteArray &family : {"torch"_ba, "torchvision"_ba}) {
            const RecipeFacts facts =
                readFacts("{ config, pkgs }:\n(pkgs.python313Packages." + family +
                          ".override {\n  gpuTargets = [ config ];\n  torch = pkgs.python313Packages.torch.override {\n"
                          "    gpuTargets = [ config ];\n  };\n})\n");
            for (const Fact &fact : facts.rows())
                QVERIFY2(fact.line > 0 && !fact.value.isEmpty(), qPrintable(fact.id));
        }
    }

    void explicitInputs()
    {
        const RecipeFacts facts = readFacts(fixture(u"pane/pytorch-python313-cuda12_8-sm90-avx512.nix"_s));
        QCOMPARE(facts.arguments.join(u' '), u"python3Packages lib config cudaPackages addDriverRunpath openblas"_s);
        QCOMPARE(facts.package.source, u"pkgs"_s);
        QCOMPARE(facts.package.variable(u"TORCH_CUDA_ARCH_LIST")->value, u"sm_90"_s);
        QCOMPARE(facts.package.variable(u"USE_CUDA")->value, u"1"_s);
        QCOMPARE(facts.package.variable(u"USE_CUDA")->phase, u"preConfigure"_s);
        QVERIFY(facts.package.hasInput(u"cudaPackages.libcublas"));
        QVERIFY(facts.package.hasInput(u"openblas"));
        QCOMPARE(facts.package.cxxFlags.values(),
                 (QStringList{u"-mavx512f"_s, u"-mavx512dq"_s, u"-mavx512vl"_s, u"-mavx512bw"_s, u"-mfma"_s}));
        QCOMPARE(facts.package.cFlags.values(), facts.package.cxxFlags.values());
        QVERIFY(facts.package.cxxFlags.known);
    }

    void spotsAreWhatTheySay()
    {
        const QByteArray text = fixture(u"recipes/torchvision-in-place.nix"_s);
        const RecipeFacts facts = readFacts(text);
        const auto at = [&text](const Spot &spot) { return QString::fromUtf8(text.mid(spot.offset, spot.length)); };
        const PackageFacts &torch = *facts.torch.package;
        QCOMPARE(at(facts.pins.constFirst().revision.spot), facts.pins.constFirst().revision.value);
        QCOMPARE(at(facts.overlays.constFirst().value.spot), u"cudaPackages_12_8"_s);
        QCOMPARE(at(facts.package.attribute.spot), u"torchvision"_s);
        QCOMPARE(at(torch.attribute.spot), u"torch"_s);
        QCOMPARE(at(torch.packageSet.spot), u"python313Packages"_s);
        QCOMPARE(at(torch.gpuTargets.items.constFirst().spot), u"9.0"_s);
        QCOMPARE(at(torch.cudaSupport.spot), u"true"_s);
        QCOMPARE(at(facts.package.pname.spot), facts.package.pname.value);
        QCOMPARE(at(facts.package.driver.spot), u"525.60.13"_s);
        QCOMPARE(at(facts.package.platforms.items.constFirst().spot), u"x86_64-linux"_s);
        QCOMPARE(at(facts.package.variable(u"FORCE_CUDA")->spot), u"1"_s);
        for (const StatedText &flag : facts.package.cxxFlags.items)
            QCOMPARE(at(flag.spot), flag.value);
        QCOMPARE(facts.torch.kind, TorchSource::Kind::Built);
        QCOMPARE(facts.package.source, u"pin"_s);
        QCOMPARE(torch.source, u"pin"_s);
        QCOMPARE(facts.pins.size(), 1);
        QVERIFY(facts == readFacts(text));
    }

    /// Behind a function that returns the package that it gets.
    void passedOn_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("packageSet");
        const QByteArray library = "(pkgs.magma.override { cudaSupport = true; }).overrideAttrs { pname = \"x\"; }";
        QTest::newRow("module") << "{ pkgs }: pkgs.python312Packages.toPythonModule (" + library + ")"
                                << u"python312Packages"_s;
        QTest::newRow("changed afterwards")
            << QByteArray("{ pkgs, lib }: lib.hiPrio ((pkgs.python313.pkgs.toPythonModule (pkgs.magma.override "
                          "{ cudaSupport = true; })).overrideAttrs { pname = \"x\"; })")
            << u"python313Packages"_s;
        QTest::newRow("priority") << "{ pkgs, lib }: lib.lowPrio (" + library + ")" << QString();
    }

    void passedOn()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QString, packageSet);
        const RecipeFacts facts = readFacts(text);
        QVERIFY2(!facts.stopped, qPrintable(facts.stopped.value));
        QCOMPARE(facts.package.attribute.value, u"magma"_s);
        QCOMPARE(facts.package.cudaSupport.value, true);
        QCOMPARE(facts.package.pname.value, u"x"_s);
        QCOMPARE(facts.package.packageSet.value, packageSet);
    }

    /// Neither deep nesting nor endless self-reference blocks it.
    void endsAlways_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("deep overrides") << "{ torch }: torch" + QByteArray(".override { }").repeated(2000);
        QTest::newRow("deep parentheses") << QByteArray("(").repeated(5000);
        QTest::newRow("itself") << QByteArray("let x = x.override { }; in x");
        QTest::newRow("its function") << QByteArray("let f = x: f x; in f 1");
        QTest::newRow("long script") << "{ torch }: torch.overrideAttrs { preConfigure = ''\n" +
                                            QByteArray("export A=1 B=\"2\"\n").repeated(20000) + "''; }";
        QTest::newRow("long list") << "{ torch }: torch.override { gpuTargets = [ " +
                                          QByteArray("\"9.0\" ").repeated(20000) + "]; }";
        QTest::newRow("binary") << QByteArray("\x7f\x45\x4c\x46\0\0", 6);
    }

    void endsAlways()
    {
        QFETCH(const QByteArray, text);
        const RecipeFacts facts = readFacts(text);
        QVERIFY(facts.error || facts.rows().size() < 100);
    }
};

TM_TEST(RecipeFactsTest, void)
#include "tst_recipefacts.moc"
