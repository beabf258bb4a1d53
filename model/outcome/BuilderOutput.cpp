// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/outcome/BuilderOutput.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using Kind = BuildOutcome::Kind;
using Cause = BuildOutcome::Cause;
using Certainty = BuildOutcome::Certainty;
using Weight = FailureLine::Weight;

constexpr qsizetype mostErrorLines = 12;
constexpr int contextLines = 2; // the source line and the caret below it
constexpr int followingLines = 16;
constexpr qsizetype longestTail = 300;
constexpr qsizetype shortestText = 12;
constexpr qsizetype mostTargets = 6;

bool isResource(Kind kind)
{
    return kind == Kind::OutOfMemory || kind == Kind::OutOfDisk;
}

/// "unpackPhase" of "Running phase: unpackPhase"; the words of older nixpkgs stay as they are.
QString phaseIn(const QString &line)
{
    static const QStringList older{
        u"unpacking sources"_s, u"patching sources"_s,       u"configuring"_s, u"building"_s, u"installing"_s,
        u"running tests"_s,     u"post-installation fixup"_s};
    if (line.startsWith("Running phase: "_L1))
        return line.sliced(15).trimmed();
    return older.contains(line) ? line : QString();
}

bool isIndented(const QString &line)
{
    return line.startsWith(u' ') || line.startsWith(u'\t');
}

/// Messages of curl, git and others of a download that did not come.
bool saysDownload(const QString &line)
{
    static const QRegularExpression words(
        uR"x(^curl: \((?:5|6|7|16|18|22|28|35|52|55|56|60|92)\)|\b(?:fatal|error): unable to access 'https?://|Could not resolve host|Temporary failure in name resolution|Name or service not known|Failed to establish a new connection|error: cannot download \S+ from any mirror|status_string: "(?:Could|Couldn't|Timeout)|dns error: failed to lookup)x"_s);
    return words.match(line).hasMatch();
}

} // namespace

void BuilderOutput::startPhase(const QString &phase)
{
    m_phase = phase;
    if (m_first && m_first->kind != Kind::Network) // The source came, at another attempt.
        m_earlier = m_first;
    m_first.reset();
    m_consequence.reset();
    m_failed = m_stepEnded = false;
    m_context = m_following = 0;
    m_patch.clear();
    m_patched.clear();
}

/// Remembers what later explains an error.
void BuilderOutput::note(const QString &line)
{
    static const QRegularExpression toolkit(u"(?:cuda_nvcc-|cudatoolkit-|cuda-merged-|/cuda-)(\\d+\\.\\d+)"_s);
    static const QRegularExpression target(u"(?:arch=|gencode=arch=|-arch=|--gpu-name=)((?:compute|sm)_\\d+[af]?)"_s);
    static const QRegularExpression patch(u"^applying patch (?:/nix/store/[^-/]+-)?(\\S+?)$"_s);
    if (const auto match = patch.match(line); match.hasMatch()) {
        m_patch = match.captured(1);
        m_patched.clear();
    } else if (line.startsWith("patching file "_L1)) {
        m_patched = line.sliced(14).section(u' ', 0, 0);
    }
    if (line.contains("cuda"_L1)) {
        if (const auto match = toolkit.match(line); match.hasMatch())
            m_toolkit = match.captured(1);
    }
    if (line.contains("arch="_L1) || line.contains("--gpu-name="_L1)) {
        QStringList targets;
        for (auto match = target.globalMatch(line); match.hasNext() && targets.size() < mostTargets;) {
            if (const QString one = match.next().captured(1); !targets.contains(one))
                targets.append(one);
        }
        if (!targets.isEmpty() && !m_first)
            m_targets = targets;
    }
    m_triton |= line.contains("triton"_L1, Qt::CaseInsensitive);
    m_listsTargets |= line.contains("_get_cuda_arch_flags"_L1) || line.contains("arch_list[-1]"_L1);
}

/// Adds what the lines before said.
void BuilderOutput::complete(FailureLine &failure, const QString &line) const
{
    static const QRegularExpression header(
        uR"x(^/nix/store/[^-/]+-([^/]+)/(?:include|targets/[^/]+/include|share/\S*?include)/([^:(\s]+?\.(?:h|hpp|cuh|inl|hh))[:(]\d+)x"_s);
    switch (failure.cause) {
    case Cause::GpuArchitecture: failure.about = {failure.about.value(0), m_toolkit}; break;
    case Cause::PtxasArchitecture:
        if (m_triton)
            failure.cause = Cause::TritonPtxas;
        break;
    case Cause::GpuFeature: failure.about = {m_targets.join(u", "_s)}; break;
    case Cause::Patch: {
        static const QRegularExpression named(
            u"saving rejects to (?:file )?(\\S+?)\\.rej|^error: patch failed: (\\S+):\\d+|^error: (\\S+): patch does not"_s);
        const auto match = named.match(line);
        const QString file = match.captured(1) + match.captured(2) + match.captured(3);
        failure.about = {m_patch, file.isEmpty() ? m_patched : file};
        break;
    }
    case Cause::Disk: {
        static const QRegularExpression writing(
            u"^(?:unpack|patch|configure|build)Phase$|^(?:unpacking sources|building)$"_s);
        if (writing.match(m_phase).hasMatch())
            failure.cause = Cause::BuildDisk;
        break;
    }
    case Cause::Compile:
        if (line.contains("/crt/host_config.h"_L1)) {
            failure.cause = Cause::HostCompiler;
        } else if (const auto match = header.match(line); match.hasMatch()) {
            failure.cause = Cause::Dependency;
            failure.about = {match.captured(2), match.captured(1), m_targets.join(u", "_s)};
        } else if (m_listsTargets && line.startsWith("IndexError: "_L1)) {
            failure.cause = Cause::NoArchitecture;
        }
        break;
    default: break;
    }
}

void BuilderOutput::take(const FailureLine &found, const QString &line)
{
    if (found.weight == Weight::Consequence) {
        if (!m_consequence && !line.startsWith("FAILED: "_L1))
            m_consequence = found;
        return;
    }
    if (m_failed && m_stepEnded && m_first) {
        if (isResource(found.kind) && !m_resource)
            m_resource = found;
        return;
    }
    const bool surer = m_first && m_first->certainty == Certainty::Likely && found.certainty == Certainty::Certain &&
                       found.kind == m_first->kind; // "FAILED: [code=137]", then "Killed"
    // A download is tried again, from another address: what a compiler says later counts.
    static const QRegularExpression inSource(u"^\\S+[:(]\\d+\\b.*\\berror\\b"_s);
    const bool came = m_first && m_first->kind == Kind::Network && found.kind != Kind::Network &&
                      (found.weight == Weight::Exact || inSource.match(line).hasMatch());
    if (m_first && !surer && !came)
        return;
    m_first = found;
    m_firstLine = line;
    m_since = 0;
    m_following = followingLines;
    complete(*m_first, line);
}

/// Whether the line continues the first error: the message of CMake, a list, the types of an operator.
bool BuilderOutput::follow(const QString &line)
{
    if (!m_first || m_following <= 0 || m_first->weight != Weight::Error)
        return false;
    if (line.isEmpty() && m_firstLine.startsWith("CMake Error"_L1))
        return true;
    if (!isIndented(line)) {
        m_following = 0;
        return false;
    }
    --m_following;
    const QString text = line.trimmed();
    if (m_firstLine.startsWith("ERROR Missing dependencies"_L1)) {
        m_first->weight = Weight::Exact;
        m_first->cause = Cause::PythonPackage;
        m_first->about = {text.left(100)};
        return true;
    }
    if (m_firstLine.startsWith("CMake Error"_L1)) {
        if (text.startsWith("Call Stack"_L1)) {
            m_following = 0;
            return false;
        }
        if (auto exact = failureIn(line); exact && exact->weight == Weight::Exact) {
            m_first = exact;
            complete(*m_first, line);
        } else if (m_following == followingLines - 1) {
            m_first->text = bareError(text);
        } else if (m_first->text.size() + text.size() < 150 && !m_first->text.endsWith(u'…')) {
            m_first->text += u' ' + text;
        }
        return true;
    }
    if (text.startsWith("operand types are:"_L1) || text.startsWith("argument types are:"_L1)) {
        static const QRegularExpression small(u"\\b(?:half|__half2?|__nv_bfloat16|nv_bfloat162?|__nv_fp8\\w*)\\b"_s);
        m_first->text += u" ("_s + text + u')';
        if (small.match(text).hasMatch() && m_first->cause == Cause::Compile && !m_targets.isEmpty()) {
            m_first->cause = Cause::GpuFeature;
            m_first->certainty = Certainty::Likely;
            m_first->about = {m_targets.join(u", "_s)};
        }
    }
    return false;
}

/// A step of ninja failed, or another one begins. Returns whether this line says "FAILED:".
bool BuilderOutput::readStep(const QString &line)
{
    static const QRegularExpression step(u"^\\[ *\\d+/\\d+\\] |^\\[ *\\d+%\\] "_s);
    const bool failed = line.startsWith("FAILED: "_L1) && !line.contains("::"_L1) && !line.contains(" - "_L1);
    if (!failed) {
        m_stepEnded |= m_failed && step.match(line).hasMatch();
        return false;
    }
    m_following = 0;
    if (std::exchange(m_failed, true)) {
        m_stepEnded = true;
        return true;
    }
    if (m_first && m_first->kind != Kind::Network)
        m_earlier = m_first;
    m_first.reset();
    m_lines.clear();
    return true;
}

/// A download that did not come. Only a fixed-output derivation has a network, and it has no phases of a build.
FailureLine BuilderOutput::download(const QString &line) const
{
    static const QRegularExpression building(
        u"^(?:configure|build|install|check|pypa\\w*|setuptools\\w*|cmake\\w*)Phase$|^(?:configuring|building|installing|running tests)$"_s);
    static const QRegularExpression gone(u"\\b(?:404|410)\\b"_s);
    if (building.match(m_phase).hasMatch())
        return {Weight::Exact, Kind::CompileError, Cause::Sandbox, Certainty::Certain, bareError(line), {}};
    const Cause cause = gone.match(line).hasMatch() ? Cause::NotFound : Cause::Message;
    return {Weight::Exact, Kind::Network, cause, Certainty::Certain, bareError(line), {}};
}

bool BuilderOutput::lacksVersion() const
{
    return m_first && m_first->cause == Cause::HostCompiler && m_first->about.size() == 1 && m_since <= 3;
}

std::optional<FailureLine> BuilderOutput::failureOf(const QString &line) const
{
    const std::optional<FailureLine> found = failureIn(line);
    return (!found || found->weight != Weight::Exact) && saysDownload(line) ? download(line) : found;
}

/// A sentence that its program broke: "unsupported GNU version! gcc versions later" / "than 12 are".
std::optional<FailureLine> BuilderOutput::withLinesBefore(const QString &line) const
{
    const bool recent = !m_first || (m_first->weight == Weight::Error && m_since <= 2) || lacksVersion();
    if (!recent || m_tailMayFail <= 0)
        return {};
    auto exact = exactFailureIn(m_tail.join(u' ') + u' ' + line.trimmed());
    if (exact && (exact->cause == Cause::Memory || (lacksVersion() && exact->about.size() < 2)))
        exact.reset();
    return exact;
}

/// Keeps an error, or the source and the caret below one.
void BuilderOutput::keep(const LoggedLine &line, bool isError)
{
    if (!isError && (m_context <= 0 || !isIndented(line.line))) {
        m_context = 0;
        return;
    }
    m_context = isError ? contextLines : m_context - 1;
    // The first failure explains the result; later ones follow from it or were interrupted by it.
    if (m_failed && m_lines.size() >= mostErrorLines)
        return;
    m_lines.append(line);
    if (m_lines.size() > mostErrorLines)
        m_lines.removeFirst();
}

void BuilderOutput::read(const QString &line, qint64 offset)
{
    if (const QString text = line.trimmed(); !text.isEmpty())
        m_last = {text, offset};
    if (const QString phase = phaseIn(line); !phase.isEmpty())
        return startPhase(phase);
    note(line);
    if (m_inWarning && isIndented(line))
        return;
    m_inWarning = line.startsWith("CMake Warning"_L1) || line.startsWith("CMake Deprecation Warning"_L1);
    const bool failed = readStep(line);
    ++m_since;
    const bool may = mayFail(line);
    const bool continues = follow(line);
    std::optional<FailureLine> found = may && !continues ? failureOf(line) : std::nullopt;
    if (!found || found->weight != Weight::Exact) {
        if (const auto exact = withLinesBefore(line)) {
            m_first.reset();
            found = exact;
        }
    }
    const bool isExact = found && found->weight == Weight::Exact;
    // A line that ends after "error:" says nothing yet.
    if (isExact && m_first && m_first->weight == Weight::Error && m_since <= 1 && m_first->text.size() < shortestText)
        m_first.reset();
    if (found)
        take(*found, line);
    m_tail.append(line.trimmed().left(longestTail));
    m_tailMayFail = may ? 2 : std::max(0, m_tailMayFail - 1);
    if (m_tail.size() > 2)
        m_tail.removeFirst();
    if (isExact && !lacksVersion())
        m_tail.clear();
    keep({line, offset}, failed || found);
}

std::optional<FailureLine> BuilderOutput::failure() const
{
    if (m_first)
        return m_first;
    if (m_resource)
        return m_resource;
    if (m_earlier) {
        FailureLine earlier = *m_earlier;
        earlier.certainty = Certainty::Likely;
        return earlier;
    }
    if (m_consequence || m_failed)
        return m_consequence.value_or(
            FailureLine{Weight::Consequence, Kind::CompileError, Cause::Compile, Certainty::None, {}, {}});
    return {};
}

} // namespace tmx
