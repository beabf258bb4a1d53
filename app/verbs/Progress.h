// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/WorkHooks.h"

#include <mutex>

namespace tmx {

/// Progress of a long action, as long as this object exists: a line on standard error if that is a terminal. Ctrl+C (or
/// `kill`, or closing the terminal) requests a stop and does not end the program half-way. A second signal ends it, but
/// not while it writes: git's locks would remain.
class Progress
{
public:
    enum class Second { Ends, Waits };
    explicit Progress(const QString &what, Second second = Second::Ends); ///< "Reading the recipes"
    ~Progress();                                                          ///< removes the line
    Q_DISABLE_COPY_MOVE(Progress)

    [[nodiscard]] WorkHooks hooks();

private:
    void show(int done, int total);

    const QByteArray m_what;
    const bool m_terminal;
    std::mutex m_mutex;
    int m_percent = -1; ///< the shown percentage
};

} // namespace tmx
