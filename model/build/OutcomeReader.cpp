// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/build/OutcomeReader.h"

#include "model/base/Process.h"
#include "model/build/NinjaProgress.h"

#include <QRegularExpression>

#include <csignal>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qsizetype mostCauses = 12;
constexpr qsizetype mostClosings = 8; // together 20
constexpr int contextLines = 2;       // the source line and the caret under it
constexpr qsizetype longestLine = 400;

/// The kernel's, the compiler's and Nix's ways to say that a process was killed for memory.
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

/// Of the lines that no builder printed, those that say why. Nix indents the reason under its "error:".
bool isClosing(QStringView text)
{
    text = text.trimmed();
    return text.contains(u"ERROR: ") || text.startsWith(u"error: ") || text.startsWith(u"Reason: ") ||
           text.startsWith(u"make: *** ");
}

void keepLast(QStringList &lines, const QString &line, qsizetype most)
{
    if (!lines.isEmpty() && lines.constLast() == line)
        return;
    lines.append(line);
    if (lines.size() > most)
        lines.removeFirst();
}

/// An error line without the words that a sentence has already said.
QString bare(QString line)
{
    static const QRegularExpression before(uR"(^.*?\b(fatal error|[Ee]rror) ?: )"_s);
    line = line.remove(before).simplified();
    return line.size() > 160 ? line.first(159) + u'…' : line;
}

} // namespace

bool saysError(QStringView line)
{
    const QStringView derivation = derivationPrefix(line);
    if (derivation.isEmpty())
        return isClosing(line);
    const QStringView text = line.mid(derivation.size() + 2, longestLine);
    return isCause(text) || saysOutOfMemory(text);
}

OutcomeReader::OutcomeReader(const QString &package)
    : m_package(package)
{
}

void OutcomeReader::read(const QString &line)
{
    const QStringView derivation = derivationPrefix(line);
    if (derivation.isEmpty()) {
        readFlox(line.size() > longestLine ? line.first(longestLine) : line);
        return;
    }
    m_somethingBuilt = true;
    readCause(line.mid(derivation.size() + 2, longestLine));
}

void OutcomeReader::readFlox(const QString &line)
{
    if (readLinks(line))
        return;
    m_somethingBuilt |=
        line.contains(" will be built:"_L1) || line.contains(" will be fetched"_L1) || line.startsWith("building '"_L1);
    m_interrupted |= line.contains("interrupted by the user"_L1) || line.contains("user interrupted process"_L1);
    m_outOfMemory |= saysOutOfMemory(line);
    if (line.contains("does not appear to be tracked by git"_L1))
        m_refusal = BuildOutcome::Kind::Untracked;
    else if (line.contains("ERROR: Target '"_L1) && line.endsWith("' not found."_L1))
        m_refusal = BuildOutcome::Kind::UnknownPackage;
    else if (line.contains("requires git version control"_L1))
        m_refusal = BuildOutcome::Kind::NotGit;
    else if (line.contains("Did not find an environment"_L1))
        m_refusal = BuildOutcome::Kind::NoEnvironment;
    if (isClosing(line))
        keepLast(m_closings, line.trimmed(), mostClosings);
}

/// "Built output: ./result-x", "Built outputs:" with the links on the next line; before 1.13 "... Output created:
/// ./result-x".
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

void OutcomeReader::readCause(const QString &line)
{
    const bool failed = line.startsWith("FAILED: "_L1);
    if (failed && !m_failedSeen) {
        // What looked like an error before, such as a compiler probe of the configure phase, did not stop the build.
        m_failedSeen = true;
        m_causes.clear();
    }
    const bool memory = saysOutOfMemory(line);
    m_outOfMemory |= memory;
    if (failed || memory || isCause(line))
        m_context = contextLines;
    else if (m_context > 0 && line.startsWith(u' '))
        --m_context;
    else {
        m_context = 0;
        return;
    }
    // The first failure explains; later ones follow from it, or were cut off by it.
    if (!m_failedSeen)
        keepLast(m_causes, line, mostCauses);
    else if (m_causes.size() < mostCauses)
        m_causes.append(line);
}

QString OutcomeReader::refusalSentence() const
{
    using Kind = BuildOutcome::Kind;
    switch (m_refusal.value_or(Kind::Failed)) {
    case Kind::Untracked:
        return tr("git does not track the recipe of %1, and flox builds tracked files only. Add it to the index and "
                  "build again.")
            .arg(m_package);
    case Kind::UnknownPackage:
        return tr("flox finds no recipe for %1. Generate .flox/pkgs/%1.nix and build again.").arg(m_package);
    case Kind::NotGit:
        return tr("The folder is not in a git repository, and flox builds recipes only from one. Run git init and add "
                  "the files.");
    case Kind::NoEnvironment: return tr("The folder holds no Flox environment. Run flox init in it.");
    case Kind::Built:
    case Kind::Failed:
    case Kind::OutOfMemory:
    case Kind::Stopped:
    case Kind::FloxMissing:
    case Kind::Crashed: break;
    }
    Q_UNREACHABLE_RETURN({});
}

QString OutcomeReader::failure(const ProcessOutcome &process, const QString &where) const
{
    QString cause;
    for (const QString &line : m_causes) {
        if (!line.startsWith("FAILED: "_L1) && isCause(line)) {
            cause = bare(line);
            break;
        }
    }
    for (const QString &line : m_closings) {
        if (cause.isEmpty() && !line.endsWith("Build failed"_L1) && !line.startsWith("make: "_L1) &&
            !line.contains("Cannot build"_L1))
            cause = bare(line.startsWith("Reason: "_L1) ? line.mid(8) : line);
    }
    if (cause.isEmpty())
        cause =
            process.exitCode > 1 ? tr("flox ended with exit code %1").arg(process.exitCode) : tr("flox gave no reason");
    while (cause.endsWith(u'.') || cause.endsWith(u';'))
        cause.chop(1);
    if (!cause.endsWith(u'?') && !cause.endsWith(u'…'))
        cause += u'.';
    return where.isEmpty() ? tr("The build failed: %1").arg(cause) : tr("The build failed %1: %2").arg(where, cause);
}

BuildOutcome OutcomeReader::outcome(const ProcessOutcome &process, const QString &where) const
{
    using Kind = BuildOutcome::Kind;
    BuildOutcome outcome;
    outcome.exitCode = process.exitCode;
    if (process.started && process.exitCode == 0) {
        outcome.kind = Kind::Built;
        outcome.alreadyBuilt = !m_somethingBuilt;
        outcome.resultLinks = m_links;
        const QString sentence = outcome.alreadyBuilt ? tr("%1 was built already") : tr("%1 is built");
        outcome.sentence = sentence.arg(m_package) +
                           (m_links.isEmpty() ? u"."_s : tr("; the result is %1.").arg(m_links.constFirst()));
        return outcome;
    }
    outcome.lastErrors = m_causes + m_closings;
    if (!process.started) {
        outcome.kind = Kind::Failed;
        outcome.sentence = tr("Could not start flox: %1.").arg(process.error);
    } else if (process.stopped) {
        outcome.kind = Kind::Stopped;
        outcome.lastErrors.clear();
        outcome.sentence = where.isEmpty() ? tr("The build was stopped.") : tr("The build was stopped %1.").arg(where);
    } else if (m_refusal) {
        outcome.kind = *m_refusal;
        outcome.sentence = refusalSentence();
    } else if (m_outOfMemory || process.signal == SIGKILL) {
        outcome.kind = Kind::OutOfMemory;
        outcome.sentence =
            process.signal == SIGKILL ? tr("flox was killed, most likely because memory ran out. Try fewer cores.")
            : where.isEmpty()         ? tr("Out of memory: the system killed the compiler. Try fewer cores.")
                              : tr("Out of memory %1: the system killed the compiler. Try fewer cores.").arg(where);
    } else if (process.crashed) {
        outcome.kind = Kind::Crashed;
        outcome.sentence =
            tr("flox itself crashed (signal %1). Build again; if it crashes again, report it to its makers.")
                .arg(process.signal);
    } else if (m_interrupted) {
        outcome.kind = Kind::Stopped;
        outcome.sentence = tr("The build was interrupted from outside this program.");
    } else {
        outcome.sentence = failure(process, where);
    }
    return outcome;
}

} // namespace tmx
