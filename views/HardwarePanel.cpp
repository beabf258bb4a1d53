// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/HardwarePanel.h"

#include "views/hardware/MachineFacts.h"
#include "views/hardware/PickCard.h"
#include "views/hardware/PickList.h"
#include "views/recipe/Labels.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

// More than these hide the facts below them on a laptop's screen; the rest is one press away.
constexpr int shortList = 4;

} // namespace

HardwarePanel::HardwarePanel(std::shared_ptr<const Catalog> catalog, QWidget *parent)
    : QWidget(parent)
    , m_catalog(std::move(catalog))
    , m_stack(new QStackedWidget)
{
    m_busy = new QProgressBar;
    m_busy->setRange(0, 0);
    m_busy->setTextVisible(false);
    m_busy->setFixedHeight(4);
    m_busy->setAccessibleName(tr("Detecting"));
    // Its room stays when it goes: nothing below it may jump.
    QSizePolicy policy = m_busy->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    m_busy->setSizePolicy(policy);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(m_busy);
    layout->addWidget(m_stack, 1);
    m_stack->addWidget(makeEmptyPage());
    m_stack->addWidget(makePage());
    setMinimumWidth(240);
    setDetectingState(false);
    clearPicks();
}

QWidget *HardwarePanel::makeEmptyPage()
{
    m_empty = new QLabel;
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
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
    m_host = new ElidedLabel;
    m_host->setTextFormat(Qt::PlainText);
    m_host->setAccessibleName(tr("Host"));
    QFont font = m_host->font();
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * 1.15);
    m_host->setFont(font);
    m_detect = new QPushButton(tr("Detect again"));
    m_detect->setAccessibleName(tr("Detect this machine's hardware again"));
    m_detect->setToolTip(tr("Asks this machine again what it is."));
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
    m_alternativesTitle = new QLabel;
    QFont bold = m_alternativesTitle->font();
    bold.setBold(true);
    m_alternativesTitle->setFont(bold);
    m_list = new PickList;
    connect(m_list, &PickList::showRequested, this, &HardwarePanel::showRequested);
    m_all = new QPushButton;
    m_all->setFlat(true);
    m_all->setCheckable(true);
    connect(m_all, &QPushButton::toggled, this, &HardwarePanel::showAlternatives);
    m_facts = new MachineFacts(m_catalog);

    auto *content = new QWidget;
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(10, 8, 10, 14);
    layout->setSpacing(8);
    layout->addWidget(makeHeader());
    layout->addWidget(m_card);
    layout->addWidget(m_alternativesTitle);
    layout->addWidget(m_list);
    layout->addWidget(m_all, 0, Qt::AlignLeft);
    layout->addSpacing(4);
    layout->addWidget(m_facts);
    layout->addStretch();

    auto *scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus); // its parts take the focus, and are scrolled into sight
    scroll->setWidget(content);
    return scroll;
}

void HardwarePanel::setDetecting()
{
    setDetectingState(true);
}

void HardwarePanel::setDetectingState(bool detecting)
{
    m_busy->setVisible(detecting);
    m_detect->setEnabled(!detecting);
    m_firstDetect->setVisible(!detecting);
    m_empty->setText(detecting ? tr("Looking at this machine…") : tr("See what this machine is and which variant fits it."));
}

void HardwarePanel::setReport(const HostReport &report)
{
    setDetectingState(false);
    m_host->setFullText(report.name.isEmpty() ? tr("This machine") : report.name);
    m_facts->setReport(report);
    m_stack->setCurrentIndex(1);
}

void HardwarePanel::setPicks(const QString &branch, const QList<Pick> &picks, const QStringList &present, const QString &whyNothing, const DriverVerdict &driver)
{
    m_present = present;
    m_facts->setDriverVerdict(driver);
    if (whyNothing.isEmpty() && !picks.isEmpty()) {
        Pick best = picks.constFirst();
        best.reasons.removeAll(driver.sentence); // it stands by the driver
        m_card->showPick(branch, best, present.contains(best.variant.name()));
        m_alternatives = picks.mid(1);
        m_alternativesTitle->setText(tr("Others that run here"));
    } else {
        m_card->showNothing(branch, whyNothing);
        m_alternatives = picks;
        m_alternativesTitle->setText(tr("Without the GPU"));
    }
    showAlternatives();
}

void HardwarePanel::clearPicks()
{
    m_card->showNoLine();
    m_facts->setDriverVerdict({});
    m_alternatives.clear();
    m_present.clear();
    showAlternatives();
}

void HardwarePanel::showAlternatives()
{
    const bool all = m_all->isChecked();
    const bool any = !m_alternatives.isEmpty();
    const bool many = m_alternatives.size() > shortList;
    m_list->setPicks(all ? m_alternatives : m_alternatives.mid(0, shortList), m_present);
    m_list->setAccessibleName(m_alternativesTitle->text());
    m_alternativesTitle->setVisible(any);
    m_list->setVisible(any);
    m_all->setVisible(many);
    m_all->setText(all ? tr("Show fewer") : tr("Show all %1").arg(m_alternatives.size()));
}

} // namespace tmx
