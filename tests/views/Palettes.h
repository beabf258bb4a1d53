// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QPalette>

/// The colours of a light and of a dark desktop, independent of the test machine's.
namespace palettes {

inline QPalette lightPalette()
{
    QPalette palette(QColor(0xefefef), QColor(0xefefef));
    palette.setColor(QPalette::Base, Qt::white);
    return palette;
}

inline QPalette darkPalette()
{
    QPalette palette(QColor(0x3c3f41), QColor(0x2b2d30));
    palette.setColor(QPalette::Base, QColor(0x1e1f22));
    for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText})
        palette.setColor(role, QColor(0xdfe1e5));
    return palette;
}

} // namespace palettes
