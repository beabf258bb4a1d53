// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/HardwareController.h"

#include "model/hardware/DriverVerdict.h"
#include "model/hardware/HardwareProbe.h"
#include "model/hardware/VariantPicker.h"
#include "model/workspace/Workspace.h"
#include "views/HardwarePanel.h"

namespace tmx {

HardwareController::HardwareController(Workspace *workspace, HardwarePanel *panel, QObject *parent)
    : QObject(parent), m_workspace(workspace), m_panel(panel), m_probe(new HardwareProbe(this))
{
    connect(m_probe, &HardwareProbe::finished, this, [this](const HostReport &report) {
        m_detecting = false;
        m_report = report;
        m_panel->setReport(report);
        showPicks();
        Q_EMIT detected();
    });
    connect(panel, &HardwarePanel::detectRequested, this, &HardwareController::detect);
    connect(workspace, &Workspace::snapshotChanged, this, &HardwareController::showPicks);
}

HardwareController::~HardwareController() = default;

void HardwareController::detect()
{
    m_detecting = true;
    m_panel->setDetecting();
    m_probe->start();
}

void HardwareController::showPicks()
{
    if (!m_report || !m_workspace->isOpen())
        return;
    const BranchSnapshot &snapshot = *m_workspace->snapshot();
    QString whyNothing;
    const QList<Pick> picks = pickVariants(*m_workspace->catalog(), snapshot.line, *m_report, Workload::General, &whyNothing);
    QStringList present;
    for (const Pick &pick : picks) {
        const VariantEntry *entry = snapshot.find(pick.variant.name());
        if (entry && entry->present)
            present.append(pick.variant.name());
    }
    m_panel->setPicks(snapshot.branch, picks, present, whyNothing, judgeDriver(*m_workspace->catalog(), *m_report, snapshot.line));
}

} // namespace tmx
