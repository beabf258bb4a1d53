// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/history/BuildHistory.h"

namespace tmx {

/// Records all finished jobs below a state folder in the history. Returns how many were new.
Result<int> recordEndedJobs(BuildHistory &history, const QString &state);

} // namespace tmx
