// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Fleet.h"

#include "model/base/Tr.h"
#include "model/fleet/FleetText.h"
#include "model/fleet/KnownRepositories.h"

#include <CLI/CLI.hpp>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct OverviewOptions {
    std::vector<std::string> folders;
    bool add = false;
    bool forget = false;
};

int overview(const VerbContext &context, const OverviewOptions &options)
{
    const Result<QStringList> repositories = chosenRepositories(toStringList(options.folders));
    if (!repositories)
        return complain(repositories.error());
    if (options.forget) {
        for (const QString &repository : *repositories)
            forgetRepository(repository);
        return Done;
    }
    const Result<Fleet> fleet = readChosenFleet(*repositories);
    if (!fleet)
        return complain(fleet.error());
    if (options.add)
        addRepositories(fleet->repositories);
    if (context.json)
        print(overviewJson(*fleet));
    else if (!fleet->branches.isEmpty())
        printText(overviewText(*fleet).toUtf8());
    return finishFleet(*fleet);
}

} // namespace

void addOverview(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<OverviewOptions>();
    CLI::App *verb = app.add_subcommand(
        "overview",
        Help::tr("Print a row for each branch of several repositories: versions, recipes, findings, builds"));
    CLI::Option *folders = verb->add_option(
        "DIR", options->folders,
        Help::tr("Repositories, or folders above them (default: those that were opened or added before)"));
    CLI::Option *add =
        verb->add_flag("--add", options->add, Help::tr("Remember these repositories for later calls"))->needs(folders);
    verb->add_flag("--forget", options->forget, Help::tr("Forget these repositories; their files stay"))
        ->needs(folders)
        ->excludes(add);
    addJsonOption(*verb, context);
    verb->callback([&context, options] { context.run = [&context, options] { return overview(context, *options); }; });
}

} // namespace tmx
