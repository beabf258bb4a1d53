// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/RemoteJob.h"

#include "model/base/Process.h"
#include "model/base/Tr.h"
#include "model/job/Engine.h"
#include "model/job/GitAnswer.h"
#include "model/outcome/OutcomeReader.h"

#include <QFile>
#include <QTimeZone>

using namespace Qt::StringLiterals;
using Cause = tmx::BuildOutcome::Cause;
using Kind = tmx::BuildOutcome::Kind;

namespace tmx {

namespace {

constexpr qsizetype mostResults = 64;
constexpr qsizetype mostLine = 4096;
constexpr qsizetype mostText = qsizetype(512) << 10;

std::optional<RemoteEnd::How> howNamed(const QByteArray &word)
{
    using How = RemoteEnd::How;
    static const QHash<QByteArray, How> words{{"exit", How::Exit},
                                              {"stopped", How::Stopped},
                                              {"time", How::Time},
                                              {"checkout", How::Checkout},
                                              {"missing", How::Missing}};
    const auto found = words.constFind(word);
    return found == words.constEnd() ? std::nullopt : std::optional(*found);
}

QDateTime timeOf(const QByteArray &seconds)
{
    bool number = false;
    const qint64 value = seconds.toLongLong(&number);
    return number && value > 0 && value < qint64(1) << 36 ? QDateTime::fromSecsSinceEpoch(value, QTimeZone::UTC)
                                                          : QDateTime();
}

QString lastLineOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    file.seek(qMax<qint64>(0, file.size() - mostLine));
    return QString::fromUtf8(file.read(mostLine)).trimmed().section(u'\n', -1).remove(u"fatal: "_s);
}

} // namespace

QByteArray remoteScript()
{
    QFile script(u":/torch-matrix/build/remote.sh"_s);
    const bool opened = script.open(QIODevice::ReadOnly);
    Q_ASSERT(opened);
    return opened ? script.readAll() : QByteArray();
}

QList<QPair<QString, QString>> remoteFiles(const Job &job, const QByteArray &recipe)
{
    const QStringList words = QStringList{programOf(job.engine)} + engineArguments(job, u"@TREE@"_s, recipe);
    return {{u"commit"_s, job.commit},
            {u"command"_s, words.join(u'\n')},
            {u"config"_s, job.cores > 0 ? u"cores = %1"_s.arg(job.cores) : QString()}};
}

std::optional<RemoteEnd> remoteEndOf(const QByteArray &text, const QString &package)
{
    RemoteEnd end;
    bool known = false;
    const QString first = u"result-"_s + package;
    const QList<QByteArray> lines = text.first(qMin(text.size(), mostText)).split('\n');
    for (const QByteArray &line : lines) {
        const qsizetype blank = line.indexOf(' ');
        if (blank < 0 || line.size() > mostLine)
            continue;
        const QByteArray name = line.first(blank);
        const QByteArray value = line.sliced(blank + 1);
        if (name == "how") {
            const auto how = howNamed(value);
            known = how.has_value();
            end.how = how.value_or(RemoteEnd::How::Exit);
        } else if (name == "status") {
            end.status = qBound(0, value.toInt(), 255);
        } else if (name == "started") {
            end.started = timeOf(value);
        } else if (name == "ended") {
            end.ended = timeOf(value);
        } else if (name == "result" && end.results.size() < mostResults) {
            const qsizetype path = value.indexOf(' ') + 1;
            const QString target = QString::fromUtf8(value.sliced(path));
            if (path < 2 || !target.startsWith(u'/'))
                continue;
            if (value.first(path - 1) == first.toUtf8())
                end.results.prepend(target);
            else
                end.results.append(target);
        }
    }
    if (!known || !end.ended.isValid())
        return {};
    if (!end.started.isValid() || end.started > end.ended)
        end.started = end.ended;
    return end;
}

JobOutcome outcomeOf(const JobFolder &folder, const Job &job, const RemoteEnd &end)
{
    const QString where = job.place.kind == Place::Kind::Slurm ? Tr::tr("the node") : placeText(job.place);
    ProcessOutcome process;
    process.started = true;
    process.stopped = end.how == RemoteEnd::How::Stopped;
    process.signal = end.status > 128 ? end.status - 128 : 0;
    process.crashed = process.signal > 0 && end.how == RemoteEnd::How::Exit;
    process.exitCode = process.signal > 0 ? -1 : end.status;
    JobOutcome outcome;
    outcome.build = outcomeOfLog(folder.logFile(), job.package, process,
                                 end.results.isEmpty() ? ResultLink::Absent : ResultLink::Found);
    if (outcome.build.kind == Kind::HashMismatch) {
        if (const auto recipe = gitAnswer(job.repository, {u"cat-file"_s, u"blob"_s, job.blob}))
            outcome.build = judgedByRecipe(outcome.build, *recipe);
    }
    outcome.build.resultLinks.clear();
    outcome.signal = process.signal & 127;
    outcome.started = end.started;
    outcome.ended = end.ended;
    outcome.build.milliseconds = end.started.msecsTo(end.ended);
    switch (end.how) {
    case RemoteEnd::How::Checkout:
        outcome.build.kind = Kind::Failed;
        outcome.build.cause = Cause::Checkout;
        outcome.build.about = {job.commit.first(10), where};
        outcome.build.text = lastLineOf(folder.logFile());
        break;
    case RemoteEnd::How::Missing:
        outcome.build.kind = Kind::FloxMissing;
        outcome.build.cause = Cause::ProgramMissing;
        outcome.build.about = {programOf(job.engine), where};
        break;
    case RemoteEnd::How::Time:
        outcome.build.kind = Kind::TimeLimit;
        outcome.build.cause = Cause::SlurmLimit;
        break;
    case RemoteEnd::How::Exit:
    case RemoteEnd::How::Stopped: break;
    }
    if (outcome.build.kind == Kind::Built) {
        outcome.storePaths = end.results;
        outcome.build.machine = where;
        outcome.build.result = end.results.constFirst();
    }
    return outcome;
}

} // namespace tmx
