// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/Job.h"

#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/outcome/OutcomeText.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

#include <array>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qsizetype mostJsonBytes = qsizetype(1) << 20;
constexpr qsizetype mostEntries = 64;
constexpr qsizetype mostText = qsizetype(64) << 10;
constexpr int mostCores = 1 << 16;
constexpr std::array everyEngine{BuildEngine::Flox, BuildEngine::Nix};

/// Reads the fields of one object. Keeps the first error: a missing or invalid field.
class Fields
{
public:
    Fields(const QByteArray &json, const QString &what)
        : m_what(what)
    {
        if (json.size() > mostJsonBytes)
            return;
        const QJsonDocument document = QJsonDocument::fromJson(json);
        m_object = document.object();
        m_wrong = document.isObject() ? QString() : Tr::tr("it is not a JSON object");
    }

    QString text(const QString &name, QStringView form = u"(?s).*")
    {
        const QJsonValue value = m_object.value(name);
        const QString text = value.toString();
        if (!value.isString() || text.size() > mostText || text.contains(QChar(0)) || !hasForm(text, form))
            refuse(name);
        return text;
    }
    QString path(const QString &name)
    {
        const QString path = text(name, u"/[^\\n]*");
        if (QDir::cleanPath(path) != path)
            refuse(name);
        return path;
    }
    QStringList texts(const QString &name)
    {
        const QJsonArray array = m_object.value(name).toArray();
        if (!m_object.value(name).isArray() || array.size() > mostEntries)
            refuse(name);
        QStringList texts;
        for (const auto &value : array) {
            if (!value.isString() || value.toString().size() > mostText || texts.size() == mostEntries)
                refuse(name);
            else
                texts.append(value.toString());
        }
        return texts;
    }
    [[nodiscard]] bool has(const QString &name) const { return m_object.contains(name); }
    qint64 number(const QString &name, qint64 least, qint64 most)
    {
        const QJsonValue value = m_object.value(name);
        const qint64 number = value.toInteger(least - 1);
        if (!value.isDouble() || number < least || number > most)
            refuse(name);
        return number;
    }
    bool truth(const QString &name)
    {
        if (!m_object.value(name).isBool())
            refuse(name);
        return m_object.value(name).toBool();
    }
    QDateTime time(const QString &name)
    {
        const QDateTime time = QDateTime::fromString(text(name), Qt::ISODateWithMs);
        if (!time.isValid())
            refuse(name);
        return time;
    }
    QMap<QString, QString> texts(const QString &name, const QStringList &keys)
    {
        QMap<QString, QString> texts;
        const QJsonObject object = m_object.value(name).toObject();
        if (!m_object.value(name).isObject() || object.size() > keys.size())
            refuse(name);
        for (const QString &key : keys) {
            const QJsonValue value = object.value(key);
            if (value.isString() && value.toString().size() <= mostText && !value.toString().contains(QChar(0)))
                texts.insert(key, value.toString());
            else if (!value.isUndefined())
                refuse(name);
        }
        if (texts.size() != object.size())
            refuse(name);
        return texts;
    }
    QMap<QString, int> counts(const QString &name)
    {
        QMap<QString, int> counts;
        const QJsonObject object = m_object.value(name).toObject();
        if (!m_object.value(name).isObject() || object.size() > mostEntries)
            refuse(name);
        for (auto it = object.begin(); it != object.end() && counts.size() < mostEntries; ++it) {
            const int count = it.value().toInt();
            if (count < 1 || count > mostCores || it.key().size() > mostText || it.key().contains(QChar(0)))
                refuse(name);
            else
                counts.insert(it.key(), count);
        }
        return counts;
    }
    void refuse(const QString &name)
    {
        if (m_wrong.isEmpty())
            m_wrong = Tr::tr("its field %1 is missing or wrong").arg(name);
    }
    [[nodiscard]] std::optional<Error> error() const
    {
        return m_wrong.isEmpty() ? std::nullopt
                                 : std::optional(Error{Tr::tr("read"), m_what, m_wrong,
                                                       Tr::tr("Remove the job's folder, or restore the file.")});
    }

private:
    QString m_what;
    QJsonObject m_object;
    QString m_wrong = Tr::tr("it is larger than %n bytes", nullptr, int(mostJsonBytes));
};

QString timeText(const QDateTime &time)
{
    return time.toUTC().toString(Qt::ISODateWithMs);
}

} // namespace

QString toString(BuildEngine engine)
{
    switch (engine) {
    case BuildEngine::Flox: return u"flox"_s;
    case BuildEngine::Nix: return u"nix"_s;
    }
    Q_UNREACHABLE_RETURN({});
}

std::optional<BuildEngine> engineNamed(const QString &word)
{
    for (const BuildEngine engine : everyEngine) {
        if (toString(engine) == word)
            return engine;
    }
    return {};
}

bool Job::buildsOneOf(const QStringList &identities) const
{
    return identities.contains(recipeId()) || (!meaning.isEmpty() && identities.contains(meaning));
}

QString Job::product() const
{
    return repository + u'\n' + branch + u'\n' + package;
}

QString Job::key() const
{
    return product() + u'\n' + recipeId();
}

QString productOf(const QString &key)
{
    return key.section(u'\n', 0, -2);
}

QStringList recordedVariables()
{
    return u"PATH NIX_PATH NIX_REMOTE NIX_CONFIG NIX_CONF_DIR NIX_USER_CONF_FILES NIX_REMOTE_SYSTEMS NIX_SSL_CERT_FILE "
           "http_proxy https_proxy ftp_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY FTP_PROXY ALL_PROXY NO_PROXY "
           "SSH_AUTH_SOCK SSH_ASKPASS SSH_ASKPASS_REQUIRE SLURM_CONF"_s.split(u' ');
}

QString withoutCredentials(const QString &name, const QString &value)
{
    static const QRegularExpression tokens(u"^[ \\t]*(extra-)?access-tokens[ \\t]*=.*(\\n|$)"_s,
                                           QRegularExpression::MultilineOption);
    // A user alone is a credential of https (a token), and none of ssh.
    static const QRegularExpression inAddresses(
        u"(?<=\\bhttp://|\\bhttps://)[^/?#\\s]*@|(?<=://)[^/?#\\s:@]*:[^/?#\\s]*@"_s);
    static const QRegularExpression inProxy(u"(?<=://|^)[^/?#\\s]*@"_s);
    QString clean = value;
    if (name.startsWith(u"NIX_"))
        clean.remove(tokens).remove(inAddresses);
    else if (name.endsWith(u"_proxy", Qt::CaseInsensitive) && name.compare(u"no_proxy", Qt::CaseInsensitive) != 0)
        clean.remove(inProxy);
    return clean;
}

QMap<QString, QString> recordedEnvironment()
{
    QMap<QString, QString> environment;
    const QStringList names = recordedVariables();
    for (const QString &name : names) {
        if (const QByteArray variable = name.toLatin1(); qEnvironmentVariableIsSet(variable.constData()))
            environment.insert(name, withoutCredentials(name, qEnvironmentVariable(variable.constData())));
    }
    return environment;
}

Job againOf(Job job)
{
    job.id.clear();
    job.created = QDateTime::currentDateTimeUtc();
    const QMap<QString, QString> environment = recordedEnvironment();
    for (const QString &name :
         {u"NIX_CONFIG"_s, u"NIX_CONF_DIR"_s, u"NIX_USER_CONF_FILES"_s, u"NIX_REMOTE_SYSTEMS"_s}) {
        if (job.environment.value(name) != environment.value(name))
            job.builders.clear(); // The builders may have changed meanwhile.
    }
    job.environment = environment;
    return job;
}

QJsonObject identityOf(const Job &job)
{
    QJsonObject object{{u"id"_s, job.id},
                       {u"repository"_s, job.repository},
                       {u"branch"_s, job.branch},
                       {u"commit"_s, job.commit},
                       {u"blob"_s, job.blob},
                       {u"recipe"_s, job.recipe},
                       {u"package"_s, job.package},
                       {u"variant"_s, job.variant},
                       {u"engine"_s, toString(job.engine)},
                       {u"cores"_s, job.cores},
                       {u"here"_s, job.here},
                       {u"place"_s, toString(job.place)}};
    if (!job.identity.isEmpty())
        object.insert(u"identity"_s, job.identity);
    return object;
}

QByteArray toJson(const Job &job)
{
    QJsonObject environment;
    for (auto [name, value] : job.environment.asKeyValueRange())
        environment.insert(name, value);
    QJsonObject object = identityOf(job);
    object.insert(u"stability"_s, job.stability);
    object.insert(u"sbatch"_s, QJsonArray::fromStringList(job.sbatch));
    QJsonObject builders;
    for (auto [store, count] : job.builders.asKeyValueRange())
        builders.insert(withoutCredentials(u"NIX_CONFIG"_s, store), count);
    object.insert(u"builders"_s, builders);
    object.insert(u"environment"_s, environment);
    object.insert(u"imports"_s, job.imports);
    if (!job.meaning.isEmpty())
        object.insert(u"meaning"_s, job.meaning);
    if (!job.after.isEmpty())
        object.insert(u"after"_s, QJsonArray::fromStringList(job.after));
    if (job.memory > 0)
        object.insert(u"memory"_s, job.memory);
    object.insert(u"created"_s, timeText(job.created));
    return QJsonDocument(object).toJson();
}

Result<Job> jobFromJson(const QByteArray &json)
{
    Fields fields(json, u"job.json"_s);
    Job job;
    job.id = fields.text(u"id"_s, u"[0-9a-z-]{1,64}");
    job.repository = fields.path(u"repository"_s);
    job.branch = fields.text(u"branch"_s, u"[^\\x00-\\x1f\\x7f]{0,1000}");
    job.commit = fields.text(u"commit"_s, hashForm);
    job.blob = fields.text(u"blob"_s, hashForm);
    if (fields.has(u"identity"_s))
        job.identity = fields.text(u"identity"_s, hashForm);
    if (fields.has(u"meaning"_s))
        job.meaning = fields.text(u"meaning"_s, u"[0-9a-f]{1,128}");
    // Earlier versions gave an identity to recipes with imports alone.
    job.imports = fields.has(u"imports"_s) ? fields.truth(u"imports"_s) : !job.identity.isEmpty();
    job.recipe = fields.text(u"recipe"_s, u"\\.flox/pkgs/[^/\\x00-\\x1f]{1,250}(/default)?\\.nix");
    job.package = fields.text(u"package"_s);
    if (!isBuildableName(job.package))
        fields.refuse(u"package"_s);
    job.variant = fields.text(u"variant"_s, u"[a-zA-Z0-9._-]{0,250}");
    const std::optional<BuildEngine> engine = engineNamed(fields.text(u"engine"_s));
    if (!engine)
        fields.refuse(u"engine"_s);
    job.engine = engine.value_or(BuildEngine::Flox);
    job.stability = fields.text(u"stability"_s, u"[a-zA-Z0-9][a-zA-Z0-9._-]{0,100}|");
    job.cores = int(fields.number(u"cores"_s, 0, mostCores));
    if (fields.has(u"memory"_s))
        job.memory = fields.number(u"memory"_s, 0, qint64(1) << 52);
    job.here = fields.truth(u"here"_s);
    // Jobs of older versions have no place.
    const std::optional<Place> place = placeNamed(fields.has(u"place"_s) ? fields.text(u"place"_s) : QString());
    if (!place || (job.here && !place->isHere()))
        fields.refuse(u"place"_s);
    job.place = place.value_or(Place());
    if (fields.has(u"sbatch"_s))
        job.sbatch = fields.texts(u"sbatch"_s);
    if (fields.has(u"builders"_s))
        job.builders = fields.counts(u"builders"_s);
    job.environment = fields.texts(u"environment"_s, recordedVariables());
    if (fields.has(u"after"_s))
        job.after = fields.texts(u"after"_s);
    job.created = fields.time(u"created"_s);
    if (const auto error = fields.error())
        return *error;
    return job;
}

QByteArray toJson(const JobOutcome &outcome)
{
    const auto texts = [](const QStringList &list) {
        return QJsonArray::fromStringList(list.first(qMin(list.size(), mostEntries)));
    };
    return QJsonDocument(QJsonObject{{u"kind"_s, wordOf(outcome.build.kind)},
                                     {u"exitCode"_s, outcome.build.exitCode},
                                     {u"signal"_s, outcome.signal},
                                     {u"firstError"_s, outcome.build.firstError},
                                     {u"recipeLine"_s, outcome.build.recipeLine},
                                     {u"statedHash"_s, outcome.build.statedHash},
                                     {u"rightHash"_s, outcome.build.rightHash},
                                     {u"alreadyBuilt"_s, outcome.build.alreadyBuilt},
                                     {u"reason"_s, sentenceOf(outcome.build)},
                                     {u"said"_s, !outcome.build.sentence.isEmpty()},
                                     {u"cause"_s, wordOf(outcome.build.cause)},
                                     {u"certainty"_s, wordOf(outcome.build.certainty)},
                                     {u"text"_s, outcome.build.text},
                                     {u"about"_s, texts(outcome.build.about)},
                                     {u"buildPhase"_s, outcome.build.at.phase},
                                     {u"step"_s, outcome.build.at.step},
                                     {u"steps"_s, outcome.build.at.total},
                                     {u"package"_s, outcome.build.package},
                                     {u"derivation"_s, outcome.build.derivation},
                                     {u"machine"_s, outcome.build.machine},
                                     {u"result"_s, outcome.build.result},
                                     {u"fullDisk"_s, outcome.build.fullDisk},
                                     {u"fewerCores"_s, outcome.build.fewerCores},
                                     {u"errors"_s, texts(outcome.build.lastErrors)},
                                     {u"results"_s, texts(outcome.build.resultLinks)},
                                     {u"storePaths"_s, texts(outcome.storePaths)},
                                     {u"started"_s, timeText(outcome.started)},
                                     {u"ended"_s, timeText(outcome.ended)},
                                     {u"milliseconds"_s, outcome.build.milliseconds},
                                     {u"peakMemory"_s, outcome.peakMemory}})
        .toJson();
}

Result<JobOutcome> outcomeFromJson(const QByteArray &json)
{
    Fields fields(json, u"outcome.json"_s);
    JobOutcome outcome;
    const auto kind = outcomeKindNamed(fields.text(u"kind"_s));
    if (!kind)
        fields.refuse(u"kind"_s);
    outcome.build.kind = kind.value_or(BuildOutcome::Kind::Failed);
    outcome.build.exitCode = int(fields.number(u"exitCode"_s, -1, 255));
    outcome.signal = int(fields.number(u"signal"_s, 0, 127));
    outcome.build.firstError = fields.number(u"firstError"_s, -1, qint64(1) << 52);
    outcome.build.recipeLine = int(fields.number(u"recipeLine"_s, 0, 1 << 30));
    outcome.build.statedHash = fields.text(u"statedHash"_s);
    outcome.build.rightHash = fields.text(u"rightHash"_s);
    outcome.build.alreadyBuilt = fields.truth(u"alreadyBuilt"_s);
    const QString reason = fields.text(u"reason"_s);
    // Outcomes of older versions have the sentence only.
    if (!fields.has(u"cause"_s) || fields.truth(u"said"_s))
        outcome.build.sentence = reason;
    if (fields.has(u"cause"_s)) {
        const auto cause = causeNamed(fields.text(u"cause"_s));
        const auto certainty = certaintyNamed(fields.text(u"certainty"_s));
        if (!cause)
            fields.refuse(u"cause"_s);
        if (!certainty)
            fields.refuse(u"certainty"_s);
        outcome.build.cause = cause.value_or(BuildOutcome::Cause::None);
        outcome.build.certainty = certainty.value_or(BuildOutcome::Certainty::None);
        outcome.build.text = fields.text(u"text"_s);
        outcome.build.about = fields.texts(u"about"_s);
        outcome.build.at = {fields.text(u"buildPhase"_s), int(fields.number(u"step"_s, 0, 1 << 30)),
                            int(fields.number(u"steps"_s, 0, 1 << 30))};
        outcome.build.package = fields.text(u"package"_s);
        outcome.build.derivation = fields.text(u"derivation"_s);
        outcome.build.machine = fields.text(u"machine"_s);
        outcome.build.result = fields.text(u"result"_s);
        outcome.build.fullDisk = fields.text(u"fullDisk"_s);
        outcome.build.fewerCores = int(fields.number(u"fewerCores"_s, -1, mostCores));
    }
    outcome.build.lastErrors = fields.texts(u"errors"_s);
    outcome.build.resultLinks = fields.texts(u"results"_s);
    outcome.storePaths = fields.texts(u"storePaths"_s);
    outcome.started = fields.time(u"started"_s);
    outcome.ended = fields.time(u"ended"_s);
    outcome.build.milliseconds = fields.number(u"milliseconds"_s, 0, qint64(1) << 52);
    outcome.peakMemory = fields.number(u"peakMemory"_s, 0, qint64(1) << 52);
    if (const auto error = fields.error())
        return *error;
    return outcome;
}

} // namespace tmx
