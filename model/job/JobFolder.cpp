// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/AtomicFile.h"
#include "model/base/Process.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/base/WindowThread.h"
#include "model/job/Job.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QRandomGenerator>
#include <QTimeZone>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qsizetype mostJobBytes = qsizetype(1) << 20;
constexpr qsizetype mostOfPhase = 200;

std::optional<QByteArray> readWhole(const QString &path)
{
    return readSmallFile(path, mostJobBytes);
}

QString firstLineOf(const QString &path)
{
    const QByteArray text = readWhole(path).value_or(QByteArray());
    return QString::fromLatin1(text.left(text.indexOf('\n')).left(64)).trimmed();
}

/// Ids sort by time.
QString newId(const QDateTime &created)
{
    return created.toUTC().toString(u"yyyyMMdd-HHmmss-zzz"_s) +
           QString::number(QRandomGenerator::system()->bounded(1U << 12), 16).rightJustified(3, u'0');
}

} // namespace

QString bootId()
{
    return firstLineOf(u"/proc/sys/kernel/random/boot_id"_s);
}

QString machineId()
{
    return firstLineOf(u"/etc/machine-id"_s);
}

JobFolder::JobFolder(const QString &path)
    : m_path(QDir::cleanPath(path))
{
}

JobFolder JobFolder::of(const QString &state, const QString &id)
{
    return JobFolder(state + u"/jobs/"_s + (hasForm(id, u"[0-9a-z-]{1,64}") ? id : u"none"_s));
}

QList<JobFolder> JobFolder::all(const QString &state)
{
    belongsToAWorker("reading the jobs");
    QList<JobFolder> folders;
    const QStringList ids =
        QDir(state + u"/jobs"_s).entryList(QDir::Dirs | QDir::NoSymLinks | QDir::NoDotAndDotDot, QDir::Name);
    for (const QString &id : ids) {
        if (hasForm(id, u"[0-9a-z-]{1,64}"))
            folders.append(of(state, id));
    }
    return folders;
}

Result<JobFolder> JobFolder::create(const QString &state, Job job)
{
    const auto failed = [&](const QString &why) {
        return Error{Tr::tr("queue the build"), job.package, why, Tr::tr("Check %1 and its disk.").arg(state)};
    };
    // Written under a hidden name first, which readers skip, so that a visible job is complete.
    const QString jobs = state + u"/jobs"_s;
    if (!QDir().mkpath(jobs))
        return failed(Tr::tr("%1 cannot be created").arg(jobs));
    if (!job.created.isValid())
        job.created = QDateTime::currentDateTimeUtc();
    if (job.id.isEmpty())
        job.id = newId(job.created);
    for (int attempt = 0; attempt < 100; ++attempt) {
        const JobFolder folder = of(state, job.id);
        QByteArray draft = QFile::encodeName(jobs + u"/.new-XXXXXX"_s);
        if (!::mkdtemp(draft.data()))
            return failed(qt_error_string(errno));
        const QString file = QFile::decodeName(draft) + u"/job.json"_s;
        const Result<void> written = writeFileAtomically(file, toJson(job), {}, Existing::Refuse);
        if (written && QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner) &&
            // A folder replaces an empty folder only, and a job's is never empty.
            ::rename(draft.constData(), QFile::encodeName(folder.path()).constData()) == 0)
            return folder;
        const int error = errno;
        QFile::remove(file);
        ::rmdir(draft.constData());
        if (!written)
            return written.error();
        if (error != EEXIST && error != ENOTEMPTY)
            return failed(qt_error_string(error));
        job.id = newId(job.created);
    }
    return failed(Tr::tr("no free name was found"));
}

QString JobFolder::id() const
{
    return QFileInfo(m_path).fileName();
}

QString JobFolder::state() const
{
    return QFileInfo(QFileInfo(m_path).path()).path();
}

QString JobFolder::workTree() const
{
    return state() + u"/work-trees/"_s + id();
}

Result<Job> JobFolder::job() const
{
    const std::optional<QByteArray> text = readWhole(file(u"job.json"_s));
    if (!text)
        return Error{Tr::tr("read the job"), m_path, Tr::tr("it has no job.json"), {}};
    return jobFromJson(*text);
}

std::optional<JobOutcome> JobFolder::outcome() const
{
    const std::optional<QByteArray> text = readWhole(file(u"outcome.json"_s));
    if (!text || text->isEmpty()) // Empty: its name is reserved (moveToFreeName).
        return {};
    if (const Result<JobOutcome> read = outcomeFromJson(*text))
        return *read;
    // It has ended, but its outcome cannot be read.
    JobOutcome outcome{.build = {.kind = BuildOutcome::Kind::Lost, .cause = BuildOutcome::Cause::Damaged}};
    outcome.ended = QFileInfo(file(u"outcome.json"_s)).lastModified();
    outcome.started = outcome.ended;
    return outcome;
}

std::optional<JobProgress> JobFolder::progress() const
{
    const std::optional<QByteArray> text = readWhole(file(u"progress.json"_s));
    if (!text)
        return {};
    const QJsonObject object = QJsonDocument::fromJson(*text).object();
    JobProgress progress;
    progress.total = qMax(0, object.value(u"total"_s).toInt());
    progress.step = qBound(0, object.value(u"step"_s).toInt(), progress.total);
    progress.phase = object.value(u"phase"_s).toString().left(mostOfPhase);
    progress.killsAt = QDateTime::fromString(object.value(u"killsAt"_s).toString(), Qt::ISODateWithMs);
    const QJsonObject twentieths = object.value(u"twentieths"_s).toObject();
    for (auto it = twentieths.begin(); it != twentieths.end(); ++it) {
        bool number = false;
        if (const int twentieth = it.key().toInt(&number); number && twentieth >= 0 && twentieth <= 20)
            progress.twentieths.insert(twentieth, qMax<qint64>(0, it.value().toInteger()));
    }
    return progress;
}

void JobFolder::writeProgress(const JobProgress &progress) const
{
    QJsonObject twentieths;
    for (auto it = progress.twentieths.begin(); it != progress.twentieths.end(); ++it)
        twentieths.insert(QString::number(it.key()), it.value());
    QJsonObject object{{u"step"_s, progress.step},
                       {u"total"_s, progress.total},
                       {u"phase"_s, progress.phase.left(mostOfPhase)},
                       {u"twentieths"_s, twentieths}};
    if (progress.killsAt.isValid())
        object.insert(u"killsAt"_s, progress.killsAt.toUTC().toString(Qt::ISODateWithMs));
    const QByteArray text = QJsonDocument(object).toJson(QJsonDocument::Compact);
    QFile draft(file(u".progress"_s));
    if (draft.open(QIODevice::WriteOnly | QIODevice::Truncate | QIODevice::Unbuffered) &&
        draft.write(text) == text.size())
        ::rename(QFile::encodeName(draft.fileName()).constData(),
                 QFile::encodeName(file(u"progress.json"_s)).constData());
}

std::optional<JobRunner> JobFolder::runner() const
{
    const std::optional<QByteArray> text = readWhole(file(u"runner"_s));
    if (const QDateTime started = text ? QDateTime() : startedRemotely(); started.isValid())
        return JobRunner{0, {}, {}, u"slurm"_s, started};
    if (!text)
        return {};
    const QJsonObject object = QJsonDocument::fromJson(*text).object();
    return JobRunner{object.value(u"pid"_s).toInteger(), object.value(u"process"_s).toString().toLatin1(),
                     object.value(u"boot"_s).toString(), object.value(u"machine"_s).toString(),
                     QDateTime::fromString(object.value(u"started"_s).toString(), Qt::ISODateWithMs)};
}

QDateTime JobFolder::startedRemotely() const
{
    const qint64 seconds = readWhole(file(u"remote/started"_s)).value_or(QByteArray()).left(16).trimmed().toLongLong();
    return seconds > 0 ? QDateTime::fromSecsSinceEpoch(seconds, QTimeZone::UTC) : QDateTime();
}

bool JobFolder::runnerLives() const
{
    const int fd =
        ::open(QFile::encodeName(file(u"runner"_s)).constData(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return false;
    const bool locked = ::flock(fd, LOCK_SH | LOCK_NB) != 0;
    const int error = errno;
    ::close(fd);
    if (!locked || error == EWOULDBLOCK)
        return locked;
    // The file system has no locks. What another machine runs cannot be seen here.
    const std::optional<JobRunner> running = runner();
    return running && (running->boot == bootId() ? processRuns(running->process) : running->machine != machineId());
}

bool JobFolder::has(const QString &name) const
{
    return QFileInfo(file(name)).size() > 0; // An empty file's name is reserved (moveToFreeName).
}

JobPhase JobFolder::phase() const
{
    if (has(u"outcome.json"_s))
        return JobPhase::Ended;
    // Slurm is responsible for the job from the first sbatch on.
    if (has(u"slurm.json"_s)) {
        if (stopLevel() > 0)
            return JobPhase::Stopping;
        return startedRemotely().isValid() ? JobPhase::Running : JobPhase::Waiting;
    }
    if (!has(u"runner"_s))
        return JobPhase::Waiting;
    if (runnerLives())
        return stopLevel() > 0 ? JobPhase::Stopping : JobPhase::Running;
    // The runner may have written its outcome and ended meanwhile.
    return has(u"outcome.json"_s) ? JobPhase::Ended : JobPhase::Lost;
}

int JobFolder::stopLevel() const
{
    return int(qMin<qsizetype>(readWhole(file(u"stop"_s)).value_or(QByteArray()).size(), killLevel));
}

Result<void> JobFolder::requestStop() const
{
    // One byte per request, so that two simultaneous requests count as two.
    const int fd = ::open(QFile::encodeName(file(u"stop"_s)).constData(),
                          O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    const bool written = fd >= 0 && ::write(fd, "x", 1) == 1;
    const int error = errno;
    if (fd >= 0)
        ::close(fd);
    if (written)
        return {};
    // On a full disk a signal still reaches the runner, which counts it as the same request.
    const std::optional<JobRunner> running = runner();
    if (running && runnerLives() && processRuns(running->process) && ::kill(pid_t(running->pid), SIGTERM) == 0)
        return {};
    return Error{Tr::tr("stop the build"), m_path, qt_error_string(error), {}};
}

Result<bool> JobFolder::writeOutcome(const JobOutcome &outcome) const
{
    if (QFileInfo::exists(file(u"outcome.json"_s)))
        return false;
    const Result<void> written = writeFileAtomically(file(u"outcome.json"_s), toJson(outcome), {}, Existing::Refuse);
    if (!written && QFileInfo::exists(file(u"outcome.json"_s)))
        return false;
    if (!written)
        return written.error();
    return true;
}

} // namespace tmx
