// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/BuilderProbe.h"

#include "model/base/Process.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/hardware/NixProbe.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QRegularExpression>
#include <QtConcurrentRun>

#include <algorithm>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using State = BuilderAnswer::State;

constexpr qsizetype longestBuilderAnswer = 16 * 1024;
constexpr int mostAtOnce = 8;

/// Whether builds go through Nix's daemon: then root connects to the builders.
bool daemonAsks()
{
    const QString remote = qEnvironmentVariable("NIX_REMOTE");
    const bool chosen = remote == "daemon"_L1 || remote.startsWith("unix://"_L1);
    const bool open = remote.isEmpty() || remote == "auto"_L1;
    return ::geteuid() != 0 && (chosen || (open && QFileInfo::exists(u"/nix/var/nix/daemon-socket/socket"_s) &&
                                           !QFileInfo(u"/nix/var/nix"_s).isWritable()));
}

struct Prepared {
    QString nix;
    BuilderReport report;
};

Prepared prepare()
{
    const NixBuilding building = nixBuilding(QProcessEnvironment::systemEnvironment());
    Prepared prepared{findNix(u"/"_s), {}};
    for (const NixBuilder &builder : building.builders) {
        BuilderAnswer answer{.builder = builder, .nixVersion = {}, .problem = {}};
        if (prepared.nix.isEmpty()) {
            answer.state = State::Silent;
            answer.problem = Tr::tr("nix is not installed here");
        }
        prepared.report.builders.append(answer);
    }
    if (!building.problem.isEmpty())
        prepared.report.remarks.append(building.problem);
    if (!building.builders.isEmpty() && daemonAsks())
        prepared.report.remarks.append(
            Tr::tr("Nix's daemon connects to the builders with root's ssh keys; this check used yours."));
    return prepared;
}

ProcessRequest question(const QString &nix, const NixBuilder &builder, bool oldForm, std::chrono::milliseconds limit)
{
    ProcessRequest request;
    request.program = nix;
    // Before 2.19 the command was called ping.
    request.arguments = {u"--extra-experimental-features"_s, u"nix-command"_s, u"store"_s,
                         oldForm ? u"ping"_s : u"info"_s,    u"--store"_s,     storeUri(builder)};
    QProcessEnvironment &environment = request.environment;
    environment.insert(u"NIX_SSHOPTS"_s,
                       (environment.value(u"NIX_SSHOPTS"_s) + u" -oBatchMode=yes -oConnectTimeout=10"_s).trimmed());
    environment.insert(u"LC_ALL"_s, u"C"_s);
    for (const QString &asking : {u"DISPLAY"_s, u"WAYLAND_DISPLAY"_s, u"SSH_ASKPASS"_s, u"SSH_ASKPASS_REQUIRE"_s})
        environment.remove(asking);
    request.timeout = limit;
    return request;
}

} // namespace

QString factsText(const NixBuilder &builder)
{
    QStringList facts{builder.systems.isEmpty() ? Tr::tr("this machine's system") : builder.systems.join(u", "_s)};
    facts.append(builder.maxJobs == 0 ? Tr::tr("no builds") : Tr::tr("%n builds at a time", nullptr, builder.maxJobs));
    if (builder.speedFactor != 1)
        facts.append(Tr::tr("speed %1").arg(builder.speedFactor));
    if (!builder.supportedFeatures.isEmpty())
        facts.append(builder.supportedFeatures.join(u", "_s));
    if (!builder.mandatoryFeatures.isEmpty())
        facts.append(Tr::tr("only builds that require %1").arg(builder.mandatoryFeatures.join(u", "_s)));
    return facts.join(u" · "_s);
}

QString answerText(const BuilderAnswer &answer)
{
    switch (answer.state) {
    case State::Asked: return Tr::tr("Checking…");
    case State::Answers:
        return answer.nixVersion.isEmpty() ? Tr::tr("Answers") : Tr::tr("Answers, Nix %1").arg(answer.nixVersion);
    case State::Silent: return Tr::tr("Does not answer: %1").arg(answer.problem);
    }
    Q_UNREACHABLE_RETURN({});
}

QJsonObject toJson(const BuilderAnswer &answer)
{
    const NixBuilder &builder = answer.builder;
    return {{u"store"_s, builder.store},
            {u"systems"_s, QJsonArray::fromStringList(builder.systems)},
            {u"maxJobs"_s, builder.maxJobs},
            {u"speedFactor"_s, builder.speedFactor},
            {u"supportedFeatures"_s, QJsonArray::fromStringList(builder.supportedFeatures)},
            {u"mandatoryFeatures"_s, QJsonArray::fromStringList(builder.mandatoryFeatures)},
            {u"answers"_s, answer.state == State::Answers},
            {u"nixVersion"_s, answer.nixVersion},
            {u"problem"_s, answer.problem}};
}

BuilderAnswer readAnswer(const NixBuilder &builder, int exitCode, const QString &output)
{
    static const QRegularExpression version(u"^Version: (\\d[\\w.+-]{0,40})$"_s, QRegularExpression::MultilineOption);
    static const QRegularExpression error(u"^error: (.*)$"_s, QRegularExpression::MultilineOption);
    BuilderAnswer answer{.builder = builder, .nixVersion = {}, .problem = {}};
    if (exitCode == 0) {
        answer.state = State::Answers;
        answer.nixVersion = version.match(output).captured(1);
        return answer;
    }
    answer.state = State::Silent;
    for (const QString &line : output.split(u'\n')) {
        if (const QString trouble = connectionTrouble(line); !trouble.isEmpty())
            answer.problem = trouble;
    }
    if (answer.problem.isEmpty())
        answer.problem = error.match(output).captured(1).simplified();
    if (answer.problem.isEmpty())
        answer.problem = Tr::tr("nix ended with code %1").arg(exitCode);
    answer.problem.truncate(200);
    return answer;
}

struct BuilderProbe::Private {
    explicit Private(BuilderProbe *owner)
        : q(owner)
    {
    }

    struct Question {
        std::unique_ptr<Process> process;
        QByteArray output;
    };

    void begin(const QString &program, const BuilderReport &builders)
    {
        nix = program;
        report = builders;
        questions.resize(size_t(builders.builders.size()));
        const quint64 asked = generation;
        Q_EMIT q->changed(report);
        if (asked == generation)
            askNext();
    }

    void askNext()
    {
        while (running < mostAtOnce && next < report.builders.size()) {
            const qsizetype builder = next++;
            if (report.builders.at(builder).state == State::Asked)
                ask(builder, false);
        }
        if (running > 0)
            return;
        Q_EMIT q->finished(report);
    }

    void ask(qsizetype index, bool oldForm)
    {
        ++running;
        Question &question = questions.at(size_t(index));
        question.output.clear();
        question.process = std::make_unique<Process>();
        Process *process = question.process.get();
        connect(process, &Process::output, q, [&question](const QByteArray &bytes) {
            if (question.output.size() < longestBuilderAnswer)
                question.output += bytes;
        });
        connect(process, &Process::finished, q,
                [this, index, oldForm](const ProcessOutcome &outcome) { hear(index, oldForm, outcome); });
        process->start(tmx::question(nix, report.builders.at(index).builder, oldForm, limit));
    }

    void hear(qsizetype index, bool oldForm, const ProcessOutcome &outcome)
    {
        --running;
        Question &question = questions.at(size_t(index));
        question.process.release()->deleteLater(); // Called from its own signal, so it must not be deleted at once.
        const QString output = QString::fromUtf8(question.output);
        BuilderAnswer &answer = report.builders[index];
        if (!outcome.succeeded() && !oldForm && output.contains("'info' is not a recogni"_L1))
            return ask(index, true);
        answer = readAnswer(answer.builder, outcome.succeeded() ? 0 : std::max(1, outcome.exitCode), output);
        if (outcome.timedOut)
            answer.problem = Tr::tr("no answer within %1 s").arg(double(limit.count()) / 1000.0);
        else if (!outcome.started)
            answer.problem = outcome.error;
        const quint64 asked = generation;
        Q_EMIT q->changed(report);
        if (asked == generation)
            askNext();
    }

    BuilderProbe *q;
    QString nix;
    BuilderReport report;
    std::vector<Question> questions; ///< one per builder
    std::chrono::milliseconds limit{0};
    qsizetype next = 0;
    int running = 0;
    quint64 generation = 0; ///< identifies start() and cancel(); results of an older one are discarded
};

BuilderProbe::BuilderProbe(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this))
{
}

BuilderProbe::~BuilderProbe()
{
    cancel();
}

void BuilderProbe::start(std::chrono::milliseconds limit)
{
    cancel();
    d->limit = limit;
    QtConcurrent::run(prepare).then(this, [this, asked = d->generation](const Prepared &prepared) {
        // If the worker was fast, this still runs inside start(), when no one expects a signal yet.
        const auto begin = [this, asked, prepared] {
            if (asked == d->generation)
                d->begin(prepared.nix, prepared.report);
        };
        QMetaObject::invokeMethod(this, begin, Qt::QueuedConnection);
    });
}

void BuilderProbe::cancel()
{
    ++d->generation;
    d->questions.clear();
    d->next = 0;
    d->running = 0;
}

} // namespace tmx
