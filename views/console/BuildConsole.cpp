// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/console/BuildConsole.h"

#include "model/log/LogTree.h"
#include "model/log/PackedLog.h"
#include "model/outcome/OutcomeText.h"
#include "views/console/ConsoleHeader.h"
#include "views/console/ConsoleView.h"
#include "views/console/DerivationList.h"
#include "views/console/FloxMissingPage.h"
#include "views/console/OutcomeBar.h"
#include "views/console/TeamLogPage.h"
#include "views/recipe/SearchBar.h"
#include "views/widgets/Label.h"
#include "views/widgets/Message.h"
#include "views/widgets/Views.h"

#include <QAccessible>
#include <QDesktopServices>
#include <QFileDialog>
#include <QFileInfo>
#include <QKeyEvent>
#include <QSplitter>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>
#include <QtConcurrent>

namespace tmx {

BuildConsole::BuildConsole(QWidget *parent)
    : QWidget(parent)
    , m_stack(new QStackedWidget)
    , m_missing(new FloxMissingPage)
{
    m_page = makeBuildPage();
    m_empty = new Label(tr("No build is running. Select a build to read its log, or cells in the grid and press B."),
                        Label::Placeholder);
    m_empty->setMargin(0); // the panel has one line for it
    for (QWidget *page : std::initializer_list<QWidget *>{m_empty, m_missing, m_page})
        m_stack->addWidget(page);
    showPage(m_empty);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_stack);
    setAccessibleName(tr("Build console"));
}

/// Hidden pages do not count for the panel's height.
void BuildConsole::showPage(QWidget *page)
{
    for (int i = 0; i < m_stack->count(); ++i) {
        QWidget *one = m_stack->widget(i);
        one->setSizePolicy(QSizePolicy::Preferred, one == page ? QSizePolicy::Preferred : QSizePolicy::Ignored);
    }
    m_stack->setCurrentWidget(page);
    updateGeometry();
}

QSize BuildConsole::minimumSizeHint() const
{
    const QSize usual = QWidget::minimumSizeHint();
    return isEmpty() ? QSize(usual.width(), fontMetrics().height() + 12) : usual;
}

bool BuildConsole::isEmpty() const
{
    return m_stack->currentWidget() == m_empty;
}

QWidget *BuildConsole::makeBuildPage()
{
    m_header = new ConsoleHeader;
    m_view = new ConsoleView;
    m_search = new SearchBar(m_view);
    m_search->setMaximumWidth(560);
    m_outcome = new OutcomeBar;
    m_outcome->hide();

    auto *page = new QWidget;
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(m_header);
    layout->addWidget(m_search);
    auto *body = new QSplitter;
    body->setChildrenCollapsible(false);
    m_tree = new LogTree(&m_view->log(), this);
    body->addWidget(m_view);
    body->addWidget(new DerivationList(m_tree));
    connect(m_tree, &LogTree::changed, m_view, [this] {
        m_view->setMain(m_tree->tree().main());
        m_view->setPhases(m_tree->tree().phases());
    });
    body->setStretchFactor(0, 3);
    body->setStretchFactor(1, 1);
    nameSplitter(body, QStringLiteral("console"), {900, 300});
    layout->addWidget(body, 1);
    layout->addWidget(m_outcome);

    connect(m_header, &ConsoleHeader::stopRequested, this, &BuildConsole::stopRequested);
    connect(m_header, &ConsoleHeader::killRequested, this, &BuildConsole::killRequested);
    connect(m_header, &ConsoleHeader::followRequested, m_view, &ConsoleView::setFollowing);
    connect(m_header, &ConsoleHeader::findRequested, m_search, &SearchBar::open);
    connect(m_header, &ConsoleHeader::copyRequested, m_view, &ConsoleView::copy);
    connect(m_header, &ConsoleHeader::clearRequested, m_view, &ConsoleView::clear);
    connect(m_view, &ConsoleView::cleared, this, [this] { m_header->setHasText(!m_view->log().isEmpty()); });
    connect(&m_view->log(), &LogFile::grew, this, [this] {
        m_header->setHasText(!m_view->log().isEmpty());
        showFirstError();
    });
    connect(m_view, &ConsoleView::saveRequested, this, &BuildConsole::saveLog);
    connect(m_view, &ConsoleView::folderRequested, this,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(m_view->log().path()).path())); });
    connect(m_outcome, &OutcomeBar::firstErrorRequested, m_view, &ConsoleView::showOffset);
    connect(m_outcome, &OutcomeBar::recipeRequested, this, &BuildConsole::recipeRequested);
    connect(m_outcome, &OutcomeBar::retryRequested, this, &BuildConsole::retryRequested);
    connect(m_outcome, &OutcomeBar::hashFixRequested, this, &BuildConsole::hashFixRequested);
    connect(m_view, &ConsoleView::followingChanged, m_header, &ConsoleHeader::setFollowing);
    connect(m_view, &ConsoleView::findRequested, m_search, &SearchBar::open);
    connect(m_view, &ConsoleView::selectionChanged, this,
            [this] { m_header->setHasSelection(m_view->hasSelection()); });
    return page;
}

void BuildConsole::startBuild(const QString &package)
{
    m_view->open({});
    m_firstError = -1;
    m_outcome->hide();
    m_header->start(package);
    showPage(m_page);
}

void BuildConsole::showLog(const QString &path)
{
    m_view->open(path);
    m_header->setLog(path);
}

void BuildConsole::saveLog()
{
    const QString from = m_view->log().path();
    auto *dialog = new QFileDialog(this, tr("Save the log"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->selectFile(tr("build.log"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, from](const QString &to) {
        QtConcurrent::run([from, to] {
            // The dialog has already asked whether to replace an existing file.
            return (!QFile::exists(to) || QFile::remove(to)) && copyLog(from, to);
        }).then(this, [this, to](bool saved) {
            if (!saved)
                tell(this, tr("Save the log"),
                     tr("Could not save the log as %1. Choose a folder that you may write to.").arg(to));
        });
    });
    dialog->open();
}

void BuildConsole::setState(const BuildState &state)
{
    m_header->setState(state);
}

void BuildConsole::setOutcome(const BuildOutcome &outcome, bool isOwn)
{
    if (outcome.kind == BuildOutcome::Kind::FloxMissing)
        return showFloxMissing(sentenceOf(outcome));
    m_tree->end(outcome.kind == BuildOutcome::Kind::Built     ? DerivationNode::State::Done
                : outcome.kind == BuildOutcome::Kind::Stopped ? DerivationNode::State::Stopped
                                                              : DerivationNode::State::Failed);
    m_header->setOutcome(outcome);
    m_outcome->setOutcome(outcome, isOwn);
    m_outcome->show();
    m_firstError = isFailure(outcome.kind) ? outcome.firstError : -1;
    if (isFailure(outcome.kind))
        m_view->markErrors();
    showFirstError();
    if (QAccessible::isActive()) {
        QAccessibleAnnouncementEvent event(this, sentenceOf(outcome));
        QAccessible::updateAccessibility(&event);
    }
}

/// A log that failed opens at its first error, once it is read.
void BuildConsole::showFirstError()
{
    if (m_firstError >= 0 && m_view->log().index().size() > m_firstError)
        m_view->showOffset(std::exchange(m_firstError, -1));
}

void BuildConsole::showFloxMissing(const QString &sentence)
{
    m_missing->setSentence(sentence);
    showPage(m_missing);
}

void BuildConsole::showNoLog(const QString &sentence)
{
    m_empty->setText(sentence);
    showPage(m_empty);
}

void BuildConsole::showTeamLog()
{
    showPage(teamLog());
}

TeamLogPage *BuildConsole::teamLog()
{
    if (!m_teamLog) {
        m_teamLog = new TeamLogPage;
        m_stack->addWidget(m_teamLog);
    }
    return m_teamLog;
}

bool BuildConsole::event(QEvent *event)
{
    if (m_stack->currentWidget() == m_page && SearchBar::claimsKey(event))
        return true;
    return QWidget::event(event);
}

void BuildConsole::keyPressEvent(QKeyEvent *event)
{
    if (m_stack->currentWidget() != m_page || !m_search->takesKey(event))
        QWidget::keyPressEvent(event);
}

} // namespace tmx
