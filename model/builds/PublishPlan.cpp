// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/PublishPlan.h"

#include "model/base/AtomicFile.h"
#include "model/base/Process.h"
#include "model/base/Programs.h"
#include "model/base/Sentences.h"
#include "model/base/StateFolder.h"
#include "model/base/Tr.h"
#include "model/fleet/BuiltRecipes.h"
#include "model/fleet/OthersBuilds.h"
#include "model/job/Engine.h"
#include "model/job/Queue.h"
#include "model/outcome/OutcomeReader.h"
#include "model/outcome/OutcomeText.h"

#include <QFileInfo>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qsizetype mostOutput = 1024 * 1024;

bool isPublished(const Publication &publication, const VariantEntry &entry)
{
    return !entry.committed.isEmpty() && isBuildOf(publication.blob, entry.committedSource());
}

Result<PublishedCount> counted(const BuildHistory &history, const QString &workTree, const BranchSnapshot &snapshot)
{
    TM_TRY(published, history.publications(workTree, snapshot.branch));
    PublishedCount count;
    for (const VariantEntry &entry : snapshot.entries) {
        count.recipes += entry.present;
        const auto known = std::ranges::find(*published, entry.package(), &Publication::package);
        count.published += entry.present && known != published->end() && isPublished(*known, entry);
    }
    return count;
}

} // namespace

QStringList unpublished(const BranchSnapshot &snapshot, const QHash<QString, BuildState> &states)
{
    QStringList names;
    for (const VariantEntry &entry : snapshot.entries) {
        if (const QString name = entry.variant.name(); states.value(name).phase == BuildState::Phase::Built)
            names.append(name);
    }
    return names;
}

QStringList unpublished(const BranchSnapshot &snapshot, const PublishWish &wish)
{
    OtherBuilds other = otherBuildsOf(snapshot.repository);
    other.publications.removeIf([&wish](const Publication &publication) {
        return wish.again || (!wish.organisation.isEmpty() && !publication.as.startsWith(wish.organisation + u'/'));
    });
    return unpublished(snapshot, buildStates(snapshot, readJobs(stateFolder()), other));
}

Result<PublishedCount> countPublished(const QString &workTree, const BranchSnapshot &snapshot)
{
    const Result<BuildHistory> history = BuildHistory::open();
    return history ? counted(*history, workTree, snapshot) : history.error();
}

qsizetype PublishPlan::left() const
{
    return std::count_if(items.begin(), items.end(), [](const PublishItem &item) { return item.as.isEmpty(); });
}

Result<PublishPlan> planPublish(const QString &workTree, const BranchSnapshot &snapshot, const PublishWish &wish)
{
    PublishPlan plan;
    plan.workTree = workTree;
    plan.branch = snapshot.branch;
    plan.stability = wish.stability;
    plan.flox = findProgram(programOf(BuildEngine::Flox));
    QStringList packages;
    for (const QString &name : wish.variants) {
        const VariantEntry *entry = snapshot.find(name);
        if (!entry)
            return Error{Tr::tr("publish"), name, Tr::tr("branch %1 does not have it").arg(snapshot.title()), {}};
        packages.append(entry->package());
        plan.items.append(
            {entry->package(),
             entry->committed.isEmpty() ? QString() : buildIdentity(entry->committedSource(), snapshot.commit.size()),
             {}});
    }
    if (!snapshot.checkedOut)
        plan.conditions.append({u"branch"_s, false,
                                Tr::tr("The branch %1 is not checked out, and flox publishes only the "
                                       "checked-out branch. Check it out.")
                                    .arg(snapshot.title())});
    plan.conditions += publishConditions(probePublish(workTree, packages, plan.flox));

    TM_TRY(history, BuildHistory::open());
    plan.notice = history->notice();
    TM_TRY(before, history->publications(workTree, {}, BuildHistory::Each::Name));
    TM_TRY(count, counted(*history, workTree, snapshot));
    plan.count = *count;
    plan.organisation = wish.organisation;
    if (plan.organisation.isEmpty() && !before->isEmpty() && before->constFirst().as.contains(u'/'))
        plan.organisation = before->constFirst().as.section(u'/', 0, 0);
    for (qsizetype i = 0; i < plan.items.size(); ++i) {
        PublishItem &item = plan.items[i];
        const VariantEntry &entry = *snapshot.find(wish.variants.at(i));
        const auto known = std::find_if(before->begin(), before->end(), [&](const Publication &publication) {
            return publication.package == item.package && isPublished(publication, entry) &&
                   (plan.organisation.isEmpty() || publication.as.startsWith(plan.organisation + u'/'));
        });
        if (known != before->end() && !wish.again)
            item.as = known->as;
    }
    return plan;
}

Result<PublishedPackage> publishOne(const PublishPlan &plan, const PublishItem &item, const std::function<bool()> &stop)
{
    const ProcessRun run =
        runProcess({.program = plan.flox,
                    .arguments = publishArguments(plan.workTree, item.package, plan.organisation, plan.stability),
                    .workingDirectory = plan.workTree},
                   mostOutput, stop);
    const QString output = QString::fromUtf8(run.output);
    const QString log = stateFolder() + u"/publish/"_s + item.package + u".log"_s;
    const Result<void> kept = writeFileAtomically(log, run.output, {});
    PublishedPackage published;
    published.end = publishEnd(run.outcome.succeeded(), output);
    if (published.end == PublishEnd::Failed) {
        QString why = publishError(output);
        // Flox builds the package before it publishes it; the log of a failed build says more.
        OutcomeReader reader(item.package);
        for (const QString &line : output.split(u'\n'))
            reader.read(line);
        published.condition = u"flox"_s;
        if (const BuildOutcome build = reader.outcome(run.outcome, {}); build.kind != BuildOutcome::Kind::Failed) {
            published.condition = u"build"_s;
            why = sentenceOf(build);
        } else if (!why.isEmpty()) {
            why = withFullStop(why);
        }
        if (stop && stop()) {
            published.condition = u"stopped"_s;
            published.sentence = Tr::tr("%1: stopped").arg(item.package);
            return published;
        }
        // What held before the first package may not hold any more.
        const QList<PublishCondition> now = publishConditions(probePublish(plan.workTree, {item.package}, plan.flox));
        if (const auto missing = std::ranges::find(now, false, &PublishCondition::holds); missing != now.end()) {
            published.condition = missing->id;
            why = missing->sentence;
        }
        published.sentence =
            Tr::tr("%1: %2 %3")
                .arg(item.package,
                     why.isEmpty() ? Tr::tr("flox ended with exit code %1.").arg(run.outcome.exitCode) : why,
                     kept ? Tr::tr("The output is in %1.").arg(log) : kept.error().sentence());
        return published;
    }
    published.as = publishedName(item.package, plan.organisation, output);
    TM_TRY(history, BuildHistory::open());
    TM_TRY(recorded, history->setPublished({plan.workTree, plan.branch, item.package, item.blob, published.as,
                                            QDateTime::currentDateTimeUtc()}));
    return published;
}

} // namespace tmx
