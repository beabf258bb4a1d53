// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QFont>

class QWidget;

namespace tmx {

/// The font of recipes, differences and logs: the user's choice (Preferences), else the desktop's fixed-width font.
QFont codeFont();
/// Gives the widget this font now, and on each updateCodeFonts().
void useCodeFont(QWidget *widget);
/// Call it after the choice has changed.
void updateCodeFonts();

} // namespace tmx
