// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Progress.h"
#include "app/verbs/Steps.h"
#include "app/verbs/Verb.h"

#include "model/repository/TextDiff.h"
#include "model/settings/LineFile.h"
#include "model/workspace/PlanOperations.h"

#include <CLI/CLI.hpp>

#include <QJsonArray>

using namespace Qt::StringLiterals;
using Action = tmx::PlanStep::Action;

namespace tmx {

namespace {

constexpr int samples = 2;

struct WorkOptions {
    std::string name; ///< of the new branch
    std::string from;
    std::string to;
    std::string branch;
    std::string pytorch;
    std::vector<std::string> cudas;
    std::vector<std::string> pythons;
    std::string pin;
    std::vector<std::string> keys;
    std::vector<std::string> names;
    std::vector<std::string> also;
    std::string message;
    bool apply = false;
    bool diff = false;
};

/// Error: a --set without "=".
Result<LineChange> changeOf(const WorkOptions &options)
{
    LineChange change{QString::fromStdString(options.pytorch),
                      toStringList(options.cudas),
                      toStringList(options.pythons),
                      QString::fromStdString(options.pin),
                      {}};
    for (const QString &key : toStringList(options.keys)) {
        const qsizetype equals = key.indexOf(u'=');
        if (equals <= 0)
            return Error{u"set"_s, key, u"it is not KEY=VALUE"_s, u"\"line set --help\" lists the keys."_s};
        change.keys.append({key.left(equals), key.mid(equals + 1)});
    }
    return change;
}

QByteArray diffText(const LineWork &work, const PlanStep &step)
{
    QByteArray text = "--- a/" + step.file.toUtf8() + "\n+++ b/" + step.file.toUtf8() + '\n';
    for (const DiffLine &line : diffTexts(work.before.value(step.file),
                                          step.action == Action::Delete ? QByteArray() : work.after.value(step.file))) {
        const char mark = line.kind == DiffLine::Kind::Added ? '+' : line.kind == DiffLine::Kind::Removed ? '-' : ' ';
        text +=
            (line.kind == DiffLine::Kind::HunkHeader ? QByteArray() : QByteArray(1, mark)) + line.text.toUtf8() + '\n';
    }
    return text;
}

QJsonObject workJson(const LineWork &work)
{
    QJsonObject object = stepsJson(work.steps);
    object.insert(u"from"_s, work.from);
    object.insert(u"branch"_s, work.branch);
    object.insert(u"dropped"_s, QJsonArray::fromStringList(work.dropped));
    object.insert(u"warnings"_s, QJsonArray::fromStringList(work.warnings));
    if (work.lineFile)
        object.insert(u"line"_s, QString::fromUtf8(*work.lineFile));
    return object;
}

/// What would be done, in a terminal: the steps, or for a whole branch a few samples of them.
void preview(const LineWork &work, const WorkOptions &options)
{
    if (!work.newBranch)
        print(stepsText(work.steps));
    if (work.lineFile && work.lineFile != work.lineFileBefore)
        print(u"# %1\n%2"_s.arg(lineFileName, QString::fromUtf8(*work.lineFile).trimmed()));
    int shown = 0;
    for (const PlanStep &step : work.steps) {
        const bool changes = step.chosen && (step.action == Action::Rewrite || step.action == Action::Create);
        if (changes && (options.diff || (work.newBranch && shown++ < samples)))
            printRaw(diffText(work, step));
    }
    if (!work.dropped.isEmpty())
        tell(u"no longer promised, since they cannot exist: %1"_s.arg(work.dropped.join(u", "_s)));
    for (const QString &sentence : work.warnings)
        tell(u"warning: "_s + sentence);
    if (!work.customised.isEmpty())
        tell(u"customised on %1, and rendered anew without that: %2"_s.arg(work.from, work.customised.join(u", "_s)));
    int customised = 0;
    for (const PlanStep &step : work.steps)
        customised += step.action == Action::Rewrite && !step.chosen;
    if (customised > 0)
        tell(u"%1 customised and kept; name them with --also to render them anew"_s.arg(customised));
}

int carryOut(const VerbContext &context, const WorkOptions &options, const Result<LineWork> &read)
{
    if (!read)
        return complain(read.error());
    const Result<LineWork> work = alsoChosen(*read, toStringList(options.also));
    if (!work)
        return complain(work.error(), WrongUsage);
    if (!context.json)
        preview(*work, options);
    const bool nothing = work->edits().isEmpty();
    if (!options.apply || nothing) {
        if (context.json)
            print(workJson(*work));
        else if (nothing)
            tell(u"%1: nothing to do"_s.arg(work->branch));
        else
            tell(u"%1: %2; --apply does it in one commit"_s.arg(work->branch, countsText(work->chosen())));
        return Done;
    }
    const Result<CommitResult> done = [&] {
        Progress progress(u"Committing"_s);
        return applyLineWork(context.repoPath(), *work, QString::fromStdString(options.message), progress.hooks());
    }();
    if (!done)
        return complain(done.error());
    if (context.json) {
        QJsonObject object = workJson(*work);
        insertCommit(object, *done);
        print(object);
    } else {
        tell(commitText(*done));
    }
    return Done;
}

using Read =
    std::function<Result<LineWork>(const std::shared_ptr<const Catalog> &, const LineChange &, const WorkHooks &)>;

void addCommon(CLI::App &verb, VerbContext &context, const std::shared_ptr<WorkOptions> &options, const Read &read)
{
    verb.add_flag("--apply", options->apply, "Do it in one commit; without, nothing is changed");
    verb.add_flag("--diff", options->diff, "Show the difference of every recipe that is written");
    verb.add_option("-m,--message", options->message, "Message of the commit")->type_name("TEXT");
    addRepoOption(verb, context);
    addJsonOption(verb, context);
    verb.callback([&context, options, read] {
        context.run = [&context, options, read]() -> int {
            const auto catalog = loadCatalogOrComplain();
            if (!catalog)
                return CouldNotBeDone;
            const Result<LineChange> change = changeOf(*options);
            if (!change)
                return complain(change.error(), WrongUsage);
            const Result<LineWork> work = [&] {
                Progress progress(u"Rendering the recipes"_s);
                return read(catalog, *change, progress.hooks());
            }();
            return carryOut(context, *options, work);
        };
    });
}

void addChange(CLI::App &verb, const std::shared_ptr<WorkOptions> &options)
{
    verb.add_option("--pytorch", options->pytorch, "PyTorch version")->type_name("VERSION");
    verb.add_option("--pin", options->pin, "Revision of nixpkgs, 40 digits")->type_name("REVISION");
    verb.add_option("--set", options->keys,
                    "Any key of the line's file (\"line set --help\" lists them); may be repeated")
        ->type_name("KEY=VALUE");
}

} // namespace

void addDerive(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<WorkOptions>();
    CLI::App *verb = app.add_subcommand(
        "derive", "Make a new branch from another: its line changed, all its recipes rendered anew, in one commit");
    verb->add_option("BRANCH", options->name, "Name of the new branch")->required();
    verb->add_option("--from", options->from, "Branch to begin with (default: the checked-out one)")->type_name("B");
    addChange(*verb, options);
    verb->add_option("--cuda", options->cudas, "CUDA toolkits, such as 13.0")->delimiter(',')->type_name("VERSION");
    verb->add_option("--python", options->pythons, "Pythons, such as python313")->delimiter(',')->type_name("PYTHON");
    addCommon(*verb, context, options,
              [&context, options](const auto &catalog, const LineChange &change, const WorkHooks &hooks) {
                  return readDerivation(catalog, context.repoPath(), QString::fromStdString(options->from),
                                        QString::fromStdString(options->name), change, hooks);
              });
}

void addMigrate(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<WorkOptions>();
    CLI::App *verb = app.add_subcommand(
        "migrate", "Render all recipes of a branch for another template, pin or version, in one commit");
    verb->add_option("--branch", options->branch, "Branch to migrate (default: the checked-out one)")->type_name("B");
    addChange(*verb, options);
    verb->add_option("--also", options->also, "Customised recipes to render anew as well")->type_name("NAME...");
    addCommon(*verb, context, options,
              [&context, options](const auto &catalog, const LineChange &change, const WorkHooks &hooks) {
                  return readMigration(catalog, context.repoPath(), QString::fromStdString(options->branch), change,
                                       hooks);
              });
}

void addCopy(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<WorkOptions>();
    CLI::App *verb = app.add_subcommand(
        "copy", "Bring cells of one branch to another, rendered for the other's line, in one commit");
    verb->add_option("NAME", options->names, "Variants of the first branch, as list prints them")->required();
    verb->add_option("--from", options->from, "Branch to copy from (default: the checked-out one)")->type_name("B");
    verb->add_option("--to", options->to, "Branch to copy to (default: the checked-out one)")->type_name("B");
    verb->add_option("--also", options->also, "Recipes to replace although the other branch has its own")
        ->type_name("NAME...");
    addCommon(*verb, context, options,
              [&context, options](const auto &catalog, const LineChange &, const WorkHooks &hooks) {
                  return readCopy(catalog, context.repoPath(), QString::fromStdString(options->from),
                                  QString::fromStdString(options->to), toStringList(options->names), hooks);
              });
}

} // namespace tmx
