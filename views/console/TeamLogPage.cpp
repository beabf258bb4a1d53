// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/console/TeamLogPage.h"

#include "model/base/TextForm.h"
#include "model/job/TeamLog.h"
#include "views/widgets/CodeFont.h"
#include "views/widgets/CopyButton.h"
#include "views/widgets/FlowLayout.h"
#include "views/widgets/Label.h"
#include "views/widgets/ScrollPage.h"
#include "views/widgets/Tips.h"

#include <QLineEdit>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// When it ended, how long it took, of which recipe and commit it was.
QString factsOf(const BuildRecord &build)
{
    const QString ended = QLocale().toString(build.ended.toLocalTime(), QLocale::ShortFormat);
    QStringList lines{
        build.seconds() ? TeamLogPage::tr("Ended %1, after %2").arg(ended, durationText(*build.seconds() * 1000))
                        : TeamLogPage::tr("Ended %1").arg(ended),
        TeamLogPage::tr("Branch %1, recipe %2").arg(build.branch, build.blob.left(10)),
        build.commit.isEmpty() ? QString() : TeamLogPage::tr("Commit %1").arg(build.commit.left(10)),
        build.verified.isEmpty() ? QString() : TeamLogPage::tr("Verification: %1").arg(build.verified), build.result};
    lines.removeAll(QString());
    return lines.join(u'\n');
}

} // namespace

TeamLogPage::TeamLogPage(QWidget *parent)
    : QWidget(parent)
    , m_title(new Label({}, Label::Title | Label::Narrow | Label::Selectable, tr("Build of the team")))
    , m_error(new Label({}, Label::Narrow | Label::Selectable, tr("First error line")))
    , m_facts(new Label({}, Label::Narrow | Label::Selectable, tr("The build")))
    , m_where(new Label({}, Label::Narrow | Label::Quiet | Label::Selectable, tr("Where its log is")))
    , m_host(new QLineEdit)
    , m_open(new QPushButton(tr("Open &log")))
    , m_copy(new CopyButton(tr("Copy path"), tr("Copy the path of the log, as scp takes it")))
    , m_progress(new QProgressBar)
    , m_stop(new QPushButton(tr("&Stop")))
    , m_problem(new Banner(tr("Why the log could not be fetched"), Banner::Problem))
{
    useCodeFont(m_error);
    m_hostLabel = new Label(tr("&Host:"), m_host);
    describe(m_host, tr("Host that has the log"),
             tr("The machine as ssh accepts it: a host, user@host, or a name from your ssh configuration"));
    m_host->setPlaceholderText(tr("host or user@host"));
    m_host->setMinimumWidth(120);
    m_hostLabel->setFixedHeight(m_host->sizeHint().height()); // on one line with it
    describe(m_open, tr("Open the log"), tr("Fetch the log over ssh and show it at its first error"));
    describe(m_stop, tr("Stop fetching the log"), {});
    m_progress->setAccessibleName(tr("Fetching the log"));
    m_progress->setMinimumWidth(120);
    auto *tools = new FlowLayout(6);
    for (QWidget *tool : std::initializer_list<QWidget *>{m_hostLabel, m_host, m_open, m_copy, m_progress, m_stop})
        tools->addWidget(tool);
    auto *content = new QWidget;
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(16, 12, 16, 12);
    column->setSpacing(8);
    column->addWidget(m_title);
    column->addWidget(m_error);
    column->addWidget(m_facts);
    column->addWidget(m_where);
    column->addLayout(tools);
    column->addWidget(m_problem);
    column->addStretch();
    auto *scroll = new ScrollPage;
    scroll->setFocusPolicy(Qt::NoFocus); // Its children take the focus and are scrolled into view.
    scroll->setWidget(content);
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins({});
    all->addWidget(scroll);
    setFocusProxy(m_open);
    const auto fetch = [this] {
        if (m_open->isEnabled())
            Q_EMIT fetchRequested(m_host->text().trimmed());
    };
    connect(m_open, &QPushButton::clicked, this, fetch);
    connect(m_host, &QLineEdit::returnPressed, this, fetch);
    connect(m_host, &QLineEdit::textChanged, this,
            [this](const QString &host) { m_open->setEnabled(!host.trimmed().isEmpty()); });
    connect(m_stop, &QPushButton::clicked, this, &TeamLogPage::stopRequested);
    setFetching(false);
}

void TeamLogPage::setBuild(const BuildRecord &build, const QString &host)
{
    m_title->setUnbroken(tr("%1: %2", "build, how it ended").arg(build.variant, plainWordOf(build.outcome)));
    m_error->setUnbroken(build.error);
    m_error->setVisible(!build.error.isEmpty());
    m_facts->setText(factsOf(build));
    const QString path = teamLogPath(build);
    m_where->setText(path.isEmpty() ? tr("Its log is on %1.").arg(build.machine)
                                    : tr("Its log is on %1: %2", "machine, path").arg(build.machine, path));
    m_copy->setContent(path.isEmpty() ? QString() : host.isEmpty() ? path : host + u':' + path);
    m_copy->setVisible(!path.isEmpty());
    m_host->setText(host);
    m_open->setEnabled(!host.isEmpty());
    setProblem({});
}

void TeamLogPage::setFetching(bool fetching)
{
    // The focus goes with the button that leaves.
    const bool focused = m_open->hasFocus() || m_host->hasFocus() || m_stop->hasFocus();
    for (QWidget *tool : std::initializer_list<QWidget *>{m_hostLabel, m_host, m_open})
        tool->setVisible(!fetching);
    m_progress->setVisible(fetching);
    m_stop->setVisible(fetching);
    if (focused)
        (fetching ? m_stop : m_open)->setFocus();
    m_progress->setRange(0, 0);
    m_progress->setFormat({});
}

void TeamLogPage::setProgress(int came, int all)
{
    m_progress->setRange(0, all);
    m_progress->setValue(came);
    m_progress->setFormat(QLocale().formattedDataSize(qint64(came) << 10, 1));
}

void TeamLogPage::setProblem(const QString &sentence)
{
    m_problem->setSentence(sentence);
}

} // namespace tmx
