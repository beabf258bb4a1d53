// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Progress.h"

#include <QByteArray>

#include <csignal>
#include <cstdio>
#include <unistd.h>

namespace tmx {

namespace {

volatile std::sig_atomic_t stopAsked = 0;

void handle(int)
{
    stopAsked = 1;
}

void catchStop(bool on)
{
    struct sigaction action{};
    action.sa_handler = on ? handle : SIG_DFL;
    action.sa_flags = on ? int(SA_RESTART | SA_RESETHAND) : 0;
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
}

} // namespace

Progress::Progress(const QString &what)
    : m_what(what.toUtf8())
    , m_terminal(::isatty(STDERR_FILENO) == 1)
{
    catchStop(true);
}

Progress::~Progress()
{
    catchStop(false);
    if (m_percent >= 0)
        std::fputs("\r\033[K", stderr);
}

WorkHooks Progress::hooks()
{
    WorkHooks hooks;
    hooks.stop = [] { return stopAsked != 0; };
    if (m_terminal)
        hooks.progress = [this](int done, int total) { show(done, total); };
    return hooks;
}

void Progress::show(int done, int total)
{
    const std::lock_guard lock(m_mutex);
    const int percent = total > 0 ? int(qint64(100) * done / total) : 100;
    if (percent == m_percent)
        return;
    m_percent = percent;
    std::fprintf(stderr, "\r%s: %d %%\033[K", m_what.constData(), percent);
    std::fflush(stderr);
}

} // namespace tmx
