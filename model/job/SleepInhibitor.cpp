// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/SleepInhibitor.h"

#include "model/base/Programs.h"

#include <QFile>

#include <csignal>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace tmx {

SleepInhibitor::SleepInhibitor(const QString &why, const QProcessEnvironment &environment)
{
    const QStringList folders = environment.value(u"PATH"_s).split(u':', Qt::SkipEmptyParts);
    const QByteArray program =
        folders.isEmpty() ? QByteArray() : QFile::encodeName(findProgram(u"systemd-inhibit"_s, folders));
    int ends[2];
    if (program.isEmpty() || ::pipe2(ends, O_CLOEXEC) != 0)
        return;
    const QByteArray reason = "--why=" + why.toUtf8();
    m_pid = ::fork();
    if (m_pid == 0) {
        ::setpgid(0, 0); // Signals to the build's process group must not reach it.
        sigset_t none;
        ::sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
        ::dup2(ends[0], STDIN_FILENO);
        ::dup2(nothing, STDOUT_FILENO);
        ::dup2(nothing, STDERR_FILENO);
        ::syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC);
        ::execl(program.constData(), "systemd-inhibit", "--what=sleep", "--mode=block", "--who=Torch Matrix",
                reason.constData(), "cat", nullptr);
        ::_exit(127);
    }
    ::close(ends[0]);
    m_pipe = ends[1];
    if (m_pid < 0)
        m_pid = 0;
}

SleepInhibitor::~SleepInhibitor()
{
    if (m_pipe < 0)
        return;
    ::close(m_pipe); // cat reads end of file, and systemd-inhibit ends with it.
    if (m_pid > 0)
        ::waitpid(m_pid, nullptr, WNOHANG);
}

} // namespace tmx
