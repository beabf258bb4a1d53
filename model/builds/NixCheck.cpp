// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/NixCheck.h"

#include "model/base/Process.h"
#include "model/base/Programs.h"

#include <QFile>
#include <QFuture>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtConcurrent>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

// If a recipe parses, nix-instantiate prints its whole syntax tree. Errors come first and are short.
const QString recipeName = u"recipe.nix"_s;
const QString programName = u"nix-instantiate"_s;
constexpr qsizetype longestAnswer = 64 * 1024;

/// In a worker. The text goes into a file because the length of an argument is limited.
std::shared_ptr<QTemporaryDir> folderWith(const QByteArray &text)
{
    auto folder = std::make_shared<QTemporaryDir>();
    QFile file(folder->filePath(recipeName));
    if (!folder->isValid() || !file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.flush())
        return {};
    return folder;
}

} // namespace

NixParseVerdict readNixParse(const QByteArray &output, int exitCode)
{
    if (exitCode == 0)
        return {true, NixCheck::tr("Nix can parse it: the syntax is valid."), 0, 0};
    const QString text = QString::fromUtf8(output);
    static const QRegularExpression place(uR"(\bat .*?:(\d+):(\d+))"_s);
    const qsizetype start = text.indexOf("error: "_L1);
    const QRegularExpressionMatch match = place.match(text, qMax<qsizetype>(0, start));
    NixParseVerdict verdict{false, {}, match.captured(1).toInt(), match.captured(2).toInt()};
    QString why = start < 0 ? text.simplified().left(200) : text.mid(start + 7).section(u'\n', 0, 0).trimmed();
    why.remove(QRegularExpression(u"\\s+at .*$"_s));
    if (why.isEmpty())
        why = NixCheck::tr("it ended with code %1").arg(exitCode);
    verdict.sentence =
        verdict.line > 0
            ? NixCheck::tr("Nix rejects it at line %1, column %2: %3.").arg(verdict.line).arg(verdict.column).arg(why)
            : NixCheck::tr("Nix rejects it: %1.").arg(why);
    return verdict;
}

struct NixCheck::Private {
    std::unique_ptr<Process> process;
    std::shared_ptr<QTemporaryDir> folder;
    QByteArray output;
    quint64 generation = 0;
    bool running = false;
};

NixCheck::NixCheck(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>())
{
}

NixCheck::~NixCheck() = default;

QString NixCheck::program()
{
    return findProgram(programName);
}

bool NixCheck::isRunning() const
{
    return d->running;
}

void NixCheck::stop()
{
    ++d->generation;
    d->running = false;
    d->process.reset(); // kills the process group
    d->folder.reset();
}

void NixCheck::start(const QByteArray &text, std::chrono::milliseconds limit)
{
    stop();
    d->running = true;
    d->output.clear();
    const auto answer = [this](const NixParseVerdict &verdict) {
        stop();
        Q_EMIT finished(verdict);
    };
    const auto launch = [this, limit, answer, asked = d->generation](const std::shared_ptr<QTemporaryDir> &folder) {
        if (asked != d->generation)
            return;
        if (!folder)
            return answer({false, tr("The check could not run: the temporary folder cannot be written to."), 0, 0});
        d->folder = folder;
        d->process = std::make_unique<Process>();
        connect(d->process.get(), &Process::output, this, [this](const QByteArray &bytes) {
            if (d->output.size() < longestAnswer)
                d->output += bytes;
        });
        connect(d->process.get(), &Process::finished, this, [this, answer, asked](const ProcessOutcome &outcome) {
            d->process.release()->deleteLater(); // Called from its own signal, so it must not be deleted at once.
            if (asked != d->generation)
                return;
            if (!outcome.started)
                return answer({false, tr("nix-instantiate could not be started (%1).").arg(outcome.error), 0, 0});
            if (outcome.timedOut)
                return answer({false, tr("Nix gave no answer in time."), 0, 0});
            answer(readNixParse(d->output, outcome.exitCode));
        });
        ProcessRequest request;
        request.program = programName;
        // Uses a dummy store: parsing needs none, so a machine whose store belongs to another user can check too.
        request.arguments = {u"--store"_s, u"dummy://"_s, u"--parse"_s, folder->filePath(recipeName)};
        request.timeout = limit;
        d->process->start(request);
    };
    QtConcurrent::run(folderWith, text).then(this, launch);
}

} // namespace tmx
