// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/hardware/PickCard.h"

#include "model/catalog/ShortNames.h"
#include "views/hardware/Chip.h"
#include "views/theme/Colors.h"
#include "views/widgets/CopyButton.h"
#include "views/widgets/FlowLayout.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QBoxLayout>
#include <QPainter>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

} // namespace

QString fitWord(const Pick &pick)
{
    switch (pick.fit) {
    case Fit::Exact: return PickCard::tr("Exact");
    case Fit::RunsUntuned:
        return pick.variant.cuda.isEmpty() ? PickCard::tr("Runs, CPU only") : PickCard::tr("Runs, not tuned");
    case Fit::DoesNotRun: return PickCard::tr("Does not run");
    }
    return {};
}

PickCard::PickCard(QWidget *parent)
    : QFrame(parent)
    , m_better(new QWidget)
    , m_title(new Label({}, Label::Wrapped | Label::Quiet))
    , m_fit(new Chip({}))
    , m_name(new Label({}, Label::Narrow | Label::Selectable, tr("What fits")))
    , m_why(new Label({}, Label::Narrow | Label::Selectable, tr("Why")))
    , m_more(new Label({}, Label::Narrow | Label::Selectable | Label::Quiet, tr("More reasons")))
    , m_copy(new CopyButton(tr("Copy name"), tr("Copy the package's name")))
    , m_show(new QPushButton(tr("Show in grid")))
    , m_generate(new QPushButton(tr("Generate")))
    , m_build(new QPushButton(tr("Build")))
    , m_command(new CopyButton(tr("Copy command"), tr("Copy the command that builds it")))
{
    m_better->setLayout(new QVBoxLayout);
    m_better->layout()->setContentsMargins({});
    m_show->setAccessibleName(tr("Show the variant that fits in the grid"));
    m_generate->setAccessibleName(tr("Generate the recipe of the variant that fits"));

    m_build->setAccessibleName(tr("Build the variant that fits"));
    explain(m_show, tr("Selects its cell."));
    explain(m_generate, tr("Write the recipe from the template."));
    explain(m_build, tr("Add the recipe to the index and run flox build."));

    // What it is, and the way to it; then its state; then why.
    auto *head = new QHBoxLayout;
    head->addWidget(m_name, 1);
    head->addWidget(m_generate, 0, Qt::AlignTop);
    head->addWidget(m_build, 0, Qt::AlignTop);
    auto *state = new QHBoxLayout;
    state->addWidget(m_fit, 0, Qt::AlignTop);
    state->addWidget(m_title, 1);
    auto *steps = new FlowLayout(6);
    for (QPushButton *step : {m_show, static_cast<QPushButton *>(m_copy), static_cast<QPushButton *>(m_command)})
        steps->addWidget(step);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 10, 12, 12);
    layout->setSpacing(8);
    layout->addWidget(m_better);
    layout->addLayout(head);
    layout->addLayout(state);
    layout->addWidget(m_why);
    layout->addWidget(m_more);
    layout->addLayout(steps);

    connect(m_show, &QPushButton::clicked, this, [this] { Q_EMIT showRequested(m_variant); });
    connect(m_generate, &QPushButton::clicked, this, [this] { Q_EMIT generateRequested(m_variant); });
    connect(m_build, &QPushButton::clicked, this, [this] { Q_EMIT buildRequested(m_variant); });
    showNoLine();
}

void PickCard::setName(const QString &name, const QString &package)
{
    m_variant = name;
    showBetter({}, {}, {});
    m_copy->setContent(package);
    // No organisation is known to publish it, so it cannot be installed by name; show how to build it.
    m_command->setContent(name.isEmpty() ? QString() : u"flox build "_s + package);
    setPlainToolTip(m_command, tr("Copies \u201c%1\u201d.").arg(m_command->content()));
    for (QWidget *part :
         std::initializer_list<QWidget *>{m_title, m_fit, m_show, m_generate, m_build, m_command, m_copy})
        part->setVisible(!name.isEmpty());
    update();
}

/// "Best: …", "Second: …": its place, where better ones have no recipe or are on other branches.
static QString placed(qsizetype place, const QString &what)
{
    switch (place) {
    case 0: return PickCard::tr("Best: %1").arg(what);
    case 1: return PickCard::tr("Second: %1").arg(what);
    case 2: return PickCard::tr("Third: %1").arg(what);
    default: return PickCard::tr("%1. %2", "place, variant").arg(place + 1).arg(what);
    }
}

/// The first line says what fits best, and how to get it, if that is not the recipe below.
void PickCard::showBetter(const QString &branch, const Pick &pick, const QList<BetterPick> &better)
{
    const double scale = better.isEmpty() ? 1.35 : 1;
    QFont font = m_why->font();
    font.setPointSizeF(font.pointSizeF() * scale);
    font.setBold(true);
    m_name->setFont(font);
    m_better->setVisible(!better.isEmpty());
    while (QLayoutItem *item = m_better->layout()->takeAt(0)) {
        item->widget()->deleteLater();
        item->widget()->hide();
        delete item;
    }
    QStringList all{pick.variant.name()};
    for (const BetterPick &one : better)
        all.append(one.pick.variant.name());
    const ShortNames names(all);
    for (const BetterPick &one : better) {
        const QString name = one.pick.variant.name(), cell = names.of(name);
        const bool isHere = one.pick.branch == branch, isBroken = one.pick.recipe == Candidate::Recipe::Broken;
        const QString what = !isHere    ? tr("%1 on branch %2", "variant").arg(cell, one.pick.branch)
                             : isBroken ? tr("%1, whose recipe is broken").arg(cell)
                                        : tr("%1, no recipe yet", "variant").arg(cell);
        const qsizetype place = &one - &better.constFirst();
        auto *row = new QWidget;
        auto *line = new QHBoxLayout(row);
        line->setContentsMargins({});
        auto *text = new Label(placed(place, what),
                               place == 0 ? Label::Narrow | Label::Bold : Label::Styles(Label::Narrow), one.sentence);
        setPlainToolTip(text, one.sentence);
        auto *button = new QPushButton(!isHere ? tr("Open branch") : isBroken ? tr("Show") : tr("Generate"));
        button->setAccessibleName(!isHere    ? tr("Open branch %1 at %2").arg(one.pick.branch, name)
                                  : isBroken ? tr("Show %1 in the grid").arg(name)
                                             : tr("Generate the recipe of %1").arg(name));
        setPlainToolTip(button, button->accessibleName());
        connect(button, &QPushButton::clicked, this, [this, isHere, isBroken, branch = one.pick.branch, name] {
            if (!isHere)
                Q_EMIT branchRequested(branch, name);
            else if (isBroken)
                Q_EMIT showRequested(name);
            else
                Q_EMIT generateRequested(name);
        });
        auto *words = new QVBoxLayout;
        words->setSpacing(2);
        words->addWidget(text);
        if (!one.pick.driver.sentence.isEmpty() && one.pick.driver != pick.driver) // of another toolkit
            words->addWidget(new Label(one.pick.driver.sentence, Label::Narrow | Label::Quiet));
        line->addLayout(words, 1);
        line->addWidget(button, 0, Qt::AlignTop);
        m_better->layout()->addWidget(row);
    }
}

void PickCard::showPick(const QString &branch, const Pick &pick, const QList<BetterPick> &better)
{
    const bool hasRecipe = pick.recipe != Candidate::Recipe::None;
    const QString place =
        !better.isEmpty() ? tr("Best that has a recipe on %1").arg(branch) : tr("Fits best on %1").arg(branch);
    const QString state = hasRecipe ? pick.state : tr("no recipe yet");
    m_title->setText(state.isEmpty() ? place : tr("%1, %2", "how it fits, its state").arg(place, state));
    m_fit->setText(fitWord(pick));
    m_fit->setKind(pick.fit == Fit::Exact ? Chip::Kind::Strong : Chip::Kind::Plain);
    setName(pick.variant.name(), pick.name());
    showBetter(branch, pick, better);
    m_name->setText(better.isEmpty() ? m_variant : placed(better.size(), m_variant));
    m_why->setText(pick.reasons.value(0));
    m_more->setText(pick.reasons.mid(1).join("\n"_L1));
    m_more->setVisible(pick.reasons.size() > 1);
    // The next step alone: what is better has its own buttons above.
    m_generate->setVisible(!hasRecipe);
    m_build->setVisible(hasRecipe);
    m_command->setVisible(hasRecipe);
}

void PickCard::showNothing(const QString &branch, const QString &why)
{
    showSentence(tr("No variant of %1 fits").arg(branch), why);
}

void PickCard::showNoLine()
{
    showSentence(tr("Which variant fits?"),
                 tr("Open a repository to see which variant of its branch fits this machine."));
}

void PickCard::showSentence(const QString &headline, const QString &sentence)
{
    setName({});
    m_name->setText(headline);
    m_why->setText(sentence);
    m_more->hide();
}

void PickCard::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor window = palette().color(QPalette::Window);
    const QColor over = palette().color(m_variant.isEmpty() ? QPalette::WindowText : QPalette::Highlight);
    painter.setPen(QPen(mix(window, over, m_variant.isEmpty() ? 0.30 : 0.55), 1));
    painter.setBrush(mix(window, over, m_variant.isEmpty() ? 0.04 : 0.09));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 7, 7);
}

} // namespace tmx
