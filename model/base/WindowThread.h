// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>

#include <atomic>

namespace tmx {

/// Finds what holds up the window: while one of these lives, calls of belongsToAWorker() on the application's thread
/// are noted. For tests; one at a time.
class WindowThreadWatch
{
public:
    WindowThreadWatch();
    ~WindowThreadWatch();
    Q_DISABLE_COPY_MOVE(WindowThreadWatch)

    [[nodiscard]] QStringList calls() const; ///< what was called, in order; a call that is repeated is listed once
};

namespace Detail {
extern std::atomic_bool watchesWindowThread;
void noteCall(const char *what);
} // namespace Detail

/// Says that what follows may take long (git, disk, a search of PATH, the difference of texts), so that it must not be
/// called on the window's thread. Costs the load of a flag.
inline void belongsToAWorker(const char *what)
{
    if (Detail::watchesWindowThread.load(std::memory_order_relaxed))
        Detail::noteCall(what);
}

} // namespace tmx
