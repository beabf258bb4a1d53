// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Verb.h"

#include "model/matrix/MatrixText.h"
#include "model/workspace/Operations.h"

#include <CLI/CLI.hpp>

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct ListOptions {
    std::string branch;
    bool allBranches = false;
};

QJsonObject lineJson(const Line &line)
{
    QJsonArray cudas;
    for (const CudaProfile &profile : line.cudas)
        cudas.append(profile.version);
    return {{u"pytorch"_s, line.versions.value(u"pytorch"_s)}, {u"cuda"_s, cudas}, {u"python"_s, QJsonArray::fromStringList(line.pythons)},
            {u"nixpkgs"_s, line.pin.revision}, {u"source"_s, toString(line.source)}};
}

QJsonObject variantJson(const VariantEntry &entry, const BuildState &build)
{
    const Variant &v = entry.variant;
    return {{u"name"_s, v.name()}, {u"family"_s, v.family}, {u"python"_s, v.python}, {u"cuda"_s, v.cuda}, {u"gpu"_s, v.row}, {u"isa"_s, v.isa},
            {u"file"_s, entry.file}, {u"recipe"_s, toString(entry.state)}, {u"build"_s, toString(build.phase)},
            {u"reason"_s, entry.reason}};
}

QJsonObject branchJson(const Reading &reading)
{
    const BranchSnapshot &snapshot = *reading.snapshot;
    QJsonObject counts;
    const auto states = snapshot.counts();
    for (auto it = states.begin(); it != states.end(); ++it)
        counts.insert(toString(it.key()), it.value());
    QJsonArray variants;
    for (const VariantEntry &entry : snapshot.entries)
        variants.append(variantJson(entry, reading.builds.value(entry.variant.name())));
    return {{u"name"_s, snapshot.branch}, {u"commit"_s, snapshot.commit}, {u"line"_s, lineJson(snapshot.line)}, {u"counts"_s, counts},
            {u"unrecognised"_s, QJsonArray::fromStringList(snapshot.unrecognised)}, {u"variants"_s, variants}};
}

int list(const VerbContext &context, const ListOptions &options)
{
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
        QJsonArray branches;
        for (const Reading &reading : std::as_const(readings))
            branches.append(branchJson(reading));
        print(QJsonObject{{u"repository"_s, first->info.workTree}, {u"branches"_s, branches}});
        return Done;
    }
    for (const Reading &reading : std::as_const(readings)) {
        const auto &snapshot = reading.snapshot;
        print(branchAsText(catalog, snapshot));
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
    verb->add_flag("--all-branches", options->allBranches, "List every local branch")->excludes(branch);
    verb->callback([&context, options] { context.run = [&context, options] { return list(context, *options); }; });
}

} // namespace tmx
