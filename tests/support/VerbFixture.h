// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/KeptFolder.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace tmx::test {

/// Result of running a program.
struct Ran {
    int exitCode = -1; ///< -1: ended by a signal, or timed out
    QByteArray out;
    QByteArray err;
    [[nodiscard]] QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
};

/// A sample repository and a private home, and the program run there as a user would: its exit code and both streams.
/// Needs TM_PROGRAM.
class VerbFixture
{
public:
    VerbFixture()
    {
        m_environment = QProcessEnvironment::systemEnvironment();
        m_environment.insert(QStringLiteral("HOME"), m_home.path());
        m_environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_home.filePath(QStringLiteral(".config")));
        m_environment.insert(QStringLiteral("XDG_CACHE_HOME"), m_home.filePath(QStringLiteral(".cache")));
        m_environment.insert(QStringLiteral("GIT_CONFIG_NOSYSTEM"), QStringLiteral("1"));
        for (const char *display : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
            m_environment.remove(QString::fromLatin1(display));
        put(m_home.filePath(QStringLiteral(".gitconfig")), "[user]\n\tname = A Tester\n\temail = tester@example.org\n");
        copyKept(QStringLiteral("verbs"), sample(), [this](const QString &folder) {
            const Ran made = start(QStringLiteral(TM_PROGRAM), {QStringLiteral("sample"), folder}, m_home.path());
            if (made.exitCode != 0)
                qFatal("%s", made.err.constData());
        });
    }

    [[nodiscard]] const QProcessEnvironment &environment() const { return m_environment; }
    void set(const QString &variable, const QString &value) { m_environment.insert(variable, value); }
    [[nodiscard]] QString sample() const { return m_home.filePath(QStringLiteral("sample")); }
    [[nodiscard]] Ran verb(const QStringList &arguments) const
    {
        return start(QStringLiteral(TM_PROGRAM), arguments, sample());
    }
    /// Runs a shell command in a terminal: `out` has both streams.
    [[nodiscard]] Ran inTerminal(const QString &command) const
    {
        return start(QStringLiteral("script"), {QStringLiteral("-qec"), command, QStringLiteral("/dev/null")},
                     sample());
    }
    Ran git(const QStringList &arguments) const
    {
        const Ran ran = start(QStringLiteral("git"), arguments, sample());
        if (ran.exitCode != 0)
            qFatal("git %s: %s", qPrintable(arguments.join(QLatin1Char(' '))), ran.err.constData());
        return ran;
    }
    void write(const QString &relative, const QByteArray &text) const
    {
        put(sample() + QLatin1Char('/') + relative, text);
    }
    [[nodiscard]] QByteArray read(const QString &relative) const
    {
        QFile file(sample() + QLatin1Char('/') + relative);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    void writeConfig(const QString &relative, const QByteArray &text) const
    {
        put(m_home.filePath(QStringLiteral(".config/torch-matrix/")) + relative, text);
    }
    [[nodiscard]] QStringList cacheFiles() const
    {
        QStringList files;
        QDirIterator walk(m_home.filePath(QStringLiteral(".cache/torch-matrix")), QDir::Files,
                          QDirIterator::Subdirectories);
        while (walk.hasNext())
            files.append(walk.next());
        return files;
    }
    void clearCache() const { QDir(m_home.filePath(QStringLiteral(".cache"))).removeRecursively(); }

private:
    static void put(const QString &path, const QByteArray &text)
    {
        QFile file(path);
        if (!QDir().mkpath(QFileInfo(path).path()) || !file.open(QIODevice::WriteOnly) ||
            file.write(text) != text.size())
            qFatal("cannot write %s", qPrintable(path));
    }
    [[nodiscard]] Ran start(const QString &program, const QStringList &arguments, const QString &folder) const
    {
        QProcess process;
        process.setProcessEnvironment(m_environment);
        process.setWorkingDirectory(folder);
        process.start(program, arguments);
        if (!process.waitForFinished(120'000))
            return {};
        return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput(),
                process.readAllStandardError()};
    }

    QTemporaryDir m_home;
    QProcessEnvironment m_environment;
};

} // namespace tmx::test
