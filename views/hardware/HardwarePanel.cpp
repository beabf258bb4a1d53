// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/hardware/HardwarePanel.h"

#include "views/hardware/MachineBar.h"
#include "views/hardware/MachineFacts.h"
#include "views/hardware/PickCard.h"
#include "views/hardware/PickList.h"
#include "views/widgets/Buttons.h"
#include "views/widgets/Label.h"
#include "views/widgets/ScrollPage.h"
#include "views/widgets/Tips.h"

#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

// More entries would hide the facts below on a laptop's screen; one click shows the rest.
constexpr int shortList = 4;

} // namespace

HardwarePanel::HardwarePanel(std::shared_ptr<const Catalog> catalog, QWidget *parent)
    : QWidget(parent)
    , m_catalog(std::move(catalog))
    , m_stack(new QStackedWidget)
{
    m_machines = new MachineBar;
    m_busy = makeBusyBar(tr("Detecting"), 4);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(m_busy);
    layout->addWidget(m_machines);
    layout->addWidget(m_stack, 1);
    m_stack->addWidget(makeEmptyPage());
    m_stack->addWidget(makePage());
    setMinimumWidth(240);
    setDetectingState(false);
    clearPicks();
}

QWidget *HardwarePanel::makeEmptyPage()
{
    m_empty = new Label({}, Label::Placeholder);
    m_empty->setMargin(0);
    m_firstDetect = new QPushButton(tr("Detect"));
    m_firstDetect->setAccessibleName(tr("Detect this machine's hardware"));
    connect(m_firstDetect, &QPushButton::clicked, this, &HardwarePanel::detectRequested);
    auto *page = new QWidget;
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(24, 24, 24, 24);
    layout->addStretch();
    layout->addWidget(m_empty);
    layout->addSpacing(8);
    layout->addWidget(m_firstDetect, 0, Qt::AlignHCenter);
    layout->addStretch();
    return page;
}

QWidget *HardwarePanel::makeHeader()
{
    m_host = new ElidedLabel(Label::Title, tr("Host"));
    m_detect = new QPushButton(tr("Detect again"));
    describe(m_detect, tr("Detect this machine's hardware again"), tr("Detect this machine again."));
    connect(m_detect, &QPushButton::clicked, this, &HardwarePanel::detectRequested);
    auto *header = new QWidget;
    auto *layout = new QHBoxLayout(header);
    layout->setContentsMargins({});
    layout->addWidget(m_host, 1);
    layout->addWidget(m_detect);
    return header;
}

QWidget *HardwarePanel::makePage()
{
    m_card = new PickCard;
    connect(m_card, &PickCard::showRequested, this, &HardwarePanel::showRequested);
    connect(m_card, &PickCard::generateRequested, this, &HardwarePanel::generateRequested);
    connect(m_card, &PickCard::buildRequested, this, &HardwarePanel::buildRequested);
    connect(m_card, &PickCard::branchRequested, this, &HardwarePanel::branchRequested);
    m_unlikeTitle = new Label(tr("For each of its GPUs"), Label::Bold);
    m_unlike = new PickList;
    m_unlike->setAccessibleName(m_unlikeTitle->text());
    connect(m_unlike, &PickList::showRequested, this, &HardwarePanel::showRequested);
    m_uncoveredTitle = new Label(tr("No recipe on any branch"), Label::Bold);
    m_uncovered = new Label({}, Label::Narrow | Label::Quiet, m_uncoveredTitle->text());
    m_alternativesTitle = new Label({}, Label::Bold);
    m_list = new PickList;
    connect(m_list, &PickList::showRequested, this, &HardwarePanel::showRequested);
    m_all = new QPushButton;
    m_all->setFlat(true);
    m_all->setCheckable(true);
    connect(m_all, &QPushButton::toggled, this, &HardwarePanel::showAlternatives);
    m_others = new PickList;
    m_others->setAccessibleName(tr("Variants that do not run here"));
    connect(m_others, &PickList::showRequested, this, &HardwarePanel::showRequested);
    m_showOthers = new QPushButton;
    m_showOthers->setFlat(true);
    m_showOthers->setCheckable(true);
    connect(m_showOthers, &QPushButton::toggled, this, &HardwarePanel::showAlternatives);
    m_facts = new MachineFacts(m_catalog);

    auto *content = new QWidget;
    auto *scroll = new ScrollPage;
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus); // Its children take the focus and are scrolled into view.
    scroll->setWidget(content);          // while it is empty: its size is asked for
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(10, 8, 10, 14);
    layout->setSpacing(8);
    layout->addWidget(makeHeader());
    layout->addWidget(m_card);
    layout->addWidget(m_unlikeTitle);
    layout->addWidget(m_unlike);
    layout->addWidget(m_alternativesTitle);
    layout->addWidget(m_list);
    layout->addWidget(m_all, 0, Qt::AlignLeft);
    layout->addWidget(m_others);
    layout->addWidget(m_showOthers, 0, Qt::AlignLeft);
    layout->addSpacing(4);
    layout->addWidget(m_facts);
    layout->addSpacing(4);
    layout->addWidget(m_uncoveredTitle);
    layout->addWidget(m_uncovered);
    layout->addStretch();
    return scroll;
}

void HardwarePanel::setDetecting(const QString &what)
{
    setDetectingState(true);
    m_machines->setProblem({});
    if (!what.isEmpty())
        m_empty->setText(what);
    explain(m_busy, what);
}

void HardwarePanel::setFailed(const QString &sentence)
{
    setDetectingState(false);
    m_machines->setProblem(sentence);
}

void HardwarePanel::setDetectingState(bool detecting)
{
    m_busy->setVisible(detecting);
    m_detect->setEnabled(!detecting);
    m_firstDetect->setVisible(!detecting);
    m_empty->setText(detecting ? tr("Detecting this machine…")
                               : tr("Detect this machine to see which variant fits it."));
}

void HardwarePanel::setReport(const HostReport &report, const MachineRef &machine)
{
    setDetectingState(false);
    m_machines->setProblem({});
    m_detect->setVisible(machine.kind == MachineRef::Kind::This || machine.kind == MachineRef::Kind::Ssh);
    m_host->setFullText(report.name.isEmpty() ? tr("This machine") : report.name);
    m_facts->setReport(report);
    m_stack->setCurrentIndex(1);
}

void HardwarePanel::setBuilders(const BuilderReport &builders)
{
    m_facts->setBuilders(builders);
}

void HardwarePanel::setPicks(const QString &branch, const MachinePicks &picks, const DriverVerdict &driver)
{
    m_facts->setDriverVerdict(driver);
    m_alternatives = picks.picks;
    m_doNotRun = picks.doNotRun;
    if (picks.whyNothing.isEmpty() && !picks.picks.isEmpty()) {
        Pick best = m_alternatives.takeFirst();
        m_toolkit = best.variant.cuda;
        best.reasons.removeAll(driver.sentence); // It is shown next to the driver.
        best.reasons.removeIf([&best](const QString &reason) { return best.stated.contains(reason); });
        for (const BetterPick &better : picks.better) { // It is the card's first line, and not one of the others.
            best.reasons.removeAll(better.sentence);
            if (better.pick.branch == best.branch)
                m_alternatives.removeIf([&better](const Pick &one) { return one.variant == better.pick.variant; });
        }
        m_card->showPick(branch, best, picks.better);
        m_alternativesTitle->setText(tr("Others that run here, best first"));
    } else {
        m_card->showNothing(branch, picks.whyNothing);
        m_alternativesTitle->setText(tr("Without the GPU"));
    }
    showAlternatives();
    showUnlikeGpus(picks);
}

void HardwarePanel::showUnlikeGpus(const MachinePicks &picks)
{
    QList<PickList::Entry> entries;
    if (!picks.perGpu.isEmpty()) {
        entries.append(
            picks.forAll
                ? PickList::Entry{picks.forAll->variant.name(), tr("all of them"), picks.forAll->reasons.join(u' ')}
                : PickList::Entry{
                      {}, tr("one for all of them"), tr("No variant of the branch uses all of these GPUs.")});
    }
    for (const GpuPick &kind : picks.perGpu)
        entries.append({kind.pick ? kind.pick->variant.name() : QString(), kind.gpus,
                        kind.pick ? kind.pick->reasons.join(u' ') : kind.why});
    m_unlike->setEntries(entries);
    m_unlike->setVisible(!entries.isEmpty());
    m_unlikeTitle->setVisible(!entries.isEmpty());
}

void HardwarePanel::setUncovered(const QStringList &titles)
{
    QStringList lines;
    for (const QString &title : titles)
        lines.append(tr("%1: none", "GPU architecture and capability").arg(title));
    m_uncovered->setText(lines.join(u'\n'));
    m_uncovered->setVisible(!titles.isEmpty());
    m_uncoveredTitle->setVisible(!titles.isEmpty());
}

void HardwarePanel::clearPicks()
{
    showUnlikeGpus({});
    setUncovered({});
    m_card->showNoLine();
    m_facts->setDriverVerdict({});
    m_alternatives.clear();
    m_doNotRun.clear();
    showAlternatives();
}

void HardwarePanel::showAlternatives()
{
    const bool all = m_all->isChecked();
    const bool any = !m_alternatives.isEmpty();
    const bool many = m_alternatives.size() > shortList;
    m_list->setPicks(all ? m_alternatives : m_alternatives.mid(0, shortList), m_toolkit);
    m_list->setAccessibleName(m_alternativesTitle->text());
    m_alternativesTitle->setVisible(any);
    m_list->setVisible(any);
    m_all->setVisible(many);
    m_all->setText(all ? tr("Show fewer") : tr("Show all %1").arg(m_alternatives.size()));
    const bool others = m_showOthers->isChecked();
    m_others->setPicks(others ? m_doNotRun : QList<Pick>());
    m_others->setVisible(others && !m_doNotRun.isEmpty());
    m_showOthers->setVisible(!m_doNotRun.isEmpty());
    m_showOthers->setText(others ? tr("Hide variants that do not run")
                                 : tr("Show %n variants that do not run", nullptr, int(m_doNotRun.size())));
}

} // namespace tmx
