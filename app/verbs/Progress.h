// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/WorkHooks.h"

#include <mutex>

namespace tmx {

/// A long action in a terminal, as long as this lives: a line on standard error that says how far it is, where that is
/// a terminal, and Ctrl+C (or `kill`, or the terminal that closes) that asks it to stop rather than end the program
/// half-way. A second one ends it, but not while it writes: git's locks would stay.
class Progress
{
public:
    enum class Second { Ends, Waits };
    explicit Progress(const QString &what, Second second = Second::Ends); ///< "Reading the recipes"
    ~Progress();                                                          ///< the line is gone
    Q_DISABLE_COPY_MOVE(Progress)

    [[nodiscard]] WorkHooks hooks();

private:
    void show(int done, int total);

    const QByteArray m_what;
    const bool m_terminal;
    std::mutex m_mutex;
    int m_percent = -1; ///< that is shown
};

} // namespace tmx
