// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Fleet.h"
#include "app/verbs/JobText.h"

#include "model/base/StateFolder.h"
#include "model/base/Tr.h"
#include "model/fleet/Dependents.h"
#include "model/fleet/FleetText.h"
#include "model/fleet/KnownRepositories.h"

#include <CLI/CLI.hpp>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct OverviewOptions {
    std::vector<std::string> folders;
    bool add = false;
    bool forget = false;
    bool stale = false;
};

Result<int> overview(const VerbContext &context, const OverviewOptions &options)
{
    TM_TRY(repositories, chosenRepositories(toStringList(options.folders)));
    if (options.forget) {
        for (const QString &repository : *repositories)
            forgetRepository(repository);
        return Done;
    }
    serveQueue();
    TM_TRY(fleet, readChosenFleet(*repositories));
    if (options.add)
        addRepositories(fleet->repositories);
    if (options.stale) {
        const QList<Dependent> stale = staleDependents(dependentsOf(*fleet), readJobs(stateFolder()));
        if (context.json)
            print(staleJson(stale));
        else
            printText(staleText(stale).toUtf8());
        const int code = finishFleet(*fleet);
        return stale.isEmpty() ? code : std::max<int>(code, DoneWithFindings);
    }
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
    verb->add_flag("--stale", options->stale,
                   Help::tr("Print the variants whose torch, in any of the repositories, changed since they were "
                            "built"));
    addJsonOption(*verb, context);
    verb->callback([&context, options] { context.run = [&context, options] { return overview(context, *options); }; });
}

} // namespace tmx
