// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Variant.h"
#include "model/hardware/HostReport.h"
#include "model/hardware/MachineRef.h"
#include "model/hardware/VariantPicker.h"

#include <QHash>
#include <QObject>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

namespace tmx {

class BuilderProbe;
class GridPanel;
class HardwarePanel;
class HardwareProbe;
class MatrixModel;
class RemoteProbe;
class Workspace;
struct BranchRecipes;

/// The machine that is looked at: asks it, or reads what is saved of it, carries it to the panel with the picks for
/// whatever branch is shown, and hands the grid its verdicts. All that reads or reckons runs in workers; an answer that
/// is no longer asked for is dropped.
class HardwareController : public QObject
{
    Q_OBJECT
public:
    struct Views {
        HardwarePanel *panel;
        GridPanel *grid;
    };
    HardwareController(Workspace *workspace, MatrixModel *matrix, const Views &views, QObject *parent = nullptr);
    ~HardwareController() override;

    void start();               ///< the machine and the workload of last time
    void detect() { show({}); } ///< this machine
    /// Saved machines were renamed or removed (new name: empty).
    void machinesChanged(const QHash<QString, QString> &newNames);
    [[nodiscard]] bool isDetecting() const { return m_asking || m_picking; }

Q_SIGNALS:
    void detected(); ///< a machine's facts and picks are shown, or the sentence that says why not

private:
    void wirePanel();
    void show(const MachineRef &machine);
    void read(const MachineRef &machine, std::function<Result<HostReport>()> reading);
    void take(const MachineRef &machine, const Result<HostReport> &report);
    void save(const QString &name);
    void forget(const QString &name);
    void listMachines();
    void showPicks();
    void judgeCells();
    void readRecipes();
    [[nodiscard]] QString machineName() const;

    Workspace *m_workspace;
    MatrixModel *m_matrix;
    HardwarePanel *m_panel;
    GridPanel *m_grid;
    HardwareProbe *m_probe;
    RemoteProbe *m_remote;
    BuilderProbe *m_builders;
    MachineRef m_asked; ///< whose answer is awaited
    MachineRef m_shown;
    std::optional<HostReport> m_report;
    QString m_toldLater; ///< why last time's machine is not shown
    Workload m_workload = Workload::General;
    QList<Variant> m_judged; ///< variants whose verdicts were asked for last
    std::shared_ptr<std::atomic_bool> m_stopReading = std::make_shared<std::atomic_bool>(false);
    QStringList m_recipesOf; ///< repository, commits and architectures that m_recipes was asked for last
    std::shared_ptr<const BranchRecipes> m_recipes; ///< of all branches; null until they are read
    quint64 m_asking = 0;                           ///< number of the question that is under way; 0: none
    quint64 m_picking = 0;
    quint64 m_judging = 0;
    quint64 m_questions = 0;
};

} // namespace tmx
