// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/PickChoices.h"

#include "model/base/Surface.h"
#include "model/base/Tr.h"
#include "model/job/Publish.h"
#include "model/matrix/StateWords.h"

#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

QString recipeSentence(const BranchSnapshot &snapshot, const VariantEntry *entry)
{
    if (!entry || !entry->present || entry->fileStatus == FileStatus::Deleted)
        return Tr::tr("Branch %1 has no recipe for it yet; generate it.").arg(snapshot.title());
    if (entry->state == RecipeState::Broken)
        return Tr::tr("Its recipe on %1 is broken: %2").arg(snapshot.title(), entry->reason);
    if (entry->committed.isEmpty())
        return Tr::tr("Its recipe is written but not committed to %1 yet.").arg(snapshot.title());
    return Tr::tr("Branch %1 has its recipe.").arg(snapshot.title());
}

QString buildSentence(const BranchSnapshot &snapshot, const BuildState &build)
{
    switch (build.phase) {
    case BuildState::Phase::Built:
        // Nix deletes a result that no link needs, and somebody may have deleted the link.
        return build.text.startsWith("./"_L1) && !QFileInfo::exists(snapshot.repository + build.text.sliced(1))
                   ? Tr::tr("It was built, but its result no longer exists.")
                   : Tr::tr("It is built: %1.").arg(build.text);
    case BuildState::Phase::Stale:
        return Tr::tr("It was built (%1), but its recipe has changed since.").arg(build.text);
    case BuildState::Phase::Published:
        return build.text.isEmpty() ? Tr::tr("It is published.")
                                    : Tr::tr("It is published: %1.").arg(installCommand(build.text));
    case BuildState::Phase::Elsewhere: return Tr::tr("Others built it, on %1.").arg(build.text);
    case BuildState::Phase::FailedElsewhere:
        return Tr::tr("Its build failed in the team, on %1: %2.").arg(build.text, build.cause);
    case BuildState::Phase::None:
    case BuildState::Phase::Queued:
    case BuildState::Phase::Running:
    case BuildState::Phase::Stopping:
    case BuildState::Phase::Failed: break;
    }
    // Results are in the working tree, so nothing is known about other branches.
    return snapshot.checkedOut ? Tr::tr("It has not been built in this working tree.") : QString();
}

/// "no recipe yet", "not committed", "built", "not built"
QString stateOf(const BranchSnapshot &snapshot, const Pick &pick, const BuildState &build)
{
    const VariantEntry *entry = snapshot.find(pick.variant.name());
    if (!entry || !entry->present || entry->fileStatus == FileStatus::Deleted)
        return Tr::tr("no recipe yet");
    if (entry->state == RecipeState::Broken)
        return Tr::tr("recipe broken");
    if (build.phase == BuildState::Phase::Elsewhere)
        return Tr::tr("built by team");
    if (build.phase != BuildState::Phase::None)
        return buildWord(build);
    return entry->committed.isEmpty() ? Tr::tr("not committed", "recipe")
           : snapshot.checkedOut      ? Tr::tr("not built", "recipe")
                                      : QString();
}

void tell(Pick &pick, const BranchSnapshot &snapshot, const QHash<QString, BuildState> &builds)
{
    const QString name = pick.variant.name();
    pick.state = stateOf(snapshot, pick, builds.value(name));
    const QString recipe = recipeSentence(snapshot, snapshot.find(name));
    pick.reasons.append(recipe);
    const QString built = buildSentence(snapshot, builds.value(name));
    if (!built.isEmpty())
        pick.reasons.append(built);
    if (builds.value(name).phase == BuildState::Phase::None && pick.recipe == Candidate::Recipe::Sound)
        pick.stated = {recipe, built};
}

QList<Candidate> candidatesOf(const Catalog &catalog, const BranchSnapshot &snapshot)
{
    QList<Candidate> candidates;
    for (const VariantEntry &entry : snapshot.entries) {
        const bool there = entry.present && entry.fileStatus != FileStatus::Deleted;
        if (!there && !entry.covered)
            continue;
        candidates.append({.variant = entry.variant,
                           .branch = snapshot.branch,
                           .package = there ? entry.package() : QString(),
                           .recipe = !there               ? Candidate::Recipe::None
                                     : entry.firstError() ? Candidate::Recipe::Broken
                                                          : Candidate::Recipe::Sound,
                           .covered = entry.covered,
                           .version = snapshot.settings.profileOf(entry.variant).version,
                           .systems = there ? entry.systems(catalog) : QStringList()});
    }
    return candidates;
}

QList<Variant> kindsOf(const Settings &settings)
{
    QList<Variant> kinds;
    for (const QString &family : settings.families()) {
        for (const QString &python : settings.pythons()) {
            for (const QString &cuda : settings.toolkits())
                kinds.append({family, python, cuda, {}, {}});
            if (settings.profiles.contains({family, python, u"cpu"_s})) // Some families use a GPU or do not run.
                kinds.append({family, python, {}, {}, {}});
        }
    }
    return kinds;
}

} // namespace

PickChoice choiceOf(const Catalog &catalog, const BranchSnapshot &snapshot,
                    const std::shared_ptr<const BranchRecipes> &others)
{
    PickChoice choice{
        .branch = snapshot.branch, .candidates = candidatesOf(catalog, snapshot), .kinds = kindsOf(snapshot.settings)};
    if (others) {
        choice.elsewhere = others->packagesElsewhereThan(snapshot.branch);
        choice.allRead = others->complete;
    }
    return choice;
}

QList<Pick> bestOfBranches(const Catalog &catalog, const BranchSnapshot &shown,
                           const std::shared_ptr<const BranchRecipes> &others, const HostReport &host,
                           Workload workload)
{
    QList<PickChoice> choices{{.branch = shown.branch, .candidates = candidatesOf(catalog, shown)}};
    for (const Candidate &candidate : others ? others->elsewhereThan(shown.branch) : QList<Candidate>()) {
        if (choices.constLast().branch != candidate.branch)
            choices.append({.branch = candidate.branch});
        choices.last().candidates.append(candidate);
    }
    QList<Pick> best;
    for (const PickChoice &choice : std::as_const(choices)) {
        const Picks picks = pickVariants(catalog, choice, host, workload);
        if (picks.run.isEmpty())
            continue;
        best.append(picks.run.constFirst());
        best.last().branch = choice.branch;
    }
    return best;
}

void tellOfRecipes(MachinePicks &picks, const BranchSnapshot &snapshot, const QHash<QString, BuildState> &builds)
{
    for (Pick &pick : picks.picks)
        tell(pick, snapshot, builds);
    for (GpuPick &kind : picks.perGpu) {
        if (kind.pick)
            tell(*kind.pick, snapshot, builds);
    }
    if (picks.forAll)
        tell(*picks.forAll, snapshot, builds);
    if (picks.picks.isEmpty())
        return;
    Pick &best = picks.picks.first();
    if (builds.value(best.variant.name()).phase != BuildState::Phase::Published)
        best.reasons.append(
            forSurface(Tr::tr("It is not known whether it is published; \"flox show\" looks it up on the "
                              "network."),
                       Tr::tr("It is not known whether it is published.")));
}

} // namespace tmx
