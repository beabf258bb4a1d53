// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/history/HistoryPanel.h"

#include "model/repository/TextDiff.h"
#include "views/recipe/DiffView.h"
#include "views/recipe/Labels.h"

#include <QEvent>
#include <QFontDatabase>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>

namespace tmx {

namespace {

constexpr int mostFacts = 6;

QString whatHappened(const HistoryStep &step)
{
    if (!step.revision.after.isEmpty())
        return HistoryPanel::tr("renamed to %1").arg(step.revision.after);
    if (!step.revision.text)
        return HistoryPanel::tr("removed");
    if (!step.revision.before.isEmpty() && step.before == step.revision.text)
        return HistoryPanel::tr("renamed");
    if (!step.before)
        return HistoryPanel::tr("first version");
    if (step.changes.isEmpty())
        return HistoryPanel::tr("other words, the same facts");
    QStringList labels;
    for (const FactChange &change : step.changes)
        labels.append(change.label);
    return labels.join(QStringLiteral(", "));
}

} // namespace

HistoryPanel::HistoryPanel(QWidget *parent)
    : QWidget(parent)
    , m_title(new QLabel)
    , m_message(new QLabel)
    , m_list(new QListWidget)
    , m_step(new QWidget)
    , m_about(new QLabel)
    , m_facts(new QTableWidget)
    , m_diff(new DiffView)
{
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setContentsMargins(12, 10, 12, 6);
    m_title->setAccessibleName(tr("Recipe"));
    m_message->setContentsMargins(12, 0, 12, 6);
    m_message->setWordWrap(true);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setAccessibleName(tr("State of the history"));
    m_list->setAccessibleName(tr("Commits"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setSpacing(4);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_about->setTextFormat(Qt::PlainText);
    m_about->setWordWrap(true);
    m_about->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_about->setAccessibleName(tr("Commit"));
    m_about->setContentsMargins(12, 0, 12, 0);
    m_facts->setAccessibleName(tr("Facts that the commit changed"));
    m_facts->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_facts->setSelectionMode(QAbstractItemView::SingleSelection);
    m_facts->setTabKeyNavigation(false);
    m_facts->setShowGrid(false);
    m_facts->setFrameShape(QFrame::NoFrame);
    m_facts->setWordWrap(false);
    m_facts->setTextElideMode(Qt::ElideMiddle);
    m_facts->setColumnCount(3);
    m_facts->setHorizontalHeaderLabels({tr("Fact"), tr("Before"), tr("After")});
    m_facts->verticalHeader()->hide();
    m_facts->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    m_facts->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_facts->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_facts->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_facts->horizontalHeader()->setSectionResizeMode(2, QHeaderView::Stretch);
    m_diff->setAccessibleName(tr("What the commit changed in the text"));

    auto *step = new QVBoxLayout(m_step);
    step->setContentsMargins(0, 0, 0, 0);
    step->setSpacing(8);
    step->addWidget(m_about);
    step->addWidget(m_facts);
    step->addWidget(m_diff, 1);
    auto *sides = new QSplitter(Qt::Horizontal);
    sides->addWidget(m_list);
    sides->addWidget(m_step);
    sides->setStretchFactor(1, 1);
    sides->setSizes({340, 700});
    sides->setChildrenCollapsible(false);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_title);
    layout->addWidget(m_message);
    layout->addWidget(sides, 1);
    connect(m_list, &QListWidget::currentRowChanged, this, &HistoryPanel::showStep);
    setFocusProxy(m_list);
    mute();
    setMessage({});
}

void HistoryPanel::setHistory(const CellHistory &history)
{
    m_history = history;
    m_title->setText(history.branch.isEmpty() ? history.name
                                              : tr("%1 on %2", "recipe, branch").arg(history.name, history.branch));
    m_message->setText(tr("There are older commits; \u201ctorch-matrix history --limit\u201d shows them."));
    m_message->setVisible(history.more);
    m_list->clear();
    for (const HistoryStep &step : history.steps) {
        const RecipeRevision &revision = step.revision;
        auto *item = new QListWidgetItem(tr("%1\n%2 \u00b7 %3", "subject, date, what happened")
                                             .arg(revision.subject,
                                                  QLocale().toString(revision.when.date(), QLocale::ShortFormat),
                                                  whatHappened(step)),
                                         m_list);
        item->setToolTip(tr("%1, %2: %3", "commit, author, subject")
                             .arg(revision.commit.left(10), revision.author, revision.subject));
    }
    m_list->setCurrentRow(0);
}

void HistoryPanel::setMessage(const QString &sentence)
{
    m_history = {};
    m_list->clear();
    m_title->clear();
    m_message->setText(sentence);
    m_message->setVisible(!sentence.isEmpty());
    showStep();
}

void HistoryPanel::showStep()
{
    const int row = m_list->currentRow();
    const bool any = row >= 0 && row < m_history.steps.size();
    if (!any) {
        m_about->clear();
        m_facts->setRowCount(0);
        m_facts->hide();
        m_diff->setDiff({}, {});
        return;
    }
    const HistoryStep &step = m_history.steps.at(row);
    const RecipeRevision &revision = step.revision;
    QString about =
        tr("%1 \u00b7 %2 \u00b7 %3", "commit, author, time")
            .arg(revision.commit.left(10), revision.author, QLocale().toString(revision.when, QLocale::ShortFormat));
    if (!revision.before.isEmpty())
        about += u'\n' + tr("The file was %1 before.").arg(revision.before);
    m_about->setText(about);
    // A first version states all that it states; that is no change.
    const QList<FactChange> changes = step.before && revision.text ? step.changes : QList<FactChange>();
    m_facts->setRowCount(int(changes.size()));
    const QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    for (int i = 0; i < changes.size(); ++i) {
        const FactChange &change = changes.at(i);
        m_facts->setItem(i, 0, new QTableWidgetItem(change.label));
        for (const auto &[column, value] : {std::pair(1, change.before), std::pair(2, change.after)}) {
            auto *item = new QTableWidgetItem(value.isEmpty() ? tr("not stated") : value.simplified());
            item->setToolTip(value);
            if (!value.isEmpty())
                item->setFont(fixed);
            m_facts->setItem(i, column, item);
        }
    }
    m_facts->setVisible(!changes.isEmpty());
    const int shown = std::min(int(changes.size()), mostFacts);
    m_facts->setFixedHeight(m_facts->horizontalHeader()->sizeHint().height() +
                            shown * m_facts->verticalHeader()->defaultSectionSize() + 4);
    const QByteArray after = revision.text.value_or(QByteArray());
    m_diff->setDiff(diffTexts(step.before.value_or(QByteArray()), after), after);
}

void HistoryPanel::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        mute();
}

void HistoryPanel::mute()
{
    setMuted(m_about, palette());
    setMuted(m_message, palette());
}

} // namespace tmx
