// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/history/BuildHistory.h"

#include "model/base/FileLock.h"
#include "model/base/StateFolder.h"
#include "model/base/Tr.h"

#include <QAtomicInt>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QUrl>
#include <QVariant>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// Each entry upgrades the file from the previous version. Entries are only added, never changed.
const QList<QStringList> &migrations()
{
    static const QList<QStringList> all{
        {u"CREATE TABLE builds (job TEXT PRIMARY KEY, variant TEXT NOT NULL, package TEXT NOT NULL, blob TEXT NOT "
         u"NULL, "
         "branch TEXT NOT NULL, commit_id TEXT NOT NULL, repository TEXT NOT NULL, machine TEXT NOT NULL, engine TEXT "
         "NOT NULL, queued INTEGER, started INTEGER, ended INTEGER, peak_memory INTEGER NOT NULL, outcome TEXT NOT "
         "NULL, "
         "reason TEXT NOT NULL, log TEXT NOT NULL, result TEXT NOT NULL, size INTEGER NOT NULL, published TEXT NOT "
         "NULL, verified TEXT NOT NULL)"_s,
         u"CREATE INDEX builds_by_variant ON builds (repository, branch, variant)"_s},
        {u"ALTER TABLE builds ADD COLUMN likeness TEXT NOT NULL DEFAULT ''"_s,
         u"CREATE INDEX builds_by_likeness ON builds (likeness, machine)"_s,
         u"CREATE TABLE steps (job TEXT NOT NULL, twentieth INTEGER NOT NULL, seconds INTEGER NOT NULL, "
         "PRIMARY KEY (job, twentieth)) WITHOUT ROWID"_s,
         u"CREATE TABLE publications (repository TEXT NOT NULL, branch TEXT NOT NULL, package TEXT NOT NULL, blob TEXT "
         "NOT NULL, published_as TEXT NOT NULL, published INTEGER, PRIMARY KEY (repository, branch, package, "
         "published_as)) WITHOUT ROWID"_s},
        // For the newest builds, and for the last ones of a kind on a machine.
        {u"DROP INDEX builds_by_likeness"_s,
         u"CREATE INDEX builds_by_likeness ON builds (likeness, machine, outcome, ended)"_s,
         u"CREATE INDEX builds_by_time ON builds (COALESCE(ended, started, queued), job)"_s},
    };
    return all;
}

const QString columns =
    u"job, variant, package, blob, branch, commit_id, repository, machine, engine, queued, started, "
    "ended, peak_memory, outcome, reason, log, result, size, published, verified"_s;

QVariant timeValue(const QDateTime &time)
{
    return time.isValid() ? QVariant(time.toMSecsSinceEpoch()) : QVariant(QMetaType::fromType<qint64>());
}

QDateTime timeOf(const QVariant &value)
{
    return value.isNull() ? QDateTime() : QDateTime::fromMSecsSinceEpoch(value.toLongLong());
}

/// SQLite's primary result code.
int codeOf(const QSqlError &error)
{
    return error.nativeErrorCode().toInt() & 0xFF;
}

/// SQLITE_CORRUPT, or SQLITE_NOTADB.
bool saysDamaged(const QSqlError &error)
{
    return codeOf(error) == 11 || codeOf(error) == 26;
}

/// SQLITE_BUSY, or SQLITE_LOCKED.
bool saysInUse(const QSqlError &error)
{
    return codeOf(error) == 5 || codeOf(error) == 6;
}

Error failed(const QString &what, const QString &path, const QSqlError &error)
{
    return {what, path, error.databaseText().isEmpty() ? error.driverText() : error.databaseText(),
            saysInUse(error) ? Tr::tr("Another program is using it. Try again when that program has finished.")
                             : Tr::tr("Check that the folder can be written and its disk is not full.")};
}

/// Whether the file system refuses the locks that SQLite uses.
bool hasNoLocks(const QString &path)
{
    // Another file: to close the history's would release SQLite's own locks.
    const int fd = ::open(QFile::encodeName(path + u".locks"_s).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    struct flock first{};
    first.l_type = F_RDLCK;
    first.l_whence = SEEK_SET;
    first.l_len = 1;
    const bool refused = ::fcntl(fd, F_SETLK, &first) != 0 && isUnsupported(errno);
    ::close(fd);
    return refused;
}

QString shown(const QDateTime &time)
{
    return time.isValid() ? time.toUTC().toString(Qt::ISODate) : QString();
}

qint64 median(QList<qint64> values)
{
    std::sort(values.begin(), values.end());
    return values.at(values.size() / 2);
}

} // namespace

std::optional<qint64> BuildRecord::seconds() const
{
    return started.isValid() && ended.isValid() ? std::optional(started.secsTo(ended)) : std::nullopt;
}

int twentiethOf(int step, int total)
{
    return total > 0 ? int(qint64(std::clamp(step, 0, total)) * 20 / total) : 0;
}

std::optional<BuildEstimate> timeLeft(const QList<EarlierBuild> &earlier, const QMap<int, qint64> &twentieths,
                                      qint64 elapsed)
{
    QList<qint64> rests;
    if (!twentieths.isEmpty()) {
        const qint64 since = elapsed - twentieths.last();
        for (const EarlierBuild &build : earlier) {
            const auto there = build.twentieths.constFind(twentieths.lastKey());
            if (there != build.twentieths.constEnd())
                rests.append(build.seconds - *there - since);
        }
    }
    if (rests.isEmpty()) {
        for (const EarlierBuild &build : earlier)
            rests.append(build.seconds - elapsed);
    }
    const qint64 rest = rests.isEmpty() ? 0 : median(rests);
    return rest > 0 ? std::optional(BuildEstimate{rest, int(rests.size())}) : std::nullopt;
}

QString likenessOf(const QString &variant)
{
    const QStringList parts = variant.split(u'-');
    return parts.value(0) + u' ' + parts.value(2, parts.value(1));
}

struct BuildHistory::Private {
    ~Private() { close(); }
    void close()
    {
        if (!QSqlDatabase::contains(connection))
            return;
        QSqlDatabase::database(connection, false).close();
        QSqlDatabase::removeDatabase(connection);
    }
    [[nodiscard]] QSqlDatabase database() const { return QSqlDatabase::database(connection, false); }
    Result<void> run(QSqlQuery &query, const QString &what) const
    {
        if (query.exec())
            return {};
        return failed(what, path, query.lastError());
    }
    Result<void> statement(const QString &sql, const QString &what) const
    {
        QSqlQuery query(database());
        if (query.exec(sql))
            return {};
        damaged |= saysDamaged(query.lastError());
        return failed(what, path, query.lastError());
    }
    Result<void> connect();
    Result<void> migrate() const;

    QString path;
    QString connection;
    QString notice;
    mutable bool damaged = false;
};

Result<void> BuildHistory::Private::connect()
{
    static QAtomicInt number;
    connection = u"torch-matrix-builds-%1"_s.arg(number.fetchAndAddRelaxed(1));
    QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, connection);
    QString options = u"QSQLITE_BUSY_TIMEOUT=4000"_s;
    if (hasNoLocks(path)) {
        // SQLite then locks with a folder beside the file.
        options += u";QSQLITE_OPEN_URI"_s;
        database.setDatabaseName(u"file:"_s + QString::fromLatin1(QUrl::toPercentEncoding(path, "/")) +
                                 u"?vfs=unix-dotfile"_s);
    } else {
        database.setDatabaseName(path);
    }
    database.setConnectOptions(options);
    const QString what = Tr::tr("open the history of builds");
    if (!database.open())
        return failed(what, path, database.lastError());
    // The first pragma fails if the file is not a database.
    for (const QString &pragma : {u"PRAGMA journal_mode=WAL"_s, u"PRAGMA synchronous=NORMAL"_s})
        TM_CHECK(statement(pragma, what));
    QSqlQuery check(database);
    if (!check.exec(u"PRAGMA quick_check(1)"_s) || !check.next() || check.value(0).toString() != "ok"_L1) {
        damaged = !check.lastError().isValid() || saysDamaged(check.lastError());
        return failed(what, path, check.lastError());
    }
    check.finish(); // An index cannot be dropped while something is read.
    return migrate();
}

Result<void> BuildHistory::Private::migrate() const
{
    const QString what = Tr::tr("update the history of builds");
    const auto version = [this] {
        QSqlQuery query(database());
        return query.exec(u"PRAGMA user_version"_s) && query.next() ? query.value(0).toInt() : 0;
    };
    if (version() == migrations().size())
        return {};
    // Another program may upgrade at the same time; the second one finds it done.
    TM_CHECK(statement(u"BEGIN IMMEDIATE"_s, what));
    const int from = version();
    if (from > migrations().size()) {
        static_cast<void>(statement(u"ROLLBACK"_s, what));
        return Error{Tr::tr("open the history of builds"), path, Tr::tr("a newer version of this program made it"),
                     Tr::tr("Use that version, or move the file away.")};
    }
    for (int next = from; next < migrations().size(); ++next) {
        for (const QString &sql : migrations().at(next)) {
            if (const Result<void> done = statement(sql, what); !done) {
                static_cast<void>(statement(u"ROLLBACK"_s, what));
                return done;
            }
        }
    }
    if (from == 1) {
        QSqlQuery jobs(database());
        QSqlQuery update(database());
        update.prepare(u"UPDATE builds SET likeness = ? WHERE variant = ?"_s);
        for (bool more = jobs.exec(u"SELECT DISTINCT variant FROM builds"_s) && jobs.next(); more; more = jobs.next()) {
            update.bindValue(0, likenessOf(jobs.value(0).toString()));
            update.bindValue(1, jobs.value(0));
            TM_CHECK(run(update, what));
        }
    }
    TM_CHECK(statement(u"PRAGMA user_version = %1"_s.arg(migrations().size()), what));
    return statement(u"COMMIT"_s, what);
}

BuildHistory::BuildHistory(std::unique_ptr<Private> own)
    : d(std::move(own))
{
}

BuildHistory::BuildHistory(BuildHistory &&) noexcept = default;
BuildHistory &BuildHistory::operator=(BuildHistory &&) noexcept = default;
BuildHistory::~BuildHistory() = default;

Result<BuildHistory> BuildHistory::open(const QString &path)
{
    auto d = std::make_unique<Private>();
    d->path = path.isEmpty() ? stateFolder() + u"/builds.sqlite"_s : path;
    if (!QDir().mkpath(QFileInfo(d->path).path()))
        return Error{Tr::tr("create the folder of the history of builds"),
                     QFileInfo(d->path).path(),
                     Tr::tr("it cannot be written"),
                     {}};
    Result<void> opened = d->connect();
    if (!opened && d->damaged) {
        d->close();
        const QString aside =
            d->path + u".damaged-"_s + QDateTime::currentDateTimeUtc().toString(u"yyyyMMdd-HHmmss-zzz"_s);
        if (!QFile::rename(d->path, aside))
            return opened.error();
        // They belong to the damaged file.
        for (const QString &part : {u"-wal"_s, u"-shm"_s})
            static_cast<void>(QFile::rename(d->path + part, aside + part));
        d->notice = Tr::tr("The history of builds was damaged. It is kept as %1, and a new one was "
                           "started.")
                        .arg(aside);
        opened = d->connect();
    }
    if (!opened)
        return opened.error();
    return BuildHistory(std::move(d));
}

QString BuildHistory::notice() const
{
    return d->notice;
}

Result<bool> BuildHistory::record(const BuildRecord &record)
{
    QSqlQuery query(d->database());
    query.prepare(
        u"INSERT INTO builds (%1, likeness) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
        "?) ON CONFLICT (job) DO NOTHING"_s.arg(columns));
    const auto text = [](const QString &value) { return value.isNull() ? u""_s : value; };
    for (const QString &value : {record.job, record.variant, record.package, record.blob, record.branch, record.commit,
                                 record.repository, record.machine, record.engine})
        query.addBindValue(text(value));
    for (const QDateTime &time : {record.queued, record.started, record.ended})
        query.addBindValue(timeValue(time));
    query.addBindValue(record.peakMemory);
    for (const QString &value : {wordOf(record.outcome), record.reason, record.log, record.result})
        query.addBindValue(text(value));
    query.addBindValue(record.size);
    query.addBindValue(text(record.published));
    query.addBindValue(text(record.verified));
    query.addBindValue(likenessOf(record.variant));
    TM_CHECK(d->run(query, Tr::tr("write into the history of builds")));
    return query.numRowsAffected() > 0;
}

QSet<QString> BuildHistory::jobs() const
{
    QSqlQuery known(d->database());
    QSet<QString> jobs;
    known.setForwardOnly(true);
    for (bool more = known.exec(u"SELECT job FROM builds"_s) && known.next(); more; more = known.next())
        jobs.insert(known.value(0).toString());
    return jobs;
}

Result<void> BuildHistory::setVerified(const QString &job, bool passed, qint64 size)
{
    QSqlQuery query(d->database());
    query.prepare(u"UPDATE builds SET verified = ?, size = CASE WHEN ? > 0 THEN ? ELSE size END WHERE job = ?"_s);
    query.addBindValue(passed ? u"passed"_s : u"failed"_s);
    query.addBindValue(size);
    query.addBindValue(size);
    query.addBindValue(job);
    return d->run(query, Tr::tr("write into the history of builds"));
}

Result<QHash<QString, QString>> BuildHistory::verified() const
{
    QSqlQuery query(d->database());
    query.setForwardOnly(true);
    query.prepare(u"SELECT job, verified FROM builds WHERE verified <> ''"_s);
    TM_CHECK(d->run(query, Tr::tr("read the history of builds")));
    QHash<QString, QString> verified;
    while (query.next())
        verified.insert(query.value(0).toString(), query.value(1).toString());
    return verified;
}

Result<void> BuildHistory::setPublished(const Publication &publication)
{
    const QString what = Tr::tr("write into the history of builds");
    const auto text = [](const QString &value) { return value.isNull() ? u""_s : value; };
    QSqlQuery insert(d->database());
    insert.prepare(u"INSERT INTO publications (repository, branch, package, blob, published_as, published) VALUES (?, "
                   "?, ?, ?, ?, ?) ON CONFLICT (repository, branch, package, published_as) DO UPDATE SET blob = "
                   "excluded.blob, published = excluded.published"_s);
    for (const QString &value :
         {publication.repository, publication.branch, publication.package, publication.blob, publication.as})
        insert.addBindValue(text(value));
    insert.addBindValue(timeValue(publication.when));
    TM_CHECK(d->run(insert, what));
    QSqlQuery update(d->database());
    update.prepare(u"UPDATE builds SET published = ? WHERE package = ? AND blob = ? AND outcome = 'built'"_s);
    for (const QString &value : {publication.as, publication.package, publication.blob})
        update.addBindValue(text(value));
    return d->run(update, what);
}

Result<QList<Publication>> BuildHistory::publications(const QString &repository, const QString &branch, Each each) const
{
    QSqlQuery query(d->database());
    query.setForwardOnly(true);
    query.prepare(
        u"SELECT repository, branch, package, blob, published_as, MAX(published) FROM publications WHERE "
        "(? = '' OR repository = ?) AND (? = '' OR branch = ?) GROUP BY repository, branch, package%1 ORDER BY 6 DESC, 3"_s
            .arg(each == Each::Name ? u", published_as"_s : QString()));
    query.addBindValue(repository.isNull() ? u""_s : repository);
    query.addBindValue(repository);
    query.addBindValue(branch.isNull() ? u""_s : branch);
    query.addBindValue(branch);
    TM_CHECK(d->run(query, Tr::tr("read the history of builds")));
    QList<Publication> publications;
    while (query.next())
        publications.append({query.value(0).toString(), query.value(1).toString(), query.value(2).toString(),
                             query.value(3).toString(), query.value(4).toString(), timeOf(query.value(5))});
    return publications;
}

Result<void> BuildHistory::addSteps(const QString &job, const QMap<int, qint64> &twentieths)
{
    QSqlQuery query(d->database());
    query.prepare(u"INSERT INTO steps (job, twentieth, seconds) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"_s);
    for (auto it = twentieths.begin(); it != twentieths.end(); ++it) {
        query.bindValue(0, job);
        query.bindValue(1, it.key());
        query.bindValue(2, it.value());
        TM_CHECK(d->run(query, Tr::tr("write into the history of builds")));
    }
    return {};
}

Result<QList<BuildRecord>> BuildHistory::records(const BuildFilter &filter) const
{
    QStringList where;
    QVariantList values;
    for (const auto &[column, value] : {std::pair(u"repository"_s, filter.repository),
                                        {u"branch"_s, filter.branch},
                                        {u"variant"_s, filter.variant},
                                        {u"outcome"_s, filter.outcome}}) {
        if (value.isEmpty())
            continue;
        if (column == "outcome"_L1 && value == "failed"_L1) {
            where.append(u"outcome NOT IN ('built', 'stopped')"_s);
            continue;
        }
        where.append(column + u" = ?"_s);
        values.append(value);
    }
    QSqlQuery query(d->database());
    query.setForwardOnly(true);
    query.prepare(u"SELECT %1 FROM builds %2 ORDER BY COALESCE(ended, started, queued) DESC, job DESC LIMIT %3"_s.arg(
        columns, where.isEmpty() ? QString() : u"WHERE "_s + where.join(u" AND "_s),
        QString::number(filter.limit > 0 ? filter.limit : -1)));
    for (const QVariant &value : values)
        query.addBindValue(value);
    TM_CHECK(d->run(query, Tr::tr("read the history of builds")));
    QList<BuildRecord> records;
    while (query.next()) {
        int at = 0;
        const auto text = [&] { return query.value(at++).toString(); };
        BuildRecord record;
        for (QString *value : {&record.job, &record.variant, &record.package, &record.blob, &record.branch,
                               &record.commit, &record.repository, &record.machine, &record.engine})
            *value = text();
        for (QDateTime *time : {&record.queued, &record.started, &record.ended})
            *time = timeOf(query.value(at++));
        record.peakMemory = query.value(at++).toLongLong();
        record.outcome = outcomeKindNamed(text()).value_or(BuildOutcome::Kind::Failed);
        for (QString *value : {&record.reason, &record.log, &record.result})
            *value = text();
        record.size = query.value(at++).toLongLong();
        record.published = text();
        record.verified = text();
        records.append(record);
    }
    return records;
}

QList<EarlierBuild> BuildHistory::earlierBuilds(const QString &variant, const QString &machine) const
{
    QSqlQuery query(d->database());
    query.setForwardOnly(true);
    query.prepare(
        u"SELECT b.job, b.seconds, s.twentieth, s.seconds FROM (SELECT job, ended, (ended - started) / 1000 AS "
        "seconds FROM builds WHERE likeness = ? AND machine = ? AND outcome = 'built' AND started IS NOT NULL "
        "AND ended > started ORDER BY ended DESC LIMIT 50) b LEFT JOIN steps s ON s.job = b.job ORDER BY "
        "b.ended DESC, b.job"_s);
    query.addBindValue(likenessOf(variant));
    query.addBindValue(machine);
    QList<EarlierBuild> builds;
    if (!query.exec())
        return builds;
    QString job;
    while (query.next()) {
        if (const QString id = query.value(0).toString(); builds.isEmpty() || std::exchange(job, id) != id) {
            job = id;
            builds.append(EarlierBuild{query.value(1).toLongLong(), {}});
        }
        if (!query.value(2).isNull())
            builds.last().twentieths.insert(query.value(2).toInt(), query.value(3).toLongLong());
    }
    return builds;
}

bool BuildFilter::takes(const BuildRecord &record) const
{
    const auto isOf = [](const QString &wanted, const QString &value) { return wanted.isEmpty() || wanted == value; };
    return isOf(repository, record.repository) && isOf(branch, record.branch) && isOf(variant, record.variant) &&
           (outcome == "failed"_L1 ? isFailure(record.outcome) : isOf(outcome, wordOf(record.outcome)));
}

QByteArray toCsv(const QList<BuildRecord> &records)
{
    const auto field = [](QString text) {
        if (!text.isEmpty() && u"=+-@\t\r"_s.contains(text.at(0)))
            text.prepend(u'\'');
        if (text.contains(u'"') || text.contains(u',') || text.contains(u'\n') || text.contains(u'\r'))
            text = u'"' + text.replace(u'"', u"\"\""_s) + u'"';
        return text;
    };
    const auto number = [](qint64 value) { return value > 0 ? QString::number(value) : QString(); };
    QString csv = u"job,variant,package,branch,commit,blob,repository,machine,engine,queued,started,ended,seconds,"
                  "peak_memory,outcome,reason,result,size,published,verified,log\r\n"_s;
    for (const BuildRecord &record : records) {
        const std::optional<qint64> seconds = record.seconds();
        QStringList row;
        for (const QString &text : {record.job,
                                    record.variant,
                                    record.package,
                                    record.branch,
                                    record.commit,
                                    record.blob,
                                    record.repository,
                                    record.machine,
                                    record.engine,
                                    shown(record.queued),
                                    shown(record.started),
                                    shown(record.ended),
                                    seconds ? QString::number(*seconds) : QString(),
                                    number(record.peakMemory),
                                    wordOf(record.outcome),
                                    record.reason,
                                    record.result,
                                    number(record.size),
                                    record.published,
                                    record.verified,
                                    record.log})
            row.append(field(text));
        csv += row.join(u',') + u"\r\n"_s;
    }
    return csv.toUtf8();
}

} // namespace tmx
