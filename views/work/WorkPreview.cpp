// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/work/WorkPreview.h"

#include "model/repository/TextDiff.h"
#include "views/plan/PlanModel.h"
#include "views/plan/StepTree.h"
#include "views/recipe/CodeView.h"
#include "views/recipe/DiffView.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"
#include "views/widgets/Views.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace tmx {

WorkPreview::WorkPreview(QWidget *parent)
    : QWidget(parent)
    , m_summary(new Label({}, Label::Bold | Label::Wrapped, tr("What it comes to")))
    , m_notes(new ElidedLabel(Label::Quiet, tr("What else there is to know")))
    , m_tree(new StepTree)
    , m_body(new QStackedWidget)
    , m_nothing(new Label({}, Label::Placeholder))
    , m_reason(new Label({}, Label::Wrapped | Label::Quiet | Label::Selectable, tr("Why")))
    , m_whole(new QCheckBox(tr("&Whole text")))
    , m_texts(new QStackedWidget)
    , m_code(new CodeView)
    , m_diff(new DiffView)
{
    m_tree->setAccessibleName(tr("What would be done"));
    m_tree->setHeaderHidden(true);
    m_tree->setColumnHidden(PlanModel::Reason, true);
    m_tree->setTextElideMode(Qt::ElideMiddle);

    m_body->addWidget(makeSplitter(Qt::Horizontal, m_tree, makeText(), {370, 700}));
    m_body->addWidget(m_nothing);
    m_body->setCurrentWidget(m_nothing);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(6);
    layout->addWidget(m_summary);
    layout->addWidget(m_notes);
    layout->addWidget(m_body, 1);
    m_notes->hide();
    setFocusProxy(m_tree);

    connect(m_tree->steps(), &PlanModel::chosenChanged, this, [this] {
        showCounts();
        Q_EMIT chosenChanged();
    });
    connect(m_tree, &StepTree::currentStepChanged, this, &WorkPreview::showStep);
    connect(m_whole, &QCheckBox::toggled, this, &WorkPreview::showStep);
}

QWidget *WorkPreview::makeText()
{
    setPlainToolTip(m_whole, tr("The whole text as it would be, rather than what changes in it"));
    m_code->setAccessibleName(tr("The text as it would be"));
    m_diff->setAccessibleName(tr("What would change"));
    m_texts->addWidget(m_code);
    m_texts->addWidget(m_diff);
    auto *box = new QWidget;
    auto *layout = new QVBoxLayout(box);
    layout->setContentsMargins({});
    layout->setSpacing(4);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(8, 0, 4, 0);
    head->addWidget(m_reason, 1);
    head->addWidget(m_whole, 0, Qt::AlignTop);
    layout->addLayout(head);
    layout->addWidget(m_texts, 1);
    return box;
}

const Plan &WorkPreview::plan() const
{
    return m_tree->steps()->plan();
}

void WorkPreview::setOffer(const WorkOffer &offer)
{
    m_offer = offer;
    m_tree->setPlan(offer.plan, offer.groups);
    m_tree->setColumnHidden(PlanModel::Reason, true);
    if (!m_tree->currentStep())
        m_tree->selectFirstStep();
    m_notes->setFullText(offer.notes.join(QLatin1Char(' ')));
    m_notes->setVisible(!offer.notes.isEmpty());
    m_nothing->setText(whyNot(offer, plan()));
    m_body->setCurrentIndex(offer.plan.steps.isEmpty() ? 1 : 0);
    showCounts();
    showStep();
}

void WorkPreview::clear(const QString &sentence)
{
    m_summary->clear();
    m_notes->hide();
    m_nothing->setText(sentence);
    m_body->setCurrentWidget(m_nothing);
}

void WorkPreview::showCounts()
{
    m_summary->setText(summaryOf(m_offer, plan()));
    m_summary->setVisible(!m_summary->text().isEmpty());
}

void WorkPreview::showStep()
{
    const PlanStep *step = m_tree->currentStep();
    m_reason->setText(step ? step->reason : QString());
    const QByteArray before = step ? m_offer.before.value(step->file) : QByteArray();
    const QByteArray after =
        step && step->action != PlanStep::Action::Delete ? m_offer.after.value(step->file) : QByteArray();
    // What is new, or stays, is read as a text; of the rest it is the change that matters.
    const bool change = !before.isEmpty() && before != after;
    m_whole->setVisible(change && !after.isEmpty());
    m_code->setFile(step ? step->file : QString());
    m_diff->setFile(step ? step->file : QString());
    if (change && !(m_whole->isVisibleTo(this) && m_whole->isChecked())) {
        m_diff->setDiff(diffTexts(before, after), after);
        m_texts->setCurrentWidget(m_diff);
    } else {
        m_code->setCode(after);
        m_texts->setCurrentWidget(m_code);
    }
}

void WorkPreview::keyPressEvent(QKeyEvent *event)
{
    const bool walks = m_texts->currentWidget() == m_diff && event->modifiers().testFlag(Qt::AltModifier);
    if (walks && event->key() == Qt::Key_Down)
        m_diff->nextChange();
    else if (walks && event->key() == Qt::Key_Up)
        m_diff->previousChange();
    else
        QWidget::keyPressEvent(event);
}

} // namespace tmx
