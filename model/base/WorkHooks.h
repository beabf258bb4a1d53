// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <functional>

namespace tmx {

/// How a long action tells how far it is, and is asked to stop. Called from workers, any number of them at once; once
/// `stop` says so, it goes on saying so.
struct WorkHooks {
    std::function<void(int done, int total)> progress;
    std::function<bool()> stop;

    [[nodiscard]] bool stopped() const { return stop && stop(); }
    void tell(int done, int total) const
    {
        if (progress)
            progress(done, total);
    }
    /// For one part of the work, which begins and ends at these percents of the whole.
    [[nodiscard]] WorkHooks part(int begin, int end) const;
};

/// What an action gives that was stopped: "Could not finish: it was stopped. Nothing was changed."
Error stoppedError();

} // namespace tmx
