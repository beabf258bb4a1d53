// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/history/HistoryPanel.h"

#include "model/git/TextDiff.h"
#include "views/compare/FactTable.h"
#include "views/recipe/DiffView.h"
#include "views/widgets/Label.h"
#include "views/widgets/Views.h"

#include <QKeyEvent>
#include <QListWidget>
#include <QLocale>
#include <QSplitter>
#include <QVBoxLayout>
#include <QtConcurrent>

namespace tmx {

namespace {

constexpr int mostFacts = 6;

QString whatHappened(const HistoryStep &step)
{
    if (!step.imported.isEmpty())
        return HistoryPanel::tr("%1 changed: %n recipes", nullptr, step.reach).arg(shownPath(step.imported));
    if (!step.revision.after.isEmpty())
        return HistoryPanel::tr("renamed to %1").arg(step.revision.after);
    if (!step.revision.text)
        return HistoryPanel::tr("deleted");
    if (!step.revision.before.isEmpty() && step.before == step.revision.text)
        return HistoryPanel::tr("renamed");
    if (!step.before)
        return step.cameBack ? HistoryPanel::tr("restored")
               : step.cutOff ? HistoryPanel::tr("oldest commit of this shallow clone")
                             : HistoryPanel::tr("first version");
    if (step.changes.isEmpty())
        return HistoryPanel::tr("same facts, different text");
    QStringList labels;
    for (const FactChange &change : step.changes)
        labels.append(change.label);
    return labels.join(QStringLiteral(", "));
}

} // namespace

HistoryPanel::HistoryPanel(QWidget *parent)
    : QWidget(parent)
    , m_title(new Label({}, Label::Bold, tr("Recipe")))
    , m_message(new Label({}, Label::Wrapped | Label::Quiet, tr("State of the history")))
    , m_list(new QListWidget)
    , m_step(new QWidget)
    , m_about(new Label({}, Label::Wrapped | Label::Quiet | Label::Selectable, tr("Commit")))
    , m_facts(new FactTable)
    , m_diff(new DiffView)
{
    m_title->setContentsMargins(12, 10, 12, 6);
    m_message->setContentsMargins(12, 0, 12, 6);
    m_list->setAccessibleName(tr("Commits"));
    styleView(m_list);
    m_list->setSpacing(1);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_about->setContentsMargins(12, 0, 12, 0);
    m_facts->setAccessibleName(tr("Facts that the commit changed"));
    m_facts->setShown(FactTable::Facts::All);
    m_diff->setAccessibleName(tr("Changes of the text in the commit"));

    auto *step = new QVBoxLayout(m_step);
    step->setContentsMargins(0, 0, 0, 0);
    step->setSpacing(8);
    step->addWidget(m_about);
    step->addWidget(m_facts);
    step->addWidget(m_diff, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_title);
    layout->addWidget(m_message);
    layout->addWidget(makeSplitter(Qt::Horizontal, m_list, m_step, {340, 700}), 1);
    connect(m_list, &QListWidget::currentRowChanged, this, &HistoryPanel::showStep);
    setFocusProxy(m_list);
    setMessage({});
}

void HistoryPanel::setHistory(const CellHistory &history)
{
    m_history = history;
    m_title->setText(history.branch.isEmpty() ? history.name
                                              : tr("%1 on %2", "recipe, branch").arg(history.name, history.branch));
    m_message->setText(tr("The newest %1 commits are shown. There are older ones.").arg(history.steps.size()));
    m_message->setVisible(history.more);
    m_list->clear();
    for (const HistoryStep &step : history.steps) {
        const FileRevision &revision = step.revision;
        auto *item = new QListWidgetItem(tr("%1\n%2 \u00b7 %3", "subject, date, what happened")
                                             .arg(revision.subject,
                                                  QLocale().toString(revision.when.date(), QLocale::ShortFormat),
                                                  whatHappened(step)),
                                         m_list);
        item->setSizeHint({0, 2 * m_list->fontMetrics().lineSpacing() + 10});
        item->setData(Qt::ToolTipRole, tr("%1, %2: %3", "commit, author, subject")
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
    ++m_asked;
    const int row = m_list->currentRow();
    const bool any = row >= 0 && row < m_history.steps.size();
    if (!any) {
        m_about->clear();
        m_facts->hide();
        m_diff->setDiff({}, {});
        return;
    }
    const HistoryStep &step = m_history.steps.at(row);
    const FileRevision &revision = step.revision;
    QString about =
        tr("%1 \u00b7 %2 \u00b7 %3", "commit, author, time")
            .arg(revision.commit.left(10), revision.author, QLocale().toString(revision.when, QLocale::ShortFormat));
    if (!revision.before.isEmpty())
        about += u'\n' + tr("Renamed from %1.").arg(revision.before);
    m_about->setText(about);
    // The first version introduces all its facts; these are no changes.
    const QList<FactChange> changes = step.before && revision.text ? step.changes : QList<FactChange>();
    QList<FactDifference> rows;
    for (const FactChange &change : changes)
        rows.append({change.id, change.label, {change.before, change.after}});
    m_facts->setFacts(rows, {tr("Before"), tr("After")}, {true, true});
    m_facts->setVisible(!changes.isEmpty());
    m_facts->setFixedHeight(heightForRows(m_facts, mostFacts));
    const QByteArray after = revision.text.value_or(QByteArray());
    // The shown difference stays until the new one is ready.
    QtConcurrent::run(diffTexts, step.before.value_or(QByteArray()), after, 3)
        .then(this, [this, asked = m_asked, after](const QList<DiffLine> &lines) {
            if (asked == m_asked)
                m_diff->setDiff(lines, after);
        });
}

void HistoryPanel::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        close();
    else
        QWidget::keyPressEvent(event);
}

} // namespace tmx
