// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Changes.h"

#include "model/base/Tr.h"
#include "model/change/Readme.h"
#include "model/git/Repository.h"

#include <CLI/CLI.hpp>

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct ReadmeOptions {
    std::string branch;
    bool allBranches = false;
    bool apply = false;
    bool check = false;
    bool place = false;
    std::vector<std::string> columns;
    bool otherColumns = false;
};

/// State of one branch's README, and what was done.
struct Standing {
    QString state;     ///< "current", "stale", "no-markers", "no-readme", "written"
    QString commit;    ///< the commit that wrote it
    MarkerPlace place; ///< for a README without markers: where they would be inserted
    QString sentence;
};

Standing standingOf(const ChangeSet &changes)
{
    const ChangedFile &file = changes.files.constFirst();
    if (!file.before)
        return {
            u"no-readme"_s, {}, proposedPlace("# \n"), Tr::tr("there is no README.md; --place --apply creates one")};
    if (!hasMarkers(*file.before)) {
        const MarkerPlace place = proposedPlace(*file.before);
        const int codeLine = markerInCode(*file.before);
        const QString line = QString::number(place.line);
        return {
            u"no-markers"_s,
            {},
            place,
            codeLine > 0
                ? Tr::tr("the markers of README.md are in a code block (line %1), where they have no effect; --place "
                         "--apply adds markers %2 (line %3)")
                      .arg(QString::number(codeLine), place.words, line)
                : Tr::tr("README.md has no markers; --place --apply adds them %1 (line %2)").arg(place.words, line)};
    }
    if (file.action == ChangeAction::Keep)
        return {u"current"_s, {}, {}, Tr::tr("README.md is up to date")};
    return {u"stale"_s,
            {},
            {},
            file.before == file.after ? Tr::tr("README.md in the working tree is stale because of uncommitted changes")
                                      : Tr::tr("README.md is stale; --apply writes it")};
}

/// Whether there is something to write, and the user requested it.
bool isWanted(const ChangeSet &changes, const Standing &standing, bool place)
{
    return changes.files.constFirst().action != ChangeAction::Keep && (standing.state == "stale"_L1 || place);
}

Result<Standing> written(const VerbContext &context, const ChangeSet &changes, const Standing &standing)
{
    const ChangedFile &file = changes.files.constFirst();
    if (!file.possible)
        return Error{Tr::tr("write"), Tr::tr("%1 of branch %2").arg(file.path, changes.title()),
                     Tr::tr("it has uncommitted changes"), Tr::tr("Commit or stash them first.")};
    TM_TRY(done, applied(context, Tr::tr("Writing README.md"), changes));
    return Standing{u"written"_s, done->commit, standing.place,
                    Tr::tr("README.md written, committed as %1").arg(done->commit.left(10))};
}

/// "default" means none.
QStringList columnsOf(QStringList words)
{
    words.removeAll(u"default"_s);
    words.removeAll(QString());
    return words;
}

Result<int> readme(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog,
                   const ReadmeOptions &options)
{
    QStringList branches;
    if (!options.allBranches) {
        QString branch = QString::fromStdString(options.branch);
        if (branch.isEmpty()) {
            TM_TRY(opened, openWithInfo(context.repoPath()));
            if (opened->info.detached)
                return complain(Error{Tr::tr("write README.md in"), opened->info.workTree,
                                      Tr::tr("no branch is checked out"), Tr::tr("Name one with --branch.")});
            branch = opened->info.headBranch;
        }
        branches.append(branch);
    }
    TM_TRY(sets, prepared(context, catalog, Tr::tr("Reading the branches"),
                          ReadmeRequest{branches, options.place,
                                        options.otherColumns ? std::optional(columnsOf(toStringList(options.columns)))
                                                             : std::nullopt}));
    for (const ChangeSet &changes : *sets) {
        if (changes.refusal)
            return complain(*changes.refusal);
    }
    bool asItShouldBe = true;
    QJsonArray array;
    for (const ChangeSet &changes : *sets) {
        for (const QString &sentence : changes.warnings)
            tell(Tr::tr("note: %1").arg(sentence));
        Result<Standing> standing = standingOf(changes);
        QByteArray difference;
        if (!options.check && isWanted(changes, *standing, options.place)) {
            difference = diffText(changes.files.constFirst());
            if (options.apply)
                standing = written(context, changes, *standing);
            else if (!context.json)
                printText(difference);
        }
        if (!standing)
            return complain(standing.error());
        asItShouldBe = asItShouldBe && (standing->state == "current"_L1 || standing->state == "written"_L1);
        array.append(QJsonObject{{u"branch"_s, changes.branch},
                                 {u"state"_s, standing->state},
                                 {u"commit"_s, standing->commit},
                                 {u"line"_s, standing->place.line},
                                 {u"diff"_s, QString::fromUtf8(difference)}});
        if (!context.json)
            print(u"%1: %2"_s.arg(changes.title(), standing->sentence));
    }
    if (context.json)
        print(QJsonObject{{u"branches"_s, array}});
    return asItShouldBe ? Done : DoneWithFindings;
}

} // namespace

void addReadme(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<ReadmeOptions>();
    CLI::App *verb = app.add_subcommand(
        "readme",
        Help::tr("Show the changes to the tables of variants and branches in README.md; --apply writes them"));
    auto *branch =
        verb->add_option("--branch", options->branch, Help::tr("Branch to write to (default: the checked-out one)"))
            ->type_name("B");
    verb->add_flag("--all-branches", options->allBranches,
                   Help::tr("Every local branch, each with a commit of its own"))
        ->excludes(branch);
    auto *apply = verb->add_flag("--apply", options->apply,
                                 Help::tr("Write and commit the tables (default: only show the changes)"));
    auto *check =
        verb->add_flag("--check", options->check, Help::tr("Print no difference; exit status 1 if a README is stale"))
            ->excludes(apply);
    verb->add_flag("--place", options->place, Help::tr("Add missing markers, and create a missing README"))
        ->excludes(check);
    auto *columns =
        verb->add_option("--columns", options->columns,
                         QString::fromStdString(
                             Help::tr("Additional columns of the tables: %1; or default. The marker keeps it"))
                             .arg(ReadmeColumns::allWords().join(u", "_s))
                             .toStdString())
            ->delimiter(',')
            ->type_name("COLUMN,...");
    addRepoOption(*verb, context);
    addJsonOption(*verb, context);
    verb->callback([&context, options, columns] {
        options->otherColumns = columns->count() > 0;
        context.runWith([&context, options](const auto &catalog) { return readme(context, catalog, *options); });
    });
}

} // namespace tmx
