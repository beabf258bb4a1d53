// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/build/FloxBuild.h"

#include "model/base/Process.h"
#include "model/base/Programs.h"
#include "model/build/NinjaProgress.h"
#include "model/build/OutcomeReader.h"
#include "model/build/OutputDecoder.h"

#include <QDir>
#include <QElapsedTimer>
#include <QLocale>
#include <QPointer>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// A canonical name has no dot, which flox takes for a separator of an attribute path, and no leading dash, which would
/// make it an option.
bool isBuildableName(const QString &name)
{
    static const QRegularExpression pattern(uR"(\A[a-z0-9][a-z0-9_-]*\z)"_s);
    return pattern.match(name).hasMatch();
}

} // namespace

struct FloxBuild::Private {
    Private(FloxBuild *owner, const QString &name)
        : q(owner)
        , package(name)
        , outcome(name)
    {
    }

    void read(const QByteArray &bytes);
    void interpret(const QStringList &lines);
    void end(const ProcessOutcome &process);
    void close(const BuildOutcome &result);
    void refuse(BuildOutcome::Kind kind, const QString &sentence);
    void setState(const BuildState &next);
    [[nodiscard]] QString where() const;

    FloxBuild *q;
    QString package;
    Process process;
    OutputDecoder decoder;
    LineReader lines;
    NinjaProgress progress;
    OutcomeReader outcome;
    QElapsedTimer clock;
    BuildState state;
    bool running = false;
};

void FloxBuild::Private::setState(const BuildState &next)
{
    if (next == state)
        return;
    state = next;
    Q_EMIT q->stateChanged(state);
}

void FloxBuild::Private::interpret(const QStringList &read)
{
    bool changed = false;
    for (const QString &line : read) {
        outcome.read(line);
        changed |= progress.read(line);
    }
    if (!changed)
        return;
    // Once a chunk, not once a line: a burst must not make a thousand cells repaint.
    BuildState next = state;
    next.step = progress.step();
    next.total = progress.total();
    next.text = progress.phase();
    setState(next);
}

void FloxBuild::Private::read(const QByteArray &bytes)
{
    const QString text = decoder.decode(bytes);
    if (text.isEmpty())
        return;
    const QPointer<FloxBuild> alive = q;
    Q_EMIT q->text(text);
    if (alive)
        interpret(lines.read(text));
}

/// "in buildPhase, at step 7 of 12"
QString FloxBuild::Private::where() const
{
    const QLocale locale;
    const QString steps =
        tr("at step %1 of %2").arg(locale.toString(progress.step()), locale.toString(progress.total()));
    if (progress.phase().isEmpty())
        return progress.total() > 0 ? steps : QString();
    const QString phase = tr("in %1").arg(progress.phase());
    return progress.total() > 0 && progress.phase() == "buildPhase"_L1 ? phase + ", "_L1 + steps : phase;
}

void FloxBuild::Private::end(const ProcessOutcome &ended)
{
    const QPointer<FloxBuild> alive = q;
    if (const QString rest = decoder.flush(); !rest.isEmpty()) {
        Q_EMIT q->text(rest);
        if (!alive)
            return;
        interpret(lines.read(rest));
    }
    if (alive)
        interpret(lines.flush());
    if (!alive)
        return;
    BuildOutcome result = outcome.outcome(ended, where());
    result.milliseconds = clock.elapsed();
    close(result);
}

void FloxBuild::Private::close(const BuildOutcome &result)
{
    using Kind = BuildOutcome::Kind;
    running = false;
    BuildState next;
    next.since = QDateTime::currentDateTime();
    if (result.kind == Kind::Built) {
        next.phase = BuildState::Phase::Built;
        next.text = result.resultLinks.value(0);
    } else if (result.kind != Kind::Stopped && result.kind != Kind::FloxMissing) {
        next.phase = BuildState::Phase::Failed;
        next.text = result.sentence;
    } else {
        next.since = {};
    }
    const QPointer<FloxBuild> alive = q;
    setState(next);
    if (alive)
        Q_EMIT q->finished(result);
}

void FloxBuild::Private::refuse(BuildOutcome::Kind kind, const QString &sentence)
{
    BuildOutcome result;
    result.kind = kind;
    result.sentence = sentence;
    QMetaObject::invokeMethod(q, [this, result] { close(result); }, Qt::QueuedConnection);
}

FloxBuild::FloxBuild(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, QString()))
{
}

FloxBuild::~FloxBuild() = default;

QString FloxBuild::floxProgram()
{
    return findProgram(u"flox"_s);
}

QString FloxBuild::floxMissingSentence()
{
    return tr("No program named flox is on PATH. Install it as https://flox.dev/docs/install-flox describes, then "
              "build again.");
}

void FloxBuild::start(const QString &workTree, const QString &package, const QString &program)
{
    Q_ASSERT(!d->running);
    d = std::make_unique<Private>(this, package);
    d->running = true;
    d->clock.start();
    if (!isBuildableName(package))
        return d->refuse(
            BuildOutcome::Kind::UnknownPackage,
            tr("“%1” is not the name of a package that flox can build. Use a canonical name: a to z, digits, - and _.")
                .arg(package));
    if (!QDir::isAbsolutePath(workTree))
        return d->refuse(BuildOutcome::Kind::NoEnvironment,
                         tr("“%1” is not the absolute path of a working tree.").arg(workTree));
    if (program.isEmpty())
        return d->refuse(BuildOutcome::Kind::FloxMissing, floxMissingSentence());

    connect(&d->process, &Process::output, this, [this](const QByteArray &bytes) { d->read(bytes); });
    connect(&d->process, &Process::finished, this, [this](const ProcessOutcome &outcome) { d->end(outcome); });
    BuildState next;
    next.phase = BuildState::Phase::Running;
    next.since = QDateTime::currentDateTime();
    d->setState(next);
    d->process.start(
        {.program = program, .arguments = {u"build"_s, u"-d"_s, workTree, package}, .workingDirectory = workTree});
}

void FloxBuild::stop(std::chrono::milliseconds grace)
{
    if (!d->running || d->state.phase != BuildState::Phase::Running)
        return;
    d->process.stop(grace);
    BuildState next = d->state;
    next.phase = BuildState::Phase::Stopping;
    d->setState(next);
}

bool FloxBuild::isRunning() const
{
    return d->running;
}

QString FloxBuild::package() const
{
    return d->package;
}

BuildState FloxBuild::state() const
{
    return d->state;
}

} // namespace tmx
