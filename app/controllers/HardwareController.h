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

/// Manages the machine that is shown: probes it or reads its saved report, sets the panel's report and the picks for
/// the shown branch, and sets the grid's verdicts. Reading and computing run in workers; outdated results are
/// discarded.
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

    void start();               ///< shows the machine and workload of the last session
    void detect() { show({}); } ///< shows this machine
    /// Saved machines were renamed or removed (new name: empty).
    void machinesChanged(const QHash<QString, QString> &newNames);
    [[nodiscard]] bool isDetecting() const { return m_asking || m_picking; }

Q_SIGNALS:
    void pickChosen(const QString &branch, const QString &name); ///< a variant of any branch
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
    void readTyped(const QString &text);
    void readRecipes();
    [[nodiscard]] QString machineName() const;

    Workspace *m_workspace;
    MatrixModel *m_matrix;
    HardwarePanel *m_panel;
    GridPanel *m_grid;
    HardwareProbe *m_probe;
    RemoteProbe *m_remote;
    BuilderProbe *m_builders;
    MachineRef m_asked; ///< the machine whose report is pending
    MachineRef m_shown;
    std::optional<HostReport> m_report;
    QString m_toldLater; ///< why the last session's machine is not shown
    Workload m_workload = Workload::General;
    QList<Variant> m_judged; ///< variants of the last requested verdicts
    std::shared_ptr<std::atomic_bool> m_stopReading = std::make_shared<std::atomic_bool>(false);
    QStringList m_recipesOf; ///< repository, commits and architectures for which m_recipes was last requested
    std::shared_ptr<const BranchRecipes> m_recipes; ///< recipes of all branches; null until they are read
    quint64 m_asking = 0;                           ///< number of the pending request; 0: none
    quint64 m_picking = 0;
    quint64 m_judging = 0;
    quint64 m_typed = 0;
    quint64 m_questions = 0;
};

} // namespace tmx
