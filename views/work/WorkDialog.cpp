// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/work/WorkDialog.h"

#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"
#include "views/work/WorkForm.h"
#include "views/work/WorkPreview.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <chrono>

namespace tmx {

WorkDialog::WorkDialog(const QString &title, const QString &action, WorkForm *form, BranchWork *work, QWidget *parent)
    : QDialog(parent)
    , m_form(form)
    , m_work(work)
    , m_preview(new WorkPreview)
    , m_problem(new Banner(tr("What is wrong")))
    , m_progress(new QProgressBar)
    , m_stop(new QPushButton)
    , m_cancel(new QPushButton(tr("Cancel")))
    , m_action(new QPushButton(action))
{
    m_work->setParent(this);
    setWindowTitle(title);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(10);
    layout->addWidget(m_form);
    layout->addWidget(m_problem);
    layout->addWidget(m_preview, 1);
    layout->addLayout(makeFooter(action));
    resize((parent ? parent->size() - QSize(120, 60) : QSize(1100, 720)).expandedTo({760, 520}).boundedTo({1400, 960}));

    m_settle.setSingleShot(true);
    m_settle.setInterval(std::chrono::milliseconds(120));
    connect(&m_settle, &QTimer::timeout, this, &WorkDialog::ask);
    m_slow.setSingleShot(true);
    m_slow.setInterval(std::chrono::milliseconds(200));
    connect(&m_slow, &QTimer::timeout, this, &WorkDialog::updateButtons);
    connect(m_form, &WorkForm::edited, this, &WorkDialog::takeEdit);
    connect(m_preview, &WorkPreview::chosenChanged, this, &WorkDialog::updateButtons);
    connect(m_action, &QPushButton::clicked, this, [this] {
        m_notDone.clear();
        showProblem();
        m_work->apply(m_offer, m_preview->plan());
    });
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_stop, &QPushButton::clicked, this, &WorkDialog::stopOrAsk);

    connect(m_work, &BranchWork::busyChanged, this, [this] {
        m_progress->setRange(0, 0);
        if (m_work->busy() != BranchWork::Busy::Idle)
            m_slow.start();
        updateButtons();
    });
    connect(m_work, &BranchWork::progressed, this, [this](int done, int total) {
        m_progress->setRange(0, total);
        m_progress->setValue(done);
    });
    connect(m_work, &BranchWork::offered, this, &WorkDialog::takeOffer);
    connect(m_work, &BranchWork::refused, this, [this](const Error &error) {
        m_refused = error.sentence();
        m_offered = false;
        m_form->setOffer({}); // what it said of the offer before is no longer so
        m_preview->clear(tr("What would change shows here once that is mended."));
        showProblem();
        Q_EMIT settled();
    });
    connect(m_work, &BranchWork::stopped, this, [this] {
        m_stopped = true;
        m_preview->clear(tr("Stopped."));
        updateButtons();
    });
    connect(m_work, &BranchWork::applied, this, &WorkDialog::takeOutcome);
    updateButtons();
    m_form->setFocus();
}

QLayout *WorkDialog::makeFooter(const QString &action)
{
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(180);
    m_progress->setAccessibleName(tr("Progress"));
    m_action->setDefault(true);
    m_action->setAccessibleName(action);
    m_stop->setAccessibleName(tr("Stop or go on"));
    for (QPushButton *button : {m_stop, m_cancel})
        button->setAutoDefault(false);
    auto *footer = new QHBoxLayout;
    footer->addWidget(m_progress);
    footer->addWidget(m_stop);
    footer->addStretch(1);
    footer->addWidget(m_cancel);
    footer->addWidget(m_action);
    return footer;
}

bool WorkDialog::isSettled() const
{
    return !m_settle.isActive() && m_work->busy() == BranchWork::Busy::Idle && (m_offered || !m_refused.isEmpty());
}

void WorkDialog::refresh()
{
    if (m_work->busy() != BranchWork::Busy::Writing && m_form->isReady() && !m_stopped)
        m_settle.start();
}

void WorkDialog::takeEdit()
{
    m_offered = false;
    m_stopped = false;
    m_notDone.clear();
    showProblem();
    updateButtons();
    m_settle.start();
}

void WorkDialog::ask()
{
    if (!m_form->isReady())
        return;
    m_stopped = false;
    m_offered = false;
    m_work->preview(m_form->request());
}

void WorkDialog::takeOffer(const WorkOffer &offer)
{
    m_offer = offer;
    m_offered = true;
    m_refused.clear();
    m_preview->setOffer(offer);
    m_form->setOffer(offer);
    showProblem();
    updateButtons();
    Q_EMIT settled();
}

void WorkDialog::takeOutcome(const WorkOutcome &outcome)
{
    if (!outcome.reports.isEmpty())
        Q_EMIT done(outcome);
    if (!outcome.error)
        return accept();
    m_notDone = outcome.error->sentence();
    showProblem();
    ask(); // what is there now
}

void WorkDialog::stopOrAsk()
{
    if (m_work->busy() == BranchWork::Busy::Idle)
        ask();
    else
        m_work->stop();
}

void WorkDialog::showProblem()
{
    const QString sentence = m_notDone.isEmpty() ? m_refused : m_notDone;
    if (sentence == m_problem->text() && m_problem->isHidden() == sentence.isEmpty())
        return;
    m_problem->setSentence(sentence);
    if (!sentence.isEmpty()) {
        QAccessibleEvent event(m_problem, QAccessible::Alert);
        QAccessible::updateAccessibility(&event);
    }
}

void WorkDialog::updateButtons()
{
    const BranchWork::Busy busy = m_work->busy();
    const bool slow = busy != BranchWork::Busy::Idle && !m_slow.isActive();
    m_progress->setVisible(slow);
    m_stop->setVisible(slow || m_stopped);
    m_stop->setText(m_stopped ? tr("Work it out again") : tr("&Stop"));
    m_form->setEnabled(busy != BranchWork::Busy::Writing);
    m_preview->setEnabled(busy != BranchWork::Busy::Writing);
    m_cancel->setEnabled(busy != BranchWork::Busy::Writing);
    const QString why = m_offered && m_refused.isEmpty() ? whyNot(m_offer, m_preview->plan()) : QString();
    m_action->setEnabled(busy == BranchWork::Busy::Idle && m_offered && m_refused.isEmpty() && why.isEmpty());
    explain(m_action, why);
}

void WorkDialog::reject()
{
    if (m_work->busy() != BranchWork::Busy::Writing)
        QDialog::reject();
}

} // namespace tmx
