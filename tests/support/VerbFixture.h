// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/FileText.h"
#include "tests/support/KeptFolder.h"
#include "tests/support/Ran.h"

#include <QDirIterator>
#include <QTemporaryDir>
#include <QTest>

namespace tmx::test {

/// The environment of a program whose home is this folder, without a display; git has an identity there.
inline QProcessEnvironment environmentAt(const QString &home)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("HOME"), home);
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home + QStringLiteral("/.config"));
    environment.insert(QStringLiteral("XDG_CACHE_HOME"), home + QStringLiteral("/.cache"));
    environment.insert(QStringLiteral("GIT_CONFIG_NOSYSTEM"), QStringLiteral("1"));
    for (const char *display : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        environment.remove(QString::fromLatin1(display));
    putFile(home + QStringLiteral("/.gitconfig"), "[user]\n\tname = A Tester\n\temail = tester@example.org\n");
    return environment;
}

/// A sample repository and a private home, and the program run there as a user would: its exit code and both streams.
/// Needs TM_PROGRAM.
class VerbFixture
{
public:
    VerbFixture()
    {
        copyKept(QStringLiteral("verbs"), sample(), [this](const QString &folder) {
            const Ran made = run(QStringLiteral(TM_PROGRAM), {QStringLiteral("sample"), folder}, m_home.path());
            if (made.exitCode != 0)
                qFatal("%s", made.err.constData());
        });
    }

    [[nodiscard]] const QProcessEnvironment &environment() const { return m_environment; }
    void set(const QString &variable, const QString &value) { m_environment.insert(variable, value); }
    [[nodiscard]] QString sample() const { return m_home.filePath(QStringLiteral("sample")); }
    [[nodiscard]] Ran run(const QString &program, const QStringList &arguments, const QString &folder) const
    {
        return ran(program, arguments, folder, m_environment);
    }
    [[nodiscard]] Ran verb(const QStringList &arguments) const
    {
        return run(QStringLiteral(TM_PROGRAM), arguments, sample());
    }
    /// Runs a shell command in a terminal: `out` has both streams.
    [[nodiscard]] Ran inTerminal(const QString &command) const
    {
        return run(QStringLiteral("script"), {QStringLiteral("-qec"), command, QStringLiteral("/dev/null")}, sample());
    }
    Ran git(const QStringList &arguments) const
    {
        const Ran done = run(QStringLiteral("git"), arguments, sample());
        if (done.exitCode != 0)
            qFatal("git %s: %s", qPrintable(arguments.join(QLatin1Char(' '))), done.err.constData());
        return done;
    }
    void write(const QString &relative, const QByteArray &text) const
    {
        putFile(sample() + QLatin1Char('/') + relative, text);
    }
    [[nodiscard]] QByteArray read(const QString &relative) const
    {
        return tmx::test::contentOf(sample() + QLatin1Char('/') + relative);
    }
    void writeConfig(const QString &relative, const QByteArray &text) const
    {
        putFile(m_home.filePath(QStringLiteral(".config/torch-matrix/")) + relative, text);
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
    QTemporaryDir m_home;
    QProcessEnvironment m_environment = environmentAt(m_home.path());
};

} // namespace tmx::test
