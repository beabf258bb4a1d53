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

/// Shows this machine and which variant of the shown branch fits it. The caller sets everything: the panel neither
/// probes nor picks. Made for a dock of 280 to 360 pixels; texts wrap to the available width.
class HardwarePanel : public QWidget
{
    Q_OBJECT
public:
    explicit HardwarePanel(std::shared_ptr<const Catalog> catalog, QWidget *parent = nullptr);

    /// The selector of machine and workload; its signals report requests.
    [[nodiscard]] MachineBar *machines() const { return m_machines; }

    /// A probe is running. The shown report stays until it ends. `what` is the sentence to show meanwhile.
    void setDetecting(const QString &what = {});
    /// The probe failed. The shown report stays, and `sentence` says why it failed.
    void setFailed(const QString &sentence);
    /// `machine` says where the report is from. A saved machine or a text cannot be probed again, so that is not
    /// offered.
    void setReport(const HostReport &report, const MachineRef &machine = {});
    /// Nix's remote builders; only if the report is of this machine. Called again whenever a builder has answered.
    void setBuilders(const BuilderReport &builders);
    /// The results of picksFor() for `branch` and of judgeDriver() for its toolkits.
    void setPicks(const QString &branch, const MachinePicks &picks, const DriverVerdict &driver = {});
    /// Product names of the GPU architectures that no branch has a recipe for.
    void setUncovered(const QStringList &titles);
    void clearPicks(); ///< no repository is open

Q_SIGNALS:
    void showRequested(const QString &name);
    void generateRequested(const QString &name);
    void buildRequested(const QString &name);
    void branchRequested(const QString &branch, const QString &name); ///< to open another branch at a variant
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
    QString m_toolkit; ///< CUDA of the best one
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
    PickList *m_others = nullptr; ///< variants that do not run
    QPushButton *m_showOthers = nullptr;
    MachineFacts *m_facts = nullptr;
    MachineBar *m_machines = nullptr;
    QLabel *m_unlikeTitle = nullptr;
    PickList *m_unlike = nullptr;
    QLabel *m_uncoveredTitle = nullptr;
    QLabel *m_uncovered = nullptr;
};

} // namespace tmx
