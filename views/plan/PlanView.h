// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/ChangeSet.h"

#include <QWidget>

class QLineEdit;
class QPushButton;
class QStackedWidget;

namespace tmx {

class ChangeView;
class EmptyPage;
class Label;

/// What a branch needs to match its branch settings, with a check box and a reason for each file. Shows and emits
/// signals; changes nothing itself. Enter on a step opens what would change.
class PlanView : public QWidget
{
    Q_OBJECT
public:
    explicit PlanView(QWidget *parent = nullptr);

    void setPlanning(); ///< a plan is being computed; the shown one stays
    void setPlan(const ChangeSet &plan);
    void setProblem(const QString &sentence); ///< why there is no plan
    void setBusy(bool busy);                  ///< the plan is being applied
    [[nodiscard]] ChangeView *changes() const { return m_changes; }
    [[nodiscard]] ChangeSet plan() const; ///< the plan with the user's choices

Q_SIGNALS:
    void stepSelected(const QString &name); ///< the variant (or package) of the current file
    void settingsRequested();
    void migrateRequested();
    void applyRequested();

private:
    [[nodiscard]] QWidget *makeFooter();
    void showChoice();

    ChangeView *m_changes;
    QStackedWidget *m_body;
    EmptyPage *m_done; ///< instead of the list, while nothing is to do
    QWidget *m_footer = nullptr;
    bool m_showsKept = false; ///< the user asked for the list all the same
    Label *m_intro;
    QLineEdit *m_filter;
    Label *m_summary;
    QPushButton *m_all;
    QPushButton *m_none;
    QPushButton *m_apply;
    bool m_planned = false;
    bool m_busy = false;
};

} // namespace tmx
