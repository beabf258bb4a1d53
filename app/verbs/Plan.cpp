// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Steps.h"
#include "app/verbs/Verb.h"

#include "model/workspace/PlanOperations.h"

#include <CLI/CLI.hpp>

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct PlanOptions {
    std::string branch;
    std::vector<std::string> only;
    std::string message;
    std::string commit;
    bool apply = false;
    bool undo = false;
};

int report(const VerbContext &context, QJsonObject object, const Result<CommitResult> &done)
{
    if (!done)
        return complain(done.error());
    if (context.json) {
        insertCommit(object, *done);
        print(object);
    } else {
        tell(commitText(*done));
    }
    return Done;
}

int plan(const VerbContext &context, const PlanOptions &options)
{
    const auto catalog = loadCatalogOrComplain();
    if (!catalog)
        return CouldNotBeDone;
    const Result<PlanReading> reading = readPlan(catalog, context.repoPath(), QString::fromStdString(options.branch));
    if (!reading)
        return complain(reading.error());
    const QStringList names = toStringList(options.only);
    const Result<Plan> plan = names.isEmpty() ? reading->plan : onlyNames(reading->plan, names);
    if (!plan)
        return complain(plan.error(), WrongUsage);
    if (!context.json && !plan->steps.isEmpty())
        print(stepsText(plan->steps));
    if (plan->isDone()) {
        context.json ? print(stepsJson(plan->steps)) : tell(u"%1: nothing to do"_s.arg(plan->branch));
        return Done;
    }
    if (!options.apply) {
        if (context.json)
            print(stepsJson(plan->steps));
        else
            tell(u"%1: %2; --apply does it in one commit"_s.arg(plan->branch, countsText(plan->chosen())));
        return DoneWithFindings;
    }
    return report(context, stepsJson(plan->steps), applyPlan(*reading, *plan, QString::fromStdString(options.message)));
}

int undo(const VerbContext &context, const PlanOptions &options)
{
    const Result<UndoReading> reading =
        readUndo(context.repoPath(), QString::fromStdString(options.branch), QString::fromStdString(options.commit));
    if (!reading)
        return complain(reading.error());
    QJsonArray files;
    for (const CommittedChange &change : reading->changes) {
        const QString action = !change.before ? u"delete"_s : !change.after ? u"create"_s : u"rewrite"_s;
        files.append(QJsonObject{{u"file"_s, change.path}, {u"action"_s, action}});
        if (!context.json)
            print(u"%1  %2"_s.arg(action.leftJustified(7), change.path));
    }
    const QJsonObject object{{u"undone"_s, reading->commit}, {u"branch"_s, reading->branch}, {u"files"_s, files}};
    if (options.apply)
        return report(context, object, applyUndo(*reading, QString::fromStdString(options.message)));
    if (context.json)
        print(object);
    else
        tell(u"%1: a new commit would take back %2; --apply does it"_s.arg(reading->branch, reading->commit.left(10)));
    return Done;
}

} // namespace

void addPlan(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<PlanOptions>();
    CLI::App *verb = app.add_subcommand("plan", "Say what a branch needs to be what its line promises, and do it in one commit");
    verb->add_option("--branch", options->branch, "Branch to plan (default: the checked-out one)")->type_name("B");
    verb->add_flag("--apply", options->apply, "Do it; without, nothing is changed");
    auto *only = verb->add_option("--only", options->only, "These variants or files alone, those that are kept by default included")->type_name("NAME...");
    verb->add_option("-m,--message", options->message, "Message of the commit")->type_name("TEXT");
    auto *undoing = verb->add_flag("--undo", options->undo, "Take a commit back by another one: the branch's last, or that of --commit")->excludes(only);
    verb->add_option("--commit", options->commit, "Commit to take back")->needs(undoing)->type_name("ID");
    addRepoOption(*verb, context);
    addJsonOption(*verb, context);
    verb->callback([&context, options] {
        context.run = [&context, options] { return options->undo ? undo(context, *options) : plan(context, *options); };
    });
}

} // namespace tmx
