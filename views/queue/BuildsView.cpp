// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/queue/BuildsView.h"

#include "model/builds/Estimate.h"
#include "model/builds/QueueModel.h"
#include "views/console/BuildConsole.h"
#include "views/queue/PastBuildsView.h"
#include "views/queue/QueueView.h"
#include "views/queue/ScheduleChart.h"
#include "views/widgets/EmptyPage.h"
#include "views/widgets/Label.h"
#include "views/widgets/Views.h"

#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTreeView>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int narrowBuilds = 1150; ///< in pixels: below it list and log are too narrow side by side

} // namespace

BuildsView::BuildsView(QWidget *parent)
    : QWidget(parent)
    , m_queue(new QueueView)
    , m_pastBuilds(new PastBuildsView)
    , m_console(new BuildConsole)
    , m_schedule(new ScheduleChart)
    , m_day(new Label({}, Label::Bold | Label::Narrow, tr("The last day")))
    , m_summary(new Label({}, Label::Quiet | Label::Narrow, tr("Summary of the schedule")))
    , m_past(new QWidget)
    , m_lists(new QTabWidget)
    , m_pages(new QStackedWidget)
    , m_body(makeSplitter(Qt::Horizontal, m_lists, m_console))
{
    setAccessibleName(tr("Builds"));
    m_lists->setDocumentMode(true);
    m_lists->setAccessibleName(tr("Lists of builds"));
    m_lists->addTab(m_queue, tr("Queue"));
    m_lists->addTab(m_pastBuilds, tr("Past builds"));
    auto *column = new QVBoxLayout(m_past);
    column->setContentsMargins({});
    column->setSpacing(0);
    m_summary->setContentsMargins(8, 1, 8, 2);
    m_day->setContentsMargins(8, 4, 8, 4);
    column->addWidget(m_day);
    column->addWidget(m_schedule, 1);
    column->addWidget(m_summary);
    auto *all = makeSplitter(Qt::Vertical, m_past, m_body);
    nameSplitter(m_body, u"builds"_s, {600, 620});
    turnBelow(m_body, narrowBuilds);
    nameSplitter(all, u"schedule"_s, {130, 500});
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    auto *empty = new EmptyPage(tr("No builds in the queue"),
                                tr("This view shows the builds of all repositories: what runs and waits, when all is "
                                   "done, and the log of each. Select cells in the grid and press B to build them."));
    connect(empty->addButton(tr("Show the &grid")), &QPushButton::clicked, this, &BuildsView::gridRequested);
    connect(empty->addButton(tr("Build all &never built")), &QPushButton::clicked, this, &BuildsView::buildRequested);
    m_pages->addWidget(all);
    m_pages->addWidget(empty);
    layout->addWidget(m_pages);
    setFocusProxy(m_pages);
    connect(m_queue, &QueueView::countChanged, this, &BuildsView::showAny);
    connect(m_pastBuilds, &PastBuildsView::listed, this, &BuildsView::showAny);
    connect(m_pastBuilds, &PastBuildsView::listed, this, &BuildsView::showDay);
    connect(empty->addButton(tr("&Past builds")), &QPushButton::clicked, this, [this] {
        showList(m_pastBuilds);
        m_pastBuilds->setFocus();
    });
    connect(m_schedule, &ScheduleChart::chosen, m_queue, &QueueView::select);
    connect(m_queue, &QueueView::shown, m_schedule, &ScheduleChart::setCurrent);
    m_schedule->installEventFilter(m_queue);
    setEstimate({});
}

void BuildsView::setEstimate(const std::shared_ptr<const Estimate> &estimate)
{
    m_schedule->setEstimate(estimate);
    m_schedule->setCurrent(m_queue->list()->currentIndex().data(QueueModel::IdRole).toString());
    const QString text = estimate && !estimate->builds.isEmpty()
                             ? QStringList{summaryOf(*estimate), timesText(*estimate)}.join(u' ')
                             : QString();
    m_summary->setVisible(!text.isEmpty());
    m_summary->setText(text);
    showDay();
}

/// A chart without a bar gives its room to the lists.
void BuildsView::showDay()
{
    const QString day = m_pastBuilds->lastDay();
    m_day->setVisible(!day.isEmpty());
    m_day->setText(day);
    m_schedule->setVisible(day.isEmpty() || !m_schedule->isEmpty());
    m_past->setMaximumHeight(m_schedule->isHidden() ? m_day->heightForWidth(width()) : QWIDGETSIZE_MAX);
}

void BuildsView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    showDay(); // in as many lines as it needs now
}

void BuildsView::showAny()
{
    const bool queued = m_queue->list()->model()->rowCount() > 0;
    const bool past = m_pastBuilds->hasBuilds();
    if (!m_listed && !queued && past)
        m_lists->setCurrentWidget(m_pastBuilds); // what the night brought
    if (m_console->isEmpty() && m_lists->currentWidget() == m_pastBuilds)
        m_pastBuilds->selectNewestFailure();
    const bool any = m_listed || queued || past;
    m_pages->setCurrentIndex(any ? 0 : 1);
    m_pages->setFocusProxy(any ? m_lists : m_pages->widget(1));
}

void BuildsView::showList(QWidget *list)
{
    m_listed = true;
    m_lists->setCurrentWidget(list);
    showAny();
}

void BuildsView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    showAny();
    Q_EMIT appeared();
}

} // namespace tmx
