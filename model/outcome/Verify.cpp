// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/outcome/Verify.h"

#include "model/base/Process.h"
#include "model/base/Programs.h"
#include "model/base/Tr.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>
#include <QRegularExpression>
#include <QSysInfo>
#include <QTemporaryDir>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using State = VerifyCheck::State;

constexpr qsizetype mostOutput = 4 * 1024 * 1024;
constexpr int mostClosure = 20'000;

/// "2.11.0+cu130" is a build of 2.11.0; "2.8.0a0+gitabc" is not a build of 2.8.0.
bool isVersion(const QString &found, const QString &expected)
{
    return found == expected || found.startsWith(expected + u'+');
}

VerifyCheck check(const QString &id, State state, const QString &sentence)
{
    return {id, state, sentence};
}

/// "sm_90", "sm_90a" and "9.0" as 90.
int numberOf(QString arch)
{
    static const QRegularExpression digits(uR"(\d+)"_s);
    const QRegularExpressionMatch match = digits.match(arch.remove(u'.'));
    return match.hasMatch() ? match.captured().toInt() : 0;
}

QStringList textsOf(const QJsonArray &array)
{
    QStringList texts;
    for (const QJsonValue &value : array)
        texts.append(value.toString());
    return texts;
}

VerifyCheck judgeImport(const QJsonObject &facts, const VerifyExpectation &expected)
{
    const QString id = u"import"_s;
    for (const auto &[name, entry] : {std::pair(u"torch"_s, facts.value(u"torch"_s).toObject()),
                                      {expected.module, facts.value(u"module"_s).toObject()}}) {
        if (entry.value(u"imported"_s).isBool() && !entry.value(u"imported"_s).toBool())
            return check(id, State::Failed,
                         Tr::tr("Python cannot import %1: %2").arg(name, entry.value(u"error"_s).toString().left(500)));
    }
    const QJsonObject entry = facts.value(expected.module == "torch"_L1 ? u"torch"_s : u"module"_s).toObject();
    if (entry.value(u"imported"_s).toBool())
        return check(id, State::Passed,
                     Tr::tr("Python %1 imports %2.").arg(facts.value(u"python"_s).toString(), expected.module));
    return check(id, State::Unknown, Tr::tr("%1 was not imported; its files were read.").arg(expected.module));
}

VerifyCheck judgeVersion(const QJsonObject &facts, const VerifyExpectation &expected)
{
    const QString id = u"version"_s;
    const bool companion = expected.module != "torch"_L1;
    const QString torch = facts.value(u"torch"_s).toObject().value(u"version"_s).toString();
    const QString own = companion ? facts.value(u"module"_s).toObject().value(u"version"_s).toString() : torch;
    if (own.isEmpty() || expected.version.isEmpty())
        return check(id, State::Unknown,
                     own.isEmpty() ? Tr::tr("The version is unknown.")
                                   : Tr::tr("Version %1; the branch settings name none.").arg(own));
    if (!isVersion(own, expected.version))
        return check(id, State::Failed, Tr::tr("Version %1, expected %2.").arg(own, expected.version));
    if (companion && !torch.isEmpty() && !expected.torch.isEmpty() && !isVersion(torch, expected.torch))
        return check(id, State::Failed, Tr::tr("It uses PyTorch %1, expected %2.").arg(torch, expected.torch));
    return check(id, State::Passed, Tr::tr("Version %1.").arg(own));
}

VerifyCheck judgeCuda(const QJsonObject &facts, const VerifyExpectation &expected)
{
    const QString id = u"cuda"_s;
    const QJsonObject cuda = facts.value(u"cuda"_s).toObject();
    if (cuda.isEmpty())
        return check(id, State::Unknown, Tr::tr("It is unknown whether it is built with CUDA."));
    const QString found = cuda.value(u"version"_s).toString();
    if (expected.cuda.isEmpty() && found.isEmpty())
        return check(id, State::Passed, Tr::tr("Built without CUDA."));
    if (expected.cuda.isEmpty())
        return check(id, State::Failed, Tr::tr("Built with CUDA %1, expected none.").arg(found));
    if (found.isEmpty())
        return check(id, State::Failed, Tr::tr("Built without CUDA, expected CUDA %1.").arg(expected.cuda));
    if (found != expected.cuda && !found.startsWith(expected.cuda + u'.'))
        return check(id, State::Failed, Tr::tr("CUDA %1, expected %2.").arg(found, expected.cuda));
    return check(id, State::Passed, Tr::tr("CUDA %1.").arg(found));
}

/// Architectures from the program, from the build's flags, or from the code in the libraries: the first that is known.
struct Architectures {
    QSet<int> numbers;
    QString source;
};

Architectures architecturesOf(const QJsonObject &facts)
{
    Architectures found;
    const auto add = [&found](const QStringList &names) {
        for (const QString &name : names) {
            if (const int number = numberOf(name); name.startsWith("sm_"_L1) && number > 0)
                found.numbers.insert(number);
        }
        return !found.numbers.isEmpty();
    };
    found.source = u"get_arch_list()"_s;
    if (add(textsOf(facts.value(u"cuda"_s).toObject().value(u"arch_list"_s).toArray())))
        return found;
    found.source = Tr::tr("the build flags");
    static const QRegularExpression line(uR"(NVCC architecture flags: ([^\n]*))"_s);
    static const QRegularExpression code(uR"(code=(sm_\d+[af]?))"_s);
    QStringList names;
    for (auto match = code.globalMatch(line.match(facts.value(u"config"_s).toString()).captured(1)); match.hasNext();)
        names.append(match.next().captured(1));
    if (add(names))
        return found;
    found.source = Tr::tr("the code in the libraries");
    // A few kernels are always compiled for additional architectures: in PyTorch 2.11 those had 0.1 to 3 percent of the
    // bytes of the most common one.
    QMap<int, double> bytes;
    for (const QJsonValue &library : facts.value(u"libraries"_s).toArray()) {
        const QJsonObject code = library.toObject().value(u"code"_s).toObject();
        for (auto it = code.begin(); it != code.end(); ++it)
            bytes[numberOf(it.key())] += it.value().toDouble();
    }
    const double most = bytes.isEmpty() ? 0 : *std::max_element(bytes.begin(), bytes.end());
    for (auto it = bytes.begin(); it != bytes.end(); ++it) {
        if (it.key() > 0 && it.value() >= most / 10)
            found.numbers.insert(it.key());
    }
    return found;
}

VerifyCheck judgeArchitectures(const QJsonObject &facts, const VerifyExpectation &expected)
{
    const QString id = u"arch"_s;
    const Architectures found = architecturesOf(facts);
    QList<int> sorted(found.numbers.begin(), found.numbers.end());
    std::sort(sorted.begin(), sorted.end());
    QStringList names;
    for (const int number : sorted)
        names.append(u"sm_%1"_s.arg(number));
    const QString list = names.join(u", "_s);
    if (expected.capability.isEmpty())
        return found.numbers.isEmpty() ? check(id, State::Passed, Tr::tr("No GPU code."))
                                       : check(id, State::Failed, Tr::tr("GPU code for %1, expected none.").arg(list));
    if (found.numbers.isEmpty())
        return check(id, State::Unknown,
                     Tr::tr("Neither PyTorch nor its libraries say which GPUs they are compiled for."));
    const int wanted = numberOf(expected.capability);
    if (!found.numbers.contains(wanted))
        return check(id, State::Failed, Tr::tr("No code for sm_%1; %2 has %3.").arg(wanted).arg(found.source, list));
    if (found.numbers.size() > 1)
        return check(id, State::Failed,
                     Tr::tr("Compiled for more GPUs than sm_%1: %2 has %3.").arg(wanted).arg(found.source, list));
    return check(id, State::Passed, Tr::tr("Compiled for sm_%1 only, by %2.").arg(wanted).arg(found.source));
}

VerifyCheck judgeFlags(const QJsonObject &facts, const VerifyExpectation &expected)
{
    const QString id = u"flags"_s;
    static const QRegularExpression flagsOf(uR"(CXX_FLAGS=([^,\n]*))"_s);
    const QRegularExpressionMatch match = flagsOf.match(facts.value(u"config"_s).toString());
    if (!match.hasMatch() || expected.flags.isEmpty())
        return check(id, State::Unknown,
                     expected.flags.isEmpty() ? Tr::tr("The variant needs no CPU flags.")
                                              : Tr::tr("PyTorch does not say which CPU flags it was compiled with."));
    const QStringList found = match.captured(1).split(u' ', Qt::SkipEmptyParts);
    QStringList missing;
    for (const QString &flag : expected.flags) {
        if (!found.contains(flag))
            missing.append(flag);
    }
    if (!missing.isEmpty())
        return check(id, State::Failed, Tr::tr("Compiled without %1.").arg(missing.join(u", "_s)));
    QStringList wider;
    for (const QString &flag : found) {
        if (expected.foreign.contains(flag))
            wider.append(flag);
    }
    if (!wider.isEmpty())
        return check(id, State::Failed, Tr::tr("Compiled for wider CPUs, with %1.").arg(wider.join(u", "_s)));
    return check(id, State::Passed, Tr::tr("Compiled with %1.").arg(expected.flags.join(u' ')));
}

VerifyCheck judgeComputing(const QJsonObject &facts, const VerifyExpectation &expected)
{
    const QString id = u"compute"_s;
    const QJsonObject cuda = facts.value(u"cuda"_s).toObject();
    if (expected.capability.isEmpty())
        return check(id, State::Unknown, Tr::tr("The variant uses no GPU."));
    const QJsonObject device = cuda.value(u"devices"_s).toArray().at(0).toObject();
    if (device.isEmpty())
        return check(id, State::Unknown, Tr::tr("This machine has no GPU to test it on."));
    const QJsonArray numbers = device.value(u"capability"_s).toArray();
    const QString capability = u"%1.%2"_s.arg(numbers.at(0).toInt()).arg(numbers.at(1).toInt());
    const QString name = device.value(u"name"_s).toString();
    if (capability != expected.capability)
        return check(
            id, State::Unknown,
            Tr::tr("The GPU here, %1, has compute capability %2, not %3.").arg(name, capability, expected.capability));
    if (!cuda.value(u"computed"_s).toBool()) {
        // CUDA's first line has the error; general advice follows.
        const QString error = cuda.value(u"error"_s).toString().section(u'\n', 0, 0).left(500);
        return check(id, State::Failed,
                     error.isEmpty() ? Tr::tr("It computed a wrong sum on %1.").arg(name)
                                     : Tr::tr("It could not compute on %1: %2").arg(name, error));
    }
    return check(id, State::Passed, Tr::tr("It computes on %1.").arg(name));
}

/// The closure of a path according to Nix, including the path; without Nix only the path.
QStringList closureOf(const QString &result, const std::function<bool()> &stop)
{
    const QString program = findProgram(u"nix-store"_s);
    const QString path = QFileInfo(result).canonicalFilePath();
    if (program.isEmpty() || !path.startsWith("/nix/store/"_L1))
        return {path};
    const ProcessRun run = runProcess(
        {.program = program, .arguments = {u"-qR"_s, path}, .timeout = std::chrono::seconds(60)}, mostOutput, stop);
    const QStringList paths = QString::fromUtf8(run.output).split(u'\n', Qt::SkipEmptyParts);
    return run.outcome.succeeded() && !paths.isEmpty() ? paths.first(std::min<qsizetype>(paths.size(), mostClosure))
                                                       : QStringList{path};
}

/// Total size of the files below a folder without following links; 0 if it was stopped.
qint64 folderSize(const QString &folder, const std::function<bool()> &stop)
{
    qint64 size = 0;
    QDirIterator files(folder, QDir::Files | QDir::Hidden | QDir::NoSymLinks, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        if (stop && stop())
            return 0;
        size += files.nextFileInfo().size();
    }
    return size;
}

qint64 sizeOf(const QStringList &closure, const std::function<bool()> &stop)
{
    if (!closure.value(0).startsWith("/nix/store/"_L1))
        return folderSize(closure.value(0), stop);
    const QString program = findProgram(u"nix-store"_s);
    if (program.isEmpty())
        return 0;
    const ProcessRun run = runProcess({.program = program,
                                       .arguments = QStringList{u"-q"_s, u"--size"_s} + closure,
                                       .timeout = std::chrono::seconds(60)},
                                      mostOutput, stop);
    qint64 size = 0;
    for (const QByteArray &line : run.output.split('\n'))
        size += line.trimmed().toLongLong();
    return run.outcome.succeeded() ? size : 0;
}

QString sitePackagesOf(const QString &path)
{
    const QDir lib(path + u"/lib"_s);
    for (const QString &python : lib.entryList({u"python3*"_s}, QDir::Dirs)) {
        const QString folder = lib.filePath(python + u"/site-packages"_s);
        if (QFileInfo(folder).isDir())
            return folder;
    }
    return {};
}

/// Creates a folder with only the host's driver libraries: the rest of the library folder would break Nix's glibc.
void linkDriver(const QString &folder)
{
    static const QStringList places = u"/run/opengl-driver/lib /usr/lib/x86_64-linux-gnu /usr/lib/aarch64-linux-gnu "
                                      "/usr/lib64 /usr/lib/wsl/lib /usr/local/cuda/compat /usr/lib"_s.split(u' ');
    for (const QString &name : {u"libcuda.so.1"_s, u"libnvidia-ml.so.1"_s, u"libnvidia-ptxjitcompiler.so.1"_s}) {
        for (const QString &place : places) {
            const QFileInfo file(place + u'/' + name);
            if (!file.exists())
                continue;
            static_cast<void>(QFile::link(file.canonicalFilePath(), folder + u'/' + name));
            break;
        }
    }
}

Result<QJsonObject> runScript(const QString &python, const QStringList &arguments,
                              const QProcessEnvironment &environment, const QString &folder, int seconds,
                              const std::function<bool()> &stop)
{
    const QString script = folder + u"/verify_torch.py"_s;
    const QString output = folder + u"/facts.json"_s;
    static_cast<void>(QFile::remove(output));
    if (!QFile::exists(script) && !QFile::copy(u":/torch-matrix/verify/verify_torch.py"_s, script))
        return Error{
            Tr::tr("write the script that inspects PyTorch"), script, Tr::tr("the folder cannot be written"), {}};
    ProcessRequest request{.program = python,
                           .arguments = QStringList{u"-s"_s, script, u"--output"_s, output} + arguments,
                           .workingDirectory = folder,
                           .environment = environment,
                           .timeout = std::chrono::seconds(seconds)};
    const ProcessRun run = runProcess(request, 16 * 1024, stop);
    QFile file(output);
    if (run.outcome.succeeded() && file.open(QIODevice::ReadOnly)) {
        const QJsonObject facts = QJsonDocument::fromJson(file.read(mostOutput)).object();
        if (!facts.isEmpty())
            return facts;
    }
    const QString last = QString::fromUtf8(run.output).trimmed().section(u'\n', -1).left(300);
    const QString why = run.outcome.timedOut           ? Tr::tr("it took longer than %1 s").arg(seconds)
                        : run.outcome.stopped          ? Tr::tr("it was stopped")
                        : !run.outcome.error.isEmpty() ? run.outcome.error
                        : !last.isEmpty()              ? last
                        : run.outcome.signal > 0       ? Tr::tr("signal %1 ended it").arg(run.outcome.signal)
                                                       : Tr::tr("exit code %1").arg(run.outcome.exitCode);
    return Error{Tr::tr("inspect PyTorch"), python, why, {}};
}

QString nixSystemHere()
{
    const QString cpu =
        QSysInfo::buildCpuArchitecture() == "arm64"_L1 ? u"aarch64"_s : QSysInfo::buildCpuArchitecture();
    return cpu + (QSysInfo::kernelType() == "darwin"_L1 ? u"-darwin"_s : u"-linux"_s);
}

} // namespace

VerifyExpectation expectationOf(const Catalog &catalog, const Variant &variant, const QString &torch,
                                const QString &family)
{
    VerifyExpectation expected;
    const Family *entry = catalog.family(variant.family);
    expected.module = entry ? entry->attribute : u"torch"_s;
    expected.version = family;
    expected.torch = torch;
    expected.cuda = variant.cuda;
    if (const GpuRow *row = catalog.row(variant.row))
        expected.capability = row->capability;
    const Isa *isa = catalog.isa(variant.isa);
    if (!isa)
        return expected;
    expected.flags = isa->flags;
    expected.platform = isa->platform;
    for (const Isa &other : catalog.isas) {
        for (const QString &flag : other.flags) {
            if (other.platform == isa->platform && !isa->flags.contains(flag) && !flag.startsWith("-mno-"_L1) &&
                !expected.foreign.contains(flag))
                expected.foreign.append(flag);
        }
    }
    // A set includes the earlier ones: AVX-512 code may be compiled with -mavx2, and its own list leaves such flags
    // out.
    static const QStringList basic{u"-mavx"_s, u"-mavx2"_s, u"-mfma"_s, u"-mf16c"_s, u"-mbmi"_s, u"-mbmi2"_s};
    const bool wide = std::any_of(isa->flags.begin(), isa->flags.end(),
                                  [](const QString &flag) { return flag.startsWith("-mavx512"_L1); });
    if (wide || isa->flags.contains(u"-mavx2"_s))
        expected.foreign.removeIf([](const QString &flag) { return basic.contains(flag); });
    return expected;
}

QList<VerifyCheck> judgeTorch(const QJsonObject &facts, const VerifyExpectation &expected)
{
    return {judgeImport(facts, expected),        judgeVersion(facts, expected), judgeCuda(facts, expected),
            judgeArchitectures(facts, expected), judgeFlags(facts, expected),   judgeComputing(facts, expected)};
}

bool passed(const QList<VerifyCheck> &checks)
{
    bool anything = false;
    for (const VerifyCheck &check : checks) {
        if (check.state == State::Failed)
            return false;
        anything |= check.state == State::Passed && (check.id == "version"_L1 || check.id == "arch"_L1);
    }
    return anything;
}

PythonOfResult pythonOfResult(const QString &result, const QStringList &closure)
{
    PythonOfResult found;
    found.sitePackages = sitePackagesOf(result);
    const QString version = QFileInfo(QFileInfo(found.sitePackages).path()).fileName(); // "python3.13"
    for (const QString &path : closure) {
        const QFileInfo program(path + u"/bin/"_s + version);
        // Wrapped environments have one too; the plain interpreter has the shortest name.
        if (!version.isEmpty() && program.isExecutable() &&
            (found.program.isEmpty() || program.filePath().size() < found.program.size()))
            found.program = program.filePath();
    }
    // The run-time dependencies of a package, and theirs.
    QStringList next{result};
    QSet<QString> seen;
    while (!next.isEmpty() && seen.size() < mostClosure) {
        const QString path = next.takeFirst();
        if (seen.contains(path))
            continue;
        seen.insert(path);
        if (const QString packages = sitePackagesOf(path); !packages.isEmpty())
            found.packages.append(packages);
        QFile inputs(path + u"/nix-support/propagated-build-inputs"_s);
        if (inputs.open(QIODevice::ReadOnly))
            next += QString::fromUtf8(inputs.read(1024 * 1024)).simplified().split(u' ', Qt::SkipEmptyParts);
    }
    return found;
}

Result<qint64> sizeOfResult(const QString &result, const std::function<bool()> &stop)
{
    const QString path = QFileInfo(result).canonicalFilePath();
    if (path.isEmpty())
        return Error{Tr::tr("find the size of"), result, Tr::tr("there is no such result"), {}};
    const qint64 size = sizeOf(closureOf(path, stop), stop);
    if (size > 0)
        return size;
    return Error{Tr::tr("find the size of"), result, Tr::tr("nix-store does not print it"), {}};
}

namespace {

/// If the package is missing, the absence of GPU code means nothing.
QList<VerifyCheck> checksWithoutPackage(QList<VerifyCheck> checks, const QString &module)
{
    for (VerifyCheck &one : checks)
        one = check(one.id, State::Unknown, Tr::tr("There is nothing to check."));
    checks.first() =
        check(u"import"_s, State::Failed,
              Tr::tr("The result has no %1: there is no folder lib/python3*/site-packages/%1.").arg(module));
    return checks;
}

} // namespace

Result<Verification> verifyResult(const QString &result, const VerifyExpectation &expected,
                                  const std::function<bool()> &stop, int seconds)
{
    const QString path = QFileInfo(result).canonicalFilePath();
    if (path.isEmpty())
        return Error{Tr::tr("verify the build"), result, Tr::tr("there is no such result"),
                     Tr::tr("Build it again: Nix's garbage collector may have deleted it.")};
    Verification verification;
    verification.result = path;
    const QStringList closure = closureOf(path, stop);
    verification.closure = sizeOf(closure, stop);
    const PythonOfResult python = pythonOfResult(path, closure);
    const QString site = python.sitePackages.isEmpty() ? path : python.sitePackages;
    const QTemporaryDir folder;
    const QStringList module{u"--module"_s, expected.module};
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const QString &name : {u"PYTHONHOME"_s, u"PYTHONSTARTUP"_s, u"LD_PRELOAD"_s})
        environment.remove(name);
    environment.insert(u"PYTHONPATH"_s, python.packages.join(u':'));
    environment.insert(u"PYTHONDONTWRITEBYTECODE"_s, u"1"_s);

    if (!expected.platform.isEmpty() && expected.platform != nixSystemHere())
        verification.whyNotImported =
            Tr::tr("This machine is %1, the result is for %2.").arg(nixSystemHere(), expected.platform);
    else if (python.program.isEmpty())
        verification.whyNotImported = Tr::tr("The result's closure has no Python that could import it.");
    else {
        const QString driver = folder.filePath(u"driver"_s);
        if (QDir().mkpath(driver))
            linkDriver(driver);
        environment.insert(u"LD_LIBRARY_PATH"_s, driver);
        const Result<QJsonObject> facts = runScript(python.program, module, environment, folder.path(), seconds, stop);
        if (facts) {
            verification.facts = *facts;
            verification.imported = facts->value(u"torch"_s).toObject().value(u"imported"_s).toBool();
        } else {
            verification.whyNotImported = facts.error().sentence();
        }
    }
    if (verification.facts.isEmpty() && !(stop && stop())) {
        const QString any = python.program.isEmpty() || !verification.whyNotImported.isEmpty()
                                ? findProgram(u"python3"_s)
                                : python.program;
        if (any.isEmpty())
            return Error{Tr::tr("verify the build"), path,
                         Tr::tr("its files are read with Python, which is not installed"), Tr::tr("Install python3.")};
        environment.remove(u"LD_LIBRARY_PATH"_s);
        environment.remove(u"PYTHONPATH"_s);
        TM_TRY(facts,
               runScript(any, module + QStringList{u"--files"_s, site}, environment, folder.path(), seconds, stop));
        verification.facts = *facts;
    }
    verification.checks = judgeTorch(verification.facts, expected);
    if (!verification.imported && !QFileInfo(site + u'/' + expected.module).isDir())
        verification.checks = checksWithoutPackage(verification.checks, expected.module);
    return verification;
}

QJsonObject toJson(const Verification &verification)
{
    static const char *const states[] = {"passed", "failed", "unknown"};
    QJsonArray checks;
    for (const VerifyCheck &check : verification.checks)
        checks.append(QJsonObject{{u"id"_s, check.id},
                                  {u"state"_s, QString::fromLatin1(states[int(check.state)])},
                                  {u"sentence"_s, check.sentence}});
    return {{u"result"_s, verification.result},
            {u"passed"_s, verification.passed()},
            {u"imported"_s, verification.imported},
            {u"why_not_imported"_s, verification.whyNotImported},
            {u"checks"_s, checks},
            {u"closure_bytes"_s, verification.closure},
            {u"facts"_s, verification.facts}};
}

} // namespace tmx
