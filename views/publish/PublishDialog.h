// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/Publishing.h"

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

/// Packages before, while and after they are published: all that flox asks for, and what became of each. Asks; does
/// nothing itself. Not modal to the event loop: open() it.
class PublishDialog : public QDialog
{
    Q_OBJECT
public:
    PublishDialog(PublishWish wish, const PublishPlan &plan, QWidget *parent = nullptr);

    [[nodiscard]] const PublishWish &wish() const { return m_wish; } ///< what setPlan() has to be given now
    [[nodiscard]] const PublishPlan &plan() const { return m_plan; }
    void setPlan(const PublishPlan &plan);
    void setProblem(const QString &sentence); ///< there is no plan

    void setPublishing(bool publishing);
    /// What becomes of a package: a word, and "ORG/NAME" where it is published.
    void setState(const QString &package, const QString &state, const QString &as = {});
    void setCount(const PublishedCount &count);

    void reject() override; ///< not while something is being published

Q_SIGNALS:
    void wishChanged(); ///< a plan of wish() is wanted
    void publishRequested();
    void stopRequested();

private:
    void takeEdit();
    void showPlan();
    void update();

    PublishWish m_wish;
    PublishPlan m_plan;
    bool m_waiting = false; ///< for the plan of the wish
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
    QTimer m_settle; ///< typing is several edits; they are one question
};

} // namespace tmx
