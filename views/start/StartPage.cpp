// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/start/StartPage.h"

#include "views/widgets/Buttons.h"
#include "views/widgets/Label.h"
#include "views/widgets/Views.h"

#include <QDir>
#include <QFileInfo>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int pathRole = Qt::UserRole;
constexpr int widest = 620;
constexpr int lines = 2; ///< lines of a recent repository

} // namespace

StartPage::StartPage(QWidget *parent)
    : QScrollArea(parent)
    , m_problem(new Banner(tr("What went wrong"), Banner::Problem))
    , m_recentTitle(new Label(tr("Recent repositories"), Label::Bold))
    , m_recent(new QListWidget)
    , m_state(new Label({}, Label::Quiet))
    , m_busy(makeBusyBar(tr("Progress"), 4))
{
    setFrameShape(NoFrame);
    setWidgetResizable(true);
    setAccessibleName(tr("Start"));
    auto *column = new QWidget;
    column->setMaximumWidth(widest);
    auto *layout = new QVBoxLayout(column);
    layout->setContentsMargins(16, 24, 16, 16);
    layout->setSpacing(8);
    layout->addWidget(new Label(tr("Torch Matrix"), Label::Title));
    layout->addWidget(new Label(tr("Manages repositories that build PyTorch with Flox, one recipe for each GPU "
                                   "architecture and CPU instruction set."),
                                Label::Wrapped | Label::Quiet));
    layout->addWidget(m_problem);
    QPushButton *open =
        addAction(layout, tr("Open a repository\u2026"), tr("A folder with .flox/pkgs, or any folder inside it."));
    QPushButton *overview = addAction(layout, tr("Overview of repositories\u2026"),
                                      tr("The branches of all repositories: versions, findings, builds."));
    QPushButton *create = addAction(layout, tr("New repository\u2026"),
                                    tr("Git, the Flox environment, branch settings, README and the first recipes."));
    QPushButton *sample = addAction(layout, tr("Create a sample\u2026"),
                                    tr("Three branches with all their recipes, to try the program."));
    QPushButton *manual = addAction(layout, tr("Read the manual"), tr("What each view and key does."));
    layout->addWidget(m_state);
    layout->addWidget(m_busy);
    layout->addSpacing(8);
    layout->addWidget(m_recentTitle);
    layout->addWidget(m_recent, 1);
    layout->addStretch(0); // takes the room of the list where it is hidden

    auto *body = new QWidget;
    auto *row = new QHBoxLayout(body);
    row->setContentsMargins({});
    row->addStretch(1);
    row->addWidget(column, 20);
    row->addStretch(1);
    setWidget(body);

    styleView(m_recent);
    m_recent->setAccessibleName(tr("Recent repositories"));
    m_recent->setTextElideMode(Qt::ElideMiddle);
    m_recent->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_recent->setMinimumHeight(3 * lines * rowHeight(m_recent));
    setFocusProxy(open);
    setRecent({});

    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    connect(overview, &QPushButton::clicked, this, &StartPage::overviewRequested);
    connect(create, &QPushButton::clicked, this, &StartPage::newRequested);
    connect(sample, &QPushButton::clicked, this, &StartPage::sampleRequested);
    connect(manual, &QPushButton::clicked, this, &StartPage::manualRequested);
    connect(m_recent, &QListWidget::itemClicked, this, &StartPage::open);
    connect(m_recent, &QListWidget::itemActivated, this, &StartPage::open);
}

QPushButton *StartPage::addAction(QLayout *column, const QString &text, const QString &explanation)
{
    auto *button = new QPushButton(text);
    button->setAutoDefault(true); // Return presses it
    button->setAccessibleDescription(explanation);
    button->setMinimumWidth(180);
    auto *row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(button);
    row->addWidget(new Label(explanation, Label::Wrapped | Label::Quiet), 1);
    static_cast<QVBoxLayout *>(column)->addLayout(row);
    m_actions.append(button);
    return button;
}

void StartPage::open(QListWidgetItem *item)
{
    Q_EMIT recentRequested(item->data(pathRole).toString());
}

void StartPage::setRecent(const QStringList &workTrees)
{
    m_recent->clear();
    for (const QString &path : workTrees) {
        auto *item = new QListWidgetItem(m_recent);
        item->setData(pathRole, path);
        item->setSizeHint({0, lines * rowHeight(m_recent)});
        setNews(path, {});
    }
    m_recentTitle->setVisible(!workTrees.isEmpty());
    m_recent->setVisible(!workTrees.isEmpty());
}

void StartPage::setNews(const QString &workTree, const QString &news)
{
    for (int i = 0; i < m_recent->count(); ++i) {
        QListWidgetItem *item = m_recent->item(i);
        if (item->data(pathRole).toString() != workTree)
            continue;
        const QString path = QDir::toNativeSeparators(workTree);
        item->setText(u"%1  (%2)\n%3"_s.arg(QFileInfo(workTree).fileName(), path, news));
        item->setData(Qt::ToolTipRole, QString(path + u'\n' + news));
    }
}

void StartPage::setBusy(const QString &what)
{
    m_state->setText(what.isEmpty() ? QString() : tr("%1\u2026").arg(what));
    m_busy->setRange(0, 0);
    m_busy->setVisible(!what.isEmpty());
    for (QPushButton *button : std::as_const(m_actions))
        button->setEnabled(what.isEmpty());
    m_recent->setEnabled(what.isEmpty());
}

void StartPage::setProblem(const QString &sentence)
{
    m_problem->setSentence(sentence);
}

} // namespace tmx
