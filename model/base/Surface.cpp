// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Surface.h"

#include <atomic>

namespace tmx {

namespace {

std::atomic current = Surface::Terminal;

} // namespace

void setSurface(Surface surface)
{
    current = surface;
}

Surface surface()
{
    return current;
}

QString forSurface(const QString &terminal, const QString &window)
{
    return current == Surface::Terminal ? terminal : window;
}

} // namespace tmx
