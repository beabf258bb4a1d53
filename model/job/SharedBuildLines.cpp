// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/SharedBuildLines.h"

#include "model/base/TextForm.h"
#include "model/job/Job.h"

#include <QCryptographicHash>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

constexpr qsizetype mostOfLine = 4096;
constexpr qsizetype mostLines = 200'000;

QString secondText(const QDateTime &when)
{
    return when.isValid() ? when.toUTC().toString(Qt::ISODate) : QString();
}

QByteArray lineOf(QJsonObject object)
{
    for (auto it = object.begin(); it != object.end();)
        it = it->isString() && it->toString().isEmpty() ? object.erase(it) : std::next(it);
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

/// The value of `key` if it matches `form`, else empty.
QString wordIn(const QJsonObject &line, const QString &key, QStringView form)
{
    const QString word = line.value(key).toString();
    return hasForm(word, form) ? word : QString();
}

constexpr QStringView idForm = u"[0-9a-f]{16}";
constexpr QStringView nameForm = u"[A-Za-z0-9][A-Za-z0-9_.+-]{0,199}";
constexpr QStringView refForm = u"[^\\x00-\\x20\\x7f]{1,250}";
constexpr QStringView storeForm = u"/nix/store/[0-9a-z]{32}-[0-9a-zA-Z+?=._-]{1,211}";
constexpr QStringView jobForm = u"[0-9]{8}-[0-9]{6}-[0-9a-f]{1,16}";
constexpr QStringView publishedForm = u"([A-Za-z0-9_.-]{1,100}/)?[A-Za-z0-9_.+-]{1,200}";

constexpr qsizetype mostOfError = 160;

/// Of a builder's error line what others may see: a path is its last name, an address is left out. Errors of machines
/// and of the network name hosts, and are not shared.
QString sharedError(const BuildRecord &record)
{
    using Kind = BuildOutcome::Kind;
    constexpr std::array ofBuilder{Kind::CompileError, Kind::EvaluationError, Kind::HashMismatch, Kind::OutOfMemory};
    if (std::ranges::find(ofBuilder, record.outcome) == ofBuilder.end())
        return {};
    static const QRegularExpression address(u"\\S*://\\S*"_s);
    static const QRegularExpression folders(uR"([^\s'"“”‘’`(<=:,]*/[^\s'"“”‘’`(<=:,]*/)"_s); // not of "I/O error"
    return QString(record.error).replace(address, u"…"_s).remove(folders).simplified().left(mostOfError);
}

/// One line of printable characters.
QString errorIn(const QJsonObject &line)
{
    QString error = line.value(u"error"_s).toString().simplified();
    error.removeIf([](QChar c) { return !c.isPrint() && !c.isSurrogate(); });
    return error.left(mostOfError);
}

QDateTime timeIn(const QJsonObject &line, const QString &key)
{
    return QDateTime::fromString(line.value(key).toString(), Qt::ISODate).toUTC();
}

std::optional<BuildRecord> buildIn(const QJsonObject &line)
{
    BuildRecord record;
    record.job = wordIn(line, u"id"_s, idForm);
    record.variant = wordIn(line, u"variant"_s, nameForm);
    record.package = wordIn(line, u"package"_s, nameForm);
    record.blob = wordIn(line, u"recipe"_s, hashForm);
    record.branch = wordIn(line, u"branch"_s, refForm);
    record.commit = wordIn(line, u"commit"_s, hashForm);
    record.machine = wordIn(line, u"machine"_s, machineForm);
    record.engine = wordIn(line, u"engine"_s, u"[a-z]{1,20}");
    record.queued = timeIn(line, u"queued"_s);
    record.started = timeIn(line, u"started"_s);
    record.ended = timeIn(line, u"ended"_s);
    record.result = wordIn(line, u"result"_s, storeForm);
    record.size = std::clamp<qint64>(line.value(u"size"_s).toInteger(), 0, qint64(1) << 50);
    const auto outcome = outcomeKindNamed(line.value(u"outcome"_s).toString());
    if (!outcome || record.job.isEmpty() || record.variant.isEmpty() || record.package.isEmpty() ||
        record.blob.isEmpty() || record.branch.isEmpty() || record.machine.isEmpty() || !record.ended.isValid())
        return {};
    record.outcome = *outcome;
    record.elsewhere = true;
    record.jobThere = wordIn(line, u"job"_s, jobForm);
    record.error = isFailure(*outcome) ? errorIn(line) : QString();
    record.reason = record.error.isEmpty() ? plainWordOf(*outcome) : record.error;
    return record;
}

struct Verified {
    QDateTime when;
    QString build;
    QString as;
};

} // namespace

QString lineIdOf(const QString &machine, const QString &job)
{
    const QByteArray name = "torch-matrix build\n" + machine.toUtf8() + '\n' + job.toUtf8();
    return QString::fromLatin1(QCryptographicHash::hash(name, QCryptographicHash::Sha256).toHex().first(16));
}

QMap<QString, QByteArrayList> sharedBuildLinesOf(const QList<BuildRecord> &records,
                                                 const QList<Publication> &publications, const QString &label,
                                                 const SharedBuildLines &known, const QDateTime &now)
{
    QMap<QString, QByteArrayList> lines;
    const auto add = [&lines](const QDateTime &when, const QJsonObject &object) {
        lines[when.toUTC().toString(u"yyyy-MM"_s)].append(lineOf(object));
    };
    QHash<QString, const BuildRecord *> knownBuilds;
    for (const BuildRecord &record : known.builds)
        knownBuilds.insert(record.job, &record);
    for (const BuildRecord &record : records) {
        const QString id = lineIdOf(record.machine, record.job);
        const BuildRecord *before = knownBuilds.value(id);
        if (!before)
            add(record.ended, {{u"kind"_s, u"build"_s},
                               {u"id"_s, id},
                               {u"job"_s, hasForm(record.job, jobForm) ? record.job : QString()},
                               {u"variant"_s, record.variant},
                               {u"package"_s, record.package},
                               {u"recipe"_s, record.blob},
                               {u"branch"_s, record.branch},
                               {u"commit"_s, record.commit},
                               {u"machine"_s, label},
                               {u"engine"_s, record.engine},
                               {u"outcome"_s, wordOf(record.outcome)},
                               {u"error"_s, sharedError(record)},
                               {u"queued"_s, secondText(record.queued)},
                               {u"started"_s, secondText(record.started)},
                               {u"ended"_s, secondText(record.ended)},
                               {u"result"_s, hasForm(record.result, storeForm) ? record.result : QString()}});
        if (!record.verified.isEmpty() && (!before || before->verified != record.verified))
            add(now, {{u"kind"_s, u"verified"_s},
                      {u"build"_s, id},
                      {u"as"_s, record.verified},
                      {u"size"_s, record.size},
                      {u"when"_s, secondText(now)}});
    }
    for (const Publication &publication : publications) {
        const bool said = std::ranges::any_of(known.publications, [&](const Publication &one) {
            return one.package == publication.package && one.blob == publication.blob &&
                   one.branch == publication.branch && one.as == publication.as;
        });
        if (!said)
            add(publication.when, {{u"kind"_s, u"published"_s},
                                   {u"package"_s, publication.package},
                                   {u"recipe"_s, publication.blob},
                                   {u"branch"_s, publication.branch},
                                   {u"as"_s, publication.as},
                                   {u"machine"_s, label},
                                   {u"when"_s, secondText(publication.when)}});
    }
    return lines;
}

SharedBuildLines readSharedBuildLines(const QMap<QString, QByteArrayList> &files)
{
    SharedBuildLines read;
    QHash<QString, qsizetype> byId;
    QList<std::pair<Verified, qint64>> verified;
    qsizetype left = mostLines;
    for (const QString &name : newestMonthsFirst(files.keys())) {
        for (const QByteArray &bytes : files.value(name)) {
            if (left-- <= 0) {
                ++read.leftOut;
                continue;
            }
            if (bytes.size() > mostOfLine)
                continue;
            const QJsonObject line = QJsonDocument::fromJson(bytes).object();
            const QString kind = line.value(u"kind"_s).toString();
            if (kind == "build"_L1) {
                if (const auto record = buildIn(line); record && !byId.contains(record->job)) {
                    byId.insert(record->job, read.builds.size());
                    read.builds.append(*record);
                }
            } else if (kind == "verified"_L1) {
                verified.append({{timeIn(line, u"when"_s), wordIn(line, u"build"_s, idForm),
                                  wordIn(line, u"as"_s, u"passed|failed")},
                                 std::clamp<qint64>(line.value(u"size"_s).toInteger(), 0, qint64(1) << 50)});
            } else if (kind == "published"_L1) {
                Publication publication;
                publication.package = wordIn(line, u"package"_s, nameForm);
                publication.blob = wordIn(line, u"recipe"_s, hashForm);
                publication.branch = wordIn(line, u"branch"_s, refForm);
                publication.as = wordIn(line, u"as"_s, publishedForm);
                publication.when = timeIn(line, u"when"_s);
                if (!publication.package.isEmpty() && !publication.blob.isEmpty() && !publication.as.isEmpty())
                    read.publications.append(publication);
            }
        }
    }
    std::ranges::stable_sort(verified, {}, [](const auto &one) { return one.first.when; });
    for (const auto &[one, size] : std::as_const(verified)) {
        const auto found = byId.constFind(one.build);
        if (found == byId.constEnd() || one.as.isEmpty())
            continue;
        read.builds[*found].verified = one.as;
        read.builds[*found].size = size;
    }
    const auto newest = [](const auto &a, const auto &b) { return a > b; };
    std::ranges::stable_sort(read.builds, newest, &BuildRecord::ended);
    std::ranges::stable_sort(read.publications, newest, &Publication::when);
    return read;
}

} // namespace tmx
