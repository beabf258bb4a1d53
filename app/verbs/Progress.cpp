// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Progress.h"

#include "model/base/TerminalText.h"

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

void catchStop(bool on, bool once)
{
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before{};
        ::sigaction(signal, nullptr, &before);
        if (before.sa_handler == SIG_IGN)
            continue; // started with nohup, or in the background
        struct sigaction action{};
        action.sa_handler = on ? handle : SIG_DFL;
        action.sa_flags = on ? SA_RESTART | (once ? int(SA_RESETHAND) : 0) : 0;
        ::sigaction(signal, &action, nullptr);
    }
}

} // namespace

Progress::Progress(const QString &what, Second second)
    : m_what(terminalText(what.toUtf8()))
    , m_terminal(::isatty(STDERR_FILENO) == 1)
{
    catchStop(true, second == Second::Ends);
}

Progress::~Progress()
{
    catchStop(false, false);
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
