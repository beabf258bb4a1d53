// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/Preflight.h"

#include <QDialog>
#include <QTimer>

class QCheckBox;
class QComboBox;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace tmx {

class CheckList;
class Label;
class SlurmForm;

/// Builds before they are queued: all that would make them fail, and how they are to be made. Asks for another plan
/// when something is changed; decides nothing. Not modal to the event loop: open() it.
class BuildDialog : public QDialog
{
    Q_OBJECT
public:
    BuildDialog(BuildRequest request, const BuildPlan &plan, QWidget *parent = nullptr);

    /// What setPlan() has to be given now.
    [[nodiscard]] const BuildRequest &request() const { return m_request; }
    void setPlan(const BuildPlan &plan);
    [[nodiscard]] const BuildPlan &plan() const { return m_plan; }

Q_SIGNALS:
    void requestChanged(); ///< a plan of request() is wanted

private:
    void takeEdit();
    [[nodiscard]] Place place() const;
    [[nodiscard]] std::optional<QString> builders() const;
    void showPlan();

    BuildRequest m_request;
    BuildPlan m_plan;
    bool m_waiting = false; ///< for the plan of the request
    Label *m_summary;
    CheckList *m_checks;
    QComboBox *m_place;
    SlurmForm *m_slurm;
    QComboBox *m_engine;
    QComboBox *m_builders;
    QSpinBox *m_cores;
    QCheckBox *m_again;
    QProgressBar *m_busy;
    QPushButton *m_build;
    QTimer m_settle; ///< typing is several edits; they are one question
};

} // namespace tmx
