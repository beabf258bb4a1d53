// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/ProcessTable.h"
#include "tests/support/FileText.h"
#include "tests/support/LocalServer.h"

#include <QTemporaryDir>

#include <csignal>
#include <pwd.h>

namespace tmx::test {

/// A real sshd on the loopback address with its own keys, and an ssh that knows it as "gpu-box". A login gets the state
/// folder `there`, and the variables that the test sets.
class SshServer
{
public:
    explicit SshServer(const QStringList &variables)
        : m_port(freePort())
    {
        const QString user = QString::fromLocal8Bit(::getpwuid(::getuid())->pw_name);
        for (const char *key : {"host", "user"})
            keygen(QString::fromLatin1(key));
        putFile(path(QStringLiteral("authorized")), text(QStringLiteral("user.pub")));
        QString config = QStringLiteral("Port %1\nListenAddress 127.0.0.1\nHostKey %2\nAuthorizedKeysFile %3\n"
                                        "StrictModes no\nUsePAM no\nPermitRootLogin yes\nPidFile none\nSetEnv "
                                        "XDG_STATE_HOME=%4")
                             .arg(m_port)
                             .arg(path(QStringLiteral("host")), path(QStringLiteral("authorized")), there());
        for (const QString &variable : variables)
            config += QStringLiteral(" \"%1\"").arg(variable);
        putFile(path(QStringLiteral("sshd_config")), config.toUtf8() + '\n');
        putFile(path(QStringLiteral("ssh_config")),
                QStringLiteral("Host gpu-box\n HostName 127.0.0.1\n Port %1\nHost nobody-home\n HostName 127.0.0.1\n "
                               "Port %2\nHost *\n User %3\n IdentityFile %4\n IdentitiesOnly yes\n "
                               "StrictHostKeyChecking no\n UserKnownHostsFile %5\n LogLevel ERROR\n")
                    .arg(m_port)
                    .arg(freePort())
                    .arg(user, path(QStringLiteral("user")), path(QStringLiteral("known")))
                    .toUtf8());
        putFile(path(QStringLiteral("bin/ssh")),
                "#!/bin/sh\nexec /usr/bin/ssh -F " + path(QStringLiteral("ssh_config")).toUtf8() + " \"$@\"\n");
        QFile::setPermissions(path(QStringLiteral("bin/ssh")), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        start();
    }

    [[nodiscard]] QString bin() const { return path(QStringLiteral("bin")); } ///< for the beginning of PATH
    [[nodiscard]] QString there() const { return path(QStringLiteral("there")); }
    [[nodiscard]] QString jobs() const { return there() + QStringLiteral("/torch-matrix/remote/jobs"); }
    /// Ends the connections, but not processes that were detached from them.
    void cut() const { killThere("sshd-session"); }
    /// Kills the processes below the server with this name.
    void killThere(const QByteArray &program) const
    {
        const QList<ProcessEntry> table = processTable();
        const QList<ProcessEntry> below = descendantsOf(m_server->pid(), table);
        for (const ProcessEntry &process : below) {
            QFile name(QStringLiteral("/proc/%1/comm").arg(process.pid));
            if (name.open(QIODevice::ReadOnly) && name.readAll().trimmed() == program.left(15))
                ::kill(pid_t(process.pid), SIGKILL);
        }
    }
    void stop() { m_server.reset(); }
    void start()
    {
        QStringList words{QStringLiteral("/usr/sbin/sshd"), QStringLiteral("-D"), QStringLiteral("-f"),
                          path(QStringLiteral("sshd_config"))};
        // sshd as root needs a user that this system may not have.
        if (::getuid() == 0) {
            putFile(path(QStringLiteral("passwd")),
                    text(QStringLiteral("/etc/passwd")) + "sshd:x:22222:65534::/run/sshd:/usr/sbin/nologin\n");
            QDir().mkpath(path(QStringLiteral("empty")));
            words =
                QStringList{
                    QStringLiteral("bwrap"),       QStringLiteral("--dev-bind"),  QStringLiteral("/"),
                    QStringLiteral("/"),           QStringLiteral("--ro-bind"),   path(QStringLiteral("passwd")),
                    QStringLiteral("/etc/passwd"), QStringLiteral("--tmpfs"),     QStringLiteral("/run"),
                    QStringLiteral("--bind"),      path(QStringLiteral("empty")), QStringLiteral("/run/sshd"),
                    QStringLiteral("--cap-add"),   QStringLiteral("ALL"),         QStringLiteral("--die-with-parent"),
                    QStringLiteral("--")} +
                words;
        }
        m_server = std::make_unique<LocalServer>(words.constFirst(), words.sliced(1), path(QStringLiteral("sshd.log")));
        QTRY_VERIFY(answers());
    }

private:
    [[nodiscard]] QString path(const QString &name) const { return m_folder.filePath(name); }
    [[nodiscard]] QByteArray text(const QString &name) const
    {
        return tmx::test::contentOf(QDir(m_folder.path()).absoluteFilePath(name));
    }
    void keygen(const QString &name) const
    {
        if (QProcess::execute(QStringLiteral("ssh-keygen"),
                              {QStringLiteral("-q"), QStringLiteral("-t"), QStringLiteral("ed25519"),
                               QStringLiteral("-N"), QString(), QStringLiteral("-f"), path(name)}) != 0)
            qFatal("ssh-keygen failed");
    }
    [[nodiscard]] bool answers() const
    {
        QProcess ssh;
        ssh.start(bin() + QStringLiteral("/ssh"), {QStringLiteral("gpu-box"), QStringLiteral("true")});
        return ssh.waitForFinished() && ssh.exitStatus() == QProcess::NormalExit && ssh.exitCode() == 0;
    }

    QTemporaryDir m_folder;
    int m_port;
    std::unique_ptr<LocalServer> m_server;
};

} // namespace tmx::test
