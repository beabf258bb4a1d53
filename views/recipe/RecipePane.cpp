// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/recipe/RecipePane.h"

#include "views/audit/AuditPage.h"
#include "views/recipe/ChangesPage.h"
#include "views/recipe/FactsView.h"
#include "views/recipe/RecipePage.h"
#include "views/recipe/SearchBar.h"
#include "views/widgets/Buttons.h"
#include "views/widgets/CheckList.h"
#include "views/widgets/FlowLayout.h"
#include "views/widgets/FormArea.h"
#include "views/widgets/Label.h"
#include "views/widgets/LatePage.h"
#include "views/widgets/Tips.h"
#include "views/widgets/ViewTabs.h"

#include <QAction>
#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QProgressBar>
#include <QPushButton>
#include <QShortcut>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace tmx {

namespace {

constexpr int linesOfState = 3; // more of them scroll

} // namespace

RecipePane::RecipePane(QWidget *parent)
    : QWidget(parent)
    , m_stack(new QStackedWidget)
    , m_empty(new Label({}, Label::Placeholder))
    , m_tabs(new ViewTabs)
    , m_recipe(new RecipePage)
    , m_changes(new ChangesPage)
    , m_facts(new FactsView)
    , m_audit(new AuditPage)
{
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(tr("View of the cell"));
    m_tabs->addView(m_recipe, tr("Text", "of the recipe"));
    m_tabs->addView(m_changes, tr("Changes"));
    m_tabs->addView(m_facts, tr("Facts"));
    m_tabs->addView(m_audit, tr("Audit"));
    for (int i = 0; i < m_tabs->count(); ++i) {
        const QKeySequence key(Qt::ALT | Qt::Key(Qt::Key_1 + i));
        m_tabs->setTabToolTip(i, tr("%1 (%2)").arg(m_tabs->tabText(i), key.toString(QKeySequence::NativeText)));
        auto *shortcut = new QShortcut(key, this);
        connect(shortcut, &QShortcut::activated, this, [this, i] {
            setTab(Tab(i));
            Q_EMIT tabRequested();
        });
    }

    connect(m_audit, &AuditPage::lineRequested, this, [this](const Finding &finding) {
        setTab(Tab::Recipe);
        m_recipe->showFinding(finding);
    });

    connect(m_recipe, &RecipePage::usersRequested, this, &RecipePane::usersRequested);
    connect(m_facts, &FactsView::placeRequested, this, [this](const QString &file, int line) { showLine(line, file); });

    auto *page = new QWidget;
    auto *pageLayout = new QVBoxLayout(page);
    pageLayout->setContentsMargins({});
    pageLayout->setSpacing(0);
    pageLayout->addWidget(makeHeader());
    pageLayout->addWidget(m_tabs, 1);
    m_stack->addWidget(makeBranchPage());
    m_stack->addWidget(new LatePage(page));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_stack);
    setActions({});
    clear();
}

void RecipePane::showLine(int line, const QString &file)
{
    setTab(Tab::Recipe);
    Finding place;
    place.line = line;
    place.file = file;
    m_recipe->showFinding(place);
}

void RecipePane::lookFor(const QString &rule, const QString &sentence)
{
    if (rule == m_wantedRule && sentence == m_wantedSentence)
        return;
    m_wantedRule = rule;
    m_wantedSentence = sentence;
    revealWanted();
}

void RecipePane::revealWanted()
{
    const auto found = std::ranges::find_if(m_findings, [this](const Finding &one) {
        return one.rule == m_wantedRule && (m_wantedSentence.isEmpty() || one.sentence == m_wantedSentence);
    });
    if (m_wantedRule.isEmpty() || found == m_findings.end() || found->line < 1)
        return;
    setTab(Tab::Recipe);
    m_recipe->reveal(*found);
}

QWidget *RecipePane::makeHeader()
{
    // Always one line, so that the buttons below it do not move from one cell to the next.
    m_title = new ElidedLabel(Label::Title, tr("Variant"));
    m_state = new Label({}, Label::Narrow | Label::Selectable);
    m_busy = makeBusyBar(tr("Reading"), 3);
    m_generate = addStep(&RecipePane::generateRequested);
    m_commit = addStep(&RecipePane::commitRequested);
    m_build = addStep(&RecipePane::buildRequested);
    m_verify = addStep(&RecipePane::verifyRequested);
    m_publish = addStep(&RecipePane::publishRequested);
    m_way = new Label({}, Label::Narrow | Label::Quiet, tr("Steps"));
    m_way->hide();
    auto *buttons = new FlowLayout(6);
    for (QPushButton *button : {m_generate, m_commit, m_build, m_verify, m_publish})
        buttons->addWidget(button);
    // As high for each cell, so that the text below stays in its place.
    auto *state = new FormArea(m_state);
    state->setFixedHeight(linesOfState * fontMetrics().lineSpacing() + 2);

    auto *header = new QWidget;
    auto *layout = new QVBoxLayout(header);
    layout->setContentsMargins(12, 10, 12, 2);
    layout->setSpacing(6);
    layout->addWidget(m_title);
    layout->addLayout(buttons);
    layout->addWidget(m_way);
    layout->addWidget(makeFailure());
    layout->addWidget(state);
    layout->addWidget(m_busy);
    return header;
}

QWidget *RecipePane::makeFailure()
{
    m_failure = new QWidget;
    auto *buttons = new FlowLayout(6, m_failure);
    const auto add = [buttons](const QString &text, const QString &tip) {
        auto *button = new QPushButton(text);
        describe(button, tip, tip);
        buttons->addWidget(button);
        return button;
    };
    connect(add(tr("Log"), tr("Show the log of the failed build")), &QPushButton::clicked, this,
            [this] { Q_EMIT logRequested(m_failed.job); });
    m_retry = add({}, tr("Queue the build again"));
    connect(m_retry, &QPushButton::clicked, this, [this] { Q_EMIT retryRequested({m_failed.job}); });
    m_line = add({}, tr("Show the line of the recipe that caused the failure"));
    connect(m_line, &QPushButton::clicked, this, [this] { showLine(m_failed.recipeLine); });
    m_copyErrors = add(tr("Copy errors"), tr("Copy the error lines"));
    connect(m_copyErrors, &QPushButton::clicked, this, [this] { Q_EMIT errorsCopyRequested(m_failed.job); });
    m_failure->hide();
    return m_failure;
}

void RecipePane::setBuild(const BuildState &build)
{
    m_failed = build;
    m_retry->setText(build.retry);
    m_retry->setVisible(!build.retry.isEmpty());
    m_line->setText(tr("Open line %1").arg(build.recipeLine));
    m_line->setVisible(build.recipeLine > 0);
    const bool isOwn = build.phase == BuildState::Phase::Failed;
    m_copyErrors->setVisible(isOwn);
    m_failure->setVisible((isOwn || build.phase == BuildState::Phase::FailedElsewhere) && !build.job.isEmpty());
}

QWidget *RecipePane::makeBranchPage()
{
    m_branch = new Label({}, Label::Title | Label::Narrow, tr("Branch"));
    m_digest = new CheckList(tr("State of the branch"));
    m_digest->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // It does not widen the pane.
    m_next = new FlowLayout(6);
    m_empty->setMargin(0);
    m_empty->setWordWrap(true);
    auto *page = new QWidget;
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(12, 10, 12, 10);
    layout->setSpacing(10);
    layout->addWidget(m_branch);
    layout->addWidget(m_digest);
    layout->addLayout(m_next);
    layout->addWidget(m_empty, 1);
    return page;
}

void RecipePane::setBranch(const QString &title, const QList<CheckItem> &items, const QList<QAction *> &next)
{
    m_branch->setText(title);
    m_digest->setItems(items);
    m_digest->setVisible(!items.isEmpty());
    if (m_nextActions == next)
        return; // A button keeps the focus.
    m_nextActions = next;
    while (QLayoutItem *item = m_next->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    for (QAction *action : next) {
        auto *button = new QPushButton(action->text().remove(u'&'));
        connect(button, &QPushButton::clicked, action, &QAction::trigger);
        m_next->addWidget(button);
    }
}

QPushButton *RecipePane::addStep(void (RecipePane::*requested)(const QString &))
{
    auto *button = new QPushButton;
    connect(button, &QPushButton::clicked, this, [this, requested] { Q_EMIT(this->*requested)(m_name); });
    return button;
}

void RecipePane::show(const RecipePaneContent &content)
{
    const bool isOther = m_name != content.name || m_findings != content.findings;
    m_name = content.name;
    m_findings = content.findings;
    m_title->setFullText(content.name);
    setState(content.stateSentence, content.way);
    m_recipe->setContent(content);
    m_changes->setContent(content);
    m_facts->setContent(content);
    m_audit->setContent(content);
    const int problems = m_audit->problems();
    m_tabs->setTabText(int(Tab::Audit), problems > 0 ? tr("Audit (%1)").arg(problems) : tr("Audit"));
    const int changes = m_changes->uncommitted();
    m_tabs->setTabText(int(Tab::Changes), changes > 0 ? tr("Changes (%1)").arg(changes) : tr("Changes"));
    m_stack->setCurrentIndex(1);
    if (isOther)
        revealWanted();
}

void RecipePane::setState(const QString &sentence, const QString &way)
{
    m_state->setUnbroken(sentence);
    m_state->setAccessibleName(sentence);
    m_way->setText(way);
    m_way->setVisible(!way.isEmpty());
}

void RecipePane::clear()
{
    m_name.clear();
    m_findings.clear();
    updateEmptyText();
    m_stack->setCurrentIndex(0);
}

void RecipePane::setLoading(bool loading)
{
    m_loading = loading;
    m_busy->setVisible(loading);
    updateEmptyText();
}

void RecipePane::updateEmptyText()
{
    m_empty->setText(m_loading ? tr("Reading the branch\u2026") : tr("Select a cell to see its recipe."));
}

void RecipePane::setActions(const PaneActions &actions)
{
    struct Step {
        QPushButton *button;
        PaneAction action;
        QString word, one;
        const char *many;
    };
    const Step steps[] = {
        {m_generate, actions.generate, tr("Generate"), tr("Generate the recipe"), QT_TR_N_NOOP("Generate %n recipes")},
        {m_commit, actions.commit, tr("Commit"), tr("Commit the recipe"), QT_TR_N_NOOP("Commit %n recipes")},
        {m_build, actions.build, tr("Build"), tr("Build the package"), QT_TR_N_NOOP("Build %n packages")},
        {m_verify, actions.verify, tr("Verify"), tr("Verify the result"), QT_TR_N_NOOP("Verify %n results")},
        {m_publish, actions.publish, tr("Publish\u2026"), tr("Publish the package"),
         QT_TR_N_NOOP("Publish %n packages")}};
    for (const auto &[button, action, word, one, many] : steps) {
        const bool several = action.enabled && action.count > 1;
        button->setText(several ? tr("%1 %2", "word of a button, count").arg(word).arg(action.count) : word);
        button->setAccessibleName(several ? tr(many, nullptr, action.count) : one);
    }
    const bool hadFocus = m_generate->hasFocus() || m_commit->hasFocus() || m_build->hasFocus();
    QPushButton *next = nullptr;
    for (const auto &[button, action, word, one, many] : steps) {
        if (action.enabled && !next && button != m_verify && button != m_publish)
            next = button;
        explain(button, action.reason);
        button->setDefault(button == next);
    }
    // Pressing Space three times does Generate, Commit, Build: the focus moves to the next step. While a step runs and
    // no button is enabled, the focus waits in the pane.
    const bool waiting = hasFocus();
    for (const auto &[button, action, word, one, many] : steps) {
        if (button->hasFocus() && !action.enabled)
            setFocus(Qt::OtherFocusReason);
        button->setEnabled(action.enabled);
    }
    if (next && (waiting || (hadFocus && hasFocus())))
        next->setFocus(Qt::OtherFocusReason);
}

RecipePane::Tab RecipePane::tab() const
{
    return Tab(m_tabs->currentIndex());
}

void RecipePane::setTab(Tab tab)
{
    const QWidget *focus = QApplication::focusWidget();
    const bool inside = focus && focus != this && m_tabs->isAncestorOf(focus);
    m_tabs->setCurrentIndex(int(tab));
    // When the page changes, the focus moves to the new page's text; a focus outside the pages stays.
    QWidget *page = m_tabs->currentView();
    const QWidget *target = page->focusProxy() ? page->focusProxy() : page;
    if (inside && target->isVisible())
        page->setFocus(Qt::ShortcutFocusReason);
    else if (inside)
        m_tabs->tabBar()->setFocus(Qt::ShortcutFocusReason);
}

bool RecipePane::event(QEvent *event)
{
    if (!m_name.isEmpty() && SearchBar::claimsKey(event))
        return true;
    return QWidget::event(event);
}

void RecipePane::keyPressEvent(QKeyEvent *event)
{
    // On the step buttons, and while a step runs, the grid's keys work too.
    const std::pair<Qt::Key, QPushButton *> keys[] = {
        {Qt::Key_G, m_generate}, {Qt::Key_C, m_commit}, {Qt::Key_B, m_build}};
    const bool onSteps = hasFocus() || m_generate->hasFocus() || m_commit->hasFocus() || m_build->hasFocus();
    for (const auto &[key, button] : keys) {
        if (onSteps && event->key() == key && !(event->modifiers() & ~Qt::KeypadModifier))
            return button->click();
    }
    SearchBar *search = tab() == Tab::Recipe    ? m_recipe->searchBar()
                        : tab() == Tab::Changes ? m_changes->searchBar()
                                                : nullptr;
    if (!search || m_name.isEmpty() || !search->takesKey(event))
        QWidget::keyPressEvent(event);
}

} // namespace tmx
