// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/queue/PastBuildsView.h"

#include "model/base/Sentences.h"
#include "model/builds/PastBuilds.h"
#include "views/queue/BuildChart.h"
#include "views/queue/QueueStateDelegate.h"
#include "views/widgets/Buttons.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"
#include "views/widgets/Views.h"

#include <QComboBox>
#include <QFileDialog>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

QString branchText(const QString &branch)
{
    return branch;
}

QString outcomeText(const QString &word)
{
    const auto kind = outcomeKindNamed(word);
    return kind ? plainWordOf(*kind) : word;
}

void fill(QComboBox *choice, const QString &all, QStringList entries, QString (*text)(const QString &))
{
    const QString current = choice->currentData().toString();
    // The selected filter value stays in the list, even if no build has it.
    if (!current.isEmpty() && !entries.contains(current))
        entries.append(current);
    const QSignalBlocker quiet(choice);
    choice->clear();
    choice->addItem(all, QString());
    for (const QString &entry : std::as_const(entries))
        choice->addItem(text(entry), entry);
    choice->setCurrentIndex(choice->findData(current));
}

} // namespace

PastBuildsView::PastBuildsView(QWidget *parent)
    : BuildsPage(tr("Past builds"), parent)
    , m_table(new QTableView)
    , m_times(new BuildChart(tr("Build times")))
    , m_queue(new BuildChart(tr("The queue over time")))
    , m_forms(new QWidget)
    , m_timesHead(new Label(tr("Build times"), Label::Bold))
    , m_form(makeChoice(tr("Show the builds as")))
    , m_branch(makeChoice(tr("Branch of the builds")))
    , m_outcome(makeChoice(tr("Outcome of the builds")))
    , m_text(new QLineEdit)
    , m_export(makeTool(tr("CSV…"), tr("Export the builds as CSV"), tr("Save the listed builds as CSV")))
    , m_report(makeTool(tr("Report"), tr("Report of the branch"),
                        tr("Open a page with the state of the branch's builds, their times and failures")))
{
    styleTextTable(m_table);
    m_table->setTextElideMode(Qt::ElideRight); // the beginning of a reason says most
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setAccessibleName(tr("Past builds"));
    auto *forms = new QVBoxLayout(m_forms);
    forms->setContentsMargins({});
    forms->setSpacing(0);
    m_timesHead->setContentsMargins(8, 8, 8, 2);
    for (QWidget *form : std::initializer_list<QWidget *>{m_table, m_timesHead, m_times, m_queue})
        forms->addWidget(form, form == m_timesHead ? 0 : 1);
    m_forms->installEventFilter(this);
    m_form->addItems({tr("Table"), tr("Build times"), tr("Queue over time")});
    makeTools();

    connect(m_form, &QComboBox::currentIndexChanged, this, &PastBuildsView::showForm);
    connect(m_branch, &QComboBox::activated, this, &PastBuildsView::takeFilter);
    connect(m_outcome, &QComboBox::activated, this, &PastBuildsView::takeFilter);
    connect(m_text, &QLineEdit::textChanged, this, &PastBuildsView::takeFilter);
    connect(m_export, &QToolButton::clicked, this, &PastBuildsView::exportTable);
    connect(m_report, &QToolButton::clicked, this, &PastBuildsView::reportRequested);
    connect(m_table, &QTableView::doubleClicked, this, &PastBuildsView::openCurrent);
}

void PastBuildsView::makeTools()
{
    m_text->setPlaceholderText(tr("Variant or reason"));
    m_text->setClearButtonEnabled(true);
    m_text->setMinimumWidth(120); // All tools stand in one line in a window of 1280 pixels.
    describe(m_text, tr("Filter the builds"), tr("Part of a variant's name or of the reason for a failure"));
    arrange({m_form, m_branch, m_outcome, m_text, m_report, m_export}, m_forms, m_table, tr("No build has ended yet."));
}

void PastBuildsView::setModel(PastBuilds *model)
{
    m_model = model;
    m_table->setModel(model);
    m_table->setItemDelegateForColumn(int(PastBuilds::Column::Outcome),
                                      new QueueStateDelegate(PastBuilds::BuildPhaseRole, this));
    QHeaderView *header = m_table->horizontalHeader();
    constexpr int fewWords = 16; ///< in characters; the page beside says all
    header->moveSection(int(PastBuilds::Column::Time), int(PastBuilds::Column::Why)); // seen in a narrow list, too
    fitColumns(header, {int(PastBuilds::Column::Branch), int(PastBuilds::Column::Who), int(PastBuilds::Column::Why)},
               fewWords * fontMetrics().averageCharWidth());
    // The current build stays current when rows are added.
    auto current = std::make_shared<QString>();
    connect(model, &QAbstractItemModel::modelAboutToBeReset, this, [this, current] {
        const BuildRecord *record = m_model->recordAt(m_table->currentIndex().row());
        *current = record ? record->job : QString();
    });
    connect(model, &QAbstractItemModel::modelReset, this, [this, current] {
        const QSignalBlocker quiet(m_table->selectionModel());
        if (const int row = m_model->rowOf(*current); row >= 0)
            m_table->setCurrentIndex(m_model->index(row, 0));
        showModel();
    });
    connect(model, &QAbstractItemModel::modelReset, this, &PastBuildsView::showWanted);
    connect(model, &QAbstractItemModel::modelReset, this, &PastBuildsView::listed);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &index) {
        if (const BuildRecord *record = m_model->recordAt(index.row())) {
            Q_EMIT chosen(record->variant);
            Q_EMIT shown(*record);
        }
    });
    showModel();
}

QString PastBuildsView::lastDay() const
{
    return m_model ? m_model->lastDay(QDateTime::currentDateTime()) : QString();
}

QList<BuildRecord> PastBuildsView::ofLastDay() const
{
    return m_model ? m_model->ofLastDay(QDateTime::currentDateTime()) : QList<BuildRecord>();
}

QString PastBuildsView::currentJob() const
{
    const BuildRecord *record = m_model ? m_model->recordAt(m_table->currentIndex().row()) : nullptr;
    return record ? record->job : QString();
}

/// The grid keeps its cell.
void PastBuildsView::selectWorthALook()
{
    if (!m_model || m_model->rowCount() == 0 || m_table->currentIndex().isValid())
        return;
    const int row = std::max(m_model->newestFailure(QDateTime::currentDateTime()), 0);
    const QSignalBlocker quiet(m_table->selectionModel());
    m_table->setCurrentIndex(m_model->index(row, 0));
    Q_EMIT proposed(*m_model->recordAt(row));
}

void PastBuildsView::showBuild(const QString &job)
{
    m_wanted = job;
    for (QComboBox *choice : {m_form, m_branch, m_outcome})
        choice->setCurrentIndex(0);
    m_text->clear();
    takeFilter(); // which resets the model where there was a filter
    showWanted();
}

void PastBuildsView::showWanted()
{
    const int row = m_wanted.isEmpty() ? -1 : m_model->rowOf(m_wanted);
    if (row < 0)
        return;
    m_wanted.clear();
    m_table->setCurrentIndex({});
    m_table->setCurrentIndex(m_model->index(row, 0));
}

bool PastBuildsView::hasBuilds() const
{
    return m_model && !m_model->isEmpty();
}

bool PastBuildsView::hasNotice() const
{
    return !m_notice.isEmpty();
}

void PastBuildsView::showModel()
{
    fill(m_branch, tr("All branches"), m_model->branches(), branchText);
    fill(m_outcome, tr("All outcomes"), m_model->outcomes(), outcomeText);
    for (const auto column :
         {PastBuilds::Column::Why, PastBuilds::Column::Who, PastBuilds::Column::Memory, PastBuilds::Column::Size})
        m_table->setColumnHidden(int(column), m_model->isUnknown(column));
    showNames(m_table->horizontalHeader(), int(PastBuilds::Column::Gpu), m_model->names());
    const bool any = !m_model->isEmpty();
    m_export->setEnabled(m_model->rowCount() > 0);
    showForm();
    showBuilds(any, !m_notice.isEmpty() ? m_notice
                    : any               ? joinedSentences({m_model->summary() + u'.', m_logs})
                                        : QString());
}

/// Height that the rows leave.
int PastBuildsView::roomBelowTable() const
{
    return m_forms->height() - m_table->horizontalHeader()->height() -
           (m_model->rowCount() + 1) * m_table->verticalHeader()->defaultSectionSize();
}

/// The times stand below a table that leaves room for them, too.
void PastBuildsView::showForm()
{
    enum Form { Table, Times, Queue };
    constexpr int leastLines = 8;
    const auto form = Form(m_form->currentIndex());
    QList<VariantTime> times = form == Queue ? QList<VariantTime>() : timesByVariant(m_model->shown());
    for (VariantTime &time : times)
        time.variant = m_model->names().of(time.variant); // the rest stands above
    const int room = roomBelowTable();
    const bool below = form == Table && times.size() > 1 && room >= leastLines * fontMetrics().lineSpacing();
    m_table->setVisible(form == Table);
    m_times->setVisible(form == Times || below);
    m_timesHead->setVisible(below);
    m_queue->setVisible(form == Queue);
    m_table->setMaximumHeight(below ? m_forms->height() - room : QWIDGETSIZE_MAX);
    if (m_times->isVisibleTo(this))
        m_times->showTimes(times);
    else if (form == Queue)
        m_queue->showQueue(queueOverTime(m_model->shown()));
}

void PastBuildsView::setNotice(const QString &sentence)
{
    m_notice = sentence;
    showModel();
}

void PastBuildsView::setLogs(qint64 bytes, qint64 limit)
{
    const QString size = QLocale().formattedDataSize(bytes, 1);
    m_logs = bytes <= 0   ? QString() // of a team's builds alone there are none here
             : limit == 0 ? tr("Logs: %1.", "size").arg(size)
                          : tr("Logs: %1 of %2.", "size, limit").arg(size, QLocale().formattedDataSize(limit, 1));
    showModel();
}

void PastBuildsView::takeFilter()
{
    m_model->setFilter({m_branch->currentData().toString(), m_outcome->currentData().toString(), m_text->text()});
}

void PastBuildsView::exportTable()
{
    auto *dialog = new QFileDialog(this, tr("Export the builds"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(u"csv"_s);
    dialog->selectFile(tr("builds.csv"));
    connect(dialog, &QFileDialog::fileSelected, this, &PastBuildsView::exportRequested);
    dialog->open();
}

void PastBuildsView::openCurrent()
{
    if (const BuildRecord *record = m_model->recordAt(m_table->currentIndex().row())) {
        Q_EMIT shown(*record);
        Q_EMIT opened();
    }
}

void PastBuildsView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    Q_EMIT appeared();
}

bool PastBuildsView::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_forms && event->type() == QEvent::Resize && m_model)
        showForm();
    if (watched == m_table &&
        event->type() == QEvent::Resize) // in a low window the proposed failure may be the last row
        QMetaObject::invokeMethod(
            m_table, [this] { m_table->scrollTo(m_table->currentIndex()); }, Qt::QueuedConnection);
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<const QKeyEvent *>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            openCurrent();
            return true;
        }
    }
    return BuildsPage::eventFilter(watched, event);
}

} // namespace tmx
