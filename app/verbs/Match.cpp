// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Fleet.h"
#include "app/verbs/ManyBranches.h"

#include "model/base/Tr.h"
#include "model/fleet/FleetText.h"
#include "model/fleet/KnownRepositories.h"
#include "model/git/CommitReader.h"

#include <CLI/CLI.hpp>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// The root of the repository that contains a folder; the folder itself if there is none.
QString workTreeOf(const QString &path)
{
    const Result<CommitReader> reader = CommitReader::open(path);
    return reader ? reader->workTree() : path;
}

Result<int> match(const VerbContext &context, const QString &words, const QString &other)
{
    const BranchPlace named = BranchPlace::of(words);
    const Result<QStringList> own = chosenRepositories({named.repository});
    const Result<QStringList> others = chosenRepositories({other});
    for (const Result<QStringList> *one : {&own, &others}) {
        if (!*one)
            return complain(one->error());
        if (one->value().size() > 1)
            return complain(Error{Tr::tr("match"), one == &own ? words : other, Tr::tr("it has several repositories"),
                                  Tr::tr("Name one of them.")},
                            WrongUsage);
    }
    TM_TRY(read, readChosenFleet(*own + *others + knownRepositories()));
    const Fleet *fleet = &*read; // Other repositories may show which version of PyTorch a nixpkgs has.
    const QString repository = workTreeOf(own->constFirst());
    const QString otherRepository = workTreeOf(others->constFirst());
    for (const QString &needed : {repository, otherRepository}) {
        const auto trouble = std::ranges::find(fleet->troubles, needed, &FleetTrouble::repository);
        if (!fleet->repositories.contains(needed) && trouble != fleet->troubles.end())
            return complain(trouble->error);
    }
    const QList<const FleetBranch *> ours = fleet->of(repository);
    const auto branch = std::ranges::find_if(ours, [&named](const FleetBranch *one) {
        return named.branch.isEmpty() ? one->ref.checkedOut : one->ref.name == named.branch;
    });
    if (branch == ours.end())
        return complain(
            Error{Tr::tr("match"), words,
                  named.branch.isEmpty() ? Tr::tr("no branch is checked out") : Tr::tr("there is no such local branch"),
                  Tr::tr("Write DIR@BRANCH.")});
    const QList<BranchMatch> matches = matchesOf(**branch, fleet->of(otherRepository));
    const QList<FetchedTorchSource> fetched = fetchedTorchOf(**branch, fleet->repositories);
    if (context.json)
        print(matchesJson(**branch, matches, fetched));
    else
        printText(matchesText(**branch, matches, fetched).toUtf8());
    const bool fits = std::ranges::any_of(matches, [](const BranchMatch &one) { return one.fitting > 0; });
    return fits ? Done : DoneWithFindings;
}

} // namespace

void addMatch(CLI::App &app, VerbContext &context)
{
    struct Sides {
        std::string own;
        std::string other;
    };
    auto sides = std::make_shared<Sides>();
    CLI::App *verb = app.add_subcommand(
        "match", Help::tr("Print which branches of a repository fit a branch of another one, the best first"));
    verb->add_option("SIDE", sides->own,
                     Help::tr("Repository and branch, DIR@BRANCH (default: the checked-out branch)"))
        ->required();
    verb->add_option("OTHER", sides->other, Help::tr("Repository whose branches are compared"))->required();
    addJsonOption(*verb, context);
    verb->callback([&context, sides] {
        context.run = [&context, sides] {
            return match(context, QString::fromStdString(sides->own), QString::fromStdString(sides->other));
        };
    });
}

} // namespace tmx
