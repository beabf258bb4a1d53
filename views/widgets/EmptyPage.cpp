// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/widgets/EmptyPage.h"

#include "views/widgets/Label.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace tmx {

EmptyPage::EmptyPage(const QString &title, const QString &purpose, QWidget *parent)
    : QWidget(parent)
    , m_title(new Label(title, Label::Title | Label::Wrapped))
    , m_buttons(new QHBoxLayout)
{
    auto *text = new Label(purpose, Label::Quiet | Label::Wrapped);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(24, 24, 24, 24);
    column->setSpacing(12);
    column->addStretch(2);
    for (Label *label : {m_title, text}) {
        label->setAlignment(Qt::AlignCenter);
        column->addWidget(label);
    }
    m_buttons->addStretch(1);
    m_buttons->addStretch(1);
    column->addLayout(m_buttons);
    column->addStretch(3);
}

void EmptyPage::setTitle(const QString &title)
{
    m_title->setText(title);
}

QPushButton *EmptyPage::addButton(const QString &text)
{
    auto *button = new QPushButton(text);
    if (m_buttons->count() == 2)
        setFocusProxy(button);
    m_buttons->insertWidget(m_buttons->count() - 1, button);
    return button;
}

} // namespace tmx
