// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Verb.h"

#include "model/change/Readme.h"
#include "model/repository/Repository.h"

#include <CLI/CLI.hpp>

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct ReadmeOptions {
    std::string branch;
    bool allBranches = false;
    bool check = false;
    bool place = false;
};

QString sentenceOf(const ReadmeState &state)
{
    switch (state.kind) {
    case ReadmeState::Kind::Current: return u"%1: README.md is up to date"_s.arg(state.branch);
    case ReadmeState::Kind::Stale:
        return (state.uncommitted ? u"%1: README.md in the work tree is stale, by changes that are not committed"_s
                                  : u"%1: README.md is stale"_s)
            .arg(state.branch);
    case ReadmeState::Kind::NoMarkers:
        if (state.codeLine > 0)
            return u"%1: the markers of README.md stand in a code block (line %2), where they mean nothing; with --place others go %3 (line %4)"_s
                .arg(state.branch, QString::number(state.codeLine), state.place.words,
                     QString::number(state.place.line));
        return u"%1: README.md has no markers; with --place they go %2 (line %3)"_s.arg(
            state.branch, state.place.words, QString::number(state.place.line));
    case ReadmeState::Kind::NoReadme: return u"%1: there is no README.md; --place makes one"_s.arg(state.branch);
    case ReadmeState::Kind::Written:
        return u"%1: README.md written, committed as %2"_s.arg(state.branch, state.commit.left(10));
    }
    Q_UNREACHABLE_RETURN({});
}

int readme(const VerbContext &context, const ReadmeOptions &options)
{
    const auto catalog = loadCatalogOrComplain();
    if (!catalog)
        return CouldNotBeDone;
    QStringList branches;
    if (!options.allBranches) {
        QString branch = QString::fromStdString(options.branch);
        if (branch.isEmpty()) {
            const Result<OpenedRepository> opened = openWithInfo(context.repoPath());
            if (!opened)
                return complain(opened.error());
            if (opened->info.detached)
                return complain(Error{u"write README.md in"_s, opened->info.workTree, u"no branch is checked out"_s,
                                      u"Name one with --branch."_s});
            branch = opened->info.headBranch;
        }
        branches.append(branch);
    }
    const SnapshotReader snapshots(catalog);
    const Result<QList<ReadmeState>> states =
        options.check ? checkReadmes(context.repoPath(), branches, snapshots)
                      : writeReadmes(context.repoPath(), branches, snapshots, options.place);
    if (!states)
        return complain(states.error());
    bool asItShouldBe = true;
    QJsonArray array;
    for (const ReadmeState &state : *states) {
        asItShouldBe =
            asItShouldBe && (state.kind == ReadmeState::Kind::Current || state.kind == ReadmeState::Kind::Written);
        array.append(QJsonObject{{u"branch"_s, state.branch},
                                 {u"state"_s, toString(state.kind)},
                                 {u"commit"_s, state.commit},
                                 {u"line"_s, state.place.line}});
        if (!context.json)
            print(sentenceOf(state));
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
        "readme", "Write the tables of variants and branches into README.md, between its two markers");
    auto *branch = verb->add_option("--branch", options->branch, "Branch to write to (default: the checked-out one)")
                       ->type_name("B");
    verb->add_flag("--all-branches", options->allBranches, "Every local branch, each with a commit of its own")
        ->excludes(branch);
    auto *check = verb->add_flag("--check", options->check, "Write nothing; exit status 1 when a README is stale");
    verb->add_flag("--place", options->place,
                   "Put the markers where they are missing, and make a README where there is none")
        ->excludes(check);
    addRepoOption(*verb, context);
    addJsonOption(*verb, context);
    verb->callback([&context, options] { context.run = [&context, options] { return readme(context, *options); }; });
}

} // namespace tmx
