// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/ArrowButton.h"

namespace tmx {

QToolButton *makeArrow(Qt::ArrowType arrow, const QString &name, const QString &tip)
{
    auto *button = new QToolButton;
    button->setArrowType(arrow);
    button->setAccessibleName(name);
    button->setToolTip(tip);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

} // namespace tmx
