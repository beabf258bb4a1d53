// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/build/OutcomeReader.h"

#include "model/base/Process.h"
#include "model/base/Sentences.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/build/NinjaProgress.h"
#include "model/build/OutputDecoder.h"
#include "model/catalog/NixHash.h"

#include <QFile>
#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <csignal>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qsizetype mostCauses = 12;
constexpr qsizetype mostClosings = 8; // 20 together
constexpr int contextLines = 2;       // the source line and the caret below it
constexpr qsizetype longestReason = 400;

/// Messages of the kernel, the compiler and Nix that a process was killed for lack of memory.
bool saysOutOfMemory(QStringView text)
{
    static const QRegularExpression shells(uR"(: line \d+: +\d+ Killed\b)"_s);
    return text == u"Killed" || shells.matchView(text).hasMatch() ||
           text.contains(u"Killed signal terminated program") || text.contains(u"due to signal 9 (") ||
           text.contains(u"terminated with signal 9 [Killed]") || text.contains(u"virtual memory exhausted") ||
           text.contains(u"out of memory allocating") || text.contains(u"LLVM ERROR: out of memory") ||
           text.contains(u"cannot allocate memory", Qt::CaseInsensitive);
}

/// "x.cpp:42:7: error: ...", "c++: fatal error: ...", "nvcc error : ...", "CMake Error at ...", "ld: undefined
/// reference".
bool isCause(QStringView text)
{
    static const QRegularExpression pattern(
        uR"((^|[\s:])(fatal )?[Ee]rror ?: |^CMake Error|undefined reference to|^FAILED: |^Traceback |^ninja: (error|build stopped)|^\*\*\* |^[A-Za-z_.]*(Error|Exception): )"_s);
    return pattern.matchView(text).hasMatch();
}

/// Whether a line that no builder printed states a reason. Nix indents the reason below its "error:".
bool isClosing(QStringView text)
{
    text = text.trimmed();
    return text.contains(u"ERROR: ") || text.startsWith(u"error: ") || text.startsWith(u"Reason: ") ||
           text.startsWith(u"make: *** ");
}

/// Messages of a builder or of Nix. Warnings do not count: Nix retries after them.
bool saysNetwork(QStringView text)
{
    static const QRegularExpression curl(uR"(^curl: \((5|6|7|16|18|28|35|52|55|56|60|92)\))"_s);
    static const QRegularExpression nix(uR"(\berror: (unable to download '|cannot download \S+ from any mirror))"_s);
    static const QRegularExpression git(uR"(\b(fatal|error): unable to access 'https?://)"_s);
    if (text.trimmed().startsWith(u"warning:"))
        return false;
    return curl.matchView(text).hasMatch() || nix.matchView(text).hasMatch() || git.matchView(text).hasMatch() ||
           text.startsWith(u"ssh: Could not resolve hostname");
}

/// Errors that Nix finds in the text of a recipe, before building anything.
bool saysEvaluation(QStringView text)
{
    static const QRegularExpression pattern(
        uR"(error: (syntax error|undefined variable|attribute '.*' missing|infinite recursion|stack overflow|attempt to call|cannot coerce|cannot evaluate|assertion .* failed|expected an? .* but found|value is .* while|path '.*' does not exist|getting status of '|evaluation aborted|access to .* is forbidden|function '.*' called|Package ‘.*’|Refusing to evaluate|invalid (base|hash|SRI)|hash '.*' )|^\s+… (while|in the)|^\s+at \S+\.nix:\d+:\d+:)"_s);
    return pattern.matchView(text).hasMatch();
}

/// Lines that Nix itself prints during a build, not the builder.
bool isNixOwn(QStringView text)
{
    static const QRegularExpression pattern(
        uR"(^(error|warning|trace|evaluation warning): |^error:$|^(building|copying path|downloading|waiting for|querying|unpacking|substitut\w+) '|^th(is|ese) .*(derivations?|paths?) will be |^/nix/store/|^Building .* in Nix expression mode$|^Completed build of |^cannot build on '|^Failed to find a machine |^make: \*\*\* |Built outputs?:|^\./result-| ERROR: )"_s);
    return pattern.matchView(text).hasMatch();
}

template <class Cause>
void keepLast(QList<Cause> &lines, const Cause &line, qsizetype most)
{
    if (!lines.isEmpty() && lines.constLast().line == line.line)
        return;
    lines.append(line);
    if (lines.size() > most)
        lines.removeFirst();
}

/// An error line without the words that the outcome's sentence already has.
QString bare(QString line)
{
    static const QRegularExpression before(uR"(^.*?\b(fatal error|[Ee]rror) ?: )"_s);
    line = line.remove(before).simplified();
    return line.size() > 160 ? line.first(159) + u'…' : line;
}

} // namespace

bool saysOutOfDisk(QStringView text)
{
    return text.contains(u"No space left on device") || text.contains(u"Disk quota exceeded") ||
           text.contains(u"database or disk is full");
}

bool saysError(QStringView line)
{
    const QStringView derivation = derivationPrefix(line);
    if (derivation.isEmpty())
        return isClosing(line);
    const QStringView text = line.mid(derivation.size() + 2, longestReason);
    return isCause(text) || saysOutOfMemory(text);
}

OutcomeReader::OutcomeReader(const QString &package)
    : m_package(package)
{
}

/// nix-build prints a builder's lines without a prefix; then every line that is not Nix's own is a builder's.
bool OutcomeReader::isBuilders(const QString &line) const
{
    return m_buildingSeen && !m_prefixesSeen && !line.startsWith("       "_L1) && !isNixOwn(line);
}

void OutcomeReader::read(const QString &line, qint64 offset)
{
    const QStringView derivation = derivationPrefix(line);
    m_prefixesSeen |= !derivation.isEmpty();
    if (const QString trouble = connectionTrouble(line); derivation.isEmpty() && !trouble.isEmpty())
        m_connectionTrouble = trouble;
    if (!derivation.isEmpty()) {
        const QString text = line.mid(derivation.size() + 2, longestReason);
        keepLastLine(derivation.toString(), text, offset);
        readCause(text, offset);
    } else if (isBuilders(line)) {
        keepLastLine({}, line.left(longestReason), offset);
        readCause(line.left(longestReason), offset);
    } else {
        readLastLine(line.left(longestReason), offset);
        readRemoteBuilder(line); // The whole line: it names derivations twice.
        readFlox(line.left(longestReason), offset);
    }
}

void OutcomeReader::readFlox(const QString &line, qint64 offset)
{
    if (readLinks(line))
        return;
    m_buildingSeen |= line.startsWith("building '"_L1);
    m_somethingBuilt |= m_buildingSeen || line.contains(" will be built:"_L1) || line.contains(" will be fetched"_L1);
    m_interrupted |= line.contains("interrupted by the user"_L1) || line.contains("user interrupted process"_L1);
    m_outOfMemory |= saysOutOfMemory(line);
    m_outOfDisk |= saysOutOfDisk(line);
    m_network |= saysNetwork(line);
    if (line.contains("does not appear to be tracked by git"_L1))
        m_refusal = BuildOutcome::Kind::Untracked;
    else if (line.contains("ERROR: Target '"_L1) && line.endsWith("' not found."_L1))
        m_refusal = BuildOutcome::Kind::UnknownPackage;
    else if (line.contains("requires git version control"_L1))
        m_refusal = BuildOutcome::Kind::NotGit;
    else if (line.contains("Did not find an environment"_L1))
        m_refusal = BuildOutcome::Kind::NoEnvironment;
    readNix(line);
    if (isClosing(line))
        keepLast(m_closings, {line.trimmed(), offset}, mostClosings);
}

/// Reads mismatched hashes, and errors in the recipe's text with their line.
void OutcomeReader::readNix(const QString &line)
{
    static const QRegularExpression hash(uR"(^\s*(specified|wanted|expected|got):\s+(\S+)$)"_s);
    static const QRegularExpression place(uR"(\bat (?:\S*/)?\.flox/pkgs/([^/:\s]+)(?:/default)?\.nix:(\d+):\d+)"_s);
    m_builderFailed |= line.contains("Cannot build '"_L1) || line.contains("builder for '"_L1) ||
                       line.contains("dependencies of derivation '"_L1) || line.startsWith("building '"_L1);
    m_evaluation |= saysEvaluation(line);
    m_mismatch |= line.contains("hash mismatch"_L1);
    if (const QRegularExpressionMatch match = hash.match(line); m_mismatch && match.hasMatch()) {
        QString &which = match.captured(1) == "got"_L1 ? m_rightHash : m_statedHash;
        if (which.isEmpty())
            which = match.captured(2);
    }
    // A trace goes from the outermost place to the error: the last place in the recipe is the nearest.
    if (const QRegularExpressionMatch match = place.match(line); match.hasMatch() && match.captured(1) == m_package)
        m_recipeLine = match.captured(2).toInt();
}

/// Reads "Built output: ./result-x", "Built outputs:" with the links on the next line, or, before 1.13, "... Output
/// created: ./result-x".
bool OutcomeReader::readLinks(const QString &line)
{
    static const QRegularExpression heading(uR"(\b(?:Built outputs?|Outputs? created):(.*)$)"_s);
    const QRegularExpressionMatch match = heading.match(line);
    if (!match.hasMatch() && !m_linksFollow)
        return false;
    const QString list = match.hasMatch() ? match.captured(1) : line;
    QStringList links;
    for (const QString &part : list.split(u',', Qt::SkipEmptyParts)) {
        const QString link = part.trimmed();
        if (link.startsWith("./result-"_L1) || link.startsWith("result-"_L1))
            links.append(link);
    }
    m_links += links;
    m_linksFollow = match.hasMatch() ? links.isEmpty() : !links.isEmpty();
    return match.hasMatch() || !links.isEmpty();
}

void OutcomeReader::readCause(const QString &line, qint64 offset)
{
    m_somethingBuilt = true;
    const bool failed = line.startsWith("FAILED: "_L1);
    if (failed && !m_failedSeen) {
        // Earlier lines that looked like errors, such as a compiler probe in the configure phase, did not stop the
        // build.
        m_failedSeen = true;
        m_network = false;
        m_causes.clear();
    }
    const bool memory = saysOutOfMemory(line);
    const bool disk = saysOutOfDisk(line);
    const bool network = !m_failedSeen && saysNetwork(line);
    m_outOfMemory |= memory;
    m_outOfDisk |= disk;
    m_network |= network;
    if (failed || memory || disk || network || isCause(line))
        m_context = contextLines;
    else if (m_context > 0 && line.startsWith(u' '))
        --m_context;
    else {
        m_context = 0;
        return;
    }
    // The first failure explains the result; later ones follow from it or were interrupted by it.
    if (!m_failedSeen)
        keepLast(m_causes, {line, offset}, mostCauses);
    else if (m_causes.size() < mostCauses)
        m_causes.append({line, offset});
}

void OutcomeReader::keepLastLine(const QString &derivation, const QString &line, qint64 offset)
{
    if (!m_lastLine && !QStringView(line).trimmed().isEmpty())
        m_printed.insert(derivation, {line.trimmed(), offset});
}

/// Reads which builder failed first and its output: Nix repeats its last lines if it does not print all of them.
void OutcomeReader::readLastLine(const QString &line, qint64 offset)
{
    static const QRegularExpression failed(
        uR"((?:builder for|Cannot build) '/nix/store/(?:[^-'/]*-)?([^'/]+)\.drv')"_s);
    static const QRegularExpression quotes(uR"(^\s+last \d+ log lines?:$)"_s,
                                           QRegularExpression::CaseInsensitiveOption);
    if (m_quote == Quote::Open) {
        const QString text = line.trimmed();
        if (!text.startsWith(u'>'))
            m_quote = Quote::Over;
        else if (text.size() > 1)
            m_lastLine = Cause{text.sliced(1).trimmed(), offset};
    } else if (m_lastLine) {
        if (m_quote == Quote::None && quotes.match(line).hasMatch())
            m_quote = Quote::Open;
    } else if (const auto match = failed.match(line); match.hasMatch()) {
        m_lastLine = Cause();
        qsizetype longest = -1; // Lines begin with a prefix of the derivation's name.
        for (auto printed = m_printed.cbegin(); printed != m_printed.cend(); ++printed) {
            if (match.captured(1).startsWith(printed.key()) && printed.key().size() > longest) {
                longest = printed.key().size();
                m_lastLine = *printed;
            }
        }
    }
}

QString OutcomeReader::refusalSentence() const
{
    using Kind = BuildOutcome::Kind;
    switch (m_refusal.value_or(Kind::Failed)) {
    case Kind::Untracked:
        return Tr::tr(
                   "git does not track the recipe of %1, and flox builds tracked files only. Add it to the index and "
                   "build again.")
            .arg(m_package);
    case Kind::UnknownPackage:
        return Tr::tr("flox finds no recipe for %1. Generate .flox/pkgs/%1.nix and build again.").arg(m_package);
    case Kind::NotGit:
        return Tr::tr(
            "The folder is not in a git repository, and flox builds recipes only from one. Run git init and add "
            "the files.");
    case Kind::NoEnvironment: return Tr::tr("The folder has no Flox environment. Run flox init in it.");
    default: break;
    }
    Q_UNREACHABLE_RETURN({});
}

/// Reads what Nix 2.26 prints about remote builders.
void OutcomeReader::readRemoteBuilder(const QString &line)
{
    static const QRegularExpression begun(uR"(^building '([^']+)' on '([^']+)')"_s);
    static const QRegularExpression unreachable(uR"(^cannot build on '([^']+)': (?:error: )?(.*)$)"_s);
    static const QRegularExpression lost(
        uR"(^error: build of '[^']+' on '([^']+)' failed: (?:error: )?(.*(?:end-of-file|disconnected|[Bb]roken pipe|[Cc]onnection (?:reset|closed|timed out)).*)$)"_s);
    static const QRegularExpression disconnected(
        uR"(^error: (Nix daemon disconnected unexpectedly|unexpected end-of-file|.*[Bb]roken pipe|.*[Cc]onnection (?:reset|timed out).*?)(?: \(.*\))?$)"_s);
    static const QRegularExpression ended(uR"((?:builder for|Cannot build) '([^']+)')"_s);
    static const QRegularExpression unfit(
        uR"(^error: (?:build of '[^']+' on '([^']+)' failed: error: )?a '([^']+)' with features \{([^}]*)\} is required to build '[^']+', but I am a '([^']+)' with features \{([^}]*)\})"_s);
    m_noBuilder |= line.startsWith("Failed to find a machine for remote build"_L1) ||
                   line.trimmed().startsWith("Unable to start any build"_L1);
    m_restricted |= line.contains("ignoring the client-specified setting 'builders'"_L1);
    if (const auto match = begun.match(line); match.hasMatch())
        m_builtOn.insert(match.captured(1), match.captured(2));
    else if (const auto match = unreachable.match(line); match.hasMatch()) {
        m_remoteBuilder = match.captured(1);
        m_remoteBuilderTrouble = m_connectionTrouble.isEmpty() ? match.captured(2).trimmed() : m_connectionTrouble;
        m_builderLost = false;
    } else if (const auto match = unfit.match(line); match.hasMatch()) {
        m_remoteBuilder = match.captured(1);
        m_unfit = Tr::tr("%1 with the features %2 is required, and it is %3 with %4")
                      .arg(match.captured(2), match.captured(3), match.captured(4), match.captured(5));
    } else if (const auto match = lost.match(line); match.hasMatch()) {
        m_remoteBuilder = match.captured(1);
        m_remoteBuilderTrouble = match.captured(2).trimmed();
        m_builderLost = true;
    } else if (const auto match = disconnected.match(line); match.hasMatch()) {
        m_disconnected = match.captured(1);
    } else if (const auto match = ended.match(line); match.hasMatch() && !m_disconnected.isEmpty() && !m_unfit) {
        // The end of the connection is printed before the derivation that it affected.
        if (const QString store = m_builtOn.value(match.captured(1)); !store.isEmpty()) {
            m_remoteBuilder = store;
            m_remoteBuilderTrouble = m_disconnected;
            m_builderLost = true;
        }
    }
}

/// The text of the first error without a full stop; empty if there is none.
QString OutcomeReader::cause() const
{
    QString cause;
    for (const Cause &found : m_causes) {
        if (!found.line.startsWith("FAILED: "_L1) &&
            (isCause(found.line) || saysOutOfDisk(found.line) || saysNetwork(found.line))) {
            cause = bare(found.line);
            break;
        }
    }
    for (const Cause &found : m_closings) {
        const QString &line = found.line;
        if (cause.isEmpty() && !line.endsWith("Build failed"_L1) && !line.startsWith("make: "_L1) &&
            !line.contains("Cannot build"_L1))
            cause = bare(line.startsWith("Reason: "_L1) ? line.mid(8) : line);
    }
    while (cause.endsWith(u'.') || cause.endsWith(u';') || cause.endsWith(u':'))
        cause.chop(1);
    return cause;
}

/// Kind of failure of a build that flox started.
BuildOutcome::Kind OutcomeReader::failureKind() const
{
    using Kind = BuildOutcome::Kind;
    if (m_mismatch && !m_rightHash.isEmpty())
        return Kind::HashMismatch;
    if (m_unfit)
        return Kind::NoBuilder;
    if (m_noBuilder || m_builderLost)
        return m_remoteBuilder.isEmpty() ? Kind::NoBuilder : Kind::Network;
    if (m_network)
        return Kind::Network;
    if (m_failedSeen)
        return Kind::CompileError;
    if (m_evaluation && !m_builderFailed && m_causes.isEmpty())
        return Kind::EvaluationError;
    const bool compiler =
        std::any_of(m_causes.begin(), m_causes.end(), [](const Cause &cause) { return isCause(cause.line); });
    return compiler ? Kind::CompileError : Kind::Failed;
}

QString OutcomeReader::failureSentence(BuildOutcome::Kind kind, const ProcessOutcome &process,
                                       const QString &where) const
{
    using Kind = BuildOutcome::Kind;
    if (m_unfit)
        return m_remoteBuilder.isEmpty()
                   ? Tr::tr("This machine does not accept the build: %1. Correct system-features in nix.conf, or add "
                            "a remote builder.")
                         .arg(*m_unfit)
                   : Tr::tr("The remote builder %1 does not accept the build: %2. Correct its line in Nix's "
                            "builders, or system-features in its own nix.conf.")
                         .arg(m_remoteBuilder, *m_unfit);
    if (m_noBuilder && m_restricted)
        return Tr::tr("Nix's daemon ignores your builders, and its own do not accept the build. Add yourself to "
                      "trusted-users in its nix.conf, or add the builder to its builders.");
    if (m_builderLost)
        return Tr::tr("The remote builder %1 was lost during the build: %2. Build again.")
            .arg(m_remoteBuilder, m_remoteBuilderTrouble);
    if (m_noBuilder)
        return m_remoteBuilder.isEmpty()
                   ? Tr::tr(
                         "No remote builder has the system and the features that the build requires. Add one, or let "
                         "this machine build (max-jobs in nix.conf).")
                   : Tr::tr(
                         "The remote builder %1 cannot be used: %2. Log in to it with ssh to see why, or build without "
                         "it: --builders \"\".")
                         .arg(m_remoteBuilder, m_remoteBuilderTrouble);
    QString cause = this->cause();
    if (cause.isEmpty())
        cause = process.exitCode > 1 ? Tr::tr("flox ended with exit code %1").arg(process.exitCode)
                                     : Tr::tr("flox gave no reason");
    if (!cause.endsWith(u'?') && !cause.endsWith(u'…'))
        cause += u'.';
    switch (kind) {
    case Kind::OutOfDisk:
        return Tr::tr(
                   "The disk is full: %1 Free space in /nix/store and in the temporary folder; a PyTorch build needs "
                   "about 20 GB.")
            .arg(cause);
    case Kind::HashMismatch:
        return m_statedHash.isEmpty() ? Tr::tr("The hash of a source differs from the recipe; it is %1. Write that "
                                               "hash into the recipe if this is the source that you want.")
                                            .arg(m_rightHash)
                                      : Tr::tr("The hash of a source differs from the recipe: %1, not %2. Write that "
                                               "hash into the recipe if this is the source that you want.")
                                            .arg(m_rightHash, m_statedHash);
    case Kind::Network:
        return Tr::tr("A download failed: %1 Check the network and the address, then build again.").arg(cause);
    case Kind::EvaluationError:
        return m_recipeLine > 0 ? Tr::tr("Nix cannot evaluate the recipe: %1 Correct line %2 of the recipe.")
                                      .arg(cause)
                                      .arg(m_recipeLine)
                                : Tr::tr("Nix cannot evaluate the recipe: %1 Correct the recipe.").arg(cause);
    default: break;
    }
    QStringList sentences{where.isEmpty() ? Tr::tr("The build failed: %1").arg(cause)
                                          : Tr::tr("The build failed %1: %2").arg(where, cause)};
    if (kind == Kind::CompileError)
        sentences.append(Tr::tr("Read the log at the first error. Without a change the recipe fails again."));
    else if (saysLastLine())
        sentences.append(Tr::tr("Its last output is: “%1”.").arg(bare(m_lastLine->line)));
    if (kind != Kind::CompileError)
        sentences.append(Tr::tr("Read the end of the log."));
    return joinedSentences(sentences);
}

BuildOutcome OutcomeReader::outcome(const ProcessOutcome &process, const QString &where, ResultLink link) const
{
    using Kind = BuildOutcome::Kind;
    BuildOutcome outcome;
    outcome.exitCode = process.exitCode;
    if (process.started && process.exitCode == 0 && link == ResultLink::Absent) {
        outcome.kind = Kind::NoResult;
        outcome.sentence =
            Tr::tr("The build ended without an error, but left no result-%1. Check that its folder can be "
                   "written to, then build again.")
                .arg(m_package);
        return outcome;
    }
    if (process.started && process.exitCode == 0) {
        outcome.kind = Kind::Built;
        outcome.alreadyBuilt = !m_somethingBuilt;
        outcome.resultLinks = m_links;
        const bool linked = !m_links.isEmpty();
        outcome.sentence = (outcome.alreadyBuilt ? linked ? Tr::tr("%1 was built already; the result is %2.")
                                                          : Tr::tr("%1 was built already.")
                            : linked ? Tr::tr("%1 is built; the result is %2.")
                                                 : Tr::tr("%1 is built."))
                               .arg(m_package);
        if (linked)
            outcome.sentence = outcome.sentence.arg(m_links.constFirst());
        return outcome;
    }
    const bool ended = process.started && !process.stopped;
    if (ended) {
        const QList<Cause> lines = (saysLastLine() ? QList<Cause>{*m_lastLine} : m_causes) + m_closings;
        for (const Cause &cause : lines)
            outcome.lastErrors.append(cause.line);
        if (!lines.isEmpty())
            outcome.firstError = lines.constFirst().offset;
    }
    if (!process.started) {
        outcome.kind = Kind::Failed;
        outcome.sentence = Tr::tr("Could not start flox: %1.").arg(process.error);
    } else if (process.stopped) {
        outcome.kind = Kind::Stopped;
        outcome.sentence =
            where.isEmpty() ? Tr::tr("The build was stopped.") : Tr::tr("The build was stopped %1.").arg(where);
    } else if (m_refusal) {
        outcome.kind = *m_refusal;
        outcome.sentence = refusalSentence();
    } else if (m_outOfDisk) {
        outcome.kind = Kind::OutOfDisk;
        outcome.sentence = failureSentence(outcome.kind, process, where);
    } else if (m_outOfMemory || process.signal == SIGKILL) {
        outcome.kind = Kind::OutOfMemory;
        outcome.sentence =
            process.signal == SIGKILL ? Tr::tr("flox was killed, most likely because memory ran out. Try fewer cores.")
            : where.isEmpty()         ? Tr::tr("Out of memory: the system killed the compiler. Try fewer cores.")
                              : Tr::tr("Out of memory %1: the system killed the compiler. Try fewer cores.").arg(where);
    } else if (process.crashed) {
        outcome.kind = Kind::Crashed;
        outcome.sentence =
            Tr::tr("flox itself crashed (signal %1). Build again; if it crashes again, report it to Flox.")
                .arg(process.signal);
    } else if (m_interrupted) {
        outcome.kind = Kind::Stopped;
        outcome.sentence = Tr::tr("The build was interrupted from outside this program.");
    } else {
        outcome.kind = failureKind();
        outcome.sentence = failureSentence(outcome.kind, process, where);
        if (outcome.kind == Kind::EvaluationError)
            outcome.recipeLine = m_recipeLine;
        if (outcome.kind == Kind::HashMismatch) {
            outcome.statedHash = m_statedHash;
            outcome.rightHash = m_rightHash;
        }
    }
    return outcome;
}

namespace {

constexpr qint64 headBytes = 1024 * 1024;
constexpr qint64 tailBytes = 8 * 1024 * 1024;
constexpr qint64 chunkBytes = 256 * 1024;

/// Reads part of the log, as whole lines.
void readStretch(QFile &file, qint64 from, qint64 to, OutcomeReader &reader, NinjaProgress &progress)
{
    if (!file.seek(from))
        return;
    AnsiParser escapes;
    qint64 offset = from;
    const auto line = [&](QByteArrayView bytes, qint64 at) {
        const QString text =
            escapes.parse(QString::fromUtf8(bytes.first(std::min<qsizetype>(bytes.size(), 8192)))).text;
        if (QStringView(text).trimmed().isEmpty())
            return;
        reader.read(text, at);
        progress.read(text);
    };
    QByteArray rest;
    while (offset + rest.size() < to) {
        const QByteArray read = file.read(std::min(chunkBytes, to - offset - rest.size()));
        if (read.isEmpty())
            break;
        rest += read;
        qsizetype start = 0;
        for (qsizetype i = 0; i < rest.size(); ++i) {
            if (rest.at(i) != '\n' && rest.at(i) != '\r')
                continue;
            line(QByteArrayView(rest).sliced(start, i - start), offset + start);
            start = i + 1;
        }
        if (start == 0 && rest.size() > chunkBytes) { // A line without an end.
            line(rest, offset);
            start = rest.size();
        }
        rest.remove(0, start);
        offset += start;
    }
    if (!rest.isEmpty())
        line(rest, offset);
}

/// Offset of the first line between two offsets that contains "FAILED: "; -1 if there is none.
qint64 findFailed(QFile &file, qint64 from, qint64 to)
{
    static const QByteArray word = "FAILED: ";
    if (!file.seek(from))
        return -1;
    QByteArray window;
    qint64 offset = from;
    while (offset + window.size() < to) {
        const QByteArray read = file.read(std::min<qint64>(4 * chunkBytes, to - offset - window.size()));
        if (read.isEmpty())
            break;
        window += read;
        if (const qsizetype at = window.indexOf(word); at >= 0)
            return offset + window.lastIndexOf('\n', at - window.size()) + 1;
        // Keep what may be the beginning of the line; longer lines do not matter here.
        const qsizetype kept = std::min<qsizetype>(window.size(), 4096);
        offset += window.size() - kept;
        window.remove(0, window.size() - kept);
    }
    return -1;
}

/// "in buildPhase, at step 7 of 12"
QString placeOf(const NinjaProgress &progress)
{
    const QLocale locale;
    const QString steps =
        Tr::tr("at step %1 of %2").arg(locale.toString(progress.step()), locale.toString(progress.total()));
    if (progress.phase().isEmpty())
        return progress.total() > 0 ? steps : QString();
    const QString phase = Tr::tr("in %1").arg(progress.phase());
    return progress.total() > 0 && progress.phase() == "buildPhase"_L1
               ? Tr::tr("%1, %2", "phase, step of a build").arg(phase, steps)
               : phase;
}

struct ReadLog {
    OutcomeReader reader;
    NinjaProgress progress;
};

ReadLog readLog(const QString &logPath, const QString &package)
{
    ReadLog log{OutcomeReader(package), {}};
    QFile file(logPath);
    if (!file.open(QIODevice::ReadOnly))
        return log;
    const qint64 size = file.size();
    if (size <= headBytes + tailBytes) {
        readStretch(file, 0, size, log.reader, log.progress);
        return log;
    }
    const auto lineAfter = [&file](qint64 at) {
        file.seek(at);
        const QByteArray part = file.read(chunkBytes);
        return at + std::max<qsizetype>(0, part.indexOf('\n') + 1);
    };
    const qint64 head = lineAfter(headBytes);
    const qint64 tail = lineAfter(size - tailBytes);
    readStretch(file, 0, head, log.reader, log.progress);
    // A build with many jobs may print a lot after its first failure.
    if (const qint64 failed = findFailed(file, head, tail); failed >= 0)
        readStretch(file, failed, std::min(tail, lineAfter(failed + chunkBytes)), log.reader, log.progress);
    readStretch(file, tail, size, log.reader, log.progress);
    return log;
}

} // namespace

BuildOutcome outcomeOfLog(const QString &logPath, const QString &package, const ProcessOutcome &process,
                          ResultLink link)
{
    const ReadLog log = readLog(logPath, package);
    return log.reader.outcome(process, placeOf(log.progress), link);
}

BuildOutcome judgedByRecipe(BuildOutcome outcome, const QByteArray &recipe)
{
    if (outcome.kind != BuildOutcome::Kind::HashMismatch)
        return outcome;
    const QByteArrayList notations = notationsOf(outcome.statedHash);
    if (std::ranges::any_of(notations, [&recipe](const QByteArray &hash) { return recipe.contains(hash); }))
        return outcome;
    outcome.sentence =
        outcome.statedHash.isEmpty()
            ? Tr::tr(
                  "The hash of a source is %1, but nixpkgs or another file states another one. Correct the hash there.")
                  .arg(outcome.rightHash)
            : Tr::tr("The hash of a source is %1, but nixpkgs or another file states %2. Correct the hash there.")
                  .arg(outcome.rightHash, outcome.statedHash);
    outcome.statedHash.clear();
    outcome.rightHash.clear();
    return outcome;
}

BuildOutcome lostOutcome(const QString &logPath, const QString &package)
{
    const QString where = placeOf(readLog(logPath, package).progress);
    BuildOutcome outcome;
    outcome.kind = BuildOutcome::Kind::Lost;
    outcome.sentence = where.isEmpty()
                           ? Tr::tr("The build was lost: its process was killed, or the machine restarted. Build "
                                    "again.")
                           : Tr::tr("The build was lost %1: its process was killed, or the machine restarted. Build "
                                    "again.")
                                 .arg(where);
    return outcome;
}

} // namespace tmx
