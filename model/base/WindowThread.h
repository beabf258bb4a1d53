// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>

#include <atomic>

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

} // namespace tmx
