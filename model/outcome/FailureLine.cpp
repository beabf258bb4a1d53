// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/outcome/FailureLine.h"

#include <QList>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using Kind = BuildOutcome::Kind;
using Cause = BuildOutcome::Cause;
using Certainty = BuildOutcome::Certainty;
using Weight = FailureLine::Weight;

constexpr qsizetype longestText = 160;

/// A message whose cause is known. What it captures is BuildOutcome::about.
struct Message {
    const char *pattern;
    Cause cause;
    Kind kind = Kind::CompileError;
    Certainty certainty = Certainty::Certain;
};

/// The first that matches counts, so the more exact ones come first. Spellings of several versions of a program stand
/// together; the quotes differ by locale.
constexpr Message messages[] = {
    // Memory. "cannot allocate memory in static TLS block" is a message of the loader about something else.
    {R"x(^Killed$|: line \d+: +\d+ Killed\b|Killed signal terminated program|due to signal 9\b|terminated with signal 9 \[Killed\]|SIGKILL|virtual memory exhausted|memory exhausted|out of memory allocating|LLVM ERROR: out of memory|[Cc]annot allocate memory(?! in static TLS)|std::bad_alloc|^MemoryError\b|memory allocation of \d+ bytes failed|JavaScript heap out of memory|Out of memory: Killed process|(?<!CUDA )error ?: out of memory|ptxas fatal *: +Memory allocation failure|killed by the OOM killer)x",
     Cause::Memory, Kind::OutOfMemory},
    {R"x(No space left on device|Disk quota exceeded|database or disk is full|\bENOSPC\b)x", Cause::Disk,
     Kind::OutOfDisk},
    {R"x(^ptxas fatal *: *Internal error: writing file)x", Cause::BuildDisk, Kind::OutOfDisk, Certainty::Likely},
    {R"x(Illegal instruction|\bSIGILL\b|due to signal 4\b|ILL_ILLOPN)x", Cause::IllegalInstruction, Kind::Failed},
    {R"x((?:fork|clone|posix_spawn|pthread_create)\b.*Resource temporarily unavailable|can't start new thread)x",
     Cause::Processes, Kind::Failed},

    // The architectures of nvcc, ptxas and their callers.
    {R"x(Unsupported gpu architecture '(?:compute|sm)_')x", Cause::NoArchitecture},
    {R"x(nvcc fatal *: *Unsupported gpu architecture '(\w+)')x", Cause::GpuArchitecture},
    {R"x(nvcc fatal *: *Value '(\w+)' is not defined for option '(?:gpu-architecture|gpu-code|arch|code)')x",
     Cause::GpuArchitecture},
    {R"x(error ?: unsupported CUDA gpu architecture: (\w+))x", Cause::GpuArchitecture},
    {R"x(error ?: Unsupported gpu architecture '(\w+)')x", Cause::GpuArchitecture},
    {R"x(ptxas (?:fatal|error) *: *Value '(\w+)' is not defined for option 'gpu-name'|'(sm_\d+[af]?)' is not a recognized processor)x",
     Cause::PtxasArchitecture},
    {R"x(nvlink fatal *: *Value '(\w+)' is not defined for option 'arch')x", Cause::PtxasArchitecture},
    {R"x(fatal *: *Unsupported \.version ([\d.]+); current version is '([\d.]+)')x", Cause::PtxVersion},
    {R"x((?:CMAKE_)?CUDA_ARCHITECTURES must be (?:non-empty|valid) if set|Failed to detect a default CUDA architecture|CUDA_ARCHITECTURES is empty for target|is set to "native", but no|No (?:supported )?(?:GPU|CUDA) (?:targets|architectures) specified|No CUDA architectures (?:were )?(?:specified|found)|No NVIDIA GPU was detected|Please (?:set|specify) TORCH_CUDA_ARCH_LIST|TORCH_CUDA_ARCH_LIST (?:is not set|must be set|environment variable is not set))x",
     Cause::NoArchitecture},
    {R"x((?:Unknown CUDA arch \(|Unknown CUDA Architecture Name )([^)\s]*)(?:\) or GPU not supported| in ))x",
     Cause::BadArchitecture},
    {R"x(ptxas .*\berror *: .*(?:requires \.target sm_|not supported on \.target|uses too much shared data))x",
     Cause::GpuFeature},
    {R"x(error ?: .*#error .*(?:compute capability|__CUDA_ARCH__|sm_\d\d|GPU architecture))x", Cause::GpuFeature},
    {R"x(error ?: identifier "(?:__h\w+|__half\w*|__nv_bfloat\w*|\w*bf16\w*|__reduce_\w+|__match_\w+|__nanosleep|__dp4a)" is undefined)x",
     Cause::GpuFeature, Kind::CompileError, Certainty::Likely},
    {R"x(error ?: no instance of overloaded function "atomicAdd\w*" matches)x", Cause::GpuFeature, Kind::CompileError,
     Certainty::Likely},

    // The host's compiler and library, below nvcc.
    {R"x(unsupported (GNU|clang) version! *(?:gcc|clang) versions? (?:later than|must be less than) (\d+))x",
     Cause::HostCompiler},
    {R"x(unsupported (GNU|clang|Microsoft Visual Studio) version!)x", Cause::HostCompiler},
    {R"x((?:/gcc[^/ ]*/|/c\+\+/|/lib/gcc/)\S*: ?(?:\d+:)? ?error ?: (?:identifier "__builtin_\w+" is undefined|identifier "__\w+" is undefined|parameter packs not expanded|expected a ))x",
     Cause::HostCompiler, Kind::CompileError, Certainty::Likely},
    {R"x(error ?: exception specification is incompatible with that of previous function "(?:cospi|sinpi|rsqrt)f?")x",
     Cause::HostLibrary},
    {R"x((?:/glibc[^/ ]*/|/bits/|math_functions\.h|crt/math).*error ?: (?:exception specification is incompatible|identifier "_Float\d+x?" is undefined))x",
     Cause::HostLibrary},

    // Linkers: ld, gold, lld, mold.
    {R"x((?:cannot find -l|unable to find library -l|library not found: |library not found for -l)(cuda|nvidia-ml|nvcuvid|nvidia-encode)\b(?![-_.]))x",
     Cause::DriverLibrary},
    {R"x((?:cannot find -l|unable to find library -l|library not found: |library not found for -l)([^\s:]+))x",
     Cause::MissingLibrary},
    {R"x(ld(?:\.\w+)?: (?:error: )?cannot (?:find|open) ([^\s:]+))x", Cause::MissingLibrary},
    {R"x(relocation truncated to fit|relocation R_\w+ out of range|relocation .*out of range|PC-relative offset overflow|R_(?:X86_64|AARCH64)_\w+ .*overflow|relocation overflow)x",
     Cause::Relocation},
    {R"x(ImportError: (?:\S+: )?(lib(?:cuda|nvidia-ml)\.so\S*): cannot open shared object)x", Cause::DriverAtRun},
    {R"x(^(?:ImportError|OSError): .*undefined symbol: (\S+))x", Cause::Abi},
    {R"x(symbol lookup error: .*undefined symbol: (\S+))x", Cause::Abi},
    {R"x(^(?:ImportError|OSError): (?:\S+: )?(\S+): cannot open shared object file)x", Cause::NotLoaded},
    {R"x(error while loading shared libraries: (\S+): cannot open shared object file)x", Cause::NotLoaded},
    {R"x(undefined reference to [`'‘"](.+?)['’"](?:$|[\s,;]))x", Cause::UndefinedReference},
    {R"x((?:ld|lld|mold|gold)[^ ]*: error: undefined (?:hidden |protected )?symbol: (.+)$)x",
     Cause::UndefinedReference},
    {R"x(^nvlink error *: *Undefined reference to '([^']+)')x", Cause::UndefinedReference},
    {R"x(undefined reference to symbol '([^']+)')x", Cause::UndefinedReference},

    // Compilers.
    {R"x([Ii]nternal [Cc]ompiler [Ee]rror|(?:died due to|terminated with) signal (?:4|6|7|8|11)\b|died with status 0x|PLEASE submit a bug report|Segmentation fault|cicc.*Assertion .* failed)x",
     Cause::CompilerCrash},
    {R"x(\berror: bad value \(?(['‘][^'’]+['’])\)? for (['‘]-m\w+=['’]))x", Cause::CompilerOption},
    {R"x(\berror: unsupported argument ('[^']+') to option ('-m\w+='))x", Cause::CompilerOption},
    {R"x(\berror: (?:unrecognized|unknown) (?:command[- ]line option|argument|target CPU)[: ]*(['‘"][^'’"]+['’"]))x",
     Cause::CompilerOption},
    {R"x(nvcc fatal *: *Unknown option (['"]?[\w=-]+))x", Cause::CompilerOption},
    {R"x(fatal error: ['‘"]?([^:'’"\s]+)['’"]?(?:: No such file or directory| file not found))x", Cause::MissingHeader},
    {R"x(error ?: cannot open source file "([^"\s]+)")x", Cause::MissingHeader},
    {R"x(Fatal Error: Cannot open module file [‘'](\S+)['’])x", Cause::MissingHeader},

    // CMake, meson, make, ninja.
    {R"x(Could not find a package configuration file provided by "([^"]+)")x", Cause::CMakePackage},
    {R"x(By not providing "Find(\w+)\.cmake")x", Cause::CMakePackage},
    {R"x(^(?:CMake Error.*| +)Could NOT find (\w+))x", Cause::CMakePackage},
    {R"x((?:Could not find|Failed to find) (nvcc)\b)x", Cause::CMakePackage},
    {R"x(Compatibility with CMake < ([\d.]+) has been removed)x", Cause::CMakePolicy},
    {R"x(^(?:\S*/)?meson\.build:\d+:\d+: ERROR: (?:C shared or static library|Dependency|Program\(s\)) [‘'"\[]*([\w.+-]+))x",
     Cause::CMakePackage},
    {R"x(\*\*\* No rule to make target [`'‘]([^'’]+)['’])x", Cause::NoRule},
    {R"x(^ninja: error: '([^']+)', needed by .* missing and no known rule)x", Cause::NoRule},

    // Patches.
    {R"x(^\d+ out of \d+ hunks? (?:FAILED|failed)|Hunk #\d+ FAILED|^error: (?:patch failed: |\S+: patch does not apply)|Reversed \(or previously applied\) patch detected|can't find file to patch at input line|^patch: \*\*\*\*|corrupt patch at line)x",
     Cause::Patch},
    {R"x(^substitute(?:Stream|InPlace)?\(\).*ERROR: .*(?:in|of) file '([^']+)')x", Cause::Substitute},
    {R"x(^substitute(?:Stream|InPlace)?\(\).*ERROR: )x", Cause::Substitute},

    // Python.
    {R"x(^(?:E +)?(?:ModuleNotFoundError|ImportError): No module named ['"]?([\w.]+))x", Cause::PythonModule},
    {R"x(The detected CUDA version \(([\d.]+)\) mismatches the version that was used to compile PyTorch \(([\d.]+)\))x",
     Cause::CudaMismatch},
    {R"x(CUDA_HOME environment variable is not set|CUDA_HOME (?:does not exist|is not set)|nvcc was not found|Cannot find CUDA_HOME)x",
     Cause::NoCudaHome},
    {R"x((?:Could not find a version that satisfies the requirement|No matching distribution found for) ([^\s(]+))x",
     Cause::PythonPackage},
    {R"x(^\s*- (\S.*?) (?:not satisfied by version \S+|not installed)$)x", Cause::PythonPackage},
    {R"x(^=+ .*\b\d+ failed\b.* in [\d.]+)x", Cause::Tests},
    {R"x(^FAILED \S+(?:::| -)|^The following tests FAILED:|^FAILED \((?:failures|errors)=\d+|\d+% tests passed, [1-9]\d* tests? failed)x",
     Cause::Tests},

    // What scripts and environments say.
    {R"x((?:^|: )(?:line \d+: )?([\w.+-]+): (?:command not found|not found)$)x", Cause::NoCommand},
    {R"x(Cannot find (ptxas(?:-blackwell)?|nvdisasm|cuobjdump)\b)x", Cause::NoCommand},
    {R"x(^(?:\S*/)?env: [‘']?([\w.+-]+)[’']?: No such file or directory)x", Cause::NoCommand},
    {R"x(collision between [`‘']([^'’]+)['’] and [`‘']([^'’]+)['’])x", Cause::Collision, Kind::Failed},
    {R"x(two given paths contain a conflicting subpath:\s*[`‘']([^'’]+)['’] and\s+[`‘']([^'’]+)['’])x",
     Cause::Collision, Kind::Failed},
    {R"x(files '([^']+)' and '([^']+)' have the same priority)x", Cause::Collision, Kind::Failed},
    {R"x(Found duplicated packages in closure for dependency '([^']+)')x", Cause::Collision, Kind::Failed},
    {R"x('([^']+)' conflicts with '([^']+)'\. Both packages provide the file '([^']+)')x", Cause::Collision,
     Kind::Failed},
};

/// An error that is not in the table above; the program's own words say what it is.
const char *const anyError =
    R"x((?:^|[\s:)])(?:fatal |catastrophic |internal )?[Ee]rror(?:\[E\d+\])? ?: ?\S|^(?:nvcc|ptxas|nvlink|fatbinary|cicc|cudafe\+\+) (?:fatal|error) *: *\S|^\S+ .*; (?:error|fatal) *: |^CMake Error|^\S*meson\.build:\d+:\d+: ERROR: |\bERROR: \S|^ninja: (?:error|fatal): |^(?:make(?:\[\d+\])?: )?\*\*\* |^[A-Za-z_][\w.]*(?:Error|Exception)(?:: |$)|multiple definition of |^LLVM ERROR: |^ERROR Missing dependencies|^(?:cp|mv|install|ln|chmod|tar|patchelf|\S+: line \d+)\b.*: No such file or directory$|static assertion failed|^error\b.*failed)x";

/// Something else failed, above or below.
const char *const consequence =
    R"x(^ninja: build stopped|^FAILED: |\*\*\* (?:\[.*\] )?Error \d+|\*\*\* Waiting for|\*\*\* \[.*\] (?:Error|Interrupt)|collect2: (?:fatal )?error: ld returned|ld returned \d+ exit status|linker command failed|errors? (?:detected|generated)|^error: command '?.*'? (?:failed|terminated)|[Cc]ould not compile [`']|Configuring incomplete|Backend subprocess exited|subprocess-exited-with-error|metadata-generation-failed|Failed (?:to build|building)|^Traceback |compilation terminated|CalledProcessError|Error compiling objects|non-zero exit status|Internal Triton PTX|aborting due to|^error: build failed|ERROR: (?:Could not build|Build failed)|'cicc' died with status|Compilation failed|One or more .* failed|^error: linking with)x";

/// "warning: error: ...", "note: ...", "CMake Warning", "DeprecationWarning: ...", "-- Could NOT find X", "Advisory:
/// ...".
const char *const harmless =
    R"x(^[^'"‘`]*?(?:\b|_)(?:[Ww]arning|WARNING|[Nn]ote|[Rr]emark|Advisory|INFO|DEBUG)\b(?: #[\w-]+)? ?:|^CMake (?:Deprecation )?Warning|^\w*Warning: |^-- |^CMake Deprecation|Performing Test)x";

/// Words that a line must have to be worth more than a look.
const char *const worth =
    R"x([Ee]rror|ERROR|FAILED|fatal|Fatal|Killed|[Kk]illed|undefined|cannot|[Cc]ould not|Could NOT|not found|\bfail|Exception|No space|quota|signal \d|SIG[IK]LL|[Ii]llegal|unsupported|Unsupported|memory|relocation|unavailable|No rule|No module|No such|not satisfied|not installed|collision|conflict|mismatches|CUDA_HOME|thread|exhausted|overflow|Hunk|hunk|patch|substitute|providing|Compatibility|duplicated|priority|disk is full|ENOSPC|OOM|lookup|ARCHITECTURES|ARCH_LIST|GPU|CUDA|multiple def|curl: |resolve|resolution|service not known|establish|dns|not a recognized|assertion|\*\*\* |bug report|bad_alloc|Segmentation|bad value|unrecognized|unsupported arg|[Uu]nknown)x";

struct Compiled {
    QRegularExpression pattern;
    const Message *message;
};

QRegularExpression compiled(const char *pattern)
{
    QRegularExpression expression(QString::fromUtf8(pattern));
    Q_ASSERT_X(expression.isValid(), pattern, qPrintable(expression.errorString()));
    expression.optimize();
    return expression;
}

const QList<Compiled> &compiledMessages()
{
    static const QList<Compiled> all = [] {
        QList<Compiled> list;
        for (const Message &message : messages)
            list.append({compiled(message.pattern), &message});
        return list;
    }();
    return all;
}

/// "python3.10-torch-2.0.1-dev" and "include/pybind11/cast.h" of a path in the store.
QStringList storeParts(const QString &path)
{
    static const QRegularExpression form(u"/nix/store/[^-/]+-([^/]+)/?/?(.*)$"_s);
    const QRegularExpressionMatch match = form.match(path);
    return match.hasMatch() ? QStringList{match.captured(1), match.captured(2)} : QStringList{path, {}};
}

FailureLine exact(const Message &message, const QRegularExpressionMatch &match, const QString &text)
{
    FailureLine found{Weight::Exact, message.kind, message.cause, message.certainty, bareError(text), {}};
    for (int i = 1; i <= match.lastCapturedIndex(); ++i) {
        if (match.hasCaptured(i))
            found.about.append(match.captured(i).left(longestText));
    }
    if (found.cause == Cause::Disk) {
        static const QRegularExpression inStore(u"/nix/store/[^\\s'\"]*|/nix/var/"_s);
        static const QRegularExpression inBuild(
            u"(?:^|[\\s'\"`‘])/(?:build|tmp|private/tmp|var/tmp|nix/var/nix/builds)/"_s);
        // A compiler in the store that writes elsewhere says both.
        if (inBuild.match(text).hasMatch())
            found.cause = Cause::BuildDisk;
        else if (inStore.match(text).hasMatch())
            found.cause = Cause::StoreDisk;
    } else if (found.cause == Cause::Collision && found.about.size() == 2) {
        const QStringList one = storeParts(found.about.at(0));
        const QStringList other = storeParts(found.about.at(1));
        found.about = {one.at(0), other.at(0), one.at(1)};
    }
    return found;
}

} // namespace

bool mayFail(const QString &line)
{
    static const QRegularExpression any = compiled(worth);
    static const QRegularExpression not_ = compiled(harmless);
    return any.match(line).hasMatch() && !not_.match(line).hasMatch();
}

bool saysOutOfDisk(QStringView text)
{
    return text.contains(u"No space left on device") || text.contains(u"Disk quota exceeded") ||
           text.contains(u"database or disk is full");
}

QString bareError(QString line)
{
    static const QRegularExpression before(
        u"^.*?\\b(fatal error|[Ee]rror(?:\\[E\\d+\\])?|ERROR|nvcc fatal|nvcc error|ptxas fatal|fatal) *: *"_s);
    static const QRegularExpression meter(u"^.*(?=curl: \\(\\d+\\))"_s);
    // Nix puts the cause into a sentence about the archive.
    static const QRegularExpression inArchive(u"^.*\\(Source threw exception: (.*)\\)\\s*$"_s);
    line.remove(meter);
    line.replace(inArchive, u"\\1"_s);
    const QString whole = line.simplified();
    line = line.remove(before).simplified();
    if (line.isEmpty())
        line = whole;
    while (line.endsWith(u'.') || line.endsWith(u';') || line.endsWith(u':'))
        line.chop(1);
    if (line.size() <= longestText)
        return line;
    const qsizetype space = line.lastIndexOf(u' ', longestText - 2); // An address is no address without its end.
    return line.first(space > longestText / 2 ? space : longestText - 1) + u'…';
}

std::optional<FailureLine> exactFailureIn(const QString &text)
{
    if (!mayFail(text))
        return {};
    for (const Compiled &one : compiledMessages()) {
        if (const auto match = one.pattern.match(text); match.hasMatch())
            return exact(*one.message, match, text);
    }
    return {};
}

std::optional<FailureLine> failureIn(const QString &line)
{
    static const QRegularExpression any = compiled(anyError);
    static const QRegularExpression behind = compiled(consequence);
    static const QRegularExpression codes(
        u"\\*\\*\\* .*\\bError (\\d+)$|^FAILED: \\[code=(\\d+)\\]|exit (?:code|status) (\\d+)\\b"_s);
    if (!mayFail(line))
        return {};
    if (behind.match(line).hasMatch()) {
        if (auto found = exactFailureIn(line); found && found->cause != Cause::Tests)
            return found;
        FailureLine found{Weight::Consequence, Kind::CompileError, Cause::Compile,
                          Certainty::None,     bareError(line),    {}};
        // A shell's code for a signal is all that is left of a program that was killed silently.
        if (const auto match = codes.match(line); match.hasMatch()) {
            const QString code = match.captured(1) + match.captured(2) + match.captured(3);
            if (code == "137"_L1)
                return FailureLine{Weight::Exact,     Kind::OutOfMemory, Cause::Memory,
                                   Certainty::Likely, line.simplified(), {}};
            if (code == "132"_L1)
                return FailureLine{Weight::Exact,     Kind::Failed,      Cause::IllegalInstruction,
                                   Certainty::Likely, line.simplified(), {}};
            if (code == "139"_L1)
                return FailureLine{Weight::Exact,     Kind::CompileError, Cause::CompilerCrash,
                                   Certainty::Likely, line.simplified(),  {}};
        }
        return found;
    }
    if (auto found = exactFailureIn(line))
        return found;
    if (any.match(line).hasMatch())
        return FailureLine{Weight::Error, Kind::CompileError, Cause::Compile, Certainty::Certain, bareError(line), {}};
    return {};
}

} // namespace tmx
