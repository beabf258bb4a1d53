// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/ManyBranches.h"

#include "model/base/TerminalText.h"
#include "model/base/Tr.h"
#include "model/git/Repository.h"

#include <CLI/CLI.hpp>

#include <QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// One of the branches, and how far its change has come.
struct Side {
    VerbContext context;
    QString workTree;
    QString label; ///< "build-vllm@main"
    std::optional<ChangeSet> changes;
    std::optional<Error> error; ///< why it cannot be prepared, or was not applied
    std::optional<Applied> done;
};

Side prepareSide(const VerbContext &context, const QString &words, const ManyChanges &many)
{
    const BranchPlace named = BranchPlace::of(words);
    Side side{context, {}, words, {}, {}, {}};
    side.context.repo = named.repository.toStdString();
    const Result<Repository> repository = Repository::open(side.context.repoPath());
    if (!repository) {
        side.error = repository.error();
        return side;
    }
    repository->recover();
    side.workTree = repository->workTree();
    const Result<ChangeSet> changes = many.prepare(side.context, named.branch);
    if (!changes) {
        side.error = changes.error();
        return side;
    }
    side.label = side.workTree.section(u'/', -1) + u'@' + changes->title();
    side.changes = *changes;
    if (changes->refusal)
        side.error = changes->refusal;
    else if (!changes->chosenErrors().isEmpty() && !context.force)
        side.error = textErrors(*changes);
    if (ChangeSet forced = *changes; !side.error && !forced.isEmpty()) {
        forced.forced = context.force;
        if (const Result<void> can = repository->checkApply(forced); !can)
            side.error = can.error();
    }
    return side;
}

QJsonObject toJson(const Side &side, const ManyChanges &many)
{
    QJsonObject object = side.changes ? many.json(*side.changes) : QJsonObject();
    object.insert(u"repository"_s, side.workTree.isEmpty() ? side.label : side.workTree);
    object.insert(u"error"_s, side.error ? QJsonValue(side.error->sentence()) : QJsonValue());
    object.insert(u"applied"_s, side.done.has_value());
    if (side.done)
        insertApplied(object, *side.done);
    return object;
}

void show(const QList<Side> &sides, const ManyChanges &many)
{
    for (const Side &side : sides) {
        if (!side.changes)
            continue;
        print(u"# "_s + side.label);
        many.show(*side.changes);
        tellErrors(*side.changes);
    }
}

void report(const QList<Side> &sides)
{
    for (const Side &side : sides) {
        const QString text = side.error                ? side.error->sentence()
                             : side.done               ? appliedText(*side.done)
                             : side.changes->isEmpty() ? Tr::tr("Nothing to do.")
                                                       : countsText(*side.changes);
        tell(u"%1: %2"_s.arg(side.label, text));
        if (side.done && !side.done->commit.isEmpty())
            tell(Tr::tr("To undo it: %1")
                     .arg(u"torch-matrix plan --undo --apply --repo %1 --branch %2"_s.arg(
                         shellWord(side.workTree), shellWord(side.changes->branch))));
    }
}

} // namespace

Result<int> changeMany(const VerbContext &context, const QStringList &branches, const ManyChanges &many)
{
    QList<Side> sides;
    for (const QString &words : branches) {
        Side side = prepareSide(context, words, many);
        const bool twice = side.changes && std::ranges::any_of(sides, [&side](const Side &other) {
                               return other.changes && other.workTree == side.workTree &&
                                      other.changes->branch == side.changes->branch;
                           });
        if (twice)
            side.error = Error{Tr::tr("change"), side.label, Tr::tr("it is named twice"), {}};
        sides.append(side);
    }
    if (!context.json)
        show(sides, many);
    bool failed = std::ranges::any_of(sides, [](const Side &side) { return side.error.has_value(); });
    bool left = false;
    const bool writes = many.apply && !failed;
    for (Side &side : sides) {
        const bool empty = !side.changes || side.changes->isEmpty();
        left |= empty && side.changes && !side.changes->warnings.isEmpty();
        if (!writes || empty)
            continue;
        if (failed) {
            side.error = Error{Tr::tr("change"), side.label, Tr::tr("an earlier one failed"), {}};
            continue;
        }
        if (const Result<Applied> done = applied(side.context, Tr::tr("Committing"), *side.changes)) {
            side.done = *done;
        } else {
            side.error = done.error();
            failed = true;
        }
    }
    if (context.json) {
        QJsonArray array;
        for (const Side &side : std::as_const(sides))
            array.append(toJson(side, many));
        print(QJsonObject{{u"changes"_s, array}});
    } else {
        report(sides);
        if (!writes)
            tell(failed && many.apply ? Tr::tr("Nothing is written.")
                                      : Tr::tr("Nothing is written; --apply makes one commit on each branch."));
    }
    return failed ? CouldNotBeDone : left ? DoneWithFindings : Done;
}

auto addManyOption(CLI::App &verb, std::vector<std::string> &branches, const char *branchOption) -> CLI::Option *
{
    return verb
        .add_option("--in", branches,
                    Help::tr("Repository and branch, DIR@BRANCH (default: the checked-out branch). Given several "
                             "times, all changes are prepared before the first is made"))
        ->type_name("SIDE")
        ->expected(1)
        ->take_all()
        ->excludes(verb.get_option("--repo"))
        ->excludes(verb.get_option(branchOption));
}

} // namespace tmx
