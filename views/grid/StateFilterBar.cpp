// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/grid/StateFilterBar.h"

#include "views/theme/Theme.h"
#include "views/widgets/FlowLayout.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QAction>
#include <QEvent>
#include <QIcon>
#include <QLocale>
#include <QToolButton>

namespace tmx {

StateFilterBar::StateFilterBar(QWidget *parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Filter by state"));
    auto *flow = new FlowLayout(2, this);
    flow->setContentsMargins(4, 2, 4, 2);
    auto *noun = new Label(tr("Variants:"), Label::Quiet);
    noun->setContentsMargins(4, 0, 4, 0);
    flow->addWidget(noun);
    for (const Sign &sign : filterSigns()) {
        auto *action = new QAction(signWord(sign), this);
        action->setCheckable(true);
        action->setWhatsThis(signMeaning(sign));
        connect(action, &QAction::toggled, this, [this] {
            updateVisible();
            Q_EMIT signsChanged(signs());
        });
        addAction(action);
        auto *button = new QToolButton;
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setIconSize({16, 16});
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        flow->addWidget(button);
        m_actions.emplace(sign, action);
        m_buttons.emplace(sign, button);
    }
    const QToolButton *one = m_buttons.begin()->second; // has the height of all
    noun->setFixedHeight(one->sizeHint().height());     // The grid below stays in place without any button too.
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    updateVisible();
    updateIcons();
}

void StateFilterBar::setCounts(const std::map<Sign, int> &counts)
{
    m_counts = counts;
    for (const auto &[sign, action] : m_actions) {
        const QString word = signWord(sign), count = QLocale().toString(m_counts[sign]);
        action->setText(tr("%1 %2", "state word and count").arg(word, count));
        setPlainToolTip(action, tr("Show only variants: %1 (%2 here). Press again to show all.").arg(word, count));
    }
    updateVisible();
}

void StateFilterBar::updateVisible()
{
    // A pressed button stays even at 0, so that it can be released.
    for (const auto &[sign, action] : m_actions) {
        action->setVisible(m_counts[sign] > 0 || action->isChecked());
        m_buttons[sign]->setVisible(action->isVisible());
        if (action->isVisible() && action->icon().isNull())
            action->setIcon(signIcon(sign, palette()));
    }
}

std::set<Sign> StateFilterBar::signs() const
{
    std::set<Sign> signs;
    for (const auto &[sign, action] : m_actions) {
        if (action->isChecked())
            signs.insert(sign);
    }
    return signs;
}

void StateFilterBar::setSigns(const std::set<Sign> &signs)
{
    const std::set<Sign> before = this->signs();
    {
        const QSignalBlocker blocker(this);
        for (const auto &[sign, action] : m_actions)
            action->setChecked(signs.contains(sign));
    }
    if (signs != before)
        Q_EMIT signsChanged(signs);
}

void StateFilterBar::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        updateIcons();
}

void StateFilterBar::updateIcons()
{
    for (const auto &[sign, action] : m_actions)
        action->setIcon(action->isVisible() ? signIcon(sign, palette()) : QIcon());
}

} // namespace tmx
