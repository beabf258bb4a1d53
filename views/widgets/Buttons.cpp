// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/widgets/Buttons.h"

#include "views/widgets/Tips.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QStyleOptionComboBox>
#include <QToolTip>

namespace tmx {

namespace {

class Choice : public QComboBox
{
protected:
    void initStyleOption(QStyleOptionComboBox *option) const override
    {
        QComboBox::initStyleOption(option);
        const int room = roomIn(*option);
        if (!isCut(*option, room))
            return;
        if (const QString text = currentData(shortTextRole).toString(); !text.isEmpty())
            option->currentText = text;
        option->currentText = option->fontMetrics.elidedText(option->currentText, Qt::ElideRight, room);
    }

    /// Shows a text that has no room.
    bool event(QEvent *event) override
    {
        if (event->type() != QEvent::ToolTip)
            return QComboBox::event(event);
        QStyleOptionComboBox option;
        QComboBox::initStyleOption(&option);
        const QString tip = isCut(option, roomIn(option)) ? plainToolTip(currentText()) : toolTip();
        QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(), tip, this);
        return true;
    }

private:
    [[nodiscard]] int roomIn(const QStyleOptionComboBox &option) const
    {
        return style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width() - 2;
    }
    [[nodiscard]] static bool isCut(const QStyleOptionComboBox &option, int room)
    {
        return option.fontMetrics.horizontalAdvance(option.currentText) > room;
    }
};

/// Close and act, in the platform's order.
class Footer : public QDialogButtonBox
{
public:
    Footer(QPushButton *close, QPushButton *action)
        : m_action(action)
    {
        addButton(close, RejectRole);
        addButton(action, AcceptRole);
        close->setAutoDefault(false);
    }

protected:
    /// Within its dialog only is it the main one, to which the dialog returns when it was disabled in between.
    void showEvent(QShowEvent *event) override
    {
        QDialogButtonBox::showEvent(event);
        m_action->setDefault(true);
    }

private:
    QPushButton *m_action;
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

QLayout *makeFooter(const QList<QWidget *> &others, QPushButton *close, QPushButton *action)
{
    auto *footer = new QHBoxLayout;
    for (QWidget *other : others) {
        footer->addWidget(other);
        if (auto *button = qobject_cast<QPushButton *>(other))
            button->setAutoDefault(false);
    }
    footer->addWidget(new Footer(close, action), 1);
    return footer;
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
