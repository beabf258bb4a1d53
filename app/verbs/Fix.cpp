// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/ManyBranches.h"

#include "model/base/StateFolder.h"
#include "model/base/Tr.h"
#include "model/git/Repository.h"
#include "model/job/Queue.h"

#include <CLI/CLI.hpp>

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

const QString hashMismatch = u":hash-mismatch"_s;

struct FixOptions {
    std::vector<std::string> what; ///< a finding; with a rule, names of recipes
    std::string rule;
    std::string branch;
    std::vector<std::string> in; ///< with a rule: the branches to change instead of one
    bool apply = false;
    bool regenerate = false;
};

void showFixes(const ChangeSet &changes)
{
    for (const ChangedFile &file : changes.files) {
        if (file.chosen) // All others are in the warnings.
            printText(diffText(file));
    }
    for (const QString &left : changes.warnings)
        tell(left);
}

QJsonObject fixesJson(const ChangeSet &changes)
{
    QJsonObject object = filesJson(changes);
    object.insert(u"branch"_s, changes.branch);
    object.insert(u"left"_s, QJsonArray::fromStringList(changes.warnings));
    return object;
}

/// Fixes all findings of a rule in one commit.
Result<int> fixRule(const VerbContext &context, const FixOptions &options,
                    const std::shared_ptr<const Catalog> &catalog)
{
    const auto prepareOn = [&](const VerbContext &side, const QString &branch) -> Result<ChangeSet> {
        const FixRequest request{.branch = branch,
                                 .finding = {},
                                 .rule = QString::fromStdString(options.rule),
                                 .names = toStringList(options.what),
                                 .several = !options.in.empty()};
        TM_TRY(sets, prepared(side, catalog, Tr::tr("Reading the recipes"), request));
        return sets->constFirst();
    };
    if (!options.in.empty())
        return changeMany(context, toStringList(options.in), {prepareOn, showFixes, fixesJson, options.apply});
    TM_TRY(prepared, prepareOn(context, QString::fromStdString(options.branch)));
    const ChangeSet &changes = *prepared;
    Applied done;
    if (options.apply && !changes.isEmpty()) {
        TM_TRY(written, applied(context, Tr::tr("Writing the recipes"), changes));
        done = *written;
    }
    if (context.json) {
        QJsonObject object = fixesJson(changes);
        insertApplied(object, done);
        object.insert(u"branch"_s, changes.branch);
        object.insert(u"applied"_s, options.apply);
        print(object);
        return changes.warnings.isEmpty() ? Done : DoneWithFindings;
    }
    showFixes(changes);
    const bool left = !changes.warnings.isEmpty();
    tell(changes.isEmpty()
             ? (left
                    ? Tr::tr("Nothing is fixed. Edit the recipes by hand, or accept the findings with an [[ignore]] in "
                             "torch-matrix.toml.")
                    : Tr::tr("Nothing to do."))
         : options.apply ? appliedText(done)
                         : Tr::tr("%1; nothing is written, --apply commits it.").arg(countsText(changes)));
    return changes.warnings.isEmpty() ? Done : DoneWithFindings;
}

/// A wrong hash is found by building: the recipe's newest build says which hash is right.
Result<void> takeHash(FixRequest &request, const VerbContext &context)
{
    const QString name = request.finding.chopped(hashMismatch.size());
    TM_TRY(repository, Repository::open(context.repoPath()));
    const QList<JobRecord> jobs = readJobs(stateFolder());
    for (auto record = jobs.crbegin(); record != jobs.crend(); ++record) {
        const Job &job = record->job;
        if ((job.package != name && job.variant != name) || job.repository != repository->workTree() ||
            (!request.branch.isEmpty() && job.branch != request.branch) || !record->outcome ||
            record->outcome->build.rightHash.isEmpty())
            continue;
        request.statedHash = record->outcome->build.statedHash;
        request.rightHash = record->outcome->build.rightHash;
        return {};
    }
    return Error{Tr::tr("correct the hash in"), name, Tr::tr("none of its builds failed because of a wrong hash"),
                 Tr::tr("\"torch-matrix jobs\" lists the builds.")};
}

Result<int> fix(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog, const FixOptions &options)
{
    if (!options.rule.empty())
        return fixRule(context, options, catalog);
    FixRequest request{QString::fromStdString(options.branch), QString::fromStdString(options.what.front()),
                       options.regenerate ? FixWay::Regenerate : FixWay::InPlace};
    if (request.finding.endsWith(hashMismatch)) {
        TM_CHECK(takeHash(request, context));
    }
    const Result<QList<ChangeSet>> sets = prepared(context, catalog, Tr::tr("Reading the recipes"), request);
    if (!sets) {
        const int code = complain(sets.error());
        request.way = FixWay::Regenerate;
        if (!options.regenerate && prepared(context, catalog, Tr::tr("Reading the recipes"), request))
            tell(Tr::tr("\"torch-matrix fix --regenerate %1\" shows what regenerating it would change.")
                     .arg(request.finding));
        return code;
    }
    const ChangeSet &changes = sets->constFirst();
    const ChangedFile &file = changes.files.constFirst();
    QStringList paths; // for a wrong hash, every file that states it
    for (const ChangedFile &each : changes.files)
        paths.append(each.path);
    tellErrors(changes);
    Applied done;
    if (options.apply && !changes.isEmpty()) {
        TM_TRY(written, applied(context, Tr::tr("Writing the recipe"), changes));
        done = *written;
    }
    if (context.json) {
        print(QJsonObject{{u"name"_s, file.name},
                          {u"file"_s, file.path},
                          {u"files"_s, QJsonArray::fromStringList(paths)},
                          {u"branch"_s, changes.branch},
                          {u"applied"_s, options.apply},
                          {u"saved"_s, done.saved},
                          {u"diff"_s, QString::fromUtf8(diffText(file))}});
        return Done;
    }
    printText(diffText(file));
    if (!changes.warnings.isEmpty()) {
        for (const QString &path : paths.mid(1))
            print(u"rewrite  %1"_s.arg(path));
        for (const QString &sentence : changes.warnings)
            tell(sentence);
    }
    const bool one = paths.size() == 1;
    const int count = int(paths.size());
    tell(changes.isEmpty()       ? Tr::tr("Nothing to do.")
         : !options.apply        ? Tr::tr("Nothing is written; --apply writes it.")
         : done.commit.isEmpty() ? (one ? Tr::tr("%1 is written; nothing is committed.").arg(file.path)
                                        : Tr::tr("%n files are written; nothing is committed.", nullptr, count))
         : one                   ? Tr::tr("%1 is committed on branch %2.").arg(file.path, changes.title())
                                 : Tr::tr("%n files are committed on branch %1.", nullptr, count).arg(changes.title()));
    if (!done.saved.isEmpty())
        tell(Tr::tr("The old text was not committed. To read it: %1").arg(showCommand(done.saved + u':' + file.path)));
    return Done;
}

} // namespace

void addFix(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<FixOptions>();
    CLI::App *verb =
        app.add_subcommand("fix", Help::tr("Show the change that fixes a finding of the audit; --apply writes it"));
    auto *what = verb->add_option(
        "FINDING", options->what,
        Help::tr("NAME:RULE, as audit prints it; NAME:RULE:LINE for one of several; NAME:hash-mismatch "
                 "after a build failed because of a wrong hash. With --rule: names of recipes (default: "
                 "all)"));
    auto *rule =
        verb->add_option("--rule", options->rule, Help::tr("Fix all findings of this rule in place, as one commit"))
            ->type_name("RULE");
    verb->add_option("--branch", options->branch, Help::tr("Branch to look in (default: the checked-out one)"))
        ->type_name("B");
    verb->add_flag("--apply", options->apply, Help::tr("Write the recipe"));
    verb->add_flag("--regenerate", options->regenerate, Help::tr("Render the whole recipe from its template instead"))
        ->excludes(rule);
    addForceOption(*verb, context);
    addRepoOption(*verb, context);
    addManyOption(*verb, options->in, "--branch")->needs(rule);
    addJsonOption(*verb, context);
    verb->callback([&context, options, what, rule] {
        if (rule->count() == 0 && what->count() != 1)
            throw CLI::RequiredError(what->count() == 0 ? "FINDING or --rule" : "One FINDING (several need --rule)");
        context.runWith([&context, options](const auto &catalog) { return fix(context, catalog, *options); });
    });
}

} // namespace tmx
