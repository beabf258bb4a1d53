// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

namespace tmx::test {

/// Result of running a program.
struct Ran {
    int exitCode = -1; ///< -1: did not start, ended by a signal, or timed out
    QByteArray out;
    QByteArray err;
    [[nodiscard]] QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

inline Ran ran(const QString &program, const QStringList &arguments, const QString &folder = {},
               const QProcessEnvironment &environment = QProcessEnvironment::systemEnvironment())
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.setProcessEnvironment(environment);
    process.start(program, arguments);
    if (!process.waitForFinished(120'000))
        return {};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput(),
            process.readAllStandardError()};
}

/// What a program prints, trimmed; ends the test program where it fails.
inline QByteArray outputOf(const QString &program, const QStringList &arguments, const QString &folder = {})
{
    const Ran done = ran(program, arguments, folder);
    if (done.exitCode != 0)
        qFatal("%s %s: %s", qPrintable(program), qPrintable(arguments.join(QLatin1Char(' '))), done.err.constData());
    return done.out.trimmed();
}

/// The same of git, with an identity of its own.
inline QByteArray gitIn(const QString &folder, const QStringList &arguments)
{
    return outputOf(QStringLiteral("git"),
                    QStringList{QStringLiteral("-c"), QStringLiteral("user.name=Test"), QStringLiteral("-c"),
                                QStringLiteral("user.email=test@example.org"), QStringLiteral("-c"),
                                QStringLiteral("commit.gpgsign=false")} +
                        arguments,
                    folder);
}

} // namespace tmx::test
