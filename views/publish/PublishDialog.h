// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/builds/PublishPlan.h"

#include <QDialog>
#include <QTimer>

class QCheckBox;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QStandardItemModel;
class QTableView;

namespace tmx {

class CheckList;
class CopyButton;
class Label;

/// Packages before, during and after publishing: everything that flox requires, and the outcome of each package. Emits
/// signals; changes nothing itself. Not modal to the event loop: use open().
class PublishDialog : public QDialog
{
    Q_OBJECT
public:
    PublishDialog(PublishWish wish, const PublishPlan &plan, QWidget *parent = nullptr);

    [[nodiscard]] const PublishWish &wish() const { return m_wish; } ///< the wish that setPlan() expects a plan for
    [[nodiscard]] const PublishPlan &plan() const { return m_plan; }
    void setPlan(const PublishPlan &plan);
    void setProblem(const QString &sentence); ///< why there is no plan

    void setPublishing(bool publishing);
    /// Outcome of a package: a word, and "ORG/NAME" if it was published.
    void setState(const QString &package, const QString &state, const QString &as = {});
    void setCount(const PublishedCount &count);

    void reject() override; ///< does nothing while a package is being published

Q_SIGNALS:
    void wishChanged(); ///< requests a plan for wish()
    void publishRequested();
    void stopRequested();

private:
    void takeEdit();
    void showPlan();
    void update();

    PublishWish m_wish;
    PublishPlan m_plan;
    bool m_waiting = false; ///< for the plan of m_wish
    bool m_publishing = false;
    QString m_problem;
    QStringList m_published; ///< "ORG/NAME"
    Label *m_summary;
    QLineEdit *m_organisation;
    CheckList *m_checks;
    QStandardItemModel *m_packages;
    QTableView *m_table;
    QCheckBox *m_again;
    QProgressBar *m_busy;
    CopyButton *m_copy;
    QPushButton *m_look;
    QPushButton *m_stop;
    QPushButton *m_close;
    QPushButton *m_publish;
    QTimer m_settle; ///< waits until typing pauses, so that several edits make one request
};

} // namespace tmx
