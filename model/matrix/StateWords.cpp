// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/StateWords.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(tmx::StateWords)
};

/// "The file is empty." -> "the file is empty", to go inside a sentence.
QString asClause(QString sentence)
{
    if (sentence.endsWith(u'.'))
        sentence.chop(1);
    // Names keep their capitals: PyTorch, MAGMA, USE_CUDA.
    const QStringView first = QStringView(sentence).first(std::max<qsizetype>(sentence.indexOf(u' '), 0));
    if (std::ranges::count_if(first, [](QChar c) { return c.isUpper(); }) < 2 && !sentence.isEmpty())
        sentence[0] = sentence.at(0).toLower();
    return sentence;
}

QString recipeClause(const VariantEntry &entry)
{
    const QString why = asClause(entry.reason);
    switch (entry.state) {
    case RecipeState::Unsupported:
        return entry.present ? Words::tr("there is a recipe, but it cannot work: %1").arg(why)
                             : Words::tr("cannot exist: %1").arg(why);
    case RecipeState::NotCovered:
        if (entry.hole)
            return Words::tr("perhaps missing; %1").arg(why);
        return why.isEmpty() ? Words::tr("possible, but not listed in the branch settings")
                             : Words::tr("not listed in the branch settings; %1").arg(why);
    case RecipeState::Missing:
        return why.isEmpty() ? Words::tr("listed in the branch settings, but there is no recipe yet")
                             : Words::tr("missing; %1").arg(why);
    case RecipeState::Current: return Words::tr("committed, the text that the template gives");
    case RecipeState::Equivalent: return Words::tr("committed; %1").arg(why);
    case RecipeState::Customised:
        return why.isEmpty() ? Words::tr("committed, differs from the template") : Words::tr("committed; %1").arg(why);
    case RecipeState::Modified:
        return why.isEmpty() ? Words::tr("changed in the working tree, not committed")
                             : Words::tr("changed; %1").arg(why);
    case RecipeState::Untracked: return Words::tr("new; %1").arg(why);
    case RecipeState::Broken:
    case RecipeState::Duplicate: {
        const QString clause =
            entry.state == RecipeState::Broken ? Words::tr("broken; %1").arg(why) : Words::tr("duplicate; %1").arg(why);
        return entry.fileStatus == FileStatus::Clean ? clause : Words::tr("%1; not committed").arg(clause);
    }
    }
    Q_UNREACHABLE_RETURN({});
}

QString buildClause(const BuildState &build, const QDateTime &now)
{
    const QString ago = build.since.isValid() ? agoText(build.since, now) : QString();
    switch (build.phase) {
    case BuildState::Phase::None: return {};
    case BuildState::Phase::Queued: return Words::tr("queued for a build");
    case BuildState::Phase::Running: {
        QString clause = build.since.isValid()
                             ? Words::tr("building since %1").arg(QLocale().toString(build.since.time(), u"HH:mm"_s))
                             : Words::tr("building");
        if (build.total > 0)
            clause = Words::tr("%1, %2 of %3 steps")
                         .arg(clause, QLocale().toString(build.step), QLocale().toString(build.total));
        return clause;
    }
    case BuildState::Phase::Stopping: return Words::tr("the build is being stopped");
    case BuildState::Phase::Built: return ago.isEmpty() ? Words::tr("built") : Words::tr("built %1").arg(ago);
    case BuildState::Phase::Stale:
        return ago.isEmpty() ? Words::tr("built, but the recipe has changed since")
                             : Words::tr("built %1, but the recipe has changed since").arg(ago);
    case BuildState::Phase::Failed: {
        const QString clause =
            ago.isEmpty() ? Words::tr("the build failed") : Words::tr("the build failed %1").arg(ago);
        return build.text.isEmpty() ? clause : Words::tr("%1: %2").arg(clause, asClause(build.text));
    }
    case BuildState::Phase::Published:
        return ago.isEmpty() ? Words::tr("published") : Words::tr("published %1").arg(ago);
    case BuildState::Phase::Elsewhere: return Words::tr("built by others %1, on %2").arg(ago, build.text);
    }
    Q_UNREACHABLE_RETURN({});
}

} // namespace

QString stateWord(RecipeState state)
{
    switch (state) {
    case RecipeState::Unsupported: return Words::tr("invalid");
    case RecipeState::NotCovered: return Words::tr("not covered");
    case RecipeState::Missing: return Words::tr("missing");
    case RecipeState::Current: return Words::tr("current");
    case RecipeState::Equivalent: return Words::tr("equivalent");
    case RecipeState::Customised: return Words::tr("customised");
    case RecipeState::Modified: return Words::tr("modified");
    case RecipeState::Untracked: return Words::tr("new");
    case RecipeState::Broken: return Words::tr("broken");
    case RecipeState::Duplicate: return Words::tr("duplicate");
    }
    Q_UNREACHABLE_RETURN({});
}

QString stateWord(const VariantEntry &entry)
{
    if (entry.hole)
        return Words::tr("missing?");
    const auto count = entry.state == RecipeState::Customised && entry.differences
                           ? std::ranges::count_if(*entry.differences, &MeaningDifference::builds)
                           : 0;
    return count > 0 ? Words::tr("%1 differ", "how many facts of a recipe").arg(count) : stateWord(entry.state);
}

QString stateMeaning(RecipeState state)
{
    switch (state) {
    case RecipeState::Unsupported:
        return Words::tr("Cannot exist: the toolkit does not know the GPU, or no machine with it has that CPU. The "
                         "tooltip says which.");
    case RecipeState::NotCovered:
        return Words::tr(
            "Could exist, but the branch settings do not list it. \"missing?\" where other toolkits, other "
            "Pythons or most rows have it.");
    case RecipeState::Missing: return Words::tr("The branch settings list it, and there is no recipe.");
    case RecipeState::Current: return Words::tr("Committed, with the text that its template gives.");
    case RecipeState::Equivalent:
        return Words::tr("Committed, with another text that builds the same as its template.");
    case RecipeState::Customised:
        return Words::tr(
            "Committed, and may build something else than its template. \"3 differ\" counts the facts that "
            "differ; the tooltip and Changes name them.");
    case RecipeState::Modified: return Words::tr("The working tree differs from the last commit.");
    case RecipeState::Untracked: return Words::tr("Written or added to the index, not committed yet.");
    case RecipeState::Broken: return Words::tr("The audit finds an error, or the file cannot be read as a recipe.");
    case RecipeState::Duplicate: return Words::tr("Two files claim the cell.");
    }
    Q_UNREACHABLE_RETURN({});
}

QString buildMeaning(BuildState::Phase phase)
{
    switch (phase) {
    case BuildState::Phase::None: return {};
    case BuildState::Phase::Queued: return Words::tr("Waits for its turn to build.");
    case BuildState::Phase::Running: return Words::tr("Builds now; the bar shows the steps that are done.");
    case BuildState::Phase::Stopping: return Words::tr("The build was asked to stop and is still running.");
    case BuildState::Phase::Built: return Words::tr("Built from the recipe as it is.");
    case BuildState::Phase::Stale: return Words::tr("Built, and the recipe has changed since.");
    case BuildState::Phase::Failed: return Words::tr("The last build failed; the tooltip says why.");
    case BuildState::Phase::Published: return Words::tr("Published to a catalog.");
    case BuildState::Phase::Elsewhere:
        return Words::tr("Others built the recipe as it is and shared that; this machine has no result of it.");
    }
    Q_UNREACHABLE_RETURN({});
}

QString fitMeaning(Fit fit)
{
    switch (fit) {
    case Fit::Exact: return Words::tr("Built for this machine's GPU, and its CPU has all instructions.");
    case Fit::RunsUntuned:
        return Words::tr("Runs on this machine, but was built for another GPU or a wider range of CPUs.");
    case Fit::DoesNotRun: return Words::tr("Does not run on this machine; the tooltip says why.");
    }
    return {};
}

QString buildWord(const BuildState &build)
{
    switch (build.phase) {
    case BuildState::Phase::None: return {};
    case BuildState::Phase::Queued: return Words::tr("queued");
    case BuildState::Phase::Running:
        // Never rounded up: 100 % is said by "built" alone.
        return build.total > 0 ? Words::tr("%1 %", "progress of a build").arg(100LL * build.step / build.total)
                               : Words::tr("building");
    case BuildState::Phase::Stopping: return Words::tr("stopping");
    case BuildState::Phase::Built: return Words::tr("built");
    case BuildState::Phase::Stale: return Words::tr("stale");
    case BuildState::Phase::Failed: return Words::tr("failed");
    case BuildState::Phase::Published: return Words::tr("published");
    case BuildState::Phase::Elsewhere: return Words::tr("by others", "built by others");
    }
    Q_UNREACHABLE_RETURN({});
}

QString fitWord(Fit fit)
{
    switch (fit) {
    case Fit::Exact: return Words::tr("exact");
    case Fit::RunsUntuned: return Words::tr("runs");
    case Fit::DoesNotRun: return Words::tr("no", "does not run on the machine");
    }
    return {};
}

QString fitSentence(const FitVerdict &verdict, const QString &machine)
{
    switch (verdict.fit) {
    case Fit::Exact: return Words::tr("Exact on %1: %2").arg(machine, verdict.reason);
    case Fit::RunsUntuned: return Words::tr("Runs on %1, not tuned: %2").arg(machine, verdict.reason);
    case Fit::DoesNotRun: return Words::tr("Does not run on %1: %2").arg(machine, verdict.reason);
    }
    return {};
}

QString countsText(const QMap<RecipeState, int> &counts, int holes)
{
    QStringList parts;
    for (const RecipeState state : allRecipeStates) {
        const auto add = [&parts](int count, const QString &word) {
            if (count > 0)
                parts.append(Words::tr("%1 %2", "count and state word").arg(QLocale().toString(count), word));
        };
        if (state == RecipeState::NotCovered)
            add(holes, Words::tr("missing?"));
        add(counts.value(state) - (state == RecipeState::NotCovered ? holes : 0), stateWord(state));
    }
    return parts.join(u" · "_s);
}

ProblemCounts problemsOf(const QList<Finding> &findings)
{
    ProblemCounts counts;
    for (const Finding &finding : findings) {
        counts.errors += finding.severity == Severity::Error;
        counts.warnings += finding.severity == Severity::Warning;
    }
    return counts;
}

QString problemText(const ProblemCounts &problems)
{
    QStringList parts;
    if (problems.errors > 0)
        parts.append(problems.errors == 1 ? Words::tr("1 error")
                                          : Words::tr("%1 errors").arg(QLocale().toString(problems.errors)));
    if (problems.warnings > 0)
        parts.append(problems.warnings == 1 ? Words::tr("1 warning")
                                            : Words::tr("%1 warnings").arg(QLocale().toString(problems.warnings)));
    return parts.join(", "_L1);
}

QString severityWord(Severity severity)
{
    switch (severity) {
    case Severity::Note: return Words::tr("note");
    case Severity::Warning: return Words::tr("warning");
    case Severity::Error: return Words::tr("error");
    }
    Q_UNREACHABLE_RETURN({});
}

QString agoText(const QDateTime &when, const QDateTime &now)
{
    const qint64 minutes = when.secsTo(now) / 60;
    if (minutes < 1)
        return Words::tr("just now");
    if (minutes < 60)
        return Words::tr("%1 min ago").arg(minutes);
    if (minutes < 48 * 60)
        return Words::tr("%1 h ago").arg(minutes / 60);
    return Words::tr("%1 days ago").arg(minutes / (24 * 60));
}

QString cellSentence(const VariantEntry &entry, const BuildState &build, const QDateTime &now)
{
    return cellSentence(entry.variant.name(), entry, build, now);
}

QString cellSentence(const QString &title, const VariantEntry &entry, const BuildState &build, const QDateTime &now)
{
    const QString recipe = Words::tr("%1: %2", "variant name and its state").arg(title, recipeClause(entry));
    const QString clause = buildClause(build, now);
    return clause.isEmpty() ? Words::tr("%1.").arg(recipe) : Words::tr("%1; %2.").arg(recipe, clause);
}

} // namespace tmx
