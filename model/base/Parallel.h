// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QtTypes>

#include <functional>

namespace tmx {

/// Does `work` for 0 to `count` - 1, as many at once as there are cores, this thread among them, and waits for all. An
/// exception ends the rest and is thrown on here. Made of std:: parts, so that the thread sanitizer sees what is handed
/// over, which Qt's own pools hide from it.
void inParallel(qsizetype count, const std::function<void(qsizetype)> &work);

} // namespace tmx
