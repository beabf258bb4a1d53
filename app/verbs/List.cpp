// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Verb.h"

#include "model/base/ShortList.h"
#include "model/base/Tr.h"
#include "model/matrix/MatrixText.h"
#include "model/snapshot/DiskCache.h"
#include "model/workspace/BranchListing.h"
#include "model/workspace/RepositoryReading.h"

#include <CLI/CLI.hpp>

#include <QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct ListOptions {
    std::string branch;
    bool allBranches = false;
    bool remotes = false;
    bool others = false;
    std::shared_ptr<VariantFilter> filter;
};

QString settingsSource(Settings::Source source)
{
    switch (source) {
    case Settings::Source::File: return Tr::tr("settings from torch-matrix.toml");
    case Settings::Source::BuiltIn: return Tr::tr("built-in settings");
    case Settings::Source::Inferred: return Tr::tr("settings inferred from the recipes");
    }
    Q_UNREACHABLE_RETURN({});
}

/// A branch without a matrix: its packages, and the files that they import, one a line.
void printPackages(const BranchSnapshot &snapshot)
{
    const QStringList packages = snapshot.plainPackages();
    for (const QString &package : packages)
        print(package);
    QMap<QString, int> imported;
    for (const QString &path : snapshot.files ? snapshot.unrecognised : QStringList()) {
        const std::optional<QByteArray> text = snapshot.files->text(path);
        const RecipeSource source = text ? snapshot.files->source(path, *text) : RecipeSource();
        for (const QString &other : source.imports ? source.imports->paths : QStringList())
            ++imported[other];
    }
    for (const auto &[path, users] : imported.asKeyValueRange())
        print(Tr::tr("%1 (%2)").arg(shownPath(path), Tr::tr("%n packages import it", nullptr, users)));
    tell(Tr::tr("%1 has no matrix. %2", "branch")
             .arg(snapshot.title().isEmpty() ? u"no branch"_s : snapshot.title(), aboutMatrices()));
    tell(Tr::tr("%n packages", nullptr, int(packages.size())));
}

/// "torchvision026, torchvision027; python313; CUDA 12.8, CUDA 13.0": what a filter can choose.
QString slicesOf(const BranchSnapshot &snapshot)
{
    QStringList families;
    QStringList pythons;
    QStringList toolkits;
    for (const VariantEntry &entry : snapshot.entries) {
        families.append(entry.variant.family);
        pythons.append(entry.variant.python);
        toolkits.append(entry.variant.cuda.isEmpty() ? QString() : "CUDA "_L1 + entry.variant.cuda);
    }
    QStringList parts;
    for (QStringList *list : {&families, &pythons, &toolkits}) {
        list->removeDuplicates();
        list->removeAll(QString());
        if (!list->isEmpty())
            parts.append(shortList(*list));
    }
    return parts.join("; "_L1);
}

void printOthers(const BranchSnapshot &snapshot, bool others)
{
    if (snapshot.unrecognised.isEmpty())
        return;
    const QString count = Tr::tr("%n files are no variants", nullptr, int(snapshot.unrecognised.size()));
    tell(others ? Tr::tr("%1 on %2:", "count, branch").arg(count, snapshot.title())
                : Tr::tr("%1 on %2; --others lists them", "count, branch").arg(count, snapshot.title()));
    for (const QString &path : others ? snapshot.unrecognised : QStringList())
        print(path);
}

void printGrid(const std::shared_ptr<const Catalog> &catalog, const std::shared_ptr<const BranchSnapshot> &snapshot,
               const ListOptions &options)
{
    if (!snapshot->hasMatrix()) {
        printPackages(*snapshot);
        return;
    }
    if (!options.filter->isEmpty() && std::ranges::none_of(snapshot->entries, [&](const VariantEntry &entry) {
            return options.filter->accepts(entry.variant, snapshot->line);
        })) {
        tell(
            Tr::tr("%1: no variant matches. It has %2.", "branch, slices").arg(snapshot->title(), slicesOf(*snapshot)));
        return;
    }
    print(u"%1, %2\n"_s.arg(snapshot->title().isEmpty() ? u"no branch"_s : snapshot->title(),
                            settingsSource(snapshot->line.source)));
    printText(branchAsText(catalog, snapshot, *options.filter).toUtf8());
    if (snapshot->lineError)
        tell(u"%1: %2"_s.arg(snapshot->title(), snapshot->lineError->sentence()));
    QStringList further;
    for (const VariantEntry &entry : snapshot->entries)
        further += entry.duplicates;
    if (!further.isEmpty())
        tell(Tr::tr("further files for cells on %1: %2").arg(snapshot->title(), further.join(u", "_s)));
    printOthers(*snapshot, options.others);
}

int listAllAsJson(const VerbContext &context, bool remotes)
{
    const Result<BranchListing> listing =
        listBranches(&Catalog::loadForUser, context.repoPath(), remotes, DiskCache::forUser(u"branches"_s));
    if (!listing)
        return complain(listing.error());
    printJson(listing->document);
    tellUnread(listing->unread);
    return listing->unread.isEmpty() && !listing->lineErrors ? Done : DoneWithFindings;
}

int list(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog, const ListOptions &options)
{
    const Result<BranchesReading> all = readBranches(catalog, context, options.branch, options.allBranches);
    if (!all)
        return complain(all.error());
    if (context.json) {
        const BranchSnapshot &only = *all->branches.constFirst().snapshot;
        print(QJsonObject{{u"repository"_s, all->repository},
                          {u"branches"_s, QJsonArray{branchJson(only, buildsOf(only), *options.filter)}}});
    } else {
        for (const ReadBranch &branch : all->branches)
            printGrid(catalog, branch.snapshot, options);
    }
    tellUnread(all->unread);
    const bool sound =
        std::ranges::all_of(all->branches, [](const ReadBranch &branch) { return !branch.snapshot->lineError; });
    return sound && all->unread.isEmpty() ? Done : DoneWithFindings;
}

} // namespace

void addList(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<ListOptions>();
    CLI::App *verb =
        app.add_subcommand("list", Help::tr("Print the grid of a branch: every variant and the state of its recipe"));
    addRepoOption(*verb, context);
    addJsonOption(*verb, context);
    auto *branch =
        verb->add_option("--branch", options->branch, Help::tr("Branch to list (default: the checked-out one)"))
            ->type_name("B");
    auto *all =
        verb->add_flag("--all-branches", options->allBranches, Help::tr("List every local branch"))->excludes(branch);
    verb->add_flag("--remotes", options->remotes,
                   Help::tr("With --all-branches --json: the remote-tracking branches too"))
        ->needs(all);
    verb->add_flag("--others", options->others,
                   Help::tr("List the files that are no variants too, instead of their number"));
    options->filter = addFilterOptions(*verb);
    verb->callback([&context, options] {
        if (context.json && options->allBranches)
            context.run = [&context, options] { return listAllAsJson(context, options->remotes); };
        else
            context.runWith([&context, options](const auto &catalog) { return list(context, catalog, *options); });
    });
}

} // namespace tmx
