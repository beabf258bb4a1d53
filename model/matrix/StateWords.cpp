// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/StateWords.h"

#include "model/base/Tr.h"

#include <QLocale>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// "The file is empty." -> "the file is empty", for use inside a sentence.
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
        return entry.present ? Tr::tr("there is a recipe, but it cannot work: %1").arg(why)
                             : Tr::tr("cannot exist: %1").arg(why);
    case RecipeState::NotCovered:
        if (entry.hole)
            return Tr::tr("probably missing; %1").arg(why);
        return why.isEmpty() ? Tr::tr("possible, but not listed in the branch settings")
                             : Tr::tr("not listed in the branch settings; %1").arg(why);
    case RecipeState::Missing:
        return why.isEmpty() ? Tr::tr("listed in the branch settings, but there is no recipe yet")
                             : Tr::tr("missing; %1").arg(why);
    case RecipeState::Current: return Tr::tr("current; committed, the text that the template gives");
    case RecipeState::Equivalent: return Tr::tr("committed; %1").arg(why);
    case RecipeState::Customised:
        return why.isEmpty() ? Tr::tr("committed, differs from the template") : Tr::tr("committed; %1").arg(why);
    case RecipeState::Modified:
        if (entry.fileStatus == FileStatus::Deleted)
            return Tr::tr("deleted in the working tree, not committed");
        return why.isEmpty() ? Tr::tr("changed in the working tree, not committed") : Tr::tr("changed; %1").arg(why);
    case RecipeState::Untracked: return Tr::tr("new; %1").arg(why);
    case RecipeState::Broken:
    case RecipeState::Duplicate: {
        const QString clause =
            entry.state == RecipeState::Broken ? Tr::tr("broken; %1").arg(why) : Tr::tr("duplicate; %1").arg(why);
        return entry.fileStatus == FileStatus::Clean ? clause : Tr::tr("%1; not committed").arg(clause);
    }
    }
    Q_UNREACHABLE_RETURN({});
}

QString buildClause(const BuildState &build, const QDateTime &now)
{
    const QString ago = build.since.isValid() ? agoText(build.since, now) : QString();
    switch (build.phase) {
    case BuildState::Phase::None:
        return build.text.isEmpty() ? QString() : Tr::tr("its last build was stopped %1").arg(ago);
    case BuildState::Phase::Queued: return Tr::tr("waits for its turn to build");
    case BuildState::Phase::Running: {
        QString clause = build.since.isValid()
                             ? Tr::tr("building since %1").arg(QLocale().toString(build.since.time(), u"HH:mm"_s))
                             : Tr::tr("building");
        if (build.total > 0)
            clause = Tr::tr("%1, %2 of %Ln steps", nullptr, build.total).arg(clause, QLocale().toString(build.step));
        return clause;
    }
    case BuildState::Phase::Stopping: return Tr::tr("the build is being stopped");
    case BuildState::Phase::Built: return ago.isEmpty() ? Tr::tr("built") : Tr::tr("built %1").arg(ago);
    case BuildState::Phase::Stale:
        return ago.isEmpty() ? Tr::tr("built, but the recipe has changed since")
                             : Tr::tr("built %1, but the recipe has changed since").arg(ago);
    case BuildState::Phase::Failed: {
        const QString clause = ago.isEmpty() ? Tr::tr("the build failed") : Tr::tr("the build failed %1").arg(ago);
        return build.text.isEmpty() ? clause : Tr::tr("%1: %2").arg(clause, asClause(build.text));
    }
    case BuildState::Phase::Published: return ago.isEmpty() ? Tr::tr("published") : Tr::tr("published %1").arg(ago);
    case BuildState::Phase::Elsewhere: return Tr::tr("built by the team %1, on %2").arg(ago, build.text);
    case BuildState::Phase::FailedElsewhere:
        return Tr::tr("its build failed in the team %1, on %2: %3").arg(ago, build.text, build.cause);
    }
    Q_UNREACHABLE_RETURN({});
}

} // namespace

QString stateWord(RecipeState state)
{
    switch (state) {
    case RecipeState::Unsupported: return Tr::tr("invalid");
    case RecipeState::NotCovered: return Tr::tr("not planned");
    case RecipeState::Missing: return Tr::tr("missing");
    case RecipeState::Current: return Tr::tr("current");
    case RecipeState::Equivalent: return Tr::tr("same build");
    case RecipeState::Customised: return Tr::tr("customised");
    case RecipeState::Modified: return Tr::tr("modified");
    case RecipeState::Untracked: return Tr::tr("new");
    case RecipeState::Broken: return Tr::tr("broken");
    case RecipeState::Duplicate: return Tr::tr("duplicate");
    }
    Q_UNREACHABLE_RETURN({});
}

QString stateWord(const VariantEntry &entry)
{
    if (entry.hole)
        return Tr::tr("missing?");
    if (entry.state == RecipeState::Modified && entry.fileStatus == FileStatus::Deleted)
        return Tr::tr("deleted");
    const auto count = entry.state == RecipeState::Customised && entry.differences
                           ? std::ranges::count_if(*entry.differences, &MeaningDifference::builds)
                           : 0;
    return count > 0 ? Tr::tr("%n differ", "how many facts of a recipe", int(count)) : stateWord(entry.state);
}

QString stateMeaning(RecipeState state)
{
    switch (state) {
    case RecipeState::Unsupported:
        return Tr::tr("Cannot exist: the toolkit does not know the GPU, or no machine with it has that CPU. The "
                      "tooltip says which.");
    case RecipeState::NotCovered:
        return Tr::tr("Could exist, but the branch settings do not list it. \"missing?\" means probably missing: other "
                      "toolkits, other Pythons or most rows have it.");
    case RecipeState::Missing: return Tr::tr("The branch settings list it, but there is no recipe.");
    case RecipeState::Current: return Tr::tr("Committed, with the text that its template gives, built or not.");
    case RecipeState::Equivalent: return Tr::tr("Committed, with another text that builds the same as its template.");
    case RecipeState::Customised:
        return Tr::tr("Committed, and may build something else than its template. \"3 differ\" counts the facts that "
                      "differ; the tooltip and Changes name them.");
    case RecipeState::Modified: return Tr::tr("The working tree differs from the last commit.");
    case RecipeState::Untracked: return Tr::tr("Written or added to the index, not committed yet.");
    case RecipeState::Broken: return Tr::tr("The audit finds an error, or the file cannot be read as a recipe.");
    case RecipeState::Duplicate: return Tr::tr("Two files are for the same cell.");
    }
    Q_UNREACHABLE_RETURN({});
}

QString buildMeaning(BuildState::Phase phase)
{
    switch (phase) {
    case BuildState::Phase::None: return {};
    case BuildState::Phase::Queued: return Tr::tr("Waits for its turn to build.");
    case BuildState::Phase::Running: return Tr::tr("Builds now; the bar shows the steps that are done.");
    case BuildState::Phase::Stopping: return Tr::tr("The build was asked to stop and is still running.");
    case BuildState::Phase::Built: return Tr::tr("Built from the recipe as it is.");
    case BuildState::Phase::Stale: return Tr::tr("Built, and the recipe has changed since.");
    case BuildState::Phase::Failed: return Tr::tr("The last build failed; the tooltip says why.");
    case BuildState::Phase::Published: return Tr::tr("Published to a catalog.");
    case BuildState::Phase::FailedElsewhere:
        return Tr::tr("A build of the team failed; the tooltip says where and why.");
    case BuildState::Phase::Elsewhere:
        return Tr::tr("Others built the recipe as it is and shared that; this machine has no result of it.");
    }
    Q_UNREACHABLE_RETURN({});
}

QString fitMeaning(Fit fit)
{
    switch (fit) {
    case Fit::Exact: return Tr::tr("Built for this machine's GPU, and its CPU has all instructions.");
    case Fit::RunsUntuned:
        return Tr::tr("Runs on this machine, but was built for another GPU or a wider range of CPUs.");
    case Fit::DoesNotRun: return Tr::tr("Does not run on this machine; the tooltip says why.");
    }
    return {};
}

QString buildWord(const BuildState &build)
{
    switch (build.phase) {
    case BuildState::Phase::None: return build.text;
    case BuildState::Phase::Queued: return Tr::tr("waiting", "build");
    case BuildState::Phase::Running:
        // Never rounded up: only "built" means 100 %.
        return build.total > 0 ? Tr::tr("%1 %", "progress of a build").arg(100LL * build.step / build.total)
                               : Tr::tr("running", "build");
    case BuildState::Phase::Stopping: return Tr::tr("stopping");
    case BuildState::Phase::Built: return Tr::tr("built");
    case BuildState::Phase::Stale: return Tr::tr("stale");
    case BuildState::Phase::Failed: return Tr::tr("failed");
    case BuildState::Phase::Published: return Tr::tr("published");
    case BuildState::Phase::Elsewhere: return Tr::tr("by team", "built by the team");
    case BuildState::Phase::FailedElsewhere: return Tr::tr("failed in team");
    }
    Q_UNREACHABLE_RETURN({});
}

QString fitWord(Fit fit)
{
    switch (fit) {
    case Fit::Exact: return Tr::tr("exact");
    case Fit::RunsUntuned: return Tr::tr("runs");
    case Fit::DoesNotRun: return Tr::tr("no", "does not run on the machine");
    }
    return {};
}

QString fitSentence(const FitVerdict &verdict, const QString &machine)
{
    switch (verdict.fit) {
    case Fit::Exact: return Tr::tr("Exact on %1: %2").arg(machine, verdict.reason);
    case Fit::RunsUntuned: return Tr::tr("Runs on %1, not tuned: %2").arg(machine, verdict.reason);
    case Fit::DoesNotRun: return Tr::tr("Does not run on %1: %2").arg(machine, verdict.reason);
    }
    return {};
}

QString problemText(const ProblemCounts &problems)
{
    QStringList parts;
    const auto add = [&parts](const QString &text, int recipes) {
        parts.append(recipes > 0 ? Tr::tr("%1 in %Ln recipes", nullptr, recipes).arg(text) : text);
    };
    if (problems.errors > 0)
        add(Tr::tr("%Ln errors", nullptr, problems.errors), problems.faulty);
    if (problems.warnings > 0)
        add(Tr::tr("%Ln warnings", nullptr, problems.warnings), problems.warned);
    return parts.join(", "_L1);
}

QString severityWord(Severity severity)
{
    switch (severity) {
    case Severity::Note: return Tr::tr("note");
    case Severity::Warning: return Tr::tr("warning");
    case Severity::Error: return Tr::tr("error");
    }
    Q_UNREACHABLE_RETURN({});
}

QString agoText(const QDateTime &when, const QDateTime &now)
{
    const qint64 minutes = when.secsTo(now) / 60;
    if (minutes < 1)
        return Tr::tr("just now");
    if (minutes < 60)
        return Tr::tr("%1 min ago").arg(minutes);
    if (minutes < 48 * 60)
        return Tr::tr("%1 h ago").arg(minutes / 60);
    return Tr::tr("%n days ago", nullptr, int(minutes / (24 * 60)));
}

QString stateSentence(const VariantEntry &entry, const BuildState &build, const QDateTime &now)
{
    const QString recipe = recipeClause(entry);
    const QString first = recipe.left(1).toUpper() + recipe.mid(1);
    const QString clause = buildClause(build, now);
    return clause.isEmpty() ? Tr::tr("%1.").arg(first) : Tr::tr("%1; %2.").arg(first, clause);
}

QString cellSentence(const VariantEntry &entry, const BuildState &build, const QDateTime &now)
{
    return cellSentence(entry.variant.name(), entry, build, now);
}

QString cellSentence(const QString &title, const VariantEntry &entry, const BuildState &build, const QDateTime &now)
{
    const QString recipe = Tr::tr("%1: %2", "variant name and its state").arg(title, recipeClause(entry));
    QString clause = buildClause(build, now);
    if (clause.isEmpty() && entry.present)
        clause = Tr::tr("not built");
    return clause.isEmpty() ? Tr::tr("%1.").arg(recipe) : Tr::tr("%1; %2.").arg(recipe, clause);
}

QString wayText(const VariantEntry &entry, const BuildState &build, const QDateTime &now)
{
    using Phase = BuildState::Phase;
    if (!entry.present)
        return {};
    const auto done = [](const QString &text) { return Tr::tr("%1 \u2713", "a step that is done").arg(text); };
    const bool committed = entry.fileStatus == FileStatus::Clean;
    const bool built = build.phase == Phase::Built || build.phase == Phase::Published;
    const QString ago = build.since.isValid() ? agoText(build.since, now) : QString();
    QString buildStep = Tr::tr("Not built");
    if (built || build.phase == Phase::Elsewhere)
        buildStep = done(ago.isEmpty() ? Tr::tr("Built") : Tr::tr("Built %1").arg(ago));
    else if (build.phase == Phase::FailedElsewhere)
        buildStep = Tr::tr("Build failed in the team");
    else if (build.phase == Phase::Failed)
        buildStep = Tr::tr("Build failed");
    else if (build.phase == Phase::Stale)
        buildStep = Tr::tr("Built before the last change");
    else if (build.phase != Phase::None || !build.text.isEmpty())
        buildStep = Tr::tr("Build %1").arg(buildWord(build));
    return QStringList{done(Tr::tr("Recipe")), committed ? done(Tr::tr("Committed")) : Tr::tr("Not committed"),
                       buildStep,
                       build.verified == "passed"_L1   ? done(Tr::tr("Verified"))
                       : build.verified == "failed"_L1 ? Tr::tr("Not what its name says")
                                                       : Tr::tr("Not verified"),
                       build.phase == Phase::Published ? done(Tr::tr("Published")) : Tr::tr("Not published")}
        .join(u"  \u00b7  "_s);
}

} // namespace tmx
