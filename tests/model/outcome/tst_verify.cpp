// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/outcome/Verify.h"

#include "model/base/Programs.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/FileText.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>

#include <cstring>
#include <functional>

using namespace Qt::StringLiterals;
using namespace tmx;
using State = VerifyCheck::State;

namespace {

/// What the script said of PyTorch 2.11.0+cu130 from a wheel on an H100 machine, shortened; the flags of a build for
/// AVX-512 put in.
QJsonObject onHopper()
{
    return QJsonDocument::fromJson(R"({
        "format": 1, "python": "3.12.3", "machine": "x86_64",
        "torch": {"imported": true, "version": "2.11.0+cu130", "file": "/x/torch/__init__.py"},
        "config": "PyTorch built with:\n  - GCC 13.3\n  - CUDA Runtime 13.0\n  - NVCC architecture flags: -gencode;arch=compute_90,code=sm_90\n  - Build settings: BLAS_INFO=mkl, CXX_FLAGS= -O2 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -Wall, USE_CUDA=ON, \n",
        "cuda": {"version": "13.0", "available": true, "arch_list": ["sm_90"], "computed": true,
                 "devices": [{"name": "NVIDIA H100 80GB HBM3", "capability": [9, 0]}]},
        "libraries": [{"name": "libtorch_cuda.so", "size": 456142457, "ptx": {},
                       "code": {"sm_90": 50473256, "sm_103": 1471736, "sm_89": 182752}}],
        "size": 1000})")
        .object();
}

VerifyExpectation expected(const Variant &variant, const QString &torch = u"2.11.0"_s,
                           const QString &family = u"2.11.0"_s)
{
    return expectationOf(*testing::builtInCatalog(), variant, torch, family);
}

const Variant hopper = testing::torchOn("13.0", "sm90", "avx512");

QString stateOf(const QList<VerifyCheck> &checks, const QString &id)
{
    for (const VerifyCheck &check : checks) {
        if (check.id == id)
            return check.state == State::Passed   ? u"passed"_s
                   : check.state == State::Failed ? u"failed"_s
                                                  : u"unknown"_s;
    }
    return {};
}

template <class T>
void put(QByteArray &bytes, qsizetype at, T value)
{
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

/// A library with machine code for these architectures, as nvcc lays it out: fat binary containers in .nv_fatbin.
QByteArray library(const QList<int> &architectures)
{
    QByteArray fat;
    for (const int architecture : architectures) {
        QByteArray entry(64 + 128, '\0');
        put<quint16>(entry, 0, 2); // machine code
        put<quint16>(entry, 2, 0x101);
        put<quint32>(entry, 4, 64);
        put<quint64>(entry, 8, 128);
        put<quint32>(entry, 28, quint32(architecture));
        QByteArray container(16, '\0');
        put<quint32>(container, 0, 0xBA55ED50);
        put<quint16>(container, 4, 1);
        put<quint16>(container, 6, 16);
        put<quint64>(container, 8, quint64(entry.size()));
        fat += container + entry + QByteArray(24, '\0'); // filled up
    }
    const QByteArray names("\0.nv_fatbin\0.shstrtab\0", 22);
    const qsizetype table = 64 + fat.size() + names.size();
    QByteArray elf(64, '\0');
    std::memcpy(elf.data(),
                "\x7f"
                "ELF\x02\x01\x01",
                7);
    put<quint64>(elf, 0x28, quint64(table));
    put<quint16>(elf, 0x3A, 64);
    put<quint16>(elf, 0x3C, 3);
    put<quint16>(elf, 0x3E, 2);
    const auto header = [](quint32 name, quint32 kind, quint64 offset, quint64 size) {
        QByteArray bytes(64, '\0');
        put<quint32>(bytes, 0, name);
        put<quint32>(bytes, 4, kind);
        put<quint64>(bytes, 24, offset);
        put<quint64>(bytes, 32, size);
        return bytes;
    };
    return elf + fat + names + QByteArray(64, '\0') + header(1, 1, 64, quint64(fat.size())) +
           header(12, 3, quint64(64 + fat.size()), quint64(names.size()));
}

/// A result of a build with a PyTorch that a test can import: Python files that answer as PyTorch does.
class StandInResult
{
public:
    StandInResult()
    {
        m_python = QFileInfo(QFile::symLinkTarget(findProgram(u"python3"_s))).fileName(); // "python3.13"
        write(u"torch/version.py"_s, "__version__ = '2.11.0'\ncuda: Optional[str] = '13.0'\n");
        write(u"torch/__init__.py"_s, "from . import __config__, cuda\nclass version:\n    cuda = '13.0'\n"
                                      "__version__ = '2.11.0'\nprint('a warning of an import')\n");
        write(u"torch/__config__.py"_s, "def show():\n    return 'PyTorch built with:\\n  - Build settings: CXX_FLAGS= "
                                        "-mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma, USE_CUDA=ON'\n");
        write(u"torch/cuda.py"_s, "def is_available():\n    return False\n");
        write(u"torch/lib/libtorch_cuda.so"_s, library({90, 90, 90}));
        write(u"torch/lib/libcudnn.so"_s, library({50, 100}));
        QDir().mkpath(m_folder.filePath(u"bin"_s));
        QFile::link(findProgram(u"python3"_s), m_folder.filePath(u"bin/"_s + m_python));
    }
    [[nodiscard]] QString path() const { return m_folder.path(); }
    void write(const QString &file, const QByteArray &text) const
    {
        tmx::test::putFile(m_folder.filePath(u"lib/"_s + m_python + u"/site-packages/"_s + file), text);
    }
    void removePython() const { QVERIFY(QFile::remove(m_folder.filePath(u"bin/"_s + m_python))); }

private:
    QTemporaryDir m_folder;
    QString m_python;
};

} // namespace

using Edit = std::function<void(QJsonObject &)>;

class tst_Verify : public QObject
{
    Q_OBJECT

    static void set(QJsonObject &facts, const QString &object, const QString &key, const QJsonValue &value)
    {
        QJsonObject inner = facts.value(object).toObject();
        inner.insert(key, value);
        facts.insert(object, inner);
    }

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void judges_data()
    {
        QTest::addColumn<Variant>("variant");
        QTest::addColumn<Edit>("change");
        QTest::addColumn<QString>("check");
        QTest::addColumn<QString>("state");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const Variant &variant, const Edit &change, const QString &check,
                            const QString &state, const QString &says) {
            QTest::newRow(name) << variant << change << check << state << says;
        };
        const Edit nothing = [](QJsonObject &) {};
        for (const char *check : {"import", "version", "cuda", "arch", "flags", "compute"})
            row(check, hopper, nothing, QString::fromLatin1(check), u"passed"_s, {});
        row(
            "not imported", hopper,
            [](QJsonObject &f) {
                set(f, u"torch"_s, u"imported"_s, false);
                set(f, u"torch"_s, u"error"_s, u"OSError: libcuda.so.1"_s);
            },
            u"import"_s, u"failed"_s, u"libcuda.so.1"_s);
        row(
            "files only", hopper, [](QJsonObject &f) { set(f, u"torch"_s, u"imported"_s, QJsonValue()); }, u"import"_s,
            u"unknown"_s, u"files were read"_s);
        row(
            "wrong version", hopper, [](QJsonObject &f) { set(f, u"torch"_s, u"version"_s, u"2.10.0"_s); },
            u"version"_s, u"failed"_s, u"expected 2.11.0"_s);
        row("a longer number", hopper, [](QJsonObject &f) { set(f, u"torch"_s, u"version"_s, u"2.11.01"_s); },
            u"version"_s, u"failed"_s, {});
        row("a prerelease", hopper, [](QJsonObject &f) { set(f, u"torch"_s, u"version"_s, u"2.11.0a0+git1"_s); },
            u"version"_s, u"failed"_s, {});
        row("no version", hopper, [](QJsonObject &f) { set(f, u"torch"_s, u"version"_s, QString()); }, u"version"_s,
            u"unknown"_s, {});
        row("another CUDA", testing::torchOn("12.8", "sm90", "avx512"), nothing, u"cuda"_s, u"failed"_s,
            u"CUDA 13.0, expected 12.8"_s);
        row(
            "without CUDA", hopper, [](QJsonObject &f) { set(f, u"cuda"_s, u"version"_s, QJsonValue()); }, u"cuda"_s,
            u"failed"_s, u"without CUDA"_s);
        row("CUDA in a CPU build", testing::torchOn("", "cpu", "avx512"), nothing, u"cuda"_s, u"failed"_s,
            u"expected none"_s);
        row("another GPU", testing::torchOn("13.0", "sm80", "avx512"), nothing, u"arch"_s, u"failed"_s,
            u"No code for sm_80"_s);
        row(
            "wider GPUs", hopper,
            [](QJsonObject &f) { set(f, u"cuda"_s, u"arch_list"_s, QJsonArray{u"sm_80"_s, u"sm_90"_s}); }, u"arch"_s,
            u"failed"_s, u"get_arch_list() has sm_80, sm_90"_s);
        row("the architecture's own features", hopper,
            [](QJsonObject &f) { set(f, u"cuda"_s, u"arch_list"_s, QJsonArray{u"sm_90a"_s, u"sm_90"_s}); }, u"arch"_s,
            u"passed"_s, {});
        row(
            "flags tell where the list is empty", hopper,
            [](QJsonObject &f) { set(f, u"cuda"_s, u"arch_list"_s, QJsonArray()); }, u"arch"_s, u"passed"_s,
            u"the build flags"_s);
        row(
            "libraries tell where nothing else does", hopper,
            [](QJsonObject &f) {
                set(f, u"cuda"_s, u"arch_list"_s, QJsonArray());
                f.remove(u"config"_s);
            },
            u"arch"_s, u"passed"_s, u"the code in the libraries"_s);
        row(
            "wider by the libraries", hopper,
            [](QJsonObject &f) {
                set(f, u"cuda"_s, u"arch_list"_s, QJsonArray());
                f.remove(u"config"_s);
                QJsonObject library = f.value(u"libraries"_s).toArray().at(0).toObject();
                library.insert(u"code"_s, QJsonObject{{u"sm_90"_s, 100}, {u"sm_80"_s, 90}});
                f.insert(u"libraries"_s, QJsonArray{library});
            },
            u"arch"_s, u"failed"_s, u"sm_80, sm_90"_s);
        row("nothing tells", hopper,
            [](QJsonObject &f) {
                f.remove(u"cuda"_s);
                f.remove(u"config"_s);
                f.remove(u"libraries"_s);
            },
            u"arch"_s, u"unknown"_s, {});
        row("GPU code in a CPU build", testing::torchOn("", "cpu", "avx512"), nothing, u"arch"_s, u"failed"_s,
            u"expected none"_s);
        row("flags missing", testing::torchOn("13.0", "sm90", "avx512bf16"), nothing, u"flags"_s, u"failed"_s,
            u"-mavx512bf16"_s);
        row(
            "wider flags", testing::torchOn("13.0", "sm90", "avx2"),
            [](QJsonObject &f) { f.insert(u"config"_s, u"CXX_FLAGS= -mavx2 -mfma -mf16c -mavx512f, X"_s); }, u"flags"_s,
            u"failed"_s, u"-mavx512f"_s);
        row("flags not said", hopper, [](QJsonObject &f) { f.insert(u"config"_s, u"CUDA"_s); }, u"flags"_s,
            u"unknown"_s, {});
        row("another GPU here", testing::torchOn("13.0", "sm80", "avx512"), nothing, u"compute"_s, u"unknown"_s,
            u"compute capability 9.0, not 8.0"_s);
        row(
            "does not compute", hopper,
            [](QJsonObject &f) {
                set(f, u"cuda"_s, u"computed"_s, false);
                set(f, u"cuda"_s, u"error"_s, u"no kernel image"_s);
            },
            u"compute"_s, u"failed"_s, u"no kernel image"_s);
        row(
            "computes something else", hopper, [](QJsonObject &f) { set(f, u"cuda"_s, u"computed"_s, false); },
            u"compute"_s, u"failed"_s, u"It computed a wrong sum on NVIDIA H100"_s);
    }

    void judges()
    {
        QFETCH(Variant, variant);
        QFETCH(Edit, change);
        QFETCH(QString, check);
        QFETCH(QString, state);
        QFETCH(QString, says);
        QJsonObject facts = onHopper();
        change(facts);
        const QList<VerifyCheck> checks = judgeTorch(facts, expected(variant));
        QCOMPARE(checks.size(), 6);
        QCOMPARE(stateOf(checks, check), state);
        if (state == "failed"_L1)
            QVERIFY(!passed(checks));
        QString said;
        for (const VerifyCheck &one : checks)
            said += one.id == check ? one.sentence : QString();
        QVERIFY2(said.contains(says), qPrintable(said));
    }

    /// What the script said of PyTorch 2.11.0+cu130 from a wheel, on an H100 with driver 580.159.04: imported, imported
    /// without a GPU, by its files alone, with torchvision. A wheel is built for six architectures and any x86 CPU, so
    /// it is none of our variants, and that is all that is found wrong with it. Its fat binaries, read by the script,
    /// held what cuobjdump listed in each of the three libraries with GPU code.
    void judgesARealPyTorch_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("package");
        QTest::addColumn<QString>("states"); // import, version, cuda, arch, flags, compute
        QTest::newRow("imported") << u"imported"_s << u"pytorch"_s << u"passed passed passed failed failed passed"_s;
        QTest::newRow("no GPU") << u"nogpu"_s << u"pytorch"_s << u"passed passed passed failed failed unknown"_s;
        QTest::newRow("files") << u"files"_s << u"pytorch"_s << u"unknown passed passed failed unknown unknown"_s;
        QTest::newRow("vision") << u"vision"_s << u"torchvision"_s << u"passed passed passed failed failed passed"_s;
    }
    void judgesARealPyTorch()
    {
        QFETCH(QString, file);
        QFETCH(QString, package);
        QFETCH(QString, states);
        QFile json(TM_FIXTURES "/verify/h100-wheel-"_L1 + file + ".json"_L1);
        QVERIFY(json.open(QIODevice::ReadOnly));
        const QJsonObject facts = QJsonDocument::fromJson(json.readAll()).object();
        const Variant variant{package, u"python313"_s, u"13.0"_s, u"sm90"_s, u"avx512"_s};
        const auto judged = [&facts](const VerifyExpectation &wanted) {
            const QList<VerifyCheck> checks = judgeTorch(facts, wanted);
            QStringList found;
            for (const QString &id : {u"import"_s, u"version"_s, u"cuda"_s, u"arch"_s, u"flags"_s, u"compute"_s})
                found.append(stateOf(checks, id));
            return found;
        };
        const VerifyExpectation wanted = package == "pytorch"_L1 ? expected(variant, u"2.11.0"_s, u"2.11.0"_s)
                                                                 : expected(variant, u"2.11.0"_s, u"0.26.0"_s);
        QCOMPARE(judged(wanted).join(u' '), states);
        // What is wrong is found: the version, the toolkit, GPU code where none is wanted.
        VerifyExpectation other = wanted;
        other.version = u"2.9.0"_s;
        QCOMPARE(judged(other).at(1), u"failed"_s);
        other = wanted;
        other.cuda = u"12.8"_s;
        QCOMPARE(judged(other).at(2), u"failed"_s);
        other = wanted;
        other.capability.clear();
        QCOMPARE(judged(other).at(3), u"failed"_s);
    }

    /// The same wheel on an H100, as a build for one variant is: the GPU code of all architectures but one was taken
    /// out of its libraries, and its own arch list and C++ flags were changed to what was left. Imported, it computed
    /// on the GPU (sm_90) or could not (sm_80); cuobjdump listed the one architecture in each library. In "version" the
    /// text of torch/version.py was another one.
    void judgesAPyTorchForOneVariant_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("row");
        QTest::addColumn<QString>("isa");
        QTest::addColumn<bool>("passes");
        QTest::addColumn<QString>("states"); // import, version, cuda, arch, flags, compute
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const char *file, const char *gpu, const char *isa, bool passes,
                            const char *states, const char *says) {
            const auto text = [](const char *latin1) { return QString::fromLatin1(latin1); };
            QTest::newRow(name) << text(file) << text(gpu) << text(isa) << passes << text(states) << text(says);
        };
        row("itself", "sm90", "sm90", "avx512", true, "passed passed passed passed passed passed",
            "Compiled for sm_90 only, by get_arch_list().");
        row("no GPU", "sm90-nogpu", "sm90", "avx512", true, "passed passed passed passed passed unknown",
            "Compiled for sm_90 only, by the code in the libraries.");
        row("files", "sm90-files", "sm90", "avx512", true, "unknown passed passed passed unknown unknown",
            "Compiled for sm_90 only, by the code in the libraries.");
        row("another version", "sm90-version", "sm90", "avx512", false, "passed failed passed passed passed passed",
            "Version 2.10.0+cu130, expected 2.11.0.");
        row("another GPU", "sm90", "sm100", "avx512", false, "passed passed passed failed passed unknown",
            "No code for sm_100; get_arch_list() has sm_90.");
        row("other flags", "sm90", "sm90", "avx2", false, "passed passed passed passed failed passed",
            "Compiled without -mavx2, -mf16c.");
        row("for a CPU", "sm90", "", "avx512", false, "passed passed failed failed passed unknown",
            "GPU code for sm_90, expected none.");
        row("older itself", "sm80", "sm80", "avx2", true, "passed passed passed passed passed unknown",
            "The GPU here, NVIDIA H100 80GB HBM3, has compute capability 9.0, not 8.0.");
        row("older", "sm80", "sm90", "avx512", false, "passed passed passed failed failed failed",
            "It could not compute on NVIDIA H100 80GB HBM3: AcceleratorError: CUDA error: no kernel image is available "
            "for "
            "execution on the device|");
    }
    void judgesAPyTorchForOneVariant()
    {
        QFETCH(QString, file);
        QFETCH(QString, row);
        QFETCH(QString, isa);
        QFETCH(bool, passes);
        QFETCH(QString, states);
        QFETCH(QString, says);
        QFile json(TM_FIXTURES "/verify/h100-"_L1 + file + ".json"_L1);
        QVERIFY(json.open(QIODevice::ReadOnly));
        const Variant variant{u"pytorch"_s, u"python312"_s, row.isEmpty() ? QString() : u"13.0"_s,
                              row.isEmpty() ? u"cpu"_s : row, isa};
        const QList<VerifyCheck> checks =
            judgeTorch(QJsonDocument::fromJson(json.readAll()).object(), expected(variant, u"2.11.0"_s, u"2.11.0"_s));
        QStringList found;
        for (const QString &id : {u"import"_s, u"version"_s, u"cuda"_s, u"arch"_s, u"flags"_s, u"compute"_s})
            found.append(stateOf(checks, id));
        QCOMPARE(found.join(u' '), states);
        QCOMPARE(passed(checks), passes);
        QString said;
        for (const VerifyCheck &check : checks)
            said += check.sentence + u'|';
        QVERIFY2(said.contains(says), qPrintable(said));
    }

    void passesNothingThatIsNotKnown()
    {
        QVERIFY(passed(judgeTorch(onHopper(), expected(hopper))));
        QVERIFY(!passed(judgeTorch({}, expected(hopper))));
        QVERIFY(!passed({}));
    }

    void judgesCompanions()
    {
        const Variant vision{u"torchvision"_s, u"python313"_s, u"13.0"_s, u"sm90"_s, u"avx512"_s};
        const VerifyExpectation wanted = expected(vision, u"2.11.0"_s, u"0.26.0"_s);
        QCOMPARE(wanted.module, u"torchvision"_s);
        QJsonObject facts = onHopper();
        QCOMPARE(stateOf(judgeTorch(facts, wanted), u"version"_s), u"unknown"_s);
        facts.insert(u"module"_s,
                     QJsonObject{{u"name"_s, u"torchvision"_s}, {u"imported"_s, true}, {u"version"_s, u"0.26.0"_s}});
        QVERIFY(passed(judgeTorch(facts, wanted)));
        QCOMPARE(stateOf(judgeTorch(facts, expected(vision, u"2.10.0"_s, u"0.26.0"_s)), u"version"_s), u"failed"_s);
        QCOMPARE(stateOf(judgeTorch(facts, expected(vision, u"2.11.0"_s, u"0.25.0"_s)), u"version"_s), u"failed"_s);
    }

    /// For each instruction set: its own flags pass, and flags of a set that it does not include fail.
    void knowsTheFlagsOfEachSet()
    {
        for (const Isa &isa : testing::builtInCatalog()->isas) {
            const Variant variant = testing::torchOn("", "cpu", qPrintable(isa.id));
            const VerifyExpectation wanted = expected(variant);
            for (const QString &flag : isa.flags)
                QVERIFY2(!wanted.foreign.contains(flag), qPrintable(isa.id + flag));
            QJsonObject facts;
            facts.insert(u"config"_s, u"CXX_FLAGS= "_s + isa.flags.join(u' ') + u", X"_s);
            QCOMPARE(stateOf(judgeTorch(facts, wanted), u"flags"_s), u"passed"_s);
            for (const QString &flag : wanted.foreign) {
                facts.insert(u"config"_s, u"CXX_FLAGS= "_s + isa.flags.join(u' ') + u' ' + flag + u", X"_s);
                QCOMPARE(stateOf(judgeTorch(facts, wanted), u"flags"_s), u"failed"_s);
            }
        }
    }

    void importsAResult()
    {
        const StandInResult result;
        const Result<Verification> verification = verifyResult(result.path(), expected(hopper));
        QVERIFY_OK(verification);
        QVERIFY2(verification->imported, QJsonDocument(toJson(*verification)).toJson().constData());
        QVERIFY(verification->passed());
        QCOMPARE(stateOf(verification->checks, u"import"_s), u"passed"_s);
        QCOMPARE(stateOf(verification->checks, u"version"_s), u"passed"_s);
        // There is no GPU that could report the list: it comes from PyTorch's own libraries.
        QCOMPARE(stateOf(verification->checks, u"arch"_s), u"passed"_s);
        QCOMPARE(verification->facts.value(u"libraries"_s).toArray().size(), 1);
        QCOMPARE(stateOf(verification->checks, u"flags"_s), u"passed"_s);
        QCOMPARE(toJson(*verification).value(u"passed"_s).toBool(), true);

        QVERIFY(!verifyResult(result.path(), expected(hopper, u"2.10.0"_s, u"2.10.0"_s))->passed());
        QVERIFY(!verifyResult(result.path(), expected(testing::torchOn("13.0", "sm80", "avx512")))->passed());
        QVERIFY(!verifyResult(result.path(), expected(testing::torchOn("13.0", "sm90", "avx512bf16")))->passed());
        result.write(u"torch/lib/libtorch_cuda.so"_s, library({80, 90}));
        QVERIFY(!verifyResult(result.path(), expected(hopper))->passed());
    }

    void readsTheFilesWhereItCannotImport()
    {
        const StandInResult result;
        result.removePython();
        const Result<Verification> verification = verifyResult(result.path(), expected(hopper));
        QVERIFY_OK(verification);
        QVERIFY(!verification->imported);
        QVERIFY(verification->whyNotImported.contains("no Python"_L1));
        QCOMPARE(stateOf(verification->checks, u"import"_s), u"unknown"_s);
        QCOMPARE(stateOf(verification->checks, u"version"_s), u"passed"_s);
        QCOMPARE(stateOf(verification->checks, u"arch"_s), u"passed"_s);
        QVERIFY(verification->passed());
        const Result<Verification> arm =
            verifyResult(result.path(), expected(testing::torchOn("13.0", "sm90", "armv9")));
        QVERIFY_OK(arm);
        QVERIFY(arm->whyNotImported.contains("aarch64-linux"_L1));
    }

    void nothingIsNoPyTorch()
    {
        const QTemporaryDir empty;
        for (const Variant &variant : {testing::torchOn("13.0", "sm90", "avx512"),
                                       Variant{u"pytorch"_s, u"python313"_s, {}, u"cpu"_s, u"avx2"_s}}) {
            const Result<Verification> verification = verifyResult(empty.path(), expected(variant));
            QVERIFY_OK(verification);
            QVERIFY(!verification->passed());
            QCOMPARE(stateOf(verification->checks, u"import"_s), u"failed"_s);
            QVERIFY2(verification->checks.constFirst().sentence.contains(u"has no torch"_s),
                     qPrintable(verification->checks.constFirst().sentence));
            for (const VerifyCheck &check : verification->checks)
                QVERIFY(check.state != VerifyCheck::State::Passed);
        }
    }

    void saysWhyAnImportFails()
    {
        const StandInResult result;
        result.write(u"torch/__init__.py"_s, "raise ImportError('libfoo.so: cannot open')\n");
        Result<Verification> verification = verifyResult(result.path(), expected(hopper));
        QVERIFY_OK(verification);
        QCOMPARE(stateOf(verification->checks, u"import"_s), u"failed"_s);
        QVERIFY(!verification->passed());
        // A package that kills its Python, or never ends: the files are read nevertheless.
        result.write(u"torch/__init__.py"_s, "import os\nos.kill(os.getpid(), 11)\n");
        verification = verifyResult(result.path(), expected(hopper));
        QVERIFY_OK(verification);
        QVERIFY(!verification->imported);
        QVERIFY2(!verification->whyNotImported.isEmpty(), qPrintable(verification->whyNotImported));
        QCOMPARE(stateOf(verification->checks, u"arch"_s), u"passed"_s);
        result.write(u"torch/__init__.py"_s, "import signal\nsignal.pause()\n");
        verification = verifyResult(result.path(), expected(hopper), {}, 2);
        QVERIFY_OK(verification);
        QVERIFY2(verification->whyNotImported.contains("longer than 2 s"_L1), qPrintable(verification->whyNotImported));
        QVERIFY_ERROR(verifyResult(u"/nonexistent"_s, expected(hopper)), u"no such result"_s);
    }

    void bearsAnyLibrary()
    {
        const StandInResult result;
        QByteArray whole = library({90, 80});
        for (const qsizetype cut : {0, 10, 63, 64, 80, 100, 200, 400}) {
            result.write(u"torch/lib/libtorch_cuda.so"_s, whole.first(std::min(cut, whole.size())));
            QVERIFY_OK(verifyResult(result.path(), expected(hopper)));
        }
        for (qsizetype at = 0; at < whole.size(); at += 13) {
            QByteArray changed = whole;
            changed[at] = '\xff';
            result.write(u"torch/lib/libtorch_%1.so"_s.arg(at), changed);
        }
        QVERIFY_OK(verifyResult(result.path(), expected(hopper)));
    }
};

TM_TEST(tst_Verify, QCoreApplication)
#include "tst_verify.moc"
