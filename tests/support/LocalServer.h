// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/FileText.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>

#include <arpa/inet.h>
#include <csignal>
#include <memory>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tmx::test {

/// A port of the loopback address on which nothing listens now.
inline int freePort()
{
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(fd, reinterpret_cast<sockaddr *>(&address), size) != 0 ||
        ::getsockname(fd, reinterpret_cast<sockaddr *>(&address), &size) != 0)
        qFatal("there is no free port");
    ::close(fd);
    return ntohs(address.sin_port);
}

/// A server for one test: started in the foreground, with its output in a file, killed by the destructor.
class LocalServer
{
public:
    LocalServer(const QString &program, const QStringList &arguments, const QString &log,
                const QProcessEnvironment &environment = QProcessEnvironment::systemEnvironment())
    {
        QProcessEnvironment all = environment;
        all.insert(QStringLiteral("PATH"),
                   environment.value(QStringLiteral("PATH")) + QStringLiteral(":/usr/local/sbin:/usr/sbin:/sbin"));
        m_process.setProcessEnvironment(all);
        m_process.setStandardInputFile(QProcess::nullDevice());
        m_process.setProcessChannelMode(QProcess::MergedChannels);
        m_process.setStandardOutputFile(log, QIODevice::Append);
        m_process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); }); // the test may be killed
        // QProcess searches this process's own PATH.
        m_process.start(QStringLiteral("/usr/bin/env"), QStringList{program} + arguments);
        if (!m_process.waitForStarted())
            qFatal("%s does not start: %s", qPrintable(program), qPrintable(m_process.errorString()));
    }
    ~LocalServer() { kill(); }
    Q_DISABLE_COPY_MOVE(LocalServer)

    void kill()
    {
        m_process.kill();
        m_process.waitForFinished();
    }
    [[nodiscard]] qint64 pid() const { return m_process.processId(); }

private:
    QProcess m_process;
};

} // namespace tmx::test
