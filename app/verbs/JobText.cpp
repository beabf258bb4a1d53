// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/JobText.h"

#include "app/verbs/Verb.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/change/Generate.h"
#include "model/job/JobRunner.h"
#include "model/log/PackedLog.h"
#include "model/outcome/OutcomeText.h"

#include <CLI/CLI.hpp>

#include <QJsonArray>
#include <QRegularExpression>

#include <unistd.h>

using namespace Qt::StringLiterals;

namespace tmx {

LogPrinter::LogPrinter()
    : m_stream(::isatty(STDOUT_FILENO) == 1 ? TerminalStream::Colours::Stay : TerminalStream::Colours::LeaveOut)
{
}

void LogPrinter::print(const QByteArray &bytes)
{
    printOwn(m_stream.add(bytes));
}

QString phaseWord(const JobRecord &record)
{
    switch (record.phase) {
    case JobPhase::Waiting: return u"waiting"_s;
    case JobPhase::Running: return u"running"_s;
    case JobPhase::Stopping: return u"stopping"_s;
    case JobPhase::Ended: return record.outcome ? wordOf(record.outcome->build.kind) : u"lost"_s;
    case JobPhase::Lost: return u"lost"_s;
    }
    Q_UNREACHABLE_RETURN({});
}

QString whatText(const QueuedJob &queued)
{
    const Job &job = queued.record.job;
    switch (queued.what) {
    case QueuedJob::What::Queued:
        return queued.failure ? Tr::tr("queued  %1  Failed before with the same recipe: %2")
                                    .arg(job.package, sentenceOf(*queued.failure))
                              : u"queued  %1"_s.arg(job.package);
    case QueuedJob::What::AlreadyQueued:
        return u"%1  %2  (job %3)"_s.arg(phaseWord(queued.record), job.package, job.id);
    case QueuedJob::What::BuiltBefore:
        return Tr::tr("skipped  %1  Already built; the result is %2. --again builds it again.")
            .arg(job.package, queued.record.result());
    case QueuedJob::What::FailedBefore:
        return Tr::tr("skipped  %1  Failed before with the same recipe: %2")
            .arg(job.package, sentenceOf(queued.record.outcome->build));
    }
    Q_UNREACHABLE_RETURN({});
}

QJsonObject outcomeJson(const BuildOutcome &outcome, bool ended)
{
    return {{u"reason"_s, ended ? sentenceOf(outcome) : QString()},
            {u"cause"_s, wordOf(outcome.cause)},
            {u"certainty"_s, ended ? QJsonValue(wordOf(outcome.certainty)) : QJsonValue()},
            {u"text"_s, outcome.text},
            {u"about"_s, QJsonArray::fromStringList(outcome.about)},
            {u"derivation"_s, outcome.derivation},
            {u"remedy"_s, ended ? remedyOf(outcome) : QString()},
            {u"retry"_s, ended ? QJsonValue(!retryText(outcome).isEmpty()) : QJsonValue()},
            {u"fewerCores"_s, outcome.fewerCores > 0 ? QJsonValue(outcome.fewerCores) : QJsonValue()},
            {u"recipeLine"_s, outcome.recipeLine > 0 ? QJsonValue(outcome.recipeLine) : QJsonValue()},
            {u"exitCode"_s, ended ? QJsonValue(outcome.exitCode) : QJsonValue()}};
}

QJsonObject jobJson(const JobRecord &record, const BuildState &running)
{
    const auto time = [](const QDateTime &when) {
        return when.isValid() ? QJsonValue(when.toUTC().toString(Qt::ISODate)) : QJsonValue();
    };
    const bool ended = record.outcome.has_value();
    const JobOutcome outcome = record.outcome.value_or(JobOutcome());
    QJsonObject json = identityOf(record.job);
    const QJsonObject told = outcomeJson(outcome.build, ended);
    for (auto one = told.begin(); one != told.end(); ++one)
        json.insert(one.key(), one.value());
    QJsonArray needs;
    for (const QString &need : record.job.after)
        needs.append(productOf(need).section(u'\n', -1));
    const std::pair<QString, QJsonValue> others[] = {
        {u"state"_s, phaseWord(record)},
        {u"after"_s, needs},
        {u"queued"_s, time(record.job.created)},
        {u"started"_s, time(ended           ? outcome.started
                            : record.runner ? record.runner->started
                                            : QDateTime())},
        {u"ended"_s, time(outcome.ended)},
        {u"milliseconds"_s, outcome.build.milliseconds},
        {u"peakMemory"_s, outcome.peakMemory},
        {u"results"_s, QJsonArray::fromStringList(outcome.build.resultLinks)},
        {u"log"_s, storedLog(record.folder.logFile())}};
    for (const auto &[name, value] : others)
        json.insert(name, value);
    if (running.phase == BuildState::Phase::None)
        return json;
    json.insert(u"phase"_s, running.text);
    json.insert(u"step"_s, running.step);
    json.insert(u"steps"_s, running.total);
    json.insert(u"secondsLeft"_s, running.secondsLeft > 0 ? QJsonValue(running.secondsLeft) : QJsonValue());
    json.insert(u"likeBuilds"_s, running.likeBuilds);
    json.insert(u"silentMinutes"_s, running.silentMinutes);
    return json;
}

void tellOutcome(const Job &job, const BuildOutcome &outcome)
{
    tell(sentenceOf(outcome));
    if (outcome.recipeLine > 0)
        tell(u"%1:%2"_s.arg(job.recipe).arg(outcome.recipeLine));
    if (!outcome.rightHash.isEmpty())
        tell(Tr::tr("\"torch-matrix fix %1:hash-mismatch\" shows the change that corrects it.").arg(job.package));
}

namespace {

/// Why an existing job cannot be used.
QString unfitText(const JobRecord &record)
{
    switch (record.phase) {
    case JobPhase::Waiting: return Tr::tr("it has not started");
    case JobPhase::Running:
    case JobPhase::Stopping: return Tr::tr("it runs already");
    case JobPhase::Ended:
    case JobPhase::Lost: return u"it has ended (%1)"_s.arg(phaseWord(record));
    }
    Q_UNREACHABLE_RETURN({});
}

/// Whether a build could have that id, package or variant.
bool couldBeABuild(const QString &word)
{
    if (hasForm(word, u"[0-9]{8}-[0-9]{6}-[0-9a-f]{6}"))
        return true;
    const auto catalog = Catalog::loadForUser();
    const auto name = catalog ? VariantName::parse(word, (*catalog)->isaIds()) : std::nullopt;
    return !catalog || (name && !name->uncertain);
}

} // namespace

QList<JobRecord> settledJobs(const Queue &queue)
{
    QList<JobRecord> jobs = readJobs(queue.state());
    bool lost = false;
    for (const JobRecord &record : std::as_const(jobs)) {
        if (record.phase == JobPhase::Lost) {
            settleLost(record.folder);
            lost = true;
        }
    }
    return lost ? readJobs(queue.state(), jobs) : jobs;
}

QList<JobRecord> servedJobs(const Queue &queue)
{
    const QList<JobRecord> jobs = settledJobs(queue);
    if (!queue.isAbandoned(jobs))
        return jobs;
    const Result<void> woken = queue.wake();
    tell(woken ? Tr::tr("The process of the queue was killed, or the machine restarted; the queue continues now.")
               : woken.error().sentence());
    return jobs;
}

void serveQueue()
{
    const Queue queue;
    const QueueContents contents = queue.contents();
    if (!contents.waiting.isEmpty() || !contents.active.isEmpty())
        servedJobs(queue);
}

Result<QStringList> jobsNamed(const QList<JobRecord> &jobs, const QStringList &words,
                              const std::function<bool(const JobRecord &)> &fits)
{
    QStringList ids;
    for (const QString &word : words) {
        bool found = false;
        const JobRecord *other = nullptr;
        for (const JobRecord &record : jobs) {
            if (record.job.id != word && record.job.package != word && record.job.variant != word)
                continue;
            other = &record;
            if (!fits(record))
                continue;
            found = true;
            if (!ids.contains(record.job.id))
                ids.append(record.job.id);
        }
        if (!found && other)
            return Error{Tr::tr("change the build"), word, unfitText(*other), {}};
        if (!found)
            return Error{Tr::tr("find the build"), word, Tr::tr("there is no such build"),
                         Tr::tr("\"torch-matrix queue\" and \"torch-matrix jobs\" list them."), !couldBeABuild(word)};
    }
    return ids;
}

Result<QStringList> variantsNamed(const Catalog &catalog, const BranchSnapshot &snapshot, const QStringList &words)
{
    QStringList names;
    for (const QString &given : words) {
        const QString word = given.endsWith(".nix"_L1) ? packageOf(given) : given; // a file, as a shell completes it
        const Result<Variant> variant = variantNamed(catalog, word);
        const bool isThere = snapshot.findPackage(word) != nullptr;
        if (!isThere && !variant)
            return variant.error();
        names.append(isThere ? word : variant->name());
    }
    return names;
}

auto addBuildersOption(CLI::App &verb, std::optional<std::string> &builders) -> CLI::Option *
{
    return verb
        .add_option(
            "--builders", builders,
            Help::tr("Nix's remote builders for these builds, written as in nix.conf; \"\" means none (default: "
                     "from Nix's configuration)"))
        ->check(CLI::Validator(
            [](std::string &line) {
                static const QRegularExpression unusable(u"[\\p{Cc}#]"_s);
                return QString::fromStdString(line).contains(unusable)
                           ? std::string("it takes one line without comments; separate builders with semicolons")
                           : std::string();
            },
            ""))
        ->type_name("TEXT"); // a TEXT may be empty
}

} // namespace tmx
