// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/plan/PlanView.h"

#include "model/change/Change.h"
#include "views/change/ChangeModel.h"
#include "views/change/ChangeView.h"
#include "views/widgets/EmptyPage.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

PlanView::PlanView(QWidget *parent)
    : QWidget(parent)
    , m_changes(new ChangeView(ChangeView::Parts()))
    , m_body(new QStackedWidget)
    , m_done(new EmptyPage({}, tr("Plan lists the recipes to create, rewrite or delete until the branch has what its "
                                  "settings cover. Change the settings, or migrate the branch to another version.")))
    , m_intro(new Label({}, Label::Wrapped | Label::Quiet))
    , m_filter(new QLineEdit)
    , m_summary(new Label({}, Label::Quiet, tr("Selection")))
    , m_all(new QPushButton(tr("All")))
    , m_none(new QPushButton(tr("None")))
    , m_apply(new QPushButton)
{
    m_filter->setPlaceholderText(tr("Filter: sm90, pin\u2026"));
    m_filter->setClearButtonEnabled(true);
    describe(m_filter, tr("Filter steps by text"),
             tr("Words to find in a step's name or reason. Chosen steps stay chosen; All and None apply to the listed "
                "steps."));
    m_filter->setMinimumWidth(140);
    m_filter->setMaximumWidth(240);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(12, 10, 8, 8);
    head->setSpacing(12);
    head->addWidget(m_intro, 1);
    head->addWidget(m_filter, 0, Qt::AlignTop);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addLayout(head);
    m_body->addWidget(m_changes);
    m_body->addWidget(m_done);
    layout->addWidget(m_body, 1);
    m_footer = makeFooter();
    layout->addWidget(m_footer);
    setFocusProxy(m_body);
    m_body->setFocusProxy(m_changes);
    connect(m_done->addButton(tr("Show the &settings")), &QPushButton::clicked, this, &PlanView::settingsRequested);
    connect(m_done->addButton(tr("Change version or &pin\u2026")), &QPushButton::clicked, this,
            &PlanView::migrateRequested);
    connect(m_done->addButton(tr("Show what s&tays")), &QPushButton::clicked, this, [this] {
        m_showsKept = true;
        showChoice();
        m_changes->setFocus();
    });

    connect(m_changes, &ChangeView::chosenChanged, this, &PlanView::showChoice);
    connect(m_changes, &ChangeView::currentChanged, this, [this] {
        if (const ChangedFile *file = m_changes->current())
            Q_EMIT stepSelected(file->name);
    });
    connect(m_filter, &QLineEdit::textChanged, m_changes, &ChangeView::setFilter);
    connect(m_apply, &QPushButton::clicked, this, &PlanView::applyRequested);
    connect(m_all, &QPushButton::clicked, this, [this] { m_changes->choose(true); });
    connect(m_none, &QPushButton::clicked, this, [this] { m_changes->choose(false); });
    showChoice();
}

QWidget *PlanView::makeFooter()
{
    describe(m_all, tr("Choose every step"),
             tr("Choose every possible step, including changes to customised recipes and uncommitted text"));
    m_none->setAccessibleName(tr("Choose no step"));
    m_apply->setAccessibleName(tr("Apply the chosen steps"));
    m_apply->setDefault(true);
    m_apply->setMinimumWidth(130); // The number of steps changes; the button must not move.
    m_summary->setMinimumWidth(1);
    auto *footer = new QWidget;
    auto *row = new QHBoxLayout(footer);
    row->setContentsMargins(12, 8, 8, 8);
    row->setSpacing(6);
    row->addWidget(m_all);
    row->addWidget(m_none);
    row->addSpacing(6);
    row->addWidget(m_summary, 1);
    row->addWidget(m_apply);
    return footer;
}

ChangeSet PlanView::plan() const
{
    return m_changes->changes().value(0);
}

void PlanView::setPlanning()
{
    if (!m_planned)
        m_changes->clear(tr("Planning the steps of the branch…"));
}

void PlanView::setPlan(const ChangeSet &plan)
{
    m_planned = true;
    m_changes->setChanges({plan});
    if (plan.files.isEmpty())
        m_changes->clear(tr("Branch %1 has no settings, so there is nothing to plan.").arg(plan.branch));
    showChoice();
}

void PlanView::setProblem(const QString &sentence)
{
    m_planned = false;
    m_changes->setChanges({});
    m_changes->clear(sentence);
    showChoice();
}

void PlanView::setBusy(bool busy)
{
    m_busy = busy;
    showChoice();
}

void PlanView::showChoice()
{
    const ChangeSet plan = this->plan();
    QStringList parts;
    int steps = 0;
    for (const auto &[action, count] : plan.chosen().asKeyValueRange()) {
        if (action == ChangeAction::Keep || count == 0)
            continue;
        parts.append(tr("%1 %2", "action, count").arg(actionWord(action).toLower()).arg(count));
        steps += count;
    }
    const bool isDone =
        std::ranges::all_of(plan.files, [](const ChangedFile &file) { return file.action == ChangeAction::Keep; });
    m_showsKept &= isDone;
    const bool listed = !m_planned || !isDone || plan.files.isEmpty() || m_showsKept;
    m_body->setCurrentIndex(listed ? 0 : 1);
    m_body->setFocusProxy(listed ? static_cast<QWidget *>(m_changes) : m_done);
    m_footer->setVisible(listed);
    m_done->setTitle(tr("Branch %1 matches its settings").arg(plan.branch));
    m_intro->setVisible(m_planned && listed);
    m_filter->setVisible(m_planned && listed && plan.files.size() > 1);
    m_intro->setText(isDone ? tr("✓  Branch %1 matches its settings. Nothing to do.").arg(plan.branch)
                            : tr("Steps that make branch %1 match its settings. The chosen steps become one "
                                 "commit. Customised recipes and uncommitted changes stay unless you choose "
                                 "their steps.")
                                  .arg(plan.branch));
    m_summary->setText(parts.isEmpty() ? tr("Nothing is chosen.") : tr("Chosen steps: %1").arg(parts.join(", "_L1)));
    m_apply->setText(steps == 0 ? tr("Apply") : tr("Apply %n steps", nullptr, int(steps)));
    const QString why = steps > 0 ? whyNot({plan}) : QString();
    const auto enable = [this](QPushButton *button, bool on) {
        // Qt moves the focus from a disabled button to the next widget, which is in another panel.
        if (!on && button->hasFocus())
            m_changes->setFocus(Qt::OtherFocusReason);
        button->setEnabled(on);
    };
    enable(m_apply, steps > 0 && !m_busy && why.isEmpty());
    explain(m_apply, why);
    enable(m_all, !isDone && !m_busy);
    enable(m_none, steps > 0 && !m_busy);
}

} // namespace tmx
