// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

class QAbstractButton;
class QAction;
class QAbstractItemView;
class QWidget;

namespace tmx {

/// Returns `text` so that a tooltip shows it literally: escaped if Qt would take it for markup, else unchanged.
QString plainToolTip(const QString &text);
void setPlainToolTip(QWidget *widget, const QString &text);
void setPlainToolTip(QAction *action, const QString &text);
/// Shows Qt::ToolTipRole of the view's cells and headers literally. Models and items hold the plain text.
void showPlainToolTips(QAbstractItemView *view);

/// Sets the widget's accessible name and its tooltip.
void describe(QWidget *widget, const QString &name, const QString &tip);
/// Says why a button can or cannot be pressed, in its tooltip and its accessible description.
void explain(QWidget *button, const QString &reason);

} // namespace tmx
