// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/widgets/Buttons.h"

#include "views/widgets/Tips.h"

#include <QComboBox>
#include <QLineEdit>
#include <QProgressBar>
#include <QSpinBox>
#include <QStyleOptionComboBox>

namespace tmx {

namespace {

class Choice : public QComboBox
{
protected:
    void initStyleOption(QStyleOptionComboBox *option) const override
    {
        QComboBox::initStyleOption(option);
        const int room =
            style()->subControlRect(QStyle::CC_ComboBox, option, QStyle::SC_ComboBoxEditField, this).width() - 2;
        const auto isCut = [&](const QString &text) { return option->fontMetrics.horizontalAdvance(text) > room; };
        if (!isCut(option->currentText))
            return;
        if (const QString text = currentData(shortTextRole).toString(); !text.isEmpty())
            option->currentText = text;
        option->currentText = option->fontMetrics.elidedText(option->currentText, Qt::ElideRight, room);
    }
};

} // namespace

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
    auto *box = new Choice;
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
