// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/work/WorkDialog.h"

#include "model/change/Change.h"
#include "views/change/ChangeView.h"
#include "views/widgets/Buttons.h"
#include "views/widgets/FormArea.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"
#include "views/work/OtherBranches.h"
#include "views/work/WorkForm.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <chrono>

namespace tmx {

WorkDialog::WorkDialog(const QString &title, const QString &action, WorkForm *form, Operations *operations,
                       const QString &repository, QWidget *parent)
    : QDialog(parent)
    , m_form(form)
    , m_operations(operations)
    , m_repository(repository)
    , m_others(new OtherBranches)
    , m_changes(new ChangeView)
    , m_problem(new Banner(tr("Problem"), Banner::Problem))
    , m_progress(new QProgressBar)
    , m_stop(new QPushButton)
    , m_cancel(new QPushButton(tr("Cancel")))
    , m_action(new QPushButton(action))
    , m_request(form->request())
{
    setWindowTitle(title);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(10);
    layout->addWidget(new FormArea(m_form));
    layout->addWidget(m_others);
    layout->addWidget(m_problem);
    layout->addWidget(m_changes, 1);
    // Room that the form does not need goes to the preview of changes.
    constexpr int linesOfChanges = 9;
    m_changes->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);
    m_changes->setMinimumHeight(fontMetrics().lineSpacing() * linesOfChanges);
    layout->addLayout(makeFooter());
    resize((parent ? parent->size() - QSize(120, 60) : QSize(1100, 720)).expandedTo({760, 520}).boundedTo({1400, 960}));

    m_settle.setSingleShot(true);
    m_settle.setInterval(std::chrono::milliseconds(120));
    connect(&m_settle, &QTimer::timeout, this, &WorkDialog::ask);
    m_slow.setSingleShot(true);
    m_slow.setInterval(std::chrono::milliseconds(200));
    connect(&m_slow, &QTimer::timeout, this, &WorkDialog::updateButtons);
    connect(this, &WorkDialog::busyChanged, this, [this] {
        m_progress->setRange(0, 0);
        if (isBusy())
            m_slow.start();
        updateButtons();
    });
    connect(m_form, &WorkForm::edited, this, &WorkDialog::takeEdit);
    connect(m_others, &OtherBranches::edited, this, &WorkDialog::takeEdit);
    connect(m_changes, &ChangeView::chosenChanged, this, &WorkDialog::updateButtons);
    connect(m_action, &QPushButton::clicked, this, &WorkDialog::apply);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_stop, &QPushButton::clicked, this, &WorkDialog::stopOrAsk);
    wireOperations();
    updateButtons();
    m_form->setFocus();
}

WorkDialog::~WorkDialog()
{
    if (m_preparing)
        m_operations->stop(m_preparing);
}

void WorkDialog::wireOperations()
{
    connect(m_operations, &Operations::progressed, this, [this](OperationId id, int done, int total) {
        if (id != m_preparing && id != m_applying)
            return;
        m_progress->setRange(0, total);
        m_progress->setValue(done);
    });
    connect(m_operations, &Operations::prepared, this, [this](OperationId id, const QList<ChangeSet> &changes) {
        if (id == m_preparing)
            takeChanges(changes);
    });
    connect(m_operations, &Operations::failed, this, [this](OperationId id, const Error &error) {
        if (id == m_applying)
            takeApplied({}, error);
        else if (id == m_preparing)
            refuse(error);
    });
    connect(m_operations, &Operations::applied, this,
            [this](OperationId id, const QList<Applied> &applied, const std::optional<Error> &error) {
                if (id == m_applying)
                    takeApplied(applied, error);
            });
}

QLayout *WorkDialog::makeFooter()
{
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(180);
    m_progress->setAccessibleName(tr("Progress"));
    m_action->setAccessibleName(m_action->text());
    m_stop->setAccessibleName(tr("Stop or continue"));
    return tmx::makeFooter({m_progress, m_stop}, m_cancel, m_action);
}

bool WorkDialog::isSettled() const
{
    return m_form->isReady() && !m_settle.isActive() && !isBusy() &&
           (m_prepared || !m_refused.isEmpty() || !m_form->missing().isEmpty());
}

void WorkDialog::offerBranches(const QList<BranchPlace> &others)
{
    m_others->setPlaces(others);
}

void WorkDialog::refresh()
{
    if (!m_applying && m_form->isReady() && !m_stopped)
        m_settle.start();
}

void WorkDialog::takeEdit()
{
    m_prepared = false;
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
    m_operations->stop(m_preparing);
    m_preparing = 0;
    m_stopped = false;
    m_prepared = false;
    if (const QString missing = m_form->missing(); !missing.isEmpty()) {
        m_refused.clear();
        m_form->setChanges({});
        m_changes->clear(missing);
        showProblem();
        Q_EMIT settled();
    } else {
        m_request = m_form->request();
        const QList<BranchPlace> others = m_others->chosen();
        m_preparing = others.isEmpty()
                          ? m_operations->prepare(m_repository, m_request)
                          : m_operations->prepare(QList<BranchPlace>{{m_repository, {}}} + others, m_request);
    }
    Q_EMIT busyChanged();
}

void WorkDialog::takeChanges(const QList<ChangeSet> &changes)
{
    m_preparing = 0;
    m_prepared = true;
    m_refused.clear();
    m_changes->setChanges(changes);
    m_form->setChanges(changes);
    showProblem();
    Q_EMIT busyChanged();
    Q_EMIT settled();
}

void WorkDialog::refuse(const Error &error)
{
    m_preparing = 0;
    m_refused = error.sentence();
    m_form->setChanges({}); // What the form said about the previous changes is outdated.
    m_changes->clear(tr("The changes appear here when that is resolved."));
    showProblem();
    Q_EMIT busyChanged();
    Q_EMIT settled();
}

void WorkDialog::apply()
{
    m_notDone.clear();
    showProblem();
    m_applying = m_operations->apply(m_repository, m_changes->changes());
    Q_EMIT busyChanged();
}

void WorkDialog::takeApplied(const QList<Applied> &applied, const std::optional<Error> &error)
{
    m_applying = 0;
    Q_EMIT busyChanged();
    if (!applied.isEmpty())
        Q_EMIT this->applied(m_request, applied);
    if (!error)
        return accept();
    m_notDone = error->sentence();
    showProblem();
    ask(); // Ask about the current state.
}

void WorkDialog::stopOrAsk()
{
    if (!isBusy())
        return ask();
    m_operations->stop(m_applying ? m_applying : m_preparing);
    if (m_applying)
        return; // Ends a running hook or a prompt for a passphrase; else it stops after the current change.
    m_preparing = 0;
    m_stopped = true;
    m_changes->clear(tr("Stopped."));
    Q_EMIT busyChanged();
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
    const bool slow = isBusy() && !m_slow.isActive();
    m_progress->setVisible(slow);
    m_stop->setVisible(slow || m_stopped);
    m_stop->setText(m_stopped ? tr("Try again") : tr("&Stop"));
    for (QWidget *widget : {static_cast<QWidget *>(m_form), static_cast<QWidget *>(m_others),
                            static_cast<QWidget *>(m_changes), static_cast<QWidget *>(m_cancel)})
        widget->setEnabled(!m_applying);
    const bool ready = m_prepared && m_refused.isEmpty();
    const QString why = ready ? whyNot(m_changes->changes()) : m_form->missing();
    m_action->setEnabled(ready && !isBusy() && why.isEmpty());
    explain(m_action, why);
}

void WorkDialog::reject()
{
    if (!m_applying)
        QDialog::reject();
}

} // namespace tmx
