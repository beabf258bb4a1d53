// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
//
// What the audit says is so: "missing" only where everything on the way was read; a toolkit that does not know the GPU,
// over all rows and toolkits; and mistakes that were reported in public, each in several forms.
#include "tests/support/AuditedText.h"
#include "tests/support/TestMain.h"

#include "model/audit/Fix.h"

#include <QCoreApplication>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

/// What a recipe is composed of.
struct Parts {
    QByteArray config = "allowUnfree = true; cudaSupport = true;";
    QByteArray overlays = "[ (final: prev: { cudaPackages = final.cudaPackages_12_9; }) ]";
    QByteArray arguments = "cudaSupport = true; gpuTargets = [ \"9.0\" ];";
    QByteArray attributes = R"(pname = "NAME";
  preConfigure = (old.preConfigure or "") + ''
    export CXXFLAGS="-mavx2 -mfma -mf16c $CXXFLAGS"
    export CFLAGS="-mavx2 -mfma -mf16c $CFLAGS"
  '';
  meta = old.meta // { platforms = [ "x86_64-linux" ]; };)";
    QByteArray base = "pinned.python313Packages.torch";
    QByteArray let;
};

QByteArray recipe(const Parts &parts, const QString &name)
{
    const QByteArray text =
        "{ pkgs ? import <nixpkgs> { } }:\nlet\n  pinned = import (builtins.fetchTarball {\n    url = "
        "\"https://github.com/NixOS/nixpkgs/archive/6a030d535719c5190187c4cec156f335e95e3211.tar.gz\";\n"
        "  }) {\n    config = { " +
        parts.config + " };\n    overlays = " + parts.overlays + ";\n  };\n" + parts.let + "in\n(" + parts.base +
        ".override { " + parts.arguments + " }).overrideAttrs (old: {\n  " + parts.attributes + "\n})\n";
    return QByteArray(text).replace("NAME", name.toUtf8());
}

/// The catalog with a family that is no torch.
const Catalog &widerCatalog()
{
    static const Catalog catalog = [] {
        Catalog wider = *builtInCatalog();
        Family family;
        family.id = u"fastmath"_s;
        family.title = u"Fast Math"_s;
        family.attribute = u"fastmath"_s;
        wider.families.append(family);
        family.id = u"llmserver"_s;
        family.title = u"LLM Server"_s;
        family.attribute = u"llmserver"_s;
        family.companion = true;
        wider.families.append(family);
        return wider;
    }();
    return catalog;
}

/// The audit without what the settings of a branch add: nothing is known of its pin or its versions.
Judgement judged(const QString &name, const QByteArray &text)
{
    static const Settings settings = [] {
        Settings any;
        any.branch = u"any"_s;
        return any;
    }();
    AuditInput input;
    input.catalog = &widerCatalog();
    input.settings = &settings;
    input.variant = VariantName::parse(name, widerCatalog().isaIds())->variant;
    input.file = recipePath(name);
    input.text = text;
    return audit(input);
}

const Finding *of(const Judgement &judgement, const QString &rule)
{
    const auto found = std::ranges::find(judgement.findings, rule, &Finding::rule);
    return found == judgement.findings.cend() ? nullptr : &*found;
}

/// First and last toolkit of each row: NVIDIA's release notes, as in the table of rows and toolkits.
struct Known {
    const char *row;
    const char *capability;
    const char *first;
    const char *last;
};
constexpr Known knownRows[] = {
    {"sm61", "6.1", "8.0", "12.9"}, {"sm70", "7.0", "9.0", "12.9"}, {"sm75", "7.5", "10.0", ""},
    {"sm80", "8.0", "11.0", ""},    {"sm86", "8.6", "11.1", ""},    {"sm87", "8.7", "11.4", ""},
    {"sm89", "8.9", "11.8", ""},    {"sm90", "9.0", "11.8", ""},    {"sm100", "10.0", "12.8", ""},
    {"sm103", "10.3", "12.9", ""},  {"sm110", "11.0", "13.0", ""},  {"sm120", "12.0", "12.8", ""},
    {"sm121", "12.1", "12.9", ""}};

const QString torchName = u"pytorch-python313-cuda12_9-sm90-avx2"_s;

/// A wrapper around a library that the file builds too.
QByteArray bindings(const QByteArray &flags, const QByteArray &architectures)
{
    const QByteArray text = R"({ pkgs ? import <nixpkgs> { } }:
let
  pinned = import (builtins.fetchTarball {
    url = "https://github.com/NixOS/nixpkgs/archive/6a030d535719c5190187c4cec156f335e95e3211.tar.gz";
  }) {
    config = { allowUnfree = true; cudaSupport = true; };
    overlays = [ (final: prev: { cudaPackages = final.cudaPackages_12_9; }) ];
  };
  inherit (pinned) lib;
  arch = "ARCHITECTURES";
  flags = [ FLAGS ];
  native = (pinned.fastmath.override { cudaSupport = true; }).overrideAttrs (prev: {
    cmakeFlags =
      builtins.filter (f: !(lib.hasPrefix "-DCMAKE_CUDA_ARCHITECTURES" (toString f))) (prev.cmakeFlags or [ ])
      ++ [ (lib.cmakeFeature "CMAKE_CUDA_ARCHITECTURES" arch) (lib.cmakeBool "USE_X" true) ];
    preConfigure = (prev.preConfigure or "") + ''
      export CXXFLAGS="${lib.concatStringsSep " " flags} $CXXFLAGS"
      export CFLAGS="${lib.concatStringsSep " " flags} $CFLAGS"
    '';
  });
in
(pinned.python313Packages.fastmath.override { fastmath = native; }).overrideAttrs (prev: {
  pname = "fastmath-python313-cuda12_9-sm90-avx2";
  meta = prev.meta // { platforms = [ "x86_64-linux" ]; };
})
)";
    return QByteArray(text).replace("\"ARCHITECTURES\"", '"' + architectures + '"').replace("FLAGS ]", flags + " ]");
}

const QByteArray avx2 = "\"-mavx2\" \"-mfma\" \"-mf16c\"";
const QString bindingsName = u"fastmath-python313-cuda12_9-sm90-avx2"_s;

/// A nixpkgs that is fetched, with these settings.
QByteArray pinnedWith(const QByteArray &settings)
{
    return "{ pkgs ? import <nixpkgs> { } }:\n(import (fetchTarball { url = "
           "\"https://github.com/NixOS/nixpkgs/archive/6a030d535719c5190187c4cec156f335e95e3211.tar.gz\"; }) { " +
           settings + " })";
}

/// A package of a Python set whose torch another file makes.
QByteArray serverRecipe()
{
    return "{ pkgs ? import <nixpkgs> { } }:\n"
           "let\n"
           "  pinned = import (builtins.fetchTarball {\n"
           "    url = \"https://github.com/NixOS/nixpkgs/archive/6a030d535719c5190187c4cec156f335e95e3211.tar.gz\";\n"
           "  }) {\n"
           "    config = { allowUnfree = true; cudaSupport = true; cudaCapabilities = [ \"9.0\" ]; };\n"
           "    overlays = [ (final: prev: { cudaPackages = final.cudaPackages_12_9; }) ];\n"
           "  };\n"
           "  python = pinned.python313.override {\n"
           "    packageOverrides = self: super: {\n"
           "      torch = import ./lib/torch.nix { base = super.torch; };\n"
           "      other = super.other.overrideAttrs (old: { });\n"
           "    };\n"
           "  };\n"
           "in\n"
           "python.pkgs.llmserver.overrideAttrs (old: {\n"
           "  pname = \"llmserver-python313-cuda12_9-sm90-avx2\";\n"
           "  meta = old.meta // { platforms = [ \"x86_64-linux\" ]; };\n"
           "})\n";
}

} // namespace

class AuditTruthTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void rowsAndToolkits_data()
    {
        QTest::addColumn<QString>("family");
        for (const char *family : {"pytorch", "torchvision", "fastmath"})
            QTest::newRow(family) << QString::fromLatin1(family);
    }
    // Every row with every toolkit, where name and recipe agree and where the recipe selects another one.
    void rowsAndToolkits()
    {
        QFETCH(const QString, family);
        int wrong = 0;
        for (const Known &known : knownRows) {
            for (const Toolkit &named : widerCatalog().toolkits) {
                for (const Toolkit &selected : widerCatalog().toolkits) {
                    const bool arm =
                        !widerCatalog().row(QString::fromLatin1(known.row))->platforms.contains("x86_64-linux"_L1);
                    const QString name = u"%1-python313-cuda%2-%3-%4"_s.arg(
                        family, QString(named.version).replace(u'.', u'_'), QString::fromLatin1(known.row),
                        arm ? u"armv9"_s : u"avx2"_s);
                    Parts parts;
                    parts.base = "pinned.python313Packages." + widerCatalog().family(family)->attribute.toUtf8();
                    parts.overlays = "[ (final: prev: { cudaPackages = final." + selected.attribute.toUtf8() + "; }) ]";
                    parts.arguments.replace("9.0", known.capability);
                    const bool knows =
                        compareVersions(selected.version, QString::fromLatin1(known.first)) >= 0 &&
                        (!*known.last || compareVersions(selected.version, QString::fromLatin1(known.last)) <= 0);
                    const Judgement judgement = judged(name, recipe(parts, name));
                    const Finding *finding = of(judgement, u"toolkit-lacks-gpu"_s);
                    QVERIFY2(bool(finding) != knows, qPrintable(name + u' ' + selected.version));
                    if (!finding)
                        continue;
                    ++wrong;
                    QCOMPARE(toString(finding->severity), u"error"_s);
                    // It names the last toolkit, or the first.
                    QVERIFY2(finding->sentence.contains(QString::fromLatin1(
                                 *known.last && compareVersions(selected.version, QString::fromLatin1(known.last)) > 0
                                     ? known.last
                                     : known.first)),
                             qPrintable(finding->sentence));
                    QCOMPARE(finding->line > 0, named.version != selected.version);
                    QVERIFY(named.version != selected.version || !of(judgement, u"cell-invalid"_s));
                }
            }
        }
        QVERIFY(wrong > 0);
    }

    void reported_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("rule"); ///< with a "-" in front: it must not be there
        const auto row = [](const char *title, const QString &name, const Parts &parts, const QString &rule) {
            QTest::newRow(title) << name << recipe(parts, name) << rule;
        };
        const auto torch = [](auto change) {
            Parts parts;
            change(parts);
            return parts;
        };
        const QString vision = u"torchvision-python313-cuda12_9-sm90-avx2"_s;
        const QString server = u"llmserver-python313-cuda12_9-sm90-avx2"_s;
        // A toolkit for torch alone.
        const QString partial = u"toolkit-partial"_s;
        row("toolkit as argument", torchName, torch([](Parts &p) {
                p.overlays = "[ ]";
                p.arguments += " cudaPackages = pinned.cudaPackages_12_9;";
            }),
            partial);
        row("toolkit as argument, by a let", torchName, torch([](Parts &p) {
                p.overlays = "[ ]";
                p.let = "  inherit (pinned) cudaPackages_12_9;\n";
                p.arguments += " cudaPackages = cudaPackages_12_9;";
            }),
            partial);
        row("toolkit as argument of a function", torchName, torch([](Parts &p) {
                p.overlays = "[ ]";
                p.base = "(pinned.python313Packages.torch.override (o: { cudaPackages = pinned.cudaPackages_12_9; }))";
            }),
            partial);
        row("toolkit by overlay and argument", torchName,
            torch([](Parts &p) { p.arguments += " cudaPackages = pinned.cudaPackages_12_9;"; }), u'-' + partial);
        const auto companion = [](const char *attribute, const QByteArray &torchArguments) {
            Parts parts;
            parts.base = QByteArray("pinned.python313Packages.") + attribute;
            parts.let = "  torch = pinned.python313Packages.torch.override { " + torchArguments + " };\n";
            parts.arguments = "inherit torch;";
            return parts;
        };
        const QString alone = u"toolkit-of-torch-alone"_s;
        for (const QByteArray &toolkit :
             {QByteArray("pinned.cudaPackages_12_9"), QByteArray("pinned.cudaPackages_13_0"),
              QByteArray("pinned.cudaPackages_12_9.overrideScope (f: p: { })")}) {
            Parts parts = companion("torchvision", "cudaSupport = true; cudaPackages = " + toolkit + ';');
            const QByteArray title = "torch alone: " + toolkit;
            parts.overlays = "[ ]";
            row(title.constData(), vision, parts, alone);
        }
        row("torch alone, and an overlay", vision,
            companion("torchvision", "cudaSupport = true; cudaPackages = pinned.cudaPackages_12_9;"), u'-' + alone);
        // CUDA over a torch without.
        const QString over = u"companion-torch-without-cuda"_s;
        for (const char *config : {"allowUnfree = true;", "allowUnfree = true; cudaSupport = false;", ""}) {
            Parts parts;
            parts.base = "pinned.python313Packages.llmserver";
            parts.config = config;
            const QByteArray title = QByteArray("CUDA over none: ") + config;
            row(title.constData(), server, parts, over);
        }
        Parts withCuda;
        withCuda.base = "pinned.python313Packages.llmserver";
        row("CUDA for both", server, withCuda, u'-' + over);
        withCuda.config = "cudaSupport = pkgs.config.cudaSupport;";
        row("CUDA as the caller has it", server, withCuda, u'-' + over);
        // Families that are not declared.
        for (const char *package : {"vllm", "xformers", "torchcodec"}) {
            Parts parts;
            parts.base = QByteArray("pinned.python313Packages.") + package;
            const QString name = QString::fromLatin1(package) + u"-python313-cuda12_9-sm90-avx2"_s;
            row((QByteArray(package) + ", CUDA for both").constData(), name, parts, u'-' + over);
            parts.config = "allowUnfree = true;";
            row((QByteArray(package) + ", CUDA over none").constData(), name, parts, over);
        }
        // Suffixes.
        const auto target = [&](const char *title, const char *sm, const char *toolkit, const char *value,
                                const QString &rule) {
            const QString name =
                u"pytorch-python313-cuda%1-%2-avx2"_s.arg(QString::fromLatin1(toolkit), QString::fromLatin1(sm));
            row(title, name, torch([&](Parts &p) {
                    p.overlays.replace("12_9", toolkit);
                    p.arguments.replace("9.0", value);
                }),
                rule);
        };
        const QString specific = u"gpu-targets-specific"_s;
        const QString suffix = u"gpu-targets-suffix"_s;
        target("9.0a", "sm90", "12_8", "9.0a", specific);
        target("9.0a is no extra target", "sm90", "12_8", "9.0a", u"-gpu-targets-extra"_s);
        target("10.0a", "sm100", "12_8", "10.0a", specific);
        target("12.0f", "sm120", "12_8", "12.0f", suffix);
        target("10.0f", "sm100", "12_8", "10.0f", suffix);
        target("12.0f and 12.9", "sm120", "12_9", "12.0f", specific);
        target("12.0f and 12.9 is known", "sm120", "12_9", "12.0f", u'-' + suffix);
        target("10.0f and 13.0", "sm100", "13_0", "10.0f", u'-' + suffix);
        target("9.0f", "sm90", "13_0", "9.0f", suffix);
        target("8.0a", "sm80", "12_9", "8.0a", suffix);
        target("9.0", "sm90", "12_8", "9.0", u'-' + specific);
        // Caps of jobs.
        const QString fixed = u"parallelism-fixed"_s;
        for (const char *cap : {"NIX_BUILD_CORES = 16;", "NIX_BUILD_CORES = \"16\";", "env.NIX_BUILD_CORES = 16;",
                                "preBuild = \"export MAX_JOBS=4\";", "postPatch = \"export NIX_BUILD_CORES=4\";"}) {
            row(cap, torchName, torch([&](Parts &p) { p.attributes += cap; }), fixed);
        }
        for (const char *cap :
             {"preConfigure = \"export MAX_JOBS=4\";", "preBuild = \"export MAX_JOBS=$NIX_BUILD_CORES\";"})
            row(cap, torchName, torch([&](Parts &p) { p.attributes = cap; }), u'-' + fixed);
        // What an overlay makes of the package, below what the recipe changes.
        const auto below = [&](const char *title, const QByteArray &target, const QByteArray &flags,
                               const QString &rule) {
            row(title, torchName, torch([&](Parts &p) {
                    p.overlays.chop(1);
                    p.overlays +=
                        "(final: prev: { pythonPackagesExtensions = prev.pythonPackagesExtensions ++ [ (pf: "
                        "pp: { torch = (pp.torch.override { gpuTargets = [ \"" +
                        target +
                        "\" ]; }).overrideAttrs (o: { preConfigure = (o.preConfigure or \"\") + ''\n    export "
                        "CXXFLAGS=\"" +
                        flags + " $CXXFLAGS\"\n    export CFLAGS=\"" + flags + " $CFLAGS\"\n  ''; }); }) ]; }) ]";
                    p.arguments = "cudaSupport = true;";
                    p.attributes = "pname = \"NAME\"; meta = old.meta // { platforms = [ \"x86_64-linux\" ]; };";
                }),
                rule);
        };
        const QByteArray ofName = "-mavx2 -mfma -mf16c";
        for (const char *rule : {"-gpu-targets-missing", "-gpu-targets-other", "-cpu-flags-missing"})
            below(rule, "9.0", ofName, QString::fromLatin1(rule));
        below("another target below", "8.0", ofName, u"gpu-targets-other"_s);
        below("other flags below", "9.0", "-mavx512f", u"cpu-flags-other"_s);
        row("an option that is not known", torchName, torch([](Parts &p) {
                p.attributes = "pname = \"NAME\"; env.NIX_CFLAGS_COMPILE = "
                               "\"-march=${pinned.stdenv.hostPlatform.gcc.arch}\";";
            }),
            u"-cpu-flags-other"_s);
        row("old phase with other words", torchName, torch([](Parts &p) {
                p.attributes += "postPatch = builtins.replaceStrings [ \"a\" ] [ \"b\" ] (old.postPatch or \"\");";
            }),
            u"-not-understood"_s);
        // Attributes that a table has too, with computed texts.
        for (const char *attributes : {"meta = old.meta // { license = 1; }", "requiredSystemFeatures = [ ]"}) {
            for (const char *rule : {"-pname-other", "-cpu-flags-missing", "-not-understood"})
                row((QByteArray(attributes) + rule).constData(), torchName, torch([attributes](Parts &p) {
                        p.attributes =
                            QByteArray("} // pinned.lib.recursiveUpdate { meta.platforms = [ \"x86_64-linux\" "
                                       "]; } { pname = pinned.lib.concatStringsSep \"-\" [ \"pytorch\" "
                                       "\"python313-cuda12_9-sm90-avx2\" ]; preConfigure = (old.preConfigure or "
                                       "\"\") + pinned.lib.concatMapStrings (n: \"export ${n}='-mavx2 -mfma "
                                       "-mf16c'\\n\") [ \"CXXFLAGS\" \"CFLAGS\" ]; ") +
                            attributes + "; } // {";
                    }),
                    QString::fromLatin1(rule));
        }
        // An overlay of another Python changes nothing that the recipe takes.
        for (const auto &[names, rule] : {std::pair(QByteArrayList{"python312"}, u"torch-overlay-dead"_s),
                                          {QByteArrayList{"python312Packages"}, u"torch-overlay-dead"_s},
                                          {QByteArrayList{"python312", "python313"}, u"-torch-overlay-dead"_s},
                                          {QByteArrayList{"python3"}, u"-torch-overlay-dead"_s}}) {
            row((names.join('+') + " alone").constData(), torchName, torch([&names](Parts &p) {
                    p.overlays.chop(1);
                    for (const QByteArray &name : names)
                        p.overlays += "(final: prev: { " + name + " = prev." + name + ".override { " +
                                      (name.endsWith("Packages") ? "overrides" : "packageOverrides") +
                                      " = a: b: { numpy = b.numpy.overrideAttrs { doCheck = false; }; }; }; })";
                    p.overlays += ']';
                }),
                rule);
        }
        // Other packages that the recipe changes for itself.
        const auto beside = [&](const char *title, const QByteArray &change, const QString &rule) {
            row(title, torchName, torch([&](Parts &p) {
                    p.overlays.chop(1);
                    p.overlays += "(final: prev: { gizmo = prev.gizmo." + change + "; }) ]";
                }),
                rule);
        };
        const QString otherTarget = u"gpu-targets-other"_s;
        beside("its own switch", "overrideAttrs (o: { cmakeFlags = [ \"-DCOMPUTE_CAPABILITY=75\" ]; })", otherTarget);
        beside("its own switch, right", "overrideAttrs (o: { cmakeFlags = [ \"-DCOMPUTE_CAPABILITY=90\" ]; })",
               u'-' + otherTarget);
        beside("its list", "overrideAttrs (o: { preBuild = \"export TORCH_CUDA_ARCH_LIST=8.0\"; })", otherTarget);
        beside("its list, right", "overrideAttrs (o: { preBuild = \"export TORCH_CUDA_ARCH_LIST=9.0\"; })",
               u'-' + otherTarget);
        beside("its targets", "override { gpuTargets = [ \"10.0\" ]; }", otherTarget);
        beside("its architectures", "overrideAttrs (o: { cmakeFlags = [ \"-DCMAKE_CUDA_ARCHITECTURES=80\" ]; })",
               u"cmake-architectures-other"_s);
        beside("its flags", "overrideAttrs (o: { env.CXXFLAGS = \"-mavx512f\"; })", u"cpu-flags-other"_s);
        beside("a part of the flags", "overrideAttrs (o: { env.CXXFLAGS = \"-mavx2\"; })", u"cpu-flags-missing"_s);
        beside("no flags", "overrideAttrs (o: { doCheck = false; })", u"-cpu-flags-missing"_s);
        // The torch inside a package.
        for (const auto &[set, rule] :
             {std::pair("python312Packages", u"python-other"_s), {"python313Packages", u"-python-other"_s}}) {
            Parts parts;
            parts.base = "pinned.python313Packages.vllm";
            parts.arguments = QByteArray("torch = pinned.") + set + ".torch.override { cudaSupport = true; };";
            row((QByteArray("torch of ") + set).constData(), u"vllm-python313-cuda12_9-sm90-avx2"_s, parts, rule);
        }
        for (const auto &[tag, rule] :
             {std::pair("cuda12_8", u"pname-of-another"_s), {"cuda12_9", u"-pname-of-another"_s}}) {
            Parts parts;
            parts.base = "pinned.python313Packages.vllm";
            parts.arguments =
                QByteArray("torch = pinned.python313Packages.torch.overrideAttrs (o: { pname = \"torch-") + tag +
                "\"; });";
            row((QByteArray("torch called ") + tag).constData(), u"vllm-python313-cuda12_9-sm90-avx2"_s, parts, rule);
        }
        const QString unused = u"gpu-targets-unused"_s;
        for (const char *begin : {"(old.preConfigure or \"\") + ", "old.preConfigure + "})
            row(begin, torchName,
                torch([&](Parts &p) { p.attributes.replace("(old.preConfigure or \"\") + ", begin); }), u'-' + unused);
        row("preConfigure behind", torchName, torch([](Parts &p) {
                p.attributes.replace("(old.preConfigure or \"\") + ", "")
                    .replace("  '';", "  '' + (old.preConfigure or \"\");");
            }),
            u'-' + unused);
        row("preConfigure within", torchName, torch([](Parts &p) {
                p.attributes.replace("(old.preConfigure or \"\") + ''", "''\n    ${old.preConfigure}");
            }),
            u'-' + unused);
        row("preConfigure replaced", torchName,
            torch([](Parts &p) { p.attributes.replace("(old.preConfigure or \"\") + ", ""); }), unused);
        row("preConfigure with the list", torchName, torch([](Parts &p) {
                p.attributes.replace("(old.preConfigure or \"\") + ''", "''\n    export TORCH_CUDA_ARCH_LIST=\"9.0\"");
            }),
            u'-' + unused);
        const QString misspelt = u"attribute-misspelt"_s;
        row("misspelt phase", torchName,
            torch([](Parts &p) { p.attributes.replace("old.preConfigure", "old.preConfigur"); }), misspelt);
        row("misspelt attribute", torchName,
            torch([](Parts &p) { p.attributes += "requiredSystemFeature = [ \"big-parallel\" ];"; }), misspelt);
        for (const char *attribute : {"requiredSystemFeatures = [ \"big-parallel\" ];", "cmakeFlags = [ ];",
                                      "bazelFlags = [ ];", "prePatch = \"true\";"})
            row(attribute, torchName, torch([&](Parts &p) { p.attributes += attribute; }), u'-' + misspelt);
        // A companion has no BLAS.
        const QByteArray shared = " passthru = { gpuArch = \"9.0\"; cpuISA = \"avx2\"; };";
        Parts facts;
        facts.base = "pinned.python313Packages.torchvision";
        facts.attributes += shared;
        row("what tools read of a companion", vision, facts, u"-passthru-missing"_s);
        row("what tools read of torch", torchName, torch([&](Parts &p) { p.attributes += shared; }),
            u"passthru-missing"_s);
        // Releases that go together.
        const auto pairing = [&](const char *title, const char *own, const char *file, const QString &rule) {
            Parts parts;
            parts.base = "pinned.python313Packages.torchvision";
            parts.arguments = QByteArray("torch = import ./pytorch") + file + "-python313-cuda12_9-sm90-avx2.nix { };";
            parts.attributes += QByteArray(" version = \"") + own + "\";";
            row(title, vision, parts, rule);
        };
        const QString release = u"companion-torch-version"_s;
        pairing("0.26 and 2.11", "0.26.0", "211", u'-' + release);
        pairing("0.26 and 2.10", "0.26.0", "210", release);
        pairing("0.25 and 2.11", "0.25.0", "211", release);
        pairing("0.24 and 2.9", "0.24.1", "29", u'-' + release);
        pairing("a release nobody knows", "0.99.0", "211", release);
        pairing("two releases nobody knows", "0.99.0", "299", u'-' + release);
        pairing("torch without a version", "0.26.0", "", u'-' + release);
        const QString noEffect = u"parallelism-no-effect"_s;
        row("no cap that works", torchName,
            torch([&](Parts &p) { p.attributes = "ninjaFlags = [ \"-j4\" ]; preConfigure = \"export MAX_JOBS=4\";"; }),
            noEffect);
        row("one of two works", torchName,
            torch([&](Parts &p) { p.attributes += "ninjaFlags = [ \"-j4\" ]; NIX_BUILD_CORES = 4;"; }),
            u'-' + noEffect);
        // Flags for the shell alone.
        const QString lost = u"variable-not-exported"_s;
        row("no export", torchName, torch([](Parts &p) { p.attributes.replace("export CXXFLAGS", "CXXFLAGS"); }), lost);
        row("export before", torchName,
            torch([](Parts &p) { p.attributes.replace("    export CXXFLAGS", "    export CXXFLAGS\n    CXXFLAGS"); }),
            u'-' + lost);
        row("export behind", torchName, torch([](Parts &p) {
                p.attributes.replace("export CXXFLAGS", "CXXFLAGS").replace("  '';", "    export CXXFLAGS\n  '';");
            }),
            u'-' + lost);
        row("of the environment", torchName, torch([](Parts &p) {
                p.attributes.replace("export CXXFLAGS", "CXXFLAGS");
                p.attributes += "env.CXXFLAGS = \"-O2\";";
            }),
            u'-' + lost);
        // Names that are nearly right.
        row("misspelt capabilities", torchName, torch([](Parts &p) { p.config += " cudaCapability = [ \"9.0\" ];"; }),
            u"argument-unknown"_s);
        for (const auto &[flag, rule] : {std::pair("CMAKE_CUDA_ARCHITECTURE=90", u"argument-unknown"_s),
                                         {"CMAKE_HIP_ARCHITECTURES=gfx942", u"-argument-unknown"_s},
                                         {"CMAKE_CUDA_ARCHITECTURES=90-virtual", u"cmake-architectures-other"_s},
                                         {"CMAKE_CUDA_ARCHITECTURES=90-real", u"-cmake-architectures-other"_s},
                                         {"CMAKE_CUDA_ARCHITECTURES=80;90", u"cmake-architectures-other"_s}})
            row(flag, torchName,
                torch([&](Parts &p) { p.attributes += QByteArray("cmakeFlags = [ \"-D") + flag + "\" ];"; }), rule);
        // AMD GPUs.
        const QString amd = u"pytorch-python313-rocm6_4-gfx942-avx2"_s;
        for (const auto &[arguments, rule] : {std::pair("rocmSupport = true; gpuTargets = [ \"gfx942\" ];", u"-"_s),
                                              {"rocmSupport = true; gpuTargets = [ \"gfx942:xnack+\" ];", u"-"_s},
                                              {"rocmSupport = true; gpuTargets = [ \"gfx90a\" ];", QString()},
                                              {"rocmSupport = false; gpuTargets = [ \"gfx942\" ];", QString()}})
            row(arguments, amd, torch([&](Parts &p) { p.arguments = arguments; }), rule + u"gpu-targets-other"_s);
        row("variable for AMD", amd, torch([](Parts &p) {
                p.arguments = "rocmSupport = true;";
                p.attributes += "PYTORCH_ROCM_ARCH = \"gfx1100\";";
            }),
            u"gpu-targets-other"_s);
        row("no cuDNN", torchName,
            torch([](Parts &p) { p.attributes.replace("    export CXX", "    export USE_CUDNN=0\n    export CXX"); }),
            u"cudnn-unsupported"_s);
        row("CUDA and ROCm", torchName, torch([](Parts &p) { p.arguments += " rocmSupport = true;"; }),
            u"cuda-support-other"_s);
        // The flags that a phase takes away again.
        const QString flagless = u"cpu-flags-missing"_s;
        for (const char *variable : {"CXXFLAGS", "CFLAGS CXXFLAGS"})
            row(variable, torchName, torch([&](Parts &p) {
                    p.attributes.replace("  '';", QByteArray("    unset ") + variable + "\n  '';");
                }),
                flagless);
        row("unset before", torchName,
            torch([](Parts &p) { p.attributes.replace("    export CXX", "    unset CXXFLAGS\n    export CXX"); }),
            u'-' + flagless);
        row("of a variable of the derivation", torchName, torch([](Parts &p) {
                p.attributes.replace("-mavx2 -mfma -mf16c", "$isaFlags") += "env.isaFlags = \"-mavx2 -mfma -mf16c\";";
            }),
            u'-' + flagless);
        row("of another variable of the derivation", torchName, torch([](Parts &p) {
                p.attributes.replace("-mavx2 -mfma -mf16c", "$isaFlags") += "env.isaFlags = \"-O2\";";
            }),
            flagless);
        for (const auto &[arch, rule] : {std::pair("9.0", u"-"_s), {"8.0", QString()}})
            row(arch, torchName, torch([&](Parts &p) {
                    p.attributes.replace("  '';", "    export TORCH_CUDA_ARCH_LIST=\"$wanted\"\n  '';");
                    p.attributes += QByteArray("wanted = \"") + arch + "\";";
                }),
                rule + u"gpu-targets-other"_s);
        row("flags, the old phase and more", torchName, torch([](Parts &p) {
                p.attributes.replace("(old.preConfigure or \"\") + ''", "''");
                p.attributes.replace("  '';\n", "  '' + (old.preConfigure or \"\") + ''\n    export "
                                                "TORCH_CUDA_ARCH_LIST=8.0\n  '';\n");
            }),
            u"gpu-targets-other"_s);
        // What nixpkgs says itself.
        const QString unfree = u"unfree-refused"_s;
        for (const auto &[config, rule] : {std::pair("cudaSupport = true;", QString()),
                                           {"cudaSupport = true; allowUnfree = false;", QString()},
                                           {"cudaSupport = true; allowUnfreePredicate = p: true;", u"-"_s},
                                           {"cudaSupport = true; allowUnfree = pkgs.config.allowUnfree;", u"-"_s},
                                           {"cudaSupport = true; allowUnfree = true;", u"-"_s}})
            row(config, torchName, torch([&](Parts &p) { p.config = config; }), rule + unfree);
        const QString replaced = u"cmake-flags-replaced"_s;
        for (const auto &[flags, rule] :
             {std::pair("[ \"-DX=1\" ]", QString()),
              {"[ \"-DCMAKE_CUDA_ARCHITECTURES=90\" ]", QString()},
              {"[ \"-DUSE_CUDA=ON\" ]", u"-"_s},
              {"[ \"-DBACKEND:STRING=cuda\" ]", u"-"_s},
              {"(old.cmakeFlags or [ ]) ++ [ \"-DX=1\" ]", u"-"_s},
              {"[ \"-DX=1\" ] ++ old.cmakeFlags", u"-"_s},
              {"builtins.filter (flag: flag != \"-DY=1\") old.cmakeFlags", u"-"_s},
              {"pinned.lib.filter (flag: flag != \"-DY=1\") (old.cmakeFlags or [ ]) ++ [ \"-DX=1\" ]", u"-"_s},
              {"[ ] ++ builtins.filter (flag: true) [ ]", QString()}})
            row(flags, torchName, torch([&](Parts &p) { p.attributes += QByteArray("cmakeFlags = ") + flags + ";"; }),
                rule + replaced);
        const QString recursion = u"overlay-recursion"_s;
        for (const auto &[overlay, rule] : {std::pair("magma = final.magma.overrideAttrs (old: { })", QString()),
                                            {"magma = (final.magma.override { }).overrideAttrs (old: { })", QString()},
                                            {"inherit (final) magma", QString()},
                                            {"magma = prev.magma.overrideAttrs (old: { })", u"-"_s},
                                            {"magma = final.magma_2.override { }", u"-"_s},
                                            {"python313Packages = prev.python313Packages.override { overrides = self: "
                                             "super: { magma = final.magma; }; }",
                                             u"-"_s},
                                            {"python313Packages = prev.python313Packages.override { overrides = self: "
                                             "super: { numpy = self.numpy.override "
                                             "{ }; }; }",
                                             QString()}})
            row(overlay, torchName,
                torch([&](Parts &p) { p.overlays = QByteArray("[ (final: prev: { ") + overlay + "; }) ]"; }),
                rule + recursion);
        const QString twice = u"torch-twice"_s;
        for (const auto &[input, rule] : {std::pair("torch.out", u"-"_s),
                                          {"pinned.python313Packages.torch.out", QString()},
                                          {"pinned.python313Packages.numpy", u"-"_s}}) {
            Parts parts = companion("torchvision", "cudaSupport = true; gpuTargets = [ \"9.0\" ];");
            parts.attributes +=
                QByteArray("propagatedBuildInputs = (old.propagatedBuildInputs or [ ]) ++ [ ") + input + " ];";
            row(input, vision, parts, rule + twice);
        }
        // Levels that a package has names for.
        for (const auto &[flag, rule] : {std::pair("ENGINE_OPT_LEVEL=avx512", QString()),
                                         {"CPU_BASELINE=AVX512_SKX", QString()},
                                         {"CPU_BASELINE:STRING=SSE4_2", QString()},
                                         {"CPU_BASELINE=AVX2", u"-"_s},
                                         {"CPU_DISPATCH=AVX512_SKX", u"-"_s}}) {
            Parts parts;
            parts.base = "pinned.engine";
            parts.attributes += QByteArray("cmakeFlags = (old.cmakeFlags or [ ]) ++ [ \"-D") + flag + "\" ];";
            row(flag, u"engine-cuda12_9-sm90-avx2"_s, parts, rule + u"cpu-flags-other"_s);
        }
        // A wheel instead of a build.
        for (const auto &[attribute, rule] : {std::pair("jaxlib-bin", QString()), {"jaxlib", u"-"_s}}) {
            Parts parts;
            parts.base = QByteArray("pinned.python313Packages.") + attribute;
            row(attribute, u"jaxlib-python313-cuda12_9-sm90-avx2"_s, parts, rule + u"attribute-other"_s);
        }
        // Names of other boards.
        for (const char *text : {"for the R100", "for Vera Rubin machines", "RTX 5090, R100 Ultra"}) {
            row(text, u"pytorch-python313-cuda12_9-sm120-avx2"_s, torch([&](Parts &p) {
                    p.arguments.replace("9.0", "12.0");
                    p.attributes.replace("platforms", QByteArray("description = \"") + text + "\"; platforms");
                }),
                u"product-elsewhere"_s);
        }
        // Names that nixpkgs does not have, or has for several versions.
        const auto toolkit = [&torch](const char *set) {
            return torch([set](Parts &p) { p.overlays.replace("cudaPackages_12_9", set); });
        };
        row("toolkit with a dot", torchName, toolkit("\"cudaPackages_12.9\""), u"cuda-overlay-other"_s);
        row("toolkit of another minor", torchName, toolkit("cudaPackages_12_8"), u"cuda-overlay-other"_s);
        row("toolkit of any minor", u"pytorch-python313-cuda13_1-sm90-avx2"_s, toolkit("cudaPackages_13"),
            u"cuda-overlay-name"_s);
        // The release that is in the nixpkgs.
        row("nixpkgs of another release", u"pytorch28-python313-cuda12_9-sm90-avx2"_s, {}, u"version-not-of-name"_s);
        row("nixpkgs of the release", u"pytorch29-python313-cuda12_9-sm90-avx2"_s, {}, u"-version-not-of-name"_s);
        row("another source", u"pytorch28-python313-cuda12_9-sm90-avx2"_s, torch([](Parts &p) {
                p.attributes.replace("pname", "version = \"2.8.0\"; src = pinned.fetchurl { url = \"x\"; }; pname");
            }),
            u"-version-not-of-name"_s);
        row("pairing of another release", u"torchvision023-pt28-python313-cuda12_9-sm90-avx2"_s,
            torch([](Parts &p) { p.base = "pinned.python313Packages.torchvision"; }), u"version-not-of-name"_s);
        // ROCm is nowhere on, or off, or on.
        const QString rocm = u"pytorch-python313-rocm6_4-gfx942-avx2"_s;
        const auto ofRocm = [&torch](const char *config, const char *arguments) {
            return torch([=](Parts &p) {
                p.config = QByteArray("allowUnfree = true; ") + config;
                p.overlays = "[ ]";
                p.arguments = QByteArray("gpuTargets = [ \"gfx942\" ]; ") + arguments;
            });
        };
        const QString support = u"cuda-support-other"_s;
        row("ROCm nowhere", rocm, ofRocm("", ""), support);
        row("ROCm off in config", rocm, ofRocm("rocmSupport = false;", ""), support);
        row("ROCm in config", rocm, ofRocm("rocmSupport = true;", ""), u'-' + support);
        row("ROCm as argument", rocm, ofRocm("", "rocmSupport = true;"), u'-' + support);
        row("CUDA for ROCm", rocm, ofRocm("", "rocmSupport = true; cudaSupport = true;"), support);
        row("ROCm set of nixpkgs", rocm, torch([&](Parts &p) {
                p = ofRocm("", "");
                p.base = "pinned.pkgsRocm.python313Packages.torch";
            }),
            u'-' + support);
        row("ROCm package of nixpkgs", rocm, torch([&](Parts &p) {
                p = ofRocm("", "");
                p.base = "pinned.python313Packages.torchWithRocm";
            }),
            u'-' + support);
        // Variables that nothing sets.
        const auto flags = [&torch](const char *from, const char *to) {
            return torch([=](Parts &p) { p.attributes.replace(from, to); });
        };
        row("letter lost", torchName, flags("-mf16c $CXXFLAGS", "-mf16c $CXXFLAG"), misspelt);
        row("letter too many", torchName, flags("-mf16c $CFLAGS", "-mf16c ''${CFLAGSS}"), misspelt);
        row("other flags", torchName, flags("-mf16c $CFLAGS", "-mf16c $CFLAGS $FFLAGS $LDFLAGS"), u'-' + misspelt);
        row("own variable", torchName, flags("    export CFLAGS", "    CFLAG=-g\n    export CFLAGS"), u'-' + misspelt);
        row("own variable that is read", torchName,
            flags("    export CFLAGS=\"", "    CFLAG=-g\n    export CFLAGS=\"$CFLAG "), u'-' + misspelt);
        row("own board", u"pytorch-python313-cuda12_9-sm120-avx2"_s, torch([](Parts &p) {
                p.arguments.replace("9.0", "12.0");
                p.attributes.replace("platforms", "description = \"for the RTX 5090\"; platforms");
            }),
            u"-product-elsewhere"_s);
    }
    void reported()
    {
        QFETCH(const QString, name);
        QFETCH(const QByteArray, text);
        QFETCH(const QString, rule);
        const Judgement judgement = judged(name, text);
        const QString found = rulesOf(judgement).join(u' ') + u'\n' + QString::fromUtf8(text);
        QVERIFY2(!judgement.facts->error, qPrintable(found));
        if (rule.startsWith(u'-')) {
            QVERIFY2(!of(judgement, rule.sliced(1)), qPrintable(found));
            return;
        }
        const Finding *finding = of(judgement, rule);
        QVERIFY2(finding, qPrintable(found));
        QVERIFY2(finding->sentence.endsWith(u'.') && finding->advice.endsWith(u'.'), qPrintable(finding->sentence));
    }

    // A part that is not there is missing; a part that is elsewhere is not understood, and nothing is said to be
    // missing.
    void missingOrUnread_data()
    {
        QTest::addColumn<Parts>("without");
        QTest::addColumn<Parts>("unread");
        QTest::addColumn<QString>("rule");
        const auto row = [](const char *title, auto without, auto unread, const QString &rule) {
            Parts missing;
            without(missing);
            Parts elsewhere = missing;
            unread(elsewhere);
            QTest::newRow(title) << missing << elsewhere << rule;
        };
        const auto noFlags = [](Parts &p) {
            p.attributes = "pname = \"NAME\"; meta.platforms = [ \"x86_64-linux\" ];";
        };
        const QString flags = u"cpu-flags-missing"_s;
        row(
            "a phase of another file", noFlags,
            [](Parts &p) { p.attributes += " preConfigure = import ./flags.nix { isa = \"avx2\"; };"; }, flags);
        row(
            "a phase after the old one", noFlags,
            [](Parts &p) { p.attributes += " preConfigure = (old.preConfigure or \"\") + (import ./flags.nix).avx2;"; },
            flags);
        row(
            "a phase with a part", noFlags,
            [](Parts &p) { p.attributes += " preBuild = ''\n    ${import ./flags.nix}\n  '';"; }, flags);
        row("an argument", noFlags, [](Parts &p) { p.attributes += " preConfigure = pkgs.flagsOf \"avx2\";"; }, flags);
        row(
            "attributes of another file", noFlags, [](Parts &p) { p.attributes += "} // import ./flags.nix // {"; },
            flags);
        row(
            "an environment of another file", noFlags, [](Parts &p) { p.attributes += " env = import ./env.nix;"; },
            flags);
        const auto noTargets = [](Parts &p) { p.arguments = "cudaSupport = true;"; };
        const QString targets = u"gpu-targets-missing"_s;
        row(
            "arguments of another file", noTargets,
            [](Parts &p) { p.arguments += " } // import ./arguments.nix // {"; }, targets);
        row(
            "an unknown list", noTargets, [](Parts &p) { p.arguments += " gpuTargets = import ./targets.nix;"; },
            targets);
        row(
            "an unknown element", noTargets,
            [](Parts &p) { p.arguments += " gpuTargets = [ (import ./gpu.nix).capability ];"; }, targets);
        row(
            "an unknown variable", noTargets,
            [](Parts &p) {
                p.attributes += " postPatch = \"export TORCH_CUDA_ARCH_LIST=${(import ./gpu.nix).capability}\";";
            },
            targets);
        row("an unknown config", noTargets, [](Parts &p) { p.config += "} // import ./config.nix // {"; }, targets);
        row(
            "unknown capabilities", noTargets,
            [](Parts &p) { p.config += " cudaCapabilities = [ (import ./gpu.nix).capability ];"; }, targets);
        const auto noToolkit = [](Parts &p) { p.overlays = "[ ]"; };
        const QString toolkit = u"toolkit-not-selected"_s;
        row("overlays of another file", noToolkit, [](Parts &p) { p.overlays = "import ./overlays.nix"; }, toolkit);
        row(
            "an overlay of another file", noToolkit, [](Parts &p) { p.overlays = "[ (import ./overlay.nix) ]"; },
            toolkit);
        row("more overlays", noToolkit, [](Parts &p) { p.overlays = "[ ] ++ import ./overlays.nix"; }, toolkit);
        row(
            "platforms",
            [](Parts &p) { p.attributes.replace("meta = old.meta // { platforms = [ \"x86_64-linux\" ]; };", ""); },
            [](Parts &p) { p.attributes += " meta = import ./meta.nix;"; }, u"platforms-missing"_s);
        row(
            "no CUDA", [](Parts &p) { p.config = p.arguments = ""; },
            [](Parts &p) { p.config = "} // import ./config.nix // {"; }, u"cuda-support-other"_s);
        row(
            "pname", [](Parts &p) { p.attributes.replace("pname = \"NAME\";", ""); },
            [](Parts &p) { p.attributes += "} // import ./name.nix // {"; }, u"pname-other"_s);
    }
    void missingOrUnread()
    {
        QFETCH(const Parts, without);
        QFETCH(const Parts, unread);
        QFETCH(const QString, rule);
        const QByteArray sound = recipe(Parts(), torchName);
        QVERIFY2(!of(judged(torchName, sound), rule), sound.constData());
        QVERIFY2(rulesOf(judged(torchName, sound), Severity::Warning).isEmpty() ||
                     rulesOf(judged(torchName, sound), Severity::Warning) == QStringList{u"pname-other"_s},
                 qPrintable(rulesOf(judged(torchName, sound), Severity::Warning).join(u' ')));
        const QByteArray missing = recipe(without, torchName);
        QVERIFY2(of(judged(torchName, missing), rule), missing.constData());
        QVERIFY2(!of(judged(torchName, missing), u"not-understood"_s), missing.constData());

        const QByteArray elsewhere = recipe(unread, torchName);
        const Judgement judgement = judged(torchName, elsewhere);
        QVERIFY2(!judgement.facts->error, elsewhere.constData());
        const QString found = rulesOf(judgement).join(u' ') + u'\n' + QString::fromUtf8(elsewhere);
        QVERIFY2(!of(judgement, rule), qPrintable(found));
        const Finding *note = of(judgement, u"not-understood"_s);
        QVERIFY2(note, qPrintable(found));
        QCOMPARE(std::ranges::count(judgement.findings, u"not-understood"_s, &Finding::rule), 1);
        QCOMPARE(toString(note->severity), u"note"_s);
        // At the line where reading stopped.
        const QByteArray line = elsewhere.split('\n').value(note->line - 1);
        QVERIFY2(line.contains("import") || line.contains("pkgs.flagsOf") || line.contains("preBuild"),
                 qPrintable(found + note->sentence + QString::number(note->line)));
    }

    void anotherFileIsNamed()
    {
        for (const char *text : {"{ pkgs ? import <nixpkgs> { } }:\nimport ./lib/build.nix { isa = \"avx2\"; }\n",
                                 "{ pkgs, callPackage }:\ncallPackage ./lib/build.nix { }\n",
                                 "{ pkgs }:\n(import ./lib/build.nix).overrideAttrs (old: { pname = \"x\"; })\n"}) {
            const Judgement judgement = judged(torchName, text);
            QCOMPARE(judgement.findings.size(), 1);
            QCOMPARE(judgement.findings.constFirst().rule, u"not-understood"_s);
            QCOMPARE(judgement.findings.constFirst().line, 2);
            QVERIFY2(judgement.findings.constFirst().sentence.contains("./lib/build.nix"_L1),
                     qPrintable(judgement.findings.constFirst().sentence));
        }
    }

    // The library behind Python bindings: its targets and its flags are those of the recipe.
    void theLibraryIsRead()
    {
        const Judgement sound = judged(bindingsName, bindings(avx2, "90"));
        QCOMPARE(rulesOf(sound, Severity::Warning), QStringList());
        QVERIFY(!of(sound, u"not-understood"_s));
        QCOMPARE(sound.facts->libraries.size(), 1);
        QCOMPARE(definitionOf(sound.facts->compiled().cmakeFlags, u"CMAKE_CUDA_ARCHITECTURES").value, u"90"_s);
        QCOMPARE(sound.facts->compiled().cxxFlags.values(), QStringList({u"-mavx2"_s, u"-mfma"_s, u"-mf16c"_s}));

        const Judgement other = judged(bindingsName, bindings("\"-mavx512f\"", "89"));
        QVERIFY(of(other, u"cpu-flags-missing"_s));
        QVERIFY(of(other, u"cpu-flags-other"_s));
        const Finding *architectures = of(other, u"cmake-architectures-other"_s);
        QVERIFY(architectures && architectures->fixable);

        QVERIFY(of(judged(bindingsName, bindings("", "90")), u"cpu-flags-missing"_s));
        for (const QByteArray &fine : {"90a"_ba, "90-real"_ba})
            QVERIFY(!of(judged(bindingsName, bindings(avx2, fine)), u"cmake-architectures-other"_s));
        const Judgement more = judged(bindingsName, bindings(avx2, "89;90"));
        QVERIFY(of(more, u"cmake-architectures-other"_s)->severity == Severity::Note);
    }

    // Without a list of its own, the package has the targets of its nixpkgs.
    void capabilitiesOfNixpkgsAreRead()
    {
        Parts parts;
        parts.arguments = "cudaSupport = true;";
        parts.config += " cudaCapabilities = [ \"9.0\" ];";
        QVERIFY(!of(judged(torchName, recipe(parts, torchName)), u"gpu-targets-missing"_s));
        parts.config.replace("9.0", "8.9");
        QVERIFY(of(judged(torchName, recipe(parts, torchName)), u"gpu-targets-other"_s));
        const QString vision = u"torchvision-python313-cuda12_9-sm90-avx2"_s;
        parts.config.replace("8.9", "9.0");
        parts.base.replace("torch", "torchvision");
        QVERIFY(!of(judged(vision, recipe(parts, vision)), u"companion-arch-list-missing"_s));
    }

    void flagsAreReadWhereverTheyAre()
    {
        for (const QByteArray &attributes :
             {"env.NIX_CFLAGS_COMPILE = \"-mavx2 -mfma -mf16c\";"_ba,
              "NIX_CFLAGS_COMPILE = toString [ \"-mavx2\" \"-mfma\" \"-mf16c\" ];"_ba,
              "CXXFLAGS = \"-mavx2 -mfma -mf16c\"; CFLAGS = \"-mavx2 -mfma -mf16c\";"_ba,
              "cmakeFlags = (old.cmakeFlags or [ ]) ++ [ \"-DCMAKE_CXX_FLAGS=-mavx2 -mfma "
              "-mf16c\" \"-DCMAKE_C_FLAGS=-mavx2 -mfma -mf16c\" ];"_ba}) {
            Parts parts;
            parts.attributes = "pname = \"NAME\"; meta.platforms = [ \"x86_64-linux\" ]; " + attributes;
            const Judgement judgement = judged(torchName, recipe(parts, torchName));
            QVERIFY2(!of(judgement, u"cpu-flags-missing"_s), attributes.constData());
            parts.attributes.replace("-mavx2", "-mavx512f");
            QVERIFY2(of(judged(torchName, recipe(parts, torchName)), u"cpu-flags-other"_s), attributes.constData());
        }
    }

    // A torch among the Python packages of the recipe, in another file: neither missing nor another variant.
    void aTorchOfAnotherFileIsNotUnderstood()
    {
        const QString server = u"llmserver-python313-cuda12_9-sm90-avx2"_s;
        const QByteArray text = serverRecipe();
        const Judgement judgement = judged(server, text);
        QCOMPARE(rulesOf(judgement, Severity::Warning), QStringList());
        const Finding *note = of(judgement, u"not-understood"_s);
        QVERIFY(note);
        QCOMPARE(note->line, 11);
        QCOMPARE(judgement.facts->package.packageSet.value, u"python313Packages"_s);
        QCOMPARE(judgement.facts->package.source, u"pin"_s);
        QCOMPARE(judgement.facts->toolkit().value, u"cudaPackages_12_9"_s);

        const Judgement old = judged(server, QByteArray(text).replace("python313.override", "python312.override"));
        QVERIFY(of(old, u"python-other"_s));
    }

    // The flags of a package that builds its own torch are that torch's.
    void theTorchInsideHasTheFlags()
    {
        const QString name = u"serving-python313-cuda12_9-sm90-avx2"_s; // of a family that nobody declared
        Parts parts;
        parts.let = R"(  set = pinned.python313.override {
    packageOverrides = self: super: {
      torch = (super.torch.override { gpuTargets = [ "9.0" ]; }).overrideAttrs (old: {
        preConfigure = (old.preConfigure or "") + ''
          export CXXFLAGS="-mavx2 -mfma -mf16c $CXXFLAGS"
          export CFLAGS="-mavx2 -mfma -mf16c $CFLAGS"
        '';
      });
    };
  };
)";
        parts.base = "set.pkgs.serving";
        parts.attributes = R"(pname = "NAME"; meta.platforms = [ "x86_64-linux" ];)";
        const QByteArray text = recipe(parts, name);
        QVERIFY(!of(judged(name, text), u"cpu-flags-missing"_s));
        QVERIFY(of(judged(name, QByteArray(text).replace("-mavx2", "-mavx512f")), u"cpu-flags-other"_s));
        // Without a torch of its own it has none.
        parts.base = "pinned.python313Packages.serving";
        parts.let.clear();
        QVERIFY(of(judged(name, recipe(parts, name)), u"cpu-flags-missing"_s));
    }

    // An overlay may give torch from a place that cannot be read.
    void theTorchOfAnOverlayIsNotMissing()
    {
        const QString vision = u"torchvision-python313-cuda12_9-sm90-avx2"_s;
        Parts parts;
        parts.base.replace("torch", "torchvision");
        QVERIFY(of(judged(vision, recipe(parts, vision)), u"companion-torch-missing"_s));
        parts.overlays = R"([
      (final: prev: { cudaPackages = final.cudaPackages_12_9; })
      (final: prev: { python313Packages = prev.python313Packages.override {
        overrides = pfinal: pprev: { torch = import "${archive}/.flox/pkgs/x.nix" { }; };
      }; })
    ])";
        parts.let = "  archive = builtins.fetchTarball { url = \"https://example.org/x.tar.gz\"; };\n";
        const Judgement judgement = judged(vision, recipe(parts, vision));
        QVERIFY(!of(judgement, u"companion-torch-missing"_s));
        QVERIFY(judgement.facts->torch.kind == TorchSource::Kind::Fetched);
        QCOMPARE(judgement.facts->torch.file, u"x.nix"_s);
        // The torch of another variant; that of another set is not used.
        const QByteArray text = recipe(parts, vision);
        QVERIFY(!of(judged(vision, QByteArray(text).replace("x.nix", "pytorch29-python313-cuda12_9-sm90-avx2.nix")),
                    u"companion-torch-other"_s));
        QVERIFY(of(judged(vision, QByteArray(text).replace("x.nix", "pytorch29-python313-cuda12_9-sm89-avx2.nix")),
                   u"companion-torch-other"_s));
        parts.overlays.replace("python313Packages = prev", "python312Packages = prev");
        QVERIFY(judged(vision, recipe(parts, vision)).facts->torch.kind == TorchSource::Kind::NotStated);
        // A torch that cannot be read is not missing either.
        parts.overlays.replace("python312Packages = prev", "python313Packages = prev")
            .replace("import \"${archive}/.flox/pkgs/x.nix\" { }", "pfinal.callPackage archive { }");
        const Judgement unread = judged(vision, recipe(parts, vision));
        QVERIFY(!of(unread, u"companion-torch-missing"_s));
        QVERIFY(of(unread, u"not-understood"_s));
        // It may be built there.
        parts.overlays.replace("pfinal.callPackage archive { }",
                               "pprev.torch.override { cudaSupport = true; gpuTargets = [ \"8.9\" ]; }");
        const Judgement built = judged(vision, recipe(parts, vision));
        QVERIFY(!of(built, u"companion-torch-missing"_s));
        QVERIFY(of(built, u"gpu-targets-other"_s));
    }

    // A torch among the Python packages, given as an argument too: it is that one, with what they make of it, and is
    // propagated as nixpkgs' own is.
    void theTorchOfTheSetAsArgument_data()
    {
        QTest::addColumn<QByteArray>("overlay");
        QTest::addColumn<QByteArray>("let");
        QTest::addColumn<QByteArray>("set");
        QTest::addColumn<QByteArray>("torch");
        const QByteArray change = "pf: pp: { torch = adapt pp.torch; }";
        const QByteArray overlay =
            " (f: p: { python313Packages = p.python313Packages.override { overrides = " + change + "; }; }) ]";
        const QByteArray python = "python = pinned.python313.override { packageOverrides = " + change + "; };\n";
        const QByteArray own = "pinned.python313Packages";
        QTest::newRow("overlay of a set") << overlay << QByteArray() << own << own + ".torch";
        QTest::newRow("changed again") << overlay << QByteArray() << own
                                       << "(" + own + ".torch.override { cudaSupport = true; })";
        QTest::newRow("overlay of an interpreter")
            << " (f: p: { python313 = p.python313.override { packageOverrides = " + change + "; }; }) ]" << QByteArray()
            << "pinned.python313.pkgs"_ba << "pinned.python313.pkgs.torch"_ba;
        QTest::newRow("extension") << " (f: p: { pythonPackagesExtensions = p.pythonPackagesExtensions ++ [ (" +
                                          change + ") ]; }) ]"
                                   << "inherit (" + own + ") torch;\n"
                                   << own << "torch"_ba;
        QTest::newRow("interpreter") << " ]"_ba << python << "python.pkgs"_ba << "python.pkgs.torch"_ba;
        QTest::newRow("one package") << " ]"_ba
                                     << "own = adapt " + own +
                                            ".torch; python = pinned.python313.override { packageOverrides = pf: pp: { "
                                            "torch = own; }; };\n"
                                     << "python.pkgs"_ba << "own"_ba;
        QTest::newRow("scope") << " ]"_ba << "scope = " + own + ".overrideScope (" + change + ");\n"
                               << "scope"_ba
                               << "scope.torch"_ba;
    }
    void theTorchOfTheSetAsArgument()
    {
        QFETCH(const QByteArray, overlay);
        QFETCH(const QByteArray, let);
        QFETCH(const QByteArray, set);
        QFETCH(const QByteArray, torch);
        const QString name = u"torchvision-python313-cuda12_9-sm90-avx2"_s;
        Parts parts;
        parts.overlays.chop(1);
        parts.overlays += overlay;
        parts.let = R"(adapt = base: (base.override { cudaSupport = true; gpuTargets = [ "9.0" ]; }).overrideAttrs (o: {
    preConfigure = (o.preConfigure or "") + ''
      export CXXFLAGS="-mavx2 -mfma -mf16c $CXXFLAGS"
      export CFLAGS="-mavx2 -mfma -mf16c $CFLAGS"
    '';
  });
  )" + let;
        parts.base = set + ".torchvision";
        parts.arguments = "torch = " + torch + ";";
        parts.attributes.replace("''\n", "''\n    export TORCH_CUDA_ARCH_LIST=9.0\n");
        const bool isSame = QByteArrayView(QTest::currentDataTag()) != "changed again";
        QByteArray text = recipe(parts, name);
        const auto found = [&name](const QByteArray &of) {
            QStringList rules;
            for (const Finding &finding : judged(name, of).findings) {
                if (finding.severity != Severity::Note)
                    rules.append(finding.rule);
            }
            return rules.join(u' ');
        };
        QCOMPARE(found(text), isSame ? QString() : u"companion-torch-output"_s);
        // It is read where the set has it.
        text.replace("gpuTargets = [ \"9.0\" ]", "gpuTargets = [ \"8.9\" ]");
        QVERIFY(found(text).contains("gpu-targets-other"_L1));
        // The name of its torch among the inputs names the same one.
        parts.attributes += " propagatedBuildInputs = (old.propagatedBuildInputs or [ ]) ++ [ " + set + ".torch.out ];";
        QVERIFY(!isSame || !found(recipe(parts, name)).contains("torch-twice"_L1));
    }

    // ARMv9 has SVE2, and its server CPUs have BF16 and I8MM, whether a flag names them or not.
    // Packages that no catalog knows say their GPU and CPU in their own ways. Nothing is missing then.
    void waysOfPackages_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("rules"); ///< that find something among those of targets and flags
        const QString avx2 = u"gadget-python312-cuda12_8-sm80-avx2"_s;
        const QString avx512 = u"gadget-python312-cuda12_8-sm80-avx512"_s;
        const auto row = [](const char *title, const QString &name, const QByteArray &arguments,
                            const QByteArray &attributes, const QStringList &rules = {}) {
            const QByteArray capability = name.contains("-sm90"_L1) ? "9.0" : "8.0";
            QTest::newRow(title) << name
                                 << "{ pkgs, python312, cudaPackages_12_8 }:\nlet\n  py = python312.override {\n    "
                                    "packageOverrides = final: prev: {\n      torch = prev.torch.override { "
                                    "cudaSupport = true; gpuTargets = [ \"" +
                                        capability +
                                        "\" ]; };\n    };\n  };\nin\n"
                                        "(py.pkgs.gadget.override { " +
                                        arguments + " }).overridePythonAttrs (old: {\n" + attributes + "\n})\n"
                                 << rules;
        };
        const QByteArray arch = "  env.TORCH_CUDA_ARCH_LIST = \"8.0\";\n";
        row("variable of the compiler", avx2, "", arch + "  env.NIX_CFLAGS_COMPILE = \"-mavx2 -mfma -mf16c\";");
        row("first CPU of the set", avx2, "", arch + "  env.NIX_CFLAGS_COMPILE = \"-march=haswell\";");
        row("first CPU of AVX-512", avx512, "", arch + "  env.NIX_CFLAGS_COMPILE = \"-march=skylake-avx512\";");
        row("first CPU of a newer set", avx2, "", arch + "  env.NIX_CFLAGS_COMPILE = \"-march=skylake-avx512\";",
            {u"cpu-flags-other"_s});
        row("C++ alone", avx2, "", arch + "  preBuild = ''\n    export CXXFLAGS=\"-mavx2 -mfma -mf16c\"\n  '';");
        row("C alone", avx2, "", arch + "  CFLAGS = \"-mavx2 -mfma -mf16c\";");
        row("neither", avx2, "", arch, {u"cpu-flags-missing"_s});
        row("here document", avx2, "",
            "  preConfigure = ''\n    cat >> build/config.cmake <<END\n    set(CMAKE_CUDA_ARCHITECTURES 80)\n    "
            "set(CMAKE_CXX_FLAGS \"-mavx2 -mfma -mf16c\")\n    END\n  '';");
        const auto phase = [](const QByteArray &archs, const QByteArray &flags) {
            return "  configurePhase = ''\n    cmake -B build -DKERNEL_NVCC_ARCHS=" + archs + " -DCMAKE_CXX_FLAGS=\"" +
                   flags + "\"\n  '';";
        };
        row("command", avx2, "", phase("80", "-mavx2 -mfma -mf16c"));
        row("command for another CPU", avx512, "", phase("80", "-mavx2 -mfma -mf16c"), {u"cpu-flags-missing"_s});
        row("command for a newer CPU", avx2, "", phase("80", "-mavx512f -mavx2 -mfma -mf16c"), {u"cpu-flags-other"_s});
        row("command for another GPU", avx2, "", phase("90", "-mavx2 -mfma -mf16c"), {u"gpu-targets-other"_s});
        row("definition", avx2, "",
            "  cmakeFlags = [ \"-DGPU_COMPUTE_VER=80\" \"-DCMAKE_CXX_FLAGS=-mavx2 -mfma -mf16c\" ];");
        row("definition for another GPU", avx2, "",
            "  cmakeFlags = [ \"-DGPU_COMPUTE_VER=75\" \"-DCMAKE_CXX_FLAGS=-mavx2 -mfma -mf16c\" ];",
            {u"gpu-targets-other"_s});
        row("options of another tool", avx2, "",
            "  pypaBuildFlags = [ \"--config-setting=cmake.define.CMAKE_CUDA_ARCHITECTURES=80\" ];\n  CXXFLAGS = "
            "\"-mavx2 -mfma -mf16c\";");
        row("options of another GPU", avx2, "",
            "  pypaBuildFlags = [ \"--arch=sm_90\" ];\n  CXXFLAGS = \"-mavx2 -mfma -mf16c\";",
            {u"gpu-targets-other"_s});
        row("word for SVE", u"gadget-python312-cuda12_8-sm90-armv9"_s, "cpuAcceleration = \"ARM_SVE\";",
            "  env.TORCH_CUDA_ARCH_LIST = \"9.0\";");
        row("compiler of the set", avx2,
            "stdenv = pkgs.stdenvAdapters.withCFlags [ \"-mavx2\" \"-mfma\" \"-mf16c\" ] pkgs.stdenv;", arch);
        row("compiler of another set", avx2, "stdenv = pkgs.stdenvAdapters.withCFlags [ \"-mavx512f\" ] pkgs.stdenv;",
            arch, {u"cpu-flags-missing"_s, u"cpu-flags-other"_s});
        row("code for one GPU", u"gadget-python312-cuda12_8-sm90a-avx2"_s, "",
            "  env.TORCH_CUDA_ARCH_LIST = \"9.0a\";\n  CXXFLAGS = \"-mavx2 -mfma -mf16c\";");
        row("attributes of an adapted compiler", avx2,
            "stdenv = pkgs.addAttrsToDerivation { NIX_CFLAGS_COMPILE = \"-mavx512f\"; } pkgs.stdenv;", arch,
            {u"cpu-flags-missing"_s, u"cpu-flags-other"_s});
        row("another adapter", avx2, "stdenv = pkgs.impureUseNativeOptimizations pkgs.stdenv;", arch,
            {u"not-understood"_s});
        row("switched off", avx2, "", arch + "  cmakeFlags = [ \"-DGADGET_NATIVE=OFF\" ];", {u"cpu-flags-missing"_s});
        row("flags without a dash", avx2, "", arch + "  CXXFLAGS = \"mavx2 mfma mf16c\";", {u"cpu-flags-missing"_s});
        row("number with a dot", avx2, "", "  FLASH_ATTN_CUDA_ARCHS = \"8.0\";\n  CXXFLAGS = \"-mavx2 -mfma -mf16c\";",
            {u"gpu-targets-other"_s});
        row("number", avx2, "", "  FLASH_ATTN_CUDA_ARCHS = \"80\";\n  CXXFLAGS = \"-mavx2 -mfma -mf16c\";");
        row("own switch without the suffix", u"gadget-python312-cuda12_8-sm90a-avx2"_s, "",
            "  GADGET_ARCHS = \"90\";\n  CXXFLAGS = \"-mavx2 -mfma -mf16c\";", {u"gpu-targets-other"_s});
        row("own switch with the suffix", u"gadget-python312-cuda12_8-sm90a-avx2"_s, "",
            "  GADGET_ARCHS = \"90a\";\n  CXXFLAGS = \"-mavx2 -mfma -mf16c\";");
        // A package of its own, in an imported set whose compiler, machine or hooks may have the flags.
        const auto own = [](const char *title, const QByteArray &settings, const QByteArray &builder,
                            const QByteArray &attributes, const QStringList &rules = {}) {
            QTest::newRow(title) << u"gadget-cuda12_8-sm80-avx2"_s
                                 << "{ makeSetupHook }:\nlet\n  set = import (fetchTarball { url = "
                                    "\"https://example.org/archive/" +
                                        QByteArray(40, '1') + ".tar.gz\"; sha256 = \"" + QByteArray(52, '0') +
                                        "\"; }) {\n    config.cudaSupport = true;\n    " + settings + "\n  };\nin\n" +
                                        builder + " {\n  cmakeFlags = [ \"-DCMAKE_CUDA_ARCHITECTURES=80\" ];\n  " +
                                        attributes + "\n}\n"
                                 << rules;
        };
        const auto tuned = [](const QByteArray &flags) {
            return "overlays = [ (final: prev: { tuned = final.addAttrsToDerivation { NIX_CFLAGS_COMPILE = toString "
                   "[ " +
                   flags + " ]; } final.stdenv; }) ];";
        };
        own("compiler of an overlay", tuned("\"-mavx2\" \"-mfma\" \"-mf16c\""), "set.tuned.mkDerivation", "");
        own("compiler of an overlay for another CPU", tuned("\"-mavx512f\" \"-mavx2\" \"-mfma\" \"-mf16c\""),
            "set.tuned.mkDerivation", "", {u"cpu-flags-other"_s});
        own("every compiler changed",
            "overlays = [ (final: prev: { stdenv = prev.withCFlags [ \"-O3\" ] prev.stdenv; }) ];",
            "set.python312Packages.buildPythonPackage", "", {u"not-understood"_s});
        own("every compiler changed by config", "config.replaceStdenv = { pkgs }: pkgs.gcc14Stdenv;",
            "set.python312Packages.buildPythonPackage", "", {u"not-understood"_s});
        own("machine", "localSystem = { system = \"x86_64-linux\"; gcc.arch = \"haswell\"; };",
            "set.stdenv.mkDerivation", "");
        own("another machine", "localSystem = { system = \"x86_64-linux\"; gcc.arch = \"skylake-avx512\"; };",
            "set.stdenv.mkDerivation", "", {u"cpu-flags-other"_s});
        own("nothing of the CPU", "", "set.stdenv.mkDerivation", "", {u"not-understood"_s});
        const auto hook = [](const QByteArray &flags) {
            return "nativeBuildInputs = [ (makeSetupHook { name = \"isa\"; substitutions.flags = \"" + flags +
                   "\"; } ./isa.sh) ];";
        };
        own("hook", "", "set.stdenv.mkDerivation", hook("-mavx2 -mfma -mf16c"), {u"not-understood"_s});
        own("hook for another CPU", "", "set.stdenv.mkDerivation", hook("-mavx512f -mfma"),
            {u"cpu-flags-missing"_s, u"cpu-flags-other"_s, u"not-understood"_s});
        row("plain code under the name for one GPU", u"gadget-python312-cuda12_8-sm90a-avx2"_s, "",
            "  env.TORCH_CUDA_ARCH_LIST = \"9.0\";\n  CXXFLAGS = \"-mavx2 -mfma -mf16c\";", {u"gpu-targets-other"_s});
    }
    void waysOfPackages()
    {
        QFETCH(const QString, name);
        QFETCH(const QByteArray, text);
        QFETCH(const QStringList, rules);
        QStringList found;
        for (const Finding &finding : judged(name, text).findings) {
            if (finding.severity != Severity::Note &&
                (finding.rule.startsWith("gpu-targets"_L1) || finding.rule.startsWith("cpu-flags"_L1)) &&
                !found.contains(finding.rule))
                found.append(finding.rule);
            if (finding.rule == notUnderstoodRule && rules.contains(notUnderstoodRule))
                found.append(finding.rule);
        }
        found.sort();
        QVERIFY2(found == rules, qPrintable(found.join(u' ')));
    }

    // Lists of GPUs by names that are known: CuPy's, OpenCV's, XLA's; and MAGMA's oldest GPU.
    void listsOfGpusAreRead_data()
    {
        QTest::addColumn<QByteArray>("attribute");
        QTest::addColumn<QString>("rule"); ///< of an error or, with "?", a note; empty: none
        const QString other = u"gpu-targets-other"_s;
        const auto lists = [](const QByteArray &before, const QByteArray &right, const QByteArray &older,
                              const QByteArray &more, const QByteArray &wrong, const QByteArray &after) {
            const QString note = u"?gpu-targets-other"_s;
            for (const auto &[value, rule] :
                 {std::pair(right, QString()), {older, note}, {more, note}, {wrong, u"gpu-targets-other"_s}})
                QTest::newRow((before + value).constData()) << before + value + after << rule;
        };
        lists("env.CUPY_NVCC_GENERATE_CODE = \"", "arch=compute_86,code=sm_86", "arch=compute_80,code=sm_80",
              "arch=compute_86,code=sm_86;arch=compute_90,code=sm_90", "arch=compute_90,code=sm_90", "\";");
        lists("cmakeFlags = [ \"-DCUDA_ARCH_BIN=", "8.6", "8.0", "8.6;9.0", "8.9", "\" ];");
        lists("cmakeFlags = [ \"-DCUDA_ARCH_PTX=\" \"-DCUDA_ARCH_BIN=", "8.6", "8.0", "8.6 9.0", "7.5", "\" ];");
        for (const char *option :
             {"--repo_env=HERMETIC_CUDA_COMPUTE_CAPABILITIES=", "--action_env=TF_CUDA_COMPUTE_CAPABILITIES="})
            lists(QByteArray("bazelFlags = (o.bazelFlags or [ ]) ++ [ \"-c\" \"") + option, "sm_86,compute_86", "sm_80",
                  "sm_86,sm_120", "sm_90", "\" \"opt\" ];");
        lists("env.TF_CUDA_COMPUTE_CAPABILITIES = \"", "8.6", "8.0", "8.6,9.0", "9.0", "\";");
        const QByteArray cmake = "cmakeFlags = [ \"-DCMAKE_CUDA_ARCHITECTURES=86\" ";
        for (const auto &[flags, rule] : {std::pair(QByteArray("\"-DMIN_ARCH=860\" ];"), QString()),
                                          {"\"-DMIN_ARCH=750\" ];", QString()},
                                          {"\"-DMIN_ARCH=900\" ];", other},
                                          {"]; env.MIN_ARCH = \"900\";", other}})
            QTest::newRow(flags.constData()) << cmake + flags << rule;
        // PTX beside the code of the row.
        QTest::newRow("PTX") << QByteArray("cmakeFlags = [ \"-DCUDA_ARCH_PTX=9.0\" \"-DCUDA_ARCH_BIN=8.6\" ];")
                             << QString();
        QTest::newRow("PTX alone") << QByteArray("cmakeFlags = [ \"-DCUDA_ARCH_PTX=9.0\" ];") << u"?not-understood"_s;
    }
    void listsOfGpusAreRead()
    {
        QFETCH(const QByteArray, attribute);
        QFETCH(const QString, rule);
        Parts parts;
        parts.base = "pinned.gadget";
        parts.arguments = "cudaSupport = true;";
        parts.attributes =
            attribute +
            " CXXFLAGS = \"-mavx2 -mfma -mf16c\"; meta = old.meta // { platforms = [ \"x86_64-linux\" ]; };";
        parts.attributes.replace("(o.", "(old.");
        const QString name = u"gadget-cuda12_9-sm86-avx2"_s;
        QStringList found;
        for (const Finding &finding : judged(name, recipe(parts, name)).findings) {
            if (finding.rule.contains("targets"_L1) || finding.rule == notUnderstoodRule)
                found.append((finding.severity == Severity::Note ? u"?"_s : QString()) + finding.rule);
        }
        QCOMPARE(found.join(u' '), rule);
    }

    // A PyTorch among the inputs of a package of its own is that of its variant.
    void aTorchAmongTheInputs()
    {
        const auto recipe = [](const QByteArray &torch) {
            return "{ pkgs ? import <nixpkgs> { } }:\npkgs.python312Packages.buildPythonPackage {\n  dependencies = [ "
                   "(import ./" +
                   torch + ".nix { }) ];\n}\n";
        };
        const QString name = u"gadget-python312-cuda12_8-sm89-avx2"_s;
        QVERIFY(!of(judged(name, recipe("pytorch-python312-cuda12_8-sm89-avx2")), u"companion-torch-other"_s));
        for (const char *other : {"pytorch-python312-cuda12_8-sm120-avx512", "pytorch-python312-cuda12_8-sm89-avx512",
                                  "pytorch-python311-cuda12_8-sm89-avx2", "pytorch-python312-cuda12_6-sm89-avx2"})
            QVERIFY2(of(judged(name, recipe(other)), u"companion-torch-other"_s), other);
    }

    // The Python of the set that a builder is from.
    void thePythonOfABuilder()
    {
        const auto recipe = [](const QByteArray &set) {
            return "{ pkgs ? import <nixpkgs> { } }:\npkgs." + set + ".buildPythonPackage { CXXFLAGS = \"-mavx2\"; }\n";
        };
        const QString name = u"gadget-python312-cuda12_8-sm89-avx2"_s;
        QVERIFY(!of(judged(name, recipe("python312Packages")), u"python-other"_s));
        QVERIFY(of(judged(name, recipe("python311Packages")), u"python-other"_s));
        QVERIFY(of(judged(name, recipe("python311.pkgs")), u"python-other"_s));
    }

    // A package that follows the config of its nixpkgs.
    void cudaOffInConfig()
    {
        const auto recipe = [](const QByteArray &config) {
            return pinnedWith("config.cudaSupport = " + config + ';') + ".python312Packages.gadget.override { }\n";
        };
        const QString name = u"gadget-python312-cuda12_8-sm80-avx2"_s;
        QVERIFY(of(judged(name, recipe("false")), u"cuda-support-other"_s));
        QVERIFY(!of(judged(name, recipe("true")), u"cuda-support-other"_s));
    }

    // A nixpkgs for another machine than the instruction set's.
    void aNixpkgsForAnotherMachine()
    {
        const auto recipe = [](const QByteArray &settings) {
            return pinnedWith(settings) + ".gadget.overrideAttrs (old: { CXXFLAGS = \"-mavx2 -mfma -mf16c\"; })\n";
        };
        const QString name = u"gadget-cuda12_8-sm80-avx2"_s;
        for (const QByteArray &settings : {QByteArrayLiteral("system = \"SYSTEM\";"),
                                           QByteArrayLiteral("localSystem = { system = \"SYSTEM\"; };")}) {
            QVERIFY(
                of(judged(name, recipe(QByteArray(settings).replace("SYSTEM", "aarch64-linux"))), u"system-other"_s));
            QVERIFY(
                !of(judged(name, recipe(QByteArray(settings).replace("SYSTEM", "x86_64-linux"))), u"system-other"_s));
        }
    }

    // The Python package of ONNX Runtime installs the wheel of its library.
    void aLibraryWithoutAWheel()
    {
        const auto recipe = [](const QByteArray &arguments) {
            return "{ pkgs ? import <nixpkgs> { } }:\npkgs.python313Packages.onnxruntime.override {\n  onnxruntime = "
                   "pkgs.onnxruntime.override { cudaSupport = true; " +
                   arguments + " };\n}\n";
        };
        const QString name = u"onnxruntime-python313-cuda12_8-sm90-avx2"_s;
        QVERIFY(of(judged(name, recipe("pythonSupport = false;")), u"wheel-other"_s));
        QVERIFY(!of(judged(name, recipe("pythonSupport = true;")), u"wheel-other"_s));
    }

    // A library builds its wheel for the python3 of its nixpkgs, whichever profile of the branch knows that one.
    void aWheelForAnotherPython_data()
    {
        QTest::addColumn<QByteArray>("set");
        QTest::addColumn<QByteArray>("arguments");
        QTest::addColumn<QByteArray>("fixed");
        QTest::newRow("lines") << "pinned.python312Packages"_ba
                               << "{\n    cudaSupport = true;\n    pythonSupport = true;\n  }"_ba
                               << "    pythonSupport = true;\n    python3Packages = pinned.python312Packages;\n"_ba;
        QTest::newRow("one line") << "pinned.python312Packages"_ba << "{ cudaSupport = true; }"_ba
                                  << "{ cudaSupport = true; python3Packages = pinned.python312Packages; }"_ba;
        QTest::newRow("name") << "python312Packages"_ba << "{ cudaSupport = true; }"_ba
                              << "{ cudaSupport = true; python3Packages = python312Packages; }"_ba;
        QTest::newRow("given") << "pinned.python312Packages"_ba
                               << "{ cudaSupport = true; python3Packages = pinned.python312Packages; }"_ba << ""_ba;
        QTest::newRow("own") << "pinned.python313Packages"_ba << "{ cudaSupport = true; }"_ba << ""_ba;
    }
    void aWheelForAnotherPython()
    {
        QFETCH(const QByteArray, set);
        QFETCH(const QByteArray, arguments);
        QFETCH(const QByteArray, fixed);
        const QString revision = u"6a030d535719c5190187c4cec156f335e95e3211"_s;
        Settings settings;
        for (const auto &[python, cuda] : {std::pair(u"python313"_s, u"12.9"_s), {u"python312"_s, u"12.4"_s}}) {
            Profile profile;
            profile.pin.revision = revision;
            profile.pin.python3 = python == "python313"_L1 ? python : QString();
            settings.profiles.insert({u"onnxruntime"_s, python, cuda}, profile);
        }
        const QString name =
            u"onnxruntime-%1-cuda12_4-sm90-avx2"_s.arg(set.contains("312") ? u"python312"_s : u"python313"_s);
        AuditInput input;
        input.catalog = &widerCatalog();
        input.settings = &settings;
        input.variant = VariantName::parse(name, widerCatalog().isaIds())->variant;
        input.file = recipePath(name);
        input.text = "{ pkgs ? import <nixpkgs> { } }:\nlet\n  pinned = import (builtins.fetchTarball {\n    url = "
                     "\"https://github.com/NixOS/nixpkgs/archive/" +
                     revision.toUtf8() +
                     ".tar.gz\";\n  }) { config.cudaSupport = true; };\n  inherit (pinned) python312Packages;\n"
                     "  native = pinned.onnxruntime.override " +
                     arguments + ";\nin\n" + set + ".onnxruntime.override { onnxruntime = native; }\n";
        const Judgement judgement = audit(input);
        const Finding *finding = of(judgement, u"wheel-other"_s);
        QCOMPARE(finding != nullptr, !fixed.isEmpty());
        if (!finding)
            return;
        QVERIFY(finding->severity == Severity::Error);
        const Result<QByteArray> text = fixedText(input, *finding);
        QVERIFY2(text && text->contains(fixed), text ? text->constData() : qPrintable(text.error().sentence()));
    }

    // A nixpkgs from before torch's support of CUDA 13 marks its torch broken, whoever takes it.
    void aNixpkgsFromBeforeTheToolkit()
    {
        const QByteArray revision = "fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3";
        const auto recipe = [&](const QByteArray &config, const QByteArray &package) {
            return "{ pkgs ? import <nixpkgs> { } }:\nlet\n  pinned = import (fetchTarball { url = "
                   "\"https://github.com/NixOS/nixpkgs/archive/" +
                   revision + ".tar.gz\"; }) {\n    " + config +
                   "\n    overlays = [ (final: prev: { cudaPackages = final.cudaPackages_13_0; }) ];\n  };\nin\n" +
                   package;
        };
        const QByteArray torch = "(pinned.python313Packages.torch.override { cudaSupport = true; gpuTargets = [ "
                                 "\"9.0\" ]; }).overrideAttrs (old: { pname = \"torch\"; })\n";
        const QByteArray vision =
            "pinned.python313Packages.torchvision.overrideAttrs (old: { pname = \"torchvision\"; })\n";
        const QString torchName = u"pytorch-python313-cuda13_0-sm90-avx2"_s;
        const QString visionName = u"torchvision-python313-cuda13_0-sm90-avx2"_s;
        for (const auto &[name, package] : {std::pair(torchName, torch), {visionName, vision}}) {
            for (const char *config : {"config.allowUnfree = true;", "config = { cudaSupport = true; };"}) {
                const Judgement judgement = judged(name, recipe(config, package));
                const Finding *broken = of(judgement, u"allow-broken-missing"_s);
                QVERIFY2(broken && broken->fixable, config);
                const Finding *magma = of(judgement, u"magma-patch-missing"_s);
                QCOMPARE(magma && magma->fixable, name == torchName);
            }
            for (const char *config : {"config.allowBroken = true;", "config.allowBrokenPredicate = package: true;"})
                QVERIFY(!of(judged(name, recipe(config, package)), u"allow-broken-missing"_s));
            const QByteArray unknown =
                recipe("config.allowUnfree = true;", package).replace(revision, QByteArray(40, 'c'));
            QVERIFY(!of(judged(name, unknown), u"allow-broken-missing"_s));
            const QByteArray older = recipe("config.allowUnfree = true;", package).replace("_13_0", "_12_8");
            QVERIFY(!of(judged(QString(name).replace("13_0"_L1, "12_8"_L1), older), u"allow-broken-missing"_s));
        }
    }

    // The default of an argument that nixpkgs does not have is the recipe's own nixpkgs.
    void aPinAsArgument()
    {
        const QByteArray text =
            "{ pinned ? import (fetchTarball {\n    url = "
            "\"https://github.com/NixOS/nixpkgs/archive/6a030d535719c5190187c4cec156f335e95e3211.tar.gz\";\n  }) { "
            "config = { allowUnfree = true; cudaSupport = true; cudaCapabilities = [ \"8.0\" ]; }; } }:\n"
            "pinned.gadget.overrideAttrs (old: { CXXFLAGS = \"-mavx2 -mfma -mf16c\"; })\n";
        const QString name = u"gadget-cuda12_8-sm80-avx2"_s;
        QVERIFY(!of(judged(name, text), u"callers-nixpkgs"_s));
    }

    // A flake of nixpkgs is a pin.
    void aFlakeIsAPin()
    {
        const QString revision = u"6a030d535719c5190187c4cec156f335e95e3211"_s;
        const QByteArray flake = "(builtins.getFlake \"github:NixOS/nixpkgs/" + revision.toUtf8() + "\")";
        for (const QByteArray &nixpkgs :
             {"import " + flake + " { config.cudaSupport = true; }",
              "import " + flake + ".outPath { config.cudaSupport = true; }", flake + ".legacyPackages.x86_64-linux"}) {
            const RecipeFacts facts = readFacts(
                RecipeSource("{ }:\nlet\n  set = " + nixpkgs + ";\nin\nset.gadget.overrideAttrs (old: { })\n"));
            QCOMPARE(facts.pins.size(), 1);
            QCOMPARE(facts.pins.constFirst().revision.value, revision);
        }
    }

    void armv9HasManyNotations_data()
    {
        QTest::addColumn<QByteArray>("flag");
        QTest::addColumn<bool>("right");
        for (const char *flag : {"armv9-a", "armv9-a+sve2", "armv9-a+sve+sve2", "armv9-a+sve2+bf16+i8mm"})
            QTest::newRow(flag) << "-march="_ba + flag << true;
        for (const char *flag : {"armv8.2-a+fp16+dotprod", "armv9-a+nosve2", "armv9-a+sve2+sve2-aes", "armv8-a"})
            QTest::newRow(flag) << "-march="_ba + flag << false;
    }
    void armv9HasManyNotations()
    {
        QFETCH(QByteArray, flag);
        QFETCH(bool, right);
        const QString name = u"pytorch-python313-cuda12_9-sm90-armv9"_s;
        Parts parts;
        parts.attributes.replace("-mavx2 -mfma -mf16c", flag).replace("x86_64", "aarch64");
        const Judgement judgement = judged(name, recipe(parts, name));
        QCOMPARE(!of(judgement, u"cpu-flags-missing"_s) && !of(judgement, u"cpu-flags-other"_s), right);
    }
};

Q_DECLARE_METATYPE(Parts)

TM_TEST(AuditTruthTest, QCoreApplication)
#include "tst_audittruth.moc"
