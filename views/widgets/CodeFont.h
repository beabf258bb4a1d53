// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QFont>

class QWidget;

namespace tmx {

/// The font of recipes, differences and logs: the user's choice (Preferences), else the desktop's of fixed width.
QFont codeFont();
/// Gives the widget this font, now and whenever updateCodeFonts() is called.
void useCodeFont(QWidget *widget);
/// After the choice has changed.
void updateCodeFonts();

} // namespace tmx
