// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/outcome/BuildOutcome.h"

namespace tmx {

/// For the user: what happened, and what to do. One or two sentences each.
[[nodiscard]] QString sentenceOf(const BuildOutcome &outcome);
/// What to do, the end of sentenceOf(); may be empty.
[[nodiscard]] QString remedyOf(const BuildOutcome &outcome);
/// Why it failed in a few words, for a cell or a line: "out of memory", "nvcc of CUDA 12.8 does not know sm_121".
[[nodiscard]] QString shortCauseOf(const BuildOutcome &outcome);
/// The first error line of the log without its place, at most 160 characters; empty: none is known.
[[nodiscard]] QString firstErrorOf(const BuildOutcome &outcome);
/// A remark to show besides the build's name and word; empty if there is none.
[[nodiscard]] QString remarkOf(const BuildOutcome &outcome);
/// "Retry", "Retry with 8 cores"; empty where the same recipe fails again.
[[nodiscard]] QString retryText(const BuildOutcome &outcome);

} // namespace tmx
