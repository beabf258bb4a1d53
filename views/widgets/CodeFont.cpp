// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/widgets/CodeFont.h"

#include "model/base/Preferences.h"

#include <QApplication>
#include <QFontDatabase>
#include <QWidget>

namespace tmx {

namespace {

constexpr const char *usesCodeFont = "usesCodeFont";

} // namespace

QFont codeFont()
{
    const Preferences preferences = Preferences::load();
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (!preferences.codeFont.isEmpty())
        font.setFamily(preferences.codeFont);
    if (preferences.codeSize > 0)
        font.setPointSize(preferences.codeSize);
    return font;
}

void useCodeFont(QWidget *widget)
{
    widget->setProperty(usesCodeFont, true);
    widget->setFont(codeFont());
}

void updateCodeFonts()
{
    const QFont font = codeFont();
    const QWidgetList widgets = QApplication::allWidgets();
    for (QWidget *widget : widgets) {
        if (widget->property(usesCodeFont).toBool())
            widget->setFont(font);
    }
}

} // namespace tmx
