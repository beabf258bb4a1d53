// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/queue/PastBuildsView.h"

#include "model/workspace/PastBuilds.h"
#include "views/queue/QueueStateDelegate.h"
#include "views/widgets/Buttons.h"
#include "views/widgets/FlowLayout.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"
#include "views/widgets/Views.h"

#include <QComboBox>
#include <QFileDialog>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int usualHeight = 160;
constexpr int mostGigabytes = 100'000;
constexpr qint64 gigabyte = qint64(1) << 30;

} // namespace

PastBuildsView::PastBuildsView(QWidget *parent)
    : QWidget(parent)
    , m_table(new QTableView)
    , m_empty(new Label(tr("No build has ended yet."), Label::Placeholder))
    , m_body(new QStackedWidget)
    , m_branch(makeChoice(tr("Branch of the builds")))
    , m_outcome(makeChoice(tr("Outcome of the builds")))
    , m_text(new QLineEdit)
    , m_export(
          makeTool(tr("Export CSV…"), tr("Export the builds as CSV"), tr("Save the builds that are listed as CSV")))
    , m_report(makeTool(tr("Report"), tr("Report of the branch"),
                        tr("Open a page with the state of the branch's builds, their times and failures")))
    , m_limit(makeNumber(0, mostGigabytes, tr("Room for logs"),
                         tr("How much room logs may take. When a build ends, old ones are compressed, then removed.")))
    , m_summary(new ElidedLabel(Label::Quiet, tr("Builds that are listed"), Qt::ElideRight))
{
    styleTextTable(m_table);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setAccessibleName(tr("Past builds"));
    m_table->installEventFilter(this);
    m_body->addWidget(m_empty);
    m_body->addWidget(m_table);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addLayout(makeTools());
    layout->addWidget(m_body, 1);
    layout->addWidget(m_summary);
    m_summary->setContentsMargins(8, 2, 8, 3);
    setAccessibleName(tr("Past builds"));
    setFocusProxy(m_table);

    connect(m_branch, &QComboBox::activated, this, &PastBuildsView::takeFilter);
    connect(m_outcome, &QComboBox::activated, this, &PastBuildsView::takeFilter);
    connect(m_text, &QLineEdit::textChanged, this, &PastBuildsView::takeFilter);
    connect(m_export, &QToolButton::clicked, this, &PastBuildsView::exportTable);
    connect(m_report, &QToolButton::clicked, this, &PastBuildsView::reportRequested);
    connect(m_limit, &QSpinBox::valueChanged, this,
            [this](int value) { Q_EMIT logLimitRequested(qint64(value) * gigabyte); });
    connect(m_table, &QTableView::doubleClicked, this, &PastBuildsView::openCurrent);
}

QLayout *PastBuildsView::makeTools()
{
    m_text->setPlaceholderText(tr("Variant or reason"));
    m_text->setClearButtonEnabled(true);
    m_text->setMinimumWidth(160);
    describe(m_text, tr("Filter the builds"), tr("Part of a variant's name, or of the reason why it failed"));
    m_limit->setKeyboardTracking(false);
    m_limit->setSuffix(tr(" GiB"));
    auto *tools = new FlowLayout(4);
    tools->setContentsMargins(6, 2, 6, 2);
    for (QWidget *tool : std::initializer_list<QWidget *>{m_branch, m_outcome, m_text, m_report, m_export, m_limit})
        tools->addWidget(tool);
    return tools;
}

QSize PastBuildsView::sizeHint() const
{
    return {QWidget::sizeHint().width(), usualHeight};
}

QSize PastBuildsView::minimumSizeHint() const
{
    return {m_text->minimumWidth() + 12, fontMetrics().height() + 12};
}

void PastBuildsView::setModel(PastBuilds *model)
{
    m_model = model;
    m_table->setModel(model);
    m_table->setItemDelegateForColumn(int(PastBuilds::Column::Outcome),
                                      new QueueStateDelegate(PastBuilds::BuildPhaseRole, this));
    QHeaderView *header = m_table->horizontalHeader();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(int(PastBuilds::Column::Variant), QHeaderView::Stretch);
    // The build that was current stays so when others come.
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
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &index) {
        if (const BuildRecord *record = m_model->recordAt(index.row()))
            Q_EMIT chosen(record->variant);
    });
    showModel();
}

void PastBuildsView::fill(QComboBox *choice, const QString &all, const QStringList &entries)
{
    const QString current = choice->currentData().toString();
    const QSignalBlocker quiet(choice);
    choice->clear();
    choice->addItem(all, QString());
    for (const QString &entry : entries)
        choice->addItem(entry, entry);
    // What is filtered by stays to be seen, although no build is like that.
    if (!current.isEmpty() && !entries.contains(current))
        choice->addItem(current, current);
    choice->setCurrentIndex(choice->findData(current));
}

void PastBuildsView::showModel()
{
    fill(m_branch, tr("All branches"), m_model->branches());
    fill(m_outcome, tr("All outcomes"), m_model->outcomes());
    const bool any = !m_model->isEmpty();
    m_body->setCurrentIndex(any ? 1 : 0);
    m_export->setEnabled(m_model->rowCount() > 0);
    m_summary->setFullText(!m_notice.isEmpty() ? m_notice : any ? m_model->summary() : QString());
    m_summary->setVisible(!m_summary->fullText().isEmpty());
}

void PastBuildsView::setNotice(const QString &sentence)
{
    m_notice = sentence;
    showModel();
}

void PastBuildsView::setLogs(qint64 bytes, qint64 limit)
{
    const QString prefix = tr("Logs: %1 of ").arg(QLocale().formattedDataSize(bytes, 1));
    m_limit->setPrefix(prefix);
    m_limit->setSpecialValueText(prefix + QLocale().formattedDataSize(limit, 1)); // less than one gigabyte
    if (m_limit->hasFocus())                                                      // somebody types
        return;
    const QSignalBlocker quiet(m_limit);
    m_limit->setValue(int(qMin<qint64>(limit / gigabyte, mostGigabytes)));
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
    if (const BuildRecord *record = m_model->recordAt(m_table->currentIndex().row()))
        Q_EMIT opened(record->job);
}

void PastBuildsView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    Q_EMIT appeared();
}

bool PastBuildsView::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<const QKeyEvent *>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            openCurrent();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace tmx
