// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Changes.h"

#include "model/workspace/NewRepository.h"

#include <CLI/CLI.hpp>

#include <QDir>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct InitOptions : SettingsOptions {
    std::string folder;
    std::vector<std::string> names;
};

int init(const VerbContext &context, const InitOptions &options)
{
    const auto catalog = loadCatalogOrComplain();
    if (!catalog)
        return CouldNotBeDone;
    const Result<SettingsChange> change = settingsChangeOf(*catalog, options);
    if (!change)
        return complain(change.error(), WrongUsage);
    const QString folder = QDir::cleanPath(QDir::current().absoluteFilePath(QString::fromStdString(options.folder)));
    const Result<Applied> made = createBuildRepository(catalog, {folder, *change, toStringList(options.names)});
    if (!made)
        return complain(made.error());
    if (context.json) {
        QJsonObject object{{u"folder"_s, folder}};
        insertApplied(object, *made);
        print(object);
        return Done;
    }
    tell(appliedText(*made));
    tell(u"Next: \"flox activate\" there locks the environment and lists the variants of this machine."_s);
    print(folder);
    return Done;
}

} // namespace

void addInit(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<InitOptions>();
    CLI::App *verb = app.add_subcommand(
        "init", "Make a new repository: Flox environment, branch settings, README and recipes, in one commit");
    verb->add_option("DIR", options->folder, "New or empty folder, or a repository without a commit")->required();
    addToolkitOptions(*verb, options);
    addSettingsOptions(*verb, options);
    verb->add_option("--only", options->names, "Variants to begin with (default: all that the settings list)")
        ->type_name("NAME...");
    addJsonOption(*verb, context);
    verb->callback([&context, options] { context.run = [&context, options] { return init(context, *options); }; });
}

} // namespace tmx
