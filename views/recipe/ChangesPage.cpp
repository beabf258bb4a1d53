// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/recipe/ChangesPage.h"

#include "views/compare/FactTable.h"
#include "views/recipe/DiffView.h"
#include "views/recipe/RecipePaneContent.h"
#include "views/recipe/SearchBar.h"
#include "views/widgets/Buttons.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"
#include "views/widgets/Views.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>

namespace tmx {

namespace {

constexpr int mostFacts = 6; ///< rows shown without scrolling

QPushButton *makeSwitch(const QString &accessibleName)
{
    auto *button = new QPushButton;
    button->setCheckable(true);
    describe(button, accessibleName, accessibleName);
    return button;
}

} // namespace

ChangesPage::ChangesPage(QWidget *parent)
    : QWidget(parent)
    , m_head(makeSwitch(tr("Compare with the last commit (HEAD)")))
    , m_template(makeSwitch(tr("Compare with the text of the template")))
    , m_summary(new Label({}, Label::Quiet))
    , m_place(new Label({}, Label::Quiet, tr("Position in the changes")))
    , m_previous(makeArrow(Qt::UpArrow, tr("Previous change"), tr("Previous change (Alt+Up)")))
    , m_next(makeArrow(Qt::DownArrow, tr("Next change"), tr("Next change (Alt+Down)")))
    , m_facts(new FactTable)
    , m_stack(new QStackedWidget)
    , m_nothing(new Label({}, Label::Placeholder))
    , m_diff(new DiffView)
    , m_search(new SearchBar(m_diff))
{
    m_diff->setAccessibleName(tr("Differences"));

    auto *sides = new QButtonGroup(this);
    sides->addButton(m_head);
    sides->addButton(m_template);
    const auto choose = [this](Side side) {
        m_sideChosen = true;
        setSide(side);
    };
    connect(m_head, &QPushButton::clicked, this, [choose] { choose(Side::Head); });
    connect(m_template, &QPushButton::clicked, this, [choose] { choose(Side::Template); });
    connect(m_previous, &QToolButton::clicked, m_diff, &DiffView::previousChange);
    connect(m_next, &QToolButton::clicked, m_diff, &DiffView::nextChange);
    connect(m_diff, &DiffView::cursorPositionChanged, this, &ChangesPage::showPlace);

    auto *switches = new QHBoxLayout;
    switches->setContentsMargins(12, 8, 8, 4);
    switches->setSpacing(6);
    switches->addWidget(new Label(tr("Compare with"), Label::Quiet));
    switches->addWidget(m_head);
    switches->addWidget(m_template);
    switches->addStretch();
    auto *walk = new QHBoxLayout;
    walk->setContentsMargins(12, 0, 8, 6);
    walk->setSpacing(2);
    walk->addWidget(m_summary, 1);
    walk->addWidget(m_place);
    walk->addSpacing(4);
    walk->addWidget(m_previous);
    walk->addWidget(m_next);

    m_stack->addWidget(m_diff);
    m_stack->addWidget(m_nothing);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addLayout(switches);
    layout->addLayout(walk);
    layout->addWidget(m_facts);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_search);
    setFocusProxy(m_diff);
}

ChangesPage::Against ChangesPage::count(const QList<DiffLine> &lines, const QString &emptySentence)
{
    Against result{lines, emptySentence};
    bool inChange = false;
    for (const DiffLine &line : lines) {
        const bool change = line.kind == DiffLine::Kind::Added || line.kind == DiffLine::Kind::Removed;
        result.changes += change && !inChange;
        result.added += line.kind == DiffLine::Kind::Added;
        result.removed += line.kind == DiffLine::Kind::Removed;
        inChange = change;
    }
    return result;
}

void ChangesPage::setContent(const RecipePaneContent &content)
{
    m_text = content.text;
    const QString none = tr("There is no recipe yet, so there is nothing to compare.");
    m_against[int(Side::Head)] =
        count(content.againstHead, !content.exists && !content.hasHead ? none
                                   : content.hasHead                   ? tr("Nothing changed since the last commit.")
                                                                       : tr("This recipe has not been committed yet."));
    m_against[int(Side::Template)] =
        count(content.againstTemplate, !content.exists && content.againstTemplate.isEmpty() ? none
                                       : content.hasTemplate ? tr("Identical to the template's text.")
                                                             : tr("There is no text of a template to compare with."));
    showFacts(content.differences);
    showSwitch(m_head, tr("Last commit"), m_against[int(Side::Head)]);
    showSwitch(m_template, tr("Template"), m_against[int(Side::Template)]);
    if (!m_sideChosen) {
        const bool templateOnly = m_against[int(Side::Head)].changes == 0 && m_against[int(Side::Template)].changes > 0;
        m_side = templateOnly ? Side::Template : Side::Head;
    }
    showSide();
}

void ChangesPage::showFacts(const QList<MeaningDifference> &differences)
{
    QList<FactDifference> facts;
    for (const MeaningDifference &one : differences)
        facts.append({one.path, one.label, {one.before, one.after}, true, one.builds});
    m_facts->setFacts(facts, {tr("Template"), tr("Recipe")}, {true, true});
    m_facts->setFixedHeight(heightForRows(m_facts, mostFacts));
}

void ChangesPage::showSwitch(QPushButton *button, const QString &text, const Against &against)
{
    button->setText(against.changes > 0 ? tr("%1 (%2)").arg(text).arg(against.changes) : text);
}

void ChangesPage::setSide(Side side)
{
    m_side = side;
    showSide();
}

void ChangesPage::showSide()
{
    const Against &against = m_against[int(m_side)];
    (m_side == Side::Head ? m_head : m_template)->setChecked(true);
    m_nothing->setText(against.emptySentence);
    m_diff->setDiff(against.lines, m_text);
    m_facts->setVisible(m_side == Side::Template && m_facts->rowCount() > 0);
    m_stack->setCurrentWidget(against.changes == 0 ? static_cast<QWidget *>(m_nothing) : m_diff);
    //: Lines added and removed; the second sign is a minus
    m_summary->setText(against.changes == 0 ? QString()
                                            : tr("+%1 \u2212%2 lines").arg(against.added).arg(against.removed));
    m_summary->setAccessibleName(tr("Lines added: %1, removed: %2").arg(against.added).arg(against.removed));
    showPlace();
}

void ChangesPage::showPlace()
{
    const int count = m_diff->changeCount();
    const int current = m_diff->currentChange();
    m_place->setText(count == 0     ? QString()
                     : current == 0 ? tr("Changes: %1").arg(count)
                                    : tr("Change %1 of %2").arg(current).arg(count));
    m_previous->setEnabled(count > 0 && current > 0);
    m_next->setEnabled(current < count);
    m_previous->setVisible(count > 0);
    m_next->setVisible(count > 0);
}

void ChangesPage::keyPressEvent(QKeyEvent *event)
{
    if (event->modifiers().testFlag(Qt::AltModifier) && event->key() == Qt::Key_Down)
        m_diff->nextChange();
    else if (event->modifiers().testFlag(Qt::AltModifier) && event->key() == Qt::Key_Up)
        m_diff->previousChange();
    else
        QWidget::keyPressEvent(event);
}

} // namespace tmx
