// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/grid/StateFilterBar.h"

#include "views/theme/Theme.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QEvent>
#include <QIcon>
#include <QLocale>

namespace tmx {

StateFilterBar::StateFilterBar(QWidget *parent)
    : QToolBar(parent)
{
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setIconSize({16, 16});
    setMovable(false);
    setFloatable(false);
    setContextMenuPolicy(Qt::PreventContextMenu); // QMainWindow would offer to hide it.
    setAccessibleName(tr("Filter by state"));
    auto *noun = new Label(tr("Variants:"), Label::Quiet);
    noun->setContentsMargins(4, 0, 4, 0);
    addWidget(noun);
    for (const Sign &sign : filterSigns()) {
        QAction *action = addAction(signWord(sign));
        action->setCheckable(true);
        action->setWhatsThis(signMeaning(sign));
        connect(action, &QAction::toggled, this, [this] {
            updateVisible();
            Q_EMIT signsChanged(signs());
        });
        m_actions.emplace(sign, action);
        // Toolbars exclude their buttons from the Tab order.
        if (QWidget *button = widgetForAction(action))
            button->setFocusPolicy(Qt::TabFocus);
    }
    updateVisible();
    QAction *one = m_actions.begin()->second; // has the height of all
    one->setVisible(true);
    updateIcons();
    setMinimumHeight(sizeHint().height()); // The grid below stays in place without any button too.
    updateVisible();
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
    QToolBar::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        updateIcons();
}

void StateFilterBar::updateIcons()
{
    for (const auto &[sign, action] : m_actions)
        action->setIcon(action->isVisible() ? signIcon(sign, palette()) : QIcon());
}

} // namespace tmx
