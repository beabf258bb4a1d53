// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/OperationQueue.h"

#include <QDialog>
#include <QTimer>

class QProgressBar;
class QPushButton;

namespace tmx {

class Banner;
class ChangeView;
class WorkForm;

/// Work on a whole branch: what is wanted above, what comes of it below, a button that does it. What goes wrong is told
/// in one sentence and loses nothing of what was typed. accepted() once it is done. Not modal to the event loop: open()
/// it.
class WorkDialog : public QDialog
{
    Q_OBJECT
public:
    /// `action` is the word on the button that does it, in `repository`.
    WorkDialog(const QString &title, const QString &action, WorkForm *form, Operations *operations,
               const QString &repository, QWidget *parent = nullptr);
    ~WorkDialog() override; ///< stops what is being worked out

    void refresh();                  ///< works it out again
    void refuse(const Error &error); ///< there is nothing to show
    [[nodiscard]] WorkForm *form() const { return m_form; }
    [[nodiscard]] ChangeView *changes() const { return m_changes; }
    [[nodiscard]] bool isSettled() const; ///< what is shown is what the form asks for

    [[nodiscard]] bool isBusy() const { return m_preparing || m_applying; }

    void reject() override; ///< not while something is being written

Q_SIGNALS:
    void settled();
    void busyChanged();
    /// Something was written, perhaps not all of it.
    void applied(const tmx::ChangeRequest &request, const QList<tmx::Applied> &applied);

private:
    [[nodiscard]] QLayout *makeFooter();
    void takeEdit();
    void ask();
    void apply();
    void wireOperations();
    void takeChanges(const QList<ChangeSet> &changes);
    void takeApplied(const QList<Applied> &applied, const std::optional<Error> &error);
    void stopOrAsk();
    void showProblem();
    void updateButtons();

    WorkForm *m_form;
    Operations *m_operations;
    QString m_repository;
    ChangeView *m_changes;
    Banner *m_problem;
    QProgressBar *m_progress;
    QPushButton *m_stop;
    QPushButton *m_cancel;
    QPushButton *m_action;
    QTimer m_settle; ///< typing is several edits; they are one question
    QTimer m_slow;   ///< what is quick shows no bar
    ChangeRequest m_request;
    OperationId m_preparing = 0;
    OperationId m_applying = 0;
    bool m_prepared = false; ///< what is shown is what m_request asks for
    bool m_stopped = false;
    QString m_refused; ///< why there is nothing to show
    QString m_notDone; ///< why it was not done; stands until something is changed or tried again
};

} // namespace tmx
