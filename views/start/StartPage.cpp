// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/start/StartPage.h"

#include "views/widgets/Buttons.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QApplication>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace tmx {

namespace {

constexpr int widest = 620; ///< of lines that are read
constexpr int iconSize = 48;

} // namespace

StartPage::StartPage(QWidget *parent)
    : ScrollPage(parent)
{
    setAccessibleName(tr("Start"));
}

void StartPage::showEvent(QShowEvent *event)
{
    fill();
    ScrollPage::showEvent(event);
}

void StartPage::fill()
{
    if (m_column)
        return;
    m_column = new QWidget;
    m_problem = new Banner(tr("What went wrong"), Banner::Problem);
    m_choices = new QVBoxLayout;
    m_state = new Label({}, Label::Quiet);
    m_busy = makeBusyBar(tr("Progress"), 4);
    auto *layout = new QVBoxLayout(m_column);
    layout->setContentsMargins(16, 16, 16, 8);
    layout->setSpacing(8);
    auto *icon = new Label;
    icon->setPixmap(QApplication::windowIcon().pixmap(iconSize));
    auto *words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(new Label(tr("Torch Matrix"), Label::Title));
    words->addWidget(new Label(tr("Manages repositories that build PyTorch with Flox, one recipe for each GPU "
                                  "architecture and CPU instruction set."),
                               Label::Wrapped | Label::Quiet));
    auto *head = new QHBoxLayout;
    head->setSpacing(12);
    head->addWidget(icon);
    head->addLayout(words, 1);
    layout->addLayout(head);
    layout->addWidget(m_problem);
    layout->addLayout(m_choices);
    QPushButton *open =
        addAction(tr("Open a repository\u2026"), tr("A folder with .flox/pkgs, or any folder inside it."));
    QPushButton *create = addAction(tr("New repository\u2026"),
                                    tr("Git, the Flox environment, branch settings, README and the first recipes."));
    QPushButton *sample =
        addAction(tr("Create a sample\u2026"), tr("Three branches with all their recipes, to try the program."));
    QPushButton *manual = addAction(tr("Read the manual"), tr("What each view and key does."));
    layout->addWidget(m_state);
    layout->addWidget(m_busy);
    layout->addStretch(0); // takes the room of the overview where that is hidden

    auto *body = new QWidget;
    auto *row = new QHBoxLayout(body);
    row->setContentsMargins({});
    row->addStretch(1);
    row->addWidget(m_column, 20);
    row->addStretch(1);
    setWidget(body);
    showOverview(false);
    setBusy(m_what);

    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    connect(create, &QPushButton::clicked, this, &StartPage::newRequested);
    connect(sample, &QPushButton::clicked, this, &StartPage::sampleRequested);
    connect(manual, &QPushButton::clicked, this, &StartPage::manualRequested);
}

QPushButton *StartPage::addAction(const QString &text, const QString &explanation)
{
    auto *button = new QPushButton(text);
    button->setAutoDefault(true); // Return presses it
    button->setAccessibleDescription(explanation);
    setPlainToolTip(button, explanation);
    button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    button->setMinimumWidth(180);
    auto *row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(button);
    m_explanations.append(new Label(explanation, Label::Wrapped | Label::Quiet));
    row->addWidget(m_explanations.constLast());
    m_choices->addLayout(row);
    m_actions.append(button);
    return button;
}

void StartPage::addOverview(QWidget *overview)
{
    fill();
    m_overview = overview;
    overview->layout()->setContentsMargins({}); // The page has margins.
    static_cast<QVBoxLayout *>(m_column->layout())->addWidget(overview, 1);
}

void StartPage::showOverview(bool shown)
{
    fill();
    for (QWidget *explanation : std::as_const(m_explanations))
        explanation->setHidden(shown);
    m_choices->setDirection(shown ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_choices->setAlignment(shown ? Qt::AlignLeft : Qt::Alignment());
    m_column->setMaximumWidth(shown ? QWIDGETSIZE_MAX : widest);
    auto *sides = static_cast<QBoxLayout *>(m_column->parentWidget()->layout());
    for (const int side : {0, 2})
        sides->setStretch(side, shown ? 0 : 1);
    if (m_overview)
        m_overview->setVisible(shown);
    setFocusProxy(shown ? m_overview : m_actions.constFirst());
}

void StartPage::setBusy(const QString &what)
{
    m_what = what;
    if (!m_column)
        return;
    m_state->setText(what.isEmpty() ? QString() : tr("%1\u2026").arg(what));
    m_state->setVisible(!what.isEmpty());
    m_busy->setRange(0, 0);
    m_busy->setVisible(!what.isEmpty());
    for (QPushButton *button : std::as_const(m_actions))
        button->setEnabled(what.isEmpty());
    if (m_overview)
        m_overview->setEnabled(what.isEmpty());
}

void StartPage::setProblem(const QString &sentence)
{
    fill();
    m_problem->setSentence(sentence);
}

} // namespace tmx
