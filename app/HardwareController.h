// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/HostReport.h"

#include <QObject>

#include <memory>
#include <optional>

namespace tmx {

class Catalog;
class HardwarePanel;
class HardwareProbe;
class Workspace;

/// Carries what the probe finds to the panel, and the picks for whatever branch is shown.
class HardwareController : public QObject
{
    Q_OBJECT
public:
    HardwareController(Workspace *workspace, HardwarePanel *panel, QObject *parent = nullptr);
    ~HardwareController() override;

    void detect();
    [[nodiscard]] bool isDetecting() const { return m_detecting; }

Q_SIGNALS:
    void detected();

private:
    void showPicks();

    Workspace *m_workspace;
    HardwarePanel *m_panel;
    HardwareProbe *m_probe;
    std::optional<HostReport> m_report;
    bool m_detecting = false;
};

} // namespace tmx
