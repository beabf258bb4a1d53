// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/console/ConsoleHeader.h"

#include "model/base/TextForm.h"
#include "model/log/DerivationTree.h"
#include "views/console/ProgressLine.h"
#include "views/console/StateBadge.h"
#include "views/widgets/Buttons.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLocale>
#include <QPushButton>
#include <QToolButton>

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace tmx {

namespace {

QString word(BuildState::Phase phase)
{
    switch (phase) {
    case BuildState::Phase::None: return ConsoleHeader::tr("Not built");
    case BuildState::Phase::Queued: return ConsoleHeader::tr("Queued");
    case BuildState::Phase::Running: return ConsoleHeader::tr("Building");
    case BuildState::Phase::Stopping: return ConsoleHeader::tr("Stopping");
    case BuildState::Phase::Built: return ConsoleHeader::tr("Built");
    case BuildState::Phase::Stale: return ConsoleHeader::tr("Stale");
    case BuildState::Phase::Failed: return ConsoleHeader::tr("Failed");
    case BuildState::Phase::Published: return ConsoleHeader::tr("Published");
    case BuildState::Phase::Elsewhere: return ConsoleHeader::tr("Built by the team");
    case BuildState::Phase::FailedElsewhere: return ConsoleHeader::tr("Failed for others");
    }
    Q_UNREACHABLE_RETURN({});
}

/// Below this width the header hides buttons that the context menu and the keyboard offer too.
constexpr int roomForAll = 780;
constexpr int roomForTools = 520;

bool isLive(BuildState::Phase phase)
{
    return phase == BuildState::Phase::Running || phase == BuildState::Phase::Stopping;
}

} // namespace

ConsoleHeader::ConsoleHeader(QWidget *parent)
    : QWidget(parent)
    , m_badge(new StateBadge)
    , m_package(new ElidedLabel(Label::Bold | Label::Selectable, tr("Package")))
    , m_elapsed(new Label({}, Label::Quiet))
    , m_steps(new Label({}, Label::Quiet, tr("Progress")))
    , m_bar(new ProgressLine)
    , m_kill(new QPushButton(tr("Kill now")))
    , m_stop(new QPushButton(tr("Stop")))
{
    describe(m_elapsed, tr("Time since the build began"), tr("Time since the build began"));
    m_bar->setAccessibleName(tr("Progress of the build"));
    m_stop->setAccessibleName(tr("Stop the build"));
    describe(m_kill, tr("Kill the build now"), tr("End all processes of the build at once"));
    connect(m_stop, &QPushButton::clicked, this, &ConsoleHeader::stopRequested);
    connect(m_kill, &QPushButton::clicked, this, &ConsoleHeader::killRequested);

    auto *row = new QHBoxLayout;
    row->setContentsMargins(8, 5, 6, 4);
    row->setSpacing(10);
    row->addWidget(m_badge);
    row->addWidget(m_package);
    row->addWidget(m_elapsed);
    row->addWidget(m_steps);
    row->addStretch(1);
    row->addWidget(m_kill); // Not at the place of Stop: a double click there must not kill.
    row->addWidget(m_stop);
    auto *tools = new QHBoxLayout;
    tools->setSpacing(2);
    row->addLayout(tools);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addLayout(row);
    layout->addWidget(m_bar);
    m_follow = makeTool(tr("Follow"), tr("Follow the end of the output"), tr("Follow new output (Ctrl+End)"));
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    m_find = makeTool(tr("Find"), tr("Find in the output"), tr("Find in the output (Ctrl+F)"));
    m_copy = makeTool(tr("Copy"), tr("Copy the selected output"), tr("Copy the selected text (Ctrl+C)"));
    m_clear = makeTool(tr("Clear"), tr("Clear the output"), tr("Clear the output; the build continues"));
    for (QToolButton *tool : {m_follow, m_find, m_copy, m_clear})
        tools->addWidget(tool);
    connect(m_follow, &QToolButton::clicked, this, &ConsoleHeader::followRequested);
    connect(m_find, &QToolButton::clicked, this, &ConsoleHeader::findRequested);
    connect(m_copy, &QToolButton::clicked, this, &ConsoleHeader::copyRequested);
    connect(m_clear, &QToolButton::clicked, this, &ConsoleHeader::clearRequested);

    m_tick.setInterval(1s);
    connect(&m_tick, &QTimer::timeout, this, &ConsoleHeader::showElapsed);
    setHasText(false);
    setHasSelection(false);
    setState({});
}

void ConsoleHeader::start(const QString &package)
{
    m_package->setFullText(package);
    m_elapsed->clear();
    m_log.clear();
    setHasText(false);
    setState({});
}

void ConsoleHeader::setState(const BuildState &state)
{
    m_state = state;
    m_badge->setState(state.phase, word(state.phase));
    const bool live = isLive(state.phase);
    if (live && !m_tick.isActive())
        m_tick.start();
    else if (!live)
        m_tick.stop();
    m_stop->setVisible(live);
    const bool stopping = state.phase == BuildState::Phase::Stopping;
    m_kill->setVisible(stopping);
    m_stop->setEnabled(state.phase == BuildState::Phase::Running);
    m_stop->setText(stopping ? tr("Stopping\u2026") : tr("Stop"));
    setPlainToolTip(m_stop, stopping ? tr("Waiting for flox and its processes to end")
                                     : tr("Stop the build and all its processes"));
    if (live)
        showElapsed();
    else
        showSteps();
}

void ConsoleHeader::setOutcome(const BuildOutcome &outcome)
{
    if (outcome.kind == BuildOutcome::Kind::Stopped)
        m_badge->setState(BuildState::Phase::Stopping, tr("Stopped"));
    m_elapsed->setText(durationText(outcome.milliseconds));
}

void ConsoleHeader::showElapsed()
{
    const QDateTime now = QDateTime::currentDateTime();
    QString text = m_state.since.isValid() ? durationText(m_state.since.msecsTo(now)) : QString();
    if (const auto silent = silentMinutes(m_log.isEmpty() ? QDateTime() : QFileInfo(m_log).lastModified(), now))
        text = tr("%1  no output for %2 min", "elapsed time, minutes").arg(text).arg(*silent);
    m_elapsed->setText(text);
    showSteps();
}

void ConsoleHeader::setLog(const QString &path)
{
    m_log = path;
}

void ConsoleHeader::showSteps()
{
    const bool live = isLive(m_state.phase);
    const bool known = m_state.total > 0;
    m_bar->setEnabled(live && known);
    m_bar->setRange(0, known ? m_state.total : 1);
    m_bar->setValue(m_state.step);
    const QLocale locale;
    const QString steps = tr("%1 of %Ln steps", nullptr, m_state.total).arg(locale.toString(m_state.step));
    const bool counts = m_state.phase == BuildState::Phase::Stopping && m_state.killsAt.isValid();
    const qint64 seconds = counts ? (QDateTime::currentDateTime().msecsTo(m_state.killsAt) + 999) / 1000 : 0;
    m_steps->setText(counts  ? seconds > 0 ? tr("killed in %1 s").arg(seconds) : tr("killing")
                      : known ? steps
                             : m_state.text);
    setPlainToolTip(m_steps, counts ? tr("Processes that have not ended by then get SIGKILL.") : m_state.text);
    m_steps->setVisible(live && !m_steps->text().isEmpty());
}

void ConsoleHeader::setFollowing(bool following)
{
    m_follow->setChecked(following);
}

void ConsoleHeader::setHasText(bool hasText)
{
    m_find->setEnabled(hasText);
    m_clear->setEnabled(hasText);
}

void ConsoleHeader::setHasSelection(bool hasSelection)
{
    m_copy->setEnabled(hasSelection);
}

void ConsoleHeader::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_copy->setVisible(width() >= roomForAll);
    m_clear->setVisible(width() >= roomForAll);
    m_follow->setVisible(width() >= roomForTools);
    m_find->setVisible(width() >= roomForTools);
}

QSize ConsoleHeader::minimumSizeHint() const
{
    const int width = m_badge->sizeHint().width() + std::min(m_elapsed->sizeHint().width(), 160) +
                      m_stop->sizeHint().width() + (m_kill->isHidden() ? 0 : m_kill->sizeHint().width()) + 80;
    return {width, QWidget::minimumSizeHint().height()};
}

} // namespace tmx
