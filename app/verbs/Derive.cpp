// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/ManyBranches.h"

#include "model/base/Tr.h"
#include "model/change/Dropped.h"
#include "model/change/ReplacedPins.h"
#include "model/settings/SettingsFile.h"

#include <CLI/CLI.hpp>

#include <QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;
using Action = tmx::ChangeAction;

namespace tmx {

namespace {

constexpr int samples = 2;

struct WorkOptions : SettingsOptions {
    std::string name; ///< name of the new branch
    std::string from;
    std::string to;
    std::string branch;
    std::vector<std::string> names;
    std::vector<std::string> also;
    std::vector<std::string> in; ///< the branches to change instead of one
    std::string message;
    bool apply = false;
    bool diff = false;
    bool drop = false;
    bool render = false;
    bool all = false;
    bool inPlace = false;
    bool coverage = false;
};

QJsonObject json(const ChangeSet &changes)
{
    QJsonObject object = filesJson(changes);
    object.insert(u"from"_s, changes.from.isEmpty() ? changes.branch : changes.from);
    object.insert(u"branch"_s, changes.branch);
    object.insert(u"dropped"_s, QJsonArray::fromStringList(changes.dropped));
    object.insert(u"warnings"_s, QJsonArray::fromStringList(changes.warnings));
    if (changes.newBranch)
        object.insert(u"outdated"_s, QJsonArray::fromStringList(changes.outdated));
    if (const ChangedFile *settings = changes.find(settingsFileName))
        object.insert(u"line"_s, QString::fromUtf8(*settings->after));
    return object;
}

/// Previews the changes in a terminal: the recipes, or for a whole branch a few samples.
void preview(const ChangeSet &changes, const WorkOptions &options)
{
    const bool counted = !options.all && options.names.empty(); // named recipes are few
    const QString text = changes.newBranch && !options.all
                             ? QString()
                             : filesText(changes, counted ? KeptFiles::Counted : KeptFiles::Listed, u"--also"_s);
    if (!text.isEmpty())
        print(text);
    else if (!changes.pins.isEmpty())
        print(replacedPinsText(changes));
    const ChangedFile *settings = changes.find(settingsFileName);
    if (settings && settings->chosen && settings->before)
        printText(diffText(*settings));
    else if (settings && settings->chosen && (options.diff || options.all || options.coverage))
        print(u"# %1\n%2"_s.arg(Tr::tr("%1, a new file").arg(settingsFileName),
                                QString::fromUtf8(*settings->after).trimmed()));
    else if (settings && settings->chosen)
        print(u"create   %1  %2"_s.arg(
            settingsFileName,
            changes.newBranch
                ? Tr::tr("The branch settings; --diff shows them.")
                : Tr::tr("The branch has none yet: later changes go by its settings; --diff shows them.")));
    int shown = 0;
    int kept = 0;
    for (const ChangedFile &file : changes.files) {
        const bool writes = file.action == Action::Rewrite || file.action == Action::Create;
        kept += writes && !file.chosen;
        if (!writes || !file.chosen || (file.name.isEmpty() && !file.isImported() && !file.isDocument()))
            continue;
        if (options.diff || file.isImported() || file.isDocument() || (changes.newBranch && shown++ < samples))
            printText(diffText(file));
    }
    if (options.coverage)
        tell(changes.files.constFirst().reason);
    for (const QString &line : options.all ? QStringList() : droppedByReason(changes))
        tell(Tr::tr("dropped: %1").arg(line));
    for (const QString &path : options.all ? changes.outdated : QStringList())
        print(u"outdated %1"_s.arg(path));
    for (const QString &sentence : changes.warnings)
        tell(Tr::tr("warning: %1").arg(sentence));
    const bool copies = !options.names.empty();
    if (kept > 0 && !counted)
        tell(copies ? Tr::tr("%n recipes are kept; --also NAME... replaces them", nullptr, kept)
                    : Tr::tr("%n recipes are kept; --also NAME... renders them from the template", nullptr, kept));
}

/// "28 to create, 17 to keep": with the recipes of a new branch that stay as they are; --all lists them.
QString countsAndKept(const ChangeSet &changes)
{
    const auto kept = std::ranges::count_if(
        changes.files, [](const ChangedFile &file) { return file.action == Action::Keep && !file.name.isEmpty(); });
    return changes.newBranch && kept > 0 ? Tr::tr("%1, %n to keep", nullptr, int(kept)).arg(countsText(changes))
                                         : countsText(changes);
}

/// The request for a branch.
using Ask = std::function<ChangeRequest(const SettingsChange &, const QString &branch)>;

Result<int> carryOut(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog,
                     const WorkOptions &options, const Ask &ask)
{
    const Result<SettingsChange> change = settingsChangeOf(*catalog, options);
    if (!change)
        return complain(change.error().ofUsage());
    const auto prepareOn = [&](const VerbContext &side, const QString &branch) -> Result<ChangeSet> {
        TM_TRY(sets, prepared(side, catalog, Tr::tr("Rendering the recipes"), ask(*change, branch)));
        Result<ChangeSet> chosen = choose(sets->constFirst(), toStringList(options.also), Choice::Also);
        if (!chosen)
            return chosen.error().ofUsage();
        if (!options.message.empty())
            chosen->message = QString::fromStdString(options.message);
        return chosen;
    };
    if (!options.in.empty())
        return changeMany(context, toStringList(options.in),
                          {prepareOn, [&](const ChangeSet &one) { preview(one, options); }, json, options.apply});
    const Result<ChangeSet> changes =
        prepareOn(context, QString::fromStdString(options.from.empty() ? options.branch : options.from));
    if (!changes)
        return complain(changes.error());
    const bool nothing = changes->isEmpty();
    const auto isLeft = [](const ChangedFile &file) {
        return (file.action == Action::Rewrite || file.action == Action::Create) && !file.chosen;
    };
    // The request has no effect.
    const bool left = nothing && (!changes->warnings.isEmpty() || std::ranges::any_of(changes->files, isLeft));
    const bool wrong = !changes->chosenErrors().isEmpty();
    // Show only what prevents the change, unless all is requested.
    const bool stopped = changes->refusal || (wrong && !context.force);
    if (!context.json && (!stopped || options.all || options.diff))
        preview(*changes, options);
    tellErrors(*changes);
    if (changes->refusal)
        return complain(*changes->refusal);
    if (!options.apply || nothing) {
        if (context.json)
            print(json(*changes));
        else if (nothing)
            tell((!left                         ? Tr::tr("%1: nothing to do")
                  : changes->warnings.isEmpty() ? Tr::tr("%1: nothing is changed, for the reasons above")
                                                : Tr::tr("%1: nothing is changed; the warning above says why"))
                     .arg(changes->title()));
        else
            tell(Tr::tr("%1: %2; %3 does it in one commit")
                     .arg(changes->title(), countsAndKept(*changes), wrong ? u"--apply --force"_s : u"--apply"_s));
        return wrong || left ? DoneWithFindings : Done;
    }
    TM_TRY(done, applied(context, u"Committing"_s, *changes));
    if (context.json) {
        QJsonObject object = json(*changes);
        insertApplied(object, *done);
        print(object);
    } else {
        tell(appliedText(*done));
    }
    return Done;
}

void addCommon(CLI::App &verb, VerbContext &context, const std::shared_ptr<WorkOptions> &options, const Ask &ask)
{
    verb.add_flag("--apply", options->apply, Help::tr("Make the change as one commit (default: only show it)"));
    verb.add_flag("--diff", options->diff, Help::tr("Show the difference of every recipe that is written"));
    verb.add_option("-m,--message", options->message, Help::tr("Commit message"))->type_name("TEXT");
    addForceOption(verb, context);
    addRepoOption(verb, context);
    addJsonOption(verb, context);
    verb.callback([&context, options, ask] {
        context.runWith(
            [&context, options, ask](const auto &catalog) { return carryOut(context, catalog, *options, ask); });
    });
}

} // namespace

void addDerive(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<WorkOptions>();
    CLI::App *verb = app.add_subcommand(
        "derive",
        Help::tr("Create a branch from another one, with changed settings and all of its recipes, in one commit"));
    verb->add_option("BRANCH", options->name, Help::tr("Name of the new branch"))->required();
    verb->add_option("--from", options->from, Help::tr("Branch to start from (default: the checked-out one)"))
        ->type_name("B");
    addSettingsOptions(*verb, options);
    addPinOption(*verb, options);
    addToolkitOptions(*verb, options);
    verb->add_flag("--drop", options->drop, Help::tr("Leave out recipes that are impossible on the new branch"));
    verb->add_flag(
        "--render", options->render,
        Help::tr("Give customised recipes that cannot be changed in place the template's text, without their own "
                 "changes"));
    verb->add_flag("--all", options->all, Help::tr("List every recipe, with what is done to it and why"));
    addCommon(*verb, context, options, [options](const SettingsChange &change, const QString &branch) {
        return DeriveRequest{branch, QString::fromStdString(options->name), change, options->drop, options->render};
    });
    addManyOption(*verb, options->in, "--from");
}

void addMigrate(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<WorkOptions>();
    CLI::App *verb = app.add_subcommand(
        "migrate",
        Help::tr("Change the recipes of a branch to another template, pin or version, in one commit; a branch "
                 "without torch-matrix.toml gets it"));
    verb->add_option("--branch", options->branch, Help::tr("Branch to migrate (default: the checked-out one)"))
        ->type_name("B");
    addSettingsOptions(*verb, options);
    addPinOption(*verb, options);
    verb->add_flag("--all", options->all, Help::tr("List the recipes that stay as they are, too"));
    verb->add_option("--also", options->also, Help::tr("Customised recipes to render from the template as well"))
        ->type_name("NAME...");
    verb->add_flag("--in-place", options->inPlace,
                   Help::tr("Change customised recipes in place: only the affected bytes"));
    addCommon(*verb, context, options, [options](const SettingsChange &change, const QString &branch) {
        return MigrateRequest{branch, change, options->inPlace};
    });
    addManyOption(*verb, options->in, "--branch");
}

void addCopy(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<WorkOptions>();
    CLI::App *verb = app.add_subcommand(
        "copy", Help::tr("Copy cells of one branch to another, adapted to its settings, in one commit"));
    auto *names =
        verb->add_option("NAME", options->names, Help::tr("Variants of the first branch, as list prints them"));
    verb->add_option("--from", options->from,
                     Help::tr("Branch to copy from (default: the checked-out one); with --coverage also DIR@BRANCH"))
        ->type_name("B");
    verb->add_flag(
            "--coverage", options->coverage,
            Help::tr("Copy the coverage instead: add the cells that the first branch covers to the settings of the "
                     "second"))
        ->excludes(names);
    verb->add_option("--to", options->to, Help::tr("Branch to copy to (default: the checked-out one)"))->type_name("B");
    verb->add_option("--also", options->also, Help::tr("Recipes to replace even if the other branch has its own"))
        ->type_name("NAME...");
    addCommon(*verb, context, options, [options](const SettingsChange &, const QString &) -> ChangeRequest {
        if (options->coverage)
            return CoverageRequest{QString::fromStdString(options->from), QString::fromStdString(options->to)};
        return CopyRequest{QString::fromStdString(options->from), QString::fromStdString(options->to),
                           toStringList(options->names)};
    });
    verb->parse_complete_callback([options] {
        if (options->names.empty() && !options->coverage)
            throw CLI::RequiredError("NAME or --coverage");
        if (options->coverage && options->from.empty())
            throw CLI::RequiredError("--from");
    });
}

} // namespace tmx
