// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/WindowThread.h"

#include <QCoreApplication>
#include <QThread>
#include <QThreadPool>

#include <latch>
#include <memory>
#include <sys/resource.h>

namespace tmx {

namespace {

constexpr int workerNiceness = 5;

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

void putThisThreadFirst(QThreadPool *pool)
{
    const int threads = pool->maxThreadCount();
    const int nice = ::getpriority(PRIO_PROCESS, 0) + workerNiceness;
    const auto all = std::make_shared<std::latch>(threads); // no thread takes two of the tasks
    pool->setExpiryTimeout(-1);
    for (int i = 0; i < threads; ++i) {
        pool->start([all, nice] {
            ::setpriority(PRIO_PROCESS, 0, nice); // of this thread; at most 19
            all->arrive_and_wait();
        });
    }
}

} // namespace tmx
