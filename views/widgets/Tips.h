// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

class QAbstractButton;
class QAction;
class QAbstractItemView;
class QWidget;

namespace tmx {

/// `text` so that a tooltip shows it to the letter. A text that Qt would take for markup is escaped, any other is
/// returned as it is.
QString plainToolTip(const QString &text);
void setPlainToolTip(QWidget *widget, const QString &text);
void setPlainToolTip(QAction *action, const QString &text);
/// Shows Qt::ToolTipRole of the view's cells, and of its headers, to the letter. Models and items hold the text itself.
void showPlainToolTips(QAbstractItemView *view);

/// What assistive technology calls the widget, and its tooltip.
void describe(QWidget *widget, const QString &name, const QString &tip);
/// Why a button can or cannot be pressed: its tooltip and its accessible description.
void explain(QWidget *button, const QString &reason);

} // namespace tmx
