// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/WindowThread.h"

#include <QCoreApplication>
#include <QThread>

namespace tmx {

namespace {
QStringList &noted() // only used by the application's thread
{
    static QStringList calls;
    return calls;
}
} // namespace

std::atomic_bool Detail::watchesWindowThread = false;

void Detail::noteCall(const char *what)
{
    const QCoreApplication *application = QCoreApplication::instance();
    if (!application || QThread::currentThread() != application->thread())
        return;
    if (const QString call = QString::fromUtf8(what); !noted().contains(call))
        noted().append(call);
}

WindowThreadWatch::WindowThreadWatch()
{
    noted().clear();
    Detail::watchesWindowThread = true;
}

WindowThreadWatch::~WindowThreadWatch()
{
    Detail::watchesWindowThread = false;
}

QStringList WindowThreadWatch::calls() const
{
    return noted();
}

} // namespace tmx
