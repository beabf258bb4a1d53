// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
//
// Single defects, planted into recipes that are sound: rendered ones of several templates, and recipes in the shapes
// that people write by hand. Each is found, by the rule that is for it, above a note, and at the words that it is
// about.
#include "tests/support/AuditedText.h"
#include "tests/support/TestMain.h"

#include "model/audit/BranchRules.h"
#include "model/audit/Documents.h"

#include <QCoreApplication>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

/// A recipe that has nothing wrong with it.
struct Base {
    const char *title;
    const char *branch;
    const char *name;
    const char *fixture; ///< "": rendered
};

enum BaseOf {
    Written,
    WrittenCpu,
    WrittenVision,
    WrittenNew,
    TwoStage,
    Pascal,
    Cpu,
    Arm,
    Overlays,
    OverlayCpu,
    Vision
};

constexpr Base bases[] = {
    {"written GPU", "main", "pytorch-python313-cuda12_8-sm90-avx512", "written/gpu.nix"},
    {"written CPU", "main", "pytorch-python313-cpu-avx512vnni", "written/cpu.nix"},
    {"written torchvision", "main", "torchvision-python313-cuda12_8-sm120-armv9", "written/vision.nix"},
    {"written upgrade", "cuda-13_0", "pytorch-python313-cuda13_0-sm89-avx2", "written/upgraded.nix"},
    {"two stages", "main", "pytorch-python313-cuda12_8-sm90-avx2", ""},
    {"Pascal", "main", "pytorch-python313-cuda12_8-sm61-avx", ""},
    {"CPU", "main", "pytorch-python313-cpu-avx512", ""},
    {"ARM", "main", "pytorch-python313-cuda12_8-sm90-armv9", ""},
    {"overlays", "cuda-13_0", "pytorch-python313-cuda13_0-sm90-avx512", ""},
    {"overlay CPU", "cuda-13_0", "pytorch-python313-cpu-avx2", ""},
    {"torchvision", "main", "torchvision-python313-cuda12_8-sm90-avx2", "torchvision-in-place.nix"},
};

struct Defect {
    BaseOf base;
    const char *rule;
    const char *from;
    const char *to;
    const char *at = ""; ///< the words that the finding points at; "": not tested
};

constexpr Defect defects[] = {
    // What it is called.
    {Written, "pname-of-another", "pname = \"pytorch-python313-cuda12_8-sm90-",
     "pname = \"pytorch-python313-cuda12_8-sm89-"},
    {Written, "passthru-other", "cpuISA = \"avx512\"", "cpuISA = \"avx2\"", "avx2"},
    {Written, "text-architecture-other", "(SM90, Hopper)", "(SM89, Hopper)", "SM89"},
    {Written, "text-architecture-other", "GPU: NVIDIA Hopper (SM90), H100", "GPU: NVIDIA Hopper (SM100), H100",
     "SM100"},
    {Written, "text-cuda-other", "CUDA: 12.8", "CUDA: 12.9", "CUDA: 12.9"},
    {Written, "text-python-other", "Python: 3.13", "Python: 3.11", "Python: 3.11"},
    {Written, "product-elsewhere", "for NVIDIA H100 (SM90", "for NVIDIA L40S (SM90", "L40S"},
    {Written, "product-elsewhere", "target: ${arch} (H100)", "target: ${arch} (H100, A100)", "A100"},
    {Written, "product-elsewhere", "you have an H100.", "you have an RTX 4090.", "RTX 4090"},
    {Written, "driver-low", "NVIDIA 525+", "NVIDIA 470+", "470"},
    {Written, "platforms-extra", "[ \"x86_64-linux\" ]", "[ \"x86_64-linux\" \"aarch64-linux\" ]"},
    {Written, "platforms-extra", "[ \"x86_64-linux\" ]", "oldAttrs.meta.platforms or [ ]"},
    {Written, "platforms-missing", "      platforms = [ \"x86_64-linux\" ];\n", ""},
    // What it is built from.
    {Written, "pin-other", "fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3", "6a030d535719c5190187c4cec156f335e95e3211",
     "6a030d535719c5190187c4cec156f335e95e3211"},
    {Written, "revision-unknown", "fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3", "fe5e41d7ffc0421f0913",
     "fe5e41d7ffc0421f0913"},
    {Written, "pin-moves", "fe5e41d7ffc0421f0913e8472ce6238ed0daf8e3", "nixos-25.05", "nixos-25.05"},
    {Written, "hash-empty", "8e3.tar.gz\";", "8e3.tar.gz\"; sha256 = \"\";", "\"\""},
    {Written, "toolkit-not-selected",
     "    overlays = [ (final: prev: { cudaPackages = final.cudaPackages_12_8; }) ];\n", ""},
    {Written, "cuda-overlay-other", "final.cudaPackages_12_8", "final.cudaPackages_12_9", "cudaPackages_12_9"},
    {Written, "python-other", "nixpkgs_pinned.python313Packages", "nixpkgs_pinned.python312Packages",
     "python312Packages"},
    {Written, "attribute-alias", "Packages.torch.override", "Packages.pytorch.override", "pytorch"},
    {Written, "attribute-other", "Packages.torch.override", "Packages.torchvision.override", "torchvision"},
    {Written, "pin-missing", "(nixpkgs_pinned.python313", "(pkgs.python313"},
    // What it is built for.
    {Written, "gpu-targets-notation", "arch = \"9.0\"", "arch = \"sm_90\"", "sm_90"},
    {Written, "gpu-targets-other", "arch = \"9.0\"", "arch = \"8.9\"", "8.9"},
    {Written, "gpu-targets-no-list", "gpuTargets = [ arch ]", "gpuTargets = \"9.0\"", "\"9.0\""},
    {Written, "gpu-targets-no-list", "gpuTargets = [ arch ]", "gpuTargets = arch"},
    {Written, "gpu-targets-missing", "    gpuTargets = [ arch ];\n", ""},
    {Written, "gpu-targets-extra", "[ arch ]", "[ arch \"10.0\" ]", "10.0"},
    {Written, "cuda-support-other", "cudaSupport = true;\n    gpu", "cudaSupport = false;\n    gpu", "false"},
    {Written, "cpu-flags-missing", "    \"-mavx512vl\"\n", ""},
    {Written, "cpu-flags-missing", "      export CFLAGS=", "      export LDFLAGS="},
    {Written, "cpu-flags-other", "    \"-mfma\"\n", "    \"-mfma\"\n    \"-mavx512bf16\"\n", "-mavx512bf16"},
    {Written, "syntax", "\"-mfma\"\n  ];", "\"-mfma\"\n  );"},
    // Without CUDA.
    {WrittenCpu, "cuda-support-other", "allowUnfree = true;", "allowUnfree = true; cudaSupport = true;"},
    {WrittenCpu, "cuda-support-other", "-DUSE_CUDA=OFF", "-DUSE_CUDA=ON", "ON"},
    {WrittenCpu, "cuda-support-other", "export USE_CUDA=0", "export USE_CUDA=1", "1"},
    {WrittenCpu, "cuda-parts-in-cpu", "    blas\n", "    blas nixpkgs_pinned.cudaPackages.cudnn\n"},
    {WrittenCpu, "callers-nixpkgs", "blas = nixpkgs_pinned.openblas", "blas = pkgs.openblas", "openblas"},
    {WrittenCpu, "cpu-elsewhere", "Cascade Lake+ (2019)", "Skylake-SP+ (2017)", "Skylake-SP"},
    {WrittenCpu, "text-architecture-other", "for the CPU alone", "for the CPU and SM90", "SM90"},
    {WrittenCpu, "cpu-flags-missing", "    \"-mavx512vnni\"  # INT8\n", ""},
    {WrittenCpu, "python-other", "nixpkgs_pinned.python3Packages", "nixpkgs_pinned.python311Packages"},
    // A companion.
    {WrittenVision, "companion-torch-missing", "    torch = customPytorch;\n", ""},
    {WrittenVision, "companion-arch-list-missing", "      export TORCH_CUDA_ARCH_LIST=\"${gpuArchNum}\"\n", ""},
    {WrittenVision, "companion-torch-output", "customPytorch.out", "customPytorch"},
    {WrittenVision, "cpu-elsewhere", "Neoverse V2, Graviton4+", "Neoverse V2, Graviton3+", "Graviton3"},
    {WrittenVision, "platforms-other", "[ \"aarch64-linux\" ]", "[ \"x86_64-linux\" ]", "x86_64-linux"},
    {WrittenVision, "driver-low", "NVIDIA 570+", "NVIDIA 550+", "550"},
    {WrittenVision, "gpu-targets-other", "gpuArchNum = \"12.0\"", "gpuArchNum = \"12.1\"", "12.1"},
    {WrittenVision, "companion-torch-other", "customPytorch = (nixpkgs_pinned.", "customPytorch = (pkgs."},
    // A torch that is newer than its nixpkgs.
    {WrittenNew, "hash-empty", "sha256-RKiZLHBCneMtZKRgTEuW1K7+Jpi+tx11BMXuS1jC1xQ=", "", "\"\""},
    {WrittenNew, "hash-empty", "hash = \"sha256-i9InbxD5HtfonB/GyF9nQhFmok3jZ73RxGcIciGBGvU=\"",
     "hash = prev.lib.fakeHash"},
    {WrittenNew, "torch-hash-other", "sha256-RKiZLHBC", "sha256-AKiZLHBC"},
    {WrittenNew, "source-revision-other", "rev = \"v${torchVersion}\"", "rev = \"v2.9.1\"", "v2.9.1"},
    {WrittenNew, "source-repository-other", "owner = \"pytorch\"", "owner = \"pytorch-fork\"", "pytorch-fork"},
    {WrittenNew, "submodules-missing", "fetchSubmodules = true", "fetchSubmodules = false", "false"},
    {WrittenNew, "submodules-missing", "                fetchSubmodules = true;\n", ""},
    {WrittenNew, "torch-version-other", "version = torchVersion;", "version = \"2.9.1\";", "2.9.1"},
    {WrittenNew, "torch-overlay-dead", "(nixpkgs_pinned.python3Packages", "(nixpkgs_pinned.python313Packages"},
    {WrittenNew, "allow-broken-missing", " allowBroken = true;", ""},
    {WrittenNew, "magma-patch-missing", "magma = prev.magma", "blas = prev.magma"},
    {WrittenNew, "magma-patch-other", "235aefb7b064954fce09d035c69907ba8a87cbcd",
     "0000000000000000000000000000000000000000"},
    {WrittenNew, "magma-patch-other",
     "\"cuda-13.0-clockrate-fix.patch\";\n              url = \"https://github.com/icl-utk-edu",
     "\"cuda-13.1.patch\";\n              url = \"https://github.com/other"},
    {WrittenNew, "magma-patch-other", "sha256-i9InbxD5", "sha256-j9InbxD5"},
    {WrittenNew, "build-number-other", "\"-DTORCH_BUILD_VERSION=${torchVersion}\"", "\"-DTORCH_BUILD_VERSION=2.9.1\"",
     "2.9.1"},
    {WrittenNew, "build-number-other", "-DCUDA_VERSION=13.0", "-DCUDA_VERSION=12.9", "12.9"},
    {WrittenNew, "build-version", "export PYTORCH_BUILD_VERSION=${torchVersion}", "export PYTORCH_BUILD_VERSION=2.9.1",
     "2.9.1"},
    {WrittenNew, "cccl-missing", "    ln -s ", "    echo "},
    {WrittenNew, "find-cudatoolkit-missing", "> cmake/Modules/FindCUDAToolkit.cmake", "> cmake/FindCUDAToolkit.cmake"},
    {WrittenNew, "text-cuda-other", "(SM89) on CUDA 13.0", "(SM89) on CUDA 12.8", "CUDA 12.8"},
    // What the templates render.
    {TwoStage, "gpu-targets-other", "gpuArchSM = \"9.0\"", "gpuArchSM = \"12.0\"", "12.0"},
    {TwoStage, "cpu-flags-f16c", "    \"-mf16c\"  # half-precision conversion\n", ""},
    {TwoStage, "product-elsewhere", "GPU: H100", "GPU: H100, B200", "B200"},
    {Pascal, "cudnn-unsupported", "USE_CUDNN=0", "USE_CUDNN=1", "1"},
    {Pascal, "avx-switches-missing", "    export USE_FBGEMM=0\n", ""},
    {Pascal, "cpu-flags-other", "\"-mno-fma\"", "\"-mfma\"", "-mfma"},
    {Cpu, "cuda-support-other", "cudaSupport = false", "cudaSupport = true", "true"},
    {Cpu, "platforms-other", "[ \"x86_64-linux\" ]", "[ \"aarch64-linux\" ]", "aarch64-linux"},
    {Arm, "cpu-flags-missing", "armv9-a+sve+sve2", "armv8.5-a+sve", "-march=armv8.5-a+sve"},
    {Arm, "cpu-elsewhere", "Neoverse V2", "Neoverse V1", "Neoverse V1"},
    {Overlays, "torch-overlay-dead", "(nixpkgs_pinned.python3Packages", "(nixpkgs_pinned.python313Packages"},
    {Overlays, "submodules-missing", "                fetchSubmodules = true;\n", ""},
    {Overlays, "allow-broken-missing", "      allowBroken = true;", "      # allowBroken = true;"},
    {Overlays, "magma-off", "\"-DCUDA_VERSION=13.0\"", "\"-DCUDA_VERSION=13.0\" \"-DUSE_MAGMA=OFF\""},
    {OverlayCpu, "build-version", "> version.txt", "> other.txt"},
    {OverlayCpu, "source-revision-other", "rev = \"v${version}\"", "rev = \"v2.8.0\"", "v2.8.0"},
    {Vision, "gpu-targets-other", "ARCH_LIST=\"${gpuArchNum}\"", "ARCH_LIST=8.9", "8.9"},
    {Vision, "cuda-support-other", "    cudaSupport = true;\n    gpu", "    cudaSupport = false;\n    gpu"},
};

AuditInput inputOfBase(const Base &base)
{
    const QString branch = QString::fromLatin1(base.branch);
    const QString name = QString::fromLatin1(base.name);
    return tmx::testing::inputOf(
        branch, name, *base.fixture ? fixtureText(QString::fromLatin1(base.fixture)) : renderedText(branch, name));
}

QByteArray replacedOnce(QByteArray text, const QByteArray &from, const QByteArray &to)
{
    const qsizetype at = text.indexOf(from);
    return at < 0 ? QByteArray() : text.replace(at, from.size(), to);
}

/// The number of edits of each line that the audit reports.
QList<qsizetype> editsOf(const QByteArray &text, const Documented &facts)
{
    QList<qsizetype> numbers;
    for (const OutdatedLine &line : auditDocument(text, facts))
        numbers.append(line.edits.size());
    return numbers;
}

} // namespace

class AuditPlantedTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void sound_data()
    {
        QTest::addColumn<int>("index");
        for (int i = 0; i < int(std::size(bases)); ++i)
            QTest::newRow(bases[i].title) << i;
    }
    void sound()
    {
        QFETCH(const int, index);
        const Judgement judgement = audit(inputOfBase(bases[index]));
        QStringList found;
        for (const Finding &finding : judgement.findings) {
            if (finding.severity > Severity::Note)
                found.append(finding.rule + u": "_s + finding.sentence);
        }
        QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
    }

    void found_data()
    {
        QVERIFY(std::size(defects) >= 60);
        QTest::addColumn<int>("index");
        for (int i = 0; i < int(std::size(defects)); ++i)
            QTest::addRow("%d %s: %s", i, bases[defects[i].base].title, defects[i].rule) << i;
    }
    void found()
    {
        QFETCH(const int, index);
        const Defect &defect = defects[index];
        AuditInput input = inputOfBase(bases[defect.base]);
        input.text = replacedOnce(input.text, defect.from, defect.to);
        QVERIFY2(!input.text.isEmpty(), "there is nothing to change");
        const Judgement judgement = audit(input);
        const auto found = std::ranges::find(judgement.findings, QString::fromLatin1(defect.rule), &Finding::rule);
        QVERIFY2(found != judgement.findings.cend(), qPrintable(u"found: "_s + rulesOf(judgement).join(u' ')));
        QVERIFY(found->severity > Severity::Note);
        if (!*defect.at)
            return;
        const QByteArray line = input.text.split('\n').at(found->line - 1);
        QCOMPARE(line.mid(found->column - 1, found->length), QByteArray(defect.at));
    }

    /// What a rule remembers of one catalog says nothing about another one.
    void productsAreTheCatalogsOwn()
    {
        const auto rulesWith = [](const std::shared_ptr<const Catalog> &catalog) {
            AuditInput input = inputOfBase(bases[TwoStage]);
            input.catalog = catalog.get();
            input.text.replace("GPU: H100", "GPU: H100, Board 7");
            return rulesOf(audit(input));
        };
        // The first may be freed, and the next one may take its place.
        for (int round = 0; round < 3; ++round) {
            QVERIFY(!rulesWith(std::make_shared<Catalog>(*builtInCatalog())).contains(u"product-elsewhere"_s));
            auto other = std::make_shared<Catalog>(*builtInCatalog());
            for (GpuRow &row : other->rows) {
                if (row.id == "sm120"_L1)
                    row.products.append(u"Board 7"_s);
            }
            QVERIFY(rulesWith(other).contains(u"product-elsewhere"_s));
        }
    }

    /// The README of a branch: its statements about itself, and about others.
    void readme_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QList<int>>("lines"); // of findings
        const auto row = [](const char *title, const QByteArray &text, const QList<int> &lines) {
            QTest::newRow(title) << text << lines;
        };
        row("right", "> You are on the `main` branch: PyTorch 2.8.0 (3 variants)\n", {});
        row("stale", "# Builds\n\n> You are on the `main` branch: PyTorch 2.8.0 (4 variants)\n", {3});
        row("this branch", "This branch builds PyTorch: 5 variants for all GPUs, and 9 recipes of tools.\n", {1});
        row("with further ones", "This branch builds 4 variants for GPUs, plus 1 CPU-only variant.\n", {1});
        row("with wrong further ones",
            "This branch builds 4 variants for GPUs, plus 3 CPU-only variants and 1 Darwin MPS variant.\n", {1, 1, 1});
        row("right with further ones", "This branch builds 2 variants for GPUs, plus 1 CPU-only variant.\n", {});
        row("of a part", "This branch has 2 variants for GPUs, and one without.\n", {});
        row("another branch", "`next` has 77 variants.\nThe `dev` branch: 12 variants.\n", {});
        row("a tree", "```\n└── pkgs/   # Nix recipes (17 variants on main)\n```\n", {2});
        row("a table",
            "| Branch | PyTorch | Variants |\n|---|---|---|\n| **`main`** ⬅️ | 2.8.0 | **4** |\n| `next` | 2.9 | 66 |\n",
            {3});
        row("no column of counts", "| Branch | CUDA |\n|---|---|\n| main | 12 |\n", {});
        row("our own", "<!-- torch-matrix: begin -->\n4 variants: PyTorch 2.8.0.\n<!-- torch-matrix: end -->\n", {2});
        row("ours elsewhere", "4 variants: PyTorch 2.8.0.\n", {});
        row("a total", "### Total: 4 variants (3 GPU + 1 CPU)\n", {1, 1});
        row("a total of two branches", "Total: 3 variants (12 on `main`)\n", {});
        row("parts of a right total", "**Total: 3 variants** (1 GPU + 2 CPU-only, all Python 3.13).\n", {1, 1});
        row("parts by toolkit", "Total: 4 variants (3 CUDA 12.8 + 1 CPU-only)\n", {1, 1});
        row("a toolkit", "**CUDA 12.8: 3 variants** (3 x86_64 + 0 aarch64). **Total: 4 variants**.\n", {1, 1, 1});
        row("a right toolkit", "**CUDA 12.8: 2 variants** (2 x86_64 + 0 aarch64). **Total: 3 variants**.\n", {});
        row("a toolkit of others", "CUDA 12.9: 7 variants\n", {});
        row("a right total", "### Total: 3 variants (2 GPU + 1 CPU)\n", {});
        row("a total of branches", "**Total: 52 variants** across 3 branches (43 on main, 9 on gone).\n", {});
        row("a row of totals",
            "| PyTorch | Python | Variants |\n|---|---|---|\n| 2.8.0 | 3.13 | 3 |\n| **Total** | | **5** |\n", {4});
        row("a table of toolkits", "| CUDA | Variants |\n|---|---|\n| 12.8 | 3 |\n| 12.9 | 7 |\n", {3});
        row("a pin",
            "| Nixpkgs | [`bbbbbb1`](https://github.com/NixOS/nixpkgs/tree/bbbbbb1bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb) "
            "|\n",
            {1});
        row("a right pin", "- Nixpkgs: `" + QByteArray(12, 'a') + "`\n", {});
        row("a former pin", "- nixpkgs pin: bbbbbb1 -> aaaaaaa\n", {});
        row("the pin of another branch", "| `next` | nixpkgs `bbbbbb1` |\n| `other-branch` | nixpkgs `bbbbbb1` |\n",
            {});
        row("a lost branch", "    git checkout gone\n    git checkout next\n    git checkout -b mine\n", {1});
        row("versions", "On this branch Python 3.13 variants are built, and 2.8 variants.\n", {});
    }
    void readme()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QList<int>, lines);
        const QList<Variant> recipes{{u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s},
                                     {u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx512"_s},
                                     {u"pytorch"_s, u"python313"_s, {}, u"cpu"_s, u"avx2"_s}};
        QList<int> found;
        const Documented facts{.branch = u"main"_s,
                               .recipes = recipes,
                               .pins = {QString(40, u'a')},
                               .branches = {u"main"_s, u"next"_s, u"dev"_s},
                               .repositoryNames = {u"matrix"_s}};
        const QList<OutdatedLine> outdated = auditDocument(text, facts);
        Edits edits;
        for (const OutdatedLine &line : outdated) {
            found.append(line.finding.line);
            const bool ours = text.contains("torch-matrix: begin");
            const bool isEdited = !ours && line.finding.rule != "document-branch-missing"_L1;
            QCOMPARE(!line.edits.isEmpty(), isEdited);
            edits += line.edits;
            QVERIFY2(line.finding.advice.contains(ours       ? u"\"readme --apply\" writes"_s
                                                  : isEdited ? u"\"plan --apply\" writes"_s
                                                             : u"Name one"_s),
                     qPrintable(line.finding.advice));
        }
        QCOMPARE(found, lines);
        // After the edits it is true.
        if (const auto after = edited(text, edits); after && !edits.isEmpty())
            QCOMPARE(auditDocument(*after, facts).size(), 0);
    }

    /// A count that has parts which are not known is not changed alone: they would contradict each other.
    void countsOfOneBranch()
    {
        const Documented facts{.branch = u"main"_s,
                               .recipes = {{u"gadget"_s, {}, u"12.8"_s, u"sm90"_s, u"avx2"_s},
                                           {u"gadget"_s, {}, u"12.8"_s, u"sm90"_s, u"avx512"_s}},
                               .pins = {},
                               .branches = {u"main"_s}};
        const auto edits = [&facts](const QByteArray &text) { return editsOf(text, facts); };
        QCOMPARE(edits("Total: 4 variants (3 fast + 1 slow)\n"), QList<qsizetype>{0});
        QCOMPARE(edits("Total: 4 variants (see below)\n"), QList<qsizetype>{1});
        QCOMPARE(edits("12 variants of gadget for servers\n"), QList<qsizetype>{1});
        QCOMPARE(edits("This branch has 5 variants for GPUs, plus 1 fast variant\n"), QList<qsizetype>{0});
        QCOMPARE(edits("This branch has 5 variants, with 1 fast variant in them\n"), QList<qsizetype>{1});
        QCOMPARE(edits("2 variants of Gadget\n"), QList<qsizetype>{});
        QCOMPARE(edits("12 variants of widget\n"), QList<qsizetype>{});
    }

    /// A line that says of all recipes what is true of some does not get their number.
    void countsOfOneToolkit()
    {
        const Documented facts{.branch = u"main"_s,
                               .recipes = {{u"gadget"_s, u"python313"_s, u"12.8"_s, u"sm90"_s, u"avx2"_s},
                                           {u"gadget"_s, u"python312"_s, u"12.9"_s, u"sm90"_s, u"avx2"_s}},
                               .pins = {},
                               .branches = {u"main"_s}};
        const auto edits = [&facts](const QByteArray &text) { return editsOf(text, facts); };
        const QList<qsizetype> reported{0};
        const QList<qsizetype> changed{1};
        QCOMPARE(edits("This branch builds gadget with CUDA 12.8 (4 variants)\n"), reported);
        QCOMPARE(edits("This branch builds gadget with CUDA 13.0 (4 variants)\n"), reported);
        QCOMPARE(edits("This branch builds gadget with CUDA 12.8 and CUDA 12.9 (4 variants)\n"), changed);
        QCOMPARE(edits("Total: 4 variants, all Python 3.13\n"), reported);
        QCOMPARE(edits("Total: 4 variants\n"), changed);
        QCOMPARE(edits("CUDA 12.8: 1 variant. Total: 4 variants.\n"), reported);
        QCOMPARE(edits("CUDA 12.8: 1 variant. CUDA 12.9: 1 variant. Total: 4 variants.\n"), changed);
        const QByteArray head = "| Branch | CUDA | Variants |\n|---|---|---|\n";
        QCOMPARE(edits(head + "| main | 12.8 | 4 |\n"), reported);
        QCOMPARE(edits(head + "| main | both | 4 |\n"), changed);
    }

    void ignoresNoRuleThatDoesNotExist()
    {
        const auto catalog = builtInCatalog();
        Settings settings = *catalog->settings(u"main"_s);
        settings.ignored = {{u"driver-low"_s, {}, u"tried"_s}, {u"driver-lwo"_s, {}, u"tried"_s}};
        const QList<Finding> found = auditSettings(*catalog, settings);
        QCOMPARE(found.size(), 1);
        QCOMPARE(found.constFirst().rule, u"ignore-unknown"_s);
        QVERIFY(found.constFirst().severity == Severity::Warning);
        QVERIFY(found.constFirst().sentence.contains(u"driver-lwo"_s));
    }

    /// Settings that were made from others with the same pin.
    void versionOfTheSamePin()
    {
        const auto catalog = builtInCatalog();
        const ProfileSelector pytorch{.families = {u"pytorch"_s}};
        Settings former = *catalog->settings(u"main"_s);
        // The catalog has no settings with it.
        former.set(&Profile::pin, NixpkgsPin{u"1111111111111111111111111111111111111112"_s, {}, {}});
        Settings settings = former;
        settings.set(&Profile::version, u"2.10.0"_s, pytorch);
        QVERIFY(auditSettings(*catalog, former).isEmpty());
        QVERIFY(auditSettings(*catalog, settings).isEmpty());
        QVERIFY(auditSettings(*catalog, former, &former).isEmpty());
        const QList<Finding> found = auditSettings(*catalog, settings, &former);
        QCOMPARE(found.size(), 1);
        QCOMPARE(found.constFirst().rule, u"version-not-of-pin"_s);
        QCOMPARE(toString(found.constFirst().severity), u"error"_s);
        for (const QString &words : {u"hashes.pytorch"_s, u"nix-prefetch-git"_s, u"refs/tags/v2.10.0"_s,
                                     u"--fetch-submodules"_s, u"https://github.com/pytorch/pytorch"_s})
            QVERIFY2(found.constFirst().advice.contains(words), qPrintable(found.constFirst().advice));
        // What the catalog knows to be wrong stays wrong.
        Settings wrong = *catalog->settings(u"main"_s);
        wrong.set(&Profile::version, u"2.9.1"_s, pytorch);
        QCOMPARE(auditSettings(*catalog, wrong, &wrong).size(), 1);
        // If the version of recipes is unknown, a stated version is not a different one.
        former.set(&Profile::version, QString(), pytorch);
        QVERIFY(auditSettings(*catalog, former, &former).isEmpty());
        const QList<Finding> unknown = auditSettings(*catalog, settings, &former);
        QCOMPARE(unknown.size(), 1);
        QVERIFY2(unknown.constFirst().sentence.contains(u"It is unknown whether nixpkgs 1111111111 has"_s) &&
                     unknown.constFirst().advice.contains(u"settings set versions.pytorch 2.10.0"_s),
                 qPrintable(unknown.constFirst().sentence + unknown.constFirst().advice));
        settings.set(&Profile::sourceHash, u"sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="_s, pytorch);
        QVERIFY(auditSettings(*catalog, settings, &former).isEmpty());
    }
};

TM_TEST(AuditPlantedTest, QCoreApplication)
#include "tst_auditplanted.moc"
