// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Changes.h"

#include "model/base/Tr.h"
#include "model/change/SaveSettings.h"
#include "model/settings/SettingsFile.h"
#include "model/workspace/NewRepository.h"

#include <CLI/CLI.hpp>

#include <QDir>
#include <QSet>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct InitOptions : SettingsOptions {
    std::string folder;
    std::vector<std::string> names;
};

Result<int> init(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog, const InitOptions &options)
{
    const Result<SettingsChange> change = settingsChangeOf(*catalog, options);
    if (!change)
        return complain(change.error().ofUsage());
    const QString folder = QDir::cleanPath(QDir::current().absoluteFilePath(QString::fromStdString(options.folder)));
    TM_TRY(made, createBuildRepository(catalog, {folder, *change, toStringList(options.names)}));
    if (context.json) {
        QJsonObject object{{u"folder"_s, folder}};
        insertApplied(object, *made);
        print(object);
        return Done;
    }
    tell(appliedText(*made));
    if (const auto settings = readSettingsOf(catalog, folder, {})) {
        QSet<QString> told;
        for (const auto &[key, profile] : settings->settings.profiles.asKeyValueRange()) {
            if (!profile.pnamePrefix.isEmpty() && !told.contains(key.family))
                tell(Tr::tr("pname of %1 begins with %2 (pname_prefixes.%1 in %3), as in the built-in settings")
                         .arg(key.family, profile.pnamePrefix, settingsFileName));
            told.insert(key.family);
        }
    }
    tell(
        Tr::tr("Next: run \"flox activate\" there. It locks the environment and lists the variants for this machine."));
    print(folder);
    return Done;
}

} // namespace

void addInit(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<InitOptions>();
    CLI::App *verb = app.add_subcommand(
        "init", Help::tr("Create a repository: Flox environment, branch settings, README and recipes, in one commit"));
    verb->add_option("DIR", options->folder, Help::tr("New or empty folder, or a repository without a commit"))
        ->required();
    addToolkitOptions(*verb, options);
    addSettingsOptions(*verb, options);
    verb->add_option("--only", options->names, Help::tr("Variants to begin with (default: all that the settings list)"))
        ->type_name("NAME...");
    addJsonOption(*verb, context);
    runOnCatalog(*verb, context, options, &init);
}

} // namespace tmx
