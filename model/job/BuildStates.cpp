// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/BuildStates.h"

#include "model/base/StateFolder.h"
#include "model/base/Tr.h"
#include "model/job/ResultLinks.h"
#include "model/outcome/OutcomeText.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// The jobs of a repository, by package, the oldest first.
QHash<QString, QList<const JobRecord *>> jobsOf(const BuiltBranch &branch, const QList<JobRecord> &jobs)
{
    QHash<QString, QList<const JobRecord *>> byPackage;
    for (const JobRecord &record : jobs) {
        if (record.job.repository == branch.repository)
            byPackage[record.job.package].append(&record);
    }
    return byPackage;
}

/// Those of a branch, and what other branches built of the same recipe.
QList<const JobRecord *> ofBranch(const QString &branch, QList<const JobRecord *> jobs, const QStringList &identities)
{
    jobs.removeIf([&](const JobRecord *record) {
        return record->job.branch != branch && (!record->outcome || !record->job.buildsOneOf(identities));
    });
    return jobs;
}

BuildState stateOfActive(const JobRecord &record)
{
    BuildState state;
    state.phase = record.phase == JobPhase::Waiting   ? BuildState::Phase::Queued
                  : record.phase == JobPhase::Running ? BuildState::Phase::Running
                                                      : BuildState::Phase::Stopping;
    state.since = (record.runner ? record.runner->started : record.job.created).toLocalTime();
    return state;
}

/// What a link in the working tree says that one of the jobs made; nullopt: none of them did.
std::optional<BuildState> stateOfLink(const BuildState &found, const QString &workTree,
                                      const QList<const JobRecord *> &records, const QStringList &identities)
{
    const QString target = QFile::symLinkTarget(workTree + u'/' + found.text);
    if (found.phase == BuildState::Phase::None)
        return {};
    const auto made = std::ranges::find_if(records.rbegin(), records.rend(), [&](const JobRecord *record) {
        return record->outcome && record->outcome->storePaths.contains(target);
    });
    if (made == records.rend())
        return {};
    if (!(*made)->job.buildsOneOf(identities) || !QFileInfo::exists(target))
        return BuildState();
    BuildState state = found;
    state.phase = BuildState::Phase::Built;
    return state;
}

BuildState stateFrom(const QList<const JobRecord *> &records, const QStringList &identities, const OtherBuilds &other)
{
    BuildState ended;
    for (const JobRecord *record : records) {
        if (record->isActive())
            return stateOfActive(*record);
        if (!record->outcome)
            continue;
        const bool same = record->job.buildsOneOf(identities);
        const BuildOutcome &outcome = record->outcome->build;
        const qint64 seconds = std::max<qint64>(record->outcome->started.secsTo(record->outcome->ended), 0);
        // What was built is stale, whether or not somebody removed its result.
        if (!same && outcome.kind == BuildOutcome::Kind::Built && ended.phase != BuildState::Phase::Built) {
            ended = {BuildState::Phase::Stale, 0, 0, record->outcome->ended.toLocalTime(), record->result()};
            ended.seconds = seconds;
        } else if (same && record->hasResult()) {
            ended = {BuildState::Phase::Built, 0, 0, record->outcome->ended.toLocalTime(), record->result()};
            ended.seconds = seconds;
            ended.verified = other.verified.value(record->job.id);
        } else if (same && outcome.kind == BuildOutcome::Kind::Built) {
            ended = {};
        } else if (same && outcome.kind != BuildOutcome::Kind::Built && outcome.kind != BuildOutcome::Kind::Stopped &&
                   ended.phase != BuildState::Phase::Built) {
            ended = {BuildState::Phase::Failed, 0, 0, record->outcome->ended.toLocalTime(), sentenceOf(outcome)};
            ended.seconds = seconds;
            ended.cause = shortCauseOf(outcome);
            ended.job = record->job.id;
            ended.retry = retryText(outcome);
            ended.recipeLine = outcome.recipeLine;
        } else if (same && outcome.kind == BuildOutcome::Kind::Stopped && ended.phase == BuildState::Phase::None) {
            ended.since = record->outcome->ended.toLocalTime();
            ended.text = Tr::tr("stopped");
        }
    }
    return ended;
}

} // namespace

OtherBuilds historyOf(const QString &repository)
{
    // BuildHistory::open() would create it.
    if (!QFileInfo::exists(stateFolder() + u"/builds.sqlite"_s))
        return {};
    const Result<BuildHistory> history = BuildHistory::open();
    if (!history)
        return {};
    const Result<QList<Publication>> publications = history->publications(repository, {}, BuildHistory::Each::Name);
    const Result<QHash<QString, QString>> verified = history->verified();
    return {publications ? *publications : QList<Publication>(), {}, verified ? *verified : QHash<QString, QString>()};
}

QHash<QString, BuildState> buildStates(const BuiltBranch &branch, const QList<JobRecord> &jobs,
                                       const OtherBuilds &other, bool *byLinks)
{
    QMultiHash<QString, const Publication *> published;
    for (const Publication &publication : other.publications)
        published.insert(publication.package, &publication);
    QMultiHash<QString, const BuildRecord *> elsewhere;
    for (const BuildRecord &record : other.elsewhere)
        elsewhere.insert(record.package, &record);
    QHash<QString, BuildState> states;
    const QHash<QString, QList<const JobRecord *>> byPackage = jobsOf(branch, jobs);
    for (qsizetype i = 0; i < branch.recipes.size(); ++i) {
        const BuiltBranch::Recipe &recipe = branch.recipes.at(i);
        const QString &package = recipe.package;
        const QList<const JobRecord *> jobsOfPackage = byPackage.value(package);
        const QList<const BuildRecord *> builds = elsewhere.values(package);
        const QList<const Publication *> publications = published.values(package);
        // Most recipes were never built, and only a build is compared with the recipe.
        const bool compared = !jobsOfPackage.isEmpty() || !builds.isEmpty() || !publications.isEmpty();
        QStringList identities = compared ? branch.identities(i) : QStringList();
        const QList<const JobRecord *> records = ofBranch(branch.branch, jobsOfPackage, identities);
        for (const JobRecord *record : records) { // Publications and shared builds do not have its meaning.
            if (record->job.buildsOneOf(identities) && !identities.contains(record->job.recipeId()))
                identities.append(record->job.recipeId());
        }
        BuildState state = stateFrom(records, identities, other);
        if (branch.checkedOut && (state.phase == BuildState::Phase::None || state.phase == BuildState::Phase::Failed)) {
            const BuildState link = builtBefore(branch.workTree, package, recipe.files);
            if (byLinks && link.phase != BuildState::Phase::None)
                *byLinks = true;
            const BuildState found = stateOfLink(link, branch.workTree, jobsOfPackage, identities).value_or(link);
            if (found.phase != BuildState::Phase::None &&
                (state.phase == BuildState::Phase::None || !(found.since < state.since)))
                state = found;
        }
        const auto isOfThis = [&identities](const auto *one) { return identities.contains(one->blob); };
        if (state.phase == BuildState::Phase::None) {
            const auto lastOf = [&](const auto &is) {
                const auto last = std::ranges::find_if(builds.rbegin(), builds.rend(), [&](const BuildRecord *build) {
                    return isOfThis(build) && is(build->outcome);
                });
                return last == builds.rend() ? nullptr : *last;
            };
            const BuildRecord *last = lastOf([](BuildOutcome::Kind kind) { return kind == BuildOutcome::Kind::Built; });
            const bool built = last;
            if (built || (last = lastOf(isFailure))) {
                state = {built ? BuildState::Phase::Elsewhere : BuildState::Phase::FailedElsewhere, 0, 0,
                         last->ended.toLocalTime(), last->machine};
                state.seconds = last->seconds().value_or(0);
                state.cause = built ? QString() : last->reason;
                state.job = last->job;
            }
        }
        const auto publication = std::ranges::find_if(publications.rbegin(), publications.rend(), isOfThis);
        if (publication != publications.rend() &&
            (state.phase == BuildState::Phase::None || state.phase == BuildState::Phase::Elsewhere ||
             state.phase == BuildState::Phase::FailedElsewhere || state.phase == BuildState::Phase::Built ||
             state.phase == BuildState::Phase::Stale))
            state = {.phase = BuildState::Phase::Published,
                     .since = (*publication)->when.toLocalTime(),
                     .text = (*publication)->as,
                     .verified = state.verified};
        if (state != BuildState())
            states.insert(recipe.variant, state);
    }
    return states;
}

} // namespace tmx
