// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/Queue.h"
#include "app/verbs/JobText.h"
#include "app/verbs/Verb.h"
#include "model/base/Process.h"
#include "model/base/Sentences.h"
#include "model/base/ShortList.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/builds/RetriedBuilds.h"
#include "model/fleet/BuiltRecipes.h"
#include "model/fleet/Fleet.h"
#include "model/git/Repository.h"
#include "model/job/JobRunner.h"
#include "model/job/Needs.h"
#include "model/job/SlurmArray.h"
#include "model/log/PackedLog.h"
#include "model/outcome/OutcomeReader.h"
#include "model/outcome/OutcomeText.h"

#include <CLI/CLI.hpp>

#include <QDir>
#include <QJsonArray>
#include <QLocale>
#include <QRegularExpression>
#include <QTemporaryFile>
#include <QThread>

#include <algorithm>
#include <chrono>
#include <sys/resource.h>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace tmx {

namespace {

constexpr auto following = 200ms;

struct QueueOptions {
    std::vector<std::string> names;
    std::string before;
    int parallel = -1; ///< 0: as many as builders allow
    qint64 logLimit = -1;
    bool stopAtFailure = false;
    bool keepGoing = false;
    bool removeLogs = false;
    bool allRepositories = false;
};

struct LogOptions {
    std::string name;
    std::string from; ///< a file, or "-"
    bool follow = false;
    bool path = false;
};

/// One line per job, in aligned columns.
QStringList linesOf(const QList<JobRecord> &jobs, RunningBuilds &running, const QHash<QString, Wait> &waits)
{
    qsizetype package = 0;
    qsizetype branch = 0;
    Fleet fleet; // It tells repositories apart by name.
    QStringList &repositories = fleet.repositories;
    for (const JobRecord &record : jobs) {
        if (!repositories.contains(record.job.repository))
            repositories.append(record.job.repository);
    }
    const auto branchOf = [&](const Job &job) {
        return repositories.size() > 1 ? fleet.nameOf(job.repository) + u'@' + job.branch : job.branch;
    };
    for (const JobRecord &record : jobs) {
        package = qMax(package, record.job.package.size());
        branch = qMax(branch, branchOf(record.job).size());
    }
    QStringList lines;
    for (const JobRecord &record : jobs) {
        const BuildState state = running.of(record);
        QStringList parts{(state.silentMinutes > 0 ? u"silent"_s : phaseWord(record)).leftJustified(16),
                          record.job.package.leftJustified(package), branchOf(record.job).leftJustified(branch)};
        if (record.outcome)
            parts << durationText(record.outcome->build.milliseconds).rightJustified(7)
                  << remarkOf(record.outcome->build);
        else if (record.runner)
            parts << u"since %1"_s.arg(record.runner->started.toLocalTime().toString(u"HH:mm")) << progressText(state);
        else if (const auto wait = waits.constFind(record.job.id); wait != waits.cend())
            parts << wait->text;
        parts.removeAll(QString());
        lines.append(parts.join(u"  "_s).trimmed());
    }
    return lines;
}

/// "12 logs take 1.20 GiB (10 compressed). Above 1.5 GiB the oldest are removed."
QString logsText(const LogUse &use, qint64 limit)
{
    const QString size = QLocale::c().formattedDataSize(use.bytes);
    return limit == 0
               ? Tr::tr("%n logs take %1 (%2 compressed). Their size has no limit.", nullptr, int(use.logs))
                     .arg(size, QString::number(use.packed))
               : Tr::tr("%n logs take %1 (%2 compressed). Above %3 the oldest are removed.", nullptr, int(use.logs))
                     .arg(size, QString::number(use.packed), exactSizeText(limit));
}

/// Running jobs, then waiting ones in their order.
QList<JobRecord> inOrder(const QList<JobRecord> &jobs, const QueueContents &contents)
{
    QList<JobRecord> ordered;
    QHash<QString, const JobRecord *> byId;
    for (const JobRecord &record : jobs) {
        byId.insert(record.job.id, &record);
        if (record.isActive() && !contents.waiting.contains(record.job.id))
            ordered.append(record);
    }
    for (const QString &id : contents.waiting) {
        if (const JobRecord *record = byId.value(id))
            ordered.append(*record);
    }
    return ordered;
}

int list(const VerbContext &context)
{
    const Queue queue;
    const QList<JobRecord> settled = servedJobs(queue);
    const QueueContents contents = queue.contents();
    const QList<JobRecord> jobs = inOrder(settled, contents);
    RunningBuilds running(queue.state());
    const QHash<QString, Wait> waits = waitsNow(settled, contents);
    if (context.json) {
        QJsonArray array;
        for (const JobRecord &record : jobs) {
            QJsonObject object = jobJson(record, running.of(record));
            if (const auto wait = waits.constFind(record.job.id); wait != waits.cend()) {
                object.insert(u"waits"_s, QJsonObject{{u"for"_s, wordOf(wait->what)}, {u"text"_s, wait->text}});
                if (const auto &hold = wait->hold)
                    object.insert(u"hold"_s, QJsonObject{{u"package"_s, hold->package}, {u"inVain"_s, hold->inVain}});
            }
            array.append(object);
        }
        print(QJsonObject{{u"paused"_s, contents.paused},
                          {u"pausedBy"_s, contents.pausedBy},
                          {u"damaged"_s, contents.damaged},
                          {u"parallel"_s, contents.parallel},
                          {u"slowed"_s, contents.slowed},
                          {u"stopAtFailure"_s, contents.stopAtFailure},
                          {u"logLimit"_s, contents.logLimit},
                          {u"jobs"_s, array}});
        return Done;
    }
    const QStringList lines = linesOf(jobs, running, waits);
    for (qsizetype i = 0; i < jobs.size(); ++i)
        print(jobs.at(i).job.id + u"  "_s + lines.at(i));
    if (jobs.isEmpty())
        tell(Tr::tr("Nothing is queued. \"torch-matrix report\" shows what was built and what failed."));
    if (contents.slowed > 0)
        tell(contents.slowedText());
    if (contents.damaged)
        tell(Tr::tr("%1 is damaged, so the queue is paused. The builds are in the order of their jobs; \"torch-matrix "
                    "queue resume\" continues and writes the file again.")
                 .arg(queue.file()));
    else if (contents.paused)
        tell(contents.pausedBy.isEmpty()
                 ? Tr::tr("The queue is paused; \"torch-matrix queue resume\" continues.")
                 : Tr::tr("A failed build paused the queue; \"torch-matrix queue resume\" continues."));
    return Done;
}

int tellDone(const Result<void> &done, const QString &words)
{
    if (!done)
        return complain(done.error());
    tell(words);
    return Done;
}

Result<int> pause(bool paused)
{
    Queue queue;
    const Result<void> changed = queue.change([paused](QueueContents &contents) {
        contents.paused = paused;
        contents.pausedBy.clear();
    });
    if (changed && !paused) {
        TM_CHECK(queue.wake());
    }
    return tellDone(changed, paused ? Tr::tr("Paused. Running builds continue; no other build starts.")
                                    : Tr::tr("The queue continues."));
}

/// An Error if one of the words names builds of several repositories or branches.
std::optional<Error> severalBuilds(const QList<JobRecord> &jobs, const QStringList &words, const QStringList &ids)
{
    for (const QString &word : words) {
        QStringList products;
        QStringList lines;
        for (const JobRecord &record : jobs) {
            if (!ids.contains(record.job.id) || (record.job.package != word && record.job.variant != word))
                continue;
            lines.append(Tr::tr("%1 (%2)", "id of a build, repository and branch")
                             .arg(record.job.id, record.job.repository + u'@' + record.job.branch));
            if (!products.contains(record.job.product()))
                products.append(record.job.product());
        }
        if (products.size() > 1)
            return Error{Tr::tr("choose a build by"), word, Tr::tr("it names several: %1").arg(lines.join(u", "_s)),
                         Tr::tr("Give the id.")};
    }
    return {};
}

int stop(const QueueOptions &options)
{
    Queue queue;
    const QList<JobRecord> jobs = settledJobs(queue);
    QStringList ids;
    if (options.names.empty()) {
        for (const JobRecord &record : jobs) {
            if (record.isActive())
                ids.append(record.job.id);
        }
    } else {
        const Result<QStringList> named =
            jobsNamed(jobs, toStringList(options.names), [](const JobRecord &record) { return record.isActive(); });
        if (!named)
            return complain(named.error());
        if (const auto error = severalBuilds(jobs, toStringList(options.names), *named))
            return complain(*error);
        ids = *named;
    }
    if (ids.isEmpty())
        return tellDone({}, Tr::tr("No builds are running or waiting."));
    const bool runs = std::ranges::any_of(jobs, [&](const JobRecord &record) {
        return ids.contains(record.job.id) && record.phase != JobPhase::Waiting;
    });
    const int count = int(ids.size());
    return tellDone(queue.stop(ids),
                    runs ? Tr::tr("Stopping %n builds. Run the command again to use a stronger signal.", nullptr, count)
                         : Tr::tr("Stopped %n builds that had not started.", nullptr, count));
}

int clear()
{
    Queue queue;
    const int waiting = int(queue.contents().waiting.size());
    return tellDone(queue.clear(), waiting > 0 ? Tr::tr("Removed %n waiting builds.", nullptr, waiting)
                                               : Tr::tr("No builds are waiting."));
}

/// The repository whose builds are retried; empty: all.
Result<QString> repositoryToRetry(const VerbContext &context, const QueueOptions &options)
{
    if (!options.names.empty() || options.allRepositories)
        return QString();
    const Result<Repository> repository = Repository::open(context.repoPath());
    if (repository)
        return canonicalRepository(repository->workTree());
    Error error = repository.error();
    error.remedy = joinedSentences({error.remedy, Tr::tr("--all retries the builds of all repositories.")});
    return error;
}

Result<int> retry(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog,
                  const QueueOptions &options)
{
    TM_TRY(repository, repositoryToRetry(context, options));
    Queue queue;
    const QList<JobRecord> jobs = settledJobs(queue);
    const QHash<QString, JobRecord> latest = latestByKey(jobs);
    const auto failed = [&](const JobRecord &record) {
        return record.outcome && record.outcome->build.kind != BuildOutcome::Kind::Built &&
               latest.value(record.job.key()).job.id == record.job.id;
    };
    QList<JobRecord> ended = jobs;
    if (options.names.empty()) {
        ended.removeIf([&](const JobRecord &record) {
            return !failed(record) || (!repository->isEmpty() && record.job.repository != *repository);
        });
    } else {
        TM_TRY(named, jobsNamed(jobs, toStringList(options.names), failed));
        ended.removeIf([&named](const JobRecord &record) { return !named->contains(record.job.id); });
    }
    // In the order in which they were started, which "queue move" may have changed.
    std::ranges::stable_sort(ended, {}, [](const JobRecord &record) { return record.outcome->started; });
    const RetriedBuilds again =
        retriedBuilds(catalog, ended, jobs, options.names.empty() ? RetryChoice::MaySucceed : RetryChoice::Named);
    if (!again.useless.isEmpty())
        tell(Tr::tr("%n builds would fail again, so they are left out: %1. Correct their recipes, or name them.",
                    nullptr, int(again.useless.size()))
                 .arg(shortList(again.useless)));
    if (again.jobs.isEmpty()) {
        if (!again.useless.isEmpty())
            return Done;
        return tellDone(
            {}, repository->isEmpty()
                    ? Tr::tr("No build failed.")
                    : Tr::tr("No build of %1 failed. --all retries the builds of all repositories.").arg(*repository));
    }
    TM_TRY(queued, queue.add(again.jobs, Again::Failed));
    int count = 0;
    for (const QueuedJob &one : *queued) {
        const Job &job = one.record.job;
        if (one.what != QueuedJob::What::Queued) {
            tell(whatText(one));
            continue;
        }
        ++count;
        print(Tr::tr("%1 of %2, commit %3", "package, repository and branch")
                  .arg(job.package, job.repository + u'@' + job.branch, job.commit.left(7)));
    }
    if (const QString current = again.currentText(); !current.isEmpty())
        tell(current);
    return tellDone(queue.wake(), Tr::tr("Queued %n builds again.", nullptr, count));
}

Result<int> move(const QueueOptions &options)
{
    Queue queue;
    const QList<JobRecord> jobs = readJobs(queue.state());
    const QueueContents contents = queue.contents();
    const auto waits = [&](const JobRecord &record) { return contents.waiting.contains(record.job.id); };
    TM_TRY(moved, jobsNamed(jobs, toStringList(options.names), waits));
    QString before = contents.waiting.value(0);
    if (!options.before.empty()) {
        TM_TRY(target, jobsNamed(jobs, {QString::fromStdString(options.before)}, waits));
        before = target->constFirst();
    }
    return tellDone(queue.move(*moved, before), u"Moved."_s);
}

int set(const QueueOptions &options)
{
    Queue queue;
    const int removed =
        options.logLimit < 0 || options.removeLogs ? 0 : tidyLogs(queue.state(), options.logLimit, OldLogs::Count);
    if (removed > 0)
        return complain({Tr::tr("limit the logs to"), exactSizeText(options.logLimit),
                         Tr::tr("%n logs would be removed", nullptr, removed),
                         Tr::tr("--force removes them; --log-limit 0 sets no limit.")});
    const Result<void> changed = queue.change([&](QueueContents &contents) {
        if (options.parallel >= 0)
            contents.setParallel(options.parallel);
        if (options.stopAtFailure || options.keepGoing)
            contents.stopAtFailure = options.stopAtFailure;
        if (options.logLimit >= 0)
            contents.logLimit = options.logLimit;
    });
    if (!changed)
        return complain(changed.error());
    const QueueContents contents = queue.contents();
    if (options.logLimit >= 0) {
        tidyLogs(queue.state(), contents.logLimit);
        tell(logsText(logUse(queue.state()), contents.logLimit));
    }
    QStringList sentences{
        contents.parallel > 0
            ? Tr::tr("%n at a time", "builds", contents.parallel)
            : Tr::tr("As many at a time as Nix's remote builders have slots for, or one without builders")};
    sentences.append(contents.stopAtFailure ? Tr::tr("a failure pauses the queue")
                                            : Tr::tr("a failure does not stop the others"));
    return tellDone(queue.wake(), withFullStop(sentences.join(u"; "_s)));
}

int jobs(const VerbContext &context)
{
    const Queue queue;
    const QList<JobRecord> all = servedJobs(queue);
    RunningBuilds running(queue.state());
    if (all.isEmpty() && !QDir().mkpath(queue.state()))
        return complain(Error{Tr::tr("list the builds"), queue.state(), Tr::tr("the folder cannot be created"),
                              Tr::tr("Check its permissions, or name another one in TORCH_MATRIX_STATE.")});
    const LogUse use = logUse(queue.state());
    const qint64 limit = queue.contents().logLimit;
    const QStringList unreadable = unreadableJobs(queue.state(), all);
    if (context.json) {
        QJsonArray array;
        for (const JobRecord &record : all)
            array.append(jobJson(record, running.of(record)));
        print(QJsonObject{{u"jobs"_s, array},
                          {u"unreadable"_s, QJsonArray::fromStringList(unreadable)},
                          {u"logBytes"_s, use.bytes},
                          {u"logLimit"_s, limit}});
        return Done;
    }
    const QStringList lines = linesOf(all, running, waitsNow(all, queue.contents()));
    for (qsizetype i = 0; i < all.size(); ++i)
        print(all.at(i).job.id + u"  "_s + lines.at(i));
    if (!unreadable.isEmpty())
        tell(Tr::tr("%n jobs could not be read: %1", nullptr, int(unreadable.size())).arg(unreadable.join(u", "_s)));
    tell(all.isEmpty() ? Tr::tr("No builds yet.") : logsText(use, limit));
    return Done;
}

/// Whether the last line is what nix-build, nix build or flox print of a build that succeeded.
bool endsWell(QFile &log)
{
    static const QRegularExpression last(
        u"^(?:/\\S+/store/\\S+|.*Built outputs?: .*|Completed build of .*|\\./result-.*|.*Builds? completed successfully\\..*|.*published successfully\\.)$"_s);
    log.seek(std::max<qint64>(0, log.size() - 4096));
    return last.match(QString::fromUtf8(log.readAll().trimmed()).section(u'\n', -1)).hasMatch();
}

/// Copies a log, which may be a pipe, without the signs of quotation of a mail.
Result<void> copyText(const QString &named, QTemporaryFile &copy)
{
    QFile file(named);
    if (!(named == "-"_L1 ? file.open(stdin, QIODevice::ReadOnly) : file.open(QIODevice::ReadOnly)))
        return Error{Tr::tr("read the log"), named, file.errorString(), {}};
    if (!copy.open())
        return Error{Tr::tr("copy the log"), copy.fileName(), copy.errorString(), {}};
    const QList<QByteArray> start = file.peek(1 << 16).split('\n');
    const auto lines = std::ranges::count_if(start, [](const QByteArray &line) { return !line.trimmed().isEmpty(); });
    const auto quotes = std::ranges::count_if(start, [](const QByteArray &line) { return line.startsWith('>'); });
    const bool quoted = quotes * 3 > lines * 2;
    for (QByteArray bytes; !(bytes = file.readLine(1 << 20)).isEmpty();) {
        if (quoted)
            bytes.remove(0, bytes.startsWith("> ") ? 2 : bytes.startsWith('>'));
        if (copy.write(bytes) != bytes.size())
            return Error{Tr::tr("copy the log"), copy.fileName(), copy.errorString(), {}};
    }
    if (file.error() != QFileDevice::NoError || !copy.flush())
        return Error{Tr::tr("read the log"), named, file.errorString(), {}};
    return {};
}

/// Why a build failed that this program did not run.
Result<int> explainLog(const VerbContext &context, const LogOptions &options)
{
    const QString named = QString::fromStdString(options.from);
    QTemporaryFile copy;
    TM_CHECK(copyText(named, copy));
    ProcessOutcome process;
    process.started = true;
    process.exitCode = 1;
    const QString package = QString::fromStdString(options.name);
    BuildOutcome outcome = outcomeOfLog(copy.fileName(), package, process, ResultLink::Found);
    if (outcome.certainty == BuildOutcome::Certainty::None && endsWell(copy)) {
        process.exitCode = 0;
        outcome = outcomeOfLog(copy.fileName(), package, process, ResultLink::Found);
    }
    qint64 line = outcome.firstError < 0 || !copy.seek(0) ? 0 : 1;
    for (qint64 left = line > 0 ? outcome.firstError : 0; left > 0;) {
        const QByteArray bytes = copy.read(std::min<qint64>(left, 1 << 20));
        line += bytes.count('\n');
        left = bytes.isEmpty() ? 0 : left - bytes.size();
    }
    if (context.json) {
        QJsonObject json = outcomeJson(outcome, true);
        json.insert(u"kind"_s, wordOf(outcome.kind));
        json.insert(u"line"_s, line > 0 ? QJsonValue(line) : QJsonValue());
        json.remove(u"exitCode"_s);
        print(json);
        return isFailure(outcome.kind) ? DoneWithFindings : Done;
    }
    if (outcome.kind == BuildOutcome::Kind::Built) {
        print(QStringList{Tr::tr("The log ends as that of a build that succeeded"), remarkOf(outcome)}
                  .filter(QRegularExpression(u"."_s))
                  .join(u"; "_s) +
              u'.');
        return Done;
    }
    const bool silent = outcome.certainty == BuildOutcome::Certainty::None && outcome.derivation.isEmpty() &&
                        std::ranges::none_of(outcome.lastErrors, saysError);
    print(!silent                        ? sentenceOf(outcome)
          : outcome.lastErrors.isEmpty() ? Tr::tr("The text does not say that a build failed.")
                                         : Tr::tr("The text does not say that a build failed. It ends with: %1")
                                               .arg(outcome.lastErrors.constLast()));
    if (line > 0 && !silent)
        print(u"%1:%2: %3"_s.arg(named == "-"_L1 ? Tr::tr("standard input") : named)
                  .arg(line)
                  .arg(outcome.lastErrors.value(0)));
    return DoneWithFindings;
}

Result<int> log(const VerbContext &context, const LogOptions &options)
{
    if (!options.from.empty())
        return explainLog(context, options);
    const QList<JobRecord> all = readJobs(stateFolder());
    const Result<QStringList> named =
        jobsNamed(all, {QString::fromStdString(options.name)}, [](const JobRecord &) { return true; });
    if (!named)
        return named.error();
    const JobFolder folder = JobFolder::of(stateFolder(), named->constLast());
    const QString stored = storedLog(folder.logFile());
    const bool removed = stored.isEmpty() && folder.outcome() && folder.outcome()->started < folder.outcome()->ended;
    if (removed)
        tell(Tr::tr("Its log was removed: logs are kept up to %1 (\"torch-matrix queue set --log-limit\").")
                 .arg(exactSizeText(Queue().contents().logLimit)));
    if (options.path) {
        if (!removed)
            print(stored.isEmpty() ? folder.logFile() : stored);
        return removed ? CouldNotBeDone : Done;
    }
    if (folder.phase() == JobPhase::Waiting)
        tell(Tr::tr("%1 has not started; it is waiting in the queue.")
                 .arg(folder.job().ok() ? folder.job()->package : folder.id()));
    LogFollower follower(folder);
    LogPrinter printer;
    for (;;) {
        // Read the phase first: output from before the end is read below.
        const JobPhase phase = folder.phase();
        QByteArray bytes;
        while (!(bytes = follower.read()).isEmpty())
            printer.print(bytes);
        if (!options.follow || phase == JobPhase::Ended || phase == JobPhase::Lost)
            break;
        QThread::sleep(following);
    }
    if (const std::optional<JobOutcome> outcome = folder.outcome())
        tellOutcome(folder.job().ok() ? *folder.job() : Job(), outcome->build);
    return Done;
}

} // namespace

void addQueue(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<QueueOptions>();
    CLI::App *verb = app.add_subcommand("queue", Help::tr("List running and waiting builds, or change the queue"));
    addJsonOption(*verb, context);
    verb->require_subcommand(0, 1);
    const auto add = [&](const char *name, const std::string &help, const std::function<Result<int>()> &run) {
        CLI::App *part = verb->add_subcommand(name, help);
        part->callback([&context, run] { context.run = run; });
        return part;
    };
    verb->callback([&context, verb] {
        if (verb->get_subcommands().empty())
            context.run = [&context] { return list(context); };
    });
    addJsonOption(*add("list", Help::tr("Running and waiting builds, in order (the default)"),
                       [&context] { return list(context); }),
                  context);
    add("pause", Help::tr("Start no more builds; running builds continue"), [] { return pause(true); });
    add("resume", Help::tr("Start the waiting builds"), [] { return pause(false); });
    add("stop", Help::tr("Stop running and waiting builds: these, or all"), [options] {
        return stop(*options);
    })->add_option("NAME", options->names, Help::tr("Variants, packages or ids"));
    CLI::App *again = verb->add_subcommand(
        "retry", Help::tr("Queue failed and stopped builds again: these, or all of this repository that may succeed"));
    CLI::Option *named = again->add_option("NAME", options->names, Help::tr("Variants, packages or ids"));
    again->add_flag("--all", options->allRepositories, Help::tr("Those of all repositories that may succeed"))
        ->excludes(named);
    addRepoOption(*again, context);
    runOnCatalog(*again, context, options, &retry);
    add("clear", Help::tr("Remove all waiting builds"), [] { return clear(); });
    CLI::App *mover = add("move", Help::tr("Build these next"), [options] { return move(*options); });
    mover->add_option("NAME", options->names, Help::tr("Variants, packages or ids"))->required();
    mover->add_option("--before", options->before, Help::tr("Move it before this build instead"))->type_name("NAME");
    CLI::App *setter = add("set", Help::tr("Change the settings of the queue"), [options] { return set(*options); });
    setter
        ->add_option("--parallel", options->parallel,
                     Help::tr("Builds at a time on each machine, or auto: as many as Nix's remote builders have slots "
                              "for, or one without builders (the default)"))
        ->transform(CLI::Validator(
            [](std::string &text) {
                const bool fits = text == "auto" || CLI::Range(1, 64)(text).empty();
                const std::string wrong = fits ? "" : '"' + text + "\" is neither auto nor a number from 1 - 64";
                text = text == "auto" ? "0" : text;
                return wrong;
            },
            ""))
        ->type_name("N");
    setter
        ->add_option(
            "--log-limit", options->logLimit,
            Help::tr("Size limit of all logs, such as 500M or 1.5G (default: 5G; 0: none). Old logs are compressed; "
                     "above the limit the oldest are removed"))
        ->transform(CLI::Validator(
            [](std::string &text) {
                const std::optional<qint64> bytes = bytesOf(QString::fromStdString(text));
                const std::string given = text;
                text = bytes ? std::to_string(*bytes) : text;
                return bytes ? std::string()
                             : '"' + given +
                                   "\" is not a size; write a number and K, M, G or T, such as 500M or "
                                   "1.5G";
            },
            ""))
        ->type_name("SIZE");
    setter->add_flag("--force", options->removeLogs,
                     Help::tr("With --log-limit: remove the oldest logs if all together take more"));
    auto *stopping =
        setter->add_flag("--stop-at-failure", options->stopAtFailure, Help::tr("A failure pauses the queue"));
    setter->add_flag("--keep-going", options->keepGoing, Help::tr("A failure does not stop the others"))
        ->excludes(stopping);
}

void addJobs(CLI::App &app, VerbContext &context)
{
    CLI::App *verb = app.add_subcommand("jobs", Help::tr("List all builds with their outcomes, the oldest first"));
    addJsonOption(*verb, context);
    verb->callback([&context] { context.run = [&context] { return jobs(context); }; });
}

void addLog(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<LogOptions>();
    CLI::App *verb = app.add_subcommand("log", Help::tr("Print the log of a build, or why one failed elsewhere"));
    CLI::Option *name = verb->add_option("NAME", options->name,
                                         Help::tr("Variant, package or id; the last build if there are several"));
    CLI::Option *from = verb->add_option("--from", options->from,
                                         Help::tr("Print why the build failed whose log this file holds (- reads "
                                                  "standard input); NAME: the package that was built"))
                            ->type_name("FILE");
    for (CLI::Option *flag :
         {verb->add_flag("-f,--follow", options->follow, Help::tr("Follow the log until the build ends")),
          verb->add_flag("--path", options->path, Help::tr("Print the path of the log instead"))})
        flag->excludes(from);
    addJsonOption(*verb, context)->needs(from);
    verb->callback([&context, options, name, from] {
        if (name->empty() && from->empty())
            throw CLI::RequiredError("NAME");
        context.run = [&context, options] { return log(context, *options); };
    });
}

void addRunners(CLI::App &app, VerbContext &context)
{
    auto folder = std::make_shared<std::string>();
    CLI::App *job = app.add_subcommand("run-job", Help::tr("Run the job in a folder"))->group("");
    job->add_option("DIR", *folder)->required();
    job->callback([&context, folder] {
        context.run = [folder]() -> Result<int> {
            const JobFolder job(QString::fromStdString(*folder));
            TM_TRY(ran, runJob(job));
            ::setpriority(PRIO_PROCESS, 0, 19); // other builds take priority
            tidyLogs(job.state(), Queue(job.state()).contents().logLimit);
            return Done;
        };
    });
    auto state = std::make_shared<std::string>();
    CLI::App *queue =
        app.add_subcommand("run-queue", Help::tr("Start the jobs of a queue until there are none"))->group("");
    queue->add_option("DIR", *state)->required();
    queue->callback([&context, state] {
        context.run = [state]() -> Result<int> {
            Queue queue(QString::fromStdString(*state));
            TM_TRY(ran, queue.run(Queue::terminalProgram()));
            // Slurm's builds have no run-job that would do it after them.
            ::setpriority(PRIO_PROCESS, 0, 19);
            tidyLogs(queue.state(), queue.contents().logLimit);
            tidySlurm(queue.state());
            return Done;
        };
    });
}

} // namespace tmx
