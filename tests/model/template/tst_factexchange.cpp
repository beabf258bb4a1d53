// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/meaning/Meaning.h"
#include "model/settings/SettingsEdit.h"
#include "model/template/FactExchange.h"
#include "model/template/RecipeContext.h"
#include "model/template/RecipeRenderer.h"

#include "tests/support/BuiltInCatalog.h"
#include "tests/support/FamilyLines.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace tmx;
using namespace Qt::StringLiterals;
using tmx::testing::familyLines;
using tmx::testing::NamedLine;

namespace {

/// Variants whose recipes need the same special handling, so that one can be made from the other by exchanging words.
bool haveOneShape(const Catalog &catalog, const Variant &a, const Variant &b)
{
    if (a.family != b.family || a.cuda.isEmpty() != b.cuda.isEmpty() || a.isa.isEmpty() != b.isa.isEmpty())
        return false;
    const auto lacksAvx2 = [&](const Variant &variant) {
        const Isa *isa = catalog.isa(variant.isa);
        return isa && isa->lacksAvx2;
    };
    const auto needs13 = [](const Variant &variant) { return variant.cuda.startsWith("13."_L1); };
    return lacksAvx2(a) == lacksAvx2(b) && catalog.row(a.row)->cudnn == catalog.row(b.row)->cudnn &&
           needs13(a) == needs13(b);
}

/// More than words differ: whether a toolkit has MAGMA's patch, whether a Python has the pin's other name, and which
/// BLAS is used.
bool differInMore(const Variant &a, const Variant &b, const Settings &settings)
{
    const auto blas = [&settings](const Variant &variant) {
        return testing::builtInCatalog()->blasOf(variant, settings.profileOf(variant).blas);
    };
    return blas(a) != blas(b) || (a.cuda != b.cuda && (a.cuda == "13.0"_L1 || b.cuda == "13.0"_L1)) ||
           (a.python != b.python && !settings.profileOf(a).pin.python3.isEmpty() &&
            !settings.profileOf(torchVariantOf(a)).sourceHash.isEmpty());
}

} // namespace

class FactExchangeTest : public QObject
{
    Q_OBJECT

    const std::shared_ptr<const Catalog> m_catalog = testing::builtInCatalog();

    Result<Exchanged> made(const QByteArray &text, const Settings &settings, const Variant &from, const Variant &wanted)
    {
        const auto a = recipeContext(*m_catalog, settings, from);
        const auto b = recipeContext(*m_catalog, settings, wanted);
        if (!a || !b)
            return a ? b.error() : a.error();
        return exchanged(text, *m_catalog, *a, *b);
    }

private slots:
    /// A template's text for one variant, exchanged, equals its text for another.
    void givesWhatTheTemplateGives()
    {
        RecipeRenderer renderer(m_catalog);
        const QList<NamedLine> lines = familyLines(*m_catalog);
        int pairs = 0;
        int step = 0;
        for (const auto &[name, line] : lines) {
            const QList<Variant> variants = line.promised();
            for (qsizetype i = 0; i < variants.size(); ++i) {
                const Variant &from = variants.at(i);
                const auto text = renderer.render(line, from);
                QVERIFY_OK(text);
                // Every pair would take minutes; steps without a common divisor cover all kinds.
                for (qsizetype j = i % 31; j < variants.size();
                     j += (23 + (++step % 11)) * (test::isCompleteRun() ? 1 : 4)) {
                    const Variant &wanted = variants.at(j);
                    if (!haveOneShape(*m_catalog, from, wanted) || differInMore(from, wanted, line))
                        continue;
                    const auto result = made(*text, line, from, wanted);
                    QVERIFY2(result.ok(),
                             qPrintable(name + u": "_s + (result ? QString() : result.error().sentence())));
                    const auto expected = renderer.render(line, wanted);
                    QVERIFY_OK(expected);
                    if (result->text != *expected)
                        qWarning().noquote() << name << from.name() << wanted.name();
                    QCOMPARE(QString::fromUtf8(result->text), QString::fromUtf8(*expected));
                    ++pairs;
                }
            }
        }
        QVERIFY2(pairs > (test::isCompleteRun() ? 1000 : 250), qPrintable(QString::number(pairs)));
    }

    /// Nothing is exchanged between a variant and itself, whatever the text says.
    void keepsEveryByteForTheSameVariant()
    {
        const Settings settings = *m_catalog->settings(u"main"_s);
        for (const Variant &variant : settings.promised()) {
            const QByteArray text =
                "{ torch }: torch.overrideAttrs (old: { pname = \"x\"; }) # 9.0 sm90 H100 AVX2 \xc3\xa4";
            const auto result = made(text, settings, variant, variant);
            QVERIFY_OK(result);
            QCOMPARE(result->text, text);
            QVERIFY(result->remarks.isEmpty());
        }
    }

    /// A phase states values in notations of compilers, of CMake and of shells.
    void exchangesNotationsInPhases_data()
    {
        QTest::addColumn<QByteArray>("stated");
        QTest::addColumn<QByteArray>("wanted");
        const auto row = [](const char *stated, const char *wanted) {
            QTest::newRow(stated) << QByteArray(stated) << QByteArray(wanted);
        };
        row("build sm=80", "build sm=90");
        row("export SM=80", "export SM=90");
        row("make ARCHS=80", "make ARCHS=90");
        row("nvcc -gencode arch=compute_80,code=sm_80", "nvcc -gencode arch=compute_90,code=sm_90");
        row("cmake -DCMAKE_CUDA_ARCHITECTURES=80-real", "cmake -DCMAKE_CUDA_ARCHITECTURES=90-real");
        row("archs 80-virtual", "archs 90-virtual");
        row("patchShebangs $out/bin/python3.13", "patchShebangs $out/bin/python3.12");
        row("cp -r lib/python3.13/site-packages $out", "cp -r lib/python3.12/site-packages $out");
        row("ls *-cp313-*.whl", "ls *-cp312-*.whl");
    }
    void exchangesNotationsInPhases()
    {
        QFETCH(const QByteArray, stated);
        QFETCH(const QByteArray, wanted);
        Settings settings = *m_catalog->settings(u"main"_s);
        const Variant from{u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm80"_s, u"avx2"_s};
        Variant to = from;
        to.row = u"sm90"_s;
        to.python = u"python312"_s;
        settings.profiles.insert(ProfileKey::of(to), settings.profileOf(from));
        RecipeRenderer renderer(m_catalog);
        auto text = renderer.render(settings, from);
        QVERIFY_OK(text);
        const qsizetype end = text->lastIndexOf("  meta = ");
        QVERIFY(end > 0);
        text->insert(end, "  postInstall = ''\n    " + stated + " 800 13\n  '';\n\n");
        const auto result = made(*text, settings, from, to);
        QVERIFY_OK(result);
        QVERIFY2(result->text.contains("    " + wanted + " 800 13\n"), result->text.constData());
    }

    /// Comments name toolkits as file names do, too.
    void exchangesToolkitsInComments()
    {
        Settings settings = *m_catalog->settings(u"main"_s);
        const Variant from{u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm80"_s, u"avx2"_s};
        Variant to = from;
        to.cuda = u"12.9"_s;
        Profile profile = settings.profileOf(from);
        profile.cudaAttribute = u"cudaPackages_12_9"_s;
        settings.profiles.insert(ProfileKey::of(to), profile);
        RecipeRenderer renderer(m_catalog);
        const auto text = renderer.render(settings, from);
        QVERIFY_OK(text);
        const auto result = made("# SM80, CUDA 12_8, cuda-12_8\n" + *text, settings, from, to);
        QVERIFY_OK(result);
        QVERIFY2(result->text.startsWith("# SM80, CUDA 12_9, cuda-12_9\n"), result->text.constData());
    }

    /// Settings with another BLAS or another commit of the PyTorch recipes: the former is refused, the latter is
    /// exchanged.
    void exchangesWhatTheSettingsSayOfTorch()
    {
        const QList<NamedLine> lines = familyLines(*m_catalog);
        const auto named = [&lines](const QString &name) {
            return std::ranges::find(lines, name, &NamedLine::name)->settings;
        };
        RecipeRenderer renderer(m_catalog);
        const auto between = [&](const Settings &before, const Settings &after, const Variant &variant) {
            const auto text = renderer.render(before, variant);
            const auto a = recipeContext(*m_catalog, before, variant);
            const auto b = recipeContext(*m_catalog, after, variant);
            return text && a && b ? exchanged(*text, *m_catalog, *a, *b) : Result<Exchanged>(a.error());
        };
        const Variant cpu{u"pytorch"_s, u"python313"_s, {}, u"cpu"_s, u"avx2"_s};
        // An overlay is added in the recipe's own layout; the result builds what the template gives. Removing it again
        // restores every byte.
        for (const QString &name : {u"main-mkl"_s, u"main-openblas"_s}) {
            const Settings wanted = named(name);
            int changed = 0;
            for (const Variant &variant : wanted.promised()) {
                const auto made = between(named(u"main-in-place"_s), wanted, variant);
                const auto expected = renderer.render(wanted, variant);
                QVERIFY_OK(made);
                QVERIFY_OK(expected);
                QVERIFY2(samenessOf(made->text, readMeaning(made->text), *expected, readMeaning(*expected)) !=
                             Sameness::Different,
                         qPrintable(name + u' ' + variant.name()));
                changed += made->text.contains("blasProvider = final.");
                const auto back = exchanged(made->text, *m_catalog, *recipeContext(*m_catalog, wanted, variant),
                                            *recipeContext(*m_catalog, named(u"main-in-place"_s), variant));
                QVERIFY_OK(back);
                QCOMPARE(back->text, *renderer.render(named(u"main-in-place"_s), variant));
                const auto plain = between(wanted, named(u"main-in-place"_s), variant);
                QVERIFY_OK(plain);
                const auto without = renderer.render(named(u"main-in-place"_s), variant);
                QVERIFY2(samenessOf(plain->text, readMeaning(plain->text), *without, readMeaning(*without)) !=
                             Sameness::Different,
                         qPrintable(name + u' ' + variant.name()));
            }
            QVERIFY2(changed > 20, qPrintable(QString::number(changed)));
        }
        // Lists and sets on one line, comments behind them, and no list at all.
        for (const auto &[before, after] :
             {std::pair("overlays = [ (a: b: { c = 1; }) ];", "overlays = [ (a: b: { c = 1; })\n      # "),
              {"overlays = [\n      (a: b: { c = 1; }) # mine\n    ];", "(a: b: { c = 1; }) # mine\n      # "},
              {"config = { };", "config = { };\n    overlays = [\n      # "}}) {
            const auto text = renderer.render(named(u"main-in-place"_s), cpu);
            QVERIFY_OK(text);
            const QByteArray theirs =
                "{ pkgs ? import <nixpkgs> {} }:\nlet\n  nixpkgs_pinned = import (builtins.fetchTarball {\n    url = "
                "\"https://github.com/NixOS/nixpkgs/archive/"_ba +
                QByteArray(40, 'a') + ".tar.gz\";\n  }) {\n    " + before +
                "\n  };\nin nixpkgs_pinned.python313Packages.torch.overrideAttrs (old: { pname = \"" +
                cpu.name().toUtf8() + "\"; buildInputs = [ nixpkgs_pinned.openblas ]; })\n";
            const auto a = recipeContext(*m_catalog, named(u"main-in-place"_s), cpu);
            const auto b = recipeContext(*m_catalog, named(u"main-mkl"_s), cpu);
            const auto made = exchanged(theirs, *m_catalog, *a, *b);
            QVERIFY_OK(made);
            QVERIFY2(made->text.contains(after) && made->text.contains("nixpkgs_pinned.mkl"), made->text.constData());
            QVERIFY(readFacts(made->text).blas().value == "mkl"_L1);
            const auto back = exchanged(made->text, *m_catalog, *b, *a);
            QVERIFY_OK(back);
            QCOMPARE(back->text, theirs);
        }
        // An overlay that does more than that stays, and so does one that is not an item of the list.
        for (const QByteArray &overlays : {"[ (final: prev: { blas = prev.blas.override { blasProvider = final.mkl; }; "
                                           "hello = 1; }) ]"_ba,
                                           "[ ] ++ [ (final: prev: { blas = prev.blas.override { blasProvider = "
                                           "final.mkl; }; }) ]"_ba}) {
            const QByteArray theirs = "let\n  nixpkgs_pinned = import (builtins.fetchTarball {\n    url = "
                                      "\"https://github.com/NixOS/nixpkgs/archive/"_ba +
                                      QByteArray(40, 'a') + ".tar.gz\";\n  }) { overlays = " + overlays +
                                      "; };\nin nixpkgs_pinned.python313Packages.torch.overrideAttrs (old: { })\n";
            QVERIFY_ERROR(exchanged(theirs, *m_catalog, *recipeContext(*m_catalog, named(u"main-mkl"_s), cpu),
                                    *recipeContext(*m_catalog, named(u"main-in-place"_s), cpu)),
                          u"cannot be removed in place");
        }
        QVERIFY_ERROR(exchanged("{ pkgs }: pkgs.python313Packages.torch.overrideAttrs (old: { })", *m_catalog,
                                *recipeContext(*m_catalog, named(u"main-in-place"_s), cpu),
                                *recipeContext(*m_catalog, named(u"main-mkl"_s), cpu)),
                      u"it fetches no nixpkgs to which an overlay can be added");
        const Settings fetched = named(u"main-fetched"_s);
        Settings later = fetched;
        const QString hash = u"sha256-BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA="_s;
        later.set(&Profile::torchRepository, TorchRepository{u"acme/build-pytorch"_s, QString(40, u'e'), hash});
        const Variant vision{u"torchvision"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s};
        const auto made = between(fetched, later, vision);
        QVERIFY_OK(made);
        QCOMPARE(made->text, *renderer.render(later, vision));
        later.set(&Profile::torchRepository, TorchRepository{u"https://example.org/r"_s, QString(40, u'e'), {}});
        QVERIFY_ERROR(between(fetched, later, vision), u"hash of the wanted PyTorch recipes is not known");
    }

    /// Another prefix of PyTorch's own name does not change the name of the file from which a companion takes it.
    void aPrefixIsNoFileName()
    {
        const QList<NamedLine> lines = familyLines(*m_catalog);
        const Settings before = std::ranges::find(lines, u"main-sibling"_s, &NamedLine::name)->settings;
        Settings after = before;
        after.set(&Profile::pnamePrefix, u"tx"_s, {{u"pytorch"_s}, {}, {}});
        const Variant vision{u"torchvision"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s};
        const QByteArray text = *RecipeRenderer(m_catalog).render(before, vision);
        const auto made = exchanged(text, *m_catalog, *recipeContext(*m_catalog, before, vision),
                                    *recipeContext(*m_catalog, after, vision));
        QVERIFY_OK(made);
        QVERIFY(text.contains("pytorch-python313-cuda12_8-sm90-avx2.nix"));
        QCOMPARE(made->text.count("pytorch-python313-cuda12_8-sm90-avx2.nix"),
                 text.count("pytorch-python313-cuda12_8-sm90-avx2.nix"));
        QVERIFY(!made->text.contains("tx-python313-cuda12_8-sm90-avx2.nix"));
    }

    /// The number in meta is exchanged where it is written, in any quotes; if it is missing, the exchange is refused.
    void exchangesTheNumberOfTheMeta()
    {
        const Variant variant{u"pytorch"_s, u"python313"_s, {}, u"cpu"_s, u"avx2"_s};
        Settings before = *m_catalog->settings(u"main"_s);
        before.set(&Profile::metadataRev, 1);
        const auto with = [&before](int number) {
            Settings settings = before;
            settings.set(&Profile::metadataRev, number);
            return settings;
        };
        const auto between = [&](const QByteArray &text, const Settings &a, const Settings &b) {
            return exchanged(text, *m_catalog, *recipeContext(*m_catalog, a, variant),
                             *recipeContext(*m_catalog, b, variant));
        };
        const auto recipe = [](const QByteArray &command) {
            return "{ torch }: torch.overrideAttrs (old: {\n  # echo 1 and 1\n  postInstall = (old.postInstall or "
                   "\"\") + "
                   "''\n    " +
                   command + "\n  '';\n})\n";
        };
        for (const QByteArray &command :
             {"echo 1 > $out/.metadata-rev"_ba, "echo \"1\" >$out/.metadata-rev"_ba,
              "echo '1' > \"$out/.metadata-rev\""_ba, "echo 1 > \"$out\"/.metadata-rev"_ba}) {
            const auto made = between(recipe(command), before, with(12));
            QVERIFY_OK(made);
            QCOMPARE(made->text, recipe(QByteArray(command).replace('1', "12")));
            QVERIFY_ERROR(between(recipe(command), before, with(0)), u"1 has no counterpart");
        }
        const QByteArray none = recipe("echo done");
        QVERIFY_ERROR(between(none, with(0), with(2)), u"it writes no .metadata-rev");
        QVERIFY_ERROR(between(recipe("echo $N > $out/.metadata-rev"), before, with(2)), u".metadata-rev");
        // Another form of the GPU's number is not a word either.
        Settings sm = before;
        sm.set(&Profile::notation, ArchNotation::Sm);
        const Variant gpu{u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s};
        QVERIFY_ERROR(exchanged("{ torch }: torch.override { gpuTargets = [ \"9.0\" ]; }\n", *m_catalog,
                                *recipeContext(*m_catalog, before, gpu), *recipeContext(*m_catalog, sm, gpu)),
                      u"its GPU targets are [9.0], not [sm_90]");
    }

    /// A name of the recipe's own that contains the Python goes with it, everywhere. Others are kept, and said.
    void exchangesNamesOfThePython_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("wanted");
        QTest::addColumn<QString>("kept");
        const QByteArray code =
            "{ pkgs, python313Of ? null }:\nlet\n  # python313Custom has torch.\n  python313Custom = "
            "pkgs.python313.override { };\n  my_python313' = python313Custom;\nin\n"
            "python313Custom.pkgs.torch.override { x = \"${my_python313'}\"; }\n";
        const QByteArray other = QByteArray(code)
                                     .replace("python313Custom", "python312Custom")
                                     .replace("python313.", "python312.")
                                     .replace("my_python313'", "my_python312'");
        QTest::newRow("let") << code << other << u"python313Of"_s;
        const QByteArray taken =
            "{ pkgs }:\nlet\n  python313Custom = pkgs.python313.override { };\n  python312Custom = "
            "1;\nin\npython313Custom.pkgs.torch\n";
        QTest::newRow("taken") << taken << QByteArray(taken).replace("python313.", "python312.")
                               << u"python313Custom"_s;
        const QByteArray attribute = "{ pkgs }:\nlet\n  all = { python313Custom = pkgs.python313; };\nin\n"
                                     "all.python313Custom.pkgs.torch\n";
        QTest::newRow("attribute") << attribute << QByteArray(attribute).replace("python313;", "python312;")
                                   << u"python313Custom"_s;
        const QByteArray passed = "{ pkgs }:\nlet\n  python313Custom = pkgs.python313;\nin\n"
                                  "import ./lib/x.nix { inherit python313Custom; }\n";
        QTest::newRow("passed on") << passed << QByteArray(passed).replace("python313;", "python312;")
                                   << u"python313Custom"_s;
        const QByteArray none = "{ pkgs }: pkgs.python313Packages.torch # python313\n";
        QTest::newRow("none") << none << QByteArray(none).replace("python313", "python312") << QString();
    }

    void exchangesNamesOfThePython()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, wanted);
        QFETCH(const QString, kept);
        const Variant from{u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx512"_s};
        Variant to = from;
        to.python = u"python312"_s;
        Settings settings = withPythons(*m_catalog->settings(u"main"_s), {u"python313"_s, u"python312"_s});
        const auto result = made(text, settings, from, to);
        QVERIFY_OK(result);
        QCOMPARE(result->text, wanted);
        QCOMPARE(result->remarks.join(u' ').contains("names"_L1), !kept.isEmpty());
        QVERIFY2(kept.isEmpty() || result->remarks.join(u' ').contains(kept), qPrintable(result->remarks.join(u' ')));
    }

    void exchangesWordsOfTheVariantAlone_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("wanted");
        QTest::newRow("row") << u"SM90 sm90 sm_90 9.0 Hopper"_s << u"SM86 sm86 sm_86 8.6 Ampere"_s;
        QTest::newRow("products") << u"for H100/H200, or other SM90"_s << u"for RTX 3090/RTX 3080, or other SM86"_s;
        QTest::newRow("one product") << u"an H100-class GPU"_s << u"an RTX 3090-class GPU"_s;
        QTest::newRow("another's product among its own") << u"H100, L40S"_s << u"RTX 3090, RTX 3080"_s;
        QTest::newRow("models of products")
            << u"H100 Ti or H200 Super, or other"_s << u"RTX 3090 or RTX 3080, or other"_s;
        QTest::newRow("title") << u"Hopper (H100, H200, GH200)"_s << u"Ampere (RTX 3090, RTX 3080, RTX 3070)"_s;
        QTest::newRow("instructions") << u"AVX-512, avx512 and AVX512"_s << u"AVX2, avx2 and AVX2"_s;
        QTest::newRow("other instructions") << u"AVX-512 BF16, avx512vnni"_s << u"AVX-512 BF16, avx512vnni"_s;
        QTest::newRow("other versions") << u"19.0 9.0.1 2.9.0 v9.00 cuDNN 9.0"_s
                                        << u"19.0 9.0.1 2.9.0 v9.00 cuDNN 9.0"_s;
        QTest::newRow("other rows") << u"for RTX 5090 use sm120"_s << u"for RTX 5090 use sm120"_s;
        QTest::newRow("another variant") << u"pytorch-python313-cuda12_8-sm90-avx2"_s
                                         << u"pytorch-python313-cuda12_8-sm90-avx2"_s;
        QTest::newRow("its torch") << u"pytorch-python313-cuda12_8-sm90-avx512"_s
                                   << u"pytorch-python313-cuda12_8-sm86-avx2"_s;
        QTest::newRow("hardware") << u"- CPU: Intel Skylake-X+ (2017+), AMD Zen 4+ with AVX-512"_s
                                  << u"- CPU: Intel Haswell+ (2013), AMD Excavator+ (2015), Zen with AVX2"_s;
        QTest::newRow("platform") << u"x86_64-linux, x86-64"_s << u"x86_64-linux, x86-64"_s;
        QTest::newRow("within words") << u"h9.0 SM900 Hoppers xavx512 avx512x"_s
                                      << u"h9.0 SM900 Hoppers xavx512 avx512x"_s;
    }

    void exchangesWordsOfTheVariantAlone()
    {
        QFETCH(QString, words);
        QFETCH(QString, wanted);
        const Variant from{u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx512"_s};
        Variant to = from;
        to.row = u"sm86"_s;
        to.isa = u"avx2"_s;
        const QByteArray code = "{ torch }: torch\n# ";
        const auto result = made(code + words.toUtf8() + '\n', *m_catalog->settings(u"main"_s), from, to);
        QVERIFY_OK(result);
        QCOMPARE(QString::fromUtf8(result->text), QString::fromUtf8(code) + wanted + u'\n');
    }

    /// The options keep their comments and the column if there is room.
    void laysOutFlagsAsTheyAre()
    {
        const Variant from{u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s};
        Variant to = from;
        to.isa = u"avx512"_s;
        const QByteArray start = "{ lib, torch }:\nlet\n  flags = [\n";
        const QByteArray end = "  ];\nin\ntorch.overrideAttrs (old: {\n  preConfigure = ''\n"
                               "    export CXXFLAGS=\"${lib.concatStringsSep \" \" flags} $CXXFLAGS\"\n  '';\n})\n";
        const auto result =
            made(start +
                     "    \"-mavx2\"      # own words\n    \"-mfma\"       # fused\n    \"-mf16c\"      # half\n"
                     "    \"-O3\"\n" +
                     end,
                 *m_catalog->settings(u"main"_s), from, to);
        QVERIFY_OK(result);
        QCOMPARE(QString::fromUtf8(result->text),
                 QString::fromUtf8(start +
                                   "    \"-mavx512f\"   # foundation, 512-bit vectors\n"
                                   "    \"-mavx512dq\"  # doubleword and quadword instructions\n"
                                   "    \"-mavx512vl\"  # the same on 128 and 256 bits\n"
                                   "    \"-mavx512bw\"  # byte and word instructions\n"
                                   "    \"-mfma\"       # fused\n    \"-O3\"\n" +
                                   end));
    }

    /// A list with further platforms stays if the wanted one is in it.
    void keepsPlatformsOfSeveral()
    {
        const Variant from{u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s};
        Variant to = from;
        to.isa = u"armv9"_s;
        for (const QByteArray &platforms : {"[ \"x86_64-linux\" \"aarch64-linux\" ]"_ba,
                                            "old.meta.platforms or [ \"x86_64-linux\" \"aarch64-linux\" ]"_ba}) {
            const QByteArray text =
                "{ torch }:\ntorch.overrideAttrs (old: {\n  meta = old.meta // { platforms = " + platforms +
                "; };\n})\n";
            const auto result = made(text, *m_catalog->settings(u"main"_s), from, to);
            QVERIFY_OK(result);
            QCOMPARE(result->text, text);
        }
    }

    void saysWhatSendsTheReaderToTheWantedVariant()
    {
        const Variant from{u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx512"_s};
        Variant to = from;
        to.row = u"sm120"_s;
        const auto result =
            made("{ torch }: torch\n# For RTX 5090 use sm120.\n", *m_catalog->settings(u"main"_s), from, to);
        QVERIFY_OK(result);
        QCOMPARE(result->remarks.size(), 1);
        QVERIFY2(result->remarks.constFirst().contains("RTX 5090, sm120 (line 2)"_L1),
                 qPrintable(result->remarks.constFirst()));
    }

    /// The first PyTorch version for a GPU is stated for that GPU only: for another one only if the catalog has the
    /// same.
    void leavesOutWhatNobodyKnows_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("row");
        QTest::addColumn<QByteArray>("wanted");
        QTest::newRow("known") << "SM120 (Blackwell) support was added in PyTorch 2.7\n"_ba << u"sm100"_s
                               << "SM100 (Blackwell datacenter) support was added in PyTorch 2.7\n"_ba;
        QTest::newRow("not known") << "SM120 (Blackwell) support was added in PyTorch 2.7\n"_ba << u"sm121"_s << ""_ba;
        QTest::newRow("another version") << "# sm120 needs PyTorch 2.6\n"_ba << u"sm100"_s << ""_ba;
        QTest::newRow("of something else") << "Needs PyTorch 2.7\n"_ba << u"sm121"_s << "Needs PyTorch 2.7\n"_ba;
        QTest::newRow("brief") << "(SM120, Blackwell)\n"_ba << u"sm103"_s << "(SM103, Blackwell Ultra)\n"_ba;
    }
    void leavesOutWhatNobodyKnows()
    {
        QFETCH(const QByteArray, line);
        QFETCH(const QString, row);
        QFETCH(const QByteArray, wanted);
        const Variant from{u"pytorch"_s, u"python313"_s, u"13.0"_s, u"sm120"_s, u"armv9"_s};
        Variant to = from;
        to.row = row;
        const auto text = [](const QByteArray &words) {
            return "{ torch }: torch.overrideAttrs (old: {\n  longDescription = ''\n    A\n\n    " + words +
                   "\n    B\n  '';\n})\n";
        };
        const auto result = made(text(line), *m_catalog->settings(u"cuda-13_0"_s), from, to);
        QVERIFY_OK(result);
        QByteArray expected = text(wanted.isEmpty() ? "X\n"_ba : wanted);
        if (wanted.isEmpty()) // and one of the blank lines around it
            expected.replace("    X\n\n", "");
        QCOMPARE(result->text, expected);
        QCOMPARE(result->remarks.isEmpty(), !wanted.isEmpty());
    }
    /// "Blackwell DC" is the generation of sm100, as "Blackwell datacenter" is.
    void knowsTheBriefGeneration()
    {
        const Variant from{u"pytorch"_s, u"python313"_s, u"13.0"_s, u"sm100"_s, u"avx2"_s};
        Variant to = from;
        to.row = u"sm103"_s;
        const auto result =
            made("{ torch }: torch\n# (SM100, Blackwell DC)\n", *m_catalog->settings(u"cuda-13_0"_s), from, to);
        QVERIFY_OK(result);
        QCOMPARE(result->text, "{ torch }: torch\n# (SM103, Blackwell Ultra)\n"_ba);
    }

    void refusesWhatItCannotExchange_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("row");
        QTest::addColumn<QString>("isa");
        QTest::addColumn<QString>("why");
        const QByteArray start = "{ pkgs }:\n(pkgs.python313Packages.torch.override {\n";
        const QByteArray targets = "  gpuTargets = [ \"9.0\" ];\n}).overrideAttrs (old: {\n";
        QTest::newRow("no Nix") << QByteArray("{ torch }: torch {") << u"sm86"_s << u"avx2"_s << u"line 1"_s;
        QTest::newRow("targets of several GPUs")
            << start + "  gpuTargets = [ \"9.0\" \"8.9\" ];\n}).overrideAttrs (old: { })\n"
            << u"sm86"_s << u"avx512"_s << u"line 3: its GPU targets are [9.0 8.9]"_s;
        QTest::newRow("another row's target") << start + "  gpuTargets = [ \"8.9\" ];\n}).overrideAttrs (old: { })\n"
                                              << u"sm86"_s << u"avx512"_s << u"line 3"_s;
        QTest::newRow("platforms of its own")
            << start + targets + "  meta = old.meta // { platforms = [ \"riscv64-linux\" ]; };\n})\n"
            << u"sm90"_s << u"armv9"_s << u"line 5: platforms"_s;
        QTest::newRow("pname of its own") << start + targets + "  pname = \"torch\";\n})\n"
                                          << u"sm90"_s << u"avx2"_s << u"line 5: pname"_s;
        QTest::newRow("flags that are not written out")
            << start + targets +
                   "  preConfigure = ''\n    export CXXFLAGS=\"-mavx512f ${old.x} $CXXFLAGS\"\n  '';\n})\n"
            << u"sm90"_s << u"avx"_s << u"AVX2"_s;
        QTest::newRow("cuDNN") << start + targets + "})\n" << u"sm61"_s << u"avx512"_s << u"cuDNN"_s;
    }

    void refusesWhatItCannotExchange()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, row);
        QFETCH(QString, isa);
        QFETCH(QString, why);
        const Variant from{u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx512"_s};
        Variant to = from;
        to.row = row;
        to.isa = isa;
        QVERIFY_ERROR(made(text, *m_catalog->settings(u"main"_s), from, to), why);
    }
};

TM_TEST(FactExchangeTest, QCoreApplication)
#include "tst_factexchange.moc"
