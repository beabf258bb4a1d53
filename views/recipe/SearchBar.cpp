// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/recipe/SearchBar.h"

#include "views/widgets/Buttons.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QToolButton>

namespace tmx {

SearchBar::SearchBar(SearchTarget *target, QWidget *area, QWidget *parent)
    : QWidget(parent)
    , m_target(target)
    , m_area(area)
    , m_needle(new QLineEdit)
    , m_count(new Label({}, Label::Ordinary, tr("Matches")))
    , m_case(new QCheckBox(tr("Aa")))
    , m_expression(new QCheckBox(QStringLiteral(".*")))
    , m_previous(makeArrow(Qt::UpArrow, tr("Previous match"), tr("Previous match (Shift+F3)")))
    , m_next(makeArrow(Qt::DownArrow, tr("Next match"), tr("Next match (F3)")))
{
    m_needle->setPlaceholderText(tr("Find"));
    m_needle->setAccessibleName(tr("Find in the text"));
    m_needle->setClearButtonEnabled(true);
    m_needle->installEventFilter(this);
    describe(m_case, tr("Match case"), tr("Match case"));
    describe(m_expression, tr("Regular expression"), tr("Regular expression"));
    m_expression->setVisible(target->takesExpressions());
    auto *close = makeTool(QStringLiteral("\u2715"), tr("Close the search"), tr("Close the search (Esc)"));

    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 6, 6, 6);
    layout->setSpacing(4);
    layout->addWidget(m_needle, 1);
    layout->addWidget(m_count);
    layout->addWidget(m_case);
    layout->addWidget(m_expression);
    layout->addWidget(m_previous);
    layout->addWidget(m_next);
    layout->addWidget(close);
    // As wide as its longest text, so that the field keeps its width while the user types.
    m_count->setMinimumWidth(fontMetrics().horizontalAdvance(tr("%1 of %2").arg(88).arg(888)));
    m_count->setAlignment(Qt::AlignCenter);

    connect(m_needle, &QLineEdit::textChanged, this, &SearchBar::search);
    connect(m_case, &QCheckBox::toggled, this, &SearchBar::search);
    connect(m_expression, &QCheckBox::toggled, this, &SearchBar::search);
    connect(m_previous, &QToolButton::clicked, this, [this] { m_target->findPrevious(); });
    connect(m_next, &QToolButton::clicked, this, [this] { m_target->findNext(); });
    connect(close, &QToolButton::clicked, this, &SearchBar::close);
    showCount();
    hide();
}

void SearchBar::open()
{
    if (const QString selected = m_target->selectedOnOneLine(); !selected.isEmpty())
        m_needle->setText(selected);
    show();
    m_needle->setFocus(Qt::ShortcutFocusReason);
    m_needle->selectAll();
    search();
}

void SearchBar::close()
{
    m_target->selectCurrentMatch();
    m_target->setSearch({}, Qt::CaseInsensitive, false);
    m_area->setFocus(Qt::OtherFocusReason);
    hide();
}

void SearchBar::findNext()
{
    if (isHidden() || m_needle->text().isEmpty())
        open();
    else
        m_target->findNext();
}

void SearchBar::findPrevious()
{
    if (isHidden() || m_needle->text().isEmpty())
        open();
    else
        m_target->findPrevious();
}

bool SearchBar::claimsKey(QEvent *event)
{
    if (event->type() != QEvent::ShortcutOverride)
        return false;
    const auto *key = static_cast<QKeyEvent *>(event);
    const bool claims = key->matches(QKeySequence::Find) || key->matches(QKeySequence::FindNext) ||
                        key->matches(QKeySequence::FindPrevious);
    if (claims)
        event->accept();
    return claims;
}

bool SearchBar::takesKey(const QKeyEvent *event)
{
    if (event->matches(QKeySequence::Find))
        open();
    else if (event->matches(QKeySequence::FindNext))
        findNext();
    else if (event->matches(QKeySequence::FindPrevious))
        findPrevious();
    else
        return false;
    return true;
}

void SearchBar::search()
{
    m_target->setSearch(m_needle->text(), m_case->isChecked() ? Qt::CaseSensitive : Qt::CaseInsensitive,
                        m_expression->isChecked());
}

void SearchBar::showCount()
{
    const int count = m_target->matchCount();
    m_previous->setEnabled(count > 0);
    m_next->setEnabled(count > 0);
    if (m_needle->text().isEmpty())
        m_count->clear();
    else if (const QString error = m_target->searchError(); !error.isEmpty())
        m_count->setText(tr("Invalid expression: %1").arg(error));
    else if (count == 0)
        m_count->setText(tr("No match"));
    else if (m_target->currentMatch() == 0)
        m_count->setText(tr("%1 found").arg(count));
    else
        m_count->setText(tr("%1 of %2").arg(m_target->currentMatch()).arg(count));
}

bool SearchBar::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        switch (key->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            key->modifiers().testFlag(Qt::ShiftModifier) ? m_target->findPrevious() : m_target->findNext();
            return true;
        case Qt::Key_Escape: close(); return true;
        default: break;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void SearchBar::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        m_count->setMinimumWidth(fontMetrics().horizontalAdvance(tr("%1 of %2").arg(88).arg(888)));
}

} // namespace tmx
