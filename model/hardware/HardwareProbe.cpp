// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/HardwareProbe.h"

#include "model/base/Process.h"
#include "model/base/Programs.h"
#include "model/hardware/HostFiles.h"
#include "model/hardware/NixProbe.h"
#include "model/hardware/NvidiaSmi.h"

#include <QDir>
#include <QFuture>
#include <QTimer>
#include <QtConcurrentRun>

#include <optional>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

// WSL has the driver's programs in a separate folder, which is on a login shell's PATH but maybe not on a desktop
// session's.
constexpr QLatin1StringView wslPlace = "usr/lib/wsl/lib/nvidia-smi"_L1;

// The output for sixteen GPUs has 2 KB; more from a runaway program is discarded.
constexpr qsizetype longestAnswer = 256 * 1024;

QString findNvidiaSmi(const QString &root)
{
    const QString onPath = findProgram(u"nvidia-smi"_s);
    return onPath.isEmpty() ? findProgram(QDir(root).filePath(wslPlace)) : onPath;
}

} // namespace

struct HardwareProbe::Private {
    explicit Private(HardwareProbe *owner)
        : q(owner)
    {
        deadline.setSingleShot(true);
        QObject::connect(&deadline, &QTimer::timeout, q, [this] { giveUp(); });
        QObject::connect(&nixProbe, &NixProbe::finished, q, [this](const NixAnswer &answer) {
            nix = answer;
            finishWhenComplete();
        });
    }

    void ask(bool withCapability);
    void hear(const ProcessOutcome &outcome, bool withCapability);
    void giveUp();
    void accept(const NvidiaSmiAnswer &answer);
    void finishWhenComplete();

    HardwareProbe *q;
    QFuture<HostFiles> reading;
    std::unique_ptr<Process> process;
    QString program;
    QByteArray output;
    QTimer deadline;
    std::optional<HostFiles> files;
    std::optional<NvidiaSmiAnswer> smi;
    NixProbe nixProbe;
    std::optional<NixAnswer> nix;
    quint64 generation = 0; ///< identifies start(); results of an older one are discarded
    bool running = false;
};

HardwareProbe::HardwareProbe(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this))
{
}

HardwareProbe::~HardwareProbe()
{
    cancel();
}

bool HardwareProbe::isRunning() const
{
    return d->running;
}

void HardwareProbe::start(std::chrono::milliseconds nvidiaSmiLimit, const QString &root)
{
    cancel();
    d->running = true;
    d->reading = QtConcurrent::run(readHostFiles, root);
    d->reading.then(this, [this, generation = d->generation](const HostFiles &files) {
        if (generation != d->generation)
            return;
        d->files = files;
        d->finishWhenComplete();
    });
    d->nixProbe.start(std::min<std::chrono::milliseconds>(nvidiaSmiLimit, std::chrono::seconds(3)), root);
    QtConcurrent::run(findNvidiaSmi, root)
        .then(this, [this, nvidiaSmiLimit, generation = d->generation](const QString &program) {
            if (generation != d->generation)
                return;
            if (program.isEmpty())
                return d->accept(NvidiaSmiAnswer{.problem = tr("nvidia-smi is not installed.")});
            d->program = program;
            d->deadline.start(nvidiaSmiLimit);
            d->ask(true);
        });
}

void HardwareProbe::cancel()
{
    ++d->generation;
    d->running = false;
    d->deadline.stop();
    d->process.reset();
    d->nixProbe.cancel();
    d->files.reset();
    d->smi.reset();
    d->nix.reset();
}

void HardwareProbe::Private::ask(bool withCapability)
{
    ProcessRequest request;
    request.program = program;
    request.arguments = nvidiaSmiArguments(withCapability);
    request.environment.insert(u"LC_ALL"_s, u"C"_s);
    output.clear();
    process = std::make_unique<Process>();
    QObject::connect(process.get(), &Process::output, q, [this](const QByteArray &bytes) {
        if (output.size() < longestAnswer)
            output += bytes.first(std::min(bytes.size(), longestAnswer - output.size()));
    });
    QObject::connect(process.get(), &Process::finished, q,
                     [this, withCapability, asked = generation](const ProcessOutcome &outcome) {
                         if (asked == generation)
                             hear(outcome, withCapability);
                     });
    process->start(request);
}

void HardwareProbe::Private::hear(const ProcessOutcome &outcome, bool withCapability)
{
    process.release()->deleteLater(); // Called from its own signal, so it must not be deleted at once.
    NvidiaSmiAnswer answer;
    if (!outcome.started)
        answer.problem = HardwareProbe::tr("nvidia-smi could not be started: %1.").arg(outcome.error);
    else if (outcome.crashed)
        answer.problem = HardwareProbe::tr("nvidia-smi crashed.");
    else
        answer = readNvidiaSmi(output, outcome.exitCode, withCapability);
    if (answer.capabilityRefused) {
        ask(false);
        return;
    }
    accept(answer);
}

/// Has its own time limit instead of Process's, which waits for the end of what it stops: an nvidia-smi that hangs in
/// the kernel, because a GPU has fallen off the bus, cannot even be killed, and must not be waited for.
void HardwareProbe::Private::giveUp()
{
    process.reset();
    accept(NvidiaSmiAnswer{.problem = HardwareProbe::tr("nvidia-smi did not answer within %1 s and was stopped.")
                                          .arg(double(deadline.intervalAsDuration().count()) / 1000.0)});
}

void HardwareProbe::Private::accept(const NvidiaSmiAnswer &answer)
{
    deadline.stop();
    smi = answer;
    finishWhenComplete();
}

void HardwareProbe::Private::finishWhenComplete()
{
    if (!files || !smi || !nix)
        return;
    const HostReport report = combine(*files, *smi, *nix);
    running = false;
    files.reset();
    smi.reset();
    nix.reset();
    Q_EMIT q->finished(report);
}

} // namespace tmx
