// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/widgets/Buttons.h"

#include "views/widgets/Tips.h"

#include <QComboBox>
#include <QLineEdit>
#include <QProgressBar>
#include <QSpinBox>

namespace tmx {

QToolButton *makeTool(const QString &text, const QString &name, const QString &tip)
{
    auto *button = new QToolButton;
    button->setText(text);
    describe(button, name, tip);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

QToolButton *makeArrow(Qt::ArrowType arrow, const QString &name, const QString &tip)
{
    QToolButton *button = makeTool({}, name, tip);
    button->setArrowType(arrow);
    return button;
}

QComboBox *makeChoice(const QString &name)
{
    auto *box = new QComboBox;
    describe(box, name, name);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    return box;
}

QSpinBox *makeNumber(int least, int most, const QString &name, const QString &tip)
{
    auto *box = new QSpinBox;
    box->setRange(least, most);
    describe(box, name, tip);
    if (auto *field = box->findChild<QLineEdit *>())
        field->setAccessibleName(name);
    return box;
}

QProgressBar *makeBusyBar(const QString &name, int height)
{
    auto *bar = new QProgressBar;
    bar->setRange(0, 0);
    bar->setTextVisible(false);
    bar->setFixedHeight(height);
    bar->setAccessibleName(name);
    QSizePolicy policy = bar->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    bar->setSizePolicy(policy);
    bar->hide();
    return bar;
}

} // namespace tmx
