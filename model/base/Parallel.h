// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QtTypes>

#include <functional>

namespace tmx {

/// Calls `work` for 0 to `count` - 1, in parallel on all cores, including this thread, and waits for all. An exception
/// stops the remaining calls and is rethrown here. Uses std:: threads, so that the thread sanitizer sees what is
/// shared; it does not see into Qt's pools.
void inParallel(qsizetype count, const std::function<void(qsizetype)> &work);

} // namespace tmx
