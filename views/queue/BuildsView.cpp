// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/queue/BuildsView.h"

#include "model/builds/Estimate.h"
#include "model/builds/QueueModel.h"
#include "model/history/BuildHistory.h"
#include "views/console/BuildConsole.h"
#include "views/queue/PastBuildsView.h"
#include "views/queue/QueueView.h"
#include "views/queue/ScheduleChart.h"
#include "views/widgets/EmptyPage.h"
#include "views/widgets/Label.h"
#include "views/widgets/Views.h"

#include <QApplication>
#include <QPointer>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int highBuilds = 760;    ///< in pixels: from here on both lists have room, one above the other
constexpr int roomAbove = 560;     ///< in pixels: from here on short lists have room above the log
constexpr int fewBuilds = 10;      ///< of which a list beside the log would leave most of its place empty
constexpr int narrowBuilds = 1150; ///< in pixels: below it list and log are too narrow side by side

QWidget *underTitle(const QString &title, QWidget *list)
{
    auto *all = new QWidget;
    auto *column = new QVBoxLayout(all);
    column->setContentsMargins({});
    column->setSpacing(0);
    auto *head = new Label(title, Label::Bold);
    head->setContentsMargins(8, 6, 8, 4);
    column->addWidget(head);
    column->addWidget(list, 1);
    list->show(); // a tab that is not in front was hidden
    return all;
}

} // namespace

BuildsView::BuildsView(QWidget *parent)
    : QWidget(parent)
    , m_queue(new QueueView)
    , m_pastBuilds(new PastBuildsView)
    , m_console(new BuildConsole)
    , m_schedule(new ScheduleChart)
    , m_now(new Label({}, Label::Bold | Label::Narrow, tr("What runs now")))
    , m_day(new Label({}, Label::Bold | Label::Narrow, tr("The last day")))
    , m_summary(new Label({}, Label::Quiet | Label::Narrow, tr("Summary of the schedule")))
    , m_past(new QWidget)
    , m_left(new QStackedWidget)
    , m_lists(new QTabWidget)
    , m_both(makeSplitter(Qt::Vertical, new QWidget, new QWidget))
    , m_pages(new QStackedWidget)
    , m_body(makeSplitter(Qt::Horizontal, m_left, m_console))
    , m_all(makeSplitter(Qt::Vertical, m_past, m_body))
{
    setAccessibleName(tr("Builds"));
    m_lists->setDocumentMode(true);
    m_lists->setAccessibleName(tr("Lists of builds"));
    m_lists->addTab(m_queue, tr("Queue"));
    m_lists->addTab(m_pastBuilds, tr("Past builds"));
    m_left->addWidget(m_lists);
    m_left->addWidget(m_both);
    auto *column = new QVBoxLayout(m_past);
    column->setContentsMargins({});
    column->setSpacing(0);
    m_summary->setContentsMargins(8, 1, 8, 2);
    m_now->setContentsMargins(8, 4, 8, 0);
    m_now->hide();
    m_day->setContentsMargins(8, 4, 8, 4);
    column->addWidget(m_now);
    column->addWidget(m_day);
    column->addWidget(m_schedule, 1);
    column->addWidget(m_summary);
    nameSplitter(m_body, u"builds"_s, {600, 620});
    connect(m_body, &QSplitter::splitterMoved, this, [this] { m_resized = m_rows >= 0; });
    nameSplitter(m_all, u"schedule"_s, {170, 500});
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    auto *empty = new EmptyPage(tr("No builds yet"),
                                tr("This view shows the builds of all repositories: what runs and waits, when all is "
                                   "done, and the log of each. Select cells in the grid and press B to build them."));
    connect(empty->addButton(tr("Show the &grid")), &QPushButton::clicked, this, &BuildsView::gridRequested);
    connect(empty->addButton(tr("Build all &never built")), &QPushButton::clicked, this, &BuildsView::buildRequested);
    m_pages->addWidget(m_all);
    m_pages->addWidget(empty);
    layout->addWidget(m_pages);
    setFocusProxy(m_pages);
    connect(m_queue, &QueueView::countChanged, this, &BuildsView::showAny);
    connect(m_pastBuilds, &PastBuildsView::listed, this, &BuildsView::showAny);
    connect(m_pastBuilds, &PastBuildsView::listed, this, &BuildsView::showChart);
    connect(m_schedule, &ScheduleChart::chosen, this, &BuildsView::choose);
    connect(m_queue, &QueueView::shown, m_schedule, &ScheduleChart::setCurrent);
    for (const auto shown : {&PastBuildsView::shown, &PastBuildsView::proposed})
        connect(m_pastBuilds, shown, m_schedule,
                [this](const BuildRecord &build) { m_schedule->setCurrent(build.job); });
    m_schedule->installEventFilter(m_queue);
    setEstimate({});
}

void BuildsView::setEstimate(const std::shared_ptr<const Estimate> &estimate)
{
    m_estimate = estimate;
    const QString text = estimate && !estimate->builds.isEmpty()
                             ? QStringList{summaryOf(*estimate), timesText(*estimate)}.join(u' ')
                             : QString();
    m_summary->setVisible(!text.isEmpty());
    m_summary->setText(text);
    showChart();
}

void BuildsView::setNow(const QString &line)
{
    if (line == m_now->text())
        return;
    m_now->setText(line);
    m_now->setVisible(!line.isEmpty());
    QFont day = m_now->font(); // One line is the first.
    day.setBold(line.isEmpty());
    m_day->setFont(day);
    showDay();
}

/// The builds of this account and those of the team, in one picture.
void BuildsView::showChart()
{
    std::shared_ptr<const Estimate> all = m_estimate;
    if (const QList<BuildRecord> day = m_pastBuilds->ofLastDay(); m_estimate && !day.isEmpty()) {
        auto more = std::make_shared<Estimate>(*m_estimate);
        addOthers(*more, day);
        all = more;
    }
    const QString current = m_schedule->current();
    m_schedule->setEstimate(all);
    if (m_schedule->current().isEmpty() || current.isEmpty())
        m_schedule->setCurrent(m_left->currentWidget() == m_lists && m_lists->currentWidget() == m_pastBuilds
                                   ? m_pastBuilds->currentJob()
                                   : m_queue->list()->currentIndex().data(QueueModel::IdRole).toString());
    showDay();
}

/// A chart without a bar, or the height that its lanes do not need, is room for the lists.
void BuildsView::showDay()
{
    const QString day = m_pastBuilds->lastDay();
    m_day->setVisible(!day.isEmpty());
    m_day->setText(day);
    m_schedule->setVisible(day.isEmpty() || !m_schedule->isEmpty());
    int most = 0;
    for (QWidget *part : std::initializer_list<QWidget *>{m_now, m_day, m_summary}) {
        if (!part->isHidden())
            most += part->heightForWidth(width());
    }
    constexpr int linesOfSentence = 3; // that nothing ended or runs
    if (!m_schedule->isHidden())
        most += m_schedule->isEmpty() ? linesOfSentence * fontMetrics().lineSpacing() : m_schedule->sizeHint().height();
    m_past->setMaximumHeight(most);
    m_past->setMinimumHeight(std::min(most, height() / (height() < roomAbove ? 4 : 3))); // few lanes do not scroll
    m_all->refresh(); // at once: until its next event the higher part would cover the other
}

void BuildsView::choose(const QString &job)
{
    if (m_queue->has(job)) {
        m_queue->select(job);
        return;
    }
    showList(m_pastBuilds); // a build of the team
    m_pastBuilds->showBuild(job);
}

void BuildsView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    showDay(); // in as many lines as it needs now
    arrangeLists();
}

/// With the number of builds that run or wait: behind another tab they are not seen.
QString BuildsView::queueTitle() const
{
    const int active = m_queue->activeCount();
    return active == 0 ? tr("Queue") : u"%1 (%2)"_s.arg(tr("Queue")).arg(active);
}

void BuildsView::showAny()
{
    if (const int tab = m_lists->indexOf(m_queue); tab >= 0)
        m_lists->setTabText(tab, queueTitle());
    const bool queued = m_queue->list()->model()->rowCount() > 0;
    const bool past = m_pastBuilds->hasBuilds();
    arrangeLists();
    if (!m_listed && !queued && past)
        m_lists->setCurrentWidget(m_pastBuilds); // what the night brought
    if (m_console->isEmpty() && isInFront(m_pastBuilds))
        m_pastBuilds->selectWorthALook();
    const bool any = queued || past || m_pastBuilds->hasNotice(); // else one page says that there is nothing
    m_pages->setCurrentIndex(any ? 0 : 1);
    m_pages->setFocusProxy(!any                                ? m_pages->widget(1)
                           : m_left->currentWidget() == m_both ? static_cast<QWidget *>(m_queue)
                                                               : m_lists);
}

bool BuildsView::isInFront(const QWidget *list) const
{
    return m_left->currentWidget() == m_both || m_lists->currentWidget() == list;
}

/// Few builds stand above the log, as high as they need.
void BuildsView::turnBody()
{
    const auto *past = m_pastBuilds->table()->model();
    const int rows =
        std::max(m_queue->list()->model() ? m_queue->list()->model()->rowCount() : 0, past ? past->rowCount() : 0);
    const bool few = width() >= narrowBuilds && height() >= roomAbove && rows <= fewBuilds;
    turn(m_body, few || width() < narrowBuilds ? Qt::Vertical : Qt::Horizontal);
    if (const int before = std::exchange(m_rows, few ? rows : -1); !few || (before >= 0 && m_resized))
        return;
    m_resized = false;
    constexpr int linesAround = 5; // tabs, tools, head, summary, and a row that the next build takes
    const int list = (rows + linesAround) * rowHeight(this) + 24;
    m_body->setSizes({list, std::max(1, m_body->height() - list)});
}

/// What runs and waits, and below it what ended; beside it where both stand above the log. Without such builds the
/// queue has nothing that the other list has not.
void BuildsView::arrangeLists()
{
    turnBody();
    const bool both = height() >= highBuilds && width() >= narrowBuilds && m_queue->activeCount() > 0;
    m_both->setOrientation(m_rows >= 0 ? Qt::Horizontal : Qt::Vertical);
    if (both == (m_left->currentWidget() == m_both))
        return;
    const QPointer<QWidget> focus = QApplication::focusWidget();
    const bool within = focus && m_left->isAncestorOf(focus);
    if (both) {
        const int front = m_lists->currentIndex();
        m_lists->clear(); // without the lists themselves
        m_front = front;
        delete m_both->replaceWidget(0, underTitle(tr("Queue"), m_queue));
        delete m_both->replaceWidget(1, underTitle(tr("Past builds"), m_pastBuilds));
        m_left->setCurrentWidget(m_both);
        for (const int part : {0, 1})
            m_both->widget(part)->show();
        m_both->setSizes({400, 400});
    } else {
        m_lists->addTab(m_queue, queueTitle());
        m_lists->addTab(m_pastBuilds, tr("Past builds"));
        m_lists->setCurrentIndex(m_front);
        m_left->setCurrentWidget(m_lists);
    }
    if (within && focus)
        focus->setFocus(Qt::OtherFocusReason);
}

void BuildsView::showList(QWidget *list)
{
    m_listed = true;
    m_front = list == m_queue ? 0 : 1;
    if (m_left->currentWidget() == m_lists)
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
