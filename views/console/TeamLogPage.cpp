// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/console/TeamLogPage.h"

#include "model/base/TextForm.h"
#include "model/job/TeamLog.h"
#include "views/recipe/CodeView.h"
#include "views/widgets/CodeFont.h"
#include "views/widgets/CopyButton.h"
#include "views/widgets/FlowLayout.h"
#include "views/widgets/Label.h"
#include "views/widgets/ScrollPage.h"
#include "views/widgets/Tips.h"

#include <QFormLayout>
#include <QLineEdit>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// Names and values; what is not known has no line.
QList<std::pair<QString, QString>> factsOf(const BuildRecord &build)
{
    const auto time = [](const QDateTime &when) {
        return when.isValid() ? QLocale().toString(when.toLocalTime(), QLocale::ShortFormat) : QString();
    };
    const auto bytes = [](qint64 size) { return size > 0 ? QLocale().formattedDataSize(size, 1) : QString(); };
    QList<std::pair<QString, QString>> facts{
        {TeamLogPage::tr("State"), plainWordOf(build.outcome)},
        {TeamLogPage::tr("Machine"), build.machine},
        {TeamLogPage::tr("Started"), time(build.started)},
        {TeamLogPage::tr("Ended"), time(build.ended)},
        {TeamLogPage::tr("Took"), build.seconds() ? durationText(*build.seconds() * 1000) : QString()},
        {TeamLogPage::tr("Command"), build.package.isEmpty()    ? QString()
                                     : build.engine == "nix"_L1 ? u"nix-build"_s
                                                                : u"flox build "_s + build.package},
        {TeamLogPage::tr("Branch"), build.branch},
        {TeamLogPage::tr("Commit"), build.commit.left(10)},
        {TeamLogPage::tr("Recipe"), build.blob.left(10)},
        {TeamLogPage::tr("Result"), build.result},
        {TeamLogPage::tr("Size"), bytes(build.size)},
        {TeamLogPage::tr("Memory"), bytes(build.peakMemory)},
        {TeamLogPage::tr("Verification"), build.verified},
        {TeamLogPage::tr("Published as"), build.published}};
    facts.removeIf([](const auto &fact) { return fact.second.isEmpty(); });
    return facts;
}

} // namespace

TeamLogPage::TeamLogPage(QWidget *parent)
    : QWidget(parent)
    , m_title(new Label({}, Label::Title | Label::Narrow | Label::Selectable, tr("Build")))
    , m_error(new Label({}, Label::Narrow | Label::Selectable, tr("First error line")))
    , m_facts(new QFormLayout)
    , m_where(new Label({}, Label::Narrow | Label::Quiet | Label::Selectable, tr("Where its log is")))
    , m_host(new QLineEdit)
    , m_open(new QPushButton(tr("Fetch &log")))
    , m_copy(new CopyButton(tr("Copy path"), tr("Copy the path of the log, as scp takes it")))
    , m_progress(new QProgressBar)
    , m_stop(new QPushButton(tr("&Stop")))
    , m_problem(new Banner(tr("Why the log could not be fetched"), Banner::Problem))
    , m_recipeTitle(new Label({}, Label::Bold | Label::Narrow))
    , m_recipe(new CodeView)
{
    useCodeFont(m_error);
    m_hostLabel = new Label(tr("&Host:"), m_host);
    describe(m_host, tr("Host that has the log"),
             tr("The machine as ssh accepts it: a host, user@host, or a name from your ssh configuration"));
    m_host->setPlaceholderText(tr("host or user@host"));
    m_host->setMinimumWidth(120);
    m_hostLabel->setFixedHeight(m_host->sizeHint().height()); // on one line with it
    describe(m_open, tr("Fetch the log"), tr("Fetch the log over ssh and show it at its first error"));
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
    m_facts->setContentsMargins({});
    m_facts->setHorizontalSpacing(16);
    m_facts->setVerticalSpacing(2);
    m_facts->setLabelAlignment(Qt::AlignLeft);
    column->addLayout(m_facts);
    column->addWidget(m_where);
    column->addLayout(tools);
    column->addWidget(m_problem);
    column->addSpacing(8);
    column->addWidget(m_recipeTitle);
    column->addWidget(m_recipe, 1);
    column->addStretch();
    constexpr int fewestLines = 8;
    m_recipe->setMinimumHeight(fewestLines * m_recipe->fontMetrics().lineSpacing());
    m_recipe->setAccessibleName(tr("Recipe"));
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
    while (m_facts->rowCount() > 0)
        m_facts->removeRow(0);
    for (const auto &[name, value] : factsOf(build))
        m_facts->addRow(new Label(name, Label::Quiet), new Label(value, Label::Narrow | Label::Selectable, name));
    m_isElsewhere = build.elsewhere;
    const QString path = build.elsewhere ? teamLogPath(build) : QString();
    m_where->setText(!build.elsewhere ? tr("Its log no longer exists, because its job was removed.")
                     : path.isEmpty() ? tr("Its log is on %1.").arg(build.machine)
                                      : tr("Its log is on %1: %2", "machine, path").arg(build.machine, path));
    m_copy->setContent(path.isEmpty() ? QString() : host.isEmpty() ? path : host + u':' + path);
    m_copy->setVisible(!path.isEmpty());
    m_host->setText(host);
    m_open->setEnabled(!host.isEmpty());
    setFetching(false);
    setProblem({});
    setRecipe({}, true);
}

void TeamLogPage::setRecipe(const QByteArray &text, bool asBuilt)
{
    m_recipeTitle->setText(asBuilt ? tr("Recipe as it was built") : tr("Recipe as it is now, changed since the build"));
    m_recipeTitle->setVisible(!text.isEmpty());
    m_recipe->setCode(text);
    m_recipe->setVisible(!text.isEmpty());
}

void TeamLogPage::setFetching(bool fetching)
{
    // The focus goes with the button that leaves.
    const bool focused = m_open->hasFocus() || m_host->hasFocus() || m_stop->hasFocus();
    for (QWidget *tool : std::initializer_list<QWidget *>{m_hostLabel, m_host, m_open})
        tool->setVisible(!fetching && m_isElsewhere);
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
