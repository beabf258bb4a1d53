// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/MachineRef.h"
#include "model/hardware/VariantPicker.h"

#include <QPointer>
#include <QWidget>

class QComboBox;
class QPushButton;

namespace tmx {

class Banner;
class MachineTextDialog;
struct ReadMachine;

/// Chooses the machine to look at and its workload, asks for a host, a text or a name, and shows one sentence on
/// failure. It only emits signals; other code acts on them.
class MachineBar : public QWidget
{
    Q_OBJECT
public:
    explicit MachineBar(QWidget *parent = nullptr);

    /// Names of saved machines, and the shown machine; it is listed even if it is not saved.
    void setMachines(const QStringList &saved, const MachineRef &shown);
    [[nodiscard]] const MachineRef &shown() const { return m_shown; }
    void setWorkload(Workload workload);
    void setProblem(const QString &sentence); ///< empty: none
    void setRead(const ReadMachine &read);    ///< for the dialog that takes a text

Q_SIGNALS:
    void machineChosen(const tmx::MachineRef &machine);
    void textTyped(const QString &text); ///< in the dialog that takes a text; setRead() answers
    void textGiven(const QString &text);
    void branchPickChosen(const QString &branch, const QString &name); ///< after textGiven()
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

    QPointer<MachineTextDialog> m_dialog;
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
