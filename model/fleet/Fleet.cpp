// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/fleet/Fleet.h"

#include "model/base/Parallel.h"
#include "model/base/StateFolder.h"
#include "model/base/Tr.h"
#include "model/catalog/Versions.h"
#include "model/fleet/BuiltRecipes.h"
#include "model/fleet/Dependents.h"
#include "model/fleet/OthersBuilds.h"
#include "model/snapshot/DiskCache.h"
#include "model/snapshot/SnapshotReader.h"

#include <QElapsedTimer>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

const QByteArray summaryKey = "fleet 4\n"_ba;

/// `others`: of all branches of all repositories.
QHash<QString, BuildState> statesOf(const FleetBranch &branch, const QList<JobRecord> &jobs, const OtherBuilds &others)
{
    BuiltBranch built{
        canonicalRepository(branch.repository), branch.repository, branch.ref.name, branch.ref.checkedOut, {}, {}};
    const QList<RecipeSummary> &recipes = branch.summary->recipes;
    for (const RecipeSummary &recipe : recipes)
        built.recipes.append({recipe.variant.name(), recipe.package, recipe.files});
    built.identities = [&recipes](qsizetype i) { return recipes.at(i).identities; };
    OtherBuilds other;
    const auto isOfRepository = [&branch](const auto &one) { return one.repository == branch.repository; };
    std::ranges::copy_if(others.publications, std::back_inserter(other.publications), isOfRepository);
    std::ranges::copy_if(others.elsewhere, std::back_inserter(other.elsewhere), isOfRepository);
    return buildStates(built, jobs, other);
}

BuildCounts countsOf(const QHash<QString, BuildState> &states)
{
    BuildCounts counts;
    for (const BuildState &state : states) {
        switch (state.phase) {
        case BuildState::Phase::None: break;
        case BuildState::Phase::Elsewhere: ++counts.builtByTeam; break;
        case BuildState::Phase::FailedElsewhere: ++counts.failedByTeam; break;
        case BuildState::Phase::Queued:
        case BuildState::Phase::Running:
        case BuildState::Phase::Stopping: ++counts.running; continue;
        case BuildState::Phase::Published: ++counts.published; [[fallthrough]];
        case BuildState::Phase::Built: ++counts.built; break;
        case BuildState::Phase::Stale: ++counts.stale; break;
        case BuildState::Phase::Failed: ++counts.failed; break;
        }
        if (!counts.last.isValid() || counts.last < state.since)
            counts.last = state.since;
    }
    return counts;
}

VersionsOfPins versionsShownBy(const QList<FleetBranch> &branches)
{
    VersionsOfPins versions;
    for (const FleetBranch &branch : branches) {
        for (const PinnedVersion &shown : branch.summary ? branch.summary->pinnedVersions : QList<PinnedVersion>()) {
            if (shown.family == "pytorch"_L1)
                versions.add(shown.revision, shown.version);
        }
    }
    return versions;
}

/// Gives recipes that build the torch of their nixpkgs the version that a recipe of any branch shows it to have.
void addVersionsOfPins(QList<FleetBranch> &branches)
{
    const VersionsOfPins versions = versionsShownBy(branches);
    const auto lacks = [&versions](const RecipeSummary &recipe) { return !versions.lackedBy(recipe.torch).isEmpty(); };
    for (FleetBranch &branch : branches) {
        if (!branch.summary || std::ranges::none_of(branch.summary->recipes, lacks))
            continue;
        auto known = std::make_shared<BranchSummary>(*branch.summary);
        for (RecipeSummary &recipe : known->recipes) {
            if (!lacks(recipe))
                continue;
            recipe.torch.version = versions.lackedBy(recipe.torch);
            QStringList &own = known->versions[recipe.variant.family];
            if (recipe.torch.isTorch && !own.contains(recipe.torch.version))
                own.append(recipe.torch.version);
        }
        branch.summary = std::move(known);
    }
}

} // namespace

QString Fleet::nameOf(const QString &repository) const
{
    QString name = repository.section(u'/', -1);
    for (int folders = 2;
         name.size() < repository.size() &&
         std::ranges::any_of(repositories,
                             [&](const QString &other) { return other != repository && other.endsWith(u'/' + name); });
         ++folders)
        name = repository.section(u'/', -folders);
    return name;
}

QString FleetBranch::repositoryName() const
{
    return repository.section(u'/', -1);
}

QStringList Fleet::sentences() const
{
    QStringList sentences;
    for (const FleetTrouble &trouble : troubles)
        sentences.append(trouble.sentence());
    for (const FleetBranch &branch : branches) {
        if (!branch.summary->settingsError.isEmpty())
            sentences.append(u"%1: %2"_s.arg(branch.label(), branch.summary->settingsError));
    }
    return sentences;
}

QString FleetTrouble::sentence() const
{
    const QString where = branch.isEmpty() ? repository : repository.section(u'/', -1) + u'@' + branch;
    return u"%1: %2"_s.arg(where, error.sentence());
}

QString FleetBranch::label() const
{
    return repositoryName() + u'@' + ref.name;
}

QList<const FleetBranch *> Fleet::of(const QString &repository) const
{
    QList<const FleetBranch *> found;
    for (const FleetBranch &branch : branches) {
        if (branch.repository == repository)
            found.append(&branch);
    }
    return found;
}

namespace {

/// The branches of the repositories, still without summaries; what cannot be read is added to `fleet`.
QList<FleetBranch> branchesIn(const QStringList &paths, Fleet &fleet, QList<BranchSource> &sources)
{
    std::vector<std::optional<Result<BranchSources>>> opened(size_t(paths.size()));
    inParallel(paths.size(),
               [&](qsizetype i) { opened[size_t(i)] = branchesOf(paths.at(i), WorkTreeAs::Branch, false); });
    QList<FleetBranch> branches;
    for (qsizetype i = 0; i < paths.size(); ++i) {
        const Result<BranchSources> &one = *opened[size_t(i)];
        if (!one) {
            fleet.troubles.append({paths.at(i), {}, one.error()});
            continue;
        }
        if (fleet.repositories.contains(one->info.workTree))
            continue;
        fleet.repositories.append(one->info.workTree);
        for (const UnreadBranch &unread : one->unread)
            fleet.troubles.append({one->info.workTree, unread.branch, unread.error});
        for (const BranchSource &source : one->sources) {
            const auto ref = std::ranges::find(one->info.branches, source.branch, &BranchRef::name);
            sources.append(source);
            branches.append(
                {one->info.workTree, ref == one->info.branches.end() ? BranchRef{source.label} : *ref, nullptr, {}});
        }
    }
    return branches;
}

void countBuilds(Fleet &fleet)
{
    const QList<JobRecord> jobs = readJobs(stateFolder());
    OtherBuilds others = historyOf({});
    for (const QString &repository : std::as_const(fleet.repositories)) {
        const SharedBuildLines shared = othersBuilds(repository);
        others.publications += shared.publications;
        others.elsewhere += shared.builds;
    }
    QHash<const FleetBranch *, QHash<QString, BuildState>> states;
    for (FleetBranch &branch : fleet.branches) {
        states.insert(&branch, statesOf(branch, jobs, others));
        branch.builds = countsOf(states.value(&branch));
    }
    const RecipeSummary *counted = nullptr; // A recipe whose torch is on several branches stands several times.
    for (const Dependent &stale : jobs.isEmpty() ? QList<Dependent>() : staleDependents(dependentsOf(fleet), jobs)) {
        const BuildState::Phase phase = states.value(stale.branch).value(stale.recipe->variant.name()).phase;
        if (std::exchange(counted, stale.recipe) == stale.recipe ||
            (phase != BuildState::Phase::Built && phase != BuildState::Phase::Published))
            continue;
        BuildCounts &counts = fleet.branches[stale.branch - fleet.branches.constData()].builds;
        --counts.built;
        ++counts.stale;
    }
}

/// Takes the summaries that the cache has. `tell` is called for each. Returns the places of the branches without one.
QList<qsizetype> takeKnown(QList<FleetBranch> &branches, const QList<Result<QByteArray>> &keys, const DiskCache &cache,
                           const QByteArray &program, const std::function<void()> &tell)
{
    inParallel(branches.size(), [&](qsizetype i) {
        if (!keys.at(i)) // the reader says why
            return;
        if (const std::optional<QByteArray> bytes = cache.find(program + *keys.at(i))) {
            if (std::optional<BranchSummary> summary = BranchSummary::fromBytes(*bytes)) {
                branches[i].summary = std::make_shared<const BranchSummary>(*std::move(summary));
                tell();
            }
        }
    });
    QList<qsizetype> left;
    for (qsizetype i = 0; i < branches.size(); ++i) {
        if (!branches.at(i).summary)
            left.append(i);
    }
    return left;
}

/// The fleet with the branches that are read, while others still are.
Fleet withKnown(Fleet fleet, const QList<FleetBranch> &branches, const std::vector<std::optional<Error>> &errors)
{
    for (qsizetype i = 0; i < branches.size(); ++i) {
        if (branches.at(i).summary && !errors[size_t(i)])
            fleet.branches.append(branches.at(i));
    }
    return fleet;
}

} // namespace

Result<Fleet> readFleet(const std::function<Result<std::shared_ptr<const Catalog>>()> &loadCatalog,
                        const QStringList &paths, const DiskCache &cache, const WorkHooks &hooks,
                        const std::function<void(const Fleet &)> &early)
{
    Fleet fleet;
    QList<BranchSource> sources;
    QList<FleetBranch> branches = branchesIn(paths, fleet, sources);
    const QByteArray program = summaryKey + programFingerprint();
    const QList<Result<QByteArray>> keys = keysOf(sources, &cache);
    std::atomic_int done = 0;
    const auto tell = [&] { hooks.tell(++done, int(sources.size())); };
    const QList<qsizetype> left = takeKnown(branches, keys, cache, program, tell);
    std::vector<std::optional<Error>> errors(size_t(branches.size()));
    std::mutex mutex; // of the summaries, while they are shown
    QElapsedTimer shown;
    const auto showEarly = [&] {
        constexpr int pause = 200; // milliseconds
        if (!early || (shown.isValid() && shown.elapsed() < pause))
            return;
        early(withKnown(fleet, branches, errors));
        shown.start();
    };
    if (!left.isEmpty()) {
        TM_TRY(catalog, loadCatalog());
        const SnapshotReader reader(*catalog, 0);
        inParallel(left.size(), [&](qsizetype j) {
            const qsizetype i = left.at(j);
            // What a template would write is not in a summary.
            const Result<ReadBranch> read = reader.read(sources.at(i), {{}, hooks.stop}, Templates::LeftOut);
            if (!read) {
                errors[size_t(i)] = read.error();
                return;
            }
            auto summary = std::make_shared<const BranchSummary>(BranchSummary::of(**catalog, *read->snapshot));
            if (const Result<void> whole = checkWhole(*read->content, Tr::tr("read")); !whole)
                errors[size_t(i)] = whole.error();
            else
                cache.insert(program + read->key, summary->toBytes());
            {
                const std::scoped_lock lock(mutex);
                branches[i].summary = std::move(summary);
                if (!errors[size_t(i)])
                    showEarly();
            }
            tell();
        });
    }
    addVersionsOfPins(branches);
    fleet.stopped = hooks.stopped();
    for (qsizetype i = 0; i < branches.size(); ++i) {
        FleetBranch &branch = branches[i];
        if (errors[size_t(i)] && !fleet.stopped)
            fleet.troubles.append({branch.repository, branch.ref.name, *errors[size_t(i)]});
        if (branch.summary)
            fleet.branches.append(std::move(branch));
    }
    countBuilds(fleet);
    return fleet;
}

VersionsOfPins knownVersionsOfPins(const QStringList &paths, const DiskCache &cache)
{
    Fleet fleet;
    QList<BranchSource> sources;
    QList<FleetBranch> branches = branchesIn(paths, fleet, sources);
    takeKnown(branches, keysOf(sources, &cache), cache, summaryKey + programFingerprint(), [] {});
    return versionsShownBy(branches);
}

namespace {

/// How versions and pins fit: a few of them meet each other in a million pairs of recipes.
class KnownFits
{
public:
    int numberOf(const StatedTorch &torch)
    {
        const QString key = torch.version + u'\n' + torch.pin + (torch.fromPin ? u'+' : u'-');
        const auto known = m_numbers.constFind(key);
        if (known != m_numbers.cend())
            return *known;
        m_stated.append(&torch);
        return *m_numbers.insert(key, int(m_numbers.size()));
    }
    TorchFit fit(int needed, int torch)
    {
        const auto known = m_fits.constFind({needed, torch});
        return known != m_fits.cend()
                   ? *known
                   : *m_fits.insert({needed, torch}, fitOf(*m_stated.at(needed), *m_stated.at(torch)));
    }

private:
    QHash<QString, int> m_numbers;
    QList<const StatedTorch *> m_stated; ///< by number
    QHash<std::pair<int, int>, TorchFit> m_fits;
};

} // namespace

QList<TorchCoverage> torchCoverage(const Fleet &fleet)
{
    KnownFits known;
    struct Torch {
        qsizetype branch;
        int number;
    };
    QHash<Variant, QList<Torch>> torches; ///< by cell
    for (qsizetype i = 0; i < fleet.branches.size(); ++i) {
        for (const RecipeSummary &recipe : fleet.branches.at(i).summary->recipes) {
            if (recipe.torch.isTorch)
                torches[torchCellOf(recipe.variant)].append({i, known.numberOf(recipe.torch)});
        }
    }
    const QList<Torch> none;
    QList<TorchCoverage> all;
    for (const FleetBranch &branch : fleet.branches) {
        TorchCoverage best;
        std::vector<std::tuple<int, int, int>> found(size_t(fleet.branches.size())); // covered, same pin, unknown
        for (const RecipeSummary &recipe : branch.summary->recipes) {
            if (!recipe.torch.needed)
                continue;
            ++best.needed;
            const int needed = known.numberOf(recipe.torch);
            const auto there = torches.constFind(torchCellOf(recipe.variant));
            const QList<Torch> &here = there == torches.cend() ? none : *there;
            // A branch may have several versions for a cell; they stand together.
            for (qsizetype i = 0; i < here.size();) {
                const qsizetype branch = here.at(i).branch;
                TorchFit its = TorchFit::Other;
                for (; i < here.size() && here.at(i).branch == branch; ++i)
                    its = betterFit(its, known.fit(needed, here.at(i).number));
                auto &[covered, samePin, unknown] = found[size_t(branch)];
                covered += isCompanion(its);
                unknown += its == TorchFit::Unknown;
                samePin += its == TorchFit::Same;
            }
        }
        const auto most = std::ranges::max_element(found);
        if (most != found.end() && *most > std::tuple(0, 0, 0)) {
            std::tie(best.covered, best.samePin, best.unknown) = *most;
            best.branch = most - found.begin();
        }
        all.append(best);
    }
    return all;
}

} // namespace tmx
