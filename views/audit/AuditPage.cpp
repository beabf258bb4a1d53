// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/audit/AuditPage.h"

#include "model/change/Change.h"
#include "model/matrix/StateWords.h"
#include "views/audit/FindingList.h"
#include "views/audit/FindingsModel.h"
#include "views/change/ChangeView.h"
#include "views/recipe/CodeView.h"
#include "views/recipe/RecipePaneContent.h"
#include "views/widgets/FlowLayout.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"
#include "views/widgets/Views.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace tmx {

AuditPage::AuditPage(QWidget *parent)
    : QWidget(parent)
    , m_model(new FindingsModel(this))
    , m_list(new FindingList)
    , m_summary(new Label({}, Label::Quiet, tr("Count of findings")))
    , m_fix(new QPushButton(tr("Fix…")))
    , m_fixAll(new QPushButton)
    , m_render(new QPushButton(tr("Regenerate…")))
    , m_check(new QPushButton)
    , m_answer(new Banner(tr("Answer")))
    , m_top(new QStackedWidget)
    , m_nothing(new Label({}, Label::Placeholder))
    , m_below(new QStackedWidget)
    , m_code(new CodeView)
    , m_changes(new ChangeView(ChangeView::Text))
    , m_proposal(new Label({}, Label::Wrapped, tr("Proposed change")))
    , m_apply(new QPushButton(tr("Apply")))
{
    m_list->setModel(m_model);
    m_list->setAccessibleName(tr("Findings of the audit"));
    m_code->setAccessibleName(tr("Recipe at the finding"));
    m_top->addWidget(m_list);
    m_top->addWidget(m_nothing);
    m_below->addWidget(m_code);
    auto *proposal = new QWidget;
    auto *proposalLayout = new QVBoxLayout(proposal);
    proposalLayout->setContentsMargins({});
    proposalLayout->setSpacing(0);
    proposalLayout->addWidget(makeProposalBar());
    proposalLayout->addWidget(m_changes, 1);
    m_below->addWidget(proposal);

    QSplitter *halves = makeSplitter(Qt::Vertical, m_top, m_below);
    halves->setStretchFactor(0, 1);
    nameSplitter(halves, QStringLiteral("audit"), {300, 300});
    m_top->setMinimumHeight(90);
    m_below->setMinimumHeight(90);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(makeTools());
    layout->addWidget(m_answer);
    layout->addWidget(halves, 1);
    setFocusProxy(m_list);

    connect(m_list, &FindingList::currentMoved, this, &AuditPage::showCurrent);
    connect(m_list, &FindingList::opened, this,
            [this](const QModelIndex &index) { Q_EMIT lineRequested(m_model->findingAt(index)); });
    connect(m_list, &FindingList::fixPressed, this, &AuditPage::fix);
    connect(m_fix, &QPushButton::clicked, this, &AuditPage::fix);
    connect(m_fixAll, &QPushButton::clicked, this, [this] { Q_EMIT fixAllRequested(current().rule); });
    connect(m_render, &QPushButton::clicked, this, &AuditPage::renderRequested);
    connect(m_check, &QPushButton::clicked, this, [this] {
        if (m_nix == NixCheck::Running)
            Q_EMIT nixStopRequested();
        else
            Q_EMIT nixCheckRequested();
    });
}

QWidget *AuditPage::makeTools()
{
    m_summary->setMinimumWidth(1);
    describe(m_fix, tr("Fix the finding"), tr("Preview the fix; Apply writes it (F)"));
    describe(m_render, tr("Render the recipe again from its template"),
             tr("Preview the recipe with its template's text; Apply writes it"));
    setNixCheck(NixCheck::Absent);
    auto *tools = new QWidget;
    auto *column = new QVBoxLayout(tools);
    column->setContentsMargins(12, 8, 8, 8);
    column->setSpacing(6);
    column->addWidget(m_summary);
    auto *buttons = new FlowLayout(6);
    for (QPushButton *button : {m_fix, m_fixAll, m_render, m_check})
        buttons->addWidget(button);
    column->addLayout(buttons);
    return tools;
}

QWidget *AuditPage::makeProposalBar()
{
    auto *bar = new QWidget;
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 6, 8, 6);
    row->setSpacing(6);
    m_apply->setAccessibleName(tr("Apply the shown change"));
    auto *cancel = new QPushButton(tr("Cancel"));
    describe(cancel, tr("Leave the recipe as it is"), tr("Leave the recipe as it is (Esc)"));
    row->addWidget(m_proposal, 1);
    row->addWidget(m_apply);
    row->addWidget(cancel);
    connect(m_apply, &QPushButton::clicked, this, [this] { Q_EMIT applyRequested(m_changes->changes()); });
    connect(m_changes, &ChangeView::chosenChanged, this, &AuditPage::updateApply);
    connect(cancel, &QPushButton::clicked, this, &AuditPage::closeProposal);
    return bar;
}

void AuditPage::setContent(const RecipePaneContent &content)
{
    const bool sameText = content.name == m_name && content.text == m_text;
    const Finding before = current();
    m_name = content.name;
    m_model->setFindings(content.exists ? content.findings : QList<Finding>());
    m_text = content.text;
    m_imported = content.imported;
    m_canRender = content.exists && content.hasTemplate && !content.againstTemplate.isEmpty();
    if (!sameText) {
        closeProposal();
        m_answer->hide();
    }
    const ProblemCounts counts = problemsOf(m_model->findings());
    const int notes = int(m_model->findings().size()) - counts.all();
    QStringList parts;
    if (counts.all() > 0)
        parts.append(problemText(counts));
    if (notes > 0)
        parts.append(tr("%n notes", nullptr, notes));
    m_summary->setText(parts.isEmpty() ? (content.exists ? tr("No findings") : QString())
                                       : parts.join(QStringLiteral(", ")));
    m_nothing->setText(content.exists ? tr("✓  The audit found no problems in this recipe.")
                                      : tr("There is no recipe to audit yet."));
    m_top->setCurrentIndex(m_model->findings().isEmpty() ? 1 : 0);
    if (const qsizetype row = m_model->findings().indexOf(before); row >= 0)
        m_list->setCurrentIndex(m_model->index(int(row)));
    else if (!m_model->findings().isEmpty())
        m_list->setCurrentIndex(m_model->index(0));
    showCurrent();
}

Finding AuditPage::current() const
{
    return m_list->currentIndex().isValid() ? m_model->findingAt(m_list->currentIndex()) : Finding();
}

void AuditPage::setFixable(const QHash<QString, int> &counts)
{
    m_fixable = counts;
    showCurrent();
}

int AuditPage::problems() const
{
    return problemsOf(m_model->findings()).all();
}

void AuditPage::showCurrent()
{
    const Finding finding = current();
    const bool any = m_list->currentIndex().isValid();
    m_fix->setEnabled(any && finding.fixable);
    m_fix->setAccessibleDescription(any && !finding.fixable ? tr("This finding cannot be fixed in place.") : QString());
    const int all = any ? m_fixable.value(finding.rule) : 0;
    m_fixAll->setVisible(all > 1);
    m_fixAll->setText(tr("Fix all %n of this rule…", nullptr, all));
    describe(m_fixAll, m_fixAll->text(),
             tr("Shows the change in every recipe of the branch. Nothing is written until you press Commit."));
    m_render->setEnabled(m_canRender);
    const auto file = std::ranges::find(m_imported, finding.file, &ImportedFile::path);
    m_code->setCode(finding.file.isEmpty() ? m_text : file == m_imported.cend() ? QByteArray() : file->text);
    m_code->setFindings(m_model->findings(), finding.file);
    if (any)
        m_code->showFinding(finding);
}

void AuditPage::fix()
{
    if (m_fix->isEnabled())
        Q_EMIT fixRequested(current());
}

void AuditPage::showProposal(const QString &title, const QList<ChangeSet> &changes)
{
    m_answer->hide();
    m_proposal->setText(title);
    m_changes->setChanges(changes);
    updateApply();
    m_below->setCurrentIndex(1);
    m_apply->setFocus(Qt::OtherFocusReason);
}

void AuditPage::updateApply()
{
    const QString why = whyNot(m_changes->changes());
    m_apply->setEnabled(why.isEmpty());
    explain(m_apply, why);
}

void AuditPage::closeProposal()
{
    const bool inside = m_below->isAncestorOf(focusWidget()) && m_below->currentIndex() == 1;
    m_below->setCurrentIndex(0);
    if (inside)
        m_list->setFocus(Qt::OtherFocusReason);
}

void AuditPage::showTrouble(const QString &sentence)
{
    m_answer->setSentence(sentence);
}

void AuditPage::setNixCheck(NixCheck state, const QString &answer)
{
    m_nix = state;
    m_check->setVisible(state != NixCheck::Absent);
    m_check->setText(state == NixCheck::Running ? tr("Stop the check") : tr("Check with Nix"));
    describe(m_check, m_check->text(), tr("Check the recipe's syntax with Nix"));
    if (!answer.isEmpty())
        showTrouble(answer);
}

void AuditPage::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && m_below->currentIndex() == 1)
        closeProposal();
    else
        QWidget::keyPressEvent(event);
}

} // namespace tmx
