// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/Lens.h"

#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/matrix/StateWords.h"

#include <QHash>
#include <QLocale>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using Phase = BuildState::Phase;

constexpr qsizetype fewest = 6; ///< variants that a majority is counted of

template <typename... Of>
struct Overloaded : Of... {
    using Of::operator()...;
};

/// The axes of a filter: what a recipe is, its build, its problems, its fit.
size_t axisOf(const Sign &sign)
{
    return std::holds_alternative<Gap>(sign) ? 0 : sign.index();
}

bool isWork(const Sign &sign)
{
    static const std::set<Sign> work{RecipeState::Missing, RecipeState::Modified,  RecipeState::Untracked,
                                     RecipeState::Broken,  RecipeState::Duplicate, Gap::Likely,
                                     Phase::Failed,        Phase::FailedElsewhere, Phase::Running,
                                     Phase::Stopping,      Phase::Queued,          Severity::Error};
    return work.contains(sign);
}

Age ageOf(const QDateTime &since, const QDateTime &now)
{
    const qint64 days = since.daysTo(now);
    return days < 1 ? Age::Day : days < 7 ? Age::Week : days < 31 ? Age::Month : Age::Older;
}

/// "2 h 41 min · 3 days ago", "3 days ago".
QStringList timesOf(const LensSubject &of)
{
    QStringList times;
    if (of.build.phase == Phase::Running && of.build.secondsLeft >= 0)
        times.append(Tr::tr("%1 left", "time").arg(durationText(1000 * of.build.secondsLeft)));
    if (of.build.phase == Phase::Running || of.build.phase == Phase::Queued || of.build.phase == Phase::Stopping)
        return times;
    const QString ago = of.build.since.isValid() ? agoText(of.build.since, of.now) : QString();
    if (of.build.seconds > 0 && !ago.isEmpty())
        times.append(Tr::tr("%1 · %2", "duration, time since").arg(durationText(1000 * of.build.seconds), ago));
    if (!ago.isEmpty())
        times.append(ago);
    return times;
}

QStringList namesOfDifferences(const VariantEntry &entry)
{
    QStringList names;
    if (entry.state == RecipeState::Customised && entry.differences) {
        for (const MeaningDifference &difference : *entry.differences) {
            if (difference.builds)
                names.append(difference.label);
        }
    }
    return names;
}

/// "driver-low, name-wrong", "driver-low and 1 more".
QStringList rulesOf(const VariantEntry &entry, std::initializer_list<Severity> severities)
{
    QStringList rules;
    for (const Severity severity : severities) {
        for (const Finding &finding : entry.findings) {
            if (finding.severity == severity && !rules.contains(finding.rule))
                rules.append(finding.rule);
        }
    }
    return rules;
}

/// All of them, or the first with the number of the others.
QStringList shortened(const QStringList &names)
{
    if (names.size() < 2)
        return names;
    return {names.join(", "_L1),
            Tr::tr("%1 and %2 more", "first of several names").arg(names.first()).arg(names.size() - 1),
            Tr::tr("%1 +%2", "first of several names").arg(names.first()).arg(names.size() - 1)};
}

void showRecipe(LensFace &face, const LensSubject &of)
{
    face.sign = recipeSign(of.entry);
    face.word = of.entry.hole ? signWord(face.sign) : stateWord(of.entry);
    if (of.entry.hole)
        face.shortWord = stateWord(of.entry);
    face.details = shortened(namesOfDifferences(of.entry));
    // A build that was stopped has no phase, but says so.
    if (face.details.isEmpty() && (of.build.phase != Phase::None || !of.build.text.isEmpty())) {
        for (const QString &times : timesOf(of))
            face.details.append(Tr::tr("%1: %2", "build word, times").arg(buildWord(of.build), times));
    }
}

void showBuild(LensFace &face, const LensSubject &of)
{
    face.sign = of.build.phase;
    face.word = of.build.phase == Phase::None && of.build.text.isEmpty() ? Tr::tr("not built") : buildWord(of.build);
    face.details = timesOf(of);
    if (of.build.verified == "passed"_L1)
        face.word = of.build.phase == Phase::Published ? Tr::tr("published, verified") : Tr::tr("verified");
    else if (of.build.verified == "failed"_L1) // the result is not what its name says
        face.word = Tr::tr("wrong result");
}

void showProblems(LensFace &face, const LensSubject &of)
{
    const ProblemCounts problems = problemsOf(of.entry.findings);
    face.sign = problems.errors > 0 ? Severity::Error : problems.warnings > 0 ? Severity::Warning : Severity::Note;
    face.word = problemText(problems);
    face.details = shortened(rulesOf(of.entry, {Severity::Error, Severity::Warning}));
}

void showTime(LensFace &face, const LensSubject &of)
{
    if (of.build.phase == Phase::None || !of.build.since.isValid()) {
        face.sign = Phase::None;
        return;
    }
    const QString ago = agoText(of.build.since, of.now);
    face.sign = ageOf(of.build.since, of.now);
    face.word = of.build.seconds > 0 ? durationText(1000 * of.build.seconds) : ago;
    if (of.build.seconds > 0)
        face.details = {ago};
}

void showTeam(LensFace &face, const LensSubject &of)
{
    const Phase phase = of.build.phase;
    const bool here = phase == Phase::Built || phase == Phase::Stale;
    face.sign = here || phase == Phase::Elsewhere || phase == Phase::Published ? phase : Phase::None;
    if (here)
        face.word = Tr::tr("built here");
    else if (phase == Phase::Elsewhere)
        face.word = of.build.text;
    else if (phase == Phase::Published)
        face.word = buildWord(of.build);
    if (face.sign != Sign(Phase::None))
        face.details = timesOf(of);
}

} // namespace

QString lensTitle(Lens lens)
{
    switch (lens) {
    case Lens::Recipe: return Tr::tr("Recipe", "lens");
    case Lens::Build: return Tr::tr("Build", "lens");
    case Lens::Problems: return Tr::tr("Problems", "lens");
    case Lens::Machine: return Tr::tr("Machine", "lens");
    case Lens::Time: return Tr::tr("Time", "lens");
    case Lens::Team: return Tr::tr("Team", "lens");
    }
    Q_UNREACHABLE_RETURN({});
}

QString lensMeaning(Lens lens)
{
    switch (lens) {
    case Lens::Recipe: return Tr::tr("Fill the cells by the states of their recipes.");
    case Lens::Build:
        return Tr::tr("Fill the cells by their builds: built, verified, stale, waiting; how long and when.");
    case Lens::Problems: return Tr::tr("Fill the cells by the findings of the audit, with the names of the rules.");
    case Lens::Machine: return Tr::tr("Fill the cells by whether they run on a machine.");
    case Lens::Time: return Tr::tr("Fill the cells by the age of their builds, with the durations.");
    case Lens::Team: return Tr::tr("Fill the cells by who has built them: this machine, another one, or published.");
    }
    Q_UNREACHABLE_RETURN({});
}

const std::vector<Sign> &filterSigns()
{
    static const std::vector<Sign> signs = [] {
        std::vector<Sign> all;
        for (const RecipeState state : allRecipeStates) {
            if (state == RecipeState::NotCovered)
                all.emplace_back(Gap::Likely);
            all.emplace_back(state);
        }
        for (const Phase phase : {Phase::Queued, Phase::Running, Phase::Stopping, Phase::Built, Phase::Stale,
                                  Phase::Failed, Phase::FailedElsewhere, Phase::Published, Phase::Elsewhere})
            all.emplace_back(phase);
        all.emplace_back(Severity::Error);
        all.emplace_back(Severity::Warning);
        all.insert(all.end(), allFits.begin(), allFits.end());
        return all;
    }();
    return signs;
}

Sign recipeSign(const VariantEntry &entry)
{
    return entry.hole ? Sign(Gap::Likely) : Sign(entry.state);
}

QString countsText(const std::map<Sign, int> &counts)
{
    QStringList parts;
    for (const Sign &sign : filterSigns()) {
        if (const auto found = counts.find(sign); axisOf(sign) == 0 && found != counts.end())
            parts.append(
                Tr::tr("%1 %2", "count and state word").arg(QLocale().toString(found->second), signWord(sign)));
    }
    return parts.join(u" · "_s);
}

QString signWord(const Sign &sign)
{
    return std::visit(Overloaded{[](RecipeState state) { return stateWord(state); },
                                 [](Gap) { return Tr::tr("probably missing"); },
                                 [](Phase phase) { return buildWord({.phase = phase}); },
                                 [](Severity severity) {
                                     return severity == Severity::Error ? Tr::tr("with errors", "cells")
                                                                        : Tr::tr("with warnings", "cells");
                                 },
                                 [](Fit fit) { return fitWord(fit); },
                                 [](Age age) {
                                     switch (age) {
                                     case Age::Day: return Tr::tr("today");
                                     case Age::Week: return Tr::tr("in the last week");
                                     case Age::Month: return Tr::tr("in the last month");
                                     case Age::Older: return Tr::tr("older");
                                     }
                                     Q_UNREACHABLE_RETURN(QString());
                                 }},
                      sign);
}

QString signMeaning(const Sign &sign)
{
    return std::visit(
        Overloaded{[](RecipeState state) { return stateMeaning(state); },
                   [](Gap) {
                       return Tr::tr(
                           "Not listed in the branch settings, but other toolkits, other Pythons or most rows "
                           "have it.");
                   },
                   [](Phase phase) { return buildMeaning(phase); },
                   [](Severity) { return Tr::tr("The audit has findings on the recipe; the tooltip says which."); },
                   [](Fit fit) { return fitMeaning(fit); }, [](Age) { return Tr::tr("When the last build ended."); }},
        sign);
}

std::set<Sign> signsOf(const LensSubject &of)
{
    std::set<Sign> signs{recipeSign(of.entry), of.build.phase};
    for (const Finding &finding : of.entry.findings) {
        if (finding.severity != Severity::Note)
            signs.insert(finding.severity);
    }
    if (const auto fit = fitOf(of))
        signs.insert(*fit);
    return signs;
}

std::optional<Fit> fitOf(const LensSubject &of)
{
    const bool isWrong = of.entry.state == RecipeState::Broken || problemsOf(of.entry.findings).errors > 0;
    if (!of.verdict || !of.entry.present || (isWrong && of.verdict->fit != Fit::DoesNotRun))
        return std::nullopt;
    return of.verdict->fit;
}

bool hasSigns(const std::set<Sign> &signs, const std::set<Sign> &chosen)
{
    return std::ranges::all_of(chosen, [&](const Sign &one) {
        return std::ranges::any_of(
            chosen, [&](const Sign &other) { return axisOf(one) == axisOf(other) && signs.contains(other); });
    });
}

LensFace faceOf(Lens lens, const LensSubject &of)
{
    LensFace face;
    const Phase phase = of.build.phase;
    // Without a recipe there are no build and no problems to show.
    const bool bare = !of.entry.present && phase == Phase::None;
    const bool isBroken = of.entry.state == RecipeState::Broken && lens != Lens::Problems && !isWork(phase);
    const auto fit = lens == Lens::Machine && !isBroken ? fitOf(of) : std::nullopt;
    // What is wrong does not run.
    const bool isWrong = lens == Lens::Machine && of.verdict && of.entry.present && !fit;
    if (phase == Phase::Failed || phase == Phase::FailedElsewhere) {
        // Why comes before when; the whole sentence is in the tooltip.
        face.sign = phase;
        face.word = buildWord(of.build);
        face.shortWord = buildWord({.phase = Phase::Failed});
        if (phase == Phase::FailedElsewhere)
            face.details.append(Tr::tr("%1: %2", "machine, cause").arg(of.build.text, of.build.cause));
        face.details += QStringList{of.build.cause} + timesOf(of);
        face.details.removeAll(QString());
    } else if (fit) {
        face.sign = *fit;
        face.word = fitWord(*fit);
    } else if (isBroken || (!isWrong && (lens == Lens::Recipe || lens == Lens::Machine || bare))) {
        showRecipe(face, of);
    } else if (isWrong || lens == Lens::Problems) {
        showProblems(face, of);
    } else if (lens == Lens::Build || phase == Phase::Running || phase == Phase::Stopping || phase == Phase::Queued) {
        showBuild(face, of);
    } else if (lens == Lens::Time) {
        showTime(face, of);
    } else {
        showTeam(face, of);
    }
    const auto shows = [&face](size_t axis) { return axisOf(face.sign) == axis; };
    const bool showsBuild = shows(Sign(phase).index()) || shows(Sign(Age::Day).index());
    const Sign recipe = recipeSign(of.entry);
    if (!shows(0) && recipe != Sign(RecipeState::Current) && recipe != Sign(RecipeState::Equivalent))
        face.marks.append(recipe);
    if (const ProblemCounts problems = problemsOf(of.entry.findings);
        problems.all() > 0 && !shows(Sign(Severity::Error).index()))
        face.marks.append(problems.errors > 0 ? Severity::Error : Severity::Warning);
    face.warned = rulesOf(of.entry, {Severity::Warning});
    if (!showsBuild && phase != Phase::None)
        face.marks.append(phase);
    if (phase == Phase::Running && of.build.total > 0)
        face.percent = int(std::clamp<qint64>(100LL * of.build.step / of.build.total, 0, 100));
    return face;
}

UsualFace usualFace(const QList<LensFace> &faces)
{
    QHash<QString, qsizetype> words, details;
    for (const LensFace &face : faces) {
        if (isWork(face.sign))
            continue;
        ++words[face.word];
        ++details[face.details.value(0)];
    }
    UsualFace usual;
    if (faces.size() >= fewest)
        usual.warned = faces.constFirst().warned;
    for (const LensFace &face : faces) {
        usual.warned.removeIf([&face](const QString &rule) { return !face.warned.contains(rule); });
        if (faces.size() < fewest || isWork(face.sign))
            continue;
        if (2 * words.value(face.word) > faces.size())
            usual.word = face.word;
        if (2 * details.value(face.details.value(0)) > faces.size())
            usual.details = face.details;
    }
    return usual;
}

void UsualFace::leaveOut(LensFace &face) const
{
    if (std::ranges::all_of(face.warned, [this](const QString &rule) { return warned.contains(rule); }))
        face.marks.removeOne(Sign(Severity::Warning));
    if (isWork(face.sign))
        return;
    if (face.word == word)
        face.word.clear();
    if (face.details == details)
        face.details.clear();
}

} // namespace tmx
