// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/MachineRef.h"
#include "model/hardware/VariantPicker.h"

#include <QWidget>

class QComboBox;
class QPushButton;

namespace tmx {

class Banner;

/// Which machine is looked at, and for which workload: chooses, asks for a host, a text or a name, and says in one
/// sentence what failed. Asks only: whoever hears its signals does it.
class MachineBar : public QWidget
{
    Q_OBJECT
public:
    explicit MachineBar(QWidget *parent = nullptr);

    /// Names of saved machines, and the one that is shown; one that is not saved is listed as well.
    void setMachines(const QStringList &saved, const MachineRef &shown);
    [[nodiscard]] const MachineRef &shown() const { return m_shown; }
    void setWorkload(Workload workload);
    void setProblem(const QString &sentence); ///< empty: none

Q_SIGNALS:
    void machineChosen(const tmx::MachineRef &machine);
    void textGiven(const QString &text);
    void fileGiven(const QString &path);
    void saveRequested(const QString &name);
    void forgetRequested(const QString &name);
    void workloadChosen(tmx::Workload workload);

private:
    void chose(int index);
    void askForHost();
    void askForText();
    void askForName();
    void askToForget();
    void showShown();

    MachineRef m_shown;
    QStringList m_saved;
    QComboBox *m_machines;
    QComboBox *m_workloads;
    QPushButton *m_save;
    QPushButton *m_forget;
    Banner *m_problem;
};

/// "General", "BF16 training on the CPU", "INT8 inference", "Widest reach".
QString workloadWord(Workload workload);

} // namespace tmx
