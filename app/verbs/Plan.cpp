// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Progress.h"
#include "app/verbs/Steps.h"
#include "app/verbs/Verb.h"

#include "model/workspace/PlanOperations.h"
#include "model/workspace/UndoOperations.h"

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
    const Result<PlanReading> reading = [&] {
        Progress progress(u"Reading the recipes"_s);
        return readPlan(catalog, context.repoPath(), QString::fromStdString(options.branch), progress.hooks());
    }();
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
            tell(u"%1: %2; --apply does it"_s.arg(plan->branch, countsText(plan->chosen())));
        return DoneWithFindings;
    }
    const Result<CommitResult> done = [&] {
        Progress progress(u"Applying the plan"_s);
        return applyPlan(context.repoPath(), *plan, *reading->snapshot, QString::fromStdString(options.message),
                         progress.hooks());
    }();
    return report(context, stepsJson(plan->steps), done);
}

int reportUndo(const VerbContext &context, QJsonObject object, const UndoResult &done)
{
    if (context.json) {
        insertCommit(object, done);
        object.insert(u"restored"_s, QJsonArray::fromStringList(done.restored));
        print(object);
        return Done;
    }
    if (!done.commit.isEmpty())
        tell(u"committed to %1 as %2: %3"_s.arg(done.branch, done.commit.left(10), done.subject));
    for (const QString &path : done.restored)
        tell(u"%1: what was not committed is there again"_s.arg(path));
    if (!done.kept.isEmpty())
        tell(notRestoredText(done.kept));
    return Done;
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
    for (const FileEdit &text : reading->texts) {
        files.append(QJsonObject{{u"file"_s, text.path}, {u"action"_s, u"restore"_s}});
        if (!context.json)
            print(u"restore  %1  what was not committed there"_s.arg(text.path));
    }
    QJsonObject object{{u"undone"_s, reading->commit.isEmpty() ? reading->saved : reading->commit},
                       {u"branch"_s, reading->branch},
                       {u"files"_s, files}};
    if (options.apply) {
        const Progress noHalfUndo({});
        const Result<UndoResult> done = applyUndo(*reading, QString::fromStdString(options.message));
        return done ? reportUndo(context, object, *done) : complain(done.error());
    }
    if (context.json) {
        insertKept(object, reading->saved, reading->kept);
        print(object);
        return Done;
    }
    const QString what =
        reading->commit.isEmpty()
            ? u"the texts of %1 would be in the work tree again; nothing was committed"_s.arg(reading->saved)
            : u"a new commit would take back %1"_s.arg(reading->commit.left(10));
    tell(u"%1: %2; --apply does it"_s.arg(reading->branch, what));
    if (!reading->kept.isEmpty())
        tell(notRestoredText(reading->kept));
    return Done;
}

} // namespace

void addPlan(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<PlanOptions>();
    CLI::App *verb =
        app.add_subcommand("plan", "Say what a branch needs to be what its line promises, and do it in one commit");
    verb->add_option("--branch", options->branch, "Branch to plan (default: the checked-out one)")->type_name("B");
    verb->add_flag("--apply", options->apply, "Do it; without, nothing is changed");
    auto *only = verb->add_option("--only", options->only,
                                  "These variants or files alone, those that are kept by default included")
                     ->type_name("NAME...");
    verb->add_option("-m,--message", options->message, "Message of the commit")->type_name("TEXT");
    auto *undoing = verb->add_flag("--undo", options->undo,
                                   "Take back what was done last, or the commit of --commit: by another commit, and "
                                   "with the texts that were not committed")
                        ->excludes(only);
    verb->add_option("--commit", options->commit, "Commit to take back, or ref of saved texts to put back")
        ->needs(undoing)
        ->type_name("ID");
    addRepoOption(*verb, context);
    addJsonOption(*verb, context);
    verb->callback([&context, options] {
        context.run = [&context, options] { return options->undo ? undo(context, *options) : plan(context, *options); };
    });
}

} // namespace tmx
