// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Progress.h"
#include "app/verbs/Verb.h"

#include "model/base/AtomicFile.h"
#include "model/base/Process.h"
#include "model/base/Programs.h"
#include "model/base/StateFolder.h"
#include "model/build/BuildHistory.h"
#include "model/build/Engine.h"
#include "model/build/GitAnswer.h"
#include "model/build/Publish.h"
#include "model/change/Generate.h"
#include "model/workspace/Reading.h"

#include <CLI/CLI.hpp>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qsizetype mostOutput = 1024 * 1024;

struct PublishOptions {
    std::vector<std::string> names;
    std::string organisation;
    std::string stability;
    bool dryRun = false;
    bool again = false;
};

void printConditions(const QList<PublishCondition> &conditions)
{
    for (const PublishCondition &condition : conditions)
        print(u"%1  %2"_s.arg(condition.holds ? u"ok     "_s : u"missing"_s, condition.sentence));
}

QString blobOf(const QString &workTree, const QString &file)
{
    return QString::fromLatin1(
        gitAnswer(workTree, {u"rev-parse"_s, u"HEAD:"_s + file}).value_or(QByteArray()).trimmed());
}

/// One package; nullopt: it could not be published, and why was said.
std::optional<QString> publishOne(const QString &flox, const QString &workTree, const QString &package,
                                  const QString &organisation, const QString &stability, const QString &doing)
{
    ProcessRun run;
    bool stopped = false;
    {
        Progress progress(doing);
        const WorkHooks hooks = progress.hooks();
        run = runProcess({.program = flox,
                          .arguments = publishArguments(workTree, package, organisation, stability),
                          .workingDirectory = workTree},
                         mostOutput, hooks.stop);
        stopped = hooks.stop && hooks.stop();
    }
    const QString output = QString::fromUtf8(run.output);
    const QString log = stateFolder() + u"/publish/"_s + package + u".log"_s;
    const Result<void> kept = writeFileAtomically(log, run.output, {});
    if (!kept)
        tell(kept.error().sentence());
    const PublishEnd end = publishEnd(run.outcome.succeeded(), output);
    if (end == PublishEnd::Failed) {
        const QString why = publishError(output);
        tell(stopped ? u"%1: stopped"_s.arg(package)
                     : u"%1: %2 The output is in %3."_s.arg(
                           package, why.isEmpty() ? u"flox ended with exit code %1."_s.arg(run.outcome.exitCode) : why,
                           log));
        return {};
    }
    const QString name = publishedName(package, organisation, output);
    if (end == PublishEnd::AlreadyPublished)
        tell(u"%1 was published already"_s.arg(package));
    return name;
}

int publish(const VerbContext &context, const PublishOptions &options)
{
    const auto catalog = loadCatalogOrComplain();
    if (!catalog)
        return CouldNotBeDone;
    const Result<Reading> reading = readRepository(catalog, context.repoPath());
    if (!reading)
        return complain(reading.error());
    const QString workTree = reading->info.workTree;
    const QString branch = reading->snapshot->branch;
    QList<const VariantEntry *> entries;
    QStringList packages;
    for (const std::string &given : options.names) {
        const QString name = QString::fromStdString(given);
        const VariantEntry *entry = reading->snapshot->find(name);
        if (!entry) {
            const Result<Variant> variant = variantNamed(*catalog, name);
            return complain(variant ? Error{u"publish"_s, name, u"branch %1 does not have it"_s.arg(branch), {}}
                                    : variant.error());
        }
        entries.append(entry);
        packages.append(entry->package());
    }
    const QString flox = findProgram(programOf(BuildEngine::Flox));
    const QList<PublishCondition> conditions = publishConditions(probePublish(workTree, packages, flox));
    const bool can = canPublish(conditions);
    if (options.dryRun || !can)
        printConditions(conditions);
    if (!can)
        return options.dryRun ? DoneWithFindings : CouldNotBeDone;

    Result<BuildHistory> history = BuildHistory::open();
    if (!history)
        return complain(history.error());
    if (!history->notice().isEmpty())
        tell(history->notice());
    const Result<QList<Publication>> before = history->publications(workTree);
    if (!before)
        return complain(before.error());
    QString organisation = QString::fromStdString(options.organisation);
    // The one that this repository was published to last.
    if (organisation.isEmpty() && !before->isEmpty() && before->constFirst().as.contains(u'/'))
        organisation = before->constFirst().as.section(u'/', 0, 0);
    bool failed = false;
    for (qsizetype i = 0; i < entries.size(); ++i) {
        const QString &package = packages.at(i);
        const QString blob = blobOf(workTree, entries.at(i)->file);
        const auto known = std::find_if(before->begin(), before->end(), [&](const Publication &publication) {
            return publication.package == package && publication.blob == blob && !blob.isEmpty() &&
                   (organisation.isEmpty() || publication.as.startsWith(organisation + u'/'));
        });
        if (known != before->end() && !options.again) {
            tell(u"%1 is published, its recipe has not changed since; --again publishes it again"_s.arg(package));
            print(installCommand(known->as));
            continue;
        }
        if (options.dryRun) {
            print((QStringList{u"flox"_s} +
                   publishArguments(workTree, package, organisation, QString::fromStdString(options.stability)))
                      .join(u' '));
            continue;
        }
        const QString doing =
            u"Publishing %1 (%2 of %3)"_s.arg(package, QString::number(i + 1), QString::number(entries.size()));
        const std::optional<QString> name =
            publishOne(flox, workTree, package, organisation, QString::fromStdString(options.stability), doing);
        if (!name) {
            failed = true;
            continue;
        }
        const Result<void> kept =
            history->setPublished({workTree, branch, package, blob, *name, QDateTime::currentDateTimeUtc()});
        if (!kept)
            return complain(kept.error());
        print(installCommand(*name));
    }
    if (const Result<QList<Publication>> all = history->publications(workTree, branch))
        tell(u"%1 of %2 of branch %3 published"_s.arg(
            QString::number(all->size()),
            QString::number(std::count_if(reading->snapshot->entries.begin(), reading->snapshot->entries.end(),
                                          [](const VariantEntry &entry) { return entry.present; })),
            branch));
    return failed ? DoneWithFindings : Done;
}

} // namespace

void addPublish(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<PublishOptions>();
    CLI::App *verb =
        app.add_subcommand("publish", "Publish variants of the checked-out branch with flox, one after the other");
    verb->add_option("NAME", options->names, "Variants, as list prints them")->required();
    verb->add_option("-o,--org", options->organisation,
                     "Organisation (default: that of the last time, else flox's own choice)")
        ->type_name("ORG");
    verb->add_option("--stability", options->stability, "Of nixpkgs, for recipes without a pin")->type_name("S");
    verb->add_flag("--dry-run", options->dryRun, "Print what flox asks for and what would be run");
    verb->add_flag("--again", options->again, "Publish what is published and has not changed, too");
    addRepoOption(*verb, context);
    verb->callback([&context, options] { context.run = [&context, options] { return publish(context, *options); }; });
}

} // namespace tmx
