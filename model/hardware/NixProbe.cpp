// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/NixProbe.h"

#include "model/base/Process.h"
#include "model/base/Programs.h"

#include <QDir>
#include <QFile>
#include <QFuture>
#include <QTimer>
#include <QtConcurrentRun>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

// A desktop session may lack entries of a login shell's PATH.
constexpr QLatin1StringView usualPlaces[] = {"nix/var/nix/profiles/default/bin/nix"_L1,
                                             "run/current-system/sw/bin/nix"_L1};
constexpr qsizetype longestNixAnswer = 256 * 1024; // All settings with their values are about 10 KB.

QHash<QString, QString> textsOf(const QStringList &paths, const QString &root)
{
    QHash<QString, QString> texts;
    for (const QString &path : paths) {
        QFile file(QDir(root).filePath(path.sliced(1)));
        if (file.open(QIODevice::ReadOnly))
            texts.insert(path, QString::fromUtf8(file.read(longestNixAnswer)));
    }
    return texts;
}

} // namespace

QString findNix(const QString &root)
{
    QString program = findProgram(u"nix"_s);
    for (const QLatin1StringView place : usualPlaces) {
        if (program.isEmpty())
            program = findProgram(QDir(root).filePath(place));
    }
    return program;
}

struct NixProbe::Private {
    explicit Private(NixProbe *owner)
        : q(owner)
    {
        deadline.setSingleShot(true);
        QObject::connect(&deadline, &QTimer::timeout, q, [this] {
            process.reset();
            accept(NixAnswer{.problem = NixProbe::tr("Nix did not print its settings within %1 s, so its files were "
                                                     "read.")
                                            .arg(double(deadline.intervalAsDuration().count()) / 1000.0)});
        });
    }

    void ask(qsizetype form)
    {
        const QStringList arguments = nixConfigArguments().at(form);
        output.clear();
        process = std::make_unique<Process>();
        QObject::connect(process.get(), &Process::output, q, [this](const QByteArray &bytes) {
            if (output.size() < longestNixAnswer)
                output += bytes;
        });
        QObject::connect(process.get(), &Process::finished, q,
                         [this, form, asked = generation](const ProcessOutcome &outcome) {
                             if (asked == generation)
                                 hear(form, outcome);
                         });
        process->start({.program = program, .arguments = arguments, .workingDirectory = {}});
    }

    void hear(qsizetype form, const ProcessOutcome &outcome)
    {
        process.release()->deleteLater(); // Called from its own signal, so it must not be deleted at once.
        if (!outcome.succeeded() && form + 1 < nixConfigArguments().size()) {
            ask(form + 1);
            return;
        }
        if (!outcome.succeeded()) {
            accept(NixAnswer{.problem = NixProbe::tr("Nix did not print its settings, so its files were read.")});
            return;
        }
        NixAnswer answer;
        answer.settings = QString::fromUtf8(output);
        answer.command = form == 0 ? u"nix config show"_s : u"nix show-config"_s;
        QtConcurrent::run(textsOf, nixMachineFiles(answer.settings), root)
            .then(q, [this, answer, asked = generation](const QHash<QString, QString> &texts) mutable {
                if (asked != generation)
                    return;
                answer.machineFiles = texts;
                accept(answer);
            });
    }

    void accept(const NixAnswer &answer)
    {
        ++generation;
        deadline.stop();
        Q_EMIT q->finished(answer);
    }

    NixProbe *q;
    std::unique_ptr<Process> process;
    QString program;
    QString root;
    QByteArray output;
    QTimer deadline;
    quint64 generation = 0;
};

NixProbe::NixProbe(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this))
{
}

NixProbe::~NixProbe()
{
    cancel();
}

void NixProbe::start(std::chrono::milliseconds limit, const QString &root)
{
    cancel();
    d->root = root;
    QtConcurrent::run(findNix, root).then(this, [this, limit, asked = d->generation](const QString &program) {
        if (asked != d->generation)
            return;
        if (program.isEmpty())
            return d->accept({});
        d->program = program;
        d->deadline.start(limit);
        d->ask(0);
    });
}

void NixProbe::cancel()
{
    ++d->generation;
    d->deadline.stop();
    d->process.reset();
}

} // namespace tmx
