// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <functional>

namespace tmx {

/// Callbacks for a long action's progress and cancellation. Called from workers, possibly in parallel; once `stop` has
/// returned true, it must continue to do so.
struct WorkHooks {
    std::function<void(int done, int total)> progress;
    std::function<bool()> stop;

    [[nodiscard]] bool stopped() const { return stop && stop(); }
    void tell(int done, int total) const
    {
        if (progress)
            progress(done, total);
    }
    /// For a part of the work, which covers these percents of the whole.
    [[nodiscard]] WorkHooks part(int begin, int end) const;
};

/// The error of an action that was stopped: "Could not finish: it was stopped. Nothing was changed."
Error stoppedError();

} // namespace tmx
