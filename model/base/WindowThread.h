// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>

#include <atomic>

class QThreadPool;

namespace tmx {

/// Detects blocking calls: while one exists, calls of belongsToAWorker() on the application's thread are recorded. For
/// tests; only one at a time.
class WindowThreadWatch
{
public:
    WindowThreadWatch();
    ~WindowThreadWatch();
    Q_DISABLE_COPY_MOVE(WindowThreadWatch)

    [[nodiscard]] QStringList calls() const; ///< the recorded calls in order; repeated ones are listed once
};

namespace Detail {
extern std::atomic_bool watchesWindowThread;
void noteCall(const char *what);
} // namespace Detail

/// Marks code that may take long (git, disk, a search of PATH, a diff of texts) and so must not run on the GUI thread.
/// Costs one load of a flag.
inline void belongsToAWorker(const char *what)
{
    if (Detail::watchesWindowThread.load(std::memory_order_relaxed))
        Detail::noteCall(what);
}

/// Gives the pool's threads, and what they start, a nice value five above this thread's, so that they do not keep it
/// waiting on a busy machine. Linux ignores QThread's priorities, and a pool tells of no new thread: so all of its
/// threads start now, and stay.
void putThisThreadFirst(QThreadPool *pool);

} // namespace tmx
