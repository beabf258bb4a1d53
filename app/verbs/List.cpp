// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Verb.h"

#include "model/branches/DiskCache.h"
#include "model/matrix/MatrixText.h"
#include "model/workspace/BranchListing.h"
#include "model/workspace/Operations.h"

#include <CLI/CLI.hpp>

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct ListOptions {
    std::string branch;
    bool allBranches = false;
    bool remotes = false;
};

int list(const VerbContext &context, const ListOptions &options)
{
    if (context.json && (options.allBranches || options.remotes)) {
        const Result<QByteArray> listing = listBranches(&Catalog::loadForUser, context.repoPath(), options.remotes, DiskCache::forUser(u"branches"_s));
        if (!listing)
            return complain(listing.error());
        printRaw(*listing);
        return Done;
    }
    const auto catalog = loadCatalogOrComplain();
    if (!catalog)
        return CouldNotBeDone;
    const Result<Reading> first = readRepository(catalog, context.repoPath(), QString::fromStdString(options.branch));
    if (!first)
        return complain(first.error());
    QList<Reading> readings;
    if (options.allBranches) {
        for (const BranchRef &branch : first->info.branches) {
            const Result<Reading> reading = readRepository(catalog, context.repoPath(), branch.name);
            if (!reading)
                return complain(reading.error());
            readings.append(*reading);
        }
    } else {
        readings.append(*first);
    }

    if (context.json) {
        print(QJsonObject{{u"repository"_s, first->info.workTree}, {u"branches"_s, QJsonArray{branchJson(*first->snapshot, first->builds)}}});
        return Done;
    }
    for (const Reading &reading : std::as_const(readings)) {
        const auto &snapshot = reading.snapshot;
        printRaw(branchAsText(catalog, snapshot).toUtf8());
        if (!snapshot->lineError.isEmpty())
            tell(u"%1: %2"_s.arg(snapshot->branch, snapshot->lineError));
        QStringList further;
        for (const VariantEntry &entry : snapshot->entries)
            further += entry.duplicates;
        if (!further.isEmpty())
            tell(u"beside their cells' recipes on %1: %2"_s.arg(snapshot->branch, further.join(u", "_s)));
        if (!snapshot->unrecognised.isEmpty())
            tell(u"not named as variants on %1: %2"_s.arg(snapshot->branch, snapshot->unrecognised.join(u", "_s)));
    }
    return Done;
}

} // namespace

void addList(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<ListOptions>();
    CLI::App *verb = app.add_subcommand("list", "Print the grid of a branch: every variant and the state of its recipe");
    addRepoOption(*verb, context);
    addJsonOption(*verb, context);
    auto *branch = verb->add_option("--branch", options->branch, "Branch to list (default: the checked-out one)")->type_name("B");
    auto *all = verb->add_flag("--all-branches", options->allBranches, "List every local branch")->excludes(branch);
    verb->add_flag("--remotes", options->remotes, "With --all-branches --json: the remote-tracking branches too")->needs(all);
    verb->callback([&context, options] { context.run = [&context, options] { return list(context, *options); }; });
}

} // namespace tmx
