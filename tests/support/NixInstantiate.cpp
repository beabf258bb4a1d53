// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "NixInstantiate.h"

#include <QProcess>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx::test {

namespace {

struct Run {
    bool crashed = false;
    int exitCode = -1;
    QByteArray output;
    QByteArray errors;
};

Run runNix(const QStringList &arguments, const QString &home)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"HOME"_s, home);
    environment.insert(u"NIX_CONFIG"_s, u"experimental-features =\n"_s);
    process.setProcessEnvironment(environment);
    process.start(u"nix-instantiate"_s, QStringList{u"--store"_s, u"dummy://"_s} + arguments);
    process.waitForFinished(-1);
    return {process.exitStatus() == QProcess::CrashExit || process.exitCode() >= 128, process.exitCode(),
            process.readAllStandardOutput(), process.readAllStandardError()};
}

NixVerdict refusal(const QByteArray &errors)
{
    NixVerdict verdict;
    const qsizetype start = errors.indexOf("error: ");
    verdict.error = errors.mid(start + 7, errors.indexOf('\n', start) - start - 7);
    // Nix 2.26 fails to print its own warning about `x or` if there is a % in the expression.
    verdict.crashed = verdict.error.startsWith("boost::");
    static const QRegularExpression place(uR"(\bat .*:(\d+):(\d+):)"_s);
    const auto match = place.match(QString::fromUtf8(errors.mid(start)));
    verdict.line = match.captured(1).toInt();
    verdict.column = match.captured(2).toInt();
    return verdict;
}

} // namespace

std::vector<NixVerdict> parseWithNix(const QStringList &files, const QString &home)
{
    std::vector<NixVerdict> verdicts;
    qsizetype batch = 500;
    while (qsizetype(verdicts.size()) < files.size()) {
        const QStringList some = files.mid(qsizetype(verdicts.size()), batch);
        const Run run = runNix(QStringList{u"--parse"_s} + some, home);
        if (run.crashed && some.size() > 1) {
            batch = std::max<qsizetype>(1, some.size() / 2); // its output is lost: retry with fewer files
            continue;
        }
        if (run.crashed) {
            verdicts.push_back({.crashed = true});
            batch = 500;
            continue;
        }
        QList<QByteArray> lines = run.output.split('\n');
        lines.removeLast();
        for (const QByteArray &line : lines)
            verdicts.push_back({.accepted = true, .shown = line});
        if (run.exitCode != 0)
            verdicts.push_back(refusal(run.errors));
    }
    return verdicts;
}

QByteArray evaluateWithNix(const QString &file, const QString &home, QByteArray &errors)
{
    const Run run = runNix({u"--eval"_s, u"--strict"_s, u"--json"_s, file}, home);
    errors = run.errors;
    return run.exitCode == 0 ? run.output : QByteArray();
}

} // namespace tmx::test
