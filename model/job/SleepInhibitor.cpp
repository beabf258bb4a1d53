// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/SleepInhibitor.h"

#include "model/base/Programs.h"
#include "model/job/SupervisedRun.h"

#include <algorithm>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace tmx {

SleepInhibitor::SleepInhibitor(const QString &why, const QProcessEnvironment &environment)
{
    SupervisedRequest request{
        .program = findProgram(u"systemd-inhibit"_s, environment),
        .arguments = {u"--what=sleep"_s, u"--mode=block"_s, u"--who=Torch Matrix"_s, u"--why="_s + why, u"cat"_s},
        .folder = {},
        .environment = QProcessEnvironment::systemEnvironment()};
    int ends[2];
    if (request.program.isEmpty() || ::pipe2(ends, O_CLOEXEC) != 0)
        return;
    request.input = ends[0];
    m_pid = std::max(startProgram(request), 0); // Not in the build's process group, whose signals must not reach it.
    ::close(ends[0]);
    m_pipe = ends[1];
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
