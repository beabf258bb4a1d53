// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/DryRun.h"

#include "model/base/Process.h"
#include "model/base/Programs.h"
#include "model/base/Tr.h"
#include "model/job/Engine.h"
#include "model/outcome/OutcomeReader.h"
#include "model/outcome/OutcomeText.h"

#include <QDir>
#include <QRegularExpression>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qsizetype mostOutput = qsizetype(4) << 20;

/// Writes the files of a commit to a folder, with a separate index.
Result<void> checkOut(const Job &job, const QString &index, const QString &folder)
{
    QProcessEnvironment environment = environmentOf(job, QProcessEnvironment::systemEnvironment());
    environment.insert(u"GIT_INDEX_FILE"_s, index);
    const QString git = findProgram(u"git"_s, environment);
    for (const QStringList &arguments :
         {QStringList{u"read-tree"_s, job.commit},
          QStringList{u"checkout-index"_s, u"--all"_s, u"--quiet"_s, u"--prefix=%1/"_s.arg(folder)}}) {
        const ProcessRun ran = runProcess(
            {.program = git, .arguments = arguments, .workingDirectory = job.repository, .environment = environment},
            mostOutput);
        if (!ran.outcome.succeeded())
            return Error{Tr::tr("read commit %1").arg(job.commit.first(10)),
                         job.repository,
                         ran.outcome.started ? QString::fromUtf8(ran.output).trimmed() : ran.outcome.error,
                         {}};
    }
    return {};
}

} // namespace

QString DryRun::summary() const
{
    if (built == 0 && fetched == 0)
        return Tr::tr("nothing to build or fetch");
    QStringList parts;
    if (built > 0)
        parts.append(Tr::tr("%n derivations to build", nullptr, built));
    if (fetched > 0)
        parts.append(download.isEmpty()
                         ? Tr::tr("%n paths to fetch", nullptr, fetched)
                         : Tr::tr("%n paths to fetch (%1, %2 unpacked)", nullptr, fetched).arg(download, unpacked));
    return parts.join(u", "_s);
}

DryRun readDryRun(const QByteArray &text)
{
    // The lines of a list are indented; old versions of Nix print no count.
    static const QRegularExpression head(u"^th(?:is|ese)(?: \\d+)? (derivation|path)s? will be (?:built|fetched)"
                                         "(?: \\((.{1,40}) download, (.{1,40}) unpacked\\))?:$"_s);
    DryRun run;
    run.text = text;
    int *list = nullptr;
    for (const QByteArray &line : text.split('\n')) {
        if (list && line.startsWith("  /")) {
            ++*list;
            continue;
        }
        list = nullptr;
        const QRegularExpressionMatch match =
            head.match(QString::fromUtf8(line.first(qMin<qsizetype>(line.size(), 200))));
        if (!match.hasMatch())
            continue;
        list = match.captured(1) == "path"_L1 ? &run.fetched : &run.built;
        if (list == &run.fetched) {
            run.download = match.captured(2);
            run.unpacked = match.captured(3);
        }
    }
    return run;
}

static Error whyNot(const QString &package, const ProcessRun &ran)
{
    const QString what = Tr::tr("list what would be built for");
    if (!ran.outcome.started)
        return {what, package, ran.outcome.error, {}};
    OutcomeReader reader(package);
    for (const QByteArray &line : ran.output.split('\n'))
        reader.read(QString::fromUtf8(line));
    const BuildOutcome outcome = reader.outcome(ran.outcome, {});
    if (outcome.cause == BuildOutcome::Cause::Unknown) // then its words say more
        return {what, package, QString::fromUtf8(ran.output).trimmed(), {}};
    const QString remedy = remedyOf(outcome);
    QString why = sentenceOf(outcome);
    if (why.endsWith(remedy))
        why.chop(remedy.size());
    return {what, package, why.trimmed(), remedy};
}

Result<QList<DryRun>> dryRun(const QList<Job> &jobs)
{
    QList<DryRun> runs;
    const QTemporaryDir folder;
    const QString tree = folder.filePath(u"tree"_s);
    if (jobs.isEmpty())
        return runs;
    if (!QDir().mkpath(tree))
        return Error{Tr::tr("list what would be built for"), folder.path(), folder.errorString(), {}};
    TM_CHECK(checkOut(jobs.constFirst(), folder.filePath(u"index"_s), tree));
    for (const Job &job : jobs) {
        const QProcessEnvironment environment = environmentOf(job, QProcessEnvironment::systemEnvironment());
        EngineCommand command = engineCommand(job, tree, environment);
        command.arguments.prepend(u"--dry-run"_s);
        const ProcessRun ran = runProcess({.program = command.program,
                                           .arguments = command.arguments,
                                           .workingDirectory = tree,
                                           .environment = environment},
                                          mostOutput);
        if (!ran.outcome.succeeded())
            return whyNot(job.package, ran);
        runs.append(readDryRun(ran.output));
    }
    return runs;
}

} // namespace tmx
