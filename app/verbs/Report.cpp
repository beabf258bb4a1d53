// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/JobText.h"
#include "app/verbs/Progress.h"
#include "app/verbs/Verb.h"

#include "model/base/StateFolder.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/builds/Campaign.h"
#include "model/builds/TeamBuilds.h"
#include "model/change/Generate.h"
#include "model/git/Repository.h"
#include "model/job/EndedJobs.h"
#include "model/snapshot/BranchContent.h"
#include "model/workspace/RepositoryReading.h"

#include <CLI/CLI.hpp>

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct ReportOptions {
    std::string branch;
    bool html = false;
    bool markdown = false;
};

struct BuildsOptions {
    std::string branch;
    std::string name;
    std::string outcome;
    int limit = 50;
    bool csv = false;
    bool team = false;
};

struct ShareOptions {
    std::string remote;
    bool dryRun = false;
};

/// Opens the history, including builds that ended since the last read, also with their machine.
Result<BuildHistory> openHistory()
{
    serveQueue();
    TM_TRY(history, BuildHistory::open());
    if (!history->notice().isEmpty())
        tell(history->notice());
    TM_CHECK(recordEndedJobs(*history, stateFolder()));
    return history;
}

Result<int> report(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog,
                   const ReportOptions &options)
{
    TM_TRY(reading, readRepository(catalog, context.repoPath(), QString::fromStdString(options.branch)));
    const BranchSnapshot &snapshot = *reading->snapshot;
    TM_TRY(history, openHistory());
    TM_TRY(campaign, readCampaign(*catalog, snapshot, *history));
    if (context.json)
        print(campaignAsJson(*campaign));
    else
        printText((options.html ? campaignAsHtml(*campaign) : campaignAsMarkdown(*campaign)).toUtf8());
    const int open = campaign->counts.value(CampaignState::Failed) + campaign->counts.value(CampaignState::Stopped);
    return open > 0 ? DoneWithFindings : Done;
}

QJsonObject recordJson(const BuildRecord &record)
{
    const auto time = [](const QDateTime &at) { return at.isValid() ? at.toUTC().toString(Qt::ISODate) : QString(); };
    QJsonObject json{{u"job"_s, record.job},
                     {u"name"_s, record.variant},
                     {u"package"_s, record.package},
                     {u"branch"_s, record.branch},
                     {u"commit"_s, record.commit},
                     {u"blob"_s, record.blob},
                     {u"machine"_s, record.machine},
                     {u"engine"_s, record.engine},
                     {u"queued"_s, time(record.queued)},
                     {u"started"_s, time(record.started)},
                     {u"ended"_s, time(record.ended)},
                     {u"outcome"_s, wordOf(record.outcome)},
                     {u"reason"_s, record.reason},
                     {u"log"_s, record.log},
                     {u"result"_s, record.result},
                     {u"published"_s, record.published},
                     {u"verified"_s, record.verified}};
    if (record.seconds())
        json.insert(u"seconds"_s, *record.seconds());
    if (record.peakMemory > 0)
        json.insert(u"peak_memory"_s, record.peakMemory);
    if (record.size > 0)
        json.insert(u"size"_s, record.size);
    return json;
}

Result<int> builds(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog,
                   const BuildsOptions &options)
{
    const QString outcome = QString::fromStdString(options.outcome);
    if (!outcome.isEmpty() && !outcomeKindNamed(outcome))
        return complain(
            {Tr::tr("list the builds"), outcome, Tr::tr("that is not an outcome"),
             Tr::tr("Try failed, which names every failure, or one of: %1.").arg(outcomeWords().join(u", "_s))},
            WrongUsage);
    TM_TRY(repository, Repository::open(context.repoPath()));
    if (!options.name.empty()) {
        const Result<Variant> variant = variantNamed(*catalog, QString::fromStdString(options.name));
        if (!variant && variant.error().usage)
            return complain(variant.error());
    }
    TM_TRY(history, openHistory());
    const BuildFilter filter{.repository = repository->workTree(),
                             .branch = QString::fromStdString(options.branch),
                             .variant = QString::fromStdString(options.name),
                             .outcome = outcome,
                             .limit = options.limit};
    Result<QList<BuildRecord>> records = history->records(filter);
    if (records && options.team) {
        TM_TRY(shared, readOthersBuilds(repository->workTree()));
        QList<BuildRecord> others = shared->builds;
        others.removeIf([&filter](const BuildRecord &record) { return !filter.takes(record); });
        records = newestFirst(*records + others);
        if (filter.limit > 0)
            records = records->first(std::min<qsizetype>(filter.limit, records->size()));
    }
    if (!records)
        return complain(records.error());
    // A deleted branch may still have builds.
    if (records->isEmpty() && !options.branch.empty()) {
        TM_TRY(branch, readBranch(*repository, QString::fromStdString(options.branch)));
    }
    if (options.csv) {
        printText(toCsv(*records));
        return Done;
    }
    if (context.json) {
        QJsonArray array;
        for (const BuildRecord &record : *records)
            array.append(recordJson(record));
        print(QJsonObject{{u"repository"_s, repository->workTree()}, {u"builds"_s, array}});
        return Done;
    }
    if (records->isEmpty())
        tell(Tr::tr("No builds match."));
    for (const BuildRecord &record : *records) {
        print(u"%1  %2  %3  %4  %5%6"_s.arg(
            record.ended.toLocalTime().toString(u"yyyy-MM-dd HH:mm"_s), wordOf(record.outcome).leftJustified(16),
            durationText(record.seconds().value_or(0) * 1000).rightJustified(7), record.branch, record.variant,
            record.elsewhere ? u"  on "_s + record.machine : QString()));
    }
    return Done;
}

int tellShared(const Result<SharedBuilds> &shared)
{
    if (!shared)
        return complain(shared.error());
    tell(summaryOf(*shared));
    return Done;
}

Result<int> pushTeam(const VerbContext &context, const ShareOptions &options)
{
    const QString remote = QString::fromStdString(options.remote);
    if (!options.dryRun) {
        Progress progress(Tr::tr("Sharing the builds"), Progress::Second::Waits);
        return tellShared(pushBuilds(context.repoPath(), remote, {}, progress.hooks().stop));
    }
    TM_TRY(shared, buildsToPush(context.repoPath(), remote));
    for (const QByteArrayList &lines : shared->lines) {
        for (const QByteArray &line : lines)
            printText(line + '\n');
    }
    return Done;
}

} // namespace

void addReport(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<ReportOptions>();
    CLI::App *verb = app.add_subcommand(
        "report", Help::tr("Print the state of a branch's builds: a grid with counts, times and failures"));
    verb->add_option("--branch", options->branch, Help::tr("Branch (default: the checked-out one)"))->type_name("B");
    CLI::Option *html = verb->add_flag("--html", options->html, Help::tr("Print an HTML page"));
    verb->add_flag("--markdown", options->markdown, Help::tr("Print Markdown for an issue (the default)"))
        ->excludes(html);
    addRepoOption(*verb, context);
    addJsonOption(*verb, context)->excludes(html);
    runOnCatalog(*verb, context, options, &report);
}

void addBuilds(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<BuildsOptions>();
    CLI::App *verb = app.add_subcommand("builds", Help::tr("Print past builds, newest first"));
    verb->add_option("NAME", options->name, Help::tr("Variant: only its builds"));
    verb->add_option("--branch", options->branch, Help::tr("Only builds of this branch"))->type_name("B");
    verb->add_option("--outcome", options->outcome,
                     Help::tr("Only builds with this outcome: built, stopped, failed (every failure), compile-error, "
                              "out-of-memory, ..."))
        ->type_name("WORD");
    verb->add_option("--limit", options->limit, Help::tr("Maximum number of builds (default: 50; 0: all)"))
        ->type_name("N")
        ->check(CLI::Range(0, 1000000));
    CLI::Option *csv = verb->add_flag("--csv", options->csv, Help::tr("Print CSV"));
    verb->add_flag("--team", options->team, Help::tr("Also builds that others shared"));
    addRepoOption(*verb, context);
    addJsonOption(*verb, context)->excludes(csv);
    verb->require_subcommand(0, 1);
    verb->callback([&context, options, verb] {
        if (verb->get_subcommands().empty())
            context.runWith([&context, options](const auto &catalog) { return builds(context, catalog, *options); });
    });
    auto share = std::make_shared<ShareOptions>();
    CLI::App *push = verb->add_subcommand(
        "push",
        Help::tr("Share the builds of this repository: one line a build, without logs, paths, host names and reasons"));
    push->add_option("REMOTE", share->remote, Help::tr("Remote (default: the one that git pushes to)"));
    push->add_flag("-n,--dry-run", share->dryRun, Help::tr("Print the lines that would be added"));
    addRepoOption(*push, context);
    push->callback([&context, share] { context.run = [&context, share] { return pushTeam(context, *share); }; });
    CLI::App *pull = verb->add_subcommand("pull", Help::tr("Get the builds that others shared"));
    pull->add_option("REMOTE", share->remote, Help::tr("Remote (default: the one that git pushes to)"));
    addRepoOption(*pull, context);
    pull->callback([&context, share] {
        context.run = [&context, share] {
            Progress progress(Tr::tr("Getting the builds of others"), Progress::Second::Waits);
            return tellShared(
                pullBuilds(context.repoPath(), QString::fromStdString(share->remote), {}, progress.hooks().stop));
        };
    });
}

} // namespace tmx
