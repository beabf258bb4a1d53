// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/builds/Preflight.h"

#include <QDialog>
#include <QTimer>

class QCheckBox;
class QComboBox;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace tmx {

class CheckList;
struct CheckItem;
class Label;
class SlurmForm;

/// Builds before they are queued: everything that would make them fail, and options for building. Requests a new plan
/// when something changes; decides nothing. Not modal to the event loop: use open().
class BuildDialog : public QDialog
{
    Q_OBJECT
public:
    BuildDialog(BuildRequest request, const BuildPlan &plan, QWidget *parent = nullptr);

    /// The request that setPlan() expects a plan for.
    [[nodiscard]] const BuildRequest &request() const { return m_request; }
    void setPlan(const BuildPlan &plan);
    [[nodiscard]] const BuildPlan &plan() const { return m_plan; }
    [[nodiscard]] bool isWaiting() const { return m_waiting; }

Q_SIGNALS:
    void requestChanged(); ///< requests a plan for request()

private:
    [[nodiscard]] QWidget *makeForm();
    void fillPlaces();
    void fillBuilders();
    void takeEdit();
    [[nodiscard]] Place place() const;
    [[nodiscard]] std::optional<QString> builders() const;
    void showPlan();
    [[nodiscard]] QString summary() const;
    [[nodiscard]] QList<CheckItem> checkItems() const;
    [[nodiscard]] QList<CheckItem> dependentItems() const;

    BuildRequest m_request;
    BuildPlan m_plan;
    bool m_waiting = false; ///< for the plan of m_request
    Label *m_summary;
    CheckList *m_checks;
    QComboBox *m_place;
    SlurmForm *m_slurm;
    QComboBox *m_engine;
    QComboBox *m_builders;
    QSpinBox *m_cores;
    QCheckBox *m_again;
    QCheckBox *m_ownPin;
    QCheckBox *m_dependents;
    QProgressBar *m_busy;
    QPushButton *m_build;
    QTimer m_settle; ///< waits until typing pauses, so that several edits make one request
};

} // namespace tmx
