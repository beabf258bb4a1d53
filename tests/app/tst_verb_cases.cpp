// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Process.h"
#include "model/outcome/OutcomeReader.h"
#include "model/outcome/OutcomeText.h"
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;
using Kind = BuildOutcome::Kind;
using Cause = BuildOutcome::Cause;

namespace {

QByteArray caseText(const QString &name)
{
    QFile file(QStringLiteral(TM_FIXTURES "/cases/") + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no %s", qPrintable(file.fileName()));
    return file.readAll();
}

/// What is printed: `right` must be in it, `wrong` must not. Regular expressions; lines are joined as they are.
struct MachineCase {
    const char *file;
    const char *detected;
    const char *picked; ///< by pick --all-branches, in the sample repository
    const char *wrong = "no NVIDIA GPU|No NVIDIA GPU";
};

const MachineCase machineCases[] = {
    {"01-hw-smi610-b200",
     "(GPU +NVIDIA B200, compute capability 10.0, sm100 \\(from nvidia-smi, by its name\\)\\n){2}driver +610.43.02",
     "^cuda-13_0\\tpytorch-python313-cuda13_0-sm100-avx2\\n(?s:.*)Driver 610.43.02 is new enough(?s:.*)unknown whether "
     "the CPU has"},
    {"02-hw-orin-na", "aarch64-linux(?s:.*)runs +armv8_2\\nGPU +Orin \\(nvgpu\\), compute capability 8.7, sm87",
     "Orin \\(nvgpu\\) \\(compute capability "
     "8.7\\)(?s:.*)pytorch-python313-cpu-armv8_2|pytorch-python313-cpu-armv8_2(?s:.*)Orin \\(nvgpu\\) \\(compute "
     "capability 8.7\\)",
     "driver +[0-9N]|no NVIDIA GPU|x86_64"},
    {"03-hw-thor-table", "aarch64-linux(?s:.*)runs +armv9(?s:.*)NVIDIA Thor, compute capability 11.0, sm110",
     "^cuda-13_0\\tpytorch-python313-cuda13_0-sm110-armv9\\n(?s:.*)this machine's driver is unknown",
     "X{3}|too old|no NVIDIA GPU"}, // the numbers of its driver are masked
    {"04-hw-gb10-csv",
     "aarch64-linux(?s:.*)runs +armv9(?s:.*)NVIDIA GB10, compute capability 12.1, sm121(?s:.*)driver "
     "+580.95.05(?s:.*)compute_cap",
     "^cuda-13_0\\tpytorch-python313-cuda13_0-sm121-armv9\\n", "(GPU +NVIDIA GB10(?s:.*)){2}|no NVIDIA GPU"},
    {"06-hw-titanv-columns",
     "TITAN V, compute capability 7.0, sm70(?s:.*)RTX 5880 Ada Generation, compute capability 8.9, sm89(?s:.*)driver "
     "+570.86.15",
     "sm89-avx2", "Default|sm70-\\w+ +.*cuda13"},
    {"07-hw-mig-list", "(GPU +NVIDIA A100-SXM4-80GB, compute capability 8.0, sm80.*\\n){4}note", "sm80-avx2",
     "MIG|(GPU +NVIDIA(?s:.*)){5}|no NVIDIA GPU"},
    {"10-hw-q-gtx1650ti", "GTX 1650 Ti with Max-Q Design, compute capability 7.5, sm75(?s:.*)driver +510.06",
     "fits once NVIDIA driver 525.60.13 or newer is installed; this machine has 510.06"},
    {"11-hw-collectenv-gb200",
     "aarch64-linux(?s:.*)144 cores\\nruns +armv9(?s:.*)(GPU +HGX GB200, compute capability 10.0, sm100.*\\n){4}driver "
     "+570.124.06",
     "^main\\tpytorch-python313-cuda12_8-sm100-armv9\\n(?s:.*)cuda13_0-sm100-armv9 fits once NVIDIA driver 580"},
    {"12-hw-mismatch", "compute capability unknown(?s:.*)driver +580.173.02(?s:.*)does not reach the GPU",
     "nvidia-smi --query-gpu=name,compute_cap", "driver +580.178|14.2.0|no NVIDIA GPU"},
    {"13-hw-nodevices-5090m", "RTX 5090 Max-Q / Mobile, compute capability 12.0, sm120(?s:.*)does not reach the GPU",
     "sm120-avx2"},
    {"21-cpu-phone-clusters", "aarch64-linux(?s:.*)8 cores\\nruns +armv8_2\\n", "pytorch-python313-cpu-armv8_2",
     "runs +armv9"},
    {"25-cpu-n1-terminal-lscpu", "aarch64-linux(?s:.*)Neoverse-N1(?s:.*)runs +armv8_2\\n",
     "pytorch-python313-cpu-armv8_2", "runs +armv9"},
    {"25-cpu-n1-terminal-lscpu-wrapped", "aarch64-linux(?s:.*)runs +armv8_2\\n", "pytorch-python313-cpu-armv8_2",
     "runs +armv9"},
    {"26-cpu-5950x-wrapped", "x86_64-linux(?s:.*)runs +avx2, avx\\n", "pytorch-python313-cpu-avx2",
     "avx512-|runs +avx\\n"},
};

struct LogCase {
    const char *file;
    Kind kind;
    Cause cause;
    const char *said; ///< in its sentence
    const char *wrong = "^$";
    Retry retry = Retry::Useless;
    int code = 1;
};

const LogCase logCases[] = {
    {"30-log-nvcc-compute50", Kind::CompileError, Cause::GpuArchitecture,
     "CUDA 13.0 does not know compute_50.*CUDA 12.9"},
    {"33-log-patch-hash", Kind::HashMismatch, Cause::Hash,
     "cmake-build-preserve-PYTHONPATH.*sha256-jtBpfGTu/GJjg3GlNz9DX9NXRo7F5I27eOKxjpz10u4=.*overrideAttrs"},
    {"34-log-problems-refusal", Kind::EvaluationError, Cause::Problems,
     "current is 12.9.7.*whole package set in an overlay"},
    {"36-log-collision-pybind", Kind::Failed, Cause::Collision, "torch-2.0.1-dev and python3.10-pybind11-2.10.4",
     "compile"},
    {"37-log-lcuda", Kind::CompileError, Cause::DriverLibrary, "libcuda.so, which belongs to the driver.*stub"},
    {"39-log-relocation-magma", Kind::CompileError, Cause::Relocation, "too large.*config.cudaCapabilities", "crti"},
    {"40-log-gnu-version", Kind::CompileError, Cause::HostCompiler, "gcc up to 12.*backendStdenv"},
    {"41-log-nccl-half-sm61", Kind::CompileError, Cause::Dependency,
     "reduce_copy__types.h of cuda12.6-nccl-2.30.7-1-dev.*compute_61.*other GPUs may build"},
    {"46-log-remote-eof-harmless", Kind::Built, Cause::BuilderUnreachable, "did not answer", "^$", Retry::Useless, 0},
    {"48-log-ptxas-gpu-name", Kind::CompileError, Cause::TritonPtxas, "architecture is right.*TRITON_PTXAS_PATH"},
};

struct RecipeCase {
    const char *file;
    const char *package;
    const char *said;      ///< by audit --notes
    const char *from = ""; ///< another value, for a variation
    const char *to = "";
};

const RecipeCase recipeCases[] = {
    {"50-recipe-sm70-cuda13", "pytorch-python313-cuda13_0-sm70-avx512",
     "error: CUDA 13.0 dropped sm70 .*last toolkit is 12.9.*toolkit-lacks-gpu"},
    {"50-recipe-sm70-cuda13", "pytorch-python313-cuda13_0-sm61-avx512", "error: CUDA 13.0 dropped sm61 .*12.9", "7.0",
     "6.1"},
    {"52-recipe-absolute-path", "pytorch-python313-cuda13_0-sm90-avx512",
     "nix:10:\\d+: error: .*absolute path /home/someone"},
    {"52-recipe-absolute-path", "pytorch-python313-cuda13_0-sm90-avx512",
     "nix:10:\\d+: error: .*absolute path /opt/magma.nix", "/home/someone/build-magma/magma.nix", "/opt/magma.nix"},
    {"53-recipe-companion-cuda-only", "vllm-python313-cuda12_9-sm90-avx512", "error: .*torch.*no CUDA.*cudaSupport"},
    {"53-recipe-companion-cuda-only", "xformers-python313-cuda12_9-sm90-avx512", "error: .*torch.*no CUDA.*cudaSupport",
     "vllm", "xformers"},
    {"53-recipe-companion-cuda-only", "torchaudio-python313-cuda12_9-sm90-avx512",
     "error: .*torch.*no CUDA.*cudaSupport", "vllm", "torchaudio"},
    {"54-recipe-cudapackages-arg", "pytorch-python313-cuda13_0-sm120-avx512",
     "cudaPackages_13_0 is given to torch alone.*toolkit-partial"},
    {"54-recipe-cudapackages-arg", "pytorch-python313-cuda12_9-sm120-avx512",
     "cudaPackages_12_9 is given to torch alone", "cudaPackages_13_0", "cudaPackages_12_9"},
    {"57-recipe-arch-suffix", "pytorch-python313-cuda12_8-sm120-avx512",
     "error: nvcc 12.8 does not know sm_120f: it needs CUDA 12.9"},
    {"57-recipe-arch-suffix-90a", "pytorch-python313-cuda12_8-sm90-avx512",
     "note: \"9.0a\" runs on compute capability 9.0 only"},
    {"57-recipe-arch-suffix-90a", "pytorch-python313-cuda12_8-sm100-avx512",
     "note: \"10.0a\" runs on compute capability 10.0 only", "9.0a", "10.0a"},
    {"60-recipe-wrong-names", "pytorch-python313-cuda12_9-sm120-armv9",
     "R100 under sm120.*Vera Rubin under sm120.*L40S is sm89.*Graviton3.*driver 560"},
};

/// The text, and as it comes out of a coloured terminal and a mail.
QList<QByteArray> caseShapes(const QByteArray &text, const QByteArray &quote)
{
    return {text, quote + QByteArray(text).replace("\n", "\x1b[0m\r\n" + quote)};
}

QString mismatchIn(const QString &text, const char *right, const char *wrong)
{
    if (!QRegularExpression(QString::fromUtf8(right)).match(text).hasMatch())
        return u"not said: "_s + QString::fromUtf8(right) + u'\n' + text;
    const auto match = QRegularExpression(QString::fromUtf8(wrong)).match(text);
    return match.hasMatch() ? u"said: "_s + match.captured() + u'\n' + text : QString();
}

} // namespace

/// What people pasted and what their logCases said, as they stand in public reports, read by the program.
class VerbCasesTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<VerbFixture> m_fixture;
    QTemporaryDir m_folder;

    QString written(const QString &name, const QByteArray &text)
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write");
        return file.fileName();
    }

private Q_SLOTS:
    void initTestCase() { m_fixture = std::make_unique<VerbFixture>(); }
    void init() { QTest::failOnWarning(); }

    void machinesAreRead_data()
    {
        QTest::addColumn<int>("row");
        for (int i = 0; i < int(std::size(machineCases)); ++i)
            QTest::newRow(machineCases[i].file) << i;
    }
    void machinesAreRead()
    {
        QFETCH(int, row);
        const MachineCase &right = machineCases[row];
        const QString name = QString::fromUtf8(right.file);
        for (const QByteArray &text : caseShapes(caseText(name + u".txt"_s), "> ")) {
            const Ran ran = m_fixture->verb({u"detect"_s, u"--from"_s, written(name, text)});
            QCOMPARE(ran.exitCode, 0);
            const bool gpu = !name.contains(u"-cpu-");
            const QString wrong = mismatchIn(QString::fromUtf8(ran.out), right.detected, gpu ? right.wrong : "^$");
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        }
        const Ran picked =
            m_fixture->verb({u"pick"_s, u"--all-branches"_s, u"--on"_s, written(name, caseText(name + u".txt"_s))});
        const QString wrong = mismatchIn(QString::fromUtf8(picked.out + picked.err), right.picked, right.wrong);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }

    void logsAreRead_data()
    {
        QTest::addColumn<int>("row");
        for (int i = 0; i < int(std::size(logCases)); ++i)
            QTest::newRow(logCases[i].file) << i;
    }
    void logsAreRead()
    {
        QFETCH(int, row);
        const LogCase &right = logCases[row];
        const QByteArray text = caseText(QString::fromUtf8(right.file) + u".txt"_s);
        ProcessOutcome process;
        process.started = true;
        process.exitCode = right.code;
        for (const QByteArray &shape : caseShapes(text, "\xe2\x94\x83 ")) {
            const BuildOutcome outcome = outcomeOfLog(
                written(u"log"_s, shape), u"pytorch-python313-cuda12_8-sm90-avx2"_s, process, ResultLink::Found);
            const QString said = outcome.kind == Kind::Built ? remarkOf(outcome) : sentenceOf(outcome);
            QVERIFY2(outcome.kind == right.kind && outcome.cause == right.cause,
                     qPrintable(wordOf(outcome.kind) + u' ' + wordOf(outcome.cause) + u": "_s + said));
            const QString wrong = mismatchIn(said, right.said, right.wrong);
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
            QCOMPARE(retryOf(outcome), right.retry);
        }
        // The same from a file that somebody sent; it does not say how the process ended.
        const Ran told = m_fixture->verb({u"log"_s, u"--from"_s, written(u"log"_s, text), u"--json"_s});
        QCOMPARE(told.json().value(u"cause"_s).toString(), wordOf(right.cause));
        QCOMPARE(told.json().value(u"kind"_s).toString(), wordOf(right.kind));
        QCOMPARE(told.exitCode, right.kind == Kind::Built ? 0 : 1);
    }

    /// From a mail, from a build that succeeded, and a text that is no log.
    void logsAreReadAsTheyAreSent()
    {
        const QByteArray failed =
            "error: builder for '/nix/store/11111111111111111111111111111111-torch-2.9.1.drv' failed "
            "with exit code 1;\n       last 2 log lines:\n       > ld: cannot find -lcudnn: No such "
            "file or directory\n       > collect2: error: ld returned 1 exit status\n";
        const auto told = [this](const QByteArray &text) {
            return m_fixture->verb({u"log"_s, u"--from"_s, written(u"log"_s, text)});
        };
        const Ran quoted = told("Hello, it fails:\n> " + failed.trimmed().replace("\n", "\n> ") + "\n");
        QCOMPARE(quoted.exitCode, 1);
        QVERIFY2(quoted.out.contains("the linker does not find the library cudnn"), quoted.out.constData());
        for (const QByteArray &end :
             {QByteArray("/nix/store/22222222222222222222222222222222-torch-2.9.1\n"),
              QByteArray("Completed build of torch-2.9.1 in Nix expression mode\n"),
              QByteArray("\xe2\x9c\xa8 Build completed successfully. Output created: ./result-x\n")}) {
            const Ran ended = told("building '/nix/store/11111111111111111111111111111111-torch-2.9.1.drv'...\n" + end);
            QVERIFY2(ended.exitCode == 0 && ended.out.contains("that succeeded"), (end + ended.out).constData());
        }
        const Ran none = told("Can somebody have a look? Thanks.\n");
        QVERIFY2(none.exitCode == 1 && none.out.contains("does not say that a build failed"), none.out.constData());
    }

    void recipesAreAudited_data()
    {
        QTest::addColumn<int>("row");
        for (int i = 0; i < int(std::size(recipeCases)); ++i)
            QTest::addRow("%s, %d", recipeCases[i].file, i) << i;
    }
    void recipesAreAudited()
    {
        QFETCH(int, row);
        const RecipeCase &right = recipeCases[row];
        const QString package = QString::fromUtf8(right.package);
        QByteArray text = caseText(QString::fromUtf8(right.file) + u".nix"_s);
        if (*right.from)
            text.replace(right.from, right.to);
        newRepository();
        put(u".flox/pkgs/"_s + package + u".nix"_s, text);
        const Ran ran = audited();
        const QString said = QString::fromUtf8(ran.out).simplified();
        const QString wrong = mismatchIn(said, right.said, "^$");
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }

    /// A folder of imports that the .gitignore of flox init excludes.
    void anIgnoredImportIsFound()
    {
        newRepository();
        const QString recipe = u".flox/pkgs/pytorch-python313-cuda12_9-sm90-avx512.nix"_s;
        put(recipe, caseText(u"51-recipe-lib-ignored.nix"_s));
        put(u".flox/.gitignore"_s, caseText(u"51-recipe-lib-ignored-gitignore.txt"_s));
        put(u".flox/pkgs/lib/mkTorch.nix"_s, "{ ... }: { }\n");
        const Ran ran = audited();
        QCOMPARE(ran.exitCode, 1);
        QVERIFY2(ran.out.contains(recipe.toUtf8() + ":3:") && ran.out.contains("imports .flox/pkgs/lib/mkTorch.nix") &&
                     ran.out.contains("git add --force"),
                 ran.out.constData());
    }

    /// Wrappers of three lines: facts are read through the import, and a finding in lib/ is counted once.
    void wrappersAreReadThroughTheirImport()
    {
        newRepository();
        const QByteArray wrapper = caseText(u"61-repo-torchvision-wrappers.nix"_s);
        put(u".flox/pkgs/lib/vision.nix"_s, caseText(u"61-repo-torchvision-wrappers-lib.nix"_s));
        for (const char *row : {"90", "70"})
            put(u".flox/pkgs/torchvision025-python313-cuda13_0-sm%1-avx512.nix"_s.arg(QString::fromLatin1(row)),
                QByteArray(wrapper).replace("\"90\"", '"' + QByteArray(row) + '"'));
        const Ran audit = audited();
        QVERIFY2(audit.out.count("cuda13_0-sm70-avx512.nix: error: CUDA 13.0 dropped sm70 (Volta)") == 1,
                 (audit.out + QByteArray::number(audit.exitCode) + audit.err).constData());
        QVERIFY2(audit.out.contains("lib/vision.nix:7:53: error: ") && audit.out.contains("(2 recipes)"),
                 audit.out.constData());
        const Ran show = verb({u"show"_s, u"torchvision025-python313-cuda13_0-sm90-avx512"_s});
        QVERIFY2(show.err.contains("TORCH_CUDA_ARCH_LIST=9.0 (lib/vision.nix:4)") &&
                     show.err.contains("cudaPackages_13_0 (lib/vision.nix:10)"),
                 show.err.constData());
        const Ran list = verb({u"list"_s, u"--json"_s});
        QCOMPARE(list.exitCode, 0);
        QVERIFY2(!list.out.contains("\"vision\""), list.out.constData());
    }

    /// Another project's matrix is none of Flox.
    void namesWithoutRecipesAreNoMatrix()
    {
        newRepository();
        QDir(m_folder.filePath(u"repository/.flox"_s)).removeRecursively();
        put(u"variants.txt"_s, caseText(u"64-repo-kernel-builder-variants.txt"_s));
        for (const QString &branch : {u"torch-2.10"_s, u"torch-2.8"_s, u"torch-2.9"_s})
            git({u"branch"_s, branch});
        const Ran ran = audited();
        QCOMPARE(ran.exitCode, 3);
        QVERIFY2(ran.err.contains(".flox/pkgs"), ran.err.constData());
        const Ran list = verb({u"list"_s});
        QVERIFY2(list.exitCode == 0 && (list.out + list.err).contains("no matrix"), (list.out + list.err).constData());
    }

private:
    [[nodiscard]] QString repository() const { return m_folder.filePath(u"repository"_s); }
    void git(const QStringList &arguments) { m_fixture->git(QStringList{u"-C"_s, repository()} + arguments); }
    void newRepository()
    {
        QDir(repository()).removeRecursively();
        QDir().mkpath(repository());
        git({u"init"_s, u"-q"_s, u"-b"_s, u"main"_s});
        put(u".flox/env.json"_s, "{\"version\":1}");
        git({u"add"_s, u"."_s});
        git({u"commit"_s, u"-qm"_s, u"x"_s});
    }
    void put(const QString &path, const QByteArray &text)
    {
        QDir().mkpath(QFileInfo(repository() + u'/' + path).path());
        written(u"repository/"_s + path, text);
    }
    Ran verb(const QStringList &arguments)
    {
        return m_fixture->verb(arguments + QStringList{u"--repo"_s, repository()});
    }
    Ran audited()
    {
        git({u"add"_s, u"."_s});
        git({u"commit"_s, u"-qm"_s, u"y"_s});
        return verb({u"audit"_s, u"--notes"_s});
    }
};

TM_TEST(VerbCasesTest, QCoreApplication)
#include "tst_verb_cases.moc"
