// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/RemoteProbe.h"

#include "model/base/Process.h"
#include "model/base/TextForm.h"
#include "model/hardware/HostText.h"

#include <QtConcurrent>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

// A capture has at most 4 KB per core; more from a runaway program is discarded.
constexpr qsizetype longestReport = 16 * 1024 * 1024;

} // namespace

struct RemoteProbe::Private {
    std::unique_ptr<Process> process;
    QByteArray output;
    QString host;
    bool reading = false;   ///< reading its answer
    quint64 generation = 0; ///< identifies start() and cancel(); results of an older one are discarded
};

RemoteProbe::RemoteProbe(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>())
{
}

RemoteProbe::~RemoteProbe() = default;

bool RemoteProbe::isRunning() const
{
    return d->process || d->reading;
}

void RemoteProbe::cancel()
{
    ++d->generation;
    d->reading = false;
    d->process.reset();
}

void RemoteProbe::start(const QString &host, std::chrono::milliseconds limit)
{
    cancel();
    d->host = host;
    d->output.clear();
    if (!isSshHost(host)) {
        const Error error{tr("ask"), host, tr("that is not a host name"), hostRemedy()};
        QMetaObject::invokeMethod(this, [this, error] { Q_EMIT finished(error); }, Qt::QueuedConnection);
        return;
    }
    d->process = std::make_unique<Process>();
    connect(d->process.get(), &Process::output, this, [this](const QByteArray &bytes) {
        if (d->output.size() < longestReport)
            d->output += bytes;
    });
    connect(d->process.get(), &Process::finished, this, [this](const ProcessOutcome &outcome) {
        d->process.release()->deleteLater(); // Called from its own signal, so it must not be deleted at once.
        const auto failed = [this](const QString &why, const QString &remedy = {}) {
            Q_EMIT finished(Error{tr("ask"), d->host, why, remedy});
        };
        if (!outcome.started)
            return failed(tr("ssh could not be started (%1)").arg(outcome.error), tr("Install an ssh client."));
        if (outcome.timedOut)
            return failed(tr("it gave no answer in time"));
        if (!d->output.contains("#torch-matrix capture")) {
            const QString said = QString::fromUtf8(d->output.trimmed()).section(u'\n', -1).simplified().left(160);
            return failed(said.isEmpty() ? tr("ssh ended with code %1").arg(outcome.exitCode) : said,
                          loginRemedy(d->host));
        }
        // It is unpacked to a folder for reading, so not on this thread.
        d->reading = true;
        QtConcurrent::run(readHostText, d->output, d->host)
            .then(this, [this, asked = d->generation](const Result<HostReport> &report) {
                if (asked != d->generation)
                    return;
                d->reading = false;
                Q_EMIT finished(report);
            });
    });
    ProcessRequest request;
    request.program = u"ssh"_s;
    request.arguments = sshArguments(host);
    request.timeout = limit;
    d->process->start(request);
}

} // namespace tmx
