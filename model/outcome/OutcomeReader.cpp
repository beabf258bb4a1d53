// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/outcome/OutcomeReader.h"

#include "model/base/Process.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/catalog/Catalog.h"
#include "model/catalog/NixHash.h"
#include "model/catalog/VariantName.h"
#include "model/log/NinjaProgress.h"
#include "model/log/OutputDecoder.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <csignal>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using Kind = BuildOutcome::Kind;
using Cause = BuildOutcome::Cause;
using Certainty = BuildOutcome::Certainty;
using Weight = FailureLine::Weight;

constexpr qsizetype mostClosings = 8; // with a builder's 12 lines 20 together
constexpr qsizetype longestReason = 400;
constexpr qsizetype mostDerivations = 4096;
constexpr qsizetype mostReasons = 8;

/// Whether a line that no builder printed states a reason. Nix indents the reason below its "error:".
bool isClosing(QStringView text)
{
    text = text.trimmed();
    return text.contains(u"ERROR: ") || text.startsWith(u"error: ") || text.startsWith(u"Reason: ") ||
           text.startsWith(u"make: *** ");
}

/// Messages of Nix. Warnings do not count: Nix retries after them.
bool saysNetwork(QStringView text)
{
    static const QRegularExpression nix(
        uR"x(\berror: (?:unable to download '|cannot download \S+ from any mirror)|\berror: unable to access 'https?://)x"_s);
    return !text.trimmed().startsWith(u"warning:") && nix.matchView(text).hasMatch();
}

/// Errors that Nix finds in the text of a recipe, before building anything.
bool saysEvaluation(QStringView text)
{
    static const QRegularExpression pattern(
        uR"x(error: (syntax error|undefined variable|attribute '.*' missing|infinite recursion|stack overflow|attempt to call|cannot coerce|cannot evaluate|assertion .* failed|expected an? .* but found|value is .* while|[Pp]ath '.*' |getting status of '|evaluation aborted|access to .* is forbidden|function '.*' called|Package [‘']|Refusing to evaluate|invalid (base|hash|SRI)|hash '.*' |cached failure|opening file|The option|A definition for|file '.*' was not found|No supported GPU targets|No GPU targets)|^\s+… (while|in the)|^\s+at \S+\.nix:\d+:\d+:)x"_s);
    return pattern.matchView(text).hasMatch();
}

/// Lines that Nix or flox prints during a build, not the builder.
bool isNixOwn(QStringView text)
{
    static const QRegularExpression pattern(
        uR"x(^(?:error|warning|trace|note|evaluation warning): |^error:$|^building (?:path\(s\) )?['‘]/\S+/store/|^(?:copying path|downloading|waiting for|querying|unpacking|substitut\w+) '/|^copying \d+ paths|^th(?:is|ese) .*(?:derivations?|paths?) will be |^(?:  )?/\S+/store/\S+$|^Building .* in Nix expression mode$|^Completed build of |^cannot build (?:on|derivation) |^Failed to find a machine |^derivation: |^required \(system|Built outputs?:|Outputs? created:|^\./result-|^[^\w\s]{1,3} ERROR: |^ERROR: (?:Build failed|Target |The Nix expression|Building nix|Did not find)|^ssh: |^Connection to \S+ closed|^hash mismatch in |^builder for ['‘]|^@nix |^in job )x"_s);
    return pattern.matchView(text).hasMatch();
}

/// Nix's "error: ", as a build tool prints it as well.
bool isToolsError(const QString &line)
{
    static const QRegularExpression tools(
        u"^error(?:\\[E\\d+\\])?: (?:command |could not compile|failed to run custom|patch failed|\\S+: patch does not|subprocess-exited|metadata-generation|linking with|aborting due|no matching package|failed to (?:get|select|load)|linker )|^error\\[E"_s);
    return tools.match(line).hasMatch();
}

/// The line without what a viewer or a service puts in front: the bar of nix-output-monitor, a time of GitHub.
QString undecorated(const QString &line)
{
    static const QRegularExpression time(u"^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d+Z "_s);
    if (line.startsWith(u'┃'))
        return line.sliced(line.startsWith(u"┃ "_s) ? 2 : 1);
    if (line.startsWith(u'2') && line.size() > 20 && line.at(10) == u'T') {
        if (const auto match = time.match(line); match.hasMatch())
            return line.sliced(match.capturedLength());
    }
    return line;
}

void keepLast(QList<LoggedLine> &lines, const LoggedLine &line, qsizetype most)
{
    if (!lines.isEmpty() && lines.constLast().line == line.line)
        return;
    lines.append(line);
    if (lines.size() > most)
        lines.removeFirst();
}

} // namespace

bool saysError(QStringView line)
{
    const QStringView derivation = derivationPrefix(line);
    if (derivation.isEmpty())
        return isClosing(line);
    return failureIn(line.mid(derivation.size() + 2, longestReason).toString()).has_value() ||
           line.mid(derivation.size() + 2).startsWith(u"FAILED: ");
}

OutcomeReader::OutcomeReader(const QString &package)
    : m_package(package)
{
}

/// Without prefixes, every line that is not Nix's own is a builder's.
bool OutcomeReader::isBuilders(const QString &line) const
{
    if (m_prefixesSeen || (m_inNix && (line.startsWith(u' ') || line.startsWith(u'\t'))))
        return false;
    if (line.startsWith("make: *** "_L1)) // flox uses make too, around Nix.
        return m_mentioned.isEmpty() && !line.contains("flox-build.mk"_L1);
    return !isNixOwn(line) || isToolsError(line);
}

/// The output of a derivation. A line whose beginning was cut off belongs to the derivation that it cuts.
BuilderOutput &OutcomeReader::outputOf(const QString &derivation)
{
    const auto found = m_outputs.find(derivation);
    if (found != m_outputs.end())
        return *found;
    for (const QString &known : std::as_const(m_derivations)) {
        const QString &longer = known.size() > derivation.size() ? known : derivation;
        const QString &shorter = known.size() > derivation.size() ? derivation : known;
        if (shorter.size() > 3 && longer.size() - shorter.size() <= 2 && longer.endsWith(shorter))
            return m_outputs[known];
    }
    if (m_derivations.size() >= mostDerivations) // A log of garbage.
        return m_outputs[{}];
    m_derivations.append(derivation);
    return m_outputs[derivation];
}

/// The output of a derivation that Nix names in full: lines begin with a part of its name.
BuilderOutput OutcomeReader::outputFor(const QString &failed) const
{
    QString best;
    bool any = false;
    for (const QString &derivation : m_derivations) {
        // "python3.13-torch" may be "torch" in front of the lines.
        const bool fits = failed.startsWith(derivation) || (derivation.size() > 3 && failed.contains(derivation));
        if (fits && (!any || derivation.size() > best.size())) {
            best = derivation;
            any = true;
        }
    }
    return any ? m_outputs.value(best) : BuilderOutput();
}

void OutcomeReader::read(const QString &logged, qint64 offset)
{
    const QString line = undecorated(logged);
    if (QStringView(line).trimmed().isEmpty())
        return;
    const QStringView derivation = derivationPrefix(line);
    m_prefixesSeen |= !derivation.isEmpty();
    if (const QString trouble = connectionTrouble(line); derivation.isEmpty() && !trouble.isEmpty())
        m_connectionTrouble = trouble;
    if (derivation.isEmpty() && !m_buildingSeen)
        readRefusal(line);
    if (!derivation.isEmpty()) {
        m_inNix = m_listsUntracked = false;
        m_somethingBuilt = true;
        outputOf(derivation.toString()).read(line.mid(derivation.size() + 2, longestReason), offset);
    } else if (readQuote(line, offset) || readEnvironment(line)) {
        return;
    } else if (isBuilders(line)) {
        m_inNix = false;
        m_somethingBuilt |= m_buildingSeen;
        outputOf({}).read(line.left(longestReason), offset);
    } else {
        if (!line.startsWith(u' '))
            m_inNix = isClosing(line) || line.startsWith("error:"_L1) || line.startsWith("hash mismatch in"_L1);
        readRemoteBuilder(line); // The whole line: it names derivations twice.
        readFlox(line.left(longestReason), offset);
    }
}

/// Nix's copy of the last lines of the builder that failed first.
bool OutcomeReader::readQuote(const QString &line, qint64 offset)
{
    static const QRegularExpression quotes(uR"x(^\s+(?:\*\*)?last \d+ log lines?:$)x"_s,
                                           QRegularExpression::CaseInsensitiveOption);
    if (m_quote == Quote::Open) {
        const QString text = line.trimmed();
        if (!text.startsWith(u'>')) {
            m_quote = Quote::Over;
            return false;
        }
        if (text.size() > 1) // A blank after it is Nix's; what follows is the builder's indentation.
            m_quoted.read(text.sliced(text.startsWith("> "_L1) ? 2 : 1).left(longestReason), offset);
        return true;
    }
    const bool begins =
        m_quote == Quote::None && quotes.match(line).hasMatch() && (!m_failed || m_failed->name == m_mentioned);
    if (begins)
        m_quote = Quote::Open;
    return begins;
}

/// The files of the environment that flox does not publish, one a line.
bool OutcomeReader::readEnvironment(const QString &line)
{
    if (line.contains("environment files are not tracked by git"_L1) ||
        line.contains("could not find environment pointer file"_L1)) {
        m_refusal = Kind::Untracked;
        return m_listsUntracked = true;
    }
    const bool listed = m_listsUntracked && line.startsWith("- "_L1);
    if (listed && m_untracked.size() < mostReasons)
        m_untracked.append(line.sliced(2).trimmed().left(longestReason));
    m_listsUntracked = m_listsUntracked && (listed || line.contains("unsupported state"_L1));
    return listed;
}

void OutcomeReader::readFlox(const QString &line, qint64 offset)
{
    if (readLinks(line))
        return;
    if (line.startsWith("building '"_L1)) {
        m_buildingSeen = true;
        if (!m_prefixesSeen && m_outputs.contains(QString()))
            m_outputs[QString()].startPhase({});
    }
    m_somethingBuilt |= m_buildingSeen || line.contains(" will be built:"_L1) || line.contains(" will be fetched"_L1);
    m_interrupted |= line.contains("interrupted by the user"_L1) || line.contains("user interrupted process"_L1);
    readFailed(line);
    readHash(line);
    readEvaluation(line);
    readNix(line);
    if (isClosing(line) && !line.contains("unexpected end-of-file"_L1))
        keepLast(m_closings, {line.trimmed(), offset}, mostClosings);
}

/// Why flox does not even start.
void OutcomeReader::readRefusal(const QString &line)
{
    if (line.contains("does not appear to be tracked by git"_L1))
        m_refusal = Kind::Untracked;
    else if (line.contains("ERROR: Target '"_L1) && line.endsWith("' not found."_L1))
        m_refusal = Kind::UnknownPackage;
    else if (line.contains("requires git version control"_L1))
        m_refusal = Kind::NotGit;
    else if (line.contains("Did not find an environment"_L1))
        m_refusal = Kind::NoEnvironment;
}

/// Which builder failed, and how.
void OutcomeReader::readFailed(const QString &line)
{
    static const QRegularExpression named(
        uR"x((?:[Bb]uilder for|Cannot build) ['‘](?:[^'’]*/)?(?:[^-'/’]*-)?([^'/’]+)\.drv['’])x"_s);
    static const QRegularExpression ended(
        uR"x(failed with exit code (\d+)|failed due to signal (\d+)|failed produced? )x"_s);
    m_builderFailed |= line.contains("Cannot build '"_L1) || line.contains("builder for '"_L1) ||
                       line.contains("builder for ‘"_L1) || line.contains("dependencies of derivation '"_L1) ||
                       line.startsWith("building '"_L1);
    if (const auto match = named.match(line); match.hasMatch())
        m_mentioned = match.captured(1);
    const auto match = ended.match(line);
    if (!match.hasMatch() || m_mentioned.isEmpty() || m_failed || line.contains("dependency failed"_L1))
        return;
    m_failed = Failed{m_mentioned, match.captured(1).toInt(), match.captured(2).toInt(), outputFor(m_mentioned)};
    m_nixFirst = m_nix.has_value();
}

/// Mismatched hashes, and errors in the recipe's text with their line.
void OutcomeReader::readHash(const QString &line)
{
    static const QRegularExpression hash(uR"x(^\s*(specified|wanted|expected|got):\s+(\S+)$)x"_s);
    static const QRegularExpression of(
        uR"x(hash mismatch in [^'‘]*['‘](?:/nix/store/[^-'/’]*-)?([^'’]+?)(?:\.drv)?['’])x"_s);
    static const QRegularExpression input(uR"x(hash mismatch in .*expected '([^']+)' but got '([^']+)')x"_s);
    if (line.contains("hash mismatch"_L1) && !m_mismatch) {
        m_mismatch = true;
        m_mismatchOf = of.match(line).captured(1);
        if (const auto match = input.match(line); match.hasMatch()) {
            m_statedHash = match.captured(1);
            m_rightHash = match.captured(2);
        }
    }
    if (const auto match = hash.match(line); m_mismatch && match.hasMatch()) {
        QString &which = match.captured(1) == "got"_L1 ? m_rightHash : m_statedHash;
        if (which.isEmpty())
            which = match.captured(2);
    }
    if (!m_rightHash.isEmpty())
        takeNix({Weight::Exact, Kind::HashMismatch, Cause::Hash, Certainty::Certain, {}, {}});
}

/// What the evaluation complains about.
void OutcomeReader::readEvaluation(const QString &line)
{
    static const QRegularExpression place(uR"x(\bat (?:\S*/)?\.flox/pkgs/([^/:\s]+)(?:/default)?\.nix:(\d+):\d+)x"_s);
    static const QRegularExpression refused(
        uR"x([Pp]ackage [‘']([^’']+)[’'].*?\b(?:(has an unfree license)(?: \([‘']([^’']*)[’']\))?|marked as (broken|insecure)|(is not available on the requested|is not supported on|unsupported system)|(has problems|has the following problem)))x"_s);
    static const QRegularExpression hidden(
        uR"x(error: (?:[Pp]ath '([^']+)' (?:in the repository.*is not tracked|is not tracked|does not exist)|getting status of '([^']+)': No such file|opening file '([^']+)': No such file))x"_s);
    static const QRegularExpression absolute(uR"x(access to absolute path '([^']+)' is forbidden)x"_s);
    m_evaluating |= saysEvaluation(line);
    // A trace goes from the outermost place to the error: the last place in the recipe is the nearest.
    if (const QRegularExpressionMatch match = place.match(line); match.hasMatch() && match.captured(1) == m_package)
        m_recipeLine = match.captured(2).toInt();
    const QString text = line.trimmed();
    if (m_listsReasons && m_refused) {
        static const QRegularExpression over(
            uR"x(^(?:[a-c]\) |See also|To |You can|Alternatively|For |If you|hostPlatform|error:|\(use|Please|This package))x"_s);
        QStringList &about = m_refused->about;
        if (over.match(text).hasMatch())
            m_listsReasons = false;
        else if (text.startsWith("- "_L1) && about.size() <= mostReasons)
            about.append(text.sliced(2).trimmed());
        else if (about.size() > 1 && !text.startsWith("- "_L1) && !text.endsWith(u':'))
            about.last() += u' ' + text;
        return;
    }
    const QString joined = m_tail.join(u' ') + u' ' + text;
    m_tail.append(text);
    if (m_tail.size() > 2)
        m_tail.removeFirst();
    auto match = refused.match(line);
    if (!match.hasMatch() && !m_refused)
        match = refused.match(joined);
    if (match.hasMatch() && !m_refused) {
        const bool unfree = !match.captured(2).isEmpty();
        const Cause cause = unfree                               ? Cause::Unfree
                            : match.captured(4) == "broken"_L1   ? Cause::Broken
                            : match.captured(4) == "insecure"_L1 ? Cause::Insecure
                            : !match.captured(5).isEmpty()       ? Cause::UnsupportedSystem
                                                                 : Cause::Problems;
        m_refused = FailureLine{Weight::Exact,      Kind::EvaluationError, cause,
                                Certainty::Certain, bareError(text),       {match.captured(1)}};
        if (unfree)
            m_refused->about.append(match.captured(3));
        m_listsReasons = !unfree;
        m_evaluating = true;
    } else if (const auto path = hidden.match(line); path.hasMatch() && !m_refused) {
        const QString missing = path.captured(1) + path.captured(2) + path.captured(3);
        // A path in the copy of the repository that Nix evaluates was not copied, so git does not track it.
        if (line.contains("tracked"_L1) || missing.contains("/.flox/"_L1) || missing.contains("-source/"_L1))
            m_refused =
                FailureLine{Weight::Exact,        Kind::EvaluationError,
                            Cause::UntrackedFile, line.contains("tracked"_L1) ? Certainty::Certain : Certainty::Likely,
                            bareError(text),      {missing}};
    } else if (const auto outside = absolute.match(line); outside.hasMatch() && !m_refused) {
        m_refused = FailureLine{Weight::Exact,      Kind::EvaluationError, Cause::AbsolutePath,
                                Certainty::Certain, bareError(text),       {outside.captured(1)}};
    }
}

void OutcomeReader::takeNix(FailureLine failure)
{
    if (m_nix)
        return;
    m_nix = std::move(failure);
    m_nixFirst = !m_failed;
}

/// What Nix itself reports of a build: limits, a full disk, a collision, a download.
void OutcomeReader::readNix(const QString &line)
{
    static const QRegularExpression limit(
        uR"x(timed out after (\d+) seconds?( of silence| of no output| without output)?)x"_s);
    static const QRegularExpression gone(uR"x(HTTP error (404|403|410|401)\b)x"_s);
    const auto take = [&](Kind kind, Cause cause, const QStringList &about = {}) {
        takeNix({Weight::Exact, kind, cause, Certainty::Certain, bareError(line), about});
    };
    if (const auto match = limit.match(line); match.hasMatch() && !line.startsWith("warning"_L1))
        return take(Kind::TimeLimit, match.captured(2).isEmpty() ? Cause::Timeout : Cause::Silence,
                    {match.captured(1)});
    static const QRegularExpression inStore(u"^\\s+\\S+/store/[^-/]+-(\\S+)$"_s);
    if (const auto match = inStore.match(line); match.hasMatch() && m_nix && m_nix->cause == Cause::Reference) {
        if (m_nix->about.value(1).isEmpty())
            m_nix->about = {m_nix->about.value(0), match.captured(1)};
        return;
    }
    m_lackOfDisk |= line.contains("may have been caused by lack of free disk space"_L1);
    static const QRegularExpression socket(u"^error: cannot connect to socket at '[^']*daemon-socket"_s);
    if (socket.match(line).hasMatch())
        return take(Kind::Failed, Cause::NixDaemon);
    static const QRegularExpression reference(
        u"^error: output '[^']*/[^/-]+-([^/']+)' is not allowed to refer to (?:the following paths:|path '[^']*/[^/-]+-([^']+)')"_s);
    if (const auto match = reference.match(line); match.hasMatch())
        return take(Kind::Failed, Cause::Reference, {match.captured(1), match.captured(2)});
    if (m_nix && m_nix->cause == Cause::NotFound && line.contains("rate limit"_L1)) {
        m_nix->cause = Cause::RateLimit;
        return;
    }
    if (saysNetwork(line))
        return take(Kind::Network, gone.match(line).hasMatch() ? Cause::NotFound : Cause::Message);
    if (line.startsWith("note"_L1) || line.contains("unexpected end-of-file"_L1))
        return;
    // "Reason: builder failed due to signal 9" belongs to its builder.
    auto failure =
        m_mentioned.isEmpty() || !line.contains("due to signal"_L1) ? exactFailureIn(line.trimmed()) : std::nullopt;
    const bool counts = failure && (failure->kind == Kind::OutOfDisk || failure->kind == Kind::OutOfMemory ||
                                    failure->cause == Cause::Collision || failure->cause == Cause::NoArchitecture);
    if (!counts)
        return;
    if (failure->cause == Cause::Disk)
        failure->cause = Cause::StoreDisk; // Nix writes there.
    if (failure->cause == Cause::NoArchitecture)
        failure->kind = Kind::EvaluationError;
    takeNix(*failure);
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
        m_unfit = {match.captured(1), match.captured(2), match.captured(3), match.captured(4), match.captured(5)};
    } else if (const auto match = lost.match(line); match.hasMatch()) {
        m_remoteBuilder = match.captured(1);
        m_remoteBuilderTrouble = match.captured(2).trimmed();
        m_builderLost = true;
    } else if (const auto match = disconnected.match(line); match.hasMatch()) {
        m_disconnected = match.captured(1);
    } else if (const auto match = ended.match(line);
               match.hasMatch() && !m_disconnected.isEmpty() && m_unfit.isEmpty()) {
        // The end of the connection is printed before the derivation that it affected.
        if (const QString store = m_builtOn.value(match.captured(1)); !store.isEmpty()) {
            m_remoteBuilder = store;
            m_remoteBuilderTrouble = m_disconnected;
            m_builderLost = true;
        }
    }
}

/// The failure of a machine that should have built.
std::optional<FailureLine> OutcomeReader::machineFailure() const
{
    const auto with = [](Kind kind, Cause cause, const QStringList &about) {
        return FailureLine{Weight::Exact, kind, cause, Certainty::Certain, {}, about};
    };
    if (!m_unfit.isEmpty())
        return with(Kind::NoBuilder, Cause::BuilderUnfit, m_unfit);
    const QStringList remote{m_remoteBuilder, m_remoteBuilderTrouble};
    if (m_builderLost)
        return with(Kind::Network, Cause::BuilderLost, remote);
    if (!m_noBuilder)
        return {};
    if (m_restricted)
        return with(Kind::NoBuilder, Cause::Restricted, {});
    return m_remoteBuilder.isEmpty() ? with(Kind::NoBuilder, Cause::NoMachine, {})
                                     : with(Kind::Network, Cause::BuilderUnreachable, remote);
}

/// The output that tells why: that of the builder that failed, Nix's copy of its end, or, where Nix names none, the
/// first that has an error.
BuilderOutput OutcomeReader::failingOutput() const
{
    const auto says = [](const BuilderOutput &output) {
        const std::optional<FailureLine> failure = output.failure();
        return failure && failure->weight != Weight::Consequence;
    };
    const QString name = m_failed ? m_failed->name : m_mentioned;
    BuilderOutput own = m_failed ? m_failed->output : name.isEmpty() ? BuilderOutput() : outputFor(name);
    if (says(own) || (!own.isEmpty() && !says(m_quoted) && (own.failure() || m_quoted.isEmpty())))
        return own;
    if (!m_quoted.isEmpty() && (says(m_quoted) || !name.isEmpty()))
        return m_quoted;
    std::optional<BuilderOutput> spoken;
    for (const QString &derivation : m_derivations) {
        const BuilderOutput output = m_outputs.value(derivation);
        // A download is tried again.
        if (says(output) && output.failure()->kind != Kind::Network)
            return output;
        if (output.failure() || (!spoken && name.isEmpty() && m_derivations.size() == 1))
            spoken = spoken && spoken->failure() ? spoken : output;
    }
    return spoken.value_or(m_quoted.isEmpty() ? own : m_quoted);
}

std::optional<FailureLine> OutcomeReader::builderFailure() const
{
    std::optional<FailureLine> failure = failingOutput().failure();
    const bool exact = failure && failure->weight == Weight::Exact;
    const int signal = m_failed ? m_failed->signal : 0;
    const int code = m_failed ? m_failed->exitCode : 0;
    const QString ended = signal > 0 ? u"signal %1"_s.arg(signal) : u"exit code %1"_s.arg(code);
    if (signal == SIGKILL && !(exact && failure->kind == Kind::OutOfMemory))
        return FailureLine{Weight::Exact, Kind::OutOfMemory, Cause::Memory, Certainty::Likely, ended, {}};
    if ((signal == SIGILL || (code == 128 + SIGILL && !exact)) &&
        !(exact && failure->cause == Cause::IllegalInstruction))
        return FailureLine{Weight::Exact,
                           Kind::Failed,
                           Cause::IllegalInstruction,
                           signal > 0 ? Certainty::Certain : Certainty::Likely,
                           ended,
                           {}};
    if (code == 128 + SIGKILL && !exact)
        return FailureLine{Weight::Exact, Kind::OutOfMemory, Cause::Memory, Certainty::Likely, ended, {}};
    if (m_lackOfDisk && !exact && (!failure || failure->weight == Weight::Consequence))
        return FailureLine{
            Weight::Exact, Kind::OutOfDisk, Cause::Disk, Certainty::Likely, Tr::tr("Nix found little free space"), {}};
    return failure;
}

/// Why the build failed: the first failure of all that are known.
FailureLine OutcomeReader::failure() const
{
    if (const auto machine = machineFailure())
        return *machine;
    if (m_nix && m_nixFirst && !(m_nix->kind == Kind::Network && m_failed && builderFailure()))
        return *m_nix;
    const std::optional<FailureLine> builder = builderFailure();
    const bool evaluation = m_evaluating || m_refused;
    if (builder && builder->weight != Weight::Consequence && !(evaluation && !m_builderFailed && !m_prefixesSeen))
        return *builder;
    if (m_nix)
        return *m_nix;
    if (evaluation && !m_builderFailed)
        return m_refused.value_or(
            FailureLine{Weight::Error, Kind::EvaluationError, Cause::Message, Certainty::Certain, reason(), {}});
    if (!builder && m_disconnected.startsWith("Nix daemon"_L1))
        return {Weight::Exact, Kind::Failed, Cause::NixDaemon, Certainty::Certain, m_disconnected, {}};
    const LoggedLine last = failingOutput().last();
    FailureLine unknown{Weight::Consequence, Kind::Failed, Cause::Unknown, Certainty::None, bareError(last.line), {}};
    if (builder)
        unknown.kind = builder->kind;
    if (last.line.isEmpty()) {
        unknown.text.clear();
        unknown.about = reason().isEmpty() ? QStringList() : QStringList{reason()};
    }
    return unknown;
}

/// What Nix or flox says at the end, without a full stop; may be empty.
QString OutcomeReader::reason() const
{
    for (const auto &[line, offset] : m_closings) {
        if (!line.endsWith("Build failed"_L1) && !line.contains("ailed to build "_L1) &&
            !line.startsWith("make: "_L1) && !line.contains("Cannot build"_L1))
            return bareError(line.startsWith("Reason: "_L1) ? line.mid(8) : line);
    }
    return {};
}

/// How the process ended explains more than its log, unless that says that a resource ran out.
FailureLine OutcomeReader::failure(const ProcessOutcome &process) const
{
    const FailureLine said = failure();
    if (said.kind == Kind::OutOfDisk || said.kind == Kind::OutOfMemory)
        return said;
    const QString signal = Tr::tr("signal %1").arg(process.signal);
    if (process.signal == SIGKILL)
        return {Weight::Exact, Kind::OutOfMemory, Cause::Memory, Certainty::Likely, signal, {}};
    if (process.crashed)
        return {Weight::Exact, Kind::Crashed, Cause::None, Certainty::Certain, signal, {}};
    if (m_interrupted)
        return {Weight::Exact, Kind::Stopped, Cause::Message, Certainty::Certain, {}, {}};
    return said;
}

BuildOutcome OutcomeReader::outcome(const ProcessOutcome &process, const BuildStep &at, ResultLink link) const
{
    BuildOutcome outcome;
    outcome.exitCode = process.exitCode;
    outcome.package = m_package;
    if (process.started && process.exitCode == 0) {
        outcome.kind = link == ResultLink::Absent ? Kind::NoResult : Kind::Built;
        if (outcome.kind == Kind::NoResult)
            return outcome;
        outcome.alreadyBuilt = !m_somethingBuilt;
        outcome.resultLinks = m_links;
        if (!m_remoteBuilder.isEmpty()) {
            outcome.cause = Cause::BuilderUnreachable;
            outcome.about = {m_remoteBuilder, m_remoteBuilderTrouble};
        }
        return outcome;
    }
    outcome.at = at;
    if (!process.started) {
        outcome.cause = Cause::NotStarted;
        outcome.about = {u"flox"_s};
        outcome.text = process.error;
        return outcome;
    }
    if (process.stopped) {
        outcome.kind = Kind::Stopped;
        return outcome;
    }
    const BuilderOutput output = failingOutput();
    QList<LoggedLine> lines = output.lines();
    if (lines.isEmpty() && !output.isEmpty())
        lines.append(output.last());
    lines += m_closings;
    for (const auto &[line, offset] : lines)
        outcome.lastErrors.append(line);
    if (!lines.isEmpty())
        outcome.firstError = lines.constFirst().offset;
    if (m_refusal) {
        outcome.kind = *m_refusal;
        if (m_listsUntracked || !m_untracked.isEmpty()) {
            outcome.cause = Cause::EnvironmentUntracked;
            outcome.about = m_untracked;
        }
        return outcome;
    }
    const FailureLine failure = this->failure(process);
    outcome.kind = failure.kind;
    outcome.cause = failure.cause;
    outcome.certainty = failure.certainty;
    outcome.text = failure.text;
    outcome.about = failure.about;
    outcome.derivation = m_failed ? m_failed->name : m_mentioned;
    if (outcome.kind == Kind::EvaluationError)
        outcome.recipeLine = m_recipeLine;
    if (outcome.kind == Kind::HashMismatch) {
        outcome.about = {m_mismatchOf, m_statedHash, m_rightHash};
        outcome.statedHash = m_statedHash;
        outcome.rightHash = m_rightHash;
    }
    return outcome;
}

namespace {

constexpr qint64 headBytes = 1024 * 1024;
constexpr qint64 tailBytes = 8 * 1024 * 1024;
constexpr qint64 chunkBytes = 256 * 1024;

/// Reads part of the log, as whole lines.
void readStretch(QFile &file, qint64 from, qint64 to, OutcomeReader *reader, NinjaProgress &progress)
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
        if (reader)
            reader->read(text, at);
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

BuildStep stepOf(const NinjaProgress &progress)
{
    return {progress.phase(), progress.step(), progress.total()};
}

/// Reads for the progress and, if there is one, for a reader.
NinjaProgress readLog(const QString &logPath, OutcomeReader *reader)
{
    NinjaProgress progress;
    QFile file(logPath);
    if (!QFileInfo(logPath).isFile() || !file.open(QIODevice::ReadOnly))
        return progress;
    const qint64 size = file.size();
    if (size <= headBytes + tailBytes) {
        readStretch(file, 0, size, reader, progress);
        return progress;
    }
    const auto lineAfter = [&file](qint64 at) {
        file.seek(at);
        const QByteArray part = file.read(chunkBytes);
        return at + std::max<qsizetype>(0, part.indexOf('\n') + 1);
    };
    const qint64 head = lineAfter(headBytes);
    const qint64 tail = lineAfter(size - tailBytes);
    readStretch(file, 0, head, reader, progress);
    // A build with many jobs may print a lot after its first failure.
    if (const qint64 failed = findFailed(file, head, tail); failed >= 0)
        readStretch(file, failed, std::min(tail, lineAfter(failed + chunkBytes)), reader, progress);
    readStretch(file, tail, size, reader, progress);
    return progress;
}

} // namespace

BuildOutcome outcomeOfLog(const QString &logPath, const QString &package, const ProcessOutcome &process,
                          ResultLink link)
{
    OutcomeReader reader(package);
    const NinjaProgress progress = readLog(logPath, &reader);
    return reader.outcome(process, stepOf(progress), link);
}

BuildOutcome judgedByRecipe(BuildOutcome outcome, const QByteArray &recipe)
{
    if (outcome.kind != Kind::HashMismatch)
        return outcome;
    const QByteArrayList notations = notationsOf(outcome.statedHash);
    if (std::ranges::any_of(notations, [&recipe](const QByteArray &hash) { return recipe.contains(hash); }))
        return outcome;
    // Nix takes this one where none is stated.
    const bool none = outcome.statedHash == "sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="_L1 &&
                      (recipe.contains("\"\"") || recipe.contains("fakeHash") || recipe.contains("fakeSha256"));
    outcome.cause = none ? Cause::HashMissing : Cause::HashElsewhere;
    outcome.statedHash.clear();
    outcome.rightHash.clear();
    return outcome;
}

BuildOutcome judgedByCpu(BuildOutcome outcome, const QByteArray &cpuInfo)
{
    static const QRegularExpression flags(u"^(?:flags|Features)\\s*:(.*)$"_s, QRegularExpression::MultilineOption);
    const QRegularExpressionMatch match = flags.match(QString::fromUtf8(cpuInfo));
    const auto catalog = Catalog::loadForUser();
    if (outcome.cause != Cause::IllegalInstruction || !match.hasMatch() || !catalog)
        return outcome;
    const auto name = VariantName::parse(outcome.package, (*catalog)->isaIds());
    const Isa *isa = name ? (*catalog)->isa(name->variant.isa) : nullptr;
    if (!isa)
        return outcome;
    const QStringList has = match.captured(1).split(u' ', Qt::SkipEmptyParts);
    outcome.about = isa->cpuinfo;
    outcome.about.removeIf([&has](const QString &flag) { return has.contains(flag); });
    return outcome;
}

BuildOutcome lostOutcome(const QString &logPath, const QString &package)
{
    return {.kind = Kind::Lost, .at = stepOf(readLog(logPath, nullptr)), .package = package};
}

} // namespace tmx
