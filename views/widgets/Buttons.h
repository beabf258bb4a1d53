// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QToolButton>

class QComboBox;
class QLayout;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace tmx {

/// A flat button. `name` is its accessible name; the tooltip adds the key.
QToolButton *makeTool(const QString &text, const QString &name, const QString &tip);
/// A flat button that moves one step in some direction.
QToolButton *makeArrow(Qt::ArrowType arrow, const QString &name, const QString &tip);
/// A list to choose from, as wide as its longest entry. Where it is narrower, the chosen entry shows its short text
/// (shortTextRole) or an ellipsis.
QComboBox *makeChoice(const QString &name);
/// Of an entry of such a list.
constexpr int shortTextRole = Qt::UserRole + 100;
/// A number to type; its field has the name too.
QSpinBox *makeNumber(int least, int most, const QString &name, const QString &tip);
/// The lowest line of a dialog: `others` on the left, on the right the button that closes it and the one that acts, in
/// the platform's order; Return presses the latter wherever the focus is.
QLayout *makeFooter(const QList<QWidget *> &others, QPushButton *close, QPushButton *action);
/// A busy indicator without text, hidden at first. It keeps its room, so that nothing below it moves when it appears or
/// disappears.
QProgressBar *makeBusyBar(const QString &name, int height);

} // namespace tmx
