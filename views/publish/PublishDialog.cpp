// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/publish/PublishDialog.h"

#include "views/widgets/Buttons.h"
#include "views/widgets/CheckList.h"
#include "views/widgets/CopyButton.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"
#include "views/widgets/Views.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTableView>

#include <chrono>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int packageColumn = 0;
constexpr int stateColumn = 1;
constexpr int rowsShown = 8;

} // namespace

PublishDialog::PublishDialog(PublishWish wish, const PublishPlan &plan, QWidget *parent)
    : QDialog(parent)
    , m_wish(std::move(wish))
    , m_plan(plan)
    , m_summary(new Label({}, Label::Wrapped, tr("Published packages")))
    , m_organisation(new QLineEdit(plan.organisation))
    , m_checks(new CheckList(tr("Conditions for publishing")))
    , m_packages(new QStandardItemModel(0, 2, this))
    , m_table(new QTableView)
    , m_again(new QCheckBox(tr("Also publish pac&kages that have not changed")))
    , m_busy(makeBusyBar(tr("Publishing"), 3))
    , m_copy(new CopyButton(tr("Copy install command"), tr("Copy the commands that install the published packages")))
    , m_look(new QPushButton(tr("&Check again")))
    , m_stop(new QPushButton(tr("&Stop")))
    , m_close(new QPushButton(tr("Close")))
    , m_publish(new QPushButton)
{
    setWindowTitle(tr("Publish"));
    m_organisation->setPlaceholderText(tr("chosen by flox"));
    describe(m_organisation, tr("Organisation"), tr("Organisation on FloxHub. Empty: flox publishes as the user."));
    m_packages->setHorizontalHeaderLabels({tr("Package"), tr("State")});
    m_table->setModel(m_packages);
    styleTextTable(m_table);
    m_table->setAccessibleName(tr("Packages to publish"));
    m_table->horizontalHeader()->setSectionResizeMode(packageColumn, QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(stateColumn, QHeaderView::Stretch);
    setPlainToolTip(m_look, tr("Check the conditions again, for example after a push"));

    auto *form = new QFormLayout;
    form->addRow(new Label(tr("&Organisation"), m_organisation), m_organisation);
    form->addRow(m_again);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(10);
    layout->addWidget(m_summary);
    layout->addLayout(form);
    m_checks->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum); // all of them are read first
    layout->addWidget(m_checks);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_busy);
    layout->addLayout(makeFooter({m_copy, m_look, m_stop}, m_close, m_publish));
    resizeWithin(this, {720, 560});

    m_settle.setSingleShot(true);
    m_settle.setInterval(std::chrono::milliseconds(300));
    connect(&m_settle, &QTimer::timeout, this, &PublishDialog::wishChanged);
    connect(m_organisation, &QLineEdit::textEdited, this, &PublishDialog::takeEdit);
    connect(m_again, &QCheckBox::toggled, this, &PublishDialog::takeEdit);
    connect(m_look, &QPushButton::clicked, this, &PublishDialog::takeEdit);
    connect(m_publish, &QPushButton::clicked, this, &PublishDialog::publishRequested);
    connect(m_stop, &QPushButton::clicked, this, &PublishDialog::stopRequested);
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    showPlan();
}

void PublishDialog::takeEdit()
{
    m_wish.organisation = m_organisation->text().trimmed();
    m_wish.again = m_again->isChecked();
    m_waiting = true;
    update();
    m_settle.start();
}

void PublishDialog::setPlan(const PublishPlan &plan)
{
    m_waiting = false;
    m_problem.clear();
    m_plan = plan;
    showPlan();
}

void PublishDialog::setProblem(const QString &sentence)
{
    m_waiting = false;
    m_problem = sentence;
    update();
}

void PublishDialog::showPlan()
{
    QList<CheckItem> items;
    for (const bool holds : {false, true}) { // Failed conditions come first.
        for (const PublishCondition &condition : std::as_const(m_plan.conditions)) {
            if (condition.holds == holds)
                items.append({holds ? CheckItem::Kind::Holds : CheckItem::Kind::Blocks,
                              holds ? tr("OK") : tr("Missing"), condition.sentence});
        }
    }
    m_checks->setItems(items);
    m_packages->removeRows(0, m_packages->rowCount());
    m_published.clear();
    for (const PublishItem &item : std::as_const(m_plan.items)) {
        m_packages->appendRow({new QStandardItem(item.package), new QStandardItem});
        if (item.as.isEmpty())
            setState(item.package, tr("to be published"));
        else
            setState(item.package, tr("published as %1, not changed since").arg(item.as), item.as);
    }
    m_table->setMinimumHeight(heightForRows(m_table, std::min(rowsShown, 3)));
    setCount(m_plan.count);
    update();
}

void PublishDialog::setCount(const PublishedCount &count)
{
    m_plan.count = count;
    m_summary->setText(tr("%1 of %n recipes of branch %2 are published. flox builds each package again and uploads it.",
                          nullptr, int(count.recipes))
                           .arg(count.published)
                           .arg(m_plan.branch));
}

void PublishDialog::setState(const QString &package, const QString &state, const QString &as)
{
    for (int row = 0; row < m_packages->rowCount(); ++row) {
        if (m_packages->item(row, packageColumn)->text() != package)
            continue;
        m_packages->item(row, stateColumn)->setText(state);
        m_packages->item(row, stateColumn)->setData(state, Qt::ToolTipRole);
        m_table->scrollTo(m_packages->index(row, 0));
    }
    if (!as.isEmpty() && !m_published.contains(as))
        m_published.append(as);
    QStringList commands;
    for (const QString &name : std::as_const(m_published))
        commands.append(installCommand(name));
    m_copy->setContent(commands.join(u'\n'));
}

void PublishDialog::setPublishing(bool publishing)
{
    m_publishing = publishing;
    update();
}

void PublishDialog::update()
{
    const auto left = int(m_plan.left());
    m_busy->setVisible(m_waiting || m_publishing);
    m_stop->setVisible(m_publishing);
    m_publish->setVisible(!m_publishing);
    m_close->setEnabled(!m_publishing);
    m_look->setEnabled(!m_publishing && !m_waiting);
    m_organisation->setEnabled(!m_publishing);
    m_again->setEnabled(!m_publishing);
    m_publish->setText(left > 1 ? tr("&Publish %1").arg(left) : tr("&Publish"));
    const QString why = !m_problem.isEmpty()             ? m_problem
                        : m_waiting                      ? tr("Checking git and flox…")
                        : !canPublish(m_plan.conditions) ? tr("flox would refuse to publish. See what is missing "
                                                              "above.")
                        : left == 0                      ? tr("All of these are already published.")
                                                         : QString();
    m_publish->setEnabled(why.isEmpty());
    explain(m_publish, why);
}

void PublishDialog::reject()
{
    if (!m_publishing)
        QDialog::reject();
}

} // namespace tmx
