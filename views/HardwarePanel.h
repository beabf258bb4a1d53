// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/BuilderProbe.h"
#include "model/hardware/DriverVerdict.h"
#include "model/hardware/MachinePicks.h"
#include "model/hardware/MachineRef.h"

#include <QWidget>

#include <memory>

class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;

namespace tmx {

class ElidedLabel;
class MachineBar;
class MachineFacts;
class PickCard;
class PickList;

/// Says what this machine is and which variant of the shown line fits it. Everything is handed to it: it probes nothing
/// and picks nothing. For a dock of 280 to 360 pixels; texts wrap to the width there is.
class HardwarePanel : public QWidget
{
    Q_OBJECT
public:
    explicit HardwarePanel(std::shared_ptr<const Catalog> catalog, QWidget *parent = nullptr);

    /// The chooser of machine and workload, which tells what is asked for.
    [[nodiscard]] MachineBar *machines() const { return m_machines; }

    /// The probe is running: what is shown stays until the answer comes. `what`: a sentence for the time being.
    void setDetecting(const QString &what = {});
    /// It did not work out: what is shown stays, and one sentence says why.
    void setFailed(const QString &sentence);
    /// `machine`: where the report is from; what cannot be asked again (a saved one, a text) is not offered to be.
    void setReport(const HostReport &report, const MachineRef &machine = {});
    /// Nix's remote builders, where the report is of this machine; again whenever one has answered.
    void setBuilders(const BuilderReport &builders);
    /// What picksFor() answered for `branch`, and judgeDriver() for its toolkits.
    void setPicks(const QString &branch, const MachinePicks &picks, const DriverVerdict &driver = {});
    /// GPU architectures that no branch has a recipe for, as people call them.
    void setUncovered(const QStringList &titles);
    void clearPicks(); ///< no repository is open

Q_SIGNALS:
    void showRequested(const QString &name);
    void generateRequested(const QString &name);
    void buildRequested(const QString &name);
    void detectRequested();

private:
    void showAlternatives();
    void showUnlikeGpus(const MachinePicks &picks);
    void setDetectingState(bool detecting);
    [[nodiscard]] QWidget *makeEmptyPage();
    [[nodiscard]] QWidget *makeHeader();
    [[nodiscard]] QWidget *makePage();

    std::shared_ptr<const Catalog> m_catalog;
    QList<Pick> m_alternatives;
    QList<Pick> m_doNotRun;

    QStackedWidget *m_stack = nullptr;
    QLabel *m_empty = nullptr;
    QPushButton *m_firstDetect = nullptr;
    ElidedLabel *m_host = nullptr;
    QPushButton *m_detect = nullptr;
    QProgressBar *m_busy = nullptr;
    PickCard *m_card = nullptr;
    QLabel *m_alternativesTitle = nullptr;
    PickList *m_list = nullptr;
    QPushButton *m_all = nullptr;
    PickList *m_others = nullptr; ///< that do not run
    QPushButton *m_showOthers = nullptr;
    MachineFacts *m_facts = nullptr;
    MachineBar *m_machines = nullptr;
    QLabel *m_unlikeTitle = nullptr;
    PickList *m_unlike = nullptr;
    QLabel *m_uncoveredTitle = nullptr;
    QLabel *m_uncovered = nullptr;
};

} // namespace tmx
