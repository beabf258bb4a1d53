// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Changes.h"

#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/git/CommitReader.h"
#include "model/git/Repository.h"

#include <CLI/CLI.hpp>

#include <QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct PlanOptions {
    std::string branch;
    std::vector<std::string> only;
    std::string message;
    std::string commit;
    bool apply = false;
    bool deletes = false;
    bool markdown = false;
    bool undo = false;
    bool redo = false;
    bool all = false;
    std::shared_ptr<VariantFilter> filter;
};

/// Says how many recipes the plan leaves to the user; false if none.
bool tellOfLeft(const ChangeSet &changes)
{
    const int left = changes.leftToUser();
    if (left > 0)
        tell(Tr::tr("%1: %2, as said above; --only NAME... chooses recipes").arg(changes.title(), leftText(changes)));
    return left > 0;
}

int nothingToDo(const VerbContext &context, const ChangeSet &changes)
{
    // With problems left to the user the branch is not complete.
    const int left = changes.leftToUser();
    if (context.json)
        print(filesJson(changes));
    else if (!tellOfLeft(changes))
        tell(Tr::tr("%1: nothing to do").arg(changes.title()));
    return left > 0 || !changes.warnings.isEmpty() ? DoneWithFindings : Done;
}

Result<int> plan(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog, const PlanOptions &options)
{
    const QStringList names = toStringList(options.only);
    TM_TRY(sets,
           prepared(context, catalog, Tr::tr("Reading the recipes"),
                    PlanRequest{QString::fromStdString(options.branch), names, *options.filter, options.deletes}));
    ChangeSet changes = sets->constFirst();
    QStringList stuck; // what is asked for and cannot be done
    for (const ChangedFile &file : std::as_const(changes.files)) {
        const auto named = VariantName::parse(file.name, catalog->isaIds());
        if (!options.filter->isEmpty() && named && options.filter->accepts(named->variant, *changes.settings) &&
            file.isLeft())
            stuck.append(file.name);
    }
    if (names.isEmpty() && stuck.isEmpty() && !options.filter->isEmpty() && changes.chosen().isEmpty()) {
        tell(Tr::tr("%1: nothing to do for these variants").arg(changes.title()));
        return Done;
    }
    const bool part = !names.isEmpty() || !options.filter->isEmpty();
    changes.message = QString::fromStdString(options.message);
    if (part) // show only what was requested
        changes.files.removeIf([&](const ChangedFile &file) { return !file.chosen && !stuck.contains(file.name); });
    const KeptFiles kept = options.all || part ? KeptFiles::Listed : KeptFiles::Counted;
    if (options.markdown)
        print(filesMarkdown(changes, kept));
    else if (!context.json && !changes.files.isEmpty())
        print(filesText(changes, kept));
    for (const QString &sentence : std::as_const(changes.warnings))
        tell(Tr::tr("warning: %1").arg(sentence));
    tellErrors(changes);
    if (changes.isEmpty())
        return nothingToDo(context, changes);
    if (!options.apply) {
        if (context.json)
            print(filesJson(changes));
        else
            tell(Tr::tr("%1: %2; %3 does it")
                     .arg(changes.title(), countsText(changes),
                          changes.chosenErrors().isEmpty() ? u"--apply"_s : u"--apply --force"_s));
        return DoneWithFindings;
    }
    TM_TRY(done, applied(context, Tr::tr("Applying the plan"), changes));
    if (context.json) {
        QJsonObject object = filesJson(changes);
        insertApplied(object, *done);
        print(object);
    } else {
        tell(appliedText(*done));
        tellOfLeft(changes);
    }
    return Done;
}

/// "REF:PATH" of the texts that will not be restored.
QStringList notRestored(const ChangeSet &changes)
{
    QStringList kept;
    for (const ChangedFile &file : changes.files) {
        if (file.action == ChangeAction::Keep)
            kept.append(changes.saved + u':' + file.path);
    }
    return kept;
}

/// What happens to the files: first what the commit changes, then what it leaves uncommitted.
QJsonArray undoneFiles(const ChangeSet &changes, const VerbContext &context)
{
    QJsonArray files;
    for (const ChangedFile &file : changes.files) {
        if (file.before == file.after || (file.uncommitted && file.after == file.uncommitted))
            continue;
        files.append(QJsonObject{{u"file"_s, file.path}, {u"action"_s, toString(file.action)}});
        if (!context.json)
            print(u"%1  %2"_s.arg(toString(file.action).leftJustified(7), file.path));
    }
    for (const ChangedFile &file : changes.files) {
        if (!file.uncommitted)
            continue;
        files.append(QJsonObject{{u"file"_s, file.path}, {u"action"_s, u"restore"_s}});
        if (!context.json)
            print(u"restore  %1  uncommitted changes"_s.arg(file.path));
    }
    return files;
}

/// A branch that is the same as `branch`, which is not checked out; empty if there is none.
QString sameBranch(const VerbContext &context, const QString &branch)
{
    const Result<Repository> repository = Repository::open(context.repoPath());
    const Result<RepositoryInfo> info = repository ? repository->info() : repository.error();
    const QList<BranchRef> branches = info ? info->branches : QList<BranchRef>();
    const auto own = std::ranges::find(branches, branch, &BranchRef::name);
    if (own == branches.cend() || own->checkedOut || !own->checkedOutElsewhere.isEmpty())
        return {};
    const auto same = std::ranges::find_if(
        branches, [&](const BranchRef &other) { return &other != &*own && other.commit == own->commit; });
    return same == branches.cend() ? QString() : same->name;
}

int tellUndone(const VerbContext &context, QJsonObject object, const Applied &done)
{
    if (context.json) {
        insertApplied(object, done);
        object.insert(u"restored"_s, QJsonArray::fromStringList(done.restored));
        object.insert(u"movedTo"_s, done.movedTo);
        print(object);
        return Done;
    }
    if (!done.commit.isEmpty())
        tell(Tr::tr("committed to %1 as %2: %3").arg(done.branch, done.commit.left(10), done.subject));
    else if (done.movedTo == done.undo && !done.undo.isEmpty())
        tell(Tr::tr("%1 has commit %2 again").arg(done.branch, done.movedTo.left(10)));
    else if (!done.movedTo.isEmpty())
        tell(Tr::tr("took %1 away: %2 is at %3 (\"plan --redo --apply\" brings it back)")
                 .arg(done.undo.left(10), done.branch, done.movedTo.left(10)));
    else if (done.restored.isEmpty() && done.kept.isEmpty())
        tell(Tr::tr("restored in the working tree of %1; nothing to commit").arg(done.branch));
    if (const QString same = done.movedTo.isEmpty() ? QString() : sameBranch(context, done.branch); !same.isEmpty())
        tell(Tr::tr("%1 is now the same as %2; \"git branch -d %1\" removes it").arg(done.branch, same));
    for (const QString &path : done.restored)
        tell(Tr::tr("%1: restored uncommitted changes").arg(path));
    if (!done.kept.isEmpty())
        tell(notRestoredText(done.kept));
    return Done;
}

/// "would revert 0123456789, which undid 9876543210": undoing twice restores the original state.
QString wouldRevert(const VerbContext &context, const ChangeSet &changes)
{
    const QString id = changes.undoes.left(10);
    if (changes.movesTo == changes.undoes)
        return Tr::tr("would bring %1 back").arg(id);
    if (!changes.movesTo.isEmpty())
        return Tr::tr("would take %1 away, which was not pushed, and move the branch to %2")
            .arg(id, changes.movesTo.left(10));
    const Result<CommitReader> reader = CommitReader::open(context.repoPath());
    const Result<CommitInfo> info = reader ? reader->infoOf(changes.undoes) : reader.error();
    const QString undone = !info                                  ? QString()
                           : info->subject.startsWith("Undo "_L1) ? info->subject.sliced(5)
                                                                  : info->reverts.left(10);
    if (!undone.isEmpty())
        return Tr::tr("the last change was itself an undo: would redo what %1 undid (%2), with a new commit")
            .arg(id, undone);
    return info ? Tr::tr("would revert %1 (\"%2\") with a new commit").arg(id, info->subject)
                : Tr::tr("would revert %1 with a new commit").arg(id);
}

Result<int> undo(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog, const PlanOptions &options)
{
    TM_TRY(sets, prepared(context, catalog, Tr::tr("Reading the commit"),
                          UndoRequest{QString::fromStdString(options.branch), QString::fromStdString(options.commit),
                                      options.redo}));
    ChangeSet changes = sets->constFirst();
    if (!options.message.empty()) {
        changes.message = QString::fromStdString(options.message);
        changes.movesTo.clear(); // A message is for a new commit.
    }
    QJsonObject object{
        {u"undone"_s, changes.undoes}, {u"branch"_s, changes.branch}, {u"files"_s, undoneFiles(changes, context)}};
    if (options.apply) {
        const Result<Applied> done = applied(context, u"Undoing"_s, changes);
        return done ? tellUndone(context, object, *done) : complain(done.error());
    }
    const QStringList kept = notRestored(changes);
    if (context.json) {
        object.insert(u"saved"_s, changes.saved);
        object.insert(u"kept"_s, QJsonArray::fromStringList(kept));
        object.insert(u"movesTo"_s, changes.movesTo);
        print(object);
        return Done;
    }
    const QString what =
        changes.undoes == changes.saved
            ? Tr::tr("would restore the texts of %1 to the working tree; nothing was committed").arg(changes.saved)
        : changes.until != ChangeSet::Until::Commit
            ? Tr::tr("would restore these files in the working tree; they were written without a commit")
            : wouldRevert(context, changes);
    tell(Tr::tr("%1: %2; --apply does it").arg(changes.title(), what));
    if (!kept.isEmpty())
        tell(notRestoredText(kept));
    return Done;
}

} // namespace

void addPlan(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<PlanOptions>();
    CLI::App *verb = app.add_subcommand(
        "plan", Help::tr("Print the steps that make a branch match its settings, and do them in one commit"));
    verb->add_option("--branch", options->branch, Help::tr("Branch to plan (default: the checked-out one)"))
        ->type_name("B");
    verb->add_flag("--apply", options->apply, Help::tr("Do the steps in one commit (default: only print them)"));
    auto *only = verb->add_option("--only", options->only,
                                  Help::tr("Only these variants or files, including those that are kept "
                                           "by default"))
                     ->type_name("NAME...");
    verb->add_flag("--delete", options->deletes,
                   Help::tr("Delete also the files that the settings do not list, and extra files of a cell"))
        ->excludes(only);
    verb->add_flag("--all", options->all,
                   Help::tr("List every recipe that is kept, with the reason, instead of their number"));
    verb->add_option("-m,--message", options->message, Help::tr("Commit message"))->type_name("TEXT");
    auto *undoing =
        verb->add_flag("--undo", options->undo,
                       Help::tr("Undo the last change of this program, or the commit of --commit: take the last commit "
                                "away if it was not pushed, else revert it with a new commit; restore the uncommitted "
                                "texts"))
            ->excludes(only);
    auto *redoing = verb->add_flag("--redo", options->redo, Help::tr("Do again what was undone last"))
                        ->excludes(only)
                        ->excludes(undoing)
                        ->excludes("--delete");
    verb->add_option("--commit", options->commit, Help::tr("Commit to revert, or ref of saved texts to restore"))
        ->needs(undoing)
        ->type_name("ID");
    options->filter = addFilterOptions(*verb);
    undoing->excludes("--delete");
    addForceOption(*verb, context);
    addRepoOption(*verb, context);
    auto *json = addJsonOption(*verb, context);
    verb->add_flag("--markdown", options->markdown, Help::tr("Print the steps as Markdown, a box to tick for each"))
        ->excludes(json)
        ->excludes(undoing)
        ->excludes(redoing);
    verb->callback([&context, options] {
        context.runWith([&context, options](const auto &catalog) {
            return options->undo || options->redo ? undo(context, catalog, *options) : plan(context, catalog, *options);
        });
    });
}

} // namespace tmx
