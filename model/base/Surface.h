// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace tmx {

/// Where the sentences of this process are read. A remedy is a command in the terminal, and a button in the window.
enum class Surface { Terminal, Window };
void setSurface(Surface surface); ///< before any worker starts; the terminal without it
[[nodiscard]] Surface surface();
[[nodiscard]] QString forSurface(const QString &terminal, const QString &window);

} // namespace tmx
